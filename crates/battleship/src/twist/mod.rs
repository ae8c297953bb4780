//! The twist: two fleets on grids of 12 rows and 12 columns, where units fire, move, repair and
//! search.
//!
//! * [`Cell`], [`CellSet`]: the grid.
//! * [`UnitId`], [`UnitKind`], [`Unit`], [`Fleet`]: one player's units.
//! * [`Command`], [`Refused`]: what a player may type, and why the rules refuse an order.
//! * [`State`]: the game, as its referee knows it; [`View`]: the game, as one player knows it.
//! * [`Marks`], [`show`](show()): what a player has found out, and both grids as the original
//!   program draws them.
//! * [`Log`], [`replay`](replay()): the original program's log files, and what its replay writes.
//!
//! Each departure of the original program from its own rules is a switch of [`OriginalQuirks`].
//!
//! ```
//! use battleship::protocol::{Order, OrderResult};
//! use battleship::twist::{Fleet, OriginalQuirks, State};
//! use battleship::{Direction, Placement, Point, Side};
//!
//! // Three battleships, three support ships, two submarines, one below the other.
//! let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
//! let fleet = Fleet::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(row))?;
//!
//! let mut game = State::new([fleet.clone(), fleet], Side::One, OriginalQuirks::default());
//! let result = game.act(Order::new(Point::new(0, 2), Point::new(1, 1)))?;
//! assert_eq!(result, OrderResult::Hit);
//! // Two knows that it was hit, One that it hit, and no more.
//! assert_eq!(game.view(Side::Two).fleet().damaged().first(), Some("B2".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cells;
mod fleet;
mod game;
mod grid;
mod in_play;
mod log;
mod marks;
mod order;
#[cfg(feature = "referee")]
mod original_log;
mod replay;
mod show;
mod unit;
mod unit_id;
mod view;

pub use cells::{CellSet, Cells};
pub use fleet::{Fleet, placed_between};
pub use game::{ORIGINAL_TURN_LIMIT, OriginalQuirks, State};
pub use grid::{Cell, MalformedCell, ROW_LETTERS, SIZE};
pub use in_play::in_play;
pub(crate) use in_play::{TwistInPlay, describe};
pub use log::{Log, LogFault, LogRules, MalformedLog};
pub use marks::{Marks, TwistMark};
pub use order::{Command, MalformedOrder, Refused, two_cells};
#[cfg(feature = "referee")]
pub use original_log::{NoLog, original_differs, original_log};
pub use replay::{IllegalMove, replay};
pub use show::{show, show_grid, show_headed, show_titled};
pub use unit::Unit;
pub use unit_id::{UNITS, UnitId, UnitKind};
pub use view::{View, ViewError};
