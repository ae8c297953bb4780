//! Values as they are typed.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use arena::terms::GameClock;

/// The longest limit: the clocks of operating systems end somewhere, and no game needs more.
const A_YEAR: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The most games that are played at the same time.
const MOST_JOBS: u16 = 1024;

/// Reads a time, like `5s` or `250ms`.
///
/// # Errors
/// The fault, as a message.
pub fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time > A_YEAR => Err("a time limit is at most a year".to_owned()),
        Ok(time) if !time.is_zero() && time.subsec_nanos() % 1_000_000 == 0 => Ok(time),
        Ok(_) => Err("a time limit is in whole milliseconds, at least one".to_owned()),
        Err(_) => Err("expected a number and its unit; write e.g. 5s or 250ms".to_owned()),
    }
}

/// Reads the clock of a game, like `60s` or `60s+100ms`.
pub(crate) fn game_clock(text: &str) -> Result<GameClock, String> {
    let (total, increment) = match text.split_once('+') {
        Some((total, increment)) => (total, time_limit(increment)?),
        None => (text, Duration::ZERO),
    };
    Ok(GameClock {
        total: time_limit(total)?,
        increment,
    })
}

/// A time for all players, as in `5s`, or for one of them, by name or number, as in `Popeye=10s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeFor {
    pub(crate) player: Option<String>,
    pub(crate) time: Duration,
}

impl FromStr for TimeFor {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeFor, String> {
        let (player, time) = match text.rsplit_once('=') {
            Some((player, time)) => (Some(player.to_owned()), time),
            None => (None, text),
        };
        Ok(TimeFor {
            player,
            time: time_limit(time)?,
        })
    }
}

/// Reads a whole number from 1.
///
/// # Errors
/// The fault, as a message.
pub fn positive(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "expected a whole number from 1".to_owned())
}

/// Reads a seed.
///
/// # Errors
/// The fault, as a message.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("it is not a number from 0 to {}", u64::MAX))
}

/// Reads the number of games at the same time.
pub(crate) fn jobs(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(jobs) if (1..=MOST_JOBS).contains(&jobs) => Ok(jobs),
        Ok(_) | Err(_) => Err(format!("expected a whole number from 1 to {MOST_JOBS}")),
    }
}

/// Reads a share, from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(_) | Err(_) => Err("a share is a number from 0 to 1".to_owned()),
    }
}
