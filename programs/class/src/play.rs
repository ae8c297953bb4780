//! The choice of games worth playing, and a night of them on lanes of this machine.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use arena::contest::{ContestEvent, ContestListener, ContestSetup, Delivery, Lanes, SeriesReferee};
use arena::result::Finish;
use bothost::Interrupt;
use jiff::Timestamp;

use crate::checks::note_fault;
use crate::choice::{Candidate, Outstanding, Purpose, SeriesChoice};
use crate::current::Current;
use crate::night::{Chosen, IntoPool, Night, NightLimits};
use crate::pool::Pool;
use crate::store::FailedStep;
use crate::{Bot, Class, ClassError, Store};

/// The games to play.
#[derive(Debug)]
pub enum Tonight<'c> {
    /// Series that are worth playing.
    Series(Box<PlannedNight<'c>>),
    /// Nothing: fewer than two bots can play. With the bots that do not start any more.
    TooFewBots(Absent),
    /// Nothing: every bot is known well enough. With the bots that do not start any more.
    NothingLeft(Absent),
}

/// The bots that started in their checks and do not start any more, and why: the machine has
/// changed. The next night tries these again.
pub type Absent = Vec<(String, String)>;

/// A night before its first series.
#[derive(Debug)]
pub struct PlannedNight<'c> {
    pool: Pool<'c>,
    choice: SeriesChoice,
    /// In the order of the setup's players.
    bots: Vec<Bot>,
    /// The bot from which ratings are counted, and its rating.
    rated: Option<(i64, f64)>,
    lanes: Lanes,
    setup: ContestSetup,
    absent: Absent,
    /// The number of series that there are to play, as far as that can be told.
    series: u64,
}

/// A night after its last series. All that were finished are in the pool.
#[derive(Debug)]
pub struct NightOver {
    /// The number of series that were played.
    pub series: u64,
    /// The number of games that were played.
    pub games: u64,
    /// The number of series that are left.
    pub left: u64,
    /// The pairs that could not be decided, as `ada against bob`, and why. The next night tries
    /// these again.
    pub undecided: Vec<(String, String)>,
    /// The bots that do not start any more.
    pub absent: Absent,
    /// The reason why the night had to stop.
    pub failure: Option<ClassError>,
}

impl Class {
    /// Returns what there is to play, on `jobs` lanes of this machine; on as many as there are
    /// cores if `None`.
    ///
    /// # Errors
    /// If the index cannot be read, a bot cannot be started at all, there is no sandbox, or
    /// `interrupt` is noted.
    pub fn tonight(
        &self,
        jobs: Option<usize>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Tonight<'_>, ClassError> {
        let pool = Pool::open(self, self.lock("night", false)?)?;
        let mut current = self.current(&pool.store)?;
        self.note_unchecked(&current);
        let absent = self.remove_absent(&pool.store, &mut current, interrupt)?;
        let choice = self.choice(&pool.store, &current)?;
        let lanes = Lanes::new(jobs, self.terms.pin);
        lanes.ensure_capacity().map_err(ClassError::misuse)?;
        let series = choice.left();
        if series == 0 {
            let too_few = current.playing().count() < 2;
            return Ok(if too_few {
                Tonight::TooFewBots(absent)
            } else {
                Tonight::NothingLeft(absent)
            });
        }
        let sandbox = self.test_sandbox()?;
        self.game
            .try_out(interrupt)
            .map_err(|error| ClassError::NotStarted(error.to_string()))?;
        let mut bots: Vec<Bot> = current.playing().cloned().collect();
        // As in all records of two of them: the one with the lower number is first.
        bots.sort_by_key(|bot| bot.id);
        let number = Timestamp::now().as_millisecond().cast_unsigned();
        let setup = self.setup(&bots, number, sandbox)?;
        let rated = self.anchor(&current);
        Ok(Tonight::Series(Box::new(PlannedNight {
            pool,
            choice,
            bots,
            rated,
            lanes,
            setup,
            absent,
            series,
        })))
    }

    /// Removes from the bots that play those that do not start: the ones of an earlier night that
    /// still do not, and those whose interpreter is missing.
    fn remove_absent(
        &self,
        store: &Store,
        current: &mut Current<'_>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Absent, ClassError> {
        let mut absent = Vec::new();
        for entry in &mut current.entries {
            let Some(bot) = &entry.bot else { continue };
            let fault = entry.fault(FailedStep::Play, &bot.key.digest);
            let why = match self.entrant(bot) {
                Err(error @ (ClassError::NotInstalled(_) | ClassError::Fault(_))) => {
                    note_fault(
                        store,
                        &bot.key.student,
                        FailedStep::Play,
                        &bot.key.digest,
                        Some(&error),
                    )?;
                    Some(error.to_string())
                }
                Err(error) => return Err(error),
                Ok(_) if fault.is_none() => None,
                Ok(_) => {
                    let why = self.why_not_started(bot, interrupt)?;
                    if why.is_none() {
                        store.remove_fault(&bot.key.student, FailedStep::Play)?;
                    }
                    why
                }
            };
            if let Some(why) = why {
                absent.push((bot.key.called().to_owned(), why));
                entry.bot = None;
            }
        }
        Ok(absent)
    }

