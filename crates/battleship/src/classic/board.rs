//! One player's board: its ships, and the opponent's attacks.

use std::fmt;

use thiserror::Error;
use wire::line::{MalformedLine, Words};

use super::{CellSet, Direction, Game, Point, ShipId};
use crate::Labels;
use crate::drawing::draw;
use crate::seeded::SeededRng;

/// The place of a ship: its topmost or leftmost cell, and its direction from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Placement {
    /// The topmost cell of a vertical ship, the leftmost of a horizontal one.
    #[serde(flatten)]
    pub top_or_left: Point,
    /// The direction in which the ship extends.
    pub direction: Direction,
}

/// The result of an attack, as its player hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttackResult {
    /// The shot fell into the water.
    Miss,
    /// A ship was hit and is still afloat.
    Hit,
    /// The last undamaged segment of the ship with this id was hit.
    Sunk(ShipId),
    /// The point lies outside the board or had been attacked before; the turn is lost.
    Wasted,
}

impl AttackResult {
    /// Returns whether a ship was hit, sunk or not.
    pub const fn is_hit(self) -> bool {
        matches!(self, AttackResult::Hit | AttackResult::Sunk(_))
    }

    pub(crate) fn parse(words: &mut Words<'_>) -> Result<AttackResult, MalformedLine> {
        Ok(match words.word()? {
            "miss" => AttackResult::Miss,
            "hit" => AttackResult::Hit,
            // A board has at most a ship for each of 100 cells.
            "sunk" => AttackResult::Sunk(words.number::<u8>()?.into()),
            "wasted" => AttackResult::Wasted,
            other => return Err(MalformedLine::Word(other.to_owned())),
        })
    }
}

/// As the protocol writes it: `miss`, `hit`, `sunk ID` or `wasted`.
impl fmt::Display for AttackResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttackResult::Miss => write!(f, "miss"),
            AttackResult::Hit => write!(f, "hit"),
            AttackResult::Sunk(ship) => write!(f, "sunk {ship}"),
            AttackResult::Wasted => write!(f, "wasted"),
        }
    }
}

/// The reason why a ship cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// The game has no ship with this id.
    #[error("there is no ship {0}")]
    NoSuchShip(ShipId),
    /// The ship is on the board already.
    #[error("ship {0} is on the board already")]
    AlreadyPlaced(ShipId),
    /// The first cell of the ship that would lie outside.
    #[error("{0} is outside the board")]
    OutsideBoard(Point),
    /// The first cell that would be shared, and the ship that lies there.
    #[error("ship {other} is at {cell}")]
    Overlaps {
        /// The shared cell.
        cell: Point,
        /// The ship that lies there.
        other: ShipId,
    },
    /// The first cell that is too close to another ship, in a game in which ships have to lie
    /// apart; and that ship.
    #[error("{cell} touches ship {other}")]
    Touches {
        /// The cell.
        cell: Point,
        /// The ship that it touches.
        other: ShipId,
    },
    /// The first cell that [`Board::block`] blocked.
    #[error("{0} is blocked")]
    Blocked(Point),
    /// The first cell that was attacked before.
    #[error("{0} was attacked before")]
    Attacked(Point),
}

/// The reason why a ship cannot be taken off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnplacementError {
    /// The game has no ship with this id.
    #[error("there is no ship {0}")]
    NoSuchShip(ShipId),
    /// The ship does not lie there, or not with all its segments undamaged.
    #[error("the entire ship {0} is not there")]
    NotThere(ShipId),
}

#[derive(Clone, Copy, Debug)]
struct PlacedShip {
    placement: Placement,
    cells: CellSet,
}

/// One player's board: its ships, and the opponent's attacks.
///
/// A board knows the rules of its own side only: what may be placed where, and what an attack does.
#[derive(Clone)]
pub struct Board<'g> {
    pub(super) game: &'g Game,
    pub(super) cells: BoardCells,
}

/// A board without its game.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardCells {
    /// By ship id; `None` for a ship that is not on the board.
    ships: Vec<Option<PlacedShip>>,
    pub(super) attacked: CellSet,
    blocked: CellSet,
}

