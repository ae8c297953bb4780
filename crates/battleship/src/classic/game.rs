//! The parameters of a classic game: the size of the boards and the ships.

use thiserror::Error;

use super::{CellSet, Point};
use crate::seeded::SeededRng;

/// The largest number of rows of a board.
pub const MAX_ROWS: i32 = 10;
/// The largest number of columns of a board.
pub const MAX_COLS: i32 = 10;

/// The longest name of a ship, in bytes: with it, the line that announces the ship stays far below
/// the protocol's limit.
const MAX_SHIP_NAME: usize = 100;

/// A ship's number: 0 for the ship type that was added first, then 1, and so on.
pub type ShipId = usize;

/// One kind of ship; each player places one of each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ShipType {
    /// The number of cells that it covers.
    pub length: i32,
    /// The character that stands for it on a board.
    pub symbol: char,
    /// Its name in messages.
    pub name: String,
}

/// The parameters of a game: the size of the boards, the ship types, and whether ships may touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    rows: i32,
    cols: i32,
    ships: Vec<ShipType>,
    apart: bool,
}

/// The reason why a game cannot have these parameters. All but the last read as the original
/// program's diagnostics.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each case is")]
pub enum GameError {
    #[error("Number of rows must be >= 1 and <= {MAX_ROWS}")]
    Rows,
    #[error("Number of columns must be >= 1 and <= {MAX_COLS}")]
    Cols,
    #[error("Bad ship length {0}; it must be >= 1")]
    NotPositive(i32),
    #[error("Bad ship length {0}; it won't fit on the board")]
    TooLong(i32),
    #[error("Unprintable character with decimal value {} must not be used as a ship symbol", u32::from(*.0))]
    Unprintable(char),
    #[error("Character {0} must not be used as a ship symbol")]
    Reserved(char),
    #[error("Ship symbol {0} must not be used for more than one ship")]
    SymbolTaken(char),
    #[error(
        "Bad ship name {0:?}; it must be one line of 1 to {MAX_SHIP_NAME} bytes without spaces around it"
    )]
    Name(String),
}

impl Game {
    /// Returns a game on boards of `rows` x `cols` cells, without ships so far.
    ///
    /// # Errors
    /// Unless both are within 1..=10.
    pub fn new(rows: i32, cols: i32) -> Result<Game, GameError> {
        if !(1..=MAX_ROWS).contains(&rows) {
            return Err(GameError::Rows);
        }
        if !(1..=MAX_COLS).contains(&cols) {
            return Err(GameError::Cols);
        }
        Ok(Game {
            rows,
            cols,
            ships: Vec::new(),
            apart: false,
        })
    }

    /// Returns the standard game: 10x10, aircraft carrier 5, battleship 4, destroyer 3, submarine
    /// 3, patrol boat 2.
    pub fn standard() -> Game {
        let mut game = Game::new(MAX_ROWS, MAX_COLS).expect("this is the largest board");
        game.add_standard_ships()
            .expect("the standard fleet fits the largest board");
        game
    }

    /// Adds the five ship types of the standard game.
    ///
    /// # Errors
    /// If the board is too small for one of them; the game is then unchanged.
    pub fn add_standard_ships(&mut self) -> Result<(), GameError> {
        // Added to a copy: if one does not fit, none is added.
        let mut with_fleet = self.clone();
        for (length, symbol, name) in [
            (5, 'A', "aircraft carrier"),
            (4, 'B', "battleship"),
            (3, 'D', "destroyer"),
            (3, 'S', "submarine"),
            (2, 'P', "patrol boat"),
        ] {
            with_fleet.add_ship(length, symbol, name)?;
        }
        *self = with_fleet;
        Ok(())
    }

