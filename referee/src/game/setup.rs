use std::io;
use std::time::Duration;

use battleship::Board;
use battleship::protocol::{Outcome, Request, Ruleset};

use super::{Ending, Event, Listener, Over, classic};
use crate::terms::Rules;
use bothost::{Lane, Side};

/// What a game is played with.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    /// What is played.
    pub(crate) rules: Rules,
    /// The seed of each bot, in order.
    pub(crate) seeds: [u32; 2],
    /// How long each player may take for a reply; nothing for no limit.
    pub(crate) limits: [Option<Duration>; 2],
    /// How many turns each player may have before the game ends without a winner.
    pub(crate) max_turns: u32,
}

/// Plays one game between the bots of `lane`, which have been greeted; the player on `first` moves first.
/// `listener` is told of everything, and both bots are told the end. One that has failed is good for no other
/// game.
///
/// # Errors
/// If the referee or its machine fails. Whatever a bot does is an [`Ending`].
pub(crate) fn play(
    lane: &mut Lane,
    game: &Match,
    first: Side,
    listener: &mut dyn Listener,
) -> io::Result<Ending> {
    match &game.rules {
        Rules::Classic(rules) => classic::play(lane, game, rules, first, listener),
        Rules::Twist => super::twist::play(lane, game, first, listener),
    }
}

/// Announces a game with these ships to the player on `side`.
pub(super) fn announce<'s>(
    lane: &mut Lane,
    side: Side,
    ruleset: Ruleset,
    [rows, cols]: [i32; 2],
    ships: impl Iterator<Item = (i32, char, &'s str)>,
    seed: u32,
) -> io::Result<()> {
    lane.tell(side, &Request::Game { ruleset, rows, cols })?;
    for (id, (length, symbol, name)) in ships.enumerate() {
        lane.tell(side, &Request::Ship { id, length, symbol, name: name.to_owned() })?;
    }
    lane.tell(side, &Request::Seed(seed))
}

/// Lets `listener` hear how a game has ended; how it has when `listener` stops it even then.
pub(super) fn tell_ending(
    listener: &mut dyn Listener,
    ending: &Ending,
    boards: Option<[&Board<'_>; 2]>,
) -> io::Result<Ending> {
    match listener.hear(&Event::Ended { ending, boards }).map_err(Over::from) {
        Ok(()) => Ok(ending.clone()),
        Err(Over::Ended(interrupted)) => Ok(interrupted),
        Err(Over::Failed(error)) => Err(error),
    }
}

/// How a game has ended, and both bots are told; an error if the referee has failed.
pub(super) fn conclude(lane: &mut Lane, over: Result<Ending, Over>) -> io::Result<Ending> {
    let ending = match over {
        Ok(ending) | Err(Over::Ended(ending)) => ending,
        Err(Over::Failed(error)) => return Err(error),
    };
    for side in Side::BOTH {
        let outcome = match ending.winner {
            None => Outcome::Void,
            Some(winner) if winner == side => Outcome::Won,
            Some(_) => Outcome::Lost,
        };
        lane.tell(side, &Request::End(outcome, ending.ended_by.to_string()))?;
    }
    Ok(ending)
}
