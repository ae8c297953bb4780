//! Runs a contest: gives series to the lanes, takes their results in order, and writes the record.

use std::collections::HashMap;
use std::io;
use std::iter::Peekable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::event::{ContestEvent, GameOver, Reporter};
use super::lanes::Lanes;
use super::resume::{OpenRecord, Rest, ResumedRecord, is_whole};
use super::sequential::PairTest;
use super::series::{PlayedSeries, SeriesReferee};
use super::shard::Shard;
use super::worker_pool::{PoolEvent, work_in_order};
use super::{ContestSetup, Tally};
use crate::live::Gallery;
use crate::record::{Chunk, ContestFile, GameRecord, RecordError};
use bothost::Interrupt;
use league::schedule::{Place, Plan, PlanError, Schedule, Series};
use league::statistics::real;
use league::statistics::sprt::{Decision, Sprt};

/// A player is not judged by fewer games than this: one crash in the first game must not end its contest.
const GAMES_BEFORE_DISQUALIFICATION: u64 = 10;

/// A contest that is to be played, or to be continued.
#[derive(Debug)]
pub(crate) struct Contest<'c> {
    /// What its games are played under.
    pub(crate) setup: &'c ContestSetup,
    /// Who meets whom, how often.
    pub(crate) plan: Plan,
    /// The part of it that is played here.
    pub(crate) shard: Option<Shard>,
    /// Whether players that spoil too many games are disqualified here, and not only when the parts are merged.
    pub(crate) disqualifies: bool,
    /// How many games are played at once.
    pub(crate) lanes: &'c Lanes,
    /// Its record.
    pub(crate) record: Option<OpenRecord>,
    /// When to stop before the end.
    pub(crate) sprt: Option<Sprt>,
    /// Whether to keep what is seen of bad games.
    pub(crate) keeps_evidence: bool,
    /// The interrupt that stops it.
    pub(crate) interrupt: &'c Interrupt,
    /// Where people watch its games, if they do.
    pub(crate) gallery: Option<&'c Gallery>,
}

/// Why a contest is over for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Everything has been played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// The user stopped it.
    Interrupted,
}

/// The result of a contest.
#[derive(Debug)]
pub(crate) struct Played {
    /// Why it is over.
    pub(crate) finish: Finish,
    /// All its games, with those that the record had.
    pub(crate) tally: Tally,
    /// The same without the games of players who are out: what places and ratings come from.
    pub(crate) counted: Tally,
    /// The order of the players.
    pub(crate) places: Vec<Place>,
    /// Which players have been disqualified, or could not play at all.
    pub(crate) out: Vec<bool>,
    /// Why some of them could not play.
    pub(crate) unfit: Vec<Option<String>>,
    /// How many games the whole contest has, at least.
    pub(crate) games: u64,
}

