//! The knowledge of one player of the twist game.

use thiserror::Error;

use super::{
    AttackGrid, Cell, CellSet, Clear, Effect, Fleet, Mark, Order, Quirks, Refused, UnitId, UnitKind,
};

/// The game as one player knows it: its own fleet, what it noted about the other's, and where it was fired at.
/// The opponent's fleet is not in here, so it cannot leak.
///
/// A player that is only told what happens can keep a view of its own with [`View::acted`] and
/// [`View::opponent_acted`]; it then stays equal to the referee's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub(super) fleet: Fleet,
    pub(super) attack: AttackGrid,
    incoming: CellSet,
    last_incoming: Option<Cell>,
    quirks: Quirks,
}

/// The reason why a turn that a player notes cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// The order cannot be carried out.
    #[error("{0}")]
    Refused(#[from] Refused),
    /// The effect is that of another action.
    #[error("this cannot be the result of an order to a {0}")]
    OtherAction(UnitKind),
}

impl View {
    /// Returns what a player knows before the first turn.
    #[must_use]
    pub fn new(fleet: Fleet, quirks: Quirks) -> View {
        View {
            fleet,
            attack: AttackGrid::default(),
            incoming: CellSet::EMPTY,
            last_incoming: None,
            quirks,
        }
    }

    /// Returns the player's own fleet.
    #[must_use]
    pub const fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns the player's attack grid.
    #[must_use]
    pub const fn attack(&self) -> &AttackGrid {
        &self.attack
    }

    /// Returns every cell that the opponent has fired at.
    #[must_use]
    pub const fn incoming(&self) -> CellSet {
        self.incoming
    }

    /// Returns the cell that the opponent fired at in its last turn, or `None` if it moved a unit or has not had a
    /// turn.
    #[must_use]
    pub const fn last_incoming(&self) -> Option<Cell> {
        self.last_incoming
    }

    /// Returns the rules' switches.
    #[must_use]
    pub const fn quirks(&self) -> Quirks {
        self.quirks
    }

    /// Returns the unit that would carry out an order of the player's, if it is the player's turn.
    ///
    /// # Errors
    /// If the game would refuse the order.
    pub fn check(&self, order: Order) -> Result<UnitId, Refused> {
        let unit = self.fleet.ordered(order.origin, self.quirks.any_origin)?;
        if unit.kind() != UnitKind::Battleship {
            self.fleet.moved(unit, order.target)?;
        }
        Ok(unit)
    }

    /// Notes the player's own turn and its effect. What a support ship repaired is worked out, not read from
    /// `effect`.
    ///
    /// # Errors
    /// If the order is one that the game refuses, or if the effect is not one of that unit's action. The view is
    /// then unchanged.
    pub fn acted(&mut self, order: Order, effect: Effect) -> Result<(), Contradiction> {
        // The order and the kind of the effect are checked before anything changes.
        let unit = self.fleet.ordered(order.origin, self.quirks.any_origin)?;
        match (unit.kind(), effect) {
            (UnitKind::Battleship, Effect::Fired { .. }) => {}
            (UnitKind::Support, Effect::Repaired { .. }) => {
                self.fleet.move_to(unit, order.target)?;
                self.fleet.repair_around(unit, self.quirks.self_repair);
            }
            (UnitKind::Submarine, Effect::Searched { .. }) => {
                self.fleet.move_to(unit, order.target)?;
            }
            (kind, Effect::Fired { .. } | Effect::Repaired { .. } | Effect::Searched { .. }) => {
                return Err(Contradiction::OtherAction(kind));
            }
        }
        self.mark(order.target, effect);
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
        self.attack.clear(what);
    }

    pub(super) fn note_incoming(&mut self, shot: Option<Cell>) {
        // A unit may have moved since, so an old shot says nothing about the cell now; bots may use it to
        // guess habits.
        self.incoming |= shot.into_iter().collect();
        self.last_incoming = shot;
    }

    pub(super) fn mark(&mut self, target: Cell, effect: Effect) {
        match effect {
            Effect::Fired { hit: true } => self.attack.set(target.into(), Mark::Hit),
            Effect::Fired { hit: false } => self.attack.set(target.into(), Mark::Miss),
            Effect::Repaired { .. } => {}
            Effect::Searched { undamaged, damaged } => {
                // The two sets are disjoint, so the order of these does not matter. Scanned water keeps its
                // marks: the sonar notes what it finds only.
                self.attack.set(undamaged, Mark::Sonar);
                self.attack.set(damaged, Mark::Hit);
            }
        }
    }
}
