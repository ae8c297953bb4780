//! Games of the players of the twist.

use std::io::{self, Write};

use battleship_bots::{create_admiral, play_twist};

use crate::sample::Sample;

const GAMES: u64 = 500;
/// Turns of each player, after which a game is undecided.
const TURNS: u32 = 100;

/// Who wins game number `game` of two kinds of players; every two games have the same seeds and both movers.
fn winner(one: &str, other: &str, game: u64) -> Option<usize> {
    let admiral = |kind, seed| create_admiral(kind, kind, seed).expect("these kinds play it");
    let (seed, first) = (game / 2, usize::from(game % 2 == 1));
    let (mut one, mut other) = (admiral(one, 2 * seed), admiral(other, 2 * seed + 1));
    play_twist([one.as_mut(), other.as_mut()], first, TURNS)
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "twist games won and lost within {TURNS} turns of each; the rest are undecided ({GAMES} games, each pair \
         of seeds with both movers)"
    )?;
    for (one, other) in [("mediocre", "awful"), ("good", "mediocre"), ("good", "good")] {
        let winners: Vec<Option<usize>> = (0..GAMES).map(|game| winner(one, other, game)).collect();
        let share = |player| Sample::percent(winners.iter().map(|winner| *winner == Some(player)));
        let (won, lost) = (share(0), share(1));
        writeln!(out, "  {one:<10} against {other:<10} won {won}%, lost {lost}%")?;
    }
    Ok(())
}
