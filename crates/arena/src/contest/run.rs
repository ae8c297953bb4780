//! Runs a contest: gives series to the lanes, takes their results in order, and writes the record.

use std::collections::HashMap;
use std::io;
use std::iter::Peekable;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::ContestSetup;
use super::event::LaneListeners;
use super::event::{ContestEvent, ContestListener, GameOver};
use super::known::{Known, is_beginning, series_of, size_of};
use super::lanes::{Delivery, Done, Lanes, Listed, Next, Sink};
use super::resume::OpenRecord;
use super::sequential::PairTest;
use super::series::{PlayedSeries, SeriesReferee};
use crate::command::PrintedCommand;
use crate::game::EndedBy;
use crate::record::{Chunk, ContestFile, GameLine, RecordError};
use crate::result::{ContestResult, Finish, JUDGE_FAILURES, Tally, is_disqualified};
use bothost::Interrupt;
use league::schedule::{PlanError, Series};
use league::statistics::sprt::Sprt;
use wire::Stop;

/// A contest that is to be played, or to be continued.
#[derive(Debug)]
pub struct Contest<'c> {
    /// The setup of its games.
    pub setup: &'c ContestSetup,
    /// The number of games that are played at once.
    pub lanes: &'c Lanes,
    /// Its record.
    pub record: Option<OpenRecord>,
    /// The condition to stop before the end.
    pub sprt: Option<Sprt>,
    /// The interrupt that stops it.
    pub interrupt: &'c Interrupt,
    /// The interrupt that breaks off running games; `None` if all are played to their end.
    pub breaks_off: Option<&'c Arc<Interrupt>>,
    /// The listeners to the games of all lanes, if people watch them.
    pub watched: Option<&'c dyn LaneListeners>,
}

/// The reason why a contest cannot continue.
#[derive(Debug, Error)]
pub enum ContestError {
    /// Its plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its record is at fault.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// More games have been played than are asked for.
    #[error(
        "the record is of {recorded} games each and {requested} are asked for; ask for {recorded} or more"
    )]
    FewerGames {
        /// Games of an encounter, by the record.
        recorded: u32,
        /// Games of an encounter, as asked for.
        requested: u32,
    },
    /// Players were added before, and more games are asked for now.
    #[error(
        "players were added to the contest in the record, which stays with {recorded} games each: ask for {recorded}"
    )]
    HasGrown {
        /// Games of an encounter, by the record.
        recorded: u32,
    },
    /// The judge failed in several games in a row; how in the last of them.
    #[error(
        "{reason}. The judge failed in three games in a row, first in {game}; the contest stops. {check} may name the cause"
    )]
    JudgeFailed {
        /// The reason of the last failure.
        reason: String,
        /// The name of the first game in which the judge failed.
        game: String,
        /// The command that checks the judge.
        check: PrintedCommand,
    },
    /// The referee or its machine fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The error of a listener that cannot write down what it receives.
impl From<Stop> for ContestError {
    fn from(stop: Stop) -> ContestError {
        ContestError::Io(stop.into())
    }
}

