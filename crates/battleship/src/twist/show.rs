//! The drawings of the original program.

use super::{Cell, SIZE, View};
use crate::drawing::draw;
use crate::{Labels, Side};

/// Returns the drawing of a grid with these symbols, as the original program draws it.
pub fn show_grid(symbol: impl Fn(Cell) -> char) -> String {
    let labels = Labels::Italian;
    draw(labels, [SIZE.into(); 2], labels.cell_width(), |at| {
        symbol(Cell::at(at).expect("it is one of the grid's"))
    })
}

/// Returns a player's two grids as the original program draws them: its own units on the left, its
/// marks on the right. Every line ends with a line feed.
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
    let own = show_grid(|cell| view.fleet().symbol(cell));
    let marks = show_grid(|cell| view.marks().symbol(cell));
    // A tab, as the original writes it; the widths of the headings suit it.
    let lines = own
        .lines()
        .zip(marks.lines())
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
