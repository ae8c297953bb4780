//! The view of a player on its opponent's board.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, CellSet, Game, Point, ShipId};

/// A ship that was sunk: the shot that sank it, and all hits there were by then, that one too. The
/// ship lies on hits, and the shot is on it: hits that came later are not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wreck {
    pub(super) at: Point,
    pub(super) hits_then: CellSet,
}

/// The view of a player on its opponent's board.
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

    /// Whether that ship can be on `cells`, as far as these alone tell: on no miss; if it was sunk,
    /// on the shot that sank it and on hits that came before; else not on hits alone, or it would
    /// be known to be sunk.
    pub(super) fn allows(&self, ship: ShipId, cells: CellSet) -> bool {
        (cells & self.misses).is_empty()
            && match self.wrecks[ship] {
                Some(wreck) => cells.contains(wreck.at) && cells.is_subset(wreck.hits_then),
                None => !cells.is_subset(self.hits),
            }
    }

    /// The ships that are afloat.
    pub(super) fn afloat(&self) -> impl Iterator<Item = ShipId> {
        (0..self.wrecks.len()).filter(|ship| self.wrecks[*ship].is_none())
    }

    /// Returns random numbers that depend on what was seen.
    pub(super) fn rng(&self, seed: u64) -> SeededRng {
        let [low, high] = halves(self.attacked() - self.hits);
        let [hits_low, hits_high] = halves(self.hits);
        // If the halves overlap, two sights may have the same numbers, which does no harm.
        SeededRng::keyed([seed, low, high ^ hits_high.rotate_left(32), hits_low])
    }

    pub(super) fn record(&mut self, at: Point, result: AttackResult) {
        match result {
            AttackResult::Miss => self.misses.insert(at),
            AttackResult::Hit => self.hits.insert(at),
            AttackResult::Sunk(ship) => {
                self.hits.insert(at);
                if let Some(wreck) = self.wrecks.get_mut(ship) {
                    *wreck = Some(Wreck {
                        at,
                        hits_then: self.hits,
                    });
                }
            }
            AttackResult::Wasted => {}
        }
    }
}

/// The cells of a set as two numbers.
fn halves(cells: CellSet) -> [u64; 2] {
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).expect("64 bits are left");
    [half(cells.bits()), half(cells.bits() >> 64)]
}