    /// Says how many bots have not been checked, and so do not play.
    pub(crate) fn note_unchecked(&self, current: &Current<'_>) {
        let count = current.unchecked(&self.terms_key()).count();
        if count > 0 {
            self.note(&format!(
                "{count} bots have not been checked and do not play: referee class check"
            ));
        }
    }

    /// Returns what is worth playing.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub(crate) fn choice(
        &self,
        store: &Store,
        current: &Current<'_>,
    ) -> Result<SeriesChoice, ClassError> {
        let pairings = store.pairings(&self.terms_key())?;
        let candidates = candidates(current);
        Ok(SeriesChoice::new(
            self.config.play,
            candidates,
            &pairings,
            self.anchor(current),
            self.outstanding(store, current)?,
        ))
    }

    /// Returns the series that requirements lack. One bot plays for all identical ones: the one that
    /// has played most of them, so that they are in one record.
    fn outstanding(
        &self,
        store: &Store,
        current: &Current<'_>,
    ) -> Result<Vec<Outstanding>, ClassError> {
        let games = self.requirement_games(store)?;
        let terms = self.terms_of(Purpose::Requirement);
        let mut programs: BTreeMap<&str, Vec<&Bot>> = BTreeMap::new();
        for bot in current.playing().filter(|bot| !bot.key.is_staff()) {
            programs.entry(&bot.key.digest).or_default().push(bot);
        }
        let staff = current.staff.iter().filter(|bot| {
            let mut grade = self.config.grade.iter();
            grade.any(|one| one.against == bot.key.name)
        });
        let mut outstanding = Vec::new();
        for staff in staff {
            for bots in programs.values() {
                let series = self
                    .config
                    .play
                    .requirement_series()
                    .saturating_sub(games.played(staff, bots[0]));
                let mut leader: Option<(u32, &Bot)> = None;
                for bot in bots.iter().filter(|_| series > 0) {
                    let played = store.next_number([staff.id, bot.id], &terms)?;
                    if leader.is_none_or(|(most, _)| played > most) {
                        leader = Some((played, bot));
                    }
                }
                outstanding.extend(leader.map(|(_, bot)| Outstanding {
                    bots: [staff.id, bot.id],
                    series,
                }));
            }
        }
        Ok(outstanding)
    }
}

fn candidates(current: &Current<'_>) -> Vec<Candidate> {
    let candidates = current.playing().map(|bot| Candidate {
        bot: bot.id,
        is_staff: bot.key.is_staff(),
    });
    candidates.collect()
}

/// Writes down that a student's bot does not start any more.
pub(crate) fn note_absent(store: &Store, bot: &Bot, why: &str) -> Result<(), ClassError> {
    if bot.key.is_staff() {
        return Ok(());
    }
    let error = ClassError::fault(why);
    let student = &bot.key.student;
    Ok(note_fault(
        store,
        student,
        FailedStep::Play,
        &bot.key.digest,
        Some(&error),
    )?)
}

impl PlannedNight<'_> {
    /// Returns the names of the players.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.setup
            .entrants
            .iter()
            .map(|player| player.name.clone())
            .collect()
    }

    /// Plays until enough is known or the night is over. `listener` receives all events.
    ///
    /// # Errors
    /// If the index cannot be written, or `listener` fails at the beginning. Later failures are in
    /// the result.
    pub fn play(
        self,
        limits: NightLimits,
        listener: &mut ContestListener<'_>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<NightOver, ClassError> {
        let PlannedNight {
            pool,
            choice,
            bots,
            rated,
            lanes,
            setup,
            mut absent,
            series,
        } = self;
        let class = pool.class;
        let games = series.min(limits.series) * u64::from(class.config.play.series());
        let night = Mutex::new(Night::new(
            pool,
            &setup,
            &bots,
            (choice, rated),
            limits,
            interrupt,
        ));
        let stop = AtomicBool::new(false);
        let referee = SeriesReferee {
            setup: &setup,
            stop: &stop,
            interrupt: &Arc::new(Interrupt::never().map_err(ClassError::from)?),
            watched: None,
        };
        listener.on_event(&ContestEvent::Started {
            header: &setup.header,
            game: &setup.game,
            games,
            lanes: lanes.count(),
        })?;
        let mut sink = IntoPool {
            night: &night,
            listener,
            interrupt,
            stop: &stop,
        };
        // A slow series must not hold up the others: each is whole by itself.
        let outcome = lanes.play(&referee, Delivery::AsDone, Chosen(&night), &mut sink);
        let mut night = night.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = class.write_night(&mut night.pool.store);
        let finish = if interrupt.is_noted() {
            Finish::Interrupted
        } else {
            Finish::Complete
        };
        let played = night.played(finish, games);
        let undecided = night.undecided.iter().map(|(chosen, why)| {
            let [one, two] = chosen.bots.map(|id| {
                bots.iter()
                    .find(|bot| bot.id == id)
                    .map_or("?", |bot| bot.key.called())
            });
            (format!("{one} against {two}"), why.clone())
        });
        absent.extend(night.absent.iter().map(|(id, why)| {
            let bot = bots.iter().find(|bot| bot.id == *id);
            let name = bot.map_or("?", |bot| bot.key.called());
            (name.to_owned(), why.clone())
        }));
        Ok(NightOver {
            absent,
            undecided: undecided.collect(),
            failure: night.failure().or(outcome.err()).or(ended.err()),
            left: night.choice.left(),
            series: played.tally.series,
            games: played.tally.games,
        })
    }
}
