//! Whether the figures of contests hold what they promise: `cargo bench --bench statistics`.
//! Contests between players of known strength are simulated with a fixed seed, and nothing is
//! timed, so the tables are the same on every machine. Words after `--` choose parts of it, e.g.
//! `cargo bench --bench statistics -- coverage`.

mod coverage;
mod model;
mod sequential;

use std::io::{self, Write};

/// A part: what chooses it, and what it does.
type Part = (&'static str, fn(&mut dyn Write) -> io::Result<()>);

const PARTS: [Part; 3] = [
    ("coverage", coverage::print_matches),
    ("tournament", coverage::print_tournaments),
    ("sprt", sequential::print),
];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    // Cargo adds an option of its own.
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, print) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            print(&mut out)?;
        }
    }
    Ok(())
}
