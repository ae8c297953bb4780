//! The costs of a contest beside its bots: `cargo bench --bench speed`. Every figure is a ratio to
//! a raw exchange of lines in the same run, in turns and on one core, or processor time of all
//! processes, since machines drift and are shared. Words after `--` choose parts, e.g. `cargo bench
//! --bench speed -- reply busy`. The referee is that of `cargo build --release`, or the one that
//! `REFEREE=PATH` names.

mod bots;
mod parts;
mod runs;

use std::io::{self, Write};

/// A part: what chooses it, and what it does.
type Part = (&'static str, fn(&mut dyn Write) -> io::Result<()>);

const PARTS: [Part; 4] = [
    ("reply", parts::reply),
    ("busy", parts::busy),
    ("start", parts::start),
    ("records", parts::records),
];

fn main() -> io::Result<()> {
    // Cargo adds an option of its own.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    match words.first().map(String::as_str) {
        Some("ask") => return bots::ask(),
        Some("bot") => return bots::smallest(),
        Some("judge") => return bots::judge(),
        Some("spin") => bots::spin(),
        _ => {}
    }
    let mut out = io::stdout().lock();
    for (name, print) in PARTS {
        if words.is_empty() || words.iter().any(|word| word == name) {
            print(&mut out)?;
        }
    }
    Ok(())
}
