//! The knowledge of one player of the twist game.

use thiserror::Error;

use super::{Cell, Fleet, Marks, OriginalQuirks, Refused, TwistMark, UnitId, UnitKind};
use crate::Point;
use crate::protocol::{Order, OrderResult};

/// The game as one player knows it: its own fleet, what it noted about the other's, and nothing
/// else. The opponent's fleet is not in here, so it cannot leak.
///
/// A player that is only told what happens can keep a view of its own with [`View::acted`] and
/// [`View::opponent_fired`]; it then stays equal to the referee's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) fleet: Fleet,
    pub(super) marks: Marks,
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
    /// Returns the view of a player before the first turn.
    pub fn new(fleet: Fleet, quirks: OriginalQuirks) -> View {
        View {
            fleet,
            marks: Marks::default(),
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

    /// Checks an order of the player's, as if it were its turn.
    ///
    /// # Errors
    /// If the game would refuse the order.
    pub fn check(&self, order: Order) -> Result<(), Refused> {
        let (unit, target) = self.ordered(order)?;
        if unit.kind() != UnitKind::Battleship {
            self.fleet.moved(unit, target)?;
        }
        Ok(())
    }

    /// Returns the unit that an order is for, and the target.
    pub(super) fn ordered(&self, order: Order) -> Result<(UnitId, Cell), Refused> {
        let (origin, target) = order.on_grid().ok_or(Refused::NotOnGrid(order))?;
        let unit = self.fleet.unit_at(origin).ok_or(Refused::NoUnit(origin))?;
        let centre = self.fleet.unit(unit).centre();
        if centre != origin && !self.quirks.any_origin {
            return Err(Refused::NotCentre(unit, centre));
        }
        Ok((unit, target))
    }

    /// Notes the player's own turn and its result. What a support ship repaired is worked out, not
    /// read from `result`.
    ///
    /// # Errors
    /// If the order is one that the game refuses, or if the result is not one of that unit's
    /// action. The view is then unchanged.
    pub fn acted(&mut self, order: Order, result: &OrderResult) -> Result<(), ViewError> {
        let (unit, target) = self.ordered(order)?;
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

    /// Notes a shot of the opponent's.
    pub fn opponent_fired(&mut self, at: Point) {
        if let Some(cell) = Cell::at(at) {
            self.fleet.strike(cell);
        }
    }

    /// Takes all marks of one kind off the attack grid, or all marks.
    pub fn clear(&mut self, what: Option<TwistMark>) {
        self.marks.clear(what);
    }

    pub(super) fn mark(&mut self, target: Cell, result: &OrderResult) {
        match result {
            OrderResult::Hit => self.marks.set(target.into(), TwistMark::Hit),
            OrderResult::Miss => self.marks.set(target.into(), TwistMark::Miss),
            OrderResult::Repaired(_) | OrderResult::Refused(_) => {}
            OrderResult::Found { whole, damaged } => {
                // The two sets are disjoint, so the order of these does not matter. Scanned water
                // keeps its marks: the sonar notes what it finds only.
                self.marks.set(*whole, TwistMark::Sonar);
                self.marks.set(*damaged, TwistMark::Hit);
            }
        }
    }
}
