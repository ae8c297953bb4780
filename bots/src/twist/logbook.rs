//! The notes that every bot of the twist game keeps of the game.

use battleship::Point;
use battleship::protocol::{Order, OrderResult, cell_at};
use battleship::twist::{Cell, Effect, Fleet, Placement, Quirks, UnitId, View};

/// The notes that every player here keeps of the game: its own view, in the rules' terms rather than the protocol's.
#[derive(Debug, Default)]
pub(super) struct Logbook {
    /// None until the units are placed.
    view: Option<View>,
}

impl Logbook {
    /// Notes where the own units begin, and returns that in the protocol's terms, or `None` if it is not a legal fleet.
    pub(super) fn place(&mut self, placements: &[Placement]) -> Option<Vec<battleship::Placement>> {
        let fleet = Fleet::new(placements).ok()?;
        self.view = Some(View::new(fleet, Quirks::default()));
        let said = placements.iter().map(|placement| battleship::Placement {
            top_or_left: placement.bow.into(),
            direction: placement.direction,
        });
        Some(said.collect())
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
        Order {
            origin: origin.into(),
            target: target.into(),
        }
    }

    /// Notes the result of an order. Returns which unit acted, on which cell, and the effect, or `None` if the order was
    /// refused.
    pub(super) fn record(
        &mut self,
        order: Order,
        result: &OrderResult,
    ) -> Option<(UnitId, Cell, Effect)> {
        let view = self.view.as_mut()?;
        let order = order.on_grid()?;
        let unit = view.fleet().unit_at(order.origin)?;
        let effect = result.effect()?;
        view.acted(order, effect).ok()?;
        Some((unit, order.target, effect))
    }

    /// Notes a shot of the opponent's.
    pub(super) fn record_shot(&mut self, at: Point) {
        if let (Some(view), Some(cell)) = (&mut self.view, cell_at(at)) {
            view.opponent_acted(Some(cell));
        }
    }
}
