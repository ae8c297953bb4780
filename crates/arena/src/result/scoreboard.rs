//! The standings of a contest at any moment, from the series that are over: while it is played, and
//! from its record.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use wire::game::{Game, Readers};

use super::is_disqualified;
use super::pool::check;
use super::{ContestResult, FAILED_CHECK, Finish, Summary, Tally};
use crate::record::Shard;
use bothost::Side;

use crate::record::{ContestHeader, GameLine, RecordError, RecordReader, SeriesRecord};
use league::schedule::{Place, PlanError, Round, Schedule, Series};
use league::statistics::bradley_terry::Anchor;

/// The results of the finished series of a contest.
#[derive(Debug)]
pub struct Scoreboard {
    header: ContestHeader,
    game: Arc<dyn Game>,
    shard: Option<Shard>,
    schedule: Schedule,
    /// The series that are not passed yet; `None` after the last round.
    round: Option<Round>,
    /// The next series that is to be over.
    awaited: Option<Series>,
    /// Series that are over, though one before them is not.
    ahead: BTreeSet<usize>,
    tally: Tally,
    out: Vec<bool>,
    /// Attacks, times and other figures of the games that count; `None` while the tally has them.
    figures: Option<Tally>,
    decided: bool,
}

/// The standings of a contest that was read from its record.
#[derive(Debug)]
pub struct ReadContest {
    /// The standings.
    pub board: Scoreboard,
    /// All games of the record.
    pub games: u64,
    /// Those of them that do not count, as their series were not played to their end.
    pub left_out: u64,
}

/// The reason why a record has no standings.
#[derive(Debug, Error)]
pub enum ScoreboardError {
    /// It cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Its header describes no contest that could be played.
    #[error("{}: the header of the record cannot be right: {error}", .path.display())]
    Plan { path: PathBuf, error: PlanError },
}

impl Scoreboard {
    /// Returns the standings of the contest of `header`, in which `game` is played, before its
    /// first series.
    ///
    /// # Errors
    /// If it cannot be played as it says.
    pub fn new(header: ContestHeader, game: Arc<dyn Game>) -> Result<Scoreboard, PlanError> {
        let players = &header.config.players;
        let mut board = Scoreboard {
            shard: header.part(),
            schedule: header.schedule()?,
            round: None,
            awaited: None,
            ahead: BTreeSet::new(),
            tally: Tally::new(players.len()),
            out: players.iter().map(|player| player.cannot_play).collect(),
            figures: None,
            decided: false,
            header,
            game,
        };
        board.begin_round();
        board.pass();
        Ok(board)
    }

    /// Returns the header of the contest.
    #[must_use]
    pub fn header(&self) -> &ContestHeader {
        &self.header
    }

    /// Returns the players on the seats of a game of the contest.
    #[must_use]
    pub fn seats(&self, game: &GameLine) -> Option<[usize; 2]> {
        let players = &self.header.config.players;
        let place = |side: Side| {
            let name = &game.players[side].name;
            players.iter().position(|player| player.name == *name)
        };
        let one = place(Side::One)?;
        let two = place(Side::Two)?;
        (one != two).then_some([one, two])
    }

    /// Returns the next series that is to be over; `None` after the last one.
    pub(crate) fn awaited(&self) -> Option<Series> {
        self.awaited
    }

    /// Passes the awaited series, whose games are missing.
    pub(crate) fn skip(&mut self) {
        self.awaited = None;
        self.pass();
    }

    /// Returns for each player whether it is out: it could not play, or was disqualified.
    pub(crate) fn out(&self) -> &[bool] {
        &self.out
    }

    /// Returns the players that have been disqualified, with the number of their games.
    #[must_use]
    pub fn disqualified(&self) -> BTreeMap<String, u64> {
        let players = self.header.config.players.iter().zip(&self.tally.players);
        players
            .zip(&self.out)
            .filter(|((player, _), is_out)| **is_out && !player.cannot_play)
            .map(|((player, tally), _)| (player.name.clone(), tally.games))
            .collect()
    }

    /// Counts a series that is over. Those of players who are out by then are not counted, as they
    /// would not have been played.
    pub fn add(&mut self, games: &[GameLine], end: &SeriesRecord) {
        if end
            .players
            .iter()
            .any(|player| self.out.get(*player).is_none_or(|is_out| *is_out))
        {
            return;
        }
        for game in games {
            self.tally.add_game(end.players, game);
        }
        self.tally.add_end(end);
        // A shard has a part of a player's games. One run would judge by all of them.
        if self.shard.is_none() {
            let bound = self.header.config.max_faults;
            for player in end.players {
                self.out[player] |= is_disqualified(&self.tally, player, bound);
            }
        }
        // Only a sequential test that decides cuts a series.
        self.decided |= self.awaited.is_some_and(|awaited| {
            Some(awaited.number) == end.series.checked_sub(1) && end.games < awaited.games
        });
        // Records count from 1.
        if let Some(number) = end.series.checked_sub(1) {
            self.ahead.insert(number);
        }
        self.pass();
    }

