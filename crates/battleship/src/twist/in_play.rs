//! The twist game in play: over the wire, to look at, and in the words of a transcript.

use super::{
    Cell, CellSet, Fleet, OriginalQuirks, SIZE, State, TwistMark, UNITS, Unit, UnitId, UnitKind,
    show, show_headed,
};
use crate::in_play::{Actor, GameInPlay, Moment, People, Preview};
use crate::labels::Labels;
use crate::protocol::{OrderResult, Reply, Request};
use crate::scene::{Grid, Mark, MarkKind, Scene, ShipShape, ShipState, Viewer};
use crate::{BySide, Description, Placement, Point, Ruleset, ShipType, Side, Step, Turn, in_words};

/// The number of cells of a grid.
const CELLS: usize = SIZE as usize * SIZE as usize;

/// Returns the constants of the twist game, which has always the same grid and units.
pub(crate) fn describe() -> Description {
    Description {
        name: Ruleset::Twist,
        size: [SIZE.into(); 2],
        ships: UnitId::ALL.iter().map(|unit| ship_type(*unit)).collect(),
        labels: Labels::Italian,
        turn_word: "turn",
        ship_word: "unit",
        names_ship: true,
        draws_first_mover: true,
        // Half of the original's single turns.
        max_turns: super::ORIGINAL_TURN_LIMIT / 2,
        summary: format!("{SIZE}x{SIZE} with a twist"),
        hints: &[
            "A battleship (C) fires. A support ship (S) moves and repairs the",
            "units around it. A submarine (E) moves and searches 5x5 cells.",
            "X hit, Y seen by sonar; small letters are older than 4 turns.",
        ],
    }
}

fn ship_type(unit: UnitId) -> ShipType {
    let kind = unit.kind();
    ShipType {
        length: kind.size().into(),
        symbol: kind.letter(),
        name: kind.name().to_owned(),
    }
}

/// A twist game in play.
#[derive(Debug)]
pub(crate) struct TwistInPlay {
    quirks: OriginalQuirks,
    /// The fleets before the start.
    placed: BySide<Option<Fleet>>,
    /// The game from its start on.
    state: Option<State>,
    /// The number of turns that each player has had.
    turns: BySide<usize>,
    /// The number of the turn in which each player learned its mark of each cell of the other's
    /// grid.
    learned: BySide<[usize; CELLS]>,
}

impl GameInPlay for TwistInPlay {
    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String> {
        self.placed[side] = Some(Fleet::new(ships)?);
        Ok(())
    }

    fn start(&mut self, first: Side) {
        // A recorded game may have ended before both had placed their units.
        if let BySide {
            one: Some(one),
            two: Some(two),
        } = std::mem::take(&mut self.placed)
        {
            self.state = Some(State::new(BySide { one, two }, first, self.quirks));
        }
    }

    fn mover(&self) -> Option<Side> {
        self.state.as_ref()?.turn()
    }

    fn request(&self) -> Request {
        Request::Act
    }

    fn play(&mut self, step: Step) -> Option<Turn> {
        let Step::Order(order) = step else {
            return None;
        };
        let state = self.state.as_mut()?;
        let mover = state.turn()?;
        let result = state.play(order);
        let learned = match &result {
            OrderResult::Hit | OrderResult::Miss => Cell::at(order.target).into_iter().collect(),
            OrderResult::Found { whole, damaged } => *whole | *damaged,
            OrderResult::Repaired(_) | OrderResult::Refused(_) => CellSet::EMPTY,
        };
        for cell in learned {
            self.learned[mover][index(cell)] = self.turns[mover];
        }
        self.turns[mover] += 1;
        Some(Turn::Order { order, result })
    }

    fn winner(&self) -> Option<Side> {
        self.state.as_ref()?.winner()
    }

    fn fleets(&self) -> BySide<Option<Vec<Placement>>> {
        BySide::from_fn(|side| {
            let units = self.fleet(side)?.units();
            Some(units.iter().map(Unit::placement).collect())
        })
    }

    fn actors(&self, side: Side) -> Vec<Actor> {
        let Some(fleet) = self.fleet(side) else {
            return Vec::new();
        };
        fleet
            .afloat()
            .map(|unit| Actor {
                ship: unit.id().index(),
                at: unit.centre().into(),
                targets: (unit.kind() != UnitKind::Battleship)
                    .then(|| points(fleet.destinations(unit.id()))),
            })
            .collect()
    }

