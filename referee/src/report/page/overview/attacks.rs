//! How many attacks players needed to win: a distribution a row.

use std::fmt::Write;

use super::super::axis::{Axis, Tick, short};
use super::{label_of, name_of};
use crate::contest::PlayerSummary;
use league::statistics::distribution::Counts;
use league::statistics::real;

const X: [f64; 2] = [4.0, 900.0];

/// The height of a row, and of the highest hill in it.
const ROW: f64 = 30.0;
const HILL: f64 = 26.0;

const MOST_BINS: u32 = 64;

/// Why writing to a path cannot fail.
const WRITES: &str = "a string takes everything";

/// The chart.
#[derive(Debug)]
pub(in super::super) struct AttackChart {
    pub(in super::super) rows: Vec<AttackRow>,
    pub(in super::super) ticks: Vec<Tick>,
    pub(in super::super) height: String,
}

/// A player's distribution.
#[derive(Debug)]
pub(in super::super) struct AttackRow {
    pub(in super::super) name: String,
    /// The name as the drawing has it.
    pub(in super::super) label: String,
    /// The hill, as a path.
    pub(in super::super) path: String,
    /// Its base line, and where the median is.
    pub(in super::super) y: String,
    pub(in super::super) top: String,
    pub(in super::super) median: String,
    /// Wins, least, median, mean, most: the same as a table.
    pub(in super::super) figures: [String; 5],
}

impl AttackChart {
    /// Returns the chart of players in this order; `None` if no fleet was sunk.
    pub(super) fn new(order: &[(usize, &PlayerSummary)]) -> Option<AttackChart> {
        let with_wins = || order.iter().filter(|(_, player)| player.tally.shots_to_win.count() > 0);
        let least = with_wins().filter_map(|(_, player)| player.tally.shots_to_win.min()).min()?;
        let most = with_wins().filter_map(|(_, player)| player.tally.shots_to_win.max()).max()?;
        let axis = Axis::linear([f64::from(least), f64::from(most) + 1.0], X);
        let count = most.saturating_sub(least).saturating_add(1).min(MOST_BINS);
        let width = (X[1] - X[0]) / f64::from(count);
        let rows = with_wins().zip(0_u32..).filter_map(|((_, player), row)| {
            let counts = &player.tally.shots_to_win;
            let base = ROW * f64::from(row) + ROW;
            let summary = counts.summary()?;
            let bins = bins(counts, [least, most], count);
            let highest = real(bins.iter().copied().max().unwrap_or(0).max(1));
            let mut path = format!("M{} {}", short(X[0]), short(base));
            for (bin, place) in bins.iter().zip(0_u32..) {
                let y = base - HILL * real(*bin) / highest;
                let [from, to] = [place, place + 1].map(|place| X[0] + width * f64::from(place));
                write!(path, "L{} {}H{}", short(from), short(y), short(to)).expect(WRITES);
            }
            write!(path, "V{}Z", short(base)).expect(WRITES);
            Some(AttackRow {
                name: name_of(player),
                label: label_of(player),
                path,
                y: short(base),
                top: short(base - HILL),
                median: axis.place(summary.median + 0.5),
                figures: [
                    summary.count.to_string(),
                    summary.min.to_string(),
                    summary.median.to_string(),
                    format!("{:.1}", summary.mean),
                    summary.max.to_string(),
                ],
            })
        });
        let rows: Vec<AttackRow> = rows.collect();
        let height = short(ROW * real(rows.len() as u64) + 24.0);
        Some(AttackChart { rows, ticks: axis.ticks(8, short), height })
    }
}

/// Returns how many of `counts` are in each of so many equal parts of a range, both ends of which are in it.
pub(super) fn bins(counts: &Counts, [least, most]: [u32; 2], parts: u32) -> Vec<u64> {
    let mut bins = vec![0; parts as usize];
    let range = u64::from(most.saturating_sub(least)) + 1;
    for (value, count) in counts.iter() {
        let place = u64::from(value.saturating_sub(least)) * u64::from(parts) / range;
        if let Some(bin) = usize::try_from(place).ok().and_then(|place| bins.get_mut(place)) {
            *bin += count;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bin() {
        let counts: Counts = [17, 17, 18, 40, 100].into_iter().collect();
        assert_eq!(bins(&counts, [17, 100], 84).iter().sum::<u64>(), 5);
        assert_eq!(bins(&counts, [17, 100], 2), [4, 1]);
    }
}
