//! The awful bot of the twist game.

use battleship::protocol::{Order, OrderResult};
use battleship::twist::{Cell, UnitId, UnitKind};
use battleship::{Placement, Point, TwistBot};

use super::fleet::placements_in_rows;
use super::logbook::Logbook;

/// Plays legally, but very stupidly: places its units in rows, fires cell after cell with its first
/// battleship, and moves no unit as long as it can fire. It needs no seed: it always plays the
/// same.
#[derive(Debug)]
pub struct TwistAwful {
    log: Logbook,
    cells: std::iter::Cycle<std::vec::IntoIter<Cell>>,
}

impl Default for TwistAwful {
    fn default() -> TwistAwful {
        let cells = Cell::all().collect::<Vec<_>>().into_iter().cycle();
        TwistAwful {
            log: Logbook::default(),
            cells,
        }
    }
}

impl TwistBot for TwistAwful {
    fn new_game(&mut self, _seed: u64) {
        *self = TwistAwful::default();
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.log.place(placements_in_rows())
    }

    fn act(&mut self) -> Order {
        let first = self.log.fleet().and_then(|fleet| fleet.afloat().next());
        let next = self.cells.next().expect("a cycle of 144 cells has no end");
        match first {
            Some(unit) if unit.kind() == UnitKind::Battleship => self.log.order(unit.id(), next),
            // A unit may stay at its place: the one move that is legal anywhere.
            Some(unit) => self.log.order(unit.id(), unit.centre()),
            None => self.log.order(UnitId::ALL[0], next),
        }
    }

    fn act_result(&mut self, order: Order, result: &OrderResult) {
        self.log.record(order, result);
    }

    fn opponent_fired(&mut self, at: Point) {
        self.log.record_shot(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_battleship_afloat_fires_row_by_row() {
        let mut awful = TwistAwful::default();
        assert!(awful.place_units().is_some());
        let fired = [(); 13].map(|()| awful.act().target);
        assert_eq!((fired[0], fired[12]), (Point::new(0, 0), Point::new(1, 0)));
        for row in [0, 2, 4] {
            assert_eq!(awful.act().origin, Point::new(row, 2));
            (0..5).for_each(|col| awful.opponent_fired(Point::new(row, col)));
        }
        let order = awful.act();
        assert_eq!(
            (order.origin, order.target),
            (Point::new(6, 1), Point::new(6, 1))
        );
    }
}
