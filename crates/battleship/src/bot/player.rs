//! The course's abstract player, and a bot made of such players: a new one for each game.

use std::fmt;

use super::Bot;
use crate::protocol::Outcome;
use crate::{AttackResult, Board, Game, Point};

/// The course's abstract class: a player of one game, which it is made for and knows.
///
/// A new bot is easier to write as a [`Bot`], which lives through a whole series.
/// [`PlayerBot`] makes one of players.
pub trait Player {
    /// Returns the player's name.
    fn name(&self) -> &str;

    /// Returns whether the player is a human, who must not see the opponent's undamaged ships.
    fn is_human(&self) -> bool {
        false
    }

    /// Places every ship of the game on `board`, which is empty. Returns `false` if the player
    /// cannot; the game then ends without a winner.
    fn place_ships(&mut self, board: &mut Board<'_>) -> bool;

    /// Returns the point of the opponent's board that the player attacks next.
    fn recommend_attack(&mut self) -> Point;

    /// Tells the player the result of its attack at `at`.
    fn record_attack_result(&mut self, at: Point, result: AttackResult);

    /// Tells the player where its opponent attacked.
    fn record_attack_by_opponent(&mut self, at: Point);

    /// Returns whether the player has given up. It is asked after `place_ships` and
    /// `recommend_attack`, whose answers do not count then. Players of the specification never give
    /// up; a person may walk away.
    fn has_resigned(&self) -> bool {
        false
    }
}

/// Makes a [`Bot`] of a function that makes a [`Player`] for each game, from the game's parameters
/// and its seed.
///
/// ```no_run
/// use battleship::{Game, Player, PlayerBot};
///
/// # fn new_player(game: &Game, seed: u64) -> Box<dyn Player> { unimplemented!() }
/// fn main() -> std::process::ExitCode {
///     battleship::run("rookie", PlayerBot::new(new_player))
/// }
/// ```
pub struct PlayerBot<F> {
    new_player: F,
    /// The player of the game that is being played.
    player: Option<Box<dyn Player>>,
}

impl<F: FnMut(&Game, u64) -> Box<dyn Player>> PlayerBot<F> {
    /// A bot that plays as the players that `new_player` makes.
    pub const fn new(new_player: F) -> PlayerBot<F> {
        PlayerBot {
            new_player,
            player: None,
        }
    }

    fn player(&mut self) -> &mut dyn Player {
        self.player
            .as_deref_mut()
            .expect("`new_game` comes before everything else of a game")
    }
}

impl<F> fmt::Debug for PlayerBot<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerBot").finish_non_exhaustive()
    }
}

impl<F: FnMut(&Game, u64) -> Box<dyn Player>> Bot for PlayerBot<F> {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.player = Some((self.new_player)(game, seed));
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        self.player().place_ships(board)
    }

    fn attack(&mut self) -> Point {
        self.player().recommend_attack()
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.player().record_attack_result(at, result);
    }

    fn opponent_attacked(&mut self, at: Point) {
        self.player().record_attack_by_opponent(at);
    }

    fn game_over(&mut self, _outcome: Outcome) {
        self.player = None;
    }

    fn has_resigned(&self) -> bool {
        self.player
            .as_ref()
            .is_some_and(|player| player.has_resigned())
    }
}
