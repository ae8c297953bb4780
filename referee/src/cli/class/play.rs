//! `referee class play`: series of the pool, until enough is known or the night is over.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bothost::{Interrupt, text};
use clap::Args;
use class::choice::{Candidate, Choice};
use class::{Bot, Store};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::Class;
use super::cluster::play_on;
use super::current::Current;
use super::pool::{Table, Tried};
use crate::cli::exit::{self, Failure};
use crate::cli::scheduler::{SchedulerOptions, SchedulerPlan};
use crate::cli::{complain, listen};
use crate::contest::Lanes;
use crate::system;

/// The bots are rated anew no more often than this: with some hundred of them it takes a while.
const BETWEEN_RATINGS: Duration = Duration::from_secs(5);

/// How often it is looked whether the night is over, and a lane without work whether there is some.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

#[derive(Args, Debug)]
pub(in crate::cli) struct PlayOptions {
    /// Stop at this time of day (06:00) or after so long (90m), after the series that run
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Stop after so many series
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    /// Games at the same time [default: jobs of [play], or as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<u16>,
    #[command(flatten)]
    scheduler: SchedulerOptions,
}

impl PlayOptions {
    /// Returns after how many series to stop.
    pub(super) const fn most(&self) -> Option<u64> {
        self.most
    }

    /// Returns how many games are played at the same time, if that is said anywhere.
    pub(super) fn jobs(&self, class: &Class) -> Option<usize> {
        self.jobs.or(class.config.play.jobs).map(usize::from)
    }
}

/// What the lanes share.
struct Shared<'c> {
    choice: Choice,
    busy: HashSet<[i64; 2]>,
    bots: HashMap<i64, &'c Bot>,
    rated: Instant,
    played: u64,
    games: u64,
    /// How many more series may be begun.
    left: u64,
    /// Why series of these pairs could not be decided. They are left to the next night.
    undecided: BTreeMap<[i64; 2], String>,
    failure: Option<Failure>,
}

/// A night of a class.
struct Night<'c> {
    table: Table<'c>,
    anchor: Option<(i64, f64)>,
    shared: Mutex<Shared<'c>>,
    /// Whether no other series is begun.
    is_over: AtomicBool,
    run: i64,
}

/// Plays what is missing.
pub(in crate::cli) fn run(folder: &Path, options: &PlayOptions) -> Result<(), Failure> {
    let until = options.until.as_deref().map(time_left).transpose()?;
    if let Some(scheduler) = SchedulerPlan::new(&options.scheduler)? {
        if until.is_some() {
            let what =
                "--until: a scheduler has limits of its own; say how much is played with --most";
            return Err(Failure::misuse(what));
        }
        return play_on(&Class::open(folder)?, &scheduler, options);
    }
    let interrupt = listen()?;
    let class = Class::open(folder)?;
    let mut store = class.store()?;
    let current = class.current(&store)?;
    warn_of_unchecked(&class, &current);
    if class.secret.is_none() {
        complain(&format!(
            "there is no {}, so students can compute the seeds of the games; make the class again with referee class \
             init, or write 32 random hexadecimal digits into that file, which begins another pool",
            class.folder.secret().display()
        ));
    }
    let anchor = class.anchor(&current);
    let pairings = store.pairings(&class.terms_key())?;
    let choice = Choice::new(class.config.play, class.candidates(&current), &pairings, anchor);
    let choice = choice.map_err(anyhow::Error::from)?;
    let lanes = Lanes::new(options.jobs(&class), class.terms.pin);
    lanes.make_room().map_err(Failure::misuse)?;
    let count = lanes.count();
    if choice.clone().next(&HashSet::new()).is_none() {
        let what = if current.playing().count() < 2 {
            "nothing to play: there are fewer than two bots that can play"
        } else {
            "nothing to play: every bot is known well enough"
        };
        writeln!(io::stdout(), "{what}")?;
        return Ok(());
    }
    let sandbox = class.test_sandbox()?;
    let run = store.begin_run(&system::host_name(), count)?;
    let shared = Shared {
        choice,
        busy: HashSet::new(),
        bots: current.playing().map(|bot| (bot.id, bot)).collect(),
        rated: Instant::now(),
        played: 0,
        games: 0,
        left: options.most.unwrap_or(u64::MAX),
        undecided: BTreeMap::new(),
        failure: None,
    };
    let table = Table {
        class: &class,
        terms: class.terms_key(),
        sandbox,
        lanes,
        stop: AtomicBool::new(false),
    };
    let night =
        Night { table, anchor, shared: Mutex::new(shared), is_over: AtomicBool::new(false), run };
    let began = Instant::now();
    night.play(count, until.map(|left| began + left), &interrupt)?;
    store.end_run(run)?;
    class.write_night(&mut store)?;
    let Shared { played, games, failure, choice, undecided, bots, .. } =
        night.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failure = failure.or_else(|| list_undecided(&undecided, &bots, played));
    if let Some(failure) = failure {
        complain("the night has to stop; what has been played is in the pool");
        return Err(failure);
    }
    let left = choice.left();
    let left = if left == 0 {
        "nothing is left to play".to_owned()
    } else {
        format!("{left} series are left")
    };
    writeln!(io::stdout(), "{played} series, {games} games; {left}")?;
    if interrupt.is_noted() {
        return Err(Failure::Said(exit::INTERRUPTED));
    }
    Ok(())
}

