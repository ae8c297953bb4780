//! The drawing of a player's two grids.

use std::fmt;

use super::{Cell, ROW_LETTERS, SIZE, View};
use crate::Side;

/// Returns a player's two grids as the original program draws them: its own units on the left, its marks on the right.
/// Every line ends with a line feed.
///
/// ```
/// # use battleship::twist::{Fleet, OriginalQuirks, View, show};
/// # use battleship::{Direction, Placement, Point};
/// # let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
/// # let fleet = Fleet::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(row))?;
/// let drawing = show(&View::new(fleet, OriginalQuirks::default())).to_string();
/// let left: Vec<&str> = drawing.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
/// assert_eq!(left[0], "  1  2  3  4  5  6  7  8  9  10 11 12");
/// assert_eq!(left[1], "A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A");
/// assert_eq!(left.len(), 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub const fn show(view: &View) -> Grids<'_> {
    Grids {
        view,
        heading: None,
        titled: false,
    }
}

/// The drawing that [`show`] makes.
#[derive(Clone, Copy, Debug)]
pub struct Grids<'v> {
    view: &'v View,
    heading: Option<Side>,
    titled: bool,
}

impl Grids<'_> {
    /// Returns the same drawing below two lines that say which player's it is, and what each grid is.
    #[must_use]
    pub const fn headed(self, side: Side) -> Self {
        Grids {
            heading: Some(side),
            titled: true,
            ..self
        }
    }

    /// Returns the same drawing below a line that says what each grid is.
    #[must_use]
    pub const fn titled(self) -> Self {
        Grids {
            titled: true,
            ..self
        }
    }
}

impl fmt::Display for Grids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.heading {
            writeln!(f, "{:36}Player {}", "", side.index() + 1)?;
        }
        if self.titled {
            writeln!(f, "{:13}Defence board{:27}Attack board", "", "")?;
        }
        for line in 0..LINES {
            write_line(f, line, |cell| self.view.fleet().symbol(cell))?;
            // A tab, as the original writes it; the widths of the heading suit it.
            write!(f, "\t")?;
            write_line(f, line, |cell| self.view.attack().symbol(cell))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Returns a grid alone, as [`show`] draws each, with these symbols. Every line ends with a line feed.
pub fn show_grid(symbol: impl Fn(Cell) -> char) -> String {
    struct Grid<S>(S);

    impl<S: Fn(Cell) -> char> fmt::Display for Grid<S> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for line in 0..LINES {
                write_line(f, line, &self.0)?;
                writeln!(f)?;
            }
            Ok(())
        }
    }

    Grid(symbol).to_string()
}

/// The rows, and the line of column numbers above and below them.
const LINES: u8 = SIZE + 2;

fn write_line(f: &mut fmt::Formatter<'_>, line: u8, symbol: impl Fn(Cell) -> char) -> fmt::Result {
    // The first line and the last are column numbers; those between are rows.
    let Some(row) = line.checked_sub(1).filter(|row| *row < SIZE) else {
        return write!(f, "  1  2  3  4  5  6  7  8  9  10 11 12");
    };
    let letter = ROW_LETTERS[usize::from(row)];
    write!(f, "{letter} ")?;
    for column in 0..SIZE {
        let cell = Cell::new(row, column).expect("both are less than the size of the grid");
        write!(f, "{}  ", symbol(cell))?;
    }
    write!(f, "{letter}")
}

/// Draws one grid alone, below an empty line, for debugging.
pub(super) fn draw(f: &mut fmt::Formatter<'_>, symbol: impl Fn(Cell) -> char) -> fmt::Result {
    for line in 0..LINES {
        writeln!(f)?;
        write_line(f, line, &symbol)?;
    }
    Ok(())
}
