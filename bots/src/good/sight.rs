//! What a player has seen of its opponent's board.

use battleship::{AttackResult, CellSet, Game, Point, ShipId};

/// A ship that was sunk: the shot that sank it, and all hits there were by then, that one too. The ship lies on
/// hits, and the shot is on it: hits that came later are not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wreck {
    pub(super) at: Point,
    pub(super) hits_then: CellSet,
}

/// What a player has seen of its opponent's board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sight {
    pub(super) rows: i32,
    pub(super) cols: i32,
    pub(super) misses: CellSet,
    pub(super) hits: CellSet,
    /// By ship id; `None` for a ship that is afloat.
    pub(super) wrecks: Vec<Option<Wreck>>,
}

impl Sight {
    pub(super) fn new(game: &Game) -> Sight {
        Sight {
            rows: game.rows(),
            cols: game.cols(),
            misses: CellSet::EMPTY,
            hits: CellSet::EMPTY,
            wrecks: vec![None; game.n_ships()],
        }
    }

    /// The cells that were attacked.
    pub(super) fn attacked(&self) -> CellSet {
        self.misses | self.hits
    }

    /// The cells of the board that were not attacked.
    pub(super) fn untried(&self) -> CellSet {
        let row = |row| (0..self.cols).map(move |col| Point::new(row, col));
        let cells: CellSet = (0..self.rows).flat_map(row).collect();
        cells - self.attacked()
    }

    /// Whether that ship is afloat.
    pub(super) fn is_afloat(&self, ship: ShipId) -> bool {
        self.wrecks.get(ship).is_some_and(Option::is_none)
    }

    /// Whether that ship can be on `cells`, as far as these alone tell: on no miss; if it was sunk, on the shot that sank
    /// it and on hits that came before; else not on hits alone, or it would be known to be sunk.
    pub(super) fn allows(&self, ship: ShipId, cells: CellSet) -> bool {
        (cells & self.misses).is_empty()
            && match self.wrecks[ship] {
                Some(wreck) => cells.contains(wreck.at) && cells.is_subset(wreck.hits_then),
                None => !cells.is_subset(self.hits),
            }
    }

    pub(super) fn record(&mut self, at: Point, result: AttackResult) {
        match result {
            AttackResult::Miss => self.misses.insert(at),
            AttackResult::Hit => self.hits.insert(at),
            AttackResult::Sunk(ship) => {
                self.hits.insert(at);
                if let Some(wreck) = self.wrecks.get_mut(ship) {
                    *wreck = Some(Wreck { at, hits_then: self.hits });
                }
            }
            AttackResult::Wasted => {}
        }
    }
}
