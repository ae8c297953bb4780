//! Plays a series: some games in a row between the same two bots, which live through all of it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::ContestSetup;
use super::event::GameOver;
use super::event::LaneListeners;
use crate::explain::DialogueTail;
use crate::game::{
    EndedBy, Ending, Event, GameListener, Listener, Played, Round, StartedPair, Stopped, Table,
};
use crate::record::{
    Chunk, FigureRecorder, GameLine, LastSaid, SERIES_FORMAT, SeriesRecord, VERSION,
};
use crate::result::{JUDGE_FAILURES, add_warnings};
use bothost::{BySide, Interrupt, Side};
use league::schedule::Series;

/// After this many failed starts in a row the rest of the series ends for the same reason without
/// another try: each may take the whole start limit, some seconds, and a series may have thousands
/// of games.
const TRIES_TO_START: u32 = 2;

/// The most forfeits of a series whose last words its record keeps.
const MOST_SAID: usize = 3;

/// A series as it was played.
#[derive(Debug)]
pub struct PlayedSeries {
    /// The series.
    pub series: Series,
    /// Its games, in order; fewer than it has if it was stopped on the way.
    pub games: Vec<GameLine>,
    /// Its end, with the number of games that were played; `None` if it was stopped on the way and
    /// is read from a record.
    pub end: Option<SeriesRecord>,
}

impl PlayedSeries {
    /// Returns a series that was played before and is in a record, as `chunk`.
    #[must_use]
    pub fn of_record(series: Series, chunk: Chunk) -> PlayedSeries {
        PlayedSeries {
            series,
            games: chunk.games,
            end: chunk.end,
        }
    }

    /// Cuts off what is behind its first `games` games, with which the contest is decided.
    pub(super) fn cut_to(&mut self, games: usize) {
        self.games.truncate(games);
        if let Some(end) = &mut self.end {
            end.games = u32::try_from(games).expect("a part of the games of a series");
        }
    }

    /// Takes away the end of a series that was stopped on the way: it will be played again.
    pub(super) fn without_early_end(&mut self) {
        self.end.take_if(|end| end.games < self.series.games);
    }

    /// Appends the lines of its record to `lines`.
    pub fn write_to(&self, lines: &mut Vec<u8>) {
        let cannot_fail = "text for keys, written to memory";
        for game in &self.games {
            lines.extend_from_slice(game.json.as_bytes());
            lines.push(b'\n');
        }
        if let Some(end) = &self.end {
            serde_json::to_writer(&mut *lines, end).expect(cannot_fail);
            lines.push(b'\n');
        }
    }
}

/// Plays series.
#[derive(Debug)]
pub struct SeriesReferee<'c> {
    /// The settings of the games.
    pub setup: &'c ContestSetup,
    /// Set to begin no other game.
    pub stop: &'c AtomicBool,
    /// The interrupt that breaks off a game; never noted if all are played to their end.
    pub interrupt: &'c Arc<Interrupt>,
    /// The listeners to the games of all lanes, if people watch them.
    pub watched: Option<&'c dyn LaneListeners>,
}

/// The two bots of a series while it is played, as far as they live.
struct SeriesBots<'c> {
    referee: &'c SeriesReferee<'c>,
    series: &'c Series,
    lane: usize,
    tail: DialogueTail,
    /// That of the lane; `None` until its first game, and after an error.
    table: &'c mut Option<Box<dyn Table>>,
    pair: Option<Box<dyn StartedPair>>,
    /// The reason why the last tries to start them failed, and the number of those in a row.
    not_started: Option<(Ending, u32)>,
    computed: BySide<Option<Duration>>,
    warnings: BySide<Vec<String>>,
}

impl SeriesReferee<'_> {
    /// Plays `series` on `lane`, at its `table`; `each` receives every game as soon as it is over.
    pub(super) fn play(
        &self,
        series: &Series,
        lane: usize,
        table: &mut Option<Box<dyn Table>>,
        each: &mut dyn FnMut(GameOver),
    ) -> io::Result<PlayedSeries> {
        let mut bots = SeriesBots {
            referee: self,
            series,
            lane,
            tail: DialogueTail::default(),
            table,
            pair: None,
            not_started: None,
            computed: BySide::from_fn(|_| Some(Duration::ZERO)),
            warnings: BySide::default(),
        };
        self.check_files(series)?;
        let began = Instant::now();
        let mut games = Vec::with_capacity(series.games as usize);
        let mut said = Vec::new();
        for index in series.first_game..series.first_game + series.games {
            // Between games only. The series is then written without its end, and a resumed contest
            // plays it again.
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let (round, line) = self.setup.round(series, index);
            let record = bots.play(&round, line)?;
            if said.len() < MOST_SAID {
                said.extend(bots.last_said(&record));
            }
            each(GameOver::new(series, index, &record));
            games.push(record);
            if self.is_judge_lost(&games) {
                break;
            }
        }
        // Before the end is made: the last processor times and warnings come when the bots leave.
        bots.clear(None)?;
        // A program may read its files in the middle of a series.
        self.check_files(series)?;
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let end = SeriesRecord {
            format: SERIES_FORMAT.to_owned(),
            version: VERSION,
            contest: self.setup.header.id.clone(),
            series: series.number + 1,
            round: series.round + 1,
            players: series.players,
            games: u32::try_from(games.len()).expect("at most the games of a series"),
            cpu_ms: bots.computed.map(|time| time.map(milliseconds)).into(),
            warnings: bots.warnings.into(),
            took_ms: milliseconds(began.elapsed()),
            said,
        };
        Ok(PlayedSeries {
            series: *series,
            games,
            end: Some(end),
        })
    }
}

