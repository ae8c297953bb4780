//! A referee of another game: players guess a number from 0 to 99 in turns, and hear `higher` or
//! `lower`. `bothost` runs the bots; `league` says who meets whom, and who is better.

use std::{error::Error, sync::Arc, time::Duration};

use bothost::{AskError, BotPair, BotProgram, BySide, Clock, Interrupt, Launch, Side};
use league::crosstable::Crosstable;
use league::schedule::{Format, Plan, Schedule};

/// The name of each player, and what it does with a line, in the shell.
const PLAYERS: [(&str, &str); 3] = [
    (
        "halves",
        "game) l=0 h=99;; higher) l=$((n+1));; lower) h=$((n-1));; guess) echo $((n=(l+h)/2));;",
    ),
    ("counts", "game) n=-1;; guess) echo $((n=n+1));;"),
    ("babbles", "guess) echo hello;;"),
];

fn program(script: &str) -> BotProgram {
    let command_line = format!("while read w; do case $w in {script} quit) exit;; esac; done");
    let (file, arguments) = ("sh".into(), vec!["-c".into(), command_line.clone().into()]);
    BotProgram {
        file,
        arguments,
        command_line,
        ..BotProgram::default()
    }
}

/// Returns who guesses the secret, or whose opponent is late or says something else.
fn play(bots: &mut BotPair, mut side: Side, secret: u32) -> Result<Side, AskError> {
    for side in Side::BOTH {
        bots.tell(side, format_args!("game"))?;
    }
    loop {
        let guess = match bots.ask(side, format_args!("guess")) {
            Ok(answer) => str::from_utf8(answer.line)
                .unwrap_or_default()
                .parse::<u32>()
                .ok(),
            Err(AskError::Fault(_)) => None,
            Err(error) => return Err(error),
        };
        match guess {
            Some(guess) if guess == secret => return Ok(side),
            Some(guess) if guess < secret => bots.tell(side, format_args!("higher"))?,
            Some(_) => bots.tell(side, format_args!("lower"))?,
            None => return Ok(side.other()),
        }
        side = side.other();
    }
}

#[allow(clippy::print_stdout, reason = "this is a program")]
fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan {
        format: Format::RoundRobin,
        players: 3,
        games: 4,
        series: 4,
    };
    let (mut schedule, mut table) = (Schedule::new(plan)?, Crosstable::new(3));
    while let Some(round) = schedule.next_round(&table, &|_| false) {
        for series in round {
            let [one, two] = series.players.map(|player| program(PLAYERS[player].1));
            for game in 0..series.games {
                let (both, interrupt) = (BySide::new(&one, &two), Arc::new(Interrupt::never()?));
                let bots = BotPair::start(both, &Launch::unsupervised(), interrupt, None);
                let mut bots = bots.map_err(|(_, error)| error)?;
                bots.set_clocks(BySide::from_fn(|_| Clock::Wall(Duration::from_secs(60))));
                let winner = play(&mut bots, Side::BOTH[game as usize % 2], game * 37 % 100)?;
                bots.end(BySide::default())?;
                let half_points = if winner == Side::One { 2 } else { 0 };
                table.add(series.players[0], series.players[1], half_points, 1);
            }
        }
    }
    for place in schedule.standings(&table, &|_| false) {
        println!(
            "{}. {} {}",
            place.place, PLAYERS[place.player].0, place.points
        );
    }
    Ok(())
}
