//! The twist: two fleets on grids of 12 rows and 12 columns, where units fire, move, repair and search.
//!
//! * [`Cell`], [`CellSet`]: the grid.
//! * [`UnitId`], [`UnitKind`], [`Unit`], [`Fleet`], [`Placement`]: one player's units.
//! * [`Order`], [`Command`], [`Refused`]: what a player may want, and why it cannot have it.
//! * [`State`]: the game, as its referee knows it; [`View`]: the game, as one player knows it.
//! * [`AttackGrid`], [`show`]: what a player has found out, and both grids as the original program draws them.
//! * `log`
//!
//! Where the original program departs from its own rules, each departure is a switch of [`Quirks`].
//!
//! ```
//! use battleship::twist::{Cell, Fleet, Order, Outcome, Quirks, Side, State};
//!
//! // Three battleships, three support ships, two submarines: bow and stern.
//! let ends = "A1 A5 B1 B5 C1 C5 E1 E3 F1 F3 G1 G3 I1 I1 I3 I3";
//! let cells: Vec<Cell> = ends.split(' ').map(str::parse).collect::<Result<_, _>>()?;
//! let ends: Vec<(Cell, Cell)> = cells.chunks(2).map(|pair| (pair[0], pair[1])).collect();
//! let fleet = Fleet::from_ends(&ends)?;
//!
//! let mut game = State::new([fleet.clone(), fleet], Side::A, Quirks::default());
//! let event = game.act(Side::A, "A3 B2".parse::<Order>()?)?;
//! assert_eq!(event.outcome, Outcome::Fired { hit: true });
//! // B knows that it was hit, A that it hit, and no more.
//! assert_eq!(game.view(Side::B).fleet().damaged().iter().collect::<Vec<_>>(), ["B2".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admiral;
mod attack_grid;
mod cells;
mod fleet;
mod game;
mod grid;
mod order;
mod placement;
mod show;
mod unit;
mod view;

pub use admiral::Admiral;
pub use attack_grid::{AttackGrid, Clear, Mark};
pub use cells::CellSet;
pub use fleet::{Fleet, Struck, Unit};
pub use game::{Event, ORIGINAL_TURN_LIMIT, Outcome, Quirks, Side, State};
pub use grid::{Cell, MalformedCell, ROW_LETTERS, SIZE};
pub use order::{Command, MalformedOrder, Order, Refused};
pub use placement::{Placement, PlacementFault, PlacementFaults};
pub use show::{Grids, show};
pub use unit::{UNITS, UnitId, UnitKind, UnitSet};
pub use view::{Contradiction, View};
