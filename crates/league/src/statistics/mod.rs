//! Statistics of the results of many games: what they say about the players, and how surely.
//!
//! Every formula names its source, and the tests compare it with figures that others have
//! published. Nothing here ever gives NaN: where a figure does not exist it is an [`Option`], and
//! where it is infinite it says so.

pub mod bradley_terry;
pub mod distribution;
pub mod elo;
mod interval;
mod mean;
mod results;
mod sample;
mod score;
pub mod sprt;

pub use elo::EloEstimate;
pub use interval::{Interval, Z_95, Z_95_ONE_SIDED};
pub use mean::Mean;
pub use results::{Outcome, Pentanomial, Wdl};
pub use sample::{NormalizedElo, Sample};
pub use score::Score;

/// Returns a count as a floating-point number.
#[must_use]
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of games stay below 2^53, up to which this is exact"
)]
pub fn to_f64(count: u64) -> f64 {
    count as f64
}
