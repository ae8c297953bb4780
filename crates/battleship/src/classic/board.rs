//! One player's board: its ships, and the opponent's attacks.

use std::fmt;

use thiserror::Error;

use super::{CellSet, Direction, Game, Point, ShipId};
use crate::seeded::SeededRng;

/// The place of a ship: its topmost or leftmost cell, and its direction from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The topmost cell of a vertical ship, the leftmost of a horizontal one.
    pub top_or_left: Point,
    /// The direction in which the ship extends.
    pub direction: Direction,
}

/// The result of a valid attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shot {
    /// No ship lies there.
    Miss,
    /// An undamaged segment was damaged; its ship has others left.
    Hit,
    /// The last undamaged segment of the ship with this id was damaged.
    Sunk(ShipId),
}

/// The reason why an attack was invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each case is")]
pub enum AttackError {
    #[error("the point is not on the board")]
    OutsideBoard,
    #[error("the point was attacked before")]
    AlreadyAttacked,
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
    /// The first cell that is too close to another ship, in a game in which ships have to lie apart; and that ship.
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
/// A board knows the rules of its own side only: what may be placed where, and what an attack does. Turns and winners
/// are those of [`State`](super::State).
#[derive(Clone)]
pub struct Board<'g> {
    game: &'g Game,
    /// By ship id; `None` for a ship that is not on the board.
    ships: Vec<Option<PlacedShip>>,
    attacked: CellSet,
    blocked: CellSet,
}

impl<'g> Board<'g> {
    /// Returns an empty board of `game`.
    #[must_use]
    pub fn new(game: &'g Game) -> Board<'g> {
        Board {
            game,
            ships: vec![None; game.n_ships()],
            attacked: CellSet::EMPTY,
            blocked: CellSet::EMPTY,
        }
    }

    /// Returns the game of the board.
    #[must_use]
    pub const fn game(&self) -> &'g Game {
        self.game
    }

    /// Makes the board as it was when new: no ships, no attacks, nothing blocked.
    pub fn clear(&mut self) {
        *self = Board::new(self.game);
    }

    /// Blocks each cell with probability 1/2, independently: no ship can be placed on a blocked cell. Cells
    /// blocked before stay blocked.
    pub fn block(&mut self, rng: &mut SeededRng) {
        for point in self.game.points() {
            if rng.coin() {
                self.blocked.insert(point);
            }
        }
    }

    /// Unblocks all cells.
    pub fn unblock(&mut self) {
        self.blocked = CellSet::EMPTY;
    }

