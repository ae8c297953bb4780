//! The rules of Battleship and the words that a referee and a bot exchange.
//!
//! Everything here is pure: no processes, no files, no clocks, no terminal. Only [`run`] and
//! [`Program::run`] read standard input and write standard output.
//!
//! * [`classic`]: the game on boards up to 10x10: [`Game`], [`Board`].
//! * [`twist`]: the 12x12 game with moving, repairing and sonar.
//! * [`Rules`], [`GameInPlay`], [`Turn`]: a game for its referee, whichever game it is; [`scene`]:
//!   what there is to see; [`Part`]: what is said of it.
//! * [`drawing`]: grids as text, drawn and read.
//! * [`Side`] and [`BySide`]: the two players.
//! * [`bot`]: what the author of a bot writes, and what makes a program of it.
//! * [`protocol`]: every line between a referee and a bot as a type.
//! * `table`, `game_reader` (with the feature `referee`): games between bots, and their lines in a
//!   record.
//! * [`seeded`]: random numbers that are the same in every release for the same seed.
//!
//! # A whole bot
//!
//! A bot is one type that is a [`Bot`], and one line of `main`:
//!
//! ```no_run
//! use battleship::seeded::SeededRng;
//! use battleship::{Board, Bot, CellSet, Direction, Game, Point};
//!
//! /// Places its ships one below the other and attacks at random.
//! #[derive(Default)]
//! struct Rookie {
//!     rng: SeededRng,
//!     untried: CellSet,
//! }
//!
//! impl Bot for Rookie {
//!     fn new_game(&mut self, game: &Game, seed: u64) {
//!         *self = Rookie { rng: SeededRng::new(seed), untried: game.cells() };
//!     }
//!     fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
//!         (0..board.game().n_ships())
//!             .zip(0..)
//!             .all(|(ship, row)| board.place_ship(Point::new(row, 0), ship, Direction::Horizontal).is_ok())
//!     }
//!     fn attack(&mut self) -> Point {
//!         let target = self.untried.choose(&mut self.rng).unwrap_or_default();
//!         self.untried.remove(target);
//!         target
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     battleship::run("rookie", Rookie::default())
//! }
//! ```
//!
//! The same program plays whole series: it hears of every game's end through [`Bot::game_over`], so
//! a bot that keeps what it has seen learns its opponent. The course's [`Player`] serves too, see
//! [`PlayerBot`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "hardly a function here does more than return something"
)]

pub mod bot;
mod cell_set;
pub mod classic;
pub mod drawing;
mod frame;
#[cfg(feature = "referee")]
pub mod game_reader;
mod in_play;
mod labels;
mod options;
pub mod protocol;
mod rules;
pub mod scene;
mod sentence;
#[cfg(feature = "referee")]
pub mod table;
mod turn;
pub mod twist;

pub use bot::{Bot, Dialogue, Greeting, Player, PlayerBot, Program, TwistBot, run};
pub use classic::{
    AttackResult, Board, CellSet, Direction, Game, GameError, MAX_COLS, MAX_ROWS, Placement,
    PlacementError, Point, ShipId, ShipType, UnplacementError,
};
pub use frame::{Frame, Highlight};
pub use in_play::{Actor, GameInPlay, Moment, People, Preview};
pub use labels::Labels;
pub use options::RuleOptions;
pub use protocol::Outcome;
pub use rules::{Description, Rules, RulesError, Ruleset, Turns};
pub use sentence::{Part, in_words};
pub use turn::{PlayedTurn, Step, Turn, read_attacks, read_orders};
pub use wire::{BySide, Local, Side, SideError, seeds as seeded};
