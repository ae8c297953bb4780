//! The knowledge of one player of the twist game.

use thiserror::Error;

use super::{Cell, CellSet, Clear, Fleet, Marks, OriginalQuirks, Refused, TwistMark, UnitKind};
use crate::protocol::{Order, OrderResult};

/// The game as one player knows it: its own fleet, what it noted about the other's, and where it was fired at.
/// The opponent's fleet is not in here, so it cannot leak.
///
/// A player that is only told what happens can keep a view of its own with [`View::acted`] and
/// [`View::opponent_acted`]; it then stays equal to the referee's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) fleet: Fleet,
    pub(super) marks: Marks,
    incoming: CellSet,
    last_incoming: Option<Cell>,
    quirks: OriginalQuirks,
}

/// The reason why a turn that a player notes cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// The order cannot be carried out.
    #[error("{0}")]
    Refused(#[from] Refused),
    /// The effect is that of another action.
    #[error("this cannot be the result of an order to a {0}")]
    OtherAction(UnitKind),
}

impl View {
    /// Returns what a player knows before the first turn.
    pub fn new(fleet: Fleet, quirks: OriginalQuirks) -> View {
        View {
            fleet,
            marks: Marks::default(),
            incoming: CellSet::EMPTY,
            last_incoming: None,
            quirks,
        }
    }

    /// Returns the player's own fleet.
    pub const fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns the player's attack grid.
    pub const fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Returns every cell that the opponent has fired at.
    pub const fn incoming(&self) -> CellSet {
        self.incoming
    }

    /// Returns the cell that the opponent fired at in its last turn, or `None` if it moved a unit or has not had a
    /// turn.
    pub const fn last_incoming(&self) -> Option<Cell> {
        self.last_incoming
    }

    /// Returns the rules' switches.
    pub const fn quirks(&self) -> OriginalQuirks {
        self.quirks
    }

    /// Checks an order of the player's, as if it were its turn.
    ///
    /// # Errors
    /// If the game would refuse the order.
    pub fn check(&self, order: Order) -> Result<(), Refused> {
        let (origin, target) = order.on_grid().ok_or(Refused::NotOnGrid(order))?;
        let unit = self.fleet.ordered(origin, self.quirks.any_origin)?;
        if unit.kind() != UnitKind::Battleship {
            self.fleet.moved(unit, target)?;
        }
        Ok(())
    }

    /// Notes the player's own turn and its result. What a support ship repaired is worked out, not read from `result`.
    ///
    /// # Errors
    /// If the order is one that the game refuses, or if the result is not one of that unit's action. The view is
    /// then unchanged.
    pub fn acted(&mut self, order: Order, result: &OrderResult) -> Result<(), ViewError> {
        let (origin, target) = order.on_grid().ok_or(Refused::NotOnGrid(order))?;
        let unit = self.fleet.ordered(origin, self.quirks.any_origin)?;
        match (unit.kind(), result) {
            (UnitKind::Battleship, OrderResult::Hit | OrderResult::Miss) => {}
            (UnitKind::Support, OrderResult::Repaired(_)) => {
                self.fleet.move_to(unit, target)?;
                self.fleet.repair_around(unit, self.quirks.self_repair);
            }
            (UnitKind::Submarine, OrderResult::Found { .. }) => {
                self.fleet.move_to(unit, target)?;
            }
            (kind, _) => return Err(ViewError::OtherAction(kind)),
        }
        self.mark(target, result);
        Ok(())
    }

    /// Notes the opponent's turn: the cell that it fired at, or `None` if it moved a unit.
    pub fn opponent_acted(&mut self, shot: Option<Cell>) {
        if let Some(cell) = shot {
            self.fleet.strike(cell);
        }
        self.note_incoming(shot);
    }

    /// Takes marks off the attack grid.
    pub const fn clear(&mut self, what: Clear) {
        self.marks.clear(what);
    }

    pub(super) fn note_incoming(&mut self, shot: Option<Cell>) {
        // A unit may have moved since, so an old shot says nothing about the cell now; bots may use it to
        // guess habits.
        self.incoming |= shot.into_iter().collect();
        self.last_incoming = shot;
    }

    pub(super) fn mark(&mut self, target: Cell, result: &OrderResult) {
        match result {
            OrderResult::Hit => self.marks.set(target.into(), TwistMark::Hit),
            OrderResult::Miss => self.marks.set(target.into(), TwistMark::Miss),
            OrderResult::Repaired(_) | OrderResult::Refused(_) => {}
            OrderResult::Found { whole, damaged } => {
                // The two sets are disjoint, so the order of these does not matter. Scanned water keeps its
                // marks: the sonar notes what it finds only.
                self.marks.set(*whole, TwistMark::Sonar);
                self.marks.set(*damaged, TwistMark::Hit);
            }
        }
    }
}
