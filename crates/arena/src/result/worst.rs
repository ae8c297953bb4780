//! The game that a player should look at first.

use crate::explain::PlayedOnce;
use crate::game::EndedBy;
use crate::record::GameLine;
use bothost::Side;
use league::statistics::Outcome;
use serde::Serialize;

/// A game that a player should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The rank by badness: less is worse.
    badness: (u8, u64),
    /// The game itself.
    pub played: PlayedOnce,
    /// The series, from 1; `None` if it was played in no contest.
    pub series: Option<usize>,
    /// The number of the game between these two, from 1.
    pub game: Option<u32>,
    /// The reason to look at it.
    pub why: String,
}

impl Worst {
    /// Returns the game as the worst one of the player on `side`, to whom it brought `outcome`;
    /// `None` if `other` is as bad or there is nothing to look at.
    ///
    /// Ordered: faults first, then losses with the fewest hits, then games not won, then wins with
    /// the most attacks.
    pub(super) fn of(
        game: &GameLine,
        side: Side,
        outcome: Option<Outcome>,
        other: Option<&Worst>,
    ) -> Option<Worst> {
        let stats = &game.stats;
        let turns = u64::from(stats.turns[side]);
        let hits = u64::from(stats.hits[side]);
        let done = &stats.reached[side];
        let (badness, why): ((u8, u64), String) = match outcome {
            _ if game.by == Some(side) && game.ended_by.is_fault() => ((0, 0), game.reason.clone()),
            Some(Outcome::Loss) => ((1, hits), format!("lost with {done}")),
            Some(Outcome::Draw) => ((2, hits), format!("not won, {done}")),
            Some(Outcome::Win) if game.ended_by == EndedBy::FleetSunk => {
                ((3, u64::MAX - turns), format!("won with {turns} attacks"))
            }
            Some(Outcome::Win) | None => return None,
        };
        if other.is_some_and(|other| other.badness <= badness) {
            return None;
        }
        let place = game.contest.as_ref();
        let series = place.map(|place| place.series);
        let number = place.map(|place| place.game);
        Some(Worst {
            badness,
            played: game.into(),
            series,
            game: number,
            why,
        })
    }
}

/// A game that a player should look at.
#[derive(Clone, Debug, Serialize)]
pub struct WorstGame {
    /// The series, from 1.
    pub series: Option<usize>,
    /// The number of the game between its two players, from 1.
    pub game: Option<u32>,
    /// The reason to look at it.
    pub why: String,
    /// The command that replays it.
    pub repeat: String,
}
