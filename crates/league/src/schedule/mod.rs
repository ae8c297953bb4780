//! The pairings of a contest, and their order.
//!
//! A [`Schedule`] gives out the contest round by round. It depends on nothing but its [`Plan`] and
//! the results of the rounds before, so a contest that is taken up again gets the same [`Series`]
//! under the same numbers.

mod all_play_all;
mod knockout;
mod matching;
mod place;
mod plan;
mod rematches;
mod series;
mod swiss;
#[cfg(test)]
mod tests;

pub use self::place::Place;
pub use self::plan::{
    Format, MOST_GAMES, MOST_GAMES_PER_SERIES, MOST_PLAYERS, Plan, PlanError, default_swiss_rounds,
};
pub use self::series::{Round, Series};

use self::all_play_all::AllPlayAll;
use self::knockout::Knockout;
use self::swiss::Swiss;
use crate::crosstable::Crosstable;

/// The rounds of one contest, given out one after the other.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    system: System,
    /// The number of rounds given out so far.
    rounds: usize,
    /// The number of series numbered so far.
    series: usize,
    /// The number of games given out so far.
    games: u64,
}

#[derive(Clone, Debug)]
enum System {
    AllPlayAll(AllPlayAll),
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Schedule {
    /// Returns the schedule of a contest before its first game.
    ///
    /// # Errors
    /// The fault in the plan.
    pub fn new(plan: Plan) -> Result<Schedule, PlanError> {
        Schedule::grown(plan, &[])
    }

    /// Returns the schedule of a contest that had fewer players before: `stages` has their numbers,
    /// rising. Each stage is a round of the pairings that are new in it, so the series of the
    /// earlier ones keep their numbers. A Swiss tournament and a knockout have one stage.
    ///
    /// # Errors
    /// The fault in the plan or its stages.
    pub fn grown(plan: Plan, stages: &[usize]) -> Result<Schedule, PlanError> {
        plan.check()?;
        let rises = [1]
            .iter()
            .chain(stages)
            .chain([&plan.players])
            .is_sorted_by(|a, b| a < b);
        if !(stages.is_empty() || plan.format.is_fixed() && rises) {
            let stages = stages.to_vec();
            let players = plan.players;
            return Err(PlanError::Stages { stages, players });
        }
        let Plan { players, games, .. } = plan;
        let all_play_all = |pairs| AllPlayAll::new(players, games, stages, pairs);
        let system = match plan.format {
            Format::RoundRobin => System::AllPlayAll(all_play_all(all_play_all::circle)),
            Format::Gauntlet => System::AllPlayAll(all_play_all(all_play_all::from_first)),
            Format::Swiss { rounds } => System::Swiss(Swiss::new(players, games, rounds)),
            Format::Knockout => System::Knockout(Knockout::new(players, games)),
        };
        Ok(Schedule {
            plan,
            system,
            rounds: 0,
            series: 0,
            games: 0,
        })
    }

    /// Returns the series of the next round, or `None` when the contest is over.
    ///
    /// `table` has the results of all rounds before, and `is_disqualified` says who was
    /// disqualified by then: a contest that is resumed asks for each round with both as they were
    /// at that time. No disqualified player is in the round.
    ///
    /// The first series of all pairings come before the second ones, so that a contest that is
    /// stopped early has about as many games of each player.
    pub fn next_round(
        &mut self,
        table: &Crosstable,
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Option<Round> {
        loop {
            let pairings = match &mut self.system {
                System::AllPlayAll(all_play_all) => all_play_all.next_round(),
                System::Swiss(swiss) => swiss.next_round(table, is_disqualified),
                System::Knockout(knockout) => knockout.next_round(table, is_disqualified),
            }?;
            let numbers = [self.rounds, self.series];
            let round = Round::new(pairings, self.plan.series, numbers, is_disqualified);
            self.rounds += 1;
            // Series that are left out have numbers too, so that the numbers in a round robin
            // depend on the plan alone.
            self.series += round.numbers();
            self.games += round.total_games();
            if round.total_games() > 0 {
                return Some(round);
            }
            // The players that were added in a stage may all be out; others were added after them.
            if !matches!(self.system, System::AllPlayAll(_)) {
                return None;
            }
        }
    }

    /// Returns the order of the players, the best first; disqualified ones share the last place.
    /// `table` has the results that are to count: what players did against those who are out need
    /// not be in it.
    ///
    /// - Round robin and gauntlet: by the share of the points.
    /// - Swiss: by match points a round, then the share of the points in games, then the sum of the
    ///   opponents' match points (Buchholz).
    /// - Knockout: by the round reached.
    ///
    /// In a swiss tournament or a knockout a round counts when it is over, that is, once the next
    /// was asked for.
    #[must_use]
    pub fn standings(
        &self,
        table: &Crosstable,
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Vec<Place> {
        let places = match &self.system {
            System::AllPlayAll(all_play_all) => all_play_all.places(table),
            System::Swiss(swiss) => swiss.places(table, is_disqualified),
            System::Knockout(knockout) => knockout.places(),
        };
        place::ranked(places, is_disqualified)
    }

    /// Returns the games of the whole contest: those given out, and those of the rounds to come.
    ///
    /// This is exact for a round robin and a gauntlet. The others are counted without extra games
    /// in a knockout's ties, and as if no other player were disqualified.
    #[must_use]
    pub fn total_games_at_least(&self) -> u64 {
        let to_come = match &self.system {
            System::AllPlayAll(all_play_all) => all_play_all.games_to_come(),
            System::Swiss(swiss) => swiss.games_to_come(),
            System::Knockout(knockout) => knockout.games_to_come(),
        };
        self.games + to_come
    }
}
