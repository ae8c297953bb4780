//! The drawings of the original program.

use super::{Cell, ROW_LETTERS, SIZE, View};
use crate::Side;

/// The line above and below a grid.
const COLUMNS: &str = "  1  2  3  4  5  6  7  8  9  10 11 12";

/// Returns the lines of a grid with these symbols, as the original program draws it.
pub fn grid_lines(symbol: impl Fn(Cell) -> char) -> Vec<String> {
    let cells: Vec<Cell> = Cell::all().collect();
    let mut lines = vec![COLUMNS.to_owned()];
    for (row, letter) in cells.chunks(SIZE.into()).zip(ROW_LETTERS) {
        let mut line = format!("{letter} ");
        for cell in row {
            line.extend([symbol(*cell), ' ', ' ']);
        }
        line.push(letter);
        lines.push(line);
    }
    lines.push(COLUMNS.to_owned());
    lines
}

/// Returns a player's two grids as the original program draws them: its own units on the left, its marks on the right.
/// Every line ends with a line feed.
///
/// ```
/// # use battleship::twist::{Fleet, OriginalQuirks, View, show};
/// # use battleship::{Direction, Placement, Point};
/// # let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
/// # let fleet = Fleet::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(row))?;
/// let drawing = show(&View::new(fleet, OriginalQuirks::default()));
/// let left: Vec<&str> = drawing.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
/// assert_eq!(left[0], "  1  2  3  4  5  6  7  8  9  10 11 12");
/// assert_eq!(left[1], "A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A");
/// assert_eq!(left.len(), 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn show(view: &View) -> String {
    let own = grid_lines(|cell| view.fleet().symbol(cell));
    let marks = grid_lines(|cell| view.marks().symbol(cell));
    // A tab, as the original writes it; the widths of the headings suit it.
    let lines = own
        .iter()
        .zip(&marks)
        .map(|(own, marks)| format!("{own}\t{marks}\n"));
    lines.collect()
}

/// Returns both grids below a line that says what each is.
pub fn show_titled(view: &View) -> String {
    format!(
        "{:13}Defence board{:27}Attack board\n{}",
        "",
        "",
        show(view)
    )
}

/// Returns both grids below two lines that say which player's they are, and what each is.
pub fn show_headed(view: &View, side: Side) -> String {
    format!(
        "{:36}Player {}\n{}",
        "",
        side.index() + 1,
        show_titled(view)
    )
}
