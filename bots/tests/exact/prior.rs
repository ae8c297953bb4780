//! The chance of each place of each ship before anything is seen.

use battleship::Game;

use super::lines::{Lines, places};

/// The chance of each place of each ship before anything is seen, up to a factor: whole fleets are as likely as the product of
/// their ships' numbers, if no two ships share a cell. Ships with the same length and table are counted together.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    /// By ship id: its length, and the index of its table.
    pub(super) ships: Vec<(usize, usize)>,
    /// 0 where a ship does not fit.
    pub(super) tables: Vec<Lines>,
}

impl Prior {
    /// All fleets of `game` are equally likely.
    pub(super) fn uniform(game: &Game) -> Prior {
        let mut prior = Prior {
            ships: Vec::new(),
            tables: Vec::new(),
        };
        let mut lengths: Vec<usize> = Vec::new();
        for ship in game.ships() {
            let length = positive(ship.length);
            let known = lengths.iter().position(|known| *known == length);
            let table = known.unwrap_or(lengths.len());
            if known.is_none() {
                lengths.push(length);
                prior
                    .tables
                    .push(places(positive(game.rows()), positive(game.cols()), length));
            }
            prior.ships.push((length, table));
        }
        prior
    }
}

/// The size of a board or the length of a ship, as a number of table entries.
fn positive(size: i32) -> usize {
    usize::try_from(size).expect("boards and ships have at least one cell")
}
