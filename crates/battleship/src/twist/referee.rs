//! The twist game for its referee: over the wire, to look at, and in the words of a transcript.

use super::{
    Cell, CellSet, Fleet, OriginalQuirks, ROW_LETTERS, SIZE, State, TwistMark, UNITS, Unit, UnitId,
    UnitKind, cell_name,
};
use crate::in_play::{Actor, GameInPlay, GameRules, People, Preview};
use crate::protocol::{Order, OrderResult, Reply, Request};
use crate::scene::{Eyes, Grid, Health, Hull, Mark, MarkKind, Scene};
use crate::{BySide, Placement, Point, Ruleset, ShipType, Side, Turn};

/// The number of cells of a grid.
const CELLS: usize = SIZE as usize * SIZE as usize;

/// The rules of the twist game, which has always the same grid and units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twist;

impl GameRules for Twist {
    fn ruleset(&self) -> Ruleset {
        Ruleset::Twist
    }

    fn size(&self) -> [i32; 2] {
        [SIZE.into(); 2]
    }

    fn ships(&self) -> Vec<ShipType> {
        UnitId::ALL.iter().map(|unit| ship_type(*unit)).collect()
    }

    fn draws_first_mover(&self) -> bool {
        true
    }

    /// Half of the original's 200 single turns.
    fn usual_max_turns(&self) -> u32 {
        super::ORIGINAL_TURN_LIMIT / 2
    }

    fn expected_placement(&self) -> String {
        format!("\"place ROW COL h|v ...\" ({UNITS} units) or \"place none\"")
    }

    fn cannot_place(&self) -> &'static str {
        "could not place its units"
    }

    fn turn_request(&self) -> Request {
        Request::Act
    }

    fn expected_turn(&self) -> &'static str {
        "\"act ROW COL ROW COL\""
    }

    fn undecided(&self, max_turns: u32) -> String {
        format!("neither player sank the other's units in {max_turns} turns each")
    }

    fn in_short(&self) -> String {
        format!("{SIZE}x{SIZE} with a twist")
    }

    fn line_names(&self) -> [Vec<String>; 2] {
        let cols = (1..=SIZE).map(|col| col.to_string());
        [ROW_LETTERS.map(String::from).to_vec(), cols.collect()]
    }

    /// As the original writes it: `B7`.
    fn cell_name(&self, at: Point) -> String {
        cell_name(at)
    }

    fn turn_names_ship(&self) -> bool {
        true
    }

    fn reply_with(&self, cells: &[Point]) -> Option<Reply> {
        let [origin, target] = *cells else {
            return None;
        };
        Some(Reply::Act(Order { origin, target }))
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "A battleship (C) fires. A support ship (S) moves and repairs the",
            "units around it. A submarine (E) moves and searches 5x5 cells.",
            "X hit, Y seen by sonar; small letters are older than 4 turns.",
        ]
    }

    fn deed(&self, turn: &Turn, _whose: &str, openly: bool) -> String {
        let Turn::Order { order, result } = turn else {
            return String::new();
        };
        let (from, to) = (cell_name(order.origin), cell_name(order.target));
        match result {
            OrderResult::Hit if openly => format!("fired from {from} at {to}: a hit."),
            OrderResult::Miss if openly => format!("fired from {from} at {to}: a miss."),
            OrderResult::Hit => format!("fired at {to}: a hit."),
            OrderResult::Miss => format!("fired at {to}: a miss."),
            _ if !openly => "did not fire.".to_owned(),
            OrderResult::Repaired(units) => match units.len() {
                0 => format!("moved a support ship from {from} to {to}."),
                1 => format!("moved a support ship from {from} to {to}; it repaired a unit."),
                count => {
                    format!("moved a support ship from {from} to {to}; it repaired {count} units.")
                }
            },
            OrderResult::Found { whole, damaged } => match whole.len() + damaged.len() {
                0 => format!("moved a submarine from {from} to {to}; it found nothing."),
                1 => format!("moved a submarine from {from} to {to}; it found a cell of a unit."),
                count => {
                    format!(
                        "moved a submarine from {from} to {to}; it found {count} cells of units."
                    )
                }
            },
            OrderResult::Refused(why) => format!("lost a turn: {why}."),
        }
    }

    fn begin(&self) -> Box<dyn GameInPlay + '_> {
        Box::new(InPlay::new(OriginalQuirks::default()))
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
struct InPlay {
    quirks: OriginalQuirks,
    /// The fleets before the start.
    placed: BySide<Option<Fleet>>,
    /// The game from its start on.
    state: Option<State>,
    /// The number of turns that each player has had.
    turns: BySide<usize>,
    /// In which of its turns each player learned something about each cell of the other's grid that its own grid keeps.
    learned: BySide<[Option<usize>; CELLS]>,
}

