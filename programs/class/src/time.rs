//! Times in the names of submissions.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use thiserror::Error;

/// The reason why a name is not a time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a time; write UTC, e.g. 2026-11-22T20-41-04")]
pub struct TimeError(String);

/// The advice about a time of a whole class, which no one is to take for another zone's.
pub(crate) const WITH_ZONE: &str =
    "write a date, a time and its zone, e.g. 2026-12-01T23:59:00-08:00, or Z for UTC";

/// Reads the time of a submission from its name: a date, `T` or `_` or a space, and a time of day
/// in UTC whose parts are separated by `-`, `:`, `.` or nothing, as in `2026-11-22T20-41-04`,
/// `20261122_2041` or `2026-11-22 20:41:04Z`. File systems of Windows allow no colons.
///
/// # Errors
/// If it is none.
pub(crate) fn time_in_name(name: &str) -> Result<Timestamp, TimeError> {
    let wrong = || TimeError(name.to_owned());
    let text = name.strip_suffix(['Z', 'z']).unwrap_or(name);
    let (date, time) = text.split_once(['T', 't', '_', ' ']).ok_or_else(wrong)?;
    let date = digits(date, &[8]).ok_or_else(wrong)?;
    let time = digits(time, &[4, 6]).ok_or_else(wrong)?;
    let number = |digits: &str| digits.parse::<i16>().map_err(|_| wrong());
    let small = |digits: &str| digits.parse::<i8>().map_err(|_| wrong());
    let seconds = time.get(4..6).map_or(Ok(0), small)?;
    let at = DateTime::new(
        number(&date[..4])?,
        small(&date[4..6])?,
        small(&date[6..8])?,
        small(&time[..2])?,
        small(&time[2..4])?,
        seconds,
        0,
    );
    let at = at.map_err(|_| wrong())?;
    Ok(at
        .to_zoned_datetime(TimeZone::UTC)
        .map_err(|_| wrong())?
        .timestamp())
}

/// Reads a time as a person writes it: with its distance from UTC, as in
/// `2026-12-03T23:59:00+01:00`, or as [`time_in_name`] does.
///
/// # Errors
/// If it is none.
pub fn moment(text: &str) -> Result<Timestamp, TimeError> {
    text.parse().or_else(|_| time_in_name(text))
}

/// Returns the digits of `text`, if nothing but separators is between them and there are as many as
/// one of `counts`.
fn digits(text: &str, counts: &[usize]) -> Option<String> {
    let is_separator = |char: &char| matches!(char, '-' | ':' | '.');
    let digits: String = text.chars().filter(|char| !is_separator(char)).collect();
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && counts.contains(&digits.len())).then_some(digits)
}

/// Returns a time as submissions are named by it: `2026-11-22T20-41-04`.
#[must_use]
pub fn shown_time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H-%M-%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_several_forms_and_written_in_one() {
        for name in [
            "2026-11-22T20-41-04",
            "2026-11-22T20:41:04Z",
            "2026-11-22 20.41.04",
            "20261122_204104",
            "20261122t204104z",
        ] {
            let at = time_in_name(name).unwrap();
            assert_eq!(at.to_string(), "2026-11-22T20:41:04Z", "{name}");
            assert_eq!(shown_time(at), "2026-11-22T20-41-04");
        }
        assert_eq!(
            time_in_name("2026-11-22T20-41").unwrap().to_string(),
            "2026-11-22T20:41:00Z"
        );
    }

    #[test]
    fn other_names_are_not_times() {
        for name in [
            "",
            "T",
            "final",
            "2026-11-22",
            "2026-11-22T",
            "2026-13-22T20-41-04",
            "2026-11-31T20-41-04",
            "2026-11-22T25-41-04",
            "2026-11-22T20-41-04+0100",
            "２０２６-11-22T20-41-04",
            "2026-11-22T20-41-0",
        ] {
            let error = time_in_name(name).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{name:?} is not a time")),
                "{error}"
            );
        }
    }
}
