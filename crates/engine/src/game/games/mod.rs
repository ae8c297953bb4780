//! The games that the referee knows, each in a file of its own: how it is announced, which replies it asks for, and what
//! the players hear. The rules themselves are in the crate `battleship`; the turn loop is the same for all games.
//!
//! `ARCHITECTURE.md` tells how to add one. Every match over games is written out, so the compiler names the places.

mod classic;
mod placement;
mod twist;

use battleship::protocol::{Order, OrderResult, Reply, Request};
use battleship::{
    AttackResult, Board, BySide, GameState, Placement, Point, Side, twist as twist_rules,
};

pub use classic::{Classic, expected_fleet};
pub use placement::place_fleet;
pub use twist::Twist;

use crate::terms::Rules;

/// Something that is done with the game of some rules, whichever game that is.
pub trait WithGame {
    /// What it returns.
    type Output;

    /// Does it with `game`.
    fn with<G: WireGame>(self, game: &G) -> Self::Output;
}

impl Rules {
    /// Does `work` with the game that is played by these rules.
    pub fn with_game<W: WithGame>(&self, work: W) -> W::Output {
        match self {
            Rules::Classic(game) => work.with(&Classic(game)),
            Rules::Twist => work.with(&Twist),
        }
    }
}

/// What can be seen of a game at one moment: everything, also what its players do not know.
#[derive(Clone, Copy, Debug)]
pub enum Position<'e> {
    /// Both players' own boards, with the opponent's attacks.
    Classic(&'e BySide<Board<'e>>),
    /// The twist game.
    Twist(&'e twist_rules::State),
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub enum Played<'e> {
    /// An attack of the classic game.
    Attack {
        /// Where the attack was made.
        at: Point,
        /// What it hit.
        result: AttackResult,
    },
    /// An order of the twist game.
    Order {
        /// What the player wanted.
        order: Order,
        /// What it did.
        result: &'e OrderResult,
    },
}

/// What a player does in its turn.
pub type TurnOf<G> = <<G as WireGame>::State as GameState>::Turn;

/// What the rules make of a turn.
pub type ResultOf<G> = <<G as WireGame>::State as GameState>::TurnResult;

/// A game as it is played over the wire.
pub trait WireGame {
    /// What has been placed so far.
    type Fleets;
    /// The game once both players have placed their ships.
    type State: GameState<Turn: Copy>;

    /// What a player does that cannot place its ships, as the end of a sentence that begins with its name.
    const CANNOT_PLACE: &'static str;
    /// The request for a turn.
    const TURN: Request;
    /// What a bot may reply to it, in words.
    const EXPECTED_TURN: &'static str;

    /// Returns the lines that announce the game, up to its seed.
    fn announcement(&self) -> Vec<Request>;

    /// Returns what a bot may reply to `place`, in words.
    fn expected_placement(&self) -> String;

    /// Returns what has been placed before anything has been.
    fn no_fleets(&self) -> Self::Fleets;

    /// Places the ships of the player on `side`.
    ///
    /// # Errors
    /// If the rules do not allow it: all faults at once, as the end of a sentence that begins with the player's name.
    fn place(
        &self,
        fleets: &mut Self::Fleets,
        side: Side,
        placements: &[Placement],
    ) -> Result<(), String>;

    /// Returns what can be shown of a game that ends while ships are placed, or `None` if there is no board yet.
    fn placed(fleets: &Self::Fleets) -> Option<Position<'_>>;

    /// Begins the game, in which `first` has the first turn. Both players have placed their ships.
    fn begin(&self, fleets: Self::Fleets, first: Side) -> Self::State;

    /// Returns what can be shown of a game.
    fn position(state: &Self::State) -> Position<'_>;

    /// Returns the turn that `reply` is, or `None` if it is another kind of reply.
    fn turn_in(reply: &Reply) -> Option<TurnOf<Self>>;

    /// Returns what the mover hears of its turn.
    fn result(turn: TurnOf<Self>, result: &ResultOf<Self>) -> Request;

    /// Returns what the opponent hears of a turn, or `None` if the rules hide it.
    fn notice(turn: TurnOf<Self>, result: &ResultOf<Self>) -> Option<Request>;

    /// Returns the turn as listeners hear of it.
    fn played(turn: TurnOf<Self>, result: &ResultOf<Self>) -> Played<'_>;

    /// Returns the reason of a game that has reached its turn cap, as a sentence.
    fn undecided(max_turns: u32) -> String;
}
