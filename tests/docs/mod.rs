//! The documents say what the programs do.

#[cfg(unix)]
mod commands;
mod modes;
mod pages;
mod pictures;
mod protocol;
