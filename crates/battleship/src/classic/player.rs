//! The course's abstract player.

use super::{AttackResult, Board, Point};

/// The course's abstract class: a player of one game, which it is made for and knows.
///
/// A new bot is easier to write as a [`Bot`](crate::Bot), which lives through a whole series.
/// [`PlayerBot`](crate::PlayerBot) makes one of players.
pub trait Player {
    /// Returns the player's name.
    fn name(&self) -> &str;

    /// Returns whether the player is a human, who must not see the opponent's undamaged ships.
    fn is_human(&self) -> bool {
        false
    }

    /// Places every ship of the game on `board`, which is empty. Returns `false` if the player cannot; the game
    /// then ends without a winner.
    fn place_ships(&mut self, board: &mut Board<'_>) -> bool;

    /// Returns the point of the opponent's board that the player attacks next.
    fn recommend_attack(&mut self) -> Point;

    /// Tells the player the result of its attack at `at`.
    fn record_attack_result(&mut self, at: Point, result: AttackResult);

    /// Tells the player where its opponent attacked.
    fn record_attack_by_opponent(&mut self, at: Point);

    /// Returns whether the player has given up. It is asked after `place_ships` and `recommend_attack`, whose answers
    /// do not count then. Players of the specification never give up; a person may walk away.
    fn has_resigned(&self) -> bool {
        false
    }
}
