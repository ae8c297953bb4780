//! The boards of a twist game after each of its turns, as what changes: so the page needs none of the twist's rules.

use battleship::Side;
use battleship::twist::{Cell, State};

use super::pack::varint;
use crate::game::{Event, Listener, Position, Stop};

/// What a cell without anything shows.
const WATER: u8 = b'~';

/// The grids of one player and its opponent: each one's own units, and what each has marked of the other's.
const GRIDS: usize = 4;

const CELLS: usize = 144;

/// The changes of four grids, turn by turn: those of both players with their units, then what each has marked. Stays
/// empty in a classic game.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    shown: [[u8; CELLS]; GRIDS],
    changes: Vec<u8>,
}

impl Frames {
    /// Returns the grids before a game.
    pub(super) const fn new() -> Frames {
        Frames { shown: [[WATER; CELLS]; GRIDS], changes: Vec::new() }
    }

    /// Returns the changes: for each moment and grid their number and pairs of a cell and what it shows now.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.changes
    }

    fn add(&mut self, state: &State) {
        let [one, two] = Side::BOTH;
        let own = |side: Side| move |cell: Cell| state.fleet(side).symbol(cell);
        let marked = |side: Side| move |cell: Cell| state.view(side).attack().symbol(cell);
        self.change(0, own(one));
        self.change(1, own(two));
        self.change(2, marked(one));
        self.change(3, marked(two));
    }

    fn change(&mut self, grid: usize, symbol: impl Fn(Cell) -> char) {
        let mut changed = Vec::new();
        for (number, cell) in (0_u8..).zip(Cell::all()) {
            // All symbols are ASCII.
            let now = u8::try_from(symbol(cell)).unwrap_or(b'?');
            let shown = &mut self.shown[grid][usize::from(number)];
            if *shown != now {
                *shown = now;
                changed.extend([number, now]);
            }
        }
        varint(changed.len() as u64 / 2, &mut self.changes);
        self.changes.extend(changed);
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
