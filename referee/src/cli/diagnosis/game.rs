//! Whether a game can be played at all.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::languages::output_within;
use super::{Finding, State};
use crate::cli::own_program;

/// A game that takes a few turns.
const GAME: [&str; 11] = [
    "play",
    "awful",
    "awful",
    "--json",
    "--rows",
    "2",
    "--cols",
    "3",
    "--ship",
    "2 R rowboat",
    "--seed=1",
];

/// Many times what a game takes on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// Plays a game between shipped bots, by a process of its own.
pub(super) fn play() -> Finding {
    let name = "game";
    let referee = match own_program() {
        Ok(referee) => referee,
        Err(error) => return Finding::new(name, State::Failed, format!("{error:#}")),
    };
    let start = Instant::now();
    let mut command = Command::new(referee);
    command.args(GAME).stdin(Stdio::null());
    match output_within(&mut command, LONGEST) {
        Ok((true, _)) => {
            let took = start.elapsed().as_millis();
            Finding::ok(name, format!("two shipped bots played one in {took} ms"))
        }
        Ok((false, said)) => {
            let why = said
                .lines()
                .rfind(|line| !line.trim().is_empty())
                .unwrap_or("no reason given");
            Finding::new(name, State::Failed, why)
        }
        Err(error) => Finding::new(name, State::Failed, error.to_string()),
    }
}
