//! The times of replies, on a logarithmic scale.

use super::super::axis::{Axis, Tick};
use super::{name_of, time};
use arena::result::PlayerSummary;
use league::statistics::to_f64;

const X: [f64; 2] = [4.0, 400.0];

/// The chart.
#[derive(Debug)]
pub(in super::super) struct TimeChart {
    pub(in super::super) rows: Vec<TimeRow>,
    pub(in super::super) ticks: Vec<Tick>,
}

/// A player's times.
#[derive(Debug)]
pub(in super::super) struct TimeRow {
    pub(in super::super) name: String,
    /// The places of the end of the fastest tenth, the median, nine tenths, 99% and the longest.
    pub(in super::super) places: [String; 5],
    pub(in super::super) texts: [String; 5],
}

impl TimeChart {
    /// Returns the chart of players in this order; `None` without replies.
    pub(super) fn new(order: &[(usize, &PlayerSummary)]) -> Option<TimeChart> {
        let quantiles: Vec<(String, [f64; 5])> = order
            .iter()
            .filter_map(|(_, player)| {
                let times = &player.tally.reply_times;
                let of = |share| times.quantile(share);
                let all = [of(0.1)?, of(0.5)?, of(0.9)?, of(0.99)?, times.max()?];
                // Less than a microsecond has no place on the scale.
                Some((name_of(player), all.map(|us| to_f64(us).max(1.0))))
            })
            .collect();
        let all = || {
            quantiles
                .iter()
                .flat_map(|(_, times)| times.iter().copied())
        };
        if quantiles.is_empty() {
            return None;
        }
        let axis = Axis::log(
            [
                all().fold(f64::INFINITY, f64::min),
                all().fold(1.0, f64::max),
            ],
            X,
        );
        let rows = quantiles.iter().map(|(name, times)| TimeRow {
            name: name.clone(),
            places: times.map(|time| axis.place(time)),
            texts: times.map(time),
        });
        Some(TimeChart {
            rows: rows.collect(),
            ticks: axis.ticks(8, round_duration),
        })
    }
}

/// Returns a power of ten in microseconds, without decimals.
fn round_duration(us: f64) -> String {
    match us {
        us if us < 1e3 => format!("{us:.0} µs"),
        us if us < 1e6 => format!("{:.0} ms", us / 1e3),
        us => format!("{:.0} s", us / 1e6),
    }
}
