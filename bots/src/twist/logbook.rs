//! The notes that every bot of the twist game keeps of the game.

use battleship::protocol::{Order, OrderResult};
use battleship::twist::{Cell, Fleet, OriginalQuirks, UnitId, View};
use battleship::{Placement, Point};

/// The notes that every player here keeps of the game: its own view.
#[derive(Debug, Default)]
pub(super) struct Logbook {
    /// None until the units are placed.
    view: Option<View>,
}

impl Logbook {
    /// Notes where the own units are, and returns that, or `None` if it is not a legal fleet.
    pub(super) fn place(&mut self, placements: Vec<Placement>) -> Option<Vec<Placement>> {
        let fleet = Fleet::new(&placements).ok()?;
        self.view = Some(View::new(fleet, OriginalQuirks::default()));
        Some(placements)
    }

    /// Returns the game as this player knows it, or `None` before the units are placed.
    pub(super) const fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Returns the own fleet, or `None` before it is placed.
    pub(super) fn fleet(&self) -> Option<&Fleet> {
        self.view().map(View::fleet)
    }

    /// The order to `unit` to act on `target`. Without a fleet any order is refused.
    pub(super) fn order(&self, unit: UnitId, target: Cell) -> Order {
        let origin = self
            .fleet()
            .map_or(target, |fleet| fleet.unit(unit).centre());
        Order::new(origin, target)
    }

    /// Notes the result of an order. Returns the cell on which the unit acted, or `None` if the
    /// order was refused.
    pub(super) fn record(&mut self, order: Order, result: &OrderResult) -> Option<Cell> {
        self.view.as_mut()?.acted(order, result).ok()?;
        Cell::at(order.target)
    }

    /// Notes a shot of the opponent's.
    pub(super) fn record_shot(&mut self, at: Point) {
        if let Some(view) = &mut self.view {
            view.opponent_fired(at);
        }
    }
}