    /// Notes that the contest was decided before its last series.
    pub fn decide(&mut self) {
        self.decided = true;
    }

    /// Returns whether there is nothing left to play.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.decided || self.round.is_none()
    }

    /// Returns the number of games so far, and the least number that there will be.
    #[must_use]
    pub fn games(&self) -> (u64, u64) {
        let all = self.schedule.total_games_at_least();
        (
            self.tally.games,
            self.shard.map_or(all, |shard| all / shard.of() as u64),
        )
    }

    /// Returns the standings as a summary.
    #[must_use]
    pub fn summary(&self, anchor: Anchor) -> Summary {
        let mut counted = self.tally.without(&self.out);
        if let Some(figures) = &self.figures {
            counted = counted.with_figures(figures.clone(), &self.out);
        }
        let places: Vec<Place> = self
            .schedule
            .standings(&counted.table, &|player| self.out[player]);
        let players = &self.header.config.players;
        let played = ContestResult {
            finish: if self.is_finished() {
                Finish::Complete
            } else {
                Finish::Interrupted
            },
            tally: self.tally.clone(),
            counted,
            places,
            out: self.out.clone(),
            unfit: players
                .iter()
                .map(|player| player.cannot_play.then(|| FAILED_CHECK.to_owned()))
                .collect(),
            games: self.games().1,
        };
        Summary::new(&self.header, &*self.game, &played, None).with_places(&played, anchor)
    }

    fn begin_round(&mut self) {
        let Scoreboard {
            schedule,
            tally,
            out,
            ..
        } = self;
        self.round = schedule.next_round(&tally.table, &|player| out[player]);
        self.awaited = None;
    }

    /// Passes what is over or will not be played, up to the next series that is to be.
    fn pass(&mut self) {
        while let Some(round) = &mut self.round {
            if let Some(awaited) = self.awaited {
                if !self.ahead.remove(&awaited.number) {
                    return;
                }
                self.awaited = None;
            }
            match round.next() {
                None => self.begin_round(),
                Some(series) => {
                    let is_elsewhere = self.shard.is_some_and(|shard| !shard.takes(series.number));
                    let is_out = series.players.iter().any(|player| self.out[*player]);
                    if !(is_elsewhere || is_out) {
                        self.awaited = Some(series);
                    }
                }
            }
        }
    }
}

/// Reads the record of a contest at `path`, and returns its standings. `on_game` receives every
/// game of a series that is over: its number in the record, its players and the game. Series that
/// were not played to their end are left out, as a contest that continues leaves them out. Returns
/// `None` if the record is of single games.
///
/// # Errors
/// If the record cannot be read, or if its header makes no sense.
pub fn read_contest(
    path: &Path,
    readers: Readers,
    on_game: &mut dyn FnMut(u64, [usize; 2], &GameLine),
) -> Result<Option<ReadContest>, ScoreboardError> {
    let mut headers = RecordReader::open(path, readers)?;
    let Some(header) = headers.last_header()? else {
        return Ok(None);
    };
    let game = headers.game(&header);
    let mut board = Scoreboard::new(header, game).map_err(|error| {
        let path = path.to_owned();
        ScoreboardError::Plan { path, error }
    })?;
    let mut reader = RecordReader::open(path, readers)?;
    let mut number = 0;
    let mut left_out = 0;
    while let Some(chunk) = reader.next_chunk()? {
        for (line, game) in (chunk.line..).zip(&chunk.games) {
            number += 1;
            // A record may have been edited, and counting such a game would panic or credit the
            // wrong player.
            let wrong = |what: &str| {
                let path = path.to_owned();
                let what = what.to_owned();
                RecordError::Line { path, line, what }
            };
            check(game).map_err(wrong)?;
            let seats = board.seats(game);
            let seats = seats.ok_or_else(|| wrong("its players are not those of the last header; if the file is two records in one, name both files instead"))?;
            let Some(end) = &chunk.end else { continue };
            if end.players != seats {
                return Err(
                    wrong("its players are not those that the end of its series names").into(),
                );
            }
            on_game(number, seats, game);
        }
        match &chunk.end {
            Some(end) => board.add(&chunk.games, end),
            None => left_out += chunk.games.len() as u64,
        }
    }
    if board.out.contains(&true) {
        let reader = RecordReader::open(path, readers)?;
        board.figures = Some(Tally::of_record(reader, &board.header, &board.out, true)?);
    }
    Ok(Some(ReadContest {
        board,
        games: number,
        left_out,
    }))
}
