//! Where a player places its ships, and when it attacks which cell, summed over games.

use battleship::Point;

use super::data::Map;
use engine::record::{GameRecord, Placed};

/// The sums of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct MapSums {
    pub(super) games: u64,
    placed: Vec<u32>,
    /// For each cell the sum of the numbers of the attacks on it, and how many they are.
    attacked: Vec<(u64, u64)>,
}

impl MapSums {
    /// Adds what the player on a seat did in a game of one board.
    pub(super) fn add(&mut self, game: &GameRecord, seat: usize) {
        let size = [game.rows, game.cols].map(|length| usize::try_from(length).unwrap_or(0));
        let cells = size[0] * size[1];
        if self.placed.len() != cells {
            self.placed = vec![0; cells];
            self.attacked = vec![(0, 0); cells];
        }
        self.games += 1;
        let cell = |row: i32, col: i32| {
            let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
            (row < size[0] && col < size[1]).then_some(row * size[1] + col)
        };
        let fleet = game.fleets[seat].iter().flatten();
        for (Placed { row, col, direction }, ship) in fleet.zip(&game.ships) {
            for step in 0..ship.length {
                let (down, right) = if *direction == 'v' { (step, 0) } else { (0, step) };
                if let Some(cell) = cell(row.saturating_add(down), col.saturating_add(right)) {
                    self.placed[cell] += 1;
                }
            }
        }
        for (number, played) in (1..).zip(game.turns_of(seat)) {
            // The opponent is told of shots, and of nothing else.
            let Point { row, col } = played.turn.target();
            if let Some(cell) = played.turn.notice().and_then(|_| cell(row, col)) {
                self.attacked[cell].0 += number;
                self.attacked[cell].1 += 1;
            }
        }
    }

    /// Adds the sums of other games on the same board.
    pub(super) fn merge(&mut self, other: &MapSums) {
        if self.placed.is_empty() {
            *self = other.clone();
            return;
        }
        self.games += other.games;
        for (one, other) in self.placed.iter_mut().zip(&other.placed) {
            *one += other;
        }
        for (one, other) in self.attacked.iter_mut().zip(&other.attacked) {
            one.0 += other.0;
            one.1 += other.1;
        }
    }

    /// Returns the map of these games, as the page has it.
    pub(super) fn finished(&self, setup: usize, when: &'static str) -> Map {
        let mean = |(sum, count): &(u64, u64)| {
            #[allow(clippy::cast_precision_loss, reason = "turns of games are far below 2^52")]
            let mean = *sum as f64 / *count as f64;
            (*count > 0).then(|| (10.0 * mean).round() / 10.0)
        };
        let attacked = self.attacked.iter().map(mean).collect();
        let reached = self.attacked.iter().map(|(_, count)| *count).collect();
        Map { setup, games: self.games, when, placed: self.placed.clone(), attacked, reached }
    }
}
