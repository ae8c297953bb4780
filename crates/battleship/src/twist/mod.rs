//! The twist: two fleets on grids of 12 rows and 12 columns, where units fire, move, repair and search.
//!
//! * [`Cell`], [`CellSet`]: the grid.
//! * [`UnitId`], [`UnitKind`], [`Unit`], [`Fleet`], [`Placement`]: one player's units.
//! * [`Order`], [`Command`], [`Refused`]: what a player may want, and why the rules refuse it.
//! * [`State`]: the game, as its referee knows it; [`View`]: the game, as one player knows it.
//! * [`AttackGrid`], [`show`](show()): what a player has found out, and both grids as the original program draws them.
//! * [`Log`], [`replay`](replay()): the original program's log files, and what its replay writes.
//!
//! Each departure of the original program from its own rules is a switch of [`Quirks`].
//!
//! ```
//! use battleship::Side;
//! use battleship::twist::{Cell, Effect, Fleet, Order, Quirks, State};
//!
//! // Three battleships, three support ships, two submarines: bow and stern.
//! let ends = "A1 A5 B1 B5 C1 C5 E1 E3 F1 F3 G1 G3 I1 I1 I3 I3";
//! let cells: Vec<Cell> = ends.split(' ').map(str::parse).collect::<Result<_, _>>()?;
//! let ends: Vec<(Cell, Cell)> = cells.chunks(2).map(|pair| (pair[0], pair[1])).collect();
//! let fleet = Fleet::from_ends(&ends)?;
//!
//! let mut game = State::new([fleet.clone(), fleet], Side::One, Quirks::default());
//! let event = game.act(Side::One, "A3 B2".parse::<Order>()?)?;
//! assert_eq!(event.effect, Effect::Fired { hit: true });
//! // Two knows that it was hit, One that it hit, and no more.
//! assert_eq!(game.view(Side::Two).fleet().damaged().iter().collect::<Vec<_>>(), ["B2".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack_grid;
mod cells;
mod fleet;
mod game;
mod grid;
mod log;
mod order;
mod placement;
mod referee;
mod replay;
mod show;
mod unit;
mod unit_id;
mod view;

pub use attack_grid::{AttackGrid, Clear, Mark};
pub use cells::{CellSet, Cells};
pub use fleet::{Fleet, Struck};
pub use game::{Effect, Event, ORIGINAL_TURN_LIMIT, Quirks, State};
pub use grid::{Cell, MalformedCell, ROW_LETTERS, SIZE};
pub use log::{Log, LogFault, LogRules, MalformedLog};
pub use order::{Command, MalformedOrder, Order, Refused};
pub use placement::{Placement, PlacementFault, PlacementFaults};
pub use referee::{Twist, in_play};
pub use replay::{Frame, IllegalMove, Replay, replay};
pub use show::{Grids, show, show_grid};
pub use unit::Unit;
pub use unit_id::{UNITS, UnitId, UnitKind, UnitSet};
pub use view::{Contradiction, View};
