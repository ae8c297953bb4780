//! A night: chooses series that are worth playing, and puts what was played into the pool.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::choice::{Match, Purpose, SeriesChoice};
use bothost::Interrupt;
use league::schedule::Series;

use crate::play::note_absent;
use crate::pool::{Pool, SeriesPlace};
use crate::{Bot, ClassError};
use arena::contest::{
    ContestEvent, ContestListener, ContestSetup, Done, GameOver, Next, PlayedSeries, Sink, Source,
};
use arena::game::EndedBy;
use arena::result::{ContestResult, Finish, Tally};

/// The bots are rated again no more often than this: with some hundred of them it takes a while.
const BETWEEN_RATINGS: Duration = Duration::from_secs(5);

/// With this many undecided pairs before the first series is played, the machine is at fault, not
/// the bots.
const MOST_UNDECIDED: usize = 50;

/// The limits that end a night, if not everything is known before.
#[derive(Clone, Copy, Debug)]
pub struct NightLimits {
    /// The time that series are begun.
    pub time: Option<Duration>,
    /// The most series.
    pub series: u64,
}

/// A night of a class, while it is played.
pub(crate) struct Night<'c> {
    pub(crate) pool: Pool<'c>,
    /// The settings of the games.
    setup: &'c ContestSetup,
    /// The bots that play, as the players of the setup.
    bots: &'c [Bot],
    pub(crate) choice: SeriesChoice,
    /// The bot from which ratings are counted, and its rating.
    anchor: Option<(i64, f64)>,
    /// The time from which no other series is begun.
    until: Option<Instant>,
    /// The number of series that may still be begun.
    left: u64,
    rated: Instant,
    /// Whether a series has ended since.
    is_behind: bool,
    /// The series that are played now, by their numbers in this night.
    playing: HashMap<usize, (Match, SeriesPlace)>,
    /// The pairs whose series could not be decided, with the reason. They are left to the next
    /// night.
    pub(crate) undecided: BTreeMap<Match, String>,
    /// The bots that do not start any more, with the reason: the machine has changed since their
    /// checks. Their series count nothing and are left to the next night.
    pub(crate) absent: BTreeMap<i64, String>,
    begun: usize,
    tally: Tally,
    failure: Option<ClassError>,
    interrupt: &'c Arc<Interrupt>,
}

