//! The documents say what the programs do.

#[cfg(unix)]
mod commands;
mod links;
mod modes;
mod pages;
mod phrases;
mod pictures;
mod protocol;
