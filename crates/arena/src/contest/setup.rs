//! The setup that all games of a contest share.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use crate::game::{Entrant, Round, Starter};
use crate::record::{
    ContestHeader, FileWatch, GameLine, InContest, LinePlayer, SandboxOfGame, separate,
};
use bothost::BySide;
use bothost::Side;
use wire::game::Game;

use super::preflight::Checked;
use super::seeds::seeds;
use league::schedule::Series;

/// The setup that all games of a contest share.
#[derive(Clone, Debug)]
pub struct ContestSetup {
    /// The header of the record.
    pub header: ContestHeader,
    /// The players, by the names that the header has for them.
    pub entrants: Vec<Entrant>,
    /// The game that they play.
    pub game: Arc<dyn Game>,
    /// Their introductions.
    pub profiles: Vec<Checked>,
    /// The reasons why some of them cannot play.
    pub unfit: Vec<Option<String>>,
    /// What starts the players.
    pub starter: Arc<dyn Starter>,
    /// The sandbox, after it has been tried.
    pub sandbox: Option<SandboxOfGame>,
    /// The seeds of each two players, if they have their own, as in a match; otherwise the seed of
    /// the header counts for all.
    pub pair_seeds: Option<Arc<dyn PairSeeds>>,
    /// The files of the players and, behind them, of the judge, if changes of them end the contest.
    pub file_watch: Option<Arc<FileWatch>>,
    /// The files and folders of the referee's command, which belong to no player.
    pub own_files: Vec<PathBuf>,
}

/// The seeds of the matches of each two players.
pub trait PairSeeds: Debug + Send + Sync {
    /// Returns the seed of the match that `series` is a part of. Its players are known by their
    /// places in the list of players.
    fn seed_of(&self, series: &Series) -> u64;

    /// Returns the number of the game from which game number `index` takes its seed: `index`
    /// itself, unless several games have the same luck.
    fn luck_of(&self, index: u32) -> u32 {
        index
    }
}

impl ContestSetup {
    /// Returns the two players of `series`, ready to be started.
    pub(super) fn pair(&self, series: &Series) -> BySide<Entrant> {
        let mut both = series.players.map(|player| self.entrants[player].clone());
        // The players of a contest were hidden from each other when it began. Where seeds are set
        // by pairs, as in a class, players are too many for that.
        if self.pair_seeds.is_some() && self.starter.confines() {
            separate(
                &mut both.each_mut().map(|entrant| &mut entrant.program),
                &self.own_files,
            );
        }
        both.into()
    }

    /// Returns whether each game of `series` is played by new processes.
    pub(super) fn restarts(&self, series: &Series) -> bool {
        self.header.config.restart
            || series
                .players
                .into_iter()
                .any(|player| self.entrants[player].one_game)
    }

    /// Returns the game number `index` between the two players of `series`, from 0, as it is to be
    /// played, and its record so far. Of two games that belong together the first player begins
    /// one, and the second player the other.
    #[must_use]
    pub fn round(&self, series: &Series, index: u32) -> (Round, GameLine) {
        let config = &self.header.config;
        let first = Side::BOTH[index as usize % 2];
        let drawn = if self.game.has_equal_pairs() {
            index - index % 2
        } else {
            index
        };
        let (seed, seeds) = match &self.pair_seeds {
            // The games of a match of these two: the first of the series is its first player.
            Some(pairs) => seeds(pairs.seed_of(series), [0, 1], pairs.luck_of(drawn), first),
            None => seeds(config.seed, series.players, drawn, first),
        };
        let max_turns = config.terms.max_turns;
        let clocks = BySide::from_fn(|side: Side| {
            let player = &self.entrants[series.players[side.index()]];
            self.starter.clock_under(&config.terms, player)
        });
        let players = BySide::from_fn(|side: Side| {
            let player = series.players[side.index()];
            let profile = &self.profiles[player];
            LinePlayer {
                calls_itself: profile.own_name.clone(),
                author: profile.author.clone(),
                human: false,
                ..LinePlayer::of(&self.entrants[player], seeds[side], clocks[side])
            }
        });
        let contest = InContest {
            id: self.header.id.clone(),
            series: series.number + 1,
            game: index + 1,
        };
        let line = GameLine {
            contest: Some(contest),
            sandbox: self.sandbox.clone(),
            ..GameLine::new(self.game.rules(), seed, first, max_turns, players)
        };
        (
            Round {
                seed,
                bot_seeds: seeds,
                clocks,
                first,
                max_turns,
                retries: BySide::new(config.terms.retries, config.terms.retries),
            },
            line,
        )
    }
}
