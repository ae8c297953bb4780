//! The interface for the author of a bot, and the program that is made of a bot.
//!
//! * [`Bot`]: a bot that plays the classic game and the salvo game; [`TwistBot`]: one that plays
//!   the twist game.
//! * [`Program`]: the dialogue with the referee; [`run`] is the short form.
//! * [`PlayerBot`]: makes a [`Bot`] of the course's [`Player`].
//!
//! # The life of a bot
//!
//! One bot plays one game after the other, against the same opponent as long as its process lives.
//! A game goes like this:
//!
//! 1. `new_game`, with everything that is known of the game. It is called together with the first
//!    request of the game that the bot has to know, so it has the time of a reply.
//! 2. `time_limit`, if the referee says how long a reply may take; `game_time`, if it says how long
//!    all of them may take.
//! 3. One call to place the ships.
//! 4. Turn by turn: the bot is asked for its turn and learns the result; then it learns where its
//!    opponent attacked.
//! 5. `game_over`, exactly once for each `new_game`.
//!
//! `game_over` is called with [`Outcome::Void`] for a game that has no winner, and also for one
//! that breaks off: if the referee announces another game, quits, or closes the bot's input in the
//! middle of it. Only if the dialogue fails with a [`ServeError`] does a game remain without its
//! end.

mod player;
mod program;

pub use player::{Player, PlayerBot};
pub use program::{Dialogue, Greeting, Program, ServeError, run};

use std::time::Duration;

use crate::protocol::{Order, OrderResult, Outcome};
use crate::{AttackResult, Board, Game, Placement, Point};

/// A bot that plays the classic game and the salvo game. The crate's front page shows a whole one;
/// the [module](self) tells how a game goes.
pub trait Bot {
    /// A new game begins. The same `seed` should give the same play; it is 0 if the referee sends
    /// none.
    fn new_game(&mut self, game: &Game, seed: u64);

    /// Learns how long the bot may take for each reply of this game: a bot that takes longer loses.
    /// It is not called if the referee does not say.
    fn time_limit(&mut self, limit: Duration) {
        let _ = limit;
    }

    /// Learns how long the bot may take for all its replies of this game together, where the game
    /// has a clock instead of a limit for each reply. A bot that plays the same moves for the same
    /// seed follows this and not the time that is left.
    fn game_time(&mut self, time: Duration) {
        let _ = time;
    }

    /// Places every ship of the game on `board`, which is empty. Returns `false` if the bot cannot;
    /// the game then ends without a winner.
    fn place_ships(&mut self, board: &mut Board<'_>) -> bool;

    /// Returns the point of the opponent's board that the bot attacks. One outside the board, or
    /// one that was attacked before, wastes the turn.
    fn attack(&mut self) -> Point;

    /// Returns the points of the opponent's board at which the bot fires `shots` shots, in a game
    /// of salvos. Points outside the board, and those that were attacked before, are wasted. This
    /// one asks for as many attacks.
    fn salvo(&mut self, shots: usize) -> Vec<Point> {
        (0..shots).map(|_| self.attack()).collect()
    }

    /// Learns the result of the bot's attack at `at`.
    fn attack_result(&mut self, at: Point, result: AttackResult) {
        let _ = (at, result);
    }

    /// Learns where the opponent attacked.
    fn opponent_attacked(&mut self, at: Point) {
        let _ = at;
    }

    /// Learns how the game ended.
    fn game_over(&mut self, outcome: Outcome) {
        let _ = outcome;
    }

    /// Returns whether the bot has given up. It is called after [`Bot::place_ships`] and
    /// [`Bot::attack`], whose answers do not count then. Programs never need to; a person may walk
    /// away.
    fn has_resigned(&self) -> bool {
        false
    }
}

/// A bot that plays the twist game. It lives as a [`Bot`] does; the [module](self) tells how a game
/// goes.
///
/// It is not told where its own units are, or which of them are damaged: both follow from the
/// orders and the shots.
pub trait TwistBot {
    /// A new game begins. The same `seed` should give the same play; it is 0 if the referee sends
    /// none.
    fn new_game(&mut self, seed: u64);

    /// Learns how long the bot may take for each reply of this game, as [`Bot::time_limit`] does.
    fn time_limit(&mut self, limit: Duration) {
        let _ = limit;
    }

    /// Learns how long the bot may take for all its replies of this game together, as
    /// [`Bot::game_time`] does.
    fn game_time(&mut self, time: Duration) {
        let _ = time;
    }

    /// Returns the bow and the direction of each unit, in id order, or `None` if the bot cannot
    /// place them; the game then ends without a winner.
    fn place_units(&mut self) -> Option<Vec<Placement>>;

    /// Returns the bot's order. One that the rules refuse wastes the turn.
    fn act(&mut self) -> Order;

    /// Learns the result of the bot's last order.
    fn act_result(&mut self, order: Order, result: &OrderResult) {
        let _ = (order, result);
    }

    /// Learns where the opponent fired.
    fn opponent_fired(&mut self, at: Point) {
        let _ = at;
    }

    /// Learns how the game ended.
    fn game_over(&mut self, outcome: Outcome) {
        let _ = outcome;
    }

    /// Returns whether the bot has given up. It is called after [`TwistBot::place_units`] and
    /// [`TwistBot::act`].
    fn has_resigned(&self) -> bool {
        false
    }
}