    /// Places the ship with the id `ship` so that its topmost or leftmost segment is at `top_or_left`.
    ///
    /// # Errors
    /// If there is no such ship, if it is on the board already, or if a cell of it would lie outside the
    /// board, on another ship, too close to one in a game in which ships lie apart, on a blocked cell or on an attacked
    /// one. The board is then unchanged. (The specification does not mention attacked cells: there, ships are placed before
    /// the first attack.)
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
        let length = self
            .game
            .ship(ship)
            .ok_or(PlacementError::NoSuchShip(ship))?
            .length;
        if self.ships[ship].is_some() {
            return Err(PlacementError::AlreadyPlaced(ship));
        }
        // The checks are in the order of the documented errors, and all before the first change. The order
        // decides which of several faults a player hears of, so it is part of the behaviour.
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
            let too_close =
                |(_, ship): &(_, &PlacedShip)| !(cells & ship.cells.with_corners()).is_empty();
            let placed = self.ships.iter().enumerate();
            let mut placed = placed.filter_map(|(id, ship)| ship.as_ref().map(|ship| (id, ship)));
            if let Some((other, ship)) = placed.find(too_close) {
                let cell = (cells & ship.cells.with_corners())
                    .first()
                    .unwrap_or_default();
                return Err(PlacementError::Touches { cell, other });
            }
        }
        if let Some(cell) = (cells & self.blocked).first() {
            return Err(PlacementError::Blocked(cell));
        }
        if let Some(cell) = (cells & self.attacked).first() {
            return Err(PlacementError::Attacked(cell));
        }
        let placement = Placement {
            top_or_left,
            direction,
        };
        self.ships[ship] = Some(PlacedShip { placement, cells });
        Ok(())
    }

    /// Takes the ship with the id `ship` off the board.
    ///
    /// # Errors
    /// If there is no such ship, or if the entire ship, undamaged, does not lie exactly there. The board is then
    /// unchanged.
    pub fn unplace_ship(
        &mut self,
        top_or_left: Point,
        ship: ShipId,
        direction: Direction,
    ) -> Result<(), UnplacementError> {
        // The original needs every segment of the ship undamaged at these places. Comparing the cells says
        // the same.
        let placed = self
            .ships
            .get(ship)
            .ok_or(UnplacementError::NoSuchShip(ship))?;
        let cells = self
            .game
            .ship(ship)
            .and_then(|ship| CellSet::line(top_or_left, direction, ship.length));
        // A ship of length 1 lies in both directions at once, so cells decide, not placements.
        let there = placed.is_some_and(|placed| Some(placed.cells) == cells);
        if !there || cells.is_some_and(|cells| !(cells & self.attacked).is_empty()) {
            return Err(UnplacementError::NotThere(ship));
        }
        self.ships[ship] = None;
        Ok(())
    }

    /// Returns the board's drawing: a line of column digits, then each row after its digit. Undamaged segments show
    /// their ship's symbol, or `.` if `shots_only`; damaged ones `X`; water `.`, or `o` where a shot missed; blocked
    /// water `#` unless `shots_only`. Every line ends with a line feed.
    #[must_use]
    pub fn display(&self, shots_only: bool) -> impl fmt::Display + fmt::Debug + '_ {
        Drawing {
            board: self,
            shots_only,
        }
    }

    /// Attacks `point`.
    ///
    /// # Errors
    /// If the point is not on the board or was attacked before. The board is then unchanged.
    pub fn attack(&mut self, point: Point) -> Result<Shot, AttackError> {
        if !self.game.is_valid(point) {
            return Err(AttackError::OutsideBoard);
        }
        if self.attacked.contains(point) {
            return Err(AttackError::AlreadyAttacked);
        }
        // Hits and misses are recorded alike. Which of them an attacked cell is follows from where the ships are, so
        // the board cannot contradict itself.
        self.attacked.insert(point);
        Ok(match self.ship_at(point) {
            None => Shot::Miss,
            Some(ship) if self.is_sunk(ship) => Shot::Sunk(ship),
            Some(_) => Shot::Hit,
        })
    }

    /// Returns whether every ship on the board is destroyed; so also if there is none.
    #[must_use]
    pub fn all_ships_destroyed(&self) -> bool {
        // No count of hits that could go wrong: a ship is destroyed if all its cells were attacked.
        self.occupied().is_subset(self.attacked)
    }

    /// Returns where the ship with this id lies, or `None` if it is not on the board.
    #[must_use]
    pub fn placement(&self, ship: ShipId) -> Option<Placement> {
        Some(self.ships.get(ship)?.as_ref()?.placement)
    }

    /// Returns the cells that were attacked.
    #[must_use]
    pub const fn attacked(&self) -> CellSet {
        self.attacked
    }

    /// Returns the cells that ships lie on.
    #[must_use]
    pub fn occupied(&self) -> CellSet {
        self.ships.iter().flatten().map(|ship| ship.cells).collect()
    }

    /// Returns the cells on which a ship can be placed: no ship lies there, and they were neither blocked nor attacked.
    #[must_use]
    pub fn free(&self) -> CellSet {
        self.game.cells() - self.occupied() - self.blocked - self.attacked
    }

    fn ship_at(&self, point: Point) -> Option<ShipId> {
        self.ships
            .iter()
            .position(|ship| ship.is_some_and(|ship| ship.cells.contains(point)))
    }

    fn is_sunk(&self, ship: ShipId) -> bool {
        self.ships[ship].is_some_and(|ship| ship.cells.is_subset(self.attacked))
    }
}

/// The drawing with everything shown.
impl fmt::Debug for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.display(false))
    }
}

#[derive(Debug)]
struct Drawing<'b> {
    board: &'b Board<'b>,
    shots_only: bool,
}

impl Drawing<'_> {
    fn symbol(&self, point: Point) -> char {
        let board = self.board;
        match (board.ship_at(point), board.attacked.contains(point)) {
            // Damage shows in either view; everything else that is hidden shows as water.
            (Some(_), true) => 'X',
            (None, true) => 'o',
            (_, false) if self.shots_only => '.',
            (Some(ship), false) => board.game.ship_symbol(ship),
            (None, false) if board.blocked.contains(point) => '#',
            (None, false) => '.',
        }
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  ")?;
        for col in 0..self.board.game.cols() {
            write!(f, "{col}")?;
        }
        for point in self.board.game.points() {
            if point.col == 0 {
                write!(f, "\n{} ", point.row)?;
            }
            write!(f, "{}", self.symbol(point))?;
        }
        writeln!(f)
    }
}