impl<'g> Board<'g> {
    /// Returns an empty board of `game`.
    pub fn new(game: &'g Game) -> Board<'g> {
        Board {
            game,
            cells: BoardCells {
                ships: vec![None; game.n_ships()],
                ..BoardCells::default()
            },
        }
    }

    /// Returns the game of the board.
    pub const fn game(&self) -> &'g Game {
        self.game
    }

    /// Makes the board as it was when new: no ships, no attacks, nothing blocked.
    pub fn clear(&mut self) {
        *self = Board::new(self.game);
    }

    /// Blocks each cell with probability 1/2, independently: no ship can be placed on a blocked
    /// cell. Cells blocked before stay blocked.
    pub fn block(&mut self, rng: &mut SeededRng) {
        for point in self.game.points() {
            if rng.coin() {
                self.cells.blocked.insert(point);
            }
        }
    }

    /// Unblocks all cells.
    pub fn unblock(&mut self) {
        self.cells.blocked = CellSet::EMPTY;
    }

    /// Places the ship with the id `ship` so that its topmost or leftmost segment is at
    /// `top_or_left`.
    ///
    /// # Errors
    /// If there is no such ship, if it is on the board already, or if a cell of it would lie
    /// outside the board, on another ship, too close to one in a game in which ships lie apart, on
    /// a blocked cell or on an attacked one. The board is then unchanged. (The specification does
    /// not mention attacked cells: there, ships are placed before the first attack.)
    ///
    /// ```
    /// # use battleship::{Board, Direction::*, Game, PlacementError, Point};
    /// let game = Game::standard();
    /// let mut board = Board::new(&game);
    /// board.place_ship(Point::new(3, 2), 1, Horizontal)?;
    /// let overlap = PlacementError::Overlaps { cell: Point::new(3, 4), other: 1 };
    /// assert_eq!(board.place_ship(Point::new(2, 4), 2, Vertical), Err(overlap));
    /// # Ok::<(), PlacementError>(())
    /// ```
    pub fn place_ship(
        &mut self,
        top_or_left: Point,
        ship: ShipId,
        direction: Direction,
    ) -> Result<(), PlacementError> {
        let kind = self.game.ship(ship);
        let length = kind.ok_or(PlacementError::NoSuchShip(ship))?.length;
        if self.cells.ships[ship].is_some() {
            return Err(PlacementError::AlreadyPlaced(ship));
        }
        // The checks are in the order of the documented errors, and all before the first change.
        // The order decides which of several faults a player hears of, so it is part of the
        // behaviour.
        let mut points = (0..length).map(|step| top_or_left.step(direction, step));
        if let Some(outside) = points.find(|point| !self.game.is_valid(*point)) {
            return Err(PlacementError::OutsideBoard(outside));
        }
        let cells = CellSet::line(top_or_left, direction, length)
            .expect("a line of valid points is within the largest board");
        if let Some(cell) = (cells & self.occupied()).first() {
            let other = self.ship_at(cell).expect("an occupied cell has a ship");
            return Err(PlacementError::Overlaps { cell, other });
        }
        if self.game.apart() {
            for other in 0..self.game.n_ships() {
                let near = self.cells_of(other).with_corners();
                if let Some(cell) = (cells & near).first() {
                    return Err(PlacementError::Touches { cell, other });
                }
            }
        }
        if let Some(cell) = (cells & self.cells.blocked).first() {
            return Err(PlacementError::Blocked(cell));
        }
        if let Some(cell) = (cells & self.cells.attacked).first() {
            return Err(PlacementError::Attacked(cell));
        }
        let placement = Placement {
            top_or_left,
            direction,
        };
        self.cells.ships[ship] = Some(PlacedShip { placement, cells });
        Ok(())
    }

