//! The ratings in the course of the games.

use super::super::axis::{Axis, Tick, short};
use super::super::course::Course;
use super::standings_table::signed;
use super::{label_of, name_of};
use arena::result::PlayerSummary;

/// The number of players that have a line of their own kind with a name; the others' lines are
/// thin.
const NAMED: usize = 8;

/// The width of the drawing of the lines, which is stretched to the width of the page.
const X: [f64; 2] = [0.0, 1000.0];
const Y: [f64; 2] = [320.0, 14.0];

/// Names at the ends of lines are at least so far from each other.
const LINE_HEIGHT: f64 = 15.0;

/// A line chart.
#[derive(Debug)]
pub(in super::super) struct CourseChart {
    pub(in super::super) lines: Vec<Line>,
    pub(in super::super) x_ticks: Vec<Tick>,
    pub(in super::super) y_ticks: Vec<Tick>,
    /// Numbers of games, and the ratings of the named players then: the same as a table.
    pub(in super::super) table: Vec<(usize, Vec<String>)>,
    pub(in super::super) names: Vec<String>,
    pub(in super::super) others: usize,
}

/// A player's line.
#[derive(Debug)]
pub(in super::super) struct Line {
    pub(in super::super) name: Option<String>,
    /// The whole name.
    pub(in super::super) full: String,
    /// The kind of line: 0 to 7, or 8 for a thin one.
    pub(in super::super) series: usize,
    pub(in super::super) points: String,
    /// The vertical place of the last point, and its name.
    pub(in super::super) end: [String; 2],
}

impl CourseChart {
    /// Returns the chart of players in this order; `None` if there are too few moments for lines.
    pub(super) fn new(course: &Course, order: &[(usize, &PlayerSummary)]) -> Option<CourseChart> {
        let mut out = vec![false; order.len()];
        for (player, summary) in order {
            out[*player] = summary.disqualified || summary.cannot_play.is_some();
        }
        let moments = with_the_standings(course.moments(&out), order);
        // The first ratings come from a handful of games, and would dwarf the rest.
        let rated = |ratings: &[Option<f64>]| ratings.iter().flatten().count();
        let most = moments.last().map(|(_, ratings)| rated(ratings))?;
        let last = moments.last().map_or(0, |(games, _)| *games);
        let moments: Vec<_> = moments
            .into_iter()
            .filter(|(games, ratings)| rated(ratings) == most && *games * 20 >= last)
            .collect();
        if moments.len() < 3 {
            return None;
        }
        let all = || {
            moments
                .iter()
                .flat_map(|(_, ratings)| ratings.iter().flatten().copied())
        };
        let low = all().fold(f64::INFINITY, f64::min);
        let high = all().fold(f64::NEG_INFINITY, f64::max);
        let y = Axis::linear([low, high], Y);
        #[allow(
            clippy::cast_precision_loss,
            reason = "numbers of games are far below 2^52"
        )]
        let x = Axis::linear([moments[0].0 as f64, last as f64], X);
        let mut lines: Vec<Line> = Vec::new();
        // The named ones last, so that they lie above the others.
        for (place, (player, summary)) in order.iter().enumerate().rev() {
            let points: Vec<[f64; 2]> = moments
                .iter()
                .filter_map(|(games, ratings)| {
                    let rating = ratings.get(*player).copied().flatten()?;
                    #[allow(clippy::cast_precision_loss, reason = "as above")]
                    Some([x.at(*games as f64), y.at(rating)])
                })
                .collect();
            let Some([_, end_y]) = points.last().copied() else {
                continue;
            };
            let points: Vec<String> = points
                .into_iter()
                .map(|[x, y]| format!("{},{}", short(x), short(y)))
                .collect();
            lines.push(Line {
                full: name_of(summary),
                name: (place < NAMED).then(|| label_of(summary)),
                series: place.min(NAMED),
                points: points.join(" "),
                end: [short(end_y), short(end_y)],
            });
        }
        spread_names(&mut lines);
        let named = &order[..order.len().min(NAMED)];
        Some(CourseChart {
            lines,
            x_ticks: x.shares(6, short),
            y_ticks: y.ticks(6, signed),
            table: moments
                .iter()
                .map(|(games, ratings)| {
                    (
                        *games,
                        named
                            .iter()
                            .map(|(player, _)| {
                                ratings
                                    .get(*player)
                                    .copied()
                                    .flatten()
                                    .map_or("-".to_owned(), signed)
                            })
                            .collect(),
                    )
                })
                .collect(),
            names: named.iter().map(|(_, player)| name_of(player)).collect(),
            others: order.len().saturating_sub(NAMED),
        })
    }
}

/// Returns the moments on the scale of the standings, which may count from a player's rating, with
/// the ratings of the standings as the last.
fn with_the_standings(
    mut moments: Vec<(usize, Vec<Option<f64>>)>,
    order: &[(usize, &PlayerSummary)],
) -> Vec<(usize, Vec<Option<f64>>)> {
    let Some((_, last)) = moments.last_mut() else {
        return moments;
    };
    let mut sum = 0.0;
    let mut count = 0.0;
    let mut shown = vec![None; last.len()];
    for (player, summary) in order {
        let rating = summary.rating.map(|rating| rating.rating);
        if let (Some(here), Some(there)) = (rating, last.get(*player).copied().flatten()) {
            (sum, count) = (sum + here - there, count + 1.0);
            shown[*player] = rating;
        }
    }
    *last = shown;
    let usual = if count > 0.0 { sum / count } else { 0.0 };
    // A rating without an interval is the one from which all are counted, at each moment.
    let fixed = order.iter().find_map(|(player, summary)| {
        let rating = summary
            .rating
            .as_ref()
            .filter(|rating| rating.low >= rating.high)?;
        Some((*player, rating.rating))
    });
    let all_but_last = moments.len() - 1;
    for (_, ratings) in &mut moments[..all_but_last] {
        let here = fixed.and_then(|(player, rating)| Some(rating - ratings.get(player)?.as_ref()?));
        let shift = here.unwrap_or(usual);
        for rating in ratings.iter_mut().flatten() {
            *rating += shift;
        }
    }
    moments
}

/// Moves names that would lie on each other apart: from the top down, then up from the bottom if
/// they do not fit.
fn spread_names(lines: &mut [Line]) {
    let mut named: Vec<(usize, f64)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.name.is_some())
        .map(|(index, line)| (index, line.end[0].parse().unwrap_or(0.0)))
        .collect();
    named.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut above = f64::NEG_INFINITY;
    for (_, y) in &mut named {
        *y = y.max(above + LINE_HEIGHT);
        above = *y;
    }
    let mut below = Y[0] + LINE_HEIGHT;
    for (index, y) in named.iter_mut().rev() {
        *y = y.min(below - LINE_HEIGHT);
        below = *y;
        lines[*index].end[1] = short(*y);
    }
}