impl Contest<'_> {
    /// Plays what has yet to be played. `listener` receives all events, those of series that were
    /// played before too.
    ///
    /// # Errors
    /// If the record cannot be read or written, or if the referee or its machine fails. What is in
    /// the record by then stays there.
    pub fn run(
        mut self,
        listener: &mut ContestListener<'_>,
    ) -> Result<ContestResult, ContestError> {
        let mut schedule = self.setup.header.schedule()?;
        let shard = self.setup.header.part();
        let players = &self.setup.header.config.players;
        let n_players = players.len();
        let encounter = self.setup.header.games;
        let mut past = None;
        if let Some(record) = &mut self.record {
            past = record.known(&self.setup.header)?;
            let recorded = record.recorded().map_or(0, |header| header.games);
            let requested = encounter;
            // More games than the record was made for are fine: a record grows. Fewer would leave
            // games in it that no schedule has.
            if recorded > requested {
                return Err(ContestError::FewerGames {
                    recorded,
                    requested,
                });
            }
            // The series behind the first stage would have other numbers.
            if recorded < requested
                && record
                    .recorded()
                    .is_some_and(|header| !header.grown.is_empty())
            {
                return Err(ContestError::HasGrown { recorded });
            }
            if past.is_some() {
                record.repair()?;
            }
        }
        let shared = Shared {
            // Those who cannot play are in no series, as if they had been disqualified before the
            // first.
            out: players
                .iter()
                .map(|player| AtomicBool::new(player.cannot_play))
                .collect(),
            stop: AtomicBool::new(false),
            loose: Mutex::default(),
        };
        let mut run = Run {
            record: self.record.take().map(|record| record.file),
            contest: &self,
            shared: &shared,
            listener,
            tally: Tally::new(n_players),
            test: self.sprt.map(PairTest::new),
            finish: None,
            judge_failures: 0,
        };
        // A new record, or one whose header was cut short by a crash. It is written before the
        // first game, so that a contest which is killed at once can be resumed.
        if past.is_none() {
            run.begin_record()?;
        }
        let header = &self.setup.header;
        let lanes = self.lanes.count();
        let games = schedule.total_games_at_least();
        let games = shard.map_or(games, |shard| games / shard.of() as u64);
        run.listener.on_event(&ContestEvent::Started {
            header,
            game: &self.setup.game,
            games,
            lanes,
        })?;
        loop {
            let out = run.out();
            // The next round may depend on all results so far, so a round is played to its end
            // before the next is asked for.
            let Some(round) = schedule.next_round(&run.tally.table, &|player| out[player]) else {
                break;
            };
            // The whole round is scheduled and then filtered, so every shard numbers and seeds the
            // series alike.
            let mut round = round
                .filter(|series| shard.is_none_or(|shard| shard.takes(series.number)))
                .peekable();
            if let Some(mut known) = past.take() {
                run.take_from(&mut known, &mut round)?;
                // The contest was decided before the end of its record. The rest is not cut off: a
                // later run with another bound may need those games.
                if run.finish.is_some() {
                    break;
                }
                // All of the round was in the record, so the next one may be as well. Only a series
                // that is missing there ends the reading; from it on the record is written.
                if round.peek().is_none() {
                    past = Some(known);
                    continue;
                }
                run.continue_after(known)?;
            }
            run.play(round)?;
            if run.finish.is_some() {
                break;
            }
        }
        // Everything was in the record, but it may know of fewer games than are asked for: those
        // are in other shards.
        if let Some(known) = past.filter(|_| run.finish.is_none())
            && known.size != size_of(&self.setup.header)
        {
            run.continue_after(known)?;
        }
        let out = run.out();
        let mut counted = run.tally.without(&out);
        if let Some(record) = run.record.as_ref().filter(|_| out.contains(&true)) {
            let figures = Tally::of_record(record.read()?, &self.setup.header, &out, false)?;
            counted = counted.with_figures(figures, &out);
        }
        Ok(ContestResult {
            finish: run.finish.unwrap_or(Finish::Complete),
            places: schedule.standings(&counted.table, &|player| out[player]),
            counted,
            tally: run.tally,
            unfit: self.setup.unfit.clone(),
            out,
            games,
        })
    }
}

/// State that the lanes share with the thread that runs the contest. The flags are relaxed: a lane
/// that sees one late plays a series that [`Run::count`] then drops, and no other memory depends on
/// them.
struct Shared {
    /// The players that have been disqualified.
    out: Vec<AtomicBool>,
    /// Set to begin no other game.
    stop: AtomicBool,
    /// Series that are in the record already, but behind one that is missing.
    loose: Mutex<HashMap<usize, Chunk>>,
}

impl Shared {
    fn is_out(&self, series: &Series) -> bool {
        series
            .players
            .iter()
            .any(|player| self.is_player_out(*player))
    }

    fn is_player_out(&self, player: usize) -> bool {
        self.out[player].load(Ordering::Relaxed)
    }

    /// Returns the task for `series`, which may be in the record behind a series that is missing.
    fn next(&self, series: Series) -> Next {
        let loose = self
            .loose
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&series.number);
        match loose {
            Some(chunk) if series_of(&chunk) == Some(series) => {
                Next::Known(Box::new(PlayedSeries::of_record(series, chunk)))
            }
            Some(_) | None => Next::Play(series),
        }
    }
}

/// A contest that is being played.
struct Run<'r, 'c> {
    contest: &'r Contest<'c>,
    shared: &'r Shared,
    record: Option<ContestFile>,
    listener: &'r mut ContestListener<'r>,
    tally: Tally,
    /// The sequential test of a match that has one.
    test: Option<PairTest>,
    finish: Option<Finish>,
    /// The games in a row in which the judge failed.
    judge_failures: usize,
}

impl Run<'_, '_> {
    fn out(&self) -> Vec<bool> {
        self.shared
            .out
            .iter()
            .map(|out| out.load(Ordering::Relaxed))
            .collect()
    }

