//! The lessons of `good` from opponents that place in special ways, in series of games.

use std::io::{self, Write};
use std::ops::Range;

use battleship::{Bot, BySide, Game, GameState, Outcome, Side};
use battleship_bots::Good;

use crate::games::{GameResult, attack, attacks_on, fight, mover_and_seeds};
use crate::kinds::{KINDS, Kind, Placer};
use crate::sample::{Sample, on_all_cores};

/// The games of a series.
const GAMES: u64 = 20;
/// Parts of a series, by the games' numbers from 0.
const PARTS: [Range<usize>; 3] = [0..5, 5..10, 14..20];

/// The games of a series. Where `good` has lost, it shoots on until its opponent's fleet is sunk, so that every game has
/// a number of attacks; what it sees then, it remembers too.
fn play_series(kind: Kind, series: u64) -> Vec<GameResult> {
    let game = Game::standard();
    let (mut good, mut other) = (Good::default(), Placer::new(kind));
    let game_of = |number: u64| {
        let (first, seeds) = mover_and_seeds(number);
        let state = fight(&game, BySide::new(&mut good, &mut other), first, seeds);
        let won = state.winner() == Some(Side::One);
        let mut target = state.target_of(Side::One).clone();
        while !target.all_ships_destroyed() {
            attack(&mut good, &mut target);
        }
        good.game_over(if won { Outcome::Won } else { Outcome::Lost });
        other.game_over(if won { Outcome::Lost } else { Outcome::Won });
        GameResult {
            won,
            attacks: attacks_on(&target),
        }
    };
    (series * GAMES..(series + 1) * GAMES)
        .map(game_of)
        .collect()
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let series = crate::option("series", 10);
    writeln!(
        out,
        "attacks of good against opponents that place in special ways and shoot as parity does ({series} series of \
         {GAMES} games each, lost games played on to the end; errors by series)"
    )?;
    let names = PARTS.map(|part| format!("games {}-{}", part.start + 1, part.end));
    writeln!(
        out,
        "  {:<12} {:<17}{:<17}{:<17}games won",
        "", names[0], names[1], names[2]
    )?;
    for (name, kind) in KINDS {
        if !crate::is_wanted("kinds", name) {
            continue;
        }
        let results = on_all_cores((0..series).collect(), |number| play_series(kind, number));
        let mean = |games: &[GameResult]| Sample::of(games.iter().map(|game| game.attacks)).mean;
        let parts = PARTS.map(|part| {
            Sample::of(results.iter().map(|games| mean(&games[part.clone()]))).to_string()
        });
        let won = results
            .iter()
            .map(|games| Sample::percent(games.iter().map(|game| game.won)).mean);
        let [first, second, last] = parts;
        writeln!(
            out,
            "  {name:<12} {first:<17}{second:<17}{last:<17}{}%",
            Sample::of(won)
        )?;
        out.flush()?;
    }
    Ok(())
}
