//! The files that a shell and a system have of the programs: completions and manual pages.

#[cfg(unix)]
mod completions;
mod manual;