    fn preview(&self, side: Side, ship: usize, target: Point) -> Preview {
        let mut preview = Preview::default();
        let fleet = self.fleet(side);
        let id = UnitId::ALL.get(ship);
        let (Some(fleet), Some(id), Some(there)) = (fleet, id, Cell::at(target)) else {
            return preview;
        };
        let unit = fleet.unit(*id);
        let from = unit.centre();
        if unit.kind() == UnitKind::Battleship {
            preview.words = format!("The battleship at {from} fires at {there}");
            return preview;
        }
        let destinations = fleet.destinations(*id);
        let moved = unit.moved(there);
        preview.outline = points(moved.map_or(there.into(), |moved| moved.cells()));
        preview.forbidden = !destinations.contains(there);
        if unit.kind() == UnitKind::Submarine {
            preview.own = points(destinations);
            preview.theirs = points(self.quirks.sonar_area(there));
            preview.words =
                format!("The submarine at {from} moves to {there} and searches around it");
            return preview;
        }
        let area = CellSet::around(there, 1);
        preview.own = points(area);
        let others = fleet.afloat().filter(|one| one.id() != *id);
        let repaired = match others
            .filter(|one| !(one.cells() & area).is_empty() && !one.damaged().is_empty())
            .count()
        {
            0 => "nothing".to_owned(),
            1 => "1 unit".to_owned(),
            count => format!("{count} units"),
        };
        preview.words =
            format!("The support ship at {from} moves to {there} and repairs {repaired}");
        preview
    }

    fn refusal(&self, side: Side, reply: &Reply) -> Option<String> {
        let Reply::Act(order) = reply else {
            return Some("The question is for an order.".to_owned());
        };
        let checked = self.state.as_ref()?.view(side).check(*order);
        checked
            .err()
            .map(|why| format!("That is not possible: {why}."))
    }

    fn scene(&self, viewer: Viewer) -> Scene {
        let waters = |side: Side| match self.fleet(side) {
            None => Grid {
                hulls: Vec::new(),
                marks: vec![None; CELLS],
            },
            Some(fleet) if viewer.sees(side) => own_grid(fleet),
            Some(_) => self.noted(side.other()),
        };
        // A player is not told which of the other's units float.
        let ships = |side| match self.fleet(side).filter(|_| viewer.sees(side)) {
            None => vec![ShipState::Afloat(0); UNITS],
            Some(fleet) => fleet.units().iter().map(state_of).collect(),
        };
        Scene {
            waters: BySide::from_fn(waters),
            notes: (viewer == Viewer::Judge).then(|| BySide::from_fn(|side| self.noted(side))),
            ships: BySide::from_fn(ships),
            remarks: BySide::from_fn(|side| {
                let afloat = self.fleet(side).map_or(0, |fleet| fleet.afloat().count());
                format!("{afloat} of {UNITS} units afloat")
            }),
            ships_move: true,
        }
    }

    fn transcript(&self, moment: Moment<'_>, people: &People<'_>) -> String {
        let Some(state) = &self.state else {
            return String::new();
        };
        let People { names, human } = people;
        match moment {
            Moment::Before(mover) if human[mover] => show(state.view(mover)),
            Moment::Before(_) | Moment::Won(_) => String::new(),
            // A person at the table does not get to see what its opponent does.
            Moment::After(mover, turn) if human[mover.other()] && !human[mover] => {
                let viewer = Viewer::Player(mover.other());
                let sentence = turn.sentence(mover, viewer);
                in_words(&sentence, names, viewer, &describe()) + "\n"
            }
            Moment::After(mover, turn) => {
                let sentence = turn.sentence(mover, Viewer::Judge);
                let said = in_words(&sentence, names, Viewer::Judge, &describe());
                format!("{said}\n{}", show_headed(state.view(mover), mover))
            }
        }
    }
}

