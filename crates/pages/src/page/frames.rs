//! The boards of a twist game after each of its turns.

use battleship::scene::{Eyes, MarkKind};
use battleship::{GameInPlay, Side};

use engine::game::{Event, Listener, Stop};

/// The number of cells of a grid.
pub(super) const CELLS: usize = 144;

/// What the owners see of their own grids: the letters of units, in lower case where they are damaged, and `~`.
pub(super) type OwnGrids = [[u8; CELLS]; 2];

/// The own grids of both players before the first turn and after each. Stays empty in a classic game.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames(pub(super) Vec<OwnGrids>);

impl Frames {
    fn add(&mut self, position: &dyn GameInPlay) {
        let scene = position.scene(Eyes::Judge);
        if !scene.ships_move {
            return;
        }
        let grid = |side: Side| {
            let mut grid = [b'~'; CELLS];
            for hull in scene.waters[side].hulls.iter().flatten() {
                for (row, col) in hull.cells() {
                    // All symbols are ASCII.
                    let symbol = u8::try_from(hull.symbol).unwrap_or(b'?');
                    let mark = scene.waters[side].marks[row * 12 + col];
                    let is_hit = mark.is_some_and(|mark| mark.kind == MarkKind::Hit);
                    grid[row * 12 + col] =
                        if is_hit { symbol.to_ascii_lowercase() } else { symbol };
                }
            }
            grid
        };
        self.0.push(Side::BOTH.map(grid));
    }
}

impl Listener for Frames {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { position } | Event::Played { position, .. } => self.add(*position),
            Event::Turn { .. } | Event::Comment { .. } | Event::Ended { .. } => {}
        }
        Ok(())
    }
}
