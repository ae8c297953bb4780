//! The value of the first move.

use super::super::axis::{Axis, Tick};
use super::name_of;
use arena::result::PlayerSummary;
use arena::words::percent;
use league::statistics::{Interval, Score, Wdl, to_f64};

const X: [f64; 2] = [4.0, 400.0];

/// The chart: for each player how it did moving first and moving second.
#[derive(Debug)]
pub(in super::super) struct FirstMover {
    /// Its value in all, as a sentence.
    pub(in super::super) sentence: String,
    pub(in super::super) rows: Vec<MoverRow>,
    pub(in super::super) ticks: Vec<Tick>,
}

/// A player's two shares.
#[derive(Debug)]
pub(in super::super) struct MoverRow {
    pub(in super::super) name: String,
    pub(in super::super) first: String,
    pub(in super::super) second: String,
    /// In percent, of how many games.
    pub(in super::super) texts: [String; 2],
}

impl FirstMover {
    /// Returns the chart of players in this order; `None` without games that count.
    pub(super) fn new(order: &[(usize, &PlayerSummary)]) -> Option<FirstMover> {
        // Those who are out keep their results, but their opponents do not.
        let is_in = |player: &PlayerSummary| !player.disqualified && player.cannot_play.is_none();
        let counted = || {
            order
                .iter()
                .filter(|(_, player)| is_in(player))
                .map(|(_, player)| &player.tally)
        };
        let mut all = Wdl::default();
        for tally in counted() {
            all += tally.moving_first;
        }
        // Pairs of games are not independent, but movers alternate within them: the interval is
        // rather too wide.
        let score = Score::of(all.sample())?;
        let uneven: u64 = counted()
            .map(|tally| {
                tally
                    .moving_first
                    .games()
                    .abs_diff(tally.moving_second.games())
            })
            .sum();
        let sentence = if 10 * uneven > 2 * all.games() {
            "Some players moved first more often than others, so these games do not tell what the first move is worth."
                .to_owned()
        } else {
            sentence(score.share, &score.interval())
        };
        let axis = Axis::linear([0.0, 1.0], X);
        let of = |results: &Wdl| {
            let share =
                (results.games() > 0).then(|| results.points() / to_f64(results.games()))?;
            Some((
                axis.place(share),
                format!("{} of {}", percent(share), results.games()),
            ))
        };
        let rows = order.iter().filter_map(|(_, player)| {
            let (first, first_text) = of(&player.tally.moving_first)?;
            let (second, second_text) = of(&player.tally.moving_second)?;
            Some(MoverRow {
                name: name_of(player),
                first,
                second,
                texts: [first_text, second_text],
            })
        });
        Some(FirstMover {
            sentence,
            rows: rows.collect(),
            ticks: axis.ticks(4, |share| format!("{:.0}%", 100.0 * share)),
        })
    }
}

/// Returns what the first move is worth.
fn sentence(share: f64, interval: &Interval) -> String {
    let what = if interval.low > 0.5 {
        "moving first is an advantage here"
    } else if interval.high < 0.5 {
        "moving first is a disadvantage here"
    } else {
        "no advantage can be told from chance"
    };
    format!(
        "The first mover got {} of the points ({} to {} with 95% confidence): {what}.",
        percent(share),
        percent(interval.low),
        percent(interval.high)
    )
}