    fn begin_record(&mut self) -> Result<(), RecordError> {
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        record.continue_at(0)?;
        record.append_header(&self.contest.setup.header)
    }

    /// Takes the first series of `round` from what has been played before; the others stay in it.
    fn take_from(
        &mut self,
        past: &mut Known,
        round: &mut Peekable<impl Iterator<Item = Series>>,
    ) -> Result<(), ContestError> {
        while let Some(series) = round.peek().filter(|_| self.finish.is_none()) {
            // A run skips series of disqualified players, so they are not expected in its record.
            if !self.shared.is_out(series) {
                let Some(next) = past.peek()? else {
                    return Ok(());
                };
                let decision = self
                    .test
                    .as_ref()
                    .and_then(|test| test.decision(series.number, &next.games));
                let ends_here = decision.is_some_and(|(decisive, _)| decisive == next.games.len());
                let is_next = series_of(next).is_some_and(|found| {
                    found == *series || (ends_here && is_beginning(&found, series))
                });
                let Some(chunk) = is_next.then(|| past.take()).flatten() else {
                    return Ok(());
                };
                self.count(vec![PlayedSeries::of_record(*series, chunk)], true)?;
            }
            round.next();
        }
        Ok(())
    }

    /// Continues the record behind its last series in order.
    fn continue_after(&mut self, mut known: Known) -> Result<(), RecordError> {
        let rest = known.rest()?;
        *self
            .shared
            .loose
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = rest;
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        // Cuts off what was behind the gap. Those series are in memory and are written again when
        // their turn comes, so the record is in order at last. A crash before that loses them; they
        // are then played again, with the same seeds.
        record.continue_at(known.reached)?;
        // A header within the record says from where on an encounter has more games.
        if known.size != size_of(&self.contest.setup.header) {
            record.append_header(&self.contest.setup.header)?;
        }
        Ok(())
    }

    /// Plays `round`.
    fn play(&mut self, round: impl Iterator<Item = Series> + Send) -> Result<(), ContestError> {
        let contest = self.contest;
        let shared = self.shared;
        // A game is played to its end even after Ctrl-C: half a game cannot be recorded.
        let deaf = Arc::new(Interrupt::never()?);
        let referee = SeriesReferee {
            setup: contest.setup,
            stop: &shared.stop,
            interrupt: contest.breaks_off.unwrap_or(&deaf),
            watched: contest.watched,
        };
        // A player that is out by now is out when the turn of this series comes, too, so nothing is
        // lost by not playing.
        let round = round.filter(|series| !shared.is_out(series));
        let source = Listed(round.map(|series| shared.next(series)));
        let lanes = contest.lanes;
        lanes.play(&referee, Delivery::InOrder, source, self)
    }

    fn look_for_interrupt(&mut self) -> Result<(), ContestError> {
        // Looked for with every event, and at least ten times a second by the tick.
        if self.finish.is_none() && self.contest.interrupt.is_noted() {
            self.finish = Some(Finish::Interrupted);
            self.shared.stop.store(true, Ordering::Relaxed);
            self.listener.on_event(&ContestEvent::Stopping)?;
        }
        Ok(())
    }

    /// Counts the next series in order, appends them to the record, and applies disqualification
    /// and the sequential test. A series is dropped if those before it show that it should not have
    /// been played, and its games behind the pair with which the test decides: lanes run ahead, and
    /// the record must be the same on one lane and on eight.
    fn count(&mut self, all: Vec<PlayedSeries>, from_record: bool) -> Result<(), ContestError> {
        let mut lines = Vec::new();
        let mut accepted = Vec::new();
        let mut judge_failed = None;
        for mut played in all {
            // Not after an interrupt: the games that the lanes bring to their end are recorded.
            // After a decision of the test they are surplus, and which of them were played depends
            // on the number of lanes.
            let decided = matches!(self.finish, Some(Finish::Complete | Finish::Decided(_)));
            if decided
                || judge_failed.is_some()
                || self.shared.is_out(&played.series)
                || played.games.is_empty()
            {
                continue;
            }
            self.decide(&mut played);
            if self.record.is_some() && !from_record {
                played.write_to(&mut lines);
            }
            // One series at a time, although they come in batches: what is judged after this one
            // must not depend on the next.
            self.tally
                .add_series(&played.series, &played.games, played.end.as_ref());
            let disqualified = self.judge(played.series.players);
            if !from_record {
                judge_failed = self.look_at_judge(&played.games, !disqualified.is_empty());
            }
            if played.games.len() == played.series.games as usize {
                self.continue_testing(played.series.number);
            }
            accepted.push((played, disqualified));
        }
        if let Some(record) = self.record.as_mut().filter(|_| !lines.is_empty()) {
            // One write for the batch: each waits for the disk. Before the reports, so that what is
            // reported has been recorded.
            record.append(&lines)?;
        }
        for (played, disqualified) in &accepted {
            let PlayedSeries { series, games, end } = played;
            self.listener.on_event(&ContestEvent::SeriesOver {
                series,
                games,
                end: end.as_ref(),
                from_record,
            })?;
            for &player in disqualified {
                let tally = &self.tally.players[player];
                let faults = if tally.stumps_judge {
                    0
                } else {
                    tally.n_faults()
                };
                let games = tally.games;
                self.listener.on_event(&ContestEvent::Disqualified {
                    player,
                    faults,
                    games,
                })?;
            }
        }
        match judge_failed {
            Some(reason) => {
                let first = self.tally.judge_failures();
                Err(ContestError::JudgeFailed {
                    reason,
                    game: first
                        .map(|(_, first)| first.name.clone())
                        .unwrap_or_default(),
                    check: PrintedCommand::check_judge(&*self.contest.setup.game),
                })
            }
            None => Ok(()),
        }
    }