impl GameInPlay for InPlay {
    fn rules(&self) -> &dyn GameRules {
        &Twist
    }

    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String> {
        self.placed[side] = Some(Fleet::new(ships).map_err(|faults| faults.to_string())?);
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

    fn play(&mut self, reply: &Reply) -> Option<Turn> {
        let Reply::Act(order) = *reply else {
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
            self.learned[mover][index(cell)] = Some(self.turns[mover]);
        }
        self.turns[mover] += 1;
        Some(Turn::Order { order, result })
    }

    fn winner(&self) -> Option<Side> {
        self.state.as_ref()?.winner()
    }

    fn fleets(&self) -> BySide<Option<Vec<Placement>>> {
        let placements = |fleet: &Fleet| fleet.units().iter().map(Unit::placement).collect();
        BySide::from_fn(|side| {
            self.state
                .as_ref()
                .map(|state| placements(state.fleet(side)))
        })
    }

    fn actors(&self, side: Side) -> Vec<Actor> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        let fleet = state.fleet(side);
        let actor = |unit: &Unit| {
            let targets = match unit.kind() {
                UnitKind::Battleship => None,
                UnitKind::Support | UnitKind::Submarine => Some(
                    fleet
                        .destinations(unit.id())
                        .iter()
                        .map(Point::from)
                        .collect(),
                ),
            };
            Actor {
                ship: unit.id().index(),
                at: unit.centre().into(),
                targets,
            }
        };
        fleet.afloat().map(actor).collect()
    }

    fn preview(&self, side: Side, ship: usize, target: Point) -> Preview {
        let unit = UnitId::ALL.get(ship);
        let (Some(state), Some(id), Some(there)) = (&self.state, unit, Cell::at(target)) else {
            return Preview::default();
        };
        let (fleet, kind) = (state.fleet(side), id.kind());
        let unit = fleet.unit(*id);
        let from = unit.centre();
        if kind == UnitKind::Battleship {
            let words = format!("The battleship at {from} fires at {there}");
            return Preview {
                words,
                ..Preview::default()
            };
        }
        let points = |cells: CellSet| cells.iter().map(Point::from).collect();
        let destinations = fleet.destinations(*id);
        let outline = points(
            unit.moved(there)
                .map_or(there.into(), |moved| moved.cells()),
        );
        let forbidden = !destinations.contains(there);
        let (own, theirs, words);
        if kind == UnitKind::Submarine {
            (own, theirs) = (
                points(destinations),
                points(state.quirks().sonar_area(there)),
            );
            words = format!("The submarine at {from} moves to {there} and searches around it");
        } else {
            let area = CellSet::around(there, 1);
            (own, theirs) = (points(area), Vec::new());
            let others = fleet.afloat().filter(|one| one.id() != *id);
            let near = others.filter(|one| !(one.cells() & area).is_empty());
            let repairs = match near.filter(|one| !one.damaged().is_empty()).count() {
                0 => "repairs nothing".to_owned(),
                1 => "repairs 1 unit".to_owned(),
                count => format!("repairs {count} units"),
            };
            words = format!("The support ship at {from} moves to {there} and {repairs}");
        }
        Preview {
            outline,
            forbidden,
            own,
            theirs,
            words,
        }
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

    fn scene(&self, eyes: Eyes) -> Scene {
        let remark = |side| {
            let afloat = self
                .state
                .as_ref()
                .map_or(0, |state| state.fleet(side).afloat().count());
            format!("{afloat} of {UNITS} units afloat")
        };
        let waters = BySide::from_fn(|side| match &self.state {
            None => Grid {
                hulls: Vec::new(),
                marks: vec![None; CELLS],
            },
            Some(state) if eyes.see(side) => own_grid(state.fleet(side)),
            Some(_) => self.noted(side.other()),
        });
        let notes = (eyes == Eyes::Judge).then(|| BySide::from_fn(|side| self.noted(side)));
        let ships = BySide::from_fn(|side| self.health(side, eyes));
        Scene {
            waters,
            notes,
            ships,
            remarks: BySide::from_fn(remark),
            ships_move: true,
        }
    }

    fn before_turn(&self, mover: Side, people: &People<'_>) -> String {
        match &self.state {
            Some(state) if people.human[mover] => super::show(state.view(mover)).to_string(),
            Some(_) | None => String::new(),
        }
    }

    fn after_turn(&self, mover: Side, turn: &Turn, people: &People<'_>) -> String {
        let (Some(state), Turn::Order { order, result }) = (&self.state, turn) else {
            return String::new();
        };
        let name = &people.names[mover];
        // A person at the table does not get to see what its opponent does.
        if people.human[mover.other()] && !people.human[mover] {
            return format!("{}\n", told_to_opponent(name, *order, result));
        }
        let grids = super::show(state.view(mover)).headed(mover);
        format!("{}\n{grids}", told_openly(name, *order, result))
    }
}

/// Returns a game of these fleets in play, in which `starter` has the first turn.
#[must_use]
pub fn in_play(
    fleets: BySide<Fleet>,
    starter: Side,
    quirks: OriginalQuirks,
) -> Box<dyn GameInPlay> {
    let state = Some(State::new(fleets, starter, quirks));
    Box::new(InPlay {
        state,
        ..InPlay::new(quirks)
    })
}

impl InPlay {
    fn new(quirks: OriginalQuirks) -> InPlay {
        let learned = BySide::from_fn(|_| [None; CELLS]);
        let (placed, turns) = (BySide::default(), BySide::default());
        InPlay {
            quirks,
            placed,
            state: None,
            turns,
            learned,
        }
    }