    /// Adds a ship type and returns its id.
    ///
    /// # Errors
    /// If the length is less than 1 or fits neither the rows nor the columns; if the symbol is not
    /// printable ASCII, is one of `X`, `o` and `.` (which boards use for other things) or a space
    /// (which separates words), or is taken by another ship; if the name is not one line of 1 to
    /// 100 bytes. The game is then unchanged.
    ///
    /// ```
    /// # use battleship::Game;
    /// let mut game = Game::new(2, 3)?;
    /// assert_eq!(game.add_ship(2, 'R', "rowboat"), Ok(0));
    /// assert!(game.add_ship(4, 'T', "trawler").is_err());
    /// # Ok::<(), battleship::GameError>(())
    /// ```
    pub fn add_ship(&mut self, length: i32, symbol: char, name: &str) -> Result<ShipId, GameError> {
        if length < 1 {
            return Err(GameError::NotPositive(length));
        }
        // It has to fit in one direction only.
        if length > self.rows && length > self.cols {
            return Err(GameError::TooLong(length));
        }
        // Printable first, then reserved: the original reports them in this order, and a space is
        // printable.
        if !matches!(symbol, ' '..='~') {
            return Err(GameError::Unprintable(symbol));
        }
        if matches!(symbol, 'X' | 'o' | '.' | ' ') {
            return Err(GameError::Reserved(symbol));
        }
        if self.ships.iter().any(|ship| ship.symbol == symbol) {
            return Err(GameError::SymbolTaken(symbol));
        }
        let fits = (1..=MAX_SHIP_NAME).contains(&name.len());
        if !fits || name.trim() != name || name.chars().any(char::is_control) {
            return Err(GameError::Name(name.to_owned()));
        }
        self.ships.push(ShipType {
            length,
            symbol,
            name: name.to_owned(),
        });
        Ok(self.ships.len() - 1)
    }

    /// Returns the game in which ships may not touch, not at corners either, or in which they may.
    pub fn with_apart(self, apart: bool) -> Game {
        Game { apart, ..self }
    }

    /// Returns whether ships may not touch, not at corners either.
    pub const fn apart(&self) -> bool {
        self.apart
    }

    /// Returns the number of rows of a board.
    pub const fn rows(&self) -> i32 {
        self.rows
    }

    /// Returns the number of columns of a board.
    pub const fn cols(&self) -> i32 {
        self.cols
    }

    /// Returns the board and the fleet in a few words.
    pub(crate) fn summary(&self) -> String {
        let mut lengths: Vec<i32> = self.ships.iter().map(|ship| ship.length).collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        let fleet = match &lengths[..] {
            [longest, ..] if lengths.len() > 8 => {
                format!("{} ships of at most {longest}", lengths.len())
            }
            _ => {
                let lengths: Vec<String> = lengths.iter().map(i32::to_string).collect();
                format!("ships of {}", lengths.join(", "))
            }
        };
        let apart = if self.apart {
            " that may not touch"
        } else {
            ""
        };
        format!("{}x{}, {fleet}{apart}", self.rows, self.cols)
    }

    /// Returns whether `point` lies on the board.
    pub fn is_valid(&self, point: Point) -> bool {
        (0..self.rows).contains(&point.row) && (0..self.cols).contains(&point.col)
    }

    /// Returns all points of the board, row by row.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let rows = 0..self.rows;
        let cols = 0..self.cols;
        rows.flat_map(move |row| cols.clone().map(move |col| Point::new(row, col)))
    }

    /// Returns all points of the board as a set.
    pub fn cells(&self) -> CellSet {
        self.points().collect()
    }

    /// Returns a uniformly random point of the board.
    pub fn random_point(&self, rng: &mut SeededRng) -> Point {
        self.cells()
            .choose(rng)
            .expect("a board has at least one cell")
    }

    /// Returns the number of ship types, which is the number of ships each player places.
    pub fn n_ships(&self) -> usize {
        self.ships.len()
    }

    /// Returns all ship types, in id order.
    pub fn ships(&self) -> &[ShipType] {
        &self.ships
    }

    /// Returns the ship type with this id, if there is one.
    pub fn ship(&self, ship: ShipId) -> Option<&ShipType> {
        self.ships.get(ship)
    }

    /// Returns the number of cells that the ship with this id covers.
    ///
    /// # Panics
    /// If there is no such ship.
    pub fn ship_length(&self, ship: ShipId) -> i32 {
        self.ships[ship].length
    }

    /// Returns the character that stands for the ship with this id.
    ///
    /// # Panics
    /// If there is no such ship.
    pub fn ship_symbol(&self, ship: ShipId) -> char {
        self.ships[ship].symbol
    }

    /// Returns the name of the ship with this id.
    ///
    /// # Panics
    /// If there is no such ship.
    pub fn ship_name(&self, ship: ShipId) -> &str {
        &self.ships[ship].name
    }
}

