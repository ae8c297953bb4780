//! A game of either kind that the bot plays against the check.

use battleship::protocol::Outcome;

use super::classic_play::ClassicPlay;
use super::halt::Halt;
use super::session::Session;
use super::twist_play::TwistPlay;
use crate::game::EndedBy;
use crate::terms::Rules;

/// A game that the bot plays against the check.
pub(super) enum Play<'g> {
    Classic(Box<ClassicPlay<'g>>),
    Twist(Box<TwistPlay>),
}

impl<'g> Play<'g> {
    /// Announces the game and has the bot place its ships. `seed` is the bot's; what the check does comes from it too.
    pub(super) fn begin(
        session: &mut Session<'_>,
        rules: &'g Rules,
        seed: u32,
    ) -> Result<Play<'g>, Halt> {
        if let Rules::Classic(game) = rules {
            return ClassicPlay::begin(session, game, seed).map(Box::new).map(Play::Classic);
        }
        TwistPlay::begin(session, seed).map(Box::new).map(Play::Twist)
    }

    /// Asks the bot for its turn and tells it the result.
    pub(super) fn turn(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        match self {
            Play::Classic(play) => play.turn(session).map(drop),
            Play::Twist(play) => play.turn(session).map(drop),
        }
    }

    /// Tells the bot of a shot of its opponent, which does not end the game.
    pub(super) fn opponents_turn(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        match self {
            Play::Classic(play) => play.opponents_turn(session),
            Play::Twist(play) => play.opponents_turn(session),
        }
    }

    /// Plays on until the bot has lost or won, and tells it that. A game of the twist, which is long, ends as if it had been
    /// interrupted.
    pub(super) fn play_on(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        match self {
            Play::Classic(play) => play.play_on(session),
            Play::Twist(_) => session.tell_end(Outcome::Void, EndedBy::Interrupted),
        }
    }

    /// So many turns of both.
    pub(super) fn turns(&mut self, session: &mut Session<'_>, count: usize) -> Result<(), Halt> {
        for _ in 0..count {
            self.turn(session)?;
            self.opponents_turn(session)?;
        }
        Ok(())
    }
}