    /// Returns what the player on `side` has noted about the other's grid.
    fn noted(&self, side: Side) -> Grid {
        let Some(state) = &self.state else {
            return Grid::default();
        };
        let known = state.view(side).attack();
        let mark = |cell| {
            let kind = match known.mark(cell)? {
                TwistMark::Hit => MarkKind::Hit,
                TwistMark::Miss => MarkKind::Miss,
                TwistMark::Sonar => MarkKind::Seen,
            };
            let learned = self.learned[side][index(cell)];
            let age = learned.map_or(0, |turn| self.turns[side] - 1 - turn);
            let age = u8::try_from(age).unwrap_or(u8::MAX);
            Some(Mark { kind, age })
        };
        Grid {
            hulls: Vec::new(),
            marks: Cell::all().map(mark).collect(),
        }
    }

    /// Returns how units are. A player is not told which of the other's float.
    fn health(&self, side: Side, eyes: Eyes) -> Vec<Health> {
        let Some(state) = self.state.as_ref().filter(|_| eyes.see(side)) else {
            return vec![Health::Afloat(0); UNITS];
        };
        let health = |unit: &Unit| {
            let hits = unit.kind().size() - unit.undamaged();
            if unit.is_sunk() {
                Health::Sunk
            } else {
                Health::Afloat(hits.into())
            }
        };
        state.fleet(side).units().iter().map(health).collect()
    }
}

/// Returns a player's own grid. Sunk units have left it.
fn own_grid(fleet: &Fleet) -> Grid {
    let hull = |unit: &Unit| {
        (!unit.is_sunk())
            .then(|| Hull::new(&ship_type(unit.id()), unit.placement()))
            .flatten()
    };
    let damaged = fleet.damaged();
    let mark = |cell| damaged.contains(cell).then_some(MarkKind::Hit.into());
    Grid {
        hulls: fleet.units().iter().map(hull).collect(),
        marks: Cell::all().map(mark).collect(),
    }
}

/// Returns the place of a cell, row by row.
fn index(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(SIZE) + usize::from(cell.column())
}

/// Returns what the player called `name` has done, for viewers who may see everything.
fn told_openly(name: &str, order: Order, result: &OrderResult) -> String {
    let (from, to) = (cell_name(order.origin), cell_name(order.target));
    match result {
        OrderResult::Hit => format!("{name} fires from {from} at {to}: hit"),
        OrderResult::Miss => format!("{name} fires from {from} at {to}: miss"),
        OrderResult::Repaired(units) => {
            let count = units.len();
            let units = if count == 1 { "unit" } else { "units" };
            format!("{name} moves a support ship from {from} to {to}: {count} {units} repaired")
        }
        OrderResult::Found { whole, damaged } => {
            let count = whole.len() + damaged.len();
            let cells = if count == 1 { "cell" } else { "cells" };
            format!(
                "{name} moves a submarine from {from} to {to}: {count} {cells} with units found"
            )
        }
        OrderResult::Refused(why) => format!("{name} orders {from} {to}: refused, {why}"),
    }
}

/// Returns the same for its opponent, who learns of shots only.
fn told_to_opponent(name: &str, order: Order, result: &OrderResult) -> String {
    match result {
        OrderResult::Hit => format!("{name} fires at {}: hit", cell_name(order.target)),
        OrderResult::Miss => format!("{name} fires at {}: miss", cell_name(order.target)),
        OrderResult::Repaired(_) | OrderResult::Found { .. } | OrderResult::Refused(_) => {
            format!("{name} does not fire")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;

    #[test]
    fn a_turn_is_told_openly_or_secretly() {
        let order = |to_row| Order {
            origin: Point::new(2, 2),
            target: Point::new(to_row, 11),
        };
        let moved = OrderResult::Repaired([UnitId::ALL[0]].into_iter().collect());
        assert_eq!(
            told_openly("P", order(9), &OrderResult::Hit),
            "P fires from C3 at L12: hit"
        );
        assert_eq!(
            told_openly("P", order(11), &moved),
            "P moves a support ship from C3 to N12: 1 unit repaired"
        );
        let why = OrderResult::Refused("there is no room".to_owned());
        assert_eq!(
            told_openly("P", order(12), &why),
            "P orders C3 (12,11): refused, there is no room"
        );
        assert_eq!(
            told_to_opponent("P", order(0), &OrderResult::Miss),
            "P fires at A12: miss"
        );
        assert_eq!(told_to_opponent("P", order(0), &moved), "P does not fire");
    }

    /// A game of two fleets at the left, in which battleships are at A1 and E1 and a support ship is at G1.
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
        let (origin, target) = (Point::new(0, 2), Point::new(row, col));
        game.play(&Reply::Act(Order { origin, target })).unwrap();
    }

    #[test]
    fn a_mark_ages_by_its_players_turns() {
        let mut game = begun();
        for (turn, age) in (0..).zip([0, 0, 1, 1, 2, 2]) {
            fire(&mut *game, turn, 11);
            let seen = game.scene(Eyes::Player(Side::One));
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