/// Why a contest cannot continue.
#[derive(Debug, Error)]
pub(crate) enum ContestError {
    /// Its plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its record is at fault.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// More games have been played than are asked for.
    #[error(
        "the record is of {there} games each and {here} are asked for; ask for {there} or more"
    )]
    FewerGames {
        /// Games of an encounter, by the record.
        there: u32,
        /// Games of an encounter, as asked for.
        here: u32,
    },
    /// The referee or its machine fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Contest<'_> {
    /// Plays what has yet to be played. `reporter` receives all events, those of series that were played before too.
    ///
    /// # Errors
    /// If the record cannot be read or written, or if the referee or its machine fails. What is in the record by
    /// then stays there.
    pub(crate) fn run(mut self, reporter: &mut dyn Reporter) -> Result<Played, ContestError> {
        let mut schedule = Schedule::new(self.plan)?;
        let n_players = self.plan.players;
        let players = &self.setup.header.config.players;
        let mut past = None;
        if let Some(record) = &mut self.record {
            past = ResumedRecord::of(record, &self.setup.header)?;
            let (there, here) = (record.there().map_or(0, |there| there.games), self.plan.games);
            // More games than the record was made for are fine: a record grows. Fewer would leave games in it
            // that no schedule has.
            if there > here {
                return Err(ContestError::FewerGames { there, here });
            }
            if past.is_some() {
                record.mend()?;
            }
        }
        let shared = Shared {
            // Those who cannot play are in no series, as if they had been disqualified before the first.
            out: players.iter().map(|player| AtomicBool::new(player.cannot_play)).collect(),
            stop: AtomicBool::new(false),
            loose: Mutex::default(),
            // A game is played to its end even after Ctrl-C: half a game cannot be recorded.
            deaf: Arc::new(Interrupt::deaf()?),
        };
        let mut run = Run {
            record: self.record.take().map(|record| record.file),
            contest: &self,
            shared: &shared,
            reporter,
            tally: Tally::new(n_players),
            test: self.sprt.map(PairTest::new),
            finish: None,
        };
        // A new record, or one whose header was cut short by a crash. It is written before the first game, so
        // that a contest which is killed at once can be resumed.
        if past.is_none() {
            run.begin_record()?;
        }
        let (header, lanes) = (&self.setup.header, self.lanes.count());
        let games = schedule.total_games_at_least();
        let games = self.shard.map_or(games, |shard| games / shard.of() as u64);
        run.reporter.report(&ContestEvent::Started { header, games, lanes })?;
        loop {
            let out = run.out();
            // The next round may depend on all results so far, so a round is played to its end before the
            // next is asked for.
            let Some(round) = schedule.next_round(&run.tally.table, &|player| out[player]) else {
                break;
            };
            let shard = self.shard;
            let of_shard =
                // The whole round is scheduled and then filtered, so every shard numbers and seeds the series
                // alike.
                move |series: &Series| shard.is_none_or(|shard| shard.takes(series.number));
            let mut round = round.filter(of_shard).peekable();
            if let Some(mut known) = past.take() {
                run.take_from(&mut known, &mut round)?;
                // The contest was decided before the end of its record. The rest is not cut off: a later run with
                // another bound may need those games.
                if run.finish.is_some() {
                    break;
                }
                // All of the round was in the record, so the next one may be as well. Only a series that is
                // missing there ends the reading; from it on the record is written.
                if round.peek().is_none() {
                    past = Some(known);
                    continue;
                }
                run.go_on_after(known.rest()?)?;
            }
            run.play(round)?;
            if run.finish.is_some() {
                break;
            }
        }
        // Everything was in the record, but it may know of fewer games than are asked for: those are in other shards.
        if let Some(known) = past.filter(|_| run.finish.is_none()) {
            let rest = known.rest()?;
            if rest.games != self.plan.games {
                run.go_on_after(rest)?;
            }
        }
        let out = run.out();
        let counted = run.tally.without(&out);
        Ok(Played {
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

/// What the lanes share with the thread that runs the contest. The flags are relaxed: a lane that sees one late plays a
/// series that [`Run::accept`] then drops, and no other memory depends on them.
struct Shared {
    /// Which players have been disqualified.
    out: Vec<AtomicBool>,
    /// When set, no other game is begun.
    stop: AtomicBool,
    /// Series that are in the record already, but behind one that is missing.
    loose: Mutex<HashMap<usize, Chunk>>,
    /// The interrupt that games see: they are played to their end.
    deaf: Arc<Interrupt>,
}

impl Shared {
    fn is_out(&self, series: &Series) -> bool {
        series.players.iter().any(|player| self.is_player_out(*player))
    }

    fn is_player_out(&self, player: usize) -> bool {
        self.out[player].load(Ordering::Relaxed)
    }

    fn take_loose(&self, series: &Series) -> Option<PlayedSeries> {
        let chunk =
            self.loose.lock().unwrap_or_else(PoisonError::into_inner).remove(&series.number)?;
        is_whole(&chunk, series).then(|| PlayedSeries::of_record(*series, chunk))
    }
}

/// A contest that is being played.
struct Run<'r, 'c> {
    contest: &'r Contest<'c>,
    shared: &'r Shared,
    record: Option<ContestFile>,
    reporter: &'r mut dyn Reporter,
    tally: Tally,
    /// The sequential test of a match that has one.
    test: Option<PairTest>,
    finish: Option<Finish>,
}

impl Run<'_, '_> {
    fn out(&self) -> Vec<bool> {
        self.shared.out.iter().map(|out| out.load(Ordering::Relaxed)).collect()
    }

    fn begin_record(&mut self) -> Result<(), RecordError> {
        let Some(record) = &mut self.record else { return Ok(()) };
        record.go_on_at(0)?;
        record.append_header(&self.contest.setup.header)
    }

    /// Takes the first series of `round` from what has been played before; the others stay in it.
    fn take_from(
        &mut self,
        past: &mut ResumedRecord,
        round: &mut Peekable<impl Iterator<Item = Series>>,
    ) -> Result<(), ContestError> {
        while let Some(series) = round.peek().filter(|_| self.finish.is_none()) {
            // A run skips series of disqualified players, so they are not expected in its record.
            if !self.shared.is_out(series) {
                let decides = |games: &[GameRecord]| {
                    let decision = self.test.as_ref().and_then(|test| test.decision(games));
                    decision.is_some_and(|(decisive, _)| decisive == games.len())
                };
                let Some(chunk) = past.take(series, decides)? else { return Ok(()) };
                self.accept(vec![PlayedSeries::of_record(*series, chunk)], true)?;
            }
            round.next();
        }
        Ok(())
    }

    /// Continues the record behind its last series in order.
    fn go_on_after(&mut self, rest: Rest) -> Result<(), RecordError> {
        *self.shared.loose.lock().unwrap_or_else(PoisonError::into_inner) = rest.loose;
        let Some(record) = &mut self.record else { return Ok(()) };
        // Cuts off what was behind the gap. Those series are in memory and are written again when their turn
        // comes, so the record is in order at last. A crash before that loses them; they are then played
        // again, with the same seeds.
        record.go_on_at(rest.reached)?;
        // A header within the record says from where on an encounter has more games.
        if rest.games != self.contest.plan.games {
            record.append_header(&self.contest.setup.header)?;
        }
        Ok(())
    }

    /// Plays `round`.
    fn play(&mut self, round: impl Iterator<Item = Series> + Send) -> Result<(), ContestError> {
        let (contest, shared) = (self.contest, self.shared);
        let referee = SeriesReferee {
            setup: contest.setup,
            keeps_evidence: contest.keeps_evidence,
            stop: &shared.stop,
            deaf: &shared.deaf,
            gallery: contest.gallery,
        };
        let work = |lane: usize, series: Series, over: &mut dyn FnMut(GameOver)| {
            let series = &series;
            // For each series and not once a lane: binding a thread is one system call, and the pool knows no
            // cores.
            contest.lanes.take(lane);
            // A player that is out by now is out when the turn of this series comes, too, so nothing is lost by not
            // playing.
            if shared.is_out(series) {
                return Ok(None);
            }
            if let Some(played) = shared.take_loose(series) {
                // The progress counts games of either origin.
                for (game, record) in (series.first_game..).zip(&played.games) {
                    over(GameOver::new(series, game, record));
                }
                return Ok(Some(played));
            }
            // A panic is a fault of the referee and ends the contest in good order: what has been accepted is in the
            // record, and the bots of all lanes are ended. Unwind safe, as nothing that the closure touches is used
            // again.
            catch_unwind(AssertUnwindSafe(|| referee.play(series, lane, over).map(Some)))
                .unwrap_or_else(|_| {
                    let series = series.number + 1;
                    Err(io::Error::other(format!(
                        "the referee itself has failed in series {series}"
                    )))
                })
        };
        work_in_order(round, contest.lanes.count(), &shared.stop, work, |event| match event {
            PoolEvent::Progress(game) => {
                self.reporter.report(&ContestEvent::GameOver(game))?;
                if self.test.as_mut().is_some_and(|test| test.hear(&game)) {
                    shared.stop.store(true, Ordering::Relaxed);
                }
                self.look_for_interrupt()
            }
            // `None` is a series that was not begun. An error ends the contest, after what was played before it.
            PoolEvent::Done(results) => {
                let mut failed = Ok(());
                let results = results.into_iter().map_while(|result| {
                    result.map_err(|error| failed = Err(ContestError::from(error))).ok()
                });
                let played = results.flatten().collect();
                self.accept(played, false)?;
                failed?;
                self.look_for_interrupt()
            }
            PoolEvent::Tick => {
                self.reporter.report(&ContestEvent::Tick)?;
                self.look_for_interrupt()
            }
        })
    }

    fn look_for_interrupt(&mut self) -> Result<(), ContestError> {
        // Looked for with every event, and at least ten times a second by the tick.
        if self.finish.is_none() && self.contest.interrupt.is_noted() {
            self.finish = Some(Finish::Interrupted);
            self.shared.stop.store(true, Ordering::Relaxed);
            self.reporter.report(&ContestEvent::Stopping)?;
        }
        Ok(())
    }

    /// Counts the next series in order, appends them to the record, and applies disqualification and the sequential
    /// test. A series is dropped if those before it show that it should not have been played, and its games behind the
    /// pair with which the test decides: lanes run ahead, and the record must be the same on one lane and on eight.
    fn accept(&mut self, all: Vec<PlayedSeries>, from_record: bool) -> Result<(), ContestError> {
        let mut lines = Vec::new();
        let mut accepted = Vec::new();
        for mut played in all {
            // Not after an interrupt: the games that the lanes bring to their end are recorded. After a
            // decision of the test they are surplus, and which of them were played depends on the number of
            // lanes.
            let decided = matches!(self.finish, Some(Finish::Complete | Finish::Decided(_)));
            if decided || self.shared.is_out(&played.series) || played.games.is_empty() {
                continue;
            }
            self.decide(&mut played);
            if self.record.is_some() && !from_record {
                played.write_to(&mut lines);
            }
            // One series at a time, although they come in batches: what is judged after this one must not
            // depend on the next.
            self.tally.add_series(&played.series, &played.games, played.end.as_ref());
            let disqualified = self.judge(played.series.players);
            self.go_on_testing(played.series.number);
            accepted.push((played, disqualified));
        }
        if let Some(record) = self.record.as_mut().filter(|_| !lines.is_empty()) {
            // One write for the batch: each waits for the disk. Before the reports, so that what is reported
            // has been recorded.
            record.append(&lines)?;
        }
        for (PlayedSeries { series, games, end, evidence }, disqualified) in &accepted {
            self.reporter.report(&ContestEvent::SeriesOver {
                series,
                games,
                end: end.as_ref(),
                from_record,
                evidence,
            })?;
            for &player in disqualified {
                let tally = &self.tally.players[player];
                let (faults, games) = (tally.n_faults(), tally.games);
                self.reporter.report(&ContestEvent::Disqualified { player, faults, games })?;
            }
        }
        Ok(())
    }

    /// Disqualifies those of `players` that have spoiled too many games. Returns them.
    fn judge(&self, players: [usize; 2]) -> Vec<usize> {
        let mut disqualified = Vec::new();
        if !self.contest.disqualifies {
            return disqualified;
        }
        let Some(bound) = self.contest.setup.header.config.max_faults else { return disqualified };
        for player in players.into_iter().filter(|player| !self.shared.is_player_out(*player)) {
            if is_disqualified(&self.tally, player, bound) {
                self.shared.out[player].store(true, Ordering::Relaxed);
                disqualified.push(player);
            }
        }
        disqualified
    }

    /// Stops with the pair of `played`, the next series in order, with which the sequential test decides. So the number
    /// of games at the decision does not depend on timing.
    fn decide(&mut self, played: &mut PlayedSeries) {
        match self.test.as_ref().and_then(|test| test.decision(&played.games)) {
            None => played.without_early_end(),
            Some((games, decision)) => {
                played.cut_to(games);
                self.finish = Some(Finish::Decided(decision));
                self.shared.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Lets the sequential test go on behind this series.
    fn go_on_testing(&mut self, series: usize) {
        let Some(test) = &mut self.test else { return };
        // The test is for two players.
        let pairs = self.tally.pairings.get(&[0, 1]).map(|found| found.pairs).unwrap_or_default();
        if test.accept(series, pairs) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns whether a player has spoiled more than `bound` of its games, if it has played enough of them.
pub(crate) fn is_disqualified(tally: &Tally, player: usize, bound: f64) -> bool {
    let player = &tally.players[player];
    has_spoiled_too_many(player.n_faults(), player.games, bound)
}

/// Returns whether `faults` are more than `bound` of the `games` of a player, if those are enough.
pub(super) fn has_spoiled_too_many(faults: u64, games: u64, bound: f64) -> bool {
    // Strictly more: with a bound of 0 one fault is enough, with a bound of 1 none ever is.
    games >= GAMES_BEFORE_DISQUALIFICATION && real(faults) > bound * real(games)
}