impl SeriesReferee<'_> {
    /// Checks that the players of `series` and the judge are the programs with which the contest
    /// began.
    fn check_files(&self, series: &Series) -> io::Result<()> {
        let Some(watch) = &self.setup.file_watch else {
            return Ok(());
        };
        let judge = self.setup.entrants.len();
        let [one, two] = series.players;
        [one, two, judge]
            .into_iter()
            .try_for_each(|number| watch.check(number))
    }

    /// Returns whether the judge has failed in so many games in a row that the contest stops.
    fn is_judge_lost(&self, games: &[GameLine]) -> bool {
        let Some(first) = games.len().checked_sub(JUDGE_FAILURES) else {
            return false;
        };
        let last = &games[first..];
        // By one of many it is that player who stops.
        let is_of_one = last
            .iter()
            .all(|game| game.by.is_some() && game.by == last[0].by);
        last.iter()
            .all(|game| game.ended_by == EndedBy::JudgeFailed)
            && !(is_of_one && self.setup.entrants.len() > 2)
    }
}

impl SeriesBots<'_> {
    /// Plays one game, for which both bots are started if they do not live.
    fn play(&mut self, round: &Round, line: GameLine) -> io::Result<GameLine> {
        self.tail.forget();
        let watched = self.referee.watched;
        let mut teller = watched.map(|watched| watched.begin(self.lane, &line));
        let mut figures = FigureRecorder::default();
        let mut listeners: Vec<&mut GameListener<'_>> = vec![&mut figures];
        listeners.extend(
            teller
                .as_mut()
                .map(|teller| &mut **teller as &mut GameListener<'_>),
        );
        let game = &self.referee.setup.game;
        let mut table = match self.table.take() {
            Some(table) => table,
            None => game.table()?,
        };
        let played = match self.ready_pair() {
            Ok(pair) => table.play(pair.bots(round.clocks), round, &mut listeners)?,
            Err(Stopped::Ended(ending)) => {
                // These listeners accept every event; only those that pause stop a game.
                let _ = listeners.on_event(&Event::Ended {
                    ending: &ending,
                    position: None,
                });
                Played::without_play(ending, game.unplayed())
            }
            Err(Stopped::Failed(error)) => return Err(error),
        };
        *self.table = Some(table);
        let ending = &played.ending;
        // The bots are ended with the game's own ending, so that they learn why, and are started
        // again by the next game.
        if self.referee.setup.restarts(self.series) || !may_continue(ending.ended_by) {
            self.clear(Some(ending))?;
        }
        let line = GameLine {
            figures: figures.figures,
            ..line
        };
        Ok(line.finished(&played, game.reader()))
    }

    /// Returns the last lines of the player that lost `game` by its own fault, if one did.
    fn last_said(&self, game: &GameLine) -> Option<LastSaid> {
        let side = game.by.filter(|_| game.ended_by.is_fault())?;
        Some(LastSaid {
            game: game.contest.as_ref()?.game,
            lines: self.tail.lines(side, &game.players[side].name),
        })
    }

    /// Returns the two bots, started if they do not live.
    fn ready_pair(&mut self) -> Result<&mut dyn StartedPair, Stopped> {
        if let Some((ending, tries)) = &self.not_started
            // One retry, since a start may fail by chance on a busy machine. After that the same
            // game record is written again and again: each game of the schedule has to be in the
            // record, played or not.
            && *tries >= TRIES_TO_START
        {
            return Err(Stopped::Ended(ending.clone()));
        }
        if self.pair.is_none() {
            let SeriesReferee {
                setup, interrupt, ..
            } = self.referee;
            let start_limit = setup.header.config.terms.start_limit;
            let players = setup.pair(self.series);
            let pair = setup.starter.start(
                &players,
                setup.game.name(),
                start_limit,
                interrupt,
                Some(self.tail.listener()),
            );
            match pair {
                Ok(pair) => {
                    self.not_started = None;
                    self.pair = Some(pair);
                }
                Err(Stopped::Ended(ending)) => {
                    let tries = self.not_started.as_ref().map_or(0, |(_, tries)| *tries);
                    self.not_started = Some((ending.clone(), tries + 1));
                    return Err(Stopped::Ended(ending));
                }
                Err(Stopped::Failed(error)) => return Err(Stopped::Failed(error)),
            }
        }
        let pair = self.pair.as_mut().expect("they have been started");
        Ok(&mut **pair)
    }

    /// Ends both bots, after a game that ended so.
    fn clear(&mut self, ending: Option<&Ending>) -> io::Result<()> {
        let Some(pair) = self.pair.take() else {
            return Ok(());
        };
        let computed = pair.computed();
        let warnings = pair.end(ending)?;
        for side in Side::BOTH {
            let sum = &mut self.computed[side];
            // `None` if one start of several is unknown: a sum of the rest would seem to be the
            // whole.
            *sum = sum
                .zip(computed[side])
                .map(|(sum, computed)| sum + computed);
            add_warnings(&mut self.warnings[side], &warnings[side]);
        }
        Ok(())
    }
}

/// Returns whether both bots can play the next game after one that ended for this reason.
fn may_continue(ended_by: EndedBy) -> bool {
    // After a late machine the answer of the last game may still be on its way, and would count as
    // the first of the next. After a forfeit the bot has been ended, or its state is unknown.
    let cut_short = matches!(
        ended_by,
        EndedBy::CouldNotStart | EndedBy::MachineLate | EndedBy::Interrupted
    );
    !cut_short && !ended_by.is_forfeit()
}