/// Returns a game of these fleets in play, in which `starter` has the first turn.
pub fn in_play(
    fleets: BySide<Fleet>,
    starter: Side,
    quirks: OriginalQuirks,
) -> Box<dyn GameInPlay> {
    let state = Some(State::new(fleets, starter, quirks));
    Box::new(TwistInPlay {
        state,
        ..TwistInPlay::new(quirks)
    })
}

impl TwistInPlay {
    pub(crate) fn new(quirks: OriginalQuirks) -> TwistInPlay {
        let learned = BySide::from_fn(|_| [0; CELLS]);
        let placed = BySide::default();
        let turns = BySide::default();
        TwistInPlay {
            quirks,
            placed,
            state: None,
            turns,
            learned,
        }
    }

    /// Returns the marks of the player on `side` on the other's grid.
    fn noted(&self, side: Side) -> Grid {
        let Some(state) = &self.state else {
            return Grid::default();
        };
        let known = state.view(side).marks();
        Grid {
            hulls: Vec::new(),
            marks: Cell::all()
                .map(|cell| {
                    let kind = match known.mark(cell)? {
                        TwistMark::Hit => MarkKind::Hit,
                        TwistMark::Miss => MarkKind::Miss,
                        TwistMark::Sonar => MarkKind::Seen,
                    };
                    let age = self.turns[side] - 1 - self.learned[side][index(cell)];
                    let age = u8::try_from(age).unwrap_or(u8::MAX);
                    Some(Mark { kind, age })
                })
                .collect(),
        }
    }

    /// Returns a player's fleet, once the game has started.
    fn fleet(&self, side: Side) -> Option<&Fleet> {
        Some(self.state.as_ref()?.fleet(side))
    }
}

fn points(cells: CellSet) -> Vec<Point> {
    cells.iter().map(Point::from).collect()
}

fn state_of(unit: &Unit) -> ShipState {
    if unit.is_sunk() {
        ShipState::Sunk
    } else {
        ShipState::Afloat(unit.damaged().len())
    }
}

/// Returns a player's own grid. Sunk units have left it.
fn own_grid(fleet: &Fleet) -> Grid {
    let damaged = fleet.damaged();
    Grid {
        hulls: fleet
            .units()
            .iter()
            .map(|unit| {
                (!unit.is_sunk())
                    .then(|| ShipShape::new(&ship_type(unit.id()), unit.placement()))
                    .flatten()
            })
            .collect(),
        marks: Cell::all()
            .map(|cell| damaged.contains(cell).then_some(MarkKind::Hit.into()))
            .collect(),
    }
}

/// Returns the place of a cell, row by row.
fn index(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(SIZE) + usize::from(cell.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use crate::protocol::Order;

    /// A game of two fleets at the left, in which battleships are at A1 and E1 and a support ship
    /// is at G1.
    fn begun() -> Box<dyn GameInPlay> {
        let row = |row| Placement {
            top_or_left: Point::new(row, 0),
            direction: Direction::Horizontal,
        };
        let fleet = Fleet::new(&[0, 2, 4, 6, 8, 9, 10, 11].map(row)).unwrap();
        let fleets = BySide::from_fn(|_| fleet.clone());
        in_play(fleets, Side::One, OriginalQuirks::default())
    }

    /// The battleship at A1 fires.
    fn fire(game: &mut dyn GameInPlay, row: i32, col: i32) {
        let origin = Point::new(0, 2);
        let target = Point::new(row, col);
        game.play(Step::Order(Order::new(origin, target))).unwrap();
    }

    #[test]
    fn a_mark_ages_by_its_players_turns() {
        let mut game = begun();
        for (turn, age) in (0..).zip([0, 0, 1, 1, 2, 2]) {
            fire(&mut *game, turn, 11);
            let seen = game.scene(Viewer::Player(Side::One));
            assert_eq!(seen.waters[Side::Two].marks[11].unwrap().age, age, "{turn}");
        }
    }

    #[test]
    fn a_preview_counts_damaged_units_next_to_it() {
        let mut game = begun();
        fire(&mut *game, 9, 9);
        fire(&mut *game, 4, 0);
        for (row, repairs) in [(6, "nothing"), (5, "1 unit")] {
            let words = game.preview(Side::One, 3, Point::new(row, 1)).words;
            assert!(words.ends_with(&format!("repairs {repairs}")), "{words}");
        }
    }
}
