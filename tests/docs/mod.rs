//! The documents say what the programs do.

mod modes;
mod pages;
mod pictures;
mod protocol;
