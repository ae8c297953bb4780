//! The good player as a program, which needs nothing but this crate.

use std::process::ExitCode;

use bots::{Settings, Shipped};

fn main() -> ExitCode {
    let good = Shipped::named("good").expect("good is one of the shipped players");
    good.program(Settings::default()).run()
}
