//! Grids as text: drawn for every game, and read back as a fleet.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::{Description, Direction, Labels, Placement, Point};

/// Returns the drawing of a grid with `rows` and `cols` in `size`, each cell `width` characters
/// wide: a line of column names, then a line for each row, each ended by a line feed. As the
/// course's program draws it, cells are flush right; as the original twist program does, they are
/// flush left, row names stand on both sides and column names below too.
///
/// ```
/// # use battleship::{Labels, drawing::draw};
/// let drawing = draw(Labels::Digits, [2, 3], 1, |at| if at.row == at.col { 'X' } else { '.' });
/// assert_eq!(drawing, "  012\n0 X..\n1 .X.\n");
/// ```
pub fn draw<S: fmt::Display>(
    labels: Labels,
    size: [i32; 2],
    width: usize,
    sign: impl Fn(Point) -> S,
) -> String {
    let is_closed = labels == Labels::Italian;
    let pad = |sign: &dyn fmt::Display| match labels {
        Labels::Digits => format!("{sign:>width$}"),
        Labels::Italian => format!("{sign:<width$}"),
    };
    let [rows, cols] = labels.lines(size);
    let columns: String = cols.iter().map(|name| pad(name)).collect();
    let columns = format!("  {}\n", columns.trim_end());
    let mut drawing = columns.clone();
    for (row, name) in (0..).zip(rows) {
        let signs = (0..size[1]).map(|col| pad(&sign(Point::new(row, col))));
        let signs: String = signs.collect();
        let end = if is_closed { &name } else { "" };
        drawing.extend([&name, " ", &signs, end, "\n"]);
    }
    if is_closed {
        drawing += &columns;
    }
    drawing
}

/// The first fault of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each case is")]
pub enum DrawingError {
    #[error("the drawing ends before cell {0}")]
    TooShort(Point),
    #[error("cell {0} shows {1:?}, which stands for no ship")]
    NoSuchShip(Point, char),
    #[error("no cell shows {0:?}")]
    Missing(char),
    #[error("the cells of {1:?} are not one straight line of {2}, see {0}")]
    Crooked(Point, char, i32),
    #[error("cell {0} shows {1:?}, which has all its cells already")]
    Twice(Point, char),
}

/// Returns the places of the ships of `game` that `drawing` shows, in id order, for tests: those of
/// bots too. Of ships with the same sign the first is the one that begins first, row by row; a ship
/// that could lie either way is horizontal. Names of rows and columns are not looked at.
///
/// # Errors
/// If the drawing is not that of a whole, undamaged fleet: its first fault.
///
/// ```
/// # use battleship::{Board, Game, Rules, drawing::fleet_drawn};
/// let mut game = Game::new(2, 3)?;
/// game.add_ship(2, 'R', "rowboat")?;
/// let fleet = fleet_drawn("  012\n0 ..R\n1 ..R\n", &Rules::classic(game).describe())?;
/// assert_eq!((fleet[0].top_or_left.col, fleet[0].direction.letter()), (2, 'v'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fleet_drawn(drawing: &str, game: &Description) -> Result<Vec<Placement>, DrawingError> {
    let mut signs = BTreeMap::new();
    let mut lines = drawing.lines().skip(1);
    for row in 0..game.size[0] {
        let line = lines.next().unwrap_or_default();
        let mut cells = line.chars().skip(2).step_by(game.labels.cell_width());
        for col in 0..game.size[1] {
            let at = Point::new(row, col);
            let sign = cells.next().ok_or(DrawingError::TooShort(at))?;
            if game.ships.iter().any(|ship| ship.symbol == sign) {
                signs.insert(at, sign);
            } else if !matches!(sign, '.' | '~') {
                return Err(DrawingError::NoSuchShip(at, sign));
            }
        }
    }
    let mut fleet = Vec::new();
    for ship in &game.ships {
        let sign = ship.symbol;
        let length = ship.length;
        let first = signs.iter().find(|(_, shown)| **shown == sign);
        let top_or_left = *first.ok_or(DrawingError::Missing(sign))?.0;
        let is_line = |direction| {
            (0..length).all(|step| signs.get(&top_or_left.step(direction, step)) == Some(&sign))
        };
        // A ship below may have the same sign.
        let direction = if is_line(Direction::Vertical) && !is_line(Direction::Horizontal) {
            Direction::Vertical
        } else {
            Direction::Horizontal
        };
        for step in 0..length {
            let at = top_or_left.step(direction, step);
            if signs.get(&at) != Some(&sign) {
                return Err(DrawingError::Crooked(at, sign, length));
            }
            signs.remove(&at);
        }
        fleet.push(Placement {
            top_or_left,
            direction,
        });
    }
    match signs.pop_first() {
        Some((at, sign)) => Err(DrawingError::Twice(at, sign)),
        None => Ok(fleet),
    }
}
