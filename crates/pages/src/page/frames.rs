//! The boards of a twist game after each of its turns.

use battleship::Side;
use battleship::twist::{Cell, State};

use engine::game::{Event, Listener, Position, Stop};

/// The number of cells of a grid.
pub(super) const CELLS: usize = 144;

/// What the owners see of their own grids: the letters of units, in lower case where they are damaged, and `~`.
pub(super) type OwnGrids = [[u8; CELLS]; 2];

/// The own grids of both players before the first turn and after each. Stays empty in a classic game.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames(pub(super) Vec<OwnGrids>);

impl Frames {
    fn add(&mut self, state: &State) {
        let grid = |side: Side| {
            let mut grid = [0; CELLS];
            for (shown, cell) in grid.iter_mut().zip(Cell::all()) {
                // All symbols are ASCII.
                *shown = u8::try_from(state.fleet(side).symbol(cell)).unwrap_or(b'?');
            }
            grid
        };
        self.0.push(Side::BOTH.map(grid));
    }
}

impl Listener for Frames {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { position: Position::Twist(state) }
            | Event::Played { position: Position::Twist(state), .. } => self.add(state),
            Event::Placed { .. }
            | Event::Played { .. }
            | Event::Turn { .. }
            | Event::Comment { .. }
            | Event::Ended { .. } => {}
        }
        Ok(())
    }
}
