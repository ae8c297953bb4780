//! A game turn by turn: the scene after each turn, and a sentence about it.

use crate::protocol::OrderResult;
use crate::scene::{Scene, ShipState, Viewer};
use crate::sentence::filled;
use crate::{AttackResult, GameInPlay, Part, Point, Side, Turn};

/// The view after a turn, for one who sees everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The scene after the turn.
    pub scene: Scene,
    /// A sentence about the turn; empty before the first.
    pub sentence: Vec<Part>,
    /// Its effect on the opponent. A judge knows of a ship that has sunk, even if the player was
    /// not told.
    pub impact: AttackResult,
    /// The cells to look at.
    pub highlights: Vec<Highlight>,
}

/// A cell to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Whether it is on the grid with the notes of the player on `side`, and not in that player's
    /// waters.
    pub in_notes: bool,
    /// The player.
    pub side: Side,
    /// The row.
    pub row: usize,
    /// The column.
    pub col: usize,
}

impl Frame {
    /// Returns the frame before the first turn of `game`.
    pub fn opening(game: &dyn GameInPlay) -> Frame {
        Frame {
            scene: game.scene(Viewer::Judge),
            sentence: Vec::new(),
            impact: AttackResult::Miss,
            highlights: Vec::new(),
        }
    }

    /// Returns the frame after `turn` of `mover`, which led from this frame to `game` on boards of
    /// this `size`.
    pub fn after(&self, turn: &Turn, mover: Side, game: &dyn GameInPlay, size: [i32; 2]) -> Frame {
        let scene = game.scene(Viewer::Judge);
        let other = mover.other();
        let mut both = self.scene.ships[other].iter().zip(&scene.ships[other]);
        let sunk = both.position(|(then, now)| *then != ShipState::Sunk && *now == ShipState::Sunk);
        let mut sentence = turn.sentence(mover, Viewer::Judge);
        let mut impact = turn.impact();
        if let Some(ship) = sunk.filter(|_| !matches!(impact, AttackResult::Sunk(_))) {
            impact = AttackResult::Sunk(ship);
            sentence.extend(filled(" The * sank.", [Part::Ship(ship)]));
        }
        let highlights = highlights(turn, mover, size, scene.notes.is_some());
        Frame {
            scene,
            sentence,
            impact,
            highlights,
        }
    }
}

/// Returns the cells to look at after a turn on boards of this size.
fn highlights(turn: &Turn, mover: Side, [rows, cols]: [i32; 2], has_notes: bool) -> Vec<Highlight> {
    let Point { row, col } = turn.target();
    let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
    let (Some(side), true) = (turn.acts_on(mover), on_board) else {
        return Vec::new();
    };
    let number = |number: i32| usize::try_from(number).expect("it is on the board");
    let waters = Highlight {
        in_notes: false,
        side,
        row: number(row),
        col: number(col),
    };
    let notes = Highlight {
        in_notes: true,
        side: mover,
        ..waters
    };
    let is_repair = matches!(
        turn,
        Turn::Order {
            result: OrderResult::Repaired(_),
            ..
        }
    );
    let mut cells = vec![waters];
    cells.extend(Some(notes).filter(|_| has_notes && !is_repair));
    cells
}