impl<'c> Night<'c> {
    /// Returns a night before its first series. `anchor` is the bot from which ratings are counted,
    /// and its rating.
    pub(crate) fn new(
        pool: Pool<'c>,
        setup: &'c ContestSetup,
        bots: &'c [Bot],
        (choice, anchor): (SeriesChoice, Option<(i64, f64)>),
        limits: NightLimits,
        interrupt: &'c Arc<Interrupt>,
    ) -> Night<'c> {
        Night {
            pool,
            setup,
            bots,
            choice,
            anchor,
            until: limits.time.map(|left| Instant::now() + left),
            left: limits.series,
            rated: Instant::now(),
            is_behind: false,
            playing: HashMap::new(),
            undecided: BTreeMap::new(),
            absent: BTreeMap::new(),
            begun: 0,
            tally: Tally::new(bots.len()),
            failure: None,
            interrupt,
        }
    }

    /// Returns why the night has to stop, if it has to.
    pub(crate) fn failure(&mut self) -> Option<ClassError> {
        self.failure.take()
    }

    /// Returns what has been played, of `games` that were expected.
    pub(crate) fn played(&self, finish: Finish, games: u64) -> ContestResult {
        let players = self.bots.len();
        ContestResult {
            finish,
            tally: self.tally.clone(),
            counted: self.tally.clone(),
            places: Vec::new(),
            out: vec![false; players],
            unfit: vec![None; players],
            games,
        }
    }

    /// Returns the next series to play.
    fn next(&mut self) -> Result<Next, ClassError> {
        if self.until.is_some_and(|until| Instant::now() >= until)
            || (self.tally.series == 0 && self.undecided.len() >= MOST_UNDECIDED)
        {
            return Ok(Next::End);
        }
        if self.rated.elapsed() >= BETWEEN_RATINGS {
            self.rate()?;
        }
        while self.left > 0 {
            let playing = self.playing.values().map(|(chosen, _)| chosen);
            let mut busy: HashSet<Match> = playing.chain(self.undecided.keys()).copied().collect();
            for absent in self.absent.keys() {
                busy.extend(
                    self.bots
                        .iter()
                        .flat_map(|bot| Match::all_of([*absent, bot.id])),
                );
            }
            let Some(chosen) = self.choice.next(&busy) else {
                // By ratings of now something may be open that by those of before was not.
                if self.playing.is_empty() && self.is_behind {
                    self.rate()?;
                    continue;
                }
                break;
            };
            return Ok(Next::Play(self.begin(chosen)?));
        }
        // The series that are running may leave something open.
        Ok(if self.playing.is_empty() {
            Next::End
        } else {
            Next::Later
        })
    }

    /// Begins the next series of two bots.
    fn begin(&mut self, chosen: Match) -> Result<Series, ClassError> {
        let place = |id: i64| self.bots.iter().position(|bot| bot.id == id);
        let players = chosen
            .bots
            .map(|id| place(id).expect("the choice is of these bots"));
        let bots = players.map(|player| &self.bots[player]);
        let entrants = players.map(|player| &self.setup.entrants[player]);
        let purpose = chosen.purpose;
        let class = self.pool.class;
        let store = &self.pool.store;
        let number = match purpose {
            Purpose::Rating => store.next_number(chosen.bots, &class.terms_of(purpose))?,
            Purpose::Requirement => {
                let [staff, bot] = bots;
                let terms = class.terms_of(purpose);
                store.next_number_of_program(staff.id, &bot.key.digest, &terms)?
            }
        };
        let place = self.pool.take(bots, entrants, purpose, number)?;
        let series = class.series(players, purpose, place.number);
        let series = Series {
            number: self.begun,
            ..series
        };
        self.playing.insert(self.begun, (chosen, place));
        self.begun += 1;
        self.left -= 1;
        Ok(series)
    }

    /// Rates the bots by all that has been played.
    fn rate(&mut self) -> Result<(), ClassError> {
        let pairings = self.pool.store.pairings(&self.pool.class.terms_key())?;
        self.choice.rate(&pairings, self.anchor);
        self.rated = Instant::now();
        self.is_behind = false;
        Ok(())
    }

    /// Takes a series back that did not come to its end.
    fn give_back(&mut self, chosen: Match) {
        self.choice.give_back(chosen);
        self.left = self.left.saturating_add(1);
    }

    /// Returns whether a bot did not start for a game of a series and does not start now. It started
    /// in its check, so the machine has changed: an interpreter or a module is missing.
    fn look_for_absent(&mut self, played: &PlayedSeries) -> Result<bool, ClassError> {
        let mut is_absent = false;
        for game in &played.games {
            let Some(side) = game.by.filter(|_| game.ended_by == EndedBy::CouldNotStart) else {
                continue;
            };
            let bot = &self.bots[played.series.players[side.index()]];
            if !self.absent.contains_key(&bot.id) {
                let class = self.pool.class;
                let Some(why) = class.why_not_started(bot, self.interrupt)? else {
                    // The bot fails to start now and then, which is its own fault.
                    continue;
                };
                note_absent(&self.pool.store, bot, &why)?;
                self.absent.insert(bot.id, why);
            }
            is_absent = true;
        }
        Ok(is_absent)
    }

    /// Takes what has become of a series. Returns it if it is in the pool.
    fn take(&mut self, done: Done) -> Result<Option<PlayedSeries>, ClassError> {
        let Some((chosen, place)) = self.playing.remove(&done.series.number) else {
            return Ok(None);
        };
        match done.played {
            Ok(played) if played.games.len() == played.series.games as usize => {
                if self.look_for_absent(&played)? {
                    self.give_back(chosen);
                    return Ok(None);
                }
                let results = self.pool.put(place, &played)?;
                if chosen.purpose == Purpose::Rating {
                    let awaited = self.pool.class.config.play.series();
                    self.choice.count(chosen.bots, &results, awaited);
                    self.is_behind = true;
                }
                self.tally
                    .add_series(&played.series, &played.games, played.end.as_ref());
                Ok(Some(played))
            }
            // It was stopped on the way.
            Ok(_) => {
                self.give_back(chosen);
                Ok(None)
            }
            // One bot must not end the night for all.
            Err(error) => {
                self.give_back(chosen);
                self.undecided.insert(chosen, error.to_string());
                Ok(None)
            }
        }
    }
}

/// The series of a night, as the lanes ask for them.
pub(crate) struct Chosen<'n, 'c>(pub(crate) &'n Mutex<Night<'c>>);

impl Source for Chosen<'_, '_> {
    fn next(&mut self) -> Next {
        let mut night = locked(self.0);
        night.next().unwrap_or_else(|failure| {
            night.failure.get_or_insert(failure);
            Next::End
        })
    }
}

/// Takes the series of a night, and tells `listener` of them.
pub(crate) struct IntoPool<'n, 'c> {
    pub(crate) night: &'n Mutex<Night<'c>>,
    pub(crate) listener: &'n mut ContestListener<'n>,
    pub(crate) interrupt: &'n Interrupt,
    pub(crate) stop: &'n AtomicBool,
}

impl IntoPool<'_, '_> {
    fn look_for_interrupt(&mut self) -> io::Result<()> {
        if self.interrupt.is_noted() && !self.stop.swap(true, Ordering::Relaxed) {
            self.listener.on_event(&ContestEvent::Stopping)?;
        }
        Ok(())
    }
}

impl Sink for IntoPool<'_, '_> {
    type Error = ClassError;

    fn on_game(&mut self, game: GameOver) -> Result<(), ClassError> {
        self.listener.on_event(&ContestEvent::GameOver(game))?;
        Ok(self.look_for_interrupt()?)
    }

    fn accept(&mut self, done: Vec<Done>) -> Result<(), ClassError> {
        for one in done {
            let taken = locked(self.night).take(one)?;
            let Some(PlayedSeries { series, games, end }) = taken else {
                continue;
            };
            let end = end.as_ref();
            let from_record = false;
            self.listener.on_event(&ContestEvent::SeriesOver {
                series: &series,
                games: &games,
                end,
                from_record,
            })?;
        }
        Ok(self.look_for_interrupt()?)
    }

    fn tick(&mut self) -> Result<(), ClassError> {
        self.listener.on_event(&ContestEvent::Tick)?;
        Ok(self.look_for_interrupt()?)
    }
}

fn locked<'l, 'c>(night: &'l Mutex<Night<'c>>) -> MutexGuard<'l, Night<'c>> {
    night.lock().unwrap_or_else(PoisonError::into_inner)
}
