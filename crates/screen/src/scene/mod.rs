//! What can be seen of a game after so many turns: by one of its players, or by one who sees everything.

mod classic;
mod sunk;
mod twist;
mod words;

use battleship::Side;

use crate::look::Sign;
use crate::picture::Grid;
use crate::story::{Did, Rules, Story};

pub(crate) use self::twist::state_after;
pub(crate) use self::words::{age_in_words, cell_name, said};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eyes {
    /// One who sees both fleets.
    Judge,
    /// A player, who sees its own fleet and what it has found out about the other.
    Player(Side),
}

impl Eyes {
    /// Whether this one sees the fleet of the player on `side`.
    fn see(self, side: Side) -> bool {
        self == Eyes::Judge || self == Eyes::Player(side)
    }
}

/// Returns the waters of the player on `side` after `turns` turns, with the fleet.
pub(crate) fn waters(story: &Story, turns: usize, side: Side, eyes: Eyes) -> Grid {
    let mut grid = match &story.rules {
        Rules::Classic(game) => classic::waters(story, game, turns, side, eyes),
        Rules::Twist => twist::waters(story, turns, side, eyes),
    };
    grid.last = story.turns[..turns].last().and_then(|turn| {
        let seen = match &turn.did {
            Did::Attack(at, _) => (turn.mover.other(), *at),
            Did::Order(order, result) if result.is_of_shot() => (turn.mover.other(), order.target),
            // Where a unit has moved is hidden from the other player.
            Did::Order(order, _) if eyes.see(turn.mover) => (turn.mover, order.target),
            Did::Order(..) => return None,
        };
        let at = (usize::try_from(seen.1.row).ok()?, usize::try_from(seen.1.col).ok()?);
        (seen.0 == side && grid.index(at).is_some()).then_some(at)
    });
    grid
}

/// Returns a grid with nothing on it.
fn empty(rules: &Rules) -> Grid {
    let (rows, cols) = names_of_lines(rules);
    let signs = vec![Sign::Water; rows.len() * cols.len()];
    Grid { rows, cols, signs, ..Grid::default() }
}

/// Returns what rows and columns of `rules` are called.
pub(crate) fn names_of_lines(rules: &Rules) -> (Vec<String>, Vec<String>) {
    match rules {
        Rules::Classic(game) => {
            let names = |count: i32| (0..count).map(|number| number.to_string()).collect();
            (names(game.rows()), names(game.cols()))
        }
        Rules::Twist => {
            let cells = battleship::twist::Cell::all().collect::<Vec<_>>();
            let size = usize::from(battleship::twist::SIZE);
            let name = |cell: &battleship::twist::Cell| cell.to_string();
            let rows = cells.iter().step_by(size).map(|cell| name(cell).chars().take(1).collect());
            let cols = cells.iter().take(size).map(|cell| name(cell).chars().skip(1).collect());
            (rows.collect(), cols.collect())
        }
    }
}
