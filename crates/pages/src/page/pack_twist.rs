//! Twist games packed: two bytes an order, and of the boards only what a simple forecast gets wrong.
//!
//! The script of the page makes the same forecast: a hit damages a cell, a unit that is ordered to another place moves there
//! with its damage. What else happens (repairs, units that sink) is in the page as changes of cells. So the script needs
//! none of the rules, and a game takes a third of what its boards would take.

use battleship::Point;
use battleship::protocol::{OrderResult, Sighting};

use super::frames::{CELLS, Frames, OwnGrids};
use super::pack::{cell, varint};
use super::texts::Texts;
use battleship::protocol::Order;
use battleship::{ShipType, Side, Turn};
use engine::record::{GameRecord, Placed};

const SIZE: [i32; 2] = [12, 12];

/// What a cell without anything shows.
const WATER: u8 = b'~';

/// How far the sonar of the page's forecast reaches from its centre.
const SONAR: i32 = 2;

/// An order that is none of a unit's has this bit, and four coordinates.
const WITH_COORDINATES: u8 = 0x80;

/// What an order did, in three bits.
const MISS: u8 = 0;
const HIT: u8 = 1;
const REPAIRED: u8 = 2;
const FOUND: u8 = 3;
const REFUSED: u8 = 4;
/// The sonar found what the forecast boards show around its centre.
const FOUND_AS_SHOWN: u8 = 5;

/// Packs the turns of a twist game, and what a forecast of its boards gets wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedTwist {
    pub(super) turns: Vec<u8>,
    pub(super) frames: Vec<u8>,
}

/// An order with its player and result.
struct Given<'r> {
    mover: Side,
    order: Order,
    result: &'r OrderResult,
}

/// The boards as the page forecasts them.
#[derive(Debug)]
struct Forecast {
    grids: OwnGrids,
    units: [Vec<Unit>; 2],
}

/// Where a unit is, from its first cell on.
#[derive(Clone, Copy, Debug)]
struct Unit {
    row: i32,
    col: i32,
    lies_down: bool,
    length: i32,
    /// Whether the boards still show it. A place that one had which sank may be another's later.
    afloat: bool,
}

impl PackedTwist {
    /// Packs `game`, whose boards are `frames`.
    pub(super) fn new(game: &GameRecord, frames: &Frames, texts: &mut Texts) -> PackedTwist {
        let mut packed = PackedTwist::default();
        let (Some(first), [Some(one), Some(two)]) = (frames.0.first(), &game.fleets) else {
            return packed;
        };
        let mut forecast = Forecast::new([one, two], &game.ships);
        forecast.correct(first, &mut packed.frames);
        for (played, after) in game.turns().iter().zip(&frames.0[1..]) {
            let Turn::Order { order, result } = &played.turn else { continue };
            let turn = Given { mover: played.mover, order: *order, result };
            forecast.pack(&turn, texts, &mut packed.turns);
            forecast.play(&turn);
            forecast.correct(after, &mut packed.frames);
        }
        packed
    }
}

impl Forecast {
    fn new(fleets: [&[Placed]; 2], ships: &[ShipType]) -> Forecast {
        let mut forecast = Forecast { grids: [[WATER; CELLS]; 2], units: [Vec::new(), Vec::new()] };
        for (seat, fleet) in fleets.into_iter().enumerate() {
            for (placed, ship) in fleet.iter().zip(ships) {
                let Placed { row, col, direction } = *placed;
                let (lies_down, length) = (direction == 'v', ship.length);
                let unit = Unit { row, col, lies_down, length, afloat: true };
                let letter = u8::try_from(ship.symbol).unwrap_or(b'?');
                for cell in unit.cells() {
                    forecast.grids[seat][cell] = letter;
                }
                forecast.units[seat].push(unit);
            }
        }
        forecast
    }

