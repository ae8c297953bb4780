//! Games of the bots of the twist.

use std::io::{self, Write};

use battleship::{BySide, Side};
use battleship_bots::{Shipped, Terminal, play_twist};

use crate::sample::Sample;

const GAMES: u64 = 500;
/// Turns of each player, after which a game is undecided.
const TURNS: u32 = 100;

/// The winner of game number `game` of two bots; every two games have the same seeds and both movers.
fn winner(one: &str, other: &str, game: u64) -> Option<Side> {
    let bot = |name: &str, seed| {
        let shipped = Shipped::named(name).expect("these players are shipped");
        let mut bot = shipped.twist_bot(name, &Terminal::nowhere().shared());
        bot.new_game(seed);
        bot
    };
    let (seed, first) = (
        game / 2,
        if game.is_multiple_of(2) {
            Side::One
        } else {
            Side::Two
        },
    );
    let (mut one, mut other) = (bot(one, 2 * seed), bot(other, 2 * seed + 1));
    play_twist(BySide::new(one.as_mut(), other.as_mut()), first, TURNS)
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "twist games won and lost within {TURNS} turns of each; the rest are undecided ({GAMES} games, each pair \
         of seeds with both movers)"
    )?;
    for (one, other) in [
        ("mediocre", "awful"),
        ("good", "mediocre"),
        ("good", "good"),
    ] {
        let winners: Vec<Option<Side>> = (0..GAMES).map(|game| winner(one, other, game)).collect();
        let share = |player| Sample::percent(winners.iter().map(|winner| *winner == Some(player)));
        let (won, lost) = (share(Side::One), share(Side::Two));
        writeln!(
            out,
            "  {one:<10} against {other:<10} won {won}%, lost {lost}%"
        )?;
    }
    Ok(())
}
