//! The strength of the shipped players: `cargo bench --bench strength`. The players play within this process, without a
//! referee; every mean comes with its standard error. The whole takes some minutes on two cores; words after `--` choose parts
//! of it, e.g. `cargo bench --bench strength -- shots games`. `--series=N`, `--games=N` and `--kinds=NAME,NAME` set the number
//! of games and the opponents of the parts `games`, `placers` and `placement`; `--fleets=N` sets the number of fleets that the
//! parts `apart` and `salvo` look at.

mod bulk;
mod counter;
mod fleets;
mod games;
mod hunter;
mod kinds;
mod learner;
mod placement;
mod placers;
mod sample;
mod shots;
mod twist;
mod yardstick;

use std::io::{self, Write};

/// A part: what chooses it, and what it does.
type Part = (&'static str, fn(&mut dyn Write) -> io::Result<()>);

const PARTS: [Part; 10] = [
    ("shots", shots::print),
    ("apart", shots::print_apart),
    ("salvo", shots::print_salvo),
    ("thinking", shots::print_thinking),
    ("replies", games::print_reply_times),
    ("games", games::print),
    ("placers", placers::print),
    ("placement", placement::print),
    ("learner", learner::print),
    ("twist", twist::print),
];

/// Returns the value of `--NAME=` on the command line.
fn value_of(name: &str) -> Option<String> {
    std::env::args().find_map(|word| {
        Some(
            word.strip_prefix("--")?
                .strip_prefix(name)?
                .strip_prefix('=')?
                .to_owned(),
        )
    })
}

/// The number that the command line gives for an option, or `default`.
fn option(name: &str, default: u64) -> u64 {
    let number = |value: String| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("--{name} takes a number, not {value:?}"))
    };
    value_of(name).map_or(default, number)
}

/// Whether the list that the command line gives for an option has that word, or there is no list.
fn is_wanted(name: &str, word: &str) -> bool {
    value_of(name).is_none_or(|list| list.split(',').any(|listed| listed == word))
}

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
