//! Points and directions.

use std::fmt;

use serde::{Deserialize, Serialize};
use wire::line::{MalformedLine, Words};

/// A (row, column) coordinate, counted from 0 at the top left. It need not lie on any board:
/// players may attack points outside it, which wastes the shot.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Point {
    /// The row, 0 at the top.
    pub row: i32,
    /// The column, 0 at the left.
    pub col: i32,
}

impl Point {
    /// Returns the point at `row` and `col`.
    pub const fn new(row: i32, col: i32) -> Point {
        Point { row, col }
    }

    pub(crate) fn parse(words: &mut Words<'_>) -> Result<Point, MalformedLine> {
        Ok(Point::new(words.number()?, words.number()?))
    }

    /// Returns the point `steps` further in `direction` (right or down; back if negative).
    ///
    /// ```
    /// # use battleship::{Direction, Point};
    /// assert_eq!(Point::new(2, 3).step(Direction::Vertical, 2), Point::new(4, 3));
    /// ```
    pub const fn step(self, direction: Direction, steps: i32) -> Point {
        match direction {
            Direction::Horizontal => Point::new(self.row, self.col.saturating_add(steps)),
            Direction::Vertical => Point::new(self.row.saturating_add(steps), self.col),
        }
    }
}

/// As the game prints it: `(r,c)`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.row, self.col)
    }
}

/// The orientation of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Direction {
    /// From the leftmost segment to the right.
    #[serde(rename = "h")]
    Horizontal,
    /// From the topmost segment down.
    #[serde(rename = "v")]
    Vertical,
}

impl Direction {
    /// Both directions, horizontal first.
    pub const BOTH: [Direction; 2] = [Direction::Horizontal, Direction::Vertical];

    /// Returns the letter that stands for the direction: `h` or `v`.
    pub const fn letter(self) -> char {
        match self {
            Direction::Horizontal => 'h',
            Direction::Vertical => 'v',
        }
    }

    /// Returns the direction that `letter` stands for, if it is `h` or `v`.
    pub const fn from_letter(letter: char) -> Option<Direction> {
        match letter {
            'h' => Some(Direction::Horizontal),
            'v' => Some(Direction::Vertical),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
