//! A game in play, as its referee knows it, whichever game it is.

use std::fmt;

use crate::protocol::{Reply, Request};
use crate::scene::{Scene, Viewer};
use crate::{BySide, Placement, Point, Side, Step, Turn};

/// A game that is played, as its referee knows it.
///
/// Both players place their ships, then [`GameInPlay::start`] gives the first of them its turn.
///
/// ```
/// use battleship::{Direction, Placement, Point, Rules, Ruleset, Side, Step};
///
/// let mut game = Rules::usual(Ruleset::Classic).begin();
/// for side in Side::BOTH {
///     let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
///     game.place(side, &[0, 1, 2, 3, 4].map(row))?;
/// }
/// game.start(Side::One);
/// let turn = game.play(Step::Attack(Point::new(4, 0))).expect("an attack is a turn");
/// assert_eq!(turn.result().to_string(), "result 4 0 hit");
/// assert_eq!(game.mover(), Some(Side::Two));
/// # Ok::<(), String>(())
/// ```
pub trait GameInPlay: fmt::Debug {
    /// Places the ships of the player on `side`, in id order.
    ///
    /// # Errors
    /// If the rules do not allow it: all faults at once, as the end of a sentence that begins with
    /// the player's name.
    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String>;

    /// Starts the turns; `first` has the first one. Both players have placed their ships.
    fn start(&mut self, first: Side);

    /// Returns the side whose turn it is; `None` before the start and after the end.
    fn mover(&self) -> Option<Side>;

    /// Returns the request for the next turn.
    fn request(&self) -> Request;

    /// Returns the steps of a turn that is taken by `reply`: each shot of a salvo is one. `None` if
    /// `reply` answers another request.
    fn steps(&self, reply: &Reply) -> Option<Vec<Step>> {
        match (self.request(), reply) {
            (Request::Attack, Reply::Attack(at)) => Some(vec![Step::Attack(*at)]),
            (Request::Salvo(shots), Reply::Salvo(cells)) if cells.len() == shots => {
                Some(cells.iter().map(|at| Step::Attack(*at)).collect())
            }
            (Request::Act, Reply::Act(order)) => Some(vec![Step::Order(*order)]),
            _ => None,
        }
    }

    /// Plays a step of the player whose turn it is; `None` if there is no such player, or if it is
    /// a step of another game.
    fn play(&mut self, step: Step) -> Option<Turn>;

    /// Plays all steps of `reply`; `None` if it answers another request.
    fn play_all(&mut self, reply: &Reply) -> Option<Vec<Turn>> {
        self.steps(reply)?
            .into_iter()
            .map(|step| self.play(step))
            .collect()
    }

    /// Returns whether the next step belongs to the reply of the one before: shots of a salvo are
    /// left.
    fn is_mid_turn(&self) -> bool {
        false
    }

    /// Returns the side that has won, or `None` while neither has.
    fn winner(&self) -> Option<Side>;

    /// Returns the places of each player's ships, in id order; `None` for a player that has not
    /// placed all of them, and for both if the game has nothing to show before it has started.
    fn fleets(&self) -> BySide<Option<Vec<Placement>>>;

    /// Returns the scene for `viewer`.
    fn scene(&self, viewer: Viewer) -> Scene;

    /// Returns the text of the game's original program at a moment.
    fn transcript(&self, moment: Moment<'_>, people: &People<'_>) -> String;

    /// Returns the reason for which the turn of the player on `side` would be lost with `reply`, as
    /// a sentence for that player.
    fn refusal(&self, side: Side, reply: &Reply) -> Option<String>;

    /// Returns the ships of the player on `side` that can act, in id order; none where a turn names
    /// no ship.
    fn actors(&self, side: Side) -> Vec<Actor> {
        let _ = side;
        Vec::new()
    }

    /// Returns the result that an action of a ship of the player on `side` on `target` would have.
    fn preview(&self, side: Side, ship: usize, target: Point) -> Preview {
        let _ = (side, ship, target);
        Preview::default()
    }
}

/// A moment at which a transcript shows something.
#[derive(Clone, Copy, Debug)]
pub enum Moment<'t> {
    /// It is this player's turn.
    Before(Side),
    /// The player has taken this step.
    After(Side, &'t Turn),
    /// The player has won.
    Won(Side),
}

/// A ship that can act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Its id.
    pub ship: usize,
    /// The cell that names it in a turn.
    pub at: Point,
    /// The cells of its own waters on which it can act; `None` if it acts on any cell of the
    /// opponent's.
    pub targets: Option<Vec<Point>>,
}

/// The result that a turn would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The cells of the ship after its move, if it moves.
    pub outline: Vec<Point>,
    /// Whether it may not be there.
    pub forbidden: bool,
    /// Cells of the player's own waters that matter.
    pub own: Vec<Point>,
    /// Cells of the opponent's waters that it would reach.
    pub theirs: Vec<Point>,
    /// All that as a sentence without its full stop.
    pub words: String,
}

/// The players as a transcript knows them.
#[derive(Clone, Copy, Debug)]
pub struct People<'p> {
    /// Their names.
    pub names: &'p BySide<String>,
    /// Whether a person plays: people do not get to see what is hidden from them.
    pub human: &'p BySide<bool>,
}
