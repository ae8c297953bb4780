//! The rules of Battleship and the words that a referee and a bot exchange.
//!
//! Everything here is pure: no processes, no files, no clocks, no terminal.
//!
//! * [`classic`]: the game on boards up to 10x10: [`Game`], [`Board`], [`Player`].
//! * [`protocol`]: every line as a type, and the loop that lets a [`Player`] speak the protocol.
//! * [`seeded`]: random numbers that are the same in every release for the same seed.
//!
//! # A whole bot
//!
//! A bot is one type that is a [`Player`], and one line of `main`:
//!
//! ```no_run
//! use battleship::seeded::SeededRng;
//! use battleship::{AttackResult, Board, Direction, Game, Player, Point, protocol};
//!
//! /// Places its ships one below the other and shoots at random.
//! struct Rookie {
//!     game: Game,
//!     rng: SeededRng,
//!     untried: Vec<Point>,
//! }
//!
//! impl Rookie {
//!     fn new(game: &Game, seed: u64) -> Rookie {
//!         Rookie { game: game.clone(), rng: SeededRng::new(seed), untried: game.points().collect() }
//!     }
//! }
//!
//! impl Player for Rookie {
//!     fn name(&self) -> &str {
//!         "rookie"
//!     }
//!     fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
//!         (0..self.game.n_ships())
//!             .zip(0..)
//!             .all(|(ship, row)| board.place_ship(Point::new(row, 0), ship, Direction::Horizontal).is_ok())
//!     }
//!     fn recommend_attack(&mut self) -> Point {
//!         self.rng.take(&mut self.untried).unwrap_or_default()
//!     }
//!     fn record_attack_result(&mut self, _at: Point, _result: AttackResult) {}
//!     fn record_attack_by_opponent(&mut self, _at: Point) {}
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     protocol::play_on_stdio("rookie", |game, seed| Box::new(Rookie::new(game, seed)))
//! }
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod classic;
pub mod protocol;
pub mod seeded;
pub mod twist;

pub use classic::{
    AttackError, AttackResult, Board, CellSet, Direction, Game, GameError, MAX_COLS, MAX_ROWS,
    Placement, PlacementError, Player, Point, ShipId, ShipType, Shot, UnplacementError,
};
