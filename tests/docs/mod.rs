//! The documents say what the programs do.

mod pages;
mod protocol;
