//! `referee class play`: the options, the progress and the result of a night.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use bothost::Interrupt;
use clap::Args;
use class::{Absent, Class, NightLimits, PlannedNight, Tonight};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};

use super::{left_undone, open};
use arena::contest::ContestListener;
use pages::Progress;
use referee::{Failure, exit, listen, note, unless_closed};

#[derive(Args, Debug)]
pub(super) struct PlayOptions {
    /// Stop at this time of day (06:00) or after so long (90m), after the series that run
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Stop after this many series
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    /// Games at the same time [default: jobs of [play], or as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<u16>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

impl PlayOptions {
    /// Returns how many games are played at the same time, if that is said anywhere.
    fn jobs(&self, class: &Class) -> Option<usize> {
        self.jobs.map(usize::from).or_else(|| class.jobs())
    }
}

/// Plays what is missing on lanes of this machine.
pub(super) fn run(folder: &Path, options: &PlayOptions) -> Result<(), Failure> {
    let until = options.until.as_deref().map(time_left).transpose()?;
    let class = open(folder)?;
    let interrupt = listen()?;
    let (nothing, absent) = match class.tonight(options.jobs(&class), &interrupt)? {
        Tonight::Series(night) => {
            // A timer that starts the night would mail the lines.
            let prints_lines = !options.quiet && io::stderr().is_terminal();
            let progress = prints_lines.then(|| Progress::new(night.names()));
            let limits = NightLimits {
                time: until,
                series: options.most.unwrap_or(u64::MAX),
            };
            return play(*night, limits, progress, &interrupt);
        }
        Tonight::TooFewBots(absent) => (
            "nothing to play: there are fewer than two bots that can play",
            absent,
        ),
        Tonight::NothingLeft(absent) => ("nothing to play: every bot is known well enough", absent),
    };
    writeln!(io::stdout(), "{nothing}")?;
    left_undone(not_started(absent), "started", "night")
}

/// Returns the bots that do not start any more, as [`left_undone`] takes them.
fn not_started(absent: Absent) -> impl Iterator<Item = (String, Failure)> {
    absent.into_iter().map(|(name, why)| {
        (
            name,
            anyhow!("the bot started in its check, and does not now: {why}").into(),
        )
    })
}

/// Plays a night and prints what the pool has received.
fn play(
    night: PlannedNight<'_>,
    limits: NightLimits,
    mut progress: Option<Progress>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let listener: &mut ContestListener<'_> = match &mut progress {
        Some(progress) => progress,
        None => &mut (),
    };
    let over = night.play(limits, listener, interrupt);
    drop(progress);
    let over = over?;
    if let Some(failure) = over.failure {
        note("stopping; all finished series are in the pool");
        return Err(failure.into());
    }
    let left = match over.left {
        0 => "nothing is left to play".to_owned(),
        left => format!("{left} series are left"),
    };
    unless_closed(writeln!(
        io::stdout(),
        "{} series, {} games; {left}",
        over.series,
        over.games
    ))?;
    if interrupt.is_noted() {
        return Err(Failure::Reported(exit::INTERRUPTED));
    }
    let undecided = over.undecided.into_iter();
    let failures = undecided.map(|(pair, why)| (pair, anyhow!(why).into()));
    let undecided = left_undone(failures, "decided", "night");
    left_undone(not_started(over.absent), "started", "night").and(undecided)
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
    let hour = hour.parse().map_err(|_| wrong())?;
    let minute = minute.parse().map_err(|_| wrong())?;
    let now = Timestamp::now().to_zoned_datetime(TimeZone::system());
    left_until(&now, hour, minute).ok_or_else(wrong)
}

fn left_until(now: &ZonedDateTime, hour: i8, minute: i8) -> Option<Duration> {
    let at = |day: &ZonedDateTime| {
        let at = day
            .with()
            .hour(hour)
            .minute(minute)
            .second(0)
            .subsec_nanosecond(0);
        at.build().ok()
    };
    let today = at(now)?;
    let at = if today > *now {
        today
    } else {
        at(&now.tomorrow().ok()?)?
    };
    let left: SignedDuration = now.duration_until(&at);
    Duration::try_from(left).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_ends_at_a_time_of_day_or_after_a_while() {
        let now: Timestamp = "2026-11-22T22:30:00Z".parse().unwrap();
        let now = now.to_zoned_datetime(TimeZone::UTC);
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
