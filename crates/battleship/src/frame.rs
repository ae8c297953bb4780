//! A game as people look at it turn by turn: the scene after each turn, and what to say of it.

use crate::scene::{Eyes, Health, Scene};
use crate::{BySide, GameInPlay, Impact, Point, Side, Turn};

/// The view after a turn, for one who sees everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The scene after the turn.
    pub scene: Scene,
    /// A sentence about the turn; empty before the first.
    pub said: String,
    /// Its effect on the opponent. A judge knows of a ship that has sunk, even if the player was not told.
    pub impact: Impact,
    /// The cells to look at.
    pub outlined: Vec<Outlined>,
}

/// A cell to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// Whether it is on the grid with the notes of the player on `side`, and not in that player's waters.
    pub in_notes: bool,
    /// The player.
    pub side: Side,
    /// The row.
    pub row: usize,
    /// The column.
    pub col: usize,
}

impl Frame {
    /// Returns what there is to see before the first turn of `game`.
    #[must_use]
    pub fn opening(game: &dyn GameInPlay) -> Frame {
        let scene = game.scene(Eyes::Judge);
        Frame {
            scene,
            said: String::new(),
            impact: Impact::Nothing,
            outlined: Vec::new(),
        }
    }

    /// Returns what there is to see after `turn` of `mover`, which led from this frame to `game`. `names` are the players'.
    #[must_use]
    pub fn after(
        &self,
        turn: &Turn,
        mover: Side,
        game: &dyn GameInPlay,
        names: &BySide<String>,
    ) -> Frame {
        let rules = game.rules();
        let scene = game.scene(Eyes::Judge);
        let other = mover.other();
        let mut both = self.scene.ships[other].iter().zip(&scene.ships[other]);
        let sunk = both.position(|(then, now)| *then != Health::Sunk && *now == Health::Sunk);
        let mut said = rules.said(turn, mover, names, Eyes::Judge);
        let mut impact = turn.impact();
        if let Some(ship) = sunk.filter(|_| !matches!(impact, Impact::Sunk(_))) {
            impact = Impact::Sunk(ship);
            if let Some(ship) = rules.ships().get(ship) {
                said = format!("{said} The {} sank.", ship.name);
            }
        }
        let outlined = cells_of(turn, mover, rules.size(), scene.notes.is_some());
        Frame {
            scene,
            said,
            impact,
            outlined,
        }
    }
}

/// Returns the cells to look at after a turn on boards of this size.
fn cells_of(turn: &Turn, mover: Side, [rows, cols]: [i32; 2], has_notes: bool) -> Vec<Outlined> {
    let Point { row, col } = turn.target();
    let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
    let (Some(side), true) = (turn.acts_on(mover), on_board) else {
        return Vec::new();
    };
    let number = |number: i32| usize::try_from(number).expect("it is on the board");
    let (row, col) = (number(row), number(col));
    let waters = Outlined {
        in_notes: false,
        side,
        row,
        col,
    };
    let notes = Outlined {
        in_notes: true,
        side: mover,
        row,
        col,
    };
    [waters]
        .into_iter()
        .chain((has_notes && turn.explores()).then_some(notes))
        .collect()
}
