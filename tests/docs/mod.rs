//! The documents say what the programs do.

#[cfg(unix)]
mod commands;
mod links;
mod markdown;
mod modes;
mod pages;
mod pictures;
mod protocol;
