//! The places that the ships of a game can have.

use std::cmp::Reverse;
use std::collections::HashMap;

use battleship::{CellSet, Direction, Game, Placement, Point};

use super::cells::real;
use crate::fleet::all_placements;

/// A place of a ship, as an index into the places of its kind. The largest board has 180 places for
/// ships of one length.
pub(super) type PlaceIndex = u8;

/// Ships of one length, which differ in their names only.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) length: i32,
    /// By place: its first cell, and its direction.
    pub(super) starts: Vec<Placement>,
    /// By place: its cells, as bits of a [`CellSet`].
    pub(super) cells: Vec<u128>,
    /// By place: the cells that no other ship may have by the rules: its own, and those around it
    /// where ships may not touch.
    pub(super) room: Vec<u128>,
    /// By place: the other cells of the board that share a side with it.
    pub(super) beside: Vec<u128>,
    /// By place: the other cells of the board that share a side or a corner with it.
    pub(super) around: Vec<u128>,
    /// By the cells of a place: which it is.
    numbers: HashMap<u128, PlaceIndex>,
}

/// The ships, and their possible places on the blank board.
#[derive(Clone, Debug)]
pub(super) struct Yard {
    pub(super) kinds: Vec<Kind>,
    /// By ship id: the index of its kind.
    pub(super) ships: Vec<usize>,
}

impl Yard {
    pub(super) fn new(game: &Game) -> Yard {
        let mut yard = Yard {
            kinds: Vec::new(),
            ships: Vec::new(),
        };
        for ship in game.ships() {
            let known = yard
                .kinds
                .iter()
                .position(|kind| kind.length == ship.length);
            yard.ships.push(known.unwrap_or(yard.kinds.len()));
            if known.is_none() {
                yard.kinds.push(Kind::new(game, ship.length));
            }
        }
        yard
    }

    pub(super) fn kind_of(&self, ship: usize) -> &Kind {
        &self.kinds[self.ships[ship]]
    }

    /// The ships, the longest first: they are the most likely not to fit.
    pub(super) fn longest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.ships.len()).collect();
        order.sort_by_key(|ship| Reverse(self.kind_of(*ship).length));
        order
    }

    /// The number of ways to place the ships anywhere, also on each other.
    pub(super) fn ways(&self) -> f64 {
        self.ships
            .iter()
            .map(|kind| real(self.kinds[*kind].len()))
            .product()
    }

    /// The cells of a fleet, given as the places of its ships by id.
    pub(super) fn cells_of(&self, fleet: &[PlaceIndex]) -> u128 {
        fleet
            .iter()
            .enumerate()
            .fold(0, |all, (ship, place)| all | self.cells(ship, *place))
    }

    /// The cells of a ship at a place.
    pub(super) fn cells(&self, ship: usize, place: PlaceIndex) -> u128 {
        self.kind_of(ship).cells[usize::from(place)]
    }

    /// The cells that no other ship may have if that ship is at that place.
    pub(super) fn room(&self, ship: usize, place: PlaceIndex) -> u128 {
        self.kind_of(ship).room[usize::from(place)]
    }
}

impl Kind {
    fn new(game: &Game, length: i32) -> Kind {
        let mut starts = all_placements(game, length);
        // A ship of one cell lies the same both ways.
        starts.retain(|start| length > 1 || start.direction == Direction::Horizontal);
        let board = game.cells().bits();
        let of = |start: &Placement| cells_from(*start, length).unwrap_or(0);
        let cells: Vec<u128> = starts.iter().map(of).collect();
        let of = |cells: &u128| CellSet::from_bits(*cells);
        let room = |cells: &u128| {
            if game.apart() {
                of(cells).with_corners().bits()
            } else {
                *cells
            }
        };
        let beside = |cells: &u128| of(cells).with_sides().bits() & board & !cells;
        let around = |cells: &u128| of(cells).with_corners().bits() & board & !cells;
        Kind {
            length,
            starts,
            room: cells.iter().map(room).collect(),
            beside: cells.iter().map(beside).collect(),
            around: cells.iter().map(around).collect(),
            numbers: cells.iter().copied().zip(0..).collect(),
            cells,
        }
    }

    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn place_at(&self, start: Placement) -> Option<PlaceIndex> {
        self.numbers.get(&cells_from(start, self.length)?).copied()
    }

    /// By place: those that a reflection or rotation of the board takes to it, with itself; some
    /// more than once.
    pub(super) fn mirrored(&self, game: &Game) -> Vec<Vec<PlaceIndex>> {
        let rows = game.rows();
        let cols = game.cols();
        let image = |point: Point, way: usize| {
            let row = if way & 1 == 0 {
                point.row
            } else {
                rows - 1 - point.row
            };
            let col = if way & 2 == 0 {
                point.col
            } else {
                cols - 1 - point.col
            };
            if way & 4 == 0 {
                Point::new(row, col)
            } else {
                Point::new(col, row)
            }
        };
        let ways = if rows == cols { 8 } else { 4 };
        let images = |cells: &u128| {
            let cells = CellSet::from_bits(*cells);
            let image = |way| {
                cells
                    .iter()
                    .map(|point| image(point, way))
                    .collect::<CellSet>()
            };
            (0..ways)
                .filter_map(|way| self.numbers.get(&image(way).bits()).copied())
                .collect()
        };
        self.cells.iter().map(images).collect()
    }
}

fn cells_from(start: Placement, length: i32) -> Option<u128> {
    CellSet::line(start.top_or_left, start.direction, length).map(CellSet::bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_on_the_board() {
        let mut game = Game::new(3, 4).unwrap();
        game.add_ship(2, 'R', "rowboat").unwrap();
        let yard = Yard::new(&game);
        let kind = yard.kind_of(0);
        let at = |row, col, direction| {
            let top_or_left = Point::new(row, col);
            let place = kind
                .place_at(Placement {
                    top_or_left,
                    direction,
                })
                .unwrap();
            let neighbours = [&kind.beside, &kind.around];
            neighbours.map(|cells| CellSet::from_bits(cells[usize::from(place)]).len())
        };
        assert_eq!(kind.len(), 17);
        // In the corner, on the edge, and in the middle of a narrow board.
        assert_eq!(at(0, 0, Direction::Horizontal), [3, 4]);
        assert_eq!(at(0, 3, Direction::Vertical), [3, 4]);
        assert_eq!(at(1, 1, Direction::Horizontal), [6, 10]);
        assert_eq!(at(2, 1, Direction::Horizontal), [4, 6]);
    }
}
