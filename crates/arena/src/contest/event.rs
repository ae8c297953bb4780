//! The events of a contest.

use std::fmt;
use std::sync::Arc;

use crate::game::{EndedBy, GameListener};
use crate::record::{ContestHeader, GameLine, SeriesRecord};
use bothost::Side;
use league::schedule::Series;
use league::statistics::Outcome;
use wire::Listener;
use wire::game::Game;

/// Something that happens in a contest.
#[derive(Debug)]
pub enum ContestEvent<'e> {
    /// It starts, or continues.
    Started {
        /// The terms of the contest.
        header: &'e ContestHeader,
        /// The game.
        game: &'e Arc<dyn Game>,
        /// The number of games, at least.
        games: u64,
        /// The number of games that are played at the same time.
        lanes: usize,
    },
    /// A game is over, on any lane. Its series may still be thrown away, if the contest is decided
    /// before.
    GameOver(GameOver),
    /// A series is over, and so are all before it; what it says is in the record, if there is one.
    SeriesOver {
        /// The series.
        series: &'e Series,
        /// Its games.
        games: &'e [GameLine],
        /// Its end; `None` if it was stopped on the way.
        end: Option<&'e SeriesRecord>,
        /// Whether it was read from the record and not played now.
        from_record: bool,
    },
    /// A player has spoiled too many games, and plays no more.
    Disqualified {
        /// The player.
        player: usize,
        /// The games that it has spoiled; 0 if it is out since the judge kept failing after its
        /// replies.
        faults: u64,
        /// The games that it has played.
        games: u64,
    },
    /// The user asked the referee to stop; running games are played to their end.
    Stopping,
    /// Time passes.
    Tick,
}

/// A game that is over, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// The series, from 0.
    pub series: usize,
    /// Its number among the games between these two players, from 0.
    pub game: u32,
    /// The players.
    pub players: [usize; 2],
    /// The winner.
    pub winner: Option<Side>,
    /// The points that it brought the first of them; `None` if it does not count.
    pub outcome: Option<Outcome>,
    /// The typed reason.
    pub ended_by: EndedBy,
}

impl GameOver {
    /// Returns the summary of `record`, the game number `game` of `series`.
    #[must_use]
    pub fn new(series: &Series, game: u32, record: &GameLine) -> GameOver {
        GameOver {
            series: series.number,
            game,
            players: series.players,
            winner: record.winning_side(),
            outcome: record.outcomes().map(|outcomes| outcomes.one),
            ended_by: record.ended_by,
        }
    }
}

/// Receives what happens in a contest: printers, streams and files.
pub type ContestListener<'l> = dyn for<'e> Listener<ContestEvent<'e>> + 'l;

/// Makes the listeners of the games on all lanes, as for people who watch a contest.
pub trait LaneListeners: fmt::Debug + Sync {
    /// Returns a listener to the game of `record` by `rules`, which begins on `lane` with the turn
    /// of `first`. The listener accepts every event.
    fn begin<'l>(&'l self, lane: usize, game: &GameLine) -> Box<GameListener<'l>>;
}