    /// Takes the ship with the id `ship` off the board.
    ///
    /// # Errors
    /// If there is no such ship, or if the entire ship, undamaged, does not lie exactly there. The
    /// board is then unchanged.
    pub fn unplace_ship(
        &mut self,
        top_or_left: Point,
        ship: ShipId,
        direction: Direction,
    ) -> Result<(), UnplacementError> {
        let kind = self.game.ship(ship);
        let kind = kind.ok_or(UnplacementError::NoSuchShip(ship))?;
        // The original needs every segment of the ship undamaged at these places. Comparing the
        // cells says the same. A ship of length 1 lies in both directions at once, so cells decide,
        // not placements.
        let cells = CellSet::line(top_or_left, direction, kind.length).unwrap_or_default();
        let is_whole = (cells & self.cells.attacked).is_empty();
        if cells.is_empty() || cells != self.cells_of(ship) || !is_whole {
            return Err(UnplacementError::NotThere(ship));
        }
        self.cells.ships[ship] = None;
        Ok(())
    }

    /// Returns the board's drawing: a line of column digits, then each row after its digit.
    /// Undamaged segments show their ship's symbol, or `.` if `shots_only`; damaged ones `X`; water
    /// `.`, or `o` where a shot missed; blocked water `#` unless `shots_only`. Every line ends with
    /// a line feed.
    pub fn display(&self, shots_only: bool) -> String {
        let size = [self.game.rows(), self.game.cols()];
        draw(Labels::Digits, size, 1, |at| self.symbol(at, shots_only))
    }

    fn symbol(&self, point: Point, shots_only: bool) -> char {
        match (self.ship_at(point), self.cells.attacked.contains(point)) {
            // Damage shows in either view; everything else that is hidden shows as water.
            (Some(_), true) => 'X',
            (None, true) => 'o',
            (_, false) if shots_only => '.',
            (Some(ship), false) => self.game.ship_symbol(ship),
            (None, false) if self.cells.blocked.contains(point) => '#',
            (None, false) => '.',
        }
    }

    /// Attacks `point`. An attack outside the board or on a cell that was attacked before is
    /// wasted.
    pub fn attack(&mut self, point: Point) -> AttackResult {
        if !self.game.is_valid(point) || self.cells.attacked.contains(point) {
            return AttackResult::Wasted;
        }
        // Hits and misses are recorded alike. Which of them an attacked cell is follows from where
        // the ships are, so the board cannot contradict itself.
        self.cells.attacked.insert(point);
        match self.ship_at(point) {
            None => AttackResult::Miss,
            Some(ship) if self.is_sunk(ship) => AttackResult::Sunk(ship),
            Some(_) => AttackResult::Hit,
        }
    }

    /// Returns whether every ship on the board is destroyed; so also if there is none.
    pub fn all_ships_destroyed(&self) -> bool {
        // No count of hits that could go wrong: a ship is destroyed if all its cells were attacked.
        self.occupied().is_subset(self.cells.attacked)
    }

    /// Returns the place of the ship with this id, or `None` if it is not on the board.
    pub fn placement(&self, ship: ShipId) -> Option<Placement> {
        Some(self.cells.ships.get(ship)?.as_ref()?.placement)
    }

    /// Returns the cells that were attacked.
    pub const fn attacked(&self) -> CellSet {
        self.cells.attacked
    }

    /// Returns the cells that ships lie on.
    pub fn occupied(&self) -> CellSet {
        self.cells
            .ships
            .iter()
            .flatten()
            .map(|ship| ship.cells)
            .collect()
    }

    /// Returns the cells on which a ship can be placed: no ship lies there, and they were neither
    /// blocked nor attacked.
    pub fn free(&self) -> CellSet {
        self.game.cells() - self.occupied() - self.cells.blocked - self.cells.attacked
    }

    fn ship_at(&self, point: Point) -> Option<ShipId> {
        self.cells
            .ships
            .iter()
            .position(|ship| ship.is_some_and(|ship| ship.cells.contains(point)))
    }

    /// Returns the cells of a ship that is on the board; of another one none.
    pub(super) fn cells_of(&self, ship: ShipId) -> CellSet {
        self.cells.ships[ship].map_or(CellSet::EMPTY, |ship| ship.cells)
    }

    pub(super) fn is_sunk(&self, ship: ShipId) -> bool {
        let cells = self.cells_of(ship);
        !cells.is_empty() && cells.is_subset(self.cells.attacked)
    }
}

/// The drawing with everything shown.
impl fmt::Debug for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.display(false))
    }
}
