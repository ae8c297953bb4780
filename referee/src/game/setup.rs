use std::io;
use std::time::Duration;

use battleship::protocol::{Outcome, Request, Ruleset};
use battleship::{Board, Game, twist};

use super::seeds::draw_first;
use super::{Ending, Event, Listener, Over, classic};
use bothost::{Lane, Side};

/// What is played.
#[derive(Clone, Debug)]
pub(crate) enum Rules {
    /// The classic game with this board and fleet.
    Classic(Game),
    /// The 12x12 game with moving, repairing and sonar.
    Twist,
}

impl Rules {
    /// The rules, as the protocol names them.
    pub(crate) const fn ruleset(&self) -> Ruleset {
        match self {
            Rules::Classic(_) => Ruleset::Classic,
            Rules::Twist => Ruleset::Twist,
        }
    }

    /// The rows and columns of a board.
    pub(crate) const fn size(&self) -> [i32; 2] {
        match self {
            Rules::Classic(game) => [game.rows(), game.cols()],
            Rules::Twist => [twist::SIZE as i32; 2],
        }
    }

    /// Who moves first in a game with this seed unless something else is asked for: the first player in the classic
    /// game, one by chance in the twist game.
    pub(crate) fn usual_first(&self, seed: u64) -> Side {
        match self {
            Rules::Classic(_) => Side::One,
            Rules::Twist => draw_first(seed),
        }
    }

    /// The turns that each player may have unless something else is asked for: ten times the cells of a board in the
    /// classic game, half of the original's 200 in the twist game.
    pub(crate) fn default_max_turns(&self) -> u32 {
        match self {
            Rules::Classic(game) => {
                u32::try_from(10 * game.cells().len()).expect("at most 100 cells")
            }
            Rules::Twist => twist::ORIGINAL_TURN_LIMIT / 2,
        }
    }
}

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
