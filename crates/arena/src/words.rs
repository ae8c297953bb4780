//! Numbers as people read them.

use std::collections::BTreeMap;
use std::fmt::Write;

use league::statistics::{EloEstimate, Interval, NormalizedElo};

use crate::game::EndedBy;
use crate::result::Score;

/// The sign for a missing figure.
pub const NONE: &str = "-";

/// Returns a number with its noun in the singular or the plural.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 || noun == "series" {
        ""
    } else {
        "s"
    };
    format!("{number} {noun}{plural}")
}

/// Returns a share from 0 to 1 in percent.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Returns a score with its interval.
#[must_use]
pub fn score(score: &Score) -> String {
    format!("{} ({})", percent(score.share), interval(&score.wilson))
}

/// Returns an interval of shares in percent.
#[must_use]
pub fn interval(interval: &Interval) -> String {
    format!("{:.1} to {}", 100.0 * interval.low, percent(interval.high))
}

/// Returns an Elo difference with its interval.
#[must_use]
pub fn elo(estimate: &EloEstimate) -> String {
    let EloEstimate { elo, low, high } = *estimate;
    format!("{elo:+.0} ({low:+.0} to {high:+.0})")
}

/// Returns a normalized Elo difference with its interval, or why it has none.
#[must_use]
pub fn normalized_elo(estimate: &NormalizedElo) -> String {
    match *estimate {
        NormalizedElo {
            elo,
            low: Some(low),
            high: Some(high),
        } => self::elo(&EloEstimate { elo, low, high }),
        NormalizedElo { elo, .. } => format!("{elo:+.0} (no interval: too few pairs differ)"),
    }
}

/// Returns reasons with the number of games of each; `0` if there are none.
#[must_use]
pub fn reasons(reasons: &BTreeMap<EndedBy, u64>) -> String {
    let mut text = String::new();
    for (reason, count) in reasons {
        let comma = if text.is_empty() { "" } else { ", " };
        write!(text, "{comma}{count} {reason}").expect("a string takes everything");
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

/// Returns a time in the unit that suits it, from microseconds.
#[must_use]
pub fn duration(us: f64) -> String {
    match us {
        us if us < 1_000.0 => format!("{us:.0} us"),
        us if us < 1_000_000.0 => format!("{:.1} ms", us / 1_000.0),
        us => format!("{:.1} s", us / 1_000_000.0),
    }
}

/// Returns the ending of a game, as the end of a sentence that begins with the player who caused
/// it; a whole sentence for reasons without a player.
#[must_use]
pub const fn reason_in_words(reason: EndedBy) -> &'static str {
    match reason {
        EndedBy::FleetSunk => "sank the whole fleet",
        EndedBy::Won => "won",
        EndedBy::Drawn => "neither has won",
        EndedBy::Resigned => "resigned",
        EndedBy::Timeout => "did not reply in time",
        EndedBy::OutOfTime => "used up its time",
        EndedBy::NotReading => "did not read its input",
        EndedBy::BadReply => "sent an invalid reply",
        EndedBy::IllegalPlacement => "placed its ships against the rules",
        EndedBy::LineTooLong => "sent a line that is too long",
        EndedBy::Flood => "sent far too much",
        EndedBy::ClosedOutput => "closed its output",
        EndedBy::UsedTooMuch => "took more than the sandbox allows",
        EndedBy::Exited => "exited",
        EndedBy::Crashed => "crashed",
        EndedBy::CouldNotStart => "could not start",
        EndedBy::CannotPlace => "could not place its ships",
        EndedBy::TurnCap => "both players used up their turns",
        EndedBy::MachineLate => "the machine was too busy",
        EndedBy::JudgeFailed => "the judge failed",
        EndedBy::Interrupted => "the referee was stopped",
    }
}
