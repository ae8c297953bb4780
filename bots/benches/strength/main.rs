//! The strength of the shipped players: `cargo bench --bench strength`. The players play within
//! this process, without a referee; every mean comes with its standard error. The whole takes some
//! minutes on two cores; words after `--` choose parts of it, e.g. `cargo bench --bench strength --
//! shots games`. `--fleets=N`, `--games=N` and `--series=N` set the number of fleets, games or
//! series of a part, and `--kinds=NAME,NAME` its opponents.

#![allow(clippy::print_stdout, reason = "its figures are what it is for")]

mod counter;
mod games;
mod hunter;
mod learner;
mod placement;
mod placers;
mod sample;
mod twist;

/// A part: its name, and what prints it.
type Part = (&'static str, fn());

const PARTS: [Part; 7] = [
    ("shots", games::print_shots),
    ("replies", games::print_reply_times),
    ("games", games::print),
    ("placers", placers::print),
    ("placement", placement::print),
    ("learner", learner::print),
    ("twist", twist::print),
];

/// Returns the value of `--NAME=` on the command line.
fn value_of(name: &str) -> Option<String> {
    let option = format!("--{name}=");
    std::env::args().find_map(|word| Some(word.strip_prefix(&option)?.to_owned()))
}

/// The number that the command line gives for an option, or `default`.
fn option(name: &str, default: u64) -> u64 {
    value_of(name).map_or(default, |value| value.parse().expect("a number"))
}

/// Whether the list that the command line gives for the kinds has that one, or there is no list.
fn is_wanted(kind: &str) -> bool {
    value_of("kinds").is_none_or(|kinds| kinds.split(',').any(|wanted| wanted == kind))
}

fn main() {
    // Cargo adds an option of its own.
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, print) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            print();
        }
    }
}