/// The most undecided pairs that are named.
const MOST_NAMED: usize = 20;

/// With this many undecided pairs before the first series is played, the machine is at fault, not the bots.
const MOST_UNDECIDED: usize = 50;

/// Names the pairs that could not be decided. Returns the first reason as a failure if nothing else was played.
fn list_undecided(
    undecided: &BTreeMap<[i64; 2], String>,
    bots: &HashMap<i64, &Bot>,
    played: u64,
) -> Option<Failure> {
    let (_, first) = undecided.first_key_value()?;
    for (pair, why) in undecided.iter().take(MOST_NAMED) {
        let [one, two] = pair.map(|bot| bots.get(&bot).map_or("?", |bot| bot.key.called()));
        let why = text::shown(why.as_bytes());
        complain(&format!("{one} against {two} could not be decided: {why}"));
    }
    let more = undecided.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        complain(&format!("{more} more could not be decided"));
    }
    complain("the next night tries these again");
    (played == 0).then(|| anyhow::anyhow!(first.clone()).into())
}

pub(super) fn warn_of_unchecked(class: &Class, current: &Current<'_>) {
    let count = current.unchecked(&class.terms_key()).count();
    if count > 0 {
        complain(&format!(
            "{count} bots have not been checked and do not play: referee class check"
        ));
    }
}

impl Class {
    /// Returns who plays, with what is asked of others against them.
    pub(super) fn candidates(&self, current: &Current<'_>) -> Vec<Candidate> {
        let required = |bot: &Bot| {
            let of_bot = self.config.grade.iter().filter(|one| one.against == bot.key.name);
            of_bot.map(|one| one.above).next().filter(|_| bot.key.is_staff())
        };
        let candidate = |bot: &Bot| Candidate {
            bot: bot.id,
            is_staff: bot.key.is_staff(),
            required: required(bot),
        };
        current.playing().map(candidate).collect()
    }
}

