//! Games of the bots of the twist.

use battleship::{BySide, Side};
use bots::{Shipped, Terminal, play_twist};

use crate::option;
use crate::sample::Sample;

/// Turns of each player, after which a game is undecided.
const TURNS: u32 = 100;

/// The winner of game number `game` of two bots; every two games have the same seeds and both
/// movers.
fn winner(one: &str, other: &str, game: u64) -> Option<Side> {
    let bot = |name: &str, seed| {
        let shipped = Shipped::named(name).expect("these players are shipped");
        let mut bot = shipped.twist_bot(name, &Terminal::nowhere());
        bot.new_game(seed);
        bot
    };
    let seed = game / 2;
    let first = Side::BOTH[usize::from(!game.is_multiple_of(2))];
    let (mut one, mut other) = (bot(one, 2 * seed), bot(other, 2 * seed + 1));
    play_twist(BySide::new(one.as_mut(), other.as_mut()), first, TURNS)
}

pub(crate) fn print() {
    let games = option("games", 500);
    println!(
        "twist games won and lost within {TURNS} turns of each; the rest are undecided ({games} games, each pair of seeds with \
         both movers)"
    );
    for (one, other) in [
        ("mediocre", "awful"),
        ("good", "mediocre"),
        ("good", "good"),
    ] {
        let winners: Vec<Option<Side>> = (0..games).map(|game| winner(one, other, game)).collect();
        let [won, lost] = Side::BOTH
            .map(|side| Sample::percent(winners.iter().map(|winner| *winner == Some(side))));
        println!("  {one:<10} against {other:<10} won {won}%, lost {lost}%");
    }
}
