//! Summaries of many numbers that take no more room however many games are played.

mod bars;
mod censored;
mod counts;
mod times;

pub use censored::median_of_censored;
pub use counts::{Counts, CountsSummary};
pub use times::{Times, TimesSummary};

/// Returns the mean of `count` numbers that add up to `sum`; `None` if there are none.
#[allow(clippy::cast_precision_loss, reason = "a mean is rounded anyway")]
fn quotient(sum: u128, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
