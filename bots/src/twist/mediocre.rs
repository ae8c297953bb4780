//! The mediocre bot of the twist game: the computer player of the original program.

use battleship::protocol::{Order, OrderResult};
use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, OriginalQuirks, TwistMark, UnitId, UnitKind, View};
use battleship::{Placement, Point, TwistBot};

use super::fleet::random_placements;
use super::logbook::Logbook;

/// The computer player of the original program, to the letter.
#[derive(Debug, Default)]
pub struct TwistMediocre {
    rng: SeededRng,
    log: Logbook,
    /// The next targets of its battleships, row by row.
    targets: CellSet,
}

impl TwistMediocre {
    /// The unit on one of its cells, all of which are equally likely, and what it does.
    fn choose(&mut self) -> Option<(UnitId, Cell)> {
        let fleet = self.log.fleet()?.clone();
        let origin = fleet.occupied().choose(&mut self.rng)?;
        let unit = fleet.unit_at(origin)?;
        let target = match unit.kind() {
            UnitKind::Battleship => {
                let target = self
                    .targets
                    .first()
                    .or_else(|| CellSet::ALL.choose(&mut self.rng))?;
                self.targets.remove(target);
                target
            }
            UnitKind::Support | UnitKind::Submarine => {
                fleet.destinations(unit).choose(&mut self.rng)?
            }
        };
        Some((unit, target))
    }

    /// The list of next targets after what its own unit did at `at`.
    fn note(&mut self, at: Cell, result: &OrderResult) {
        let Some(view) = self.log.view() else { return };
        match result {
            OrderResult::Hit => self.targets |= unmarked_around(view, at),
            OrderResult::Miss | OrderResult::Repaired(_) | OrderResult::Refused(_) => {}
            OrderResult::Found { .. } => self.targets = OriginalQuirks::default().sonar_area(at),
        }
    }
}

/// The four neighbours of `at`, as far as the attack grid has no hit there.
fn unmarked_around(view: &View, at: Cell) -> CellSet {
    let neighbours = [(-1, 0), (0, -1), (0, 1), (1, 0)];
    neighbours
        .into_iter()
        .filter_map(|(rows, columns)| at.offset(rows, columns))
        .filter(|cell| view.marks().mark(*cell) != Some(TwistMark::Hit))
        .collect()
}

impl TwistBot for TwistMediocre {
    fn new_game(&mut self, seed: u64) {
        *self = TwistMediocre {
            rng: SeededRng::new(seed),
            ..TwistMediocre::default()
        };
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.log.place(random_placements(&mut self.rng))
    }

    fn act(&mut self) -> Order {
        // A player without units has lost, so no referee asks it. Any order would be refused.
        let nowhere = (
            UnitId::ALL[0],
            Cell::all().next().expect("the grid has cells"),
        );
        let (unit, target) = self.choose().unwrap_or(nowhere);
        self.log.order(unit, target)
    }

    fn act_result(&mut self, order: Order, result: &OrderResult) {
        if let Some(at) = self.log.record(order, result) {
            self.note(at, result);
        }
    }

    fn opponent_fired(&mut self, at: Point) {
        self.log.record_shot(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> TwistMediocre {
        let mut player = TwistMediocre::default();
        player.new_game(1);
        player.place_units().unwrap();
        player
    }

    /// The next order that a unit of `kind` is given.
    fn order_to(player: &mut TwistMediocre, kind: UnitKind) -> (UnitId, Cell) {
        let mut orders = (0..10_000).filter_map(|_| player.choose());
        orders.find(|(unit, _)| unit.kind() == kind).unwrap()
    }

    fn cells(names: &str) -> CellSet {
        names
            .split(' ')
            .map(|name| name.parse::<Cell>().unwrap())
            .collect()
    }

    fn fired(player: &mut TwistMediocre, at: &str, result: &OrderResult) {
        let battleship = UnitId::ALL[0];
        let order = player.log.order(battleship, at.parse().unwrap());
        player.act_result(order, result);
    }

    #[test]
    fn a_hit_puts_its_neighbours_on_the_list() {
        let mut player = player();
        fired(&mut player, "D5", &OrderResult::Miss);
        assert_eq!(player.targets, CellSet::EMPTY);
        fired(&mut player, "A1", &OrderResult::Hit);
        assert_eq!(player.targets, cells("A2 B1"));
        fired(&mut player, "B1", &OrderResult::Hit);
        assert_eq!(player.targets, cells("A2 B1 B2 C1"));
        // The miss at D5 does not mean that it is left out.
        fired(&mut player, "D6", &OrderResult::Hit);
        assert_eq!(player.targets, cells("A2 B1 B2 C1 C6 D5 D7 E6"));
    }

    #[test]
    fn the_first_of_the_list_is_fired_at() {
        let mut player = player();
        fired(&mut player, "D6", &OrderResult::Hit);
        for target in ["C6", "D5", "D7", "E6"] {
            let (_, at) = order_to(&mut player, UnitKind::Battleship);
            assert_eq!(at.to_string(), target);
        }
        assert!(player.targets.is_empty());
        let next = [(); 40].map(|()| order_to(&mut player, UnitKind::Battleship).1);
        assert!(
            next.into_iter().collect::<CellSet>().len() > 20,
            "then it fires anywhere"
        );
    }

    #[test]
    fn a_search_makes_the_list_anew() {
        let mut player = player();
        fired(&mut player, "N12", &OrderResult::Hit);
        let (unit, target) = order_to(&mut player, UnitKind::Submarine);
        let nothing = OrderResult::Found {
            whole: CellSet::EMPTY,
            damaged: CellSet::EMPTY,
        };
        player.act_result(player.log.order(unit, target), &nothing);
        assert_eq!(player.targets, CellSet::around(target, 2));
    }

    #[test]
    fn units_act_by_their_number_of_cells() {
        let mut player = player();
        let mut acts = [0_u32; 8];
        for _ in 0..26_000 {
            acts[player.choose().unwrap().0.index()] += 1;
        }
        for unit in UnitId::ALL {
            // Six standard deviations of a binomial count (n = 26,000, p = 5/26) are 382.
            let expected = 1000 * u32::from(unit.kind().size());
            assert!(acts[unit.index()].abs_diff(expected) < 382, "{acts:?}");
        }
    }
}
