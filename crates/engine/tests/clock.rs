//! Clocks of whole games, between bots of the shell.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::sync::Arc;
use std::time::Duration;

use battleship::{Rules, Ruleset};
use bothost::{BotProgram, BySide, Clock, Interrupt, Launch, Side};
use engine::game::{EndedBy, Ending, Entrant, Event, GameSetup, Listener, ReadyPair, Stop};
use engine::terms::OwnLimits;

/// A bot that attacks row by row, after `$1` seconds at the first time and at once later. It comments what its clock says.
const BOT: &str = "while read -r word rest; do case $word in
    battleship) echo ready;;
    clock) echo \"# $rest\";;
    place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;;
    attack) sleep $1; set 0; echo attack $((n / 10)) $((n % 10)); n=$((n + 1));;
    quit) exit;;
esac; done";

fn entrant(first_reply: &str) -> Entrant {
    let arguments = ["-c", BOT, "sh", first_reply].map(Into::into).to_vec();
    Entrant {
        name: format!("slow {first_reply}"),
        named: true,
        shipped: false,
        human: false,
        program: BotProgram {
            file: "sh".into(),
            arguments,
            command_line: "sh".to_owned(),
            ..BotProgram::default()
        },
        dir: None,
        limits: OwnLimits::default(),
        one_game: false,
    }
}

/// What the first player's clock said before each request.
#[derive(Default)]
struct Told(Vec<u64>);

impl Listener for Told {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        if let Event::Comment {
            by: Side::One,
            line,
        } = event
        {
            let line = str::from_utf8(line).unwrap();
            self.0.push(line[2..].parse().unwrap());
        }
        Ok(())
    }
}

/// Plays a game in which the first player has that clock and takes so long for its first attack, and its opponent has no limit.
fn played(clock: Clock, first_reply: &str) -> (Ending, Vec<u64>) {
    let players = BySide::new(entrant(first_reply), entrant("0"));
    let interrupt = Arc::new(Interrupt::never().unwrap());
    let launch = Launch::unsupervised();
    let limit = Duration::from_secs(60);
    let started = ReadyPair::start(&players, &launch, Ruleset::Classic, limit, &interrupt, None);
    let mut pair = started.unwrap_or_else(|_| panic!("the shell plays"));
    let setup = GameSetup {
        rules: Rules::usual(Ruleset::Classic),
        seeds: BySide::default(),
        clocks: BySide::new(clock, Clock::None),
        max_turns: 100,
    };
    let mut told = Told::default();
    let ending = pair.play(&setup, Side::One, &mut told).unwrap();
    pair.end(&ending).unwrap();
    (ending, told.0)
}

fn seconds(total: u64) -> Clock {
    Clock::Game {
        total: Duration::from_secs(total),
        increment: Duration::ZERO,
    }
}

#[test]
fn the_clock_is_told_before_each_request() {
    let (ending, told) = played(seconds(600), "0");
    // Both sink the same fleet in the same order, the first player one attack earlier.
    assert_eq!(
        (ending.ended_by, ending.winner),
        (EndedBy::FleetSunk, Some(Side::One))
    );
    assert_eq!((told[0], told.len()), (600_000, 1 + 42));
    assert!(
        told.is_sorted_by(|before, after| before >= after),
        "{told:?}"
    );
}

#[test]
fn a_player_that_runs_out_of_time_loses() {
    let clock = Clock::Game {
        total: Duration::from_millis(1500),
        increment: Duration::from_millis(500),
    };
    let (ending, told) = played(clock, "60");
    assert_eq!(
        (ending.ended_by, ending.winner),
        (EndedBy::OutOfTime, Some(Side::Two))
    );
    // The placement has added its increment, and the greeting has cost nothing.
    assert_eq!((told[0], told.len()), (1500, 2));
    let left = format!(
        "no reply to attack in the {} ms left of its 1500 ms for the game and 500 ms a reply",
        told[1]
    );
    assert!(ending.what.starts_with(&left), "{}", ending.what);
}

#[test]
#[ignore = "thorough"]
fn five_point_nine_of_six_seconds_are_enough() {
    let (ending, _) = played(seconds(6), "5.9");
    assert_eq!(ending.ended_by, EndedBy::FleetSunk, "{}", ending.what);
    let (ending, _) = played(seconds(6), "6.1");
    assert_eq!(ending.ended_by, EndedBy::OutOfTime, "{}", ending.what);
}
