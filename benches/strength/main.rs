//! How well the shipped players play: `cargo bench --bench strength`. The players play within this process, without a
//! referee; every mean comes with its standard error. The whole takes some minutes on two cores; words after
//! `--` choose parts of it, e.g. `cargo bench --bench strength -- shots count`.

mod blank;
mod games;
mod hunter;
mod learner;
mod odd;
mod sample;
mod shots;
mod turncoats;
mod twist;

use std::io::{self, Write};

/// A part: what chooses it, and what it does.
type Part = (&'static str, fn(&mut dyn Write) -> io::Result<()>);

const PARTS: [Part; 9] = [
    ("shots", shots::print),
    ("thinking", shots::print_thinking),
    ("count", blank::print),
    ("replies", games::print_reply_times),
    ("games", games::print),
    ("learner", learner::print),
    ("turncoats", turncoats::print),
    ("odd", odd::print),
    ("twist", twist::print),
];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    // Cargo adds an option of its own.
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, print) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            print(&mut out)?;
        }
    }
    Ok(())
}
