//! A person plays at a terminal.

mod classic;
mod piped;
mod twist;
