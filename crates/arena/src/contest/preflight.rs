//! The checks of every player before a contest begins.

use bothost::BySide;
use std::io;
use std::sync::Arc;

use wire::game::Game;

use super::lanes::Lanes;
use crate::game::{
    EndedBy, Ending, Entrant, Pair, Round, Starter as _, Stopped, derived_seed, seeds_of_game,
    tell_apart,
};
use crate::terms::GameTerms;
use bothost::{Interrupt, Launch, Side};

/// Number of attacks that each side makes in the game that checks a player.
const ATTACKS: u32 = 3;

/// Number of times that a player may say that it cannot place its ships before it counts as one
/// that cannot. A player that gives up in half of its games passes all the same, but for one time
/// in a million: both copies of it have to place theirs.
const TRIES_TO_PLACE: u64 = 48;

/// The statements of a player about itself when it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Its name for itself, if that is not its name.
    pub own_name: Option<String>,
    /// Its author, if it says.
    pub author: Option<String>,
}

/// The reason why a player did not pass, or was not tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotChecked {
    /// It failed, so.
    Failed(String),
    /// The user stopped the referee.
    Interrupted,
}

/// The parameters of the checks.
#[derive(Clone, Debug)]
pub struct Preflight<'c> {
    /// The game.
    pub game: &'c dyn Game,
    /// The terms of each game.
    pub terms: &'c GameTerms,
    /// The settings for starting bots.
    pub launch: &'c Launch,
    /// The source of the seeds of its games.
    pub seed: u64,
}

impl Preflight<'_> {
    /// Has each of `players` begin a game against itself, of a few attacks: it has to start, to
    /// place its ships where they may be, and to attack in time.
    ///
    /// # Errors
    /// If the referee or its machine fails.
    pub fn run(
        &self,
        players: &[Entrant],
        lanes: &Lanes,
        interrupt: &Arc<Interrupt>,
    ) -> io::Result<Vec<Result<Checked, NotChecked>>> {
        // One player that fails does not keep the others from being checked: the user sees all
        // faults at once.
        let checked = lanes.each(players, |player| self.check(player, interrupt));
        checked.into_iter().collect()
    }

    fn check(
        &self,
        player: &Entrant,
        interrupt: &Arc<Interrupt>,
    ) -> io::Result<Result<Checked, NotChecked>> {
        // Against itself: an opponent of ours could fail in a way that would be blamed on the
        // player.
        let mut both = [player.clone(), player.clone()];
        tell_apart(&mut both);
        let both = BySide::from(both);
        let pair = Pair::start(
            &both,
            self.launch,
            self.game.name(),
            self.terms.start_limit,
            interrupt,
            None,
        );
        let mut pair = match pair {
            Ok(pair) => pair,
            Err(Stopped::Ended(ending)) => return Ok(Err(not_checked(&ending))),
            Err(Stopped::Failed(error)) => return Err(error),
        };
        let mut table = self.game.table()?;
        let mut play = |number: u64| {
            let seed = derived_seed(self.seed, "preflight", &[number]);
            let clock = self.launch.clock_under(self.terms, player);
            let round = Round {
                seed,
                bot_seeds: seeds_of_game(seed, Side::One),
                clocks: BySide::new(clock, clock),
                first: Side::One,
                max_turns: ATTACKS,
                retries: BySide::new(self.terms.retries, self.terms.retries),
            };
            let played = pair.play(&mut *table, &round, &mut ())?;
            Ok::<_, io::Error>(played.ending)
        };
        let mut ending = play(0)?;
        for number in 1..TRIES_TO_PLACE {
            // Some programs place at random and give up at times. That loses a game, not a contest.
            if ending.ended_by != EndedBy::CannotPlace {
                break;
            }
            ending = play(number)?;
        }
        let checked = Checked {
            own_name: pair.own_name(Side::One),
            author: pair.authors.one.clone(),
        };
        pair.end(&ending)?;
        let passed = !ending.ended_by.is_fault() && ending.ended_by != EndedBy::Interrupted;
        Ok(if passed {
            Ok(checked)
        } else {
            Err(not_checked(&ending))
        })
    }
}

fn not_checked(ending: &Ending) -> NotChecked {
    if ending.ended_by == EndedBy::Interrupted {
        return NotChecked::Interrupted;
    }
    NotChecked::Failed(ending.what.clone())
}