impl<'c> Night<'c> {
    /// Plays on so many lanes until nothing is left, `until` or Ctrl-C. Series that run are played to their end, but for a
    /// Ctrl-C.
    fn play(&self, lanes: usize, until: Option<Instant>, interrupt: &Interrupt) -> io::Result<()> {
        thread::scope(|scope| {
            let lanes: Vec<_> = (0..lanes)
                .map(|lane| thread::Builder::new().spawn_scoped(scope, move || self.lane(lane)))
                .collect::<Result<_, _>>()?;
            let mut shown = Instant::now();
            while lanes.iter().any(|lane| !lane.is_finished()) {
                if until.is_some_and(|until| Instant::now() >= until) {
                    self.is_over.store(true, Ordering::Relaxed);
                }
                if !interrupt.wait(Some(BETWEEN_LOOKS))? {
                    self.is_over.store(true, Ordering::Relaxed);
                    self.table.stop.store(true, Ordering::Relaxed);
                    // The wait returns at once from now on.
                    thread::sleep(BETWEEN_LOOKS);
                }
                if io::stderr().is_terminal() && shown.elapsed() >= Duration::from_secs(1) {
                    shown = Instant::now();
                    let shared = self.shared();
                    let (played, games) = (shared.played, shared.games);
                    drop(shared);
                    let _ = write!(io::stderr(), "\r{played} series, {games} games ");
                }
            }
            if io::stderr().is_terminal() {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
            Ok(())
        })
    }

    fn shared(&self) -> MutexGuard<'_, Shared<'c>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lane(&self, lane: usize) {
        if let Err(failure) = self.play_lane(lane) {
            self.shared().failure.get_or_insert(failure);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    fn play_lane(&self, lane: usize) -> Result<(), Failure> {
        let mut store = self.table.class.store()?;
        // Pairs that another program plays.
        let mut elsewhere: HashSet<[i64; 2]> = HashSet::new();
        while !self.is_over.load(Ordering::Relaxed) {
            let Some(pair) = self.take(&store, &elsewhere)? else {
                let waits = !self.shared().busy.is_empty() || !elsewhere.is_empty();
                elsewhere.clear();
                if !waits || self.shared().left == 0 {
                    return Ok(());
                }
                // What others play now may leave something open.
                thread::sleep(BETWEEN_LOOKS);
                continue;
            };
            let (bots, expected) = {
                let shared = self.shared();
                (pair.map(|bot| shared.bots[&bot]), shared.choice.series(pair))
            };
            let tried = self.table.play(&mut store, bots, expected, lane)?;
            let mut shared = self.shared();
            shared.busy.remove(&pair);
            match tried {
                Tried::Played(results) => {
                    shared.choice.count(pair, &results, self.table.class.config.play.series);
                    shared.played += 1;
                    shared.games += results.games;
                    drop(shared);
                    store.go_on_with_run(self.run)?;
                }
                Tried::Known(all) => {
                    shared.choice.catch_up(pair, &all, self.table.class.config.play.series);
                    shared.left = shared.left.saturating_add(1);
                }
                Tried::Undecided(why) => {
                    // One bot must not end the night for all.
                    shared.choice.give_back(pair);
                    shared.left = shared.left.saturating_add(1);
                    shared.undecided.insert(pair, why);
                    if shared.played == 0 && shared.undecided.len() >= MOST_UNDECIDED {
                        return Ok(());
                    }
                }
                Tried::Busy | Tried::Stopped => {
                    shared.choice.give_back(pair);
                    shared.left = shared.left.saturating_add(1);
                    elsewhere.insert(pair);
                }
            }
        }
        Ok(())
    }

    /// Returns the next pair to play.
    fn take(
        &self,
        store: &Store,
        elsewhere: &HashSet<[i64; 2]>,
    ) -> Result<Option<[i64; 2]>, Failure> {
        let mut shared = self.shared();
        if shared.left == 0 {
            return Ok(None);
        }
        if shared.rated.elapsed() >= BETWEEN_RATINGS {
            let pairings = store.pairings(&self.table.terms)?;
            shared.choice.rate(&pairings, self.anchor).map_err(anyhow::Error::from)?;
            for pairing in &pairings {
                shared.choice.catch_up(pairing.bots, &pairing.results, 0);
            }
            shared.rated = Instant::now();
        }
        // Others play, too: all that they have played is looked at only now and then, and for each pair before it plays.
        let undecided = shared.undecided.keys();
        let busy: HashSet<_> =
            shared.busy.iter().chain(elsewhere).chain(undecided).copied().collect();
        let Some(pair) = shared.choice.next(&busy) else { return Ok(None) };
        shared.busy.insert(pair);
        shared.left -= 1;
        Ok(Some(pair))
    }
}

/// Returns how long it is until a time of day, or the time itself: `06:00`, `90m`.
fn time_left(text: &str) -> Result<Duration, Failure> {
    if let Ok(time) = humantime::parse_duration(text) {
        return Ok(time);
    }
    let wrong = || {
        Failure::misuse(format!(
            "--until {text}: write a time of day, as 06:00, or how long, as 90m"
        ))
    };
    let (hour, minute) = text.split_once(':').ok_or_else(wrong)?;
    let (hour, minute) = (hour.parse().map_err(|_| wrong())?, minute.parse().map_err(|_| wrong())?);
    let now = Timestamp::now().to_zoned(TimeZone::system());
    left_until(&now, hour, minute).ok_or_else(wrong)
}

fn left_until(now: &Zoned, hour: i8, minute: i8) -> Option<Duration> {
    let at = |day: &Zoned| {
        let at = day.with().hour(hour).minute(minute).second(0).subsec_nanosecond(0);
        at.build().ok()
    };
    let today = at(now)?;
    let at = if today > *now { today } else { at(&now.tomorrow().ok()?)? };
    let left: SignedDuration = now.duration_until(&at);
    Duration::try_from(left).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One bot that the machine could not start once ended the night for all.
    #[test]
    fn a_night_fails_only_if_nothing_could_be_played() {
        let undecided = BTreeMap::from([([1, 2], "no memory".to_owned())]);
        let failure = |played| list_undecided(&undecided, &HashMap::new(), played);
        assert!(failure(1).is_none());
        assert_eq!(failure(0).unwrap().to_string(), "no memory");
        assert!(list_undecided(&BTreeMap::new(), &HashMap::new(), 0).is_none());
    }

    #[test]
    fn a_night_ends_at_a_time_of_day_or_after_a_while() {
        let now: Timestamp = "2026-11-22T22:30:00Z".parse().unwrap();
        let now = now.to_zoned(TimeZone::UTC);
        let hours = |hour, minute| left_until(&now, hour, minute).map(|left| left.as_secs() / 60);
        assert_eq!(hours(6, 0), Some(7 * 60 + 30));
        assert_eq!(hours(23, 0), Some(30));
        assert_eq!(hours(22, 30), Some(24 * 60));
        assert_eq!((hours(24, 0), hours(6, 60)), (None, None));
        assert_eq!(time_left("90m").unwrap(), Duration::from_secs(90 * 60));
        for wrong in ["soon", "6", "25:00", "6:aa", ""] {
            assert!(time_left(wrong).is_err(), "{wrong}");
        }
    }
}
