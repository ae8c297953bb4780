//! The actions of bots in their recorded games, as far as they show what the bots knew.

use std::collections::HashSet;
use std::fs::File;

use crate::{ByOpponent, Class, ClassError, Store};

use arena::game::EndedBy;
use arena::record::RecordReader;
use battleship::game_reader::{READERS, RecordedGame};
use bothost::{BySide, Side};

/// The actions of a bot in one game.
#[derive(Debug)]
pub(super) struct Game {
    /// The number of its attacks, and whether it has sunk the fleet with them.
    pub(super) attacks: u64,
    pub(super) won: bool,
    /// The cells that it attacked before the first hit, and the one of that: until then it was told
    /// nothing of the fleet.
    pub(super) blind: Vec<Cells>,
    /// Whether the last of these is a hit.
    pub(super) hit: bool,
    /// The cells of the opponent's ships.
    pub(super) fleet: Cells,
}

/// Cells of a board, a bit for each.
pub(super) type Cells = u128;

/// The actions of a bot in its games against one other.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) games: Vec<Game>,
}

/// The actions of all bots, by their numbers, against each other.
pub(super) type Games = ByOpponent<Played>;

impl Games {
    /// Reads the records of all finished series of the class.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(super) fn read(class: &Class, store: &Store) -> Result<Games, ClassError> {
        let mut games = Games::default();
        for pairing in store.pairings(&class.terms_key())? {
            let path = class.folder.path().join(&pairing.file);
            let file = File::open(&path).map_err(ClassError::about(&path))?;
            // Another process may be appending a series.
            let mut reader =
                RecordReader::up_to(&path, file, store.end_of(&pairing.file)?, READERS);
            while let Some(chunk) = reader.next_chunk()? {
                for game in &chunk.games {
                    if let Ok(game) = RecordedGame::read(&game.json) {
                        games.add(pairing.bots, &game);
                    }
                }
            }
        }
        Ok(games)
    }

    /// Adds a game of two bots, in the order of its players. Where fleets move, games say nothing
    /// here.
    pub(super) fn add(&mut self, bots: [i64; 2], game: &RecordedGame) {
        let BySide {
            one: Some(_),
            two: Some(_),
        } = game.fleets
        else {
            return;
        };
        if !game.rules.hits_once() {
            return;
        }
        for side in Side::BOTH {
            let own = bots[side.index()];
            let other = bots[side.other().index()];
            let played = self.entry(own, other);
            let targets = game.turns_of(side).map(|played| played.turn.target());
            let attacks: Vec<[i32; 2]> = targets.map(|at| [at.row, at.col]).collect();
            let fleet = fleet_of(game, side.other());
            let first = attacks.iter().position(|at| fleet & cell(*at) != 0);
            let blind = first.map_or(attacks.len(), |first| first + 1);
            played.games.push(Game {
                attacks: attacks.len() as u64,
                won: game.ended_by == EndedBy::FleetSunk && game.by == Some(side),
                blind: attacks[..blind].iter().map(|at| cell(*at)).collect(),
                hit: first.is_some(),
                fleet,
            });
        }
    }
}

impl Played {
    /// Returns the number of different fleets that the other one placed.
    pub(super) fn fleets(&self) -> usize {
        self.games
            .iter()
            .map(|game| game.fleet)
            .collect::<HashSet<_>>()
            .len()
    }

    /// Returns whether the other one places the same fleets again and again, so that a bot may have
    /// learned them.
    pub(super) fn fleets_repeat(&self) -> bool {
        2 * self.fleets() <= self.games.len()
    }

    /// Returns the attacks of the games in which it has sunk the fleet.
    pub(super) fn wins(&self) -> impl Iterator<Item = u64> {
        self.games
            .iter()
            .filter(|game| game.won)
            .map(|game| game.attacks)
    }
}

/// Returns a cell; none for one outside of every board.
fn cell([row, col]: [i32; 2]) -> Cells {
    let is_on_board = (0..10).contains(&row) && (0..10).contains(&col);
    if is_on_board {
        1 << (10 * row + col)
    } else {
        0
    }
}

/// Returns the cells of a player's ships.
fn fleet_of(game: &RecordedGame, side: Side) -> Cells {
    let ships = game.fleets[side].iter().flatten().zip(&game.ships);
    let cells = ships.flat_map(|(placed, ship)| {
        (0..ship.length).map(move |along| {
            let at = placed.top_or_left.step(placed.direction, along);
            cell([at.row, at.col])
        })
    });
    cells.fold(0, |fleet, cell| fleet | cell)
}
