//! Times as people read them.

use std::time::Duration;

/// Returns a time with one digit behind the point: `0.4 s`, `12 ms`, `80 us`.
pub(crate) fn in_words(time: Duration) -> String {
    if time < Duration::from_millis(1) {
        format!("{} us", time.as_micros())
    } else if time < Duration::from_millis(100) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