    /// Returns the judge's failure in the last of `games` if it has failed in too many in a row.
    /// Without a player that kept making it fail and is out now, it would fail in all games to
    /// come.
    fn look_at_judge(&mut self, games: &[GameLine], is_settled: bool) -> Option<String> {
        match games
            .iter()
            .rposition(|game| game.ended_by != EndedBy::JudgeFailed)
        {
            Some(last) => self.judge_failures = games.len() - 1 - last,
            None => self.judge_failures += games.len(),
        }
        if is_settled {
            self.judge_failures = 0;
        }
        let last = games
            .last()
            .filter(|_| self.judge_failures >= JUDGE_FAILURES)?;
        Some(last.reason.clone())
    }

    /// Disqualifies those of `players` that have spoiled too many games. Returns them.
    fn judge(&self, players: [usize; 2]) -> Vec<usize> {
        let mut disqualified = Vec::new();
        let header = &self.contest.setup.header;
        // A shard knows a part of a player's games. One run would judge by all of them, and so does
        // the merge.
        if header.shard.is_some() {
            return disqualified;
        }
        let bound = header.config.max_faults;
        for player in players
            .into_iter()
            .filter(|player| !self.shared.is_player_out(*player))
        {
            if is_disqualified(&self.tally, player, bound) {
                self.shared.out[player].store(true, Ordering::Relaxed);
                disqualified.push(player);
            }
        }
        disqualified
    }

    /// Stops with the pair of `played`, the next series in order, with which the sequential test
    /// decides. So the number of games at the decision does not depend on timing.
    fn decide(&mut self, played: &mut PlayedSeries) {
        match self
            .test
            .as_ref()
            .and_then(|test| test.decision(played.series.number, &played.games))
        {
            None => played.without_early_end(),
            Some((games, decision)) => {
                played.cut_to(games);
                self.finish = Some(Finish::Decided(decision));
                self.shared.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Lets the sequential test continue behind this series.
    fn continue_testing(&mut self, series: usize) {
        let Some(test) = &mut self.test else { return };
        // The test is for two players.
        let pairs = self
            .tally
            .pairings
            .get(&[0, 1])
            .map(|found| found.pairs)
            .unwrap_or_default();
        if test.accept(series, pairs) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Sink for Run<'_, '_> {
    type Error = ContestError;

    fn on_game(&mut self, game: GameOver) -> Result<(), ContestError> {
        self.listener.on_event(&ContestEvent::GameOver(game))?;
        if self.test.as_mut().is_some_and(|test| test.on_game(&game)) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.look_for_interrupt()
    }

    fn accept(&mut self, done: Vec<Done>) -> Result<(), ContestError> {
        // An error ends the contest, after what was played before it.
        let mut failed = Ok(());
        let played = done.into_iter().map_while(|one| {
            one.played
                .map_err(|error| failed = Err(ContestError::from(error)))
                .ok()
        });
        let played = played.collect();
        self.count(played, false)?;
        failed?;
        self.look_for_interrupt()
    }

    fn tick(&mut self) -> Result<(), ContestError> {
        self.listener.on_event(&ContestEvent::Tick)?;
        if let Some(record) = &self.record {
            record.check_is_there()?;
        }
        self.look_for_interrupt()
    }
}
