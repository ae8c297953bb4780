//! `referee class play`: series of the pool, until enough is known or the night is over.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bothost::text;
use clap::Args;
use class::choice::{Candidate, Choice};
use class::{Bot, Store};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use league::statistics::bradley_terry::Anchor;

use super::Class;
use super::current::Current;
use super::night::{Chosen, IntoPool, Night};
use super::parts::play_on;
use super::pool::Pool;
use crate::cli::exit::{self, Failure};
use crate::cli::listeners::{Followed, ListenerOptions};
use crate::cli::scheduler::{SchedulerOptions, SchedulerPlan};
use crate::cli::{complain, listen};
use engine::contest::{ContestEvent, Engine, Finish, Lanes, Order, Reporter, Summary};
use engine::system;
use engine::terms::headings;

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
    /// Replace the file of --report, if it is there; write to the folder of --bundle, even if it is not empty
    #[arg(long, help_heading = headings::OUTPUT)]
    force: bool,
    #[command(flatten)]
    listeners: ListenerOptions,
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

/// Plays what is missing.
pub(in crate::cli) fn run(folder: &Path, options: &PlayOptions) -> Result<(), Failure> {
    let until = options.until.as_deref().map(time_left).transpose()?;
    if let Some(scheduler) = SchedulerPlan::new(&options.scheduler)? {
        if until.is_some() {
            let what =
                "--until: a scheduler has limits of its own; say how much is played with --most";
            return Err(Failure::misuse(what));
        }
        if options.listeners != ListenerOptions::default() {
            let what = "--on plays in other processes; leave --bundle, --report, --events, --watch and --quiet out";
            return Err(Failure::misuse(what));
        }
        return play_on(&Class::open(folder)?, &scheduler, options);
    }
    let class = Class::open(folder)?;
    play_here(&class, options, until)
}

/// Plays what is missing on lanes of this machine, for so long at most.
fn play_here(class: &Class, options: &PlayOptions, until: Option<Duration>) -> Result<(), Failure> {
    let listeners = options.listeners.plan(options.force)?;
    listeners.check(false)?;
    let interrupt = &listen()?;
    let pool = Pool::open(class)?;
    let current = class.current(&pool.store)?;
    warn_of_unchecked(class, &current);
    if class.secret.is_none() {
        complain(&format!(
            "there is no {}, so students can compute the seeds of the games; make the class again with referee class \
             init, or write 32 random hexadecimal digits into that file, which begins another pool",
            class.folder.secret().display()
        ));
    }
    let choice = class.choice(&pool.store, &current)?;
    let lanes = Lanes::new(options.jobs(class), class.terms.pin);
    lanes.make_room().map_err(Failure::misuse)?;
    let series = choice.left();
    if series == 0 {
        let what = if current.playing().count() < 2 {
            "nothing to play: there are fewer than two bots that can play"
        } else {
            "nothing to play: every bot is known well enough"
        };
        writeln!(io::stdout(), "{what}")?;
        return Ok(());
    }
    let sandbox = class.test_sandbox()?;
    let mut bots: Vec<Bot> = current.playing().cloned().collect();
    // As in all records of two of them: the one with the lower number is first.
    bots.sort_by_key(|bot| bot.id);
    let number = Timestamp::now().as_millisecond().cast_unsigned();
    let setup = class.setup(&bots, number, sandbox)?;
    let anchor = class.anchor(&current);
    let place = |id: i64| bots.iter().position(|bot| bot.id == id);
    let followed = Followed {
        names: setup.entrants.iter().map(|player| player.name.clone()).collect(),
        lanes: lanes.count(),
        record: None,
        anchor: anchor
            .and_then(|(bot, rating)| Some(Anchor::Player { player: place(bot)?, rating }))
            .unwrap_or_default(),
        // A night is started by a timer, which would mail them.
        lines: false,
        leaves: "All finished series are in the pool; the next night plays what is missing.",
    };
    let mut listeners = listeners.open(&followed, interrupt)?;
    let most = options.most.unwrap_or(u64::MAX);
    let games = series.min(most) * u64::from(class.config.play.series);
    let run = pool.store.begin_run(&system::host_name(), lanes.count())?;
    let mut night = Night::new(pool, &setup, &bots, choice, run);
    (night.anchor, night.left) = (anchor, most);
    night.until = until.map(|left| Instant::now() + left);
    let night = Mutex::new(night);
    let (stop, gallery) = (AtomicBool::new(false), listeners.gallery());
    let engine = Engine {
        setup: &setup,
        lanes: &lanes,
        // A slow series must not hold up the others: each is whole by itself.
        order: Order::AsDone,
        keeps_evidence: true,
        stop: &stop,
        gallery: gallery.as_deref(),
    };
    let lanes = lanes.count();
    listeners.report(&ContestEvent::Started { header: &setup.header, games, lanes })?;
    let mut sink = IntoPool { night: &night, reporter: &mut listeners, interrupt, stop: &stop };
    let outcome = engine.play(Chosen(&night), &mut sink);
    let seen = listeners.close();
    let page = listeners.finish_page(false);
    let mut night = night.into_inner().unwrap_or_else(PoisonError::into_inner);
    night.pool.store.end_run(run)?;
    class.write_night(&mut night.pool.store)?;
    let finish = if interrupt.is_noted() { Finish::Interrupted } else { Finish::Complete };
    let played = night.played(finish, games);
    let failure = night.failure().or(outcome.err());
    let (series, games) = (played.tally.series, played.tally.games);
    if let Some(failure) = failure.or_else(|| list_undecided(&night.undecided, &bots, series)) {
        complain("stopping; all finished series are in the pool");
        return Err(failure);
    }
    seen?;
    if !listeners.finish_events(&Summary::new(&setup.header, &played, None))? {
        let left = match night.choice.left() {
            0 => "nothing is left to play".to_owned(),
            left => format!("{left} series are left"),
        };
        writeln!(io::stdout(), "{series} series, {games} games; {left}")?;
    }
    listeners.name_bundles();
    page.map_err(anyhow::Error::from)?;
    listeners.name_page();
    if finish == Finish::Interrupted {
        return Err(Failure::Said(exit::INTERRUPTED));
    }
    Ok(())
}

/// The most undecided pairs that are named.
const MOST_NAMED: usize = 20;

/// Names the pairs that could not be decided. Returns the first reason as a failure if nothing else was played.
fn list_undecided(
    undecided: &BTreeMap<[i64; 2], String>,
    bots: &[Bot],
    played: u64,
) -> Option<Failure> {
    let (_, first) = undecided.first_key_value()?;
    for (pair, why) in undecided.iter().take(MOST_NAMED) {
        let [one, two] =
            pair.map(|id| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.key.called()));
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
    /// Returns what is worth playing.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub(super) fn choice(&self, store: &Store, current: &Current<'_>) -> Result<Choice, Failure> {
        let pairings = store.pairings(&self.terms_key())?;
        let candidates = self.candidates(current);
        let choice = Choice::new(self.config.play, candidates, &pairings, self.anchor(current));
        Ok(choice.map_err(anyhow::Error::from)?)
    }

    /// Returns who plays, with what is asked of others against them.
    fn candidates(&self, current: &Current<'_>) -> Vec<Candidate> {
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
        let failure = |played| list_undecided(&undecided, &[], played);
        assert!(failure(1).is_none());
        assert_eq!(failure(0).unwrap().to_string(), "no memory");
        assert!(list_undecided(&BTreeMap::new(), &[], 0).is_none());
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
