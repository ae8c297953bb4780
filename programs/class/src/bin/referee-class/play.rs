//! `referee class play`: what a night is told, what follows it, and what it says.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use bothost::Interrupt;
use clap::Args;
use class::{Class, NightLimits, PlannedNight, Tonight};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};

use super::{left_undone, open};
use arena::contest::LaneListeners;
use referee::options::headings;
use referee::{Failure, FollowOptions, Run, Session, exit, listen, note};

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
    /// Replace the file of --report, if it is there
    #[arg(long, help_heading = headings::OUTPUT)]
    force: bool,
    #[command(flatten)]
    follow: FollowOptions,
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
    options.follow.check()?;
    let interrupt = &listen()?;
    let nothing = match class.tonight(options.jobs(&class))? {
        Tonight::Series(night) => {
            let run = Run {
                rules: class.rules(),
                names: night.names(),
                record: None,
                anchor: night.anchor(),
                // A night is started by a timer, which would mail them.
                prints_lines: false,
                leaves: "All finished series are in the pool; the next night plays what is missing.",
            };
            let session = options.follow.open(&run, options.force, interrupt)?;
            let limits = NightLimits {
                time: until,
                series: options.most.unwrap_or(u64::MAX),
            };
            return follow(*night, limits, session, interrupt);
        }
        Tonight::TooFewBots => "nothing to play: there are fewer than two bots that can play",
        Tonight::NothingLeft => "nothing to play: every bot is known well enough",
    };
    writeln!(io::stdout(), "{nothing}")?;
    Ok(())
}

/// Plays a night that `session` follows, and says what has come to the pool.
fn follow(
    night: PlannedNight<'_>,
    limits: NightLimits,
    mut session: Session,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let contest = session.watched();
    let watched = contest
        .as_deref()
        .map(|contest| contest as &dyn LaneListeners);
    let over = night.play(limits, &mut session, watched, interrupt);
    session.close(false);
    let over = over?;
    if let Some(failure) = over.failure {
        note("stopping; all finished series are in the pool");
        return Err(failure.into());
    }
    session.publish(&over.summary, |_| {
        let left = match over.left {
            0 => "nothing is left to play".to_owned(),
            left => format!("{left} series are left"),
        };
        writeln!(
            io::stdout(),
            "{} series, {} games; {left}",
            over.series,
            over.games
        )
    })?;
    if interrupt.is_noted() {
        return Err(Failure::Reported(exit::INTERRUPTED));
    }
    let undecided = over.undecided.into_iter();
    let failures = undecided.map(|(pair, why)| (pair, anyhow!(why).into()));
    left_undone(failures, "decided", "night")
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
