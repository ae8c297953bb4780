use battleship::protocol::{Order, OrderResult};
use battleship::twist::{Admiral, Cell, UnitId, UnitKind};
use battleship::{Placement, Point};

use super::fleet::placements_in_rows;
use super::logbook::Logbook;

/// Plays legally, but very stupidly: places its units in rows, fires cell after cell with its first battleship, and
/// moves nothing as long as it can fire.
#[derive(Debug)]
pub struct AwfulAdmiral {
    name: String,
    log: Logbook,
    cells: std::iter::Cycle<std::vec::IntoIter<Cell>>,
}

impl AwfulAdmiral {
    /// A player called `name`. It needs no seed: it always plays the same.
    #[must_use]
    pub fn new(name: &str) -> AwfulAdmiral {
        let cells = Cell::all().collect::<Vec<_>>().into_iter().cycle();
        AwfulAdmiral { name: name.to_owned(), log: Logbook::default(), cells }
    }
}

impl Admiral for AwfulAdmiral {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.log.place(&placements_in_rows())
    }

    fn recommend_order(&mut self) -> Order {
        let first = self.log.fleet().and_then(|fleet| fleet.afloat().next());
        let next = self.cells.next().expect("a cycle of 144 cells has no end");
        match first {
            Some(unit) if unit.kind() == UnitKind::Battleship => self.log.order(unit.id(), next),
            // Where it is, it may stay: the one move that is legal anywhere.
            Some(unit) => self.log.order(unit.id(), unit.centre()),
            None => self.log.order(UnitId::ALL[0], next),
        }
    }

    fn record_result(&mut self, order: Order, result: &OrderResult) {
        self.log.record(order, result);
    }

    fn record_shot_by_opponent(&mut self, at: Point) {
        self.log.record_shot(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fires_row_by_row_with_its_first_battleship_afloat_and_then_stays_where_it_is() {
        let mut awful = AwfulAdmiral::new("awful");
        assert!(awful.place_units().is_some());
        let fired = [(); 13].map(|()| awful.recommend_order().target);
        assert_eq!((fired[0], fired[12]), (Point::new(0, 0), Point::new(1, 0)));
        for row in [0, 2, 4] {
            assert_eq!(awful.recommend_order().origin, Point::new(row, 2));
            (0..5).for_each(|col| awful.record_shot_by_opponent(Point::new(row, col)));
        }
        let order = awful.recommend_order();
        assert_eq!((order.origin, order.target), (Point::new(6, 1), Point::new(6, 1)));
    }
}