/// The standard game.
impl Default for Game {
    fn default() -> Game {
        Game::standard()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_1_to_10_rows() {
        for size in [i32::MIN, -1, 0, 11, i32::MAX] {
            assert_eq!(Game::new(size, 5), Err(GameError::Rows));
            assert_eq!(Game::new(5, size), Err(GameError::Cols));
        }
        assert!(Game::new(1, 1).is_ok());
        assert_eq!(
            GameError::Rows.to_string(),
            "Number of rows must be >= 1 and <= 10"
        );
        assert_eq!(
            GameError::Cols.to_string(),
            "Number of columns must be >= 1 and <= 10"
        );
    }

    #[test]
    fn the_standard_game_has_the_specified_ships() {
        let game = Game::standard();
        let ships: Vec<_> = game
            .ships()
            .iter()
            .map(|ship| (ship.length, ship.symbol, ship.name.as_str()))
            .collect();
        assert_eq!(
            ships,
            [
                (5, 'A', "aircraft carrier"),
                (4, 'B', "battleship"),
                (3, 'D', "destroyer"),
                (3, 'S', "submarine"),
                (2, 'P', "patrol boat")
            ]
        );
        assert_eq!(
            (game.ship_length(1), game.ship_symbol(1), game.ship_name(1)),
            ships[1]
        );
    }

    #[test]
    fn a_ship_type_breaking_a_rule_is_refused() {
        let mut game = Game::new(2, 4).unwrap();
        game.add_ship(4, 'A', "canoe").unwrap();
        let before = game.clone();
        for (length, symbol, message) in [
            (0, 'B', "Bad ship length 0; it must be >= 1"),
            (-3, 'B', "Bad ship length -3; it must be >= 1"),
            (5, 'B', "Bad ship length 5; it won't fit on the board"),
            (
                2,
                '\t',
                "Unprintable character with decimal value 9 must not be used as a ship symbol",
            ),
            (
                2,
                '\u{7f}',
                "Unprintable character with decimal value 127 must not be used as a ship symbol",
            ),
            (
                2,
                'é',
                "Unprintable character with decimal value 233 must not be used as a ship symbol",
            ),
            (2, 'X', "Character X must not be used as a ship symbol"),
            (2, 'o', "Character o must not be used as a ship symbol"),
            (2, '.', "Character . must not be used as a ship symbol"),
            (2, ' ', "Character   must not be used as a ship symbol"),
            (
                2,
                'A',
                "Ship symbol A must not be used for more than one ship",
            ),
        ] {
            let error = game.add_ship(length, symbol, "boat").unwrap_err();
            assert_eq!(error.to_string(), message);
            assert_eq!(game, before);
        }
        for name in [
            "",
            " boat",
            "boat ",
            "two\nlines",
            "bell\u{7}",
            &"long ".repeat(21),
        ] {
            assert!(
                matches!(game.add_ship(2, 'B', name), Err(GameError::Name(_))),
                "{name:?}"
            );
        }
        assert_eq!(
            game.add_ship(3, '#', "ship that fits the columns only"),
            Ok(1)
        );
    }

    #[test]
    fn a_fleet_too_long_leaves_the_game_unchanged() {
        let mut game = Game::new(3, 4).unwrap();
        assert_eq!(game.add_standard_ships(), Err(GameError::TooLong(5)));
        assert_eq!(game.n_ships(), 0);
    }

    #[test]
    fn random_points_reach_every_cell_and_no_other() {
        let game = Game::new(3, 7).unwrap();
        let mut rng = SeededRng::new(3);
        let seen: CellSet = (0..1000)
            .map(|_| game.random_point(&mut rng))
            .inspect(|point| assert!(game.is_valid(*point)))
            .collect();
        assert_eq!(seen, game.cells());
        for outside in [
            Point::new(3, 0),
            Point::new(0, 7),
            Point::new(-1, 0),
            Point::new(0, -1),
        ] {
            assert!(!game.is_valid(outside));
        }
    }
}
