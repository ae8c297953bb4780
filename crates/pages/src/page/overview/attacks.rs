//! The number of attacks that players needed to win: a distribution a row.

use std::fmt::Write;

use super::super::axis::{Axis, Tick, short};
use super::{label_of, name_of};
use arena::result::{AttacksSummary, PlayerSummary};
use league::statistics::distribution::Distribution;
use league::statistics::to_f64;

/// The width of the drawing of the hills, which is stretched to the width of the page.
const X: [f64; 2] = [0.0, 1000.0];

/// The height of a row, and of the highest hill in it.
const ROW: f64 = 30.0;
const HILL: f64 = 26.0;

const MOST_BINS: u64 = 64;

/// The reason why writing to a path cannot fail.
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
        let with_wins = || {
            order
                .iter()
                .filter(|(_, player)| player.tally.shots_to_win.count() > 0)
        };
        let least = with_wins()
            .filter_map(|(_, player)| player.tally.shots_to_win.min())
            .min()?;
        let most = with_wins()
            .filter_map(|(_, player)| player.tally.shots_to_win.max())
            .max()?;
        let width = bin_width([least, most], MOST_BINS);
        let bins_in_all = (most - least) / width + 1;
        let end = to_f64(least + width * bins_in_all);
        let axis = Axis::linear([to_f64(least), end], X);
        let rows = with_wins().zip(0_u32..).filter_map(|((_, player), row)| {
            let counts = &player.tally.shots_to_win;
            let base = ROW * f64::from(row) + ROW;
            let summary = AttacksSummary::of(counts)?;
            let bins = bins(counts, [least, most], MOST_BINS);
            let highest = to_f64(bins.iter().copied().max().unwrap_or(0).max(1));
            let mut path = format!("M{} {}", short(X[0]), short(base));
            for (bin, place) in bins.iter().zip(0..) {
                let y = base - HILL * to_f64(*bin) / highest;
                let [from, to] =
                    [place, place + 1].map(|place| axis.at(to_f64(least + width * place)));
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
        let height = short(ROW * to_f64(rows.len() as u64) + 24.0);
        Some(AttackChart {
            rows,
            ticks: axis.shares(8, short),
            height,
        })
    }
}

/// Returns how many numbers share a bin so that those of a range, both ends of which are in it,
/// make at most this many bins. All bins have as many, since bins of two sizes would look like a
/// pattern in the counts.
pub(super) fn bin_width([least, most]: [u64; 2], most_bins: u64) -> u64 {
    most.saturating_sub(least)
        .saturating_add(1)
        .div_ceil(most_bins.max(1))
        .max(1)
}

/// Returns how many of `counts` are in each bin of a range.
pub(super) fn bins(counts: &Distribution, range: [u64; 2], most_bins: u64) -> Vec<u64> {
    let [least, most] = range;
    let width = bin_width(range, most_bins);
    let in_all = most.saturating_sub(least) / width + 1;
    (0..in_all)
        .map(|bin| {
            let inside = counts
                .iter()
                .filter(|(value, _)| value.saturating_sub(least) / width == bin);
            inside.map(|(_, count)| count).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bin() {
        let counts: Distribution = [17, 17, 18, 40, 100].into_iter().collect();
        assert_eq!(bins(&counts, [17, 100], 84).len(), 84);
        assert_eq!(bins(&counts, [17, 100], 2), [4, 1]);
        // Of three numbers each, since 28 bins are the most that fit.
        let of_three = bins(&counts, [17, 100], 40);
        assert_eq!((of_three.len(), of_three[0], of_three[27]), (28, 3, 1));
    }
}
