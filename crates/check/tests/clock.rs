//! Clocks of whole games.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::io::Write;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use arena::game::{EndedBy, Ending, Entrant, Event, Listener, Pair, Round, Stop};
use arena::terms::OwnLimits;
use battleship::{Rules, Ruleset};
use bothost::{BotProgram, BySide, Clock, Interrupt, Launch, Local, LocalPlayer, Side};
use wire::game::Game as _;

/// Attacks row by row, after some time at first and at once later. It comments what its clock says.
struct Slow {
    first_reply: Duration,
    attacks: u32,
}

impl Local for Slow {
    fn receive(&mut self, line: &[u8], reply: &mut Vec<u8>, _log: &mut Vec<u8>) -> bool {
        let line = str::from_utf8(line).unwrap().trim_end();
        let said = match line.split(' ').next().unwrap() {
            "battleship" => "ready".to_owned(),
            "clock" => line.replace("clock", "#"),
            "place" => "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h".to_owned(),
            "attack" => {
                sleep(std::mem::take(&mut self.first_reply));
                self.attacks += 1;
                let cell = self.attacks - 1;
                format!("attack {} {}", cell / 10, cell % 10)
            }
            word => return word != "quit",
        };
        writeln!(reply, "{said}").is_ok()
    }
}

fn entrant(first_reply: Duration) -> Entrant {
    let make = move || -> Box<dyn Local> {
        Box::new(Slow {
            first_reply,
            attacks: 0,
        })
    };
    Entrant {
        name: format!("slow {first_reply:?}"),
        named: true,
        shipped: false,
        human: false,
        program: BotProgram {
            local: Some(LocalPlayer::new(make)),
            ..BotProgram::default()
        },
        dir: None,
        typed_folder: None,
        limits: OwnLimits::default(),
        one_game: false,
    }
}

/// What the first player's clock said before each request.
#[derive(Default)]
struct Told(Vec<u64>);

impl Listener<Event<'_>> for Told {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        if let Event::Comment {
            side: Side::One,
            line,
        } = event
        {
            let line = str::from_utf8(line).unwrap();
            self.0.push(line[2..].parse().unwrap());
        }
        Ok(())
    }
}

/// Plays a game in which the first player has that clock and takes so long for its first attack,
/// and its opponent has no limit.
fn played(clock: Clock, first_reply: Duration) -> (Ending, Vec<u64>) {
    let players = BySide::new(entrant(first_reply), entrant(Duration::ZERO));
    let interrupt = Arc::new(Interrupt::never().unwrap());
    let launch = Launch::unsupervised();
    let limit = Duration::from_secs(60);
    let started = Pair::start(&players, &launch, "classic", limit, &interrupt, None);
    let mut pair = started.unwrap_or_else(|_| panic!("both play"));
    let round = Round {
        seed: 0,
        bot_seeds: BySide::default(),
        clocks: BySide::new(clock, Clock::None),
        first: Side::One,
        max_turns: 100,
        retries: BySide::default(),
    };
    let mut told = Told::default();
    let mut table = Rules::usual(Ruleset::Classic).table().unwrap();
    let played = pair.play(&mut *table, &round, &mut told).unwrap();
    let ending = played.ending;
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
    let (ending, told) = played(seconds(600), Duration::ZERO);
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
    let (ending, told) = played(clock, Duration::from_secs(20));
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
    let (ending, _) = played(seconds(6), Duration::from_millis(5900));
    assert_eq!(ending.ended_by, EndedBy::FleetSunk, "{}", ending.what);
    let (ending, _) = played(seconds(6), Duration::from_millis(6100));
    assert_eq!(ending.ended_by, EndedBy::OutOfTime, "{}", ending.what);
}