    /// Appends an order and what it did.
    fn pack(&self, turn: &Given<'_>, texts: &mut Texts, out: &mut Vec<u8>) {
        let Given { order, result, .. } = turn;
        let mover = turn.mover.index();
        let is_as_shown = |seen: &[(Point, Sighting)]| self.sonar(1 - mover, order.target) == seen;
        let did = match result {
            OrderResult::Miss => MISS,
            OrderResult::Hit => HIT,
            OrderResult::Repaired(_) => REPAIRED,
            OrderResult::Found(seen) if is_as_shown(seen) => FOUND_AS_SHOWN,
            OrderResult::Found(_) => FOUND,
            OrderResult::Refused(_) => REFUSED,
        };
        let unit = self.units[mover].iter().position(|unit| unit.is_at(order.origin));
        let unit = unit.and_then(|unit| u8::try_from(unit).ok()).filter(|unit| *unit < 8);
        if let (Some(unit), Some(target)) = (unit, cell_of(order.target)) {
            out.extend([unit | did << 3, target]);
        } else {
            out.push(WITH_COORDINATES | did);
            for number in [order.origin.row, order.origin.col, order.target.row, order.target.col] {
                let shifted = number.saturating_add(1).clamp(0, 255);
                out.push(u8::try_from(shifted).unwrap_or(0));
            }
        }
        match result {
            OrderResult::Repaired(units) => {
                varint(units.len() as u64, out);
                out.extend(units.iter().map(|unit| u8::try_from(*unit).unwrap_or(u8::MAX)));
            }
            OrderResult::Found(seen) if did == FOUND => {
                varint(seen.len() as u64, out);
                for (at, sighting) in seen {
                    out.push(cell_of(*at).unwrap_or(0));
                    out.push(u8::from(*sighting == Sighting::Damaged));
                }
            }
            OrderResult::Refused(why) => varint(texts.index_of(why), out),
            OrderResult::Miss | OrderResult::Hit | OrderResult::Found(_) => {}
        }
    }

    /// Returns what sonar at `centre` finds of the player on `seat`.
    fn sonar(&self, seat: usize, centre: Point) -> Vec<(Point, Sighting)> {
        let mut seen = Vec::new();
        for row in centre.row.saturating_sub(SONAR)..=centre.row.saturating_add(SONAR) {
            for col in centre.col.saturating_sub(SONAR)..=centre.col.saturating_add(SONAR) {
                let Some(cell) = cell(row, col, SIZE) else { continue };
                let sighting = match self.grids[seat][cell] {
                    WATER => continue,
                    damaged if damaged.is_ascii_lowercase() => Sighting::Damaged,
                    _ => Sighting::Whole,
                };
                seen.push((Point::new(row, col), sighting));
            }
        }
        seen
    }

    /// Forecasts what a turn changes.
    fn play(&mut self, turn: &Given<'_>) {
        let mover = turn.mover.index();
        let (origin, target) = (turn.order.origin, turn.order.target);
        match &turn.result {
            OrderResult::Hit => {
                if let Some(cell) = cell(target.row, target.col, SIZE) {
                    self.grids[1 - mover][cell].make_ascii_lowercase();
                }
            }
            OrderResult::Repaired(_) | OrderResult::Found(_) => {
                let grid = &mut self.grids[mover];
                let unit = self.units[mover].iter_mut().find(|unit| unit.is_at(origin));
                let Some(unit) = unit else { return };
                let shown: Vec<u8> = unit.cells().map(|cell| grid[cell]).collect();
                unit.cells().for_each(|cell| grid[cell] = WATER);
                unit.row += target.row - origin.row;
                unit.col += target.col - origin.col;
                for (cell, shown) in unit.cells().zip(shown) {
                    grid[cell] = shown;
                }
            }
            OrderResult::Miss | OrderResult::Refused(_) => {}
        }
    }

    /// Appends where the boards are otherwise than forecast: for each player the number of cells, and of each cell its
    /// number and what it shows.
    fn correct(&mut self, boards: &OwnGrids, out: &mut Vec<u8>) {
        for (grid, board) in self.grids.iter_mut().zip(boards) {
            let mut changes = Vec::new();
            for ((number, shown), now) in (0_u8..).zip(grid).zip(board) {
                if *shown != *now {
                    *shown = *now;
                    changes.extend([number, *now]);
                }
            }
            varint(changes.len() as u64 / 2, out);
            out.extend(changes);
        }
        for (units, grid) in self.units.iter_mut().zip(&self.grids) {
            for unit in units {
                let centre = unit.centre();
                let shown = cell(centre.row, centre.col, SIZE).map(|cell| grid[cell]);
                unit.afloat &= shown.is_some_and(|shown| shown != WATER);
            }
        }
    }
}

impl Unit {
    /// Returns its cells on the grid, from the first on.
    fn cells(self) -> impl Iterator<Item = usize> {
        let Unit { row, col, lies_down, length, .. } = self;
        let (down, right) = if lies_down { (1, 0) } else { (0, 1) };
        (0..length).filter_map(move |step| cell(row + down * step, col + right * step, SIZE))
    }

    /// Returns whether it is ordered by this cell.
    fn is_at(&self, origin: Point) -> bool {
        self.afloat && self.centre() == origin
    }

    /// Returns the cell by which it is ordered.
    fn centre(self) -> Point {
        let half = self.length / 2;
        let (down, right) = if self.lies_down { (half, 0) } else { (0, half) };
        Point::new(self.row + down, self.col + right)
    }
}

fn cell_of(point: Point) -> Option<u8> {
    cell(point.row, point.col, SIZE).and_then(|cell| u8::try_from(cell).ok())
}
