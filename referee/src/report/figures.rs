//! The figures of a player: one line of [`FIGURES`] declares a number, and the JSON, the CSV and the tables of text
//! follow.

use league::statistics::distribution::{CountsSummary, TimesSummary};
use league::statistics::{Wdl, real};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::words::{NONE, duration, percent, reasons, score};
use crate::contest::{PlaceSummary, PlayerSummary, RatingSummary, Score};

/// What is known of a player by one name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Count(u64),
    Real(f64),
    Text(String),
    Truth(bool),
    /// Not known, or not for this player: `null` in JSON, an empty cell in CSV, `-` in text.
    Absent,
}

/// One figure, and where it is shown. An empty name means: not there.
pub(super) struct Figure {
    /// Its place in the JSON of a player, with dots before what is inside of an object.
    json: &'static str,
    /// Its column in CSV.
    pub(super) csv: &'static str,
    /// Its row in the summary of a match.
    pub(super) row: &'static str,
    /// Its column in the standings of a tournament.
    pub(super) head: &'static str,
    /// The number itself.
    pub(super) value: fn(&PlayerSummary) -> Value,
    /// How a table of text shows it.
    pub(super) shown: Shown,
}

/// How a table of text shows a figure.
pub(super) enum Shown {
    /// As it is; a real number with one decimal.
    Plain,
    /// As a whole number, without decimals it does not have.
    Short,
    /// As a time, from microseconds.
    Microseconds,
    /// Together with others.
    With(fn(&PlayerSummary) -> String),
}

impl Figure {
    const fn new(json: &'static str, value: fn(&PlayerSummary) -> Value) -> Figure {
        Figure { json, csv: "", row: "", head: "", value, shown: Shown::Plain }
    }

    const fn csv(self, csv: &'static str) -> Figure {
        Figure { csv, ..self }
    }

    const fn row(self, row: &'static str) -> Figure {
        Figure { row, ..self }
    }

    const fn head(self, head: &'static str) -> Figure {
        Figure { head, ..self }
    }

    const fn shown(self, shown: Shown) -> Figure {
        Figure { shown, ..self }
    }

    /// Returns the figure of `player` as a table of text shows it.
    pub(super) fn text(&self, player: &PlayerSummary) -> String {
        match (&self.shown, (self.value)(player)) {
            (Shown::With(shown), _) => shown(player),
            (_, Value::Absent) => NONE.to_owned(),
            (Shown::Microseconds, Value::Count(us)) => duration(real(us)),
            (Shown::Microseconds, Value::Real(us)) => duration(us),
            (Shown::Plain, Value::Real(number)) => format!("{number:.1}"),
            (Shown::Short, Value::Real(number)) => number.to_string(),
            (_, Value::Count(number)) => number.to_string(),
            (_, Value::Text(text)) => text,
            (_, Value::Truth(truth)) => truth.to_string(),
        }
    }
}

/// All figures. Their order is that of columns and rows.
pub(super) const FIGURES: &[Figure] = &[
    Figure::new("place.place", |p| at_place(p, |at| Count(at.place as u64))).csv("place").head("#"),
    Figure::new("name", |p| Text(p.name.clone())).csv("player").head("player"),
    Figure::new("command", |p| Text(p.command.clone())).csv("command"),
    Figure::new("place.points", |p| at_place(p, |at| Real(at.points)))
        .csv("points")
        .head(POINTS)
        .shown(Shown::With(|p| in_brackets(p, &at_place(p, |at| Real(at.points))))),
    Figure::new("games", |p| Count(p.tally.games))
        .csv("games")
        .head("games")
        .shown(Shown::With(|p| in_brackets(p, &Count(p.tally.games)))),
    Figure::new("results.wins", |p| Count(p.tally.results.wins)).csv("wins").row("wins"),
    Figure::new("results.draws", |p| Count(p.tally.results.draws)).csv("draws"),
    Figure::new("results.losses", |p| Count(p.tally.results.losses)).csv("losses"),
    Figure::new("moving_first.wins", |p| Count(p.tally.moving_first.wins))
        .row("  moving first")
        .shown(Shown::With(|p| wins(&p.tally.moving_first))),
    Figure::new("moving_first.draws", |p| Count(p.tally.moving_first.draws)),
    Figure::new("moving_first.losses", |p| Count(p.tally.moving_first.losses)),
    Figure::new("moving_second.wins", |p| Count(p.tally.moving_second().wins))
        .row("  moving second")
        .shown(Shown::With(|p| wins(&p.tally.moving_second()))),
    Figure::new("moving_second.draws", |p| Count(p.tally.moving_second().draws)),
    Figure::new("moving_second.losses", |p| Count(p.tally.moving_second().losses)),
    Figure::new("", |p| Count(p.tally.results.draws)).row(HALF_POINTS),
    Figure::new("score.share", |p| of_score(p, |score| score.share))
        .csv("score")
        .row("score")
        .head("score")
        .shown(Shown::With(|p| p.score.map_or(NONE.to_owned(), |of| score(&of)))),
    Figure::new("score.wilson.low", |p| of_score(p, |score| score.wilson.low)).csv("score_low"),
    Figure::new("score.wilson.high", |p| of_score(p, |score| score.wilson.high)).csv("score_high"),
    Figure::new("rating.rating", |p| rated(p, |it| it.rating))
        .csv("rating")
        .head("rating ± 95%")
        .shown(Shown::With(rating)),
    Figure::new("rating.standard_error", |p| rated(p, |it| it.standard_error))
        .csv("standard_error"),
    Figure::new("rating.low", |p| rated(p, |it| it.low)).csv("rating_low"),
    Figure::new("rating.high", |p| rated(p, |it| it.high)).csv("rating_high"),
    Figure::new("", |p| Count(p.tally.n_faults())).csv("faults").head("faults"),
    Figure::new("faults_moving_first", |p| Count(p.tally.faults_moving_first))
        .row("own faults")
        .shown(Shown::With(faults)),
    Figure::new("disqualified", |p| Truth(p.disqualified)).csv("disqualified"),
    Figure::new("shots_to_win.count", |p| to_win(p, |shots| Count(shots.count))),
    Figure::new("shots_to_win.mean", |p| to_win(p, |shots| Real(shots.mean)))
        .csv("attacks_to_win_mean")
        .row("attacks to win, mean")
        .head("attacks to win"),
    Figure::new("shots_to_win.median", |p| to_win(p, |shots| Real(shots.median)))
        .csv("attacks_to_win_median")
        .row("  median")
        .shown(Shown::Short),
    Figure::new("shots_to_win.min", |p| to_win(p, |shots| Count(shots.min.into()))),
    Figure::new("shots_to_win.max", |p| to_win(p, |shots| Count(shots.max.into()))),
    Figure::new("shots_to_win.standard_deviation", |p| {
        to_win(p, |shots| real_or_absent(shots.standard_deviation))
    }),
    Figure::new("shots", |p| Count(p.tally.shots)).csv("attacks"),
    Figure::new("wasted", |p| Count(p.tally.wasted))
        .csv("wasted")
        .row("wasted attacks")
        .shown(Shown::With(|p| format!("{} of {}", p.tally.wasted, p.tally.shots))),
    Figure::new("reply_us.count", |p| reply(p, |times| Count(times.count))),
    Figure::new("reply_us.mean", |p| reply(p, |times| Real(times.mean)))
        .csv("reply_us_mean")
        .row("reply time, mean")
        .head("reply")
        .shown(Shown::Microseconds),
    Figure::new("reply_us.p50", |p| reply(p, |times| Count(times.p50))),
    Figure::new("reply_us.p99", |p| reply(p, |times| Count(times.p99)))
        .csv("reply_us_p99")
        .row("  99%")
        .shown(Shown::Microseconds),
    Figure::new("reply_us.max", |p| reply(p, |times| Count(times.max)))
        .csv("reply_us_max")
        .row("  longest")
        .shown(Shown::Microseconds),
    Figure::new("cpu_ms", |p| p.tally.cpu_ms.map_or(Absent, Count))
        .csv("cpu_ms")
        .row("CPU time")
        .shown(Shown::With(|p| {
            p.tally.cpu_ms.map_or(NONE.to_owned(), |ms| duration(1000.0 * real(ms)))
        })),
    Figure::new("calls_itself", |p| text(p.tally.own_name.as_ref())).csv("calls_itself"),
    Figure::new("cannot_play", |p| text(p.cannot_play.as_ref())).csv("cannot_play"),
    Figure::new("place.note", |p| at_place(p, |at| Text(at.note.clone()))).csv("note").head(NOTE),
];

/// Returns the figures of a player as the summary of a match has them, each with a label that stands for itself.
pub(super) fn labelled_figures(player: &PlayerSummary) -> Vec<(String, String)> {
    let mut group = "";
    let mut labelled = Vec::new();
    for figure in FIGURES.iter().filter(|figure| !matches!(figure.row, "" | HALF_POINTS)) {
        let row = figure.row.trim_start();
        // Rows that are indented belong to the one above.
        let label = if row.len() < figure.row.len() {
            format!("{group}, {row}")
        } else {
            group = row.split(',').next().unwrap_or(row);
            row.to_owned()
        };
        labelled.push((label, figure.text(player)));
    }
    labelled
}

/// The column whose name depends on the schedule: points, match points or rounds.
pub(super) const POINTS: &str = "points";

/// The column without a name, which is there only where places have notes.
pub(super) const NOTE: &str = " ";

/// The row that is there only if a game was worth half a point.
pub(super) const HALF_POINTS: &str = "half points";

/// Objects that are left out of the JSON, instead of being `null`, where there is nothing in them.
const OPTIONAL: [&str; 2] = ["place", "rating"];

use Value::{Absent, Count, Real, Text, Truth};

fn text(of: Option<&String>) -> Value {
    of.cloned().map_or(Absent, Text)
}

/// Returns a number as the standings show it: in brackets if it does not count there.
fn in_brackets(player: &PlayerSummary, value: &Value) -> String {
    let shown = match value {
        Count(number) => number.to_string(),
        Real(number) => number.to_string(),
        Text(_) | Truth(_) | Absent => return NONE.to_owned(),
    };
    if player.disqualified { format!("({shown})") } else { shown }
}

fn at_place(player: &PlayerSummary, value: impl FnOnce(&PlaceSummary) -> Value) -> Value {
    player.place.as_ref().map_or(Absent, value)
}

fn of_score(player: &PlayerSummary, value: impl FnOnce(&Score) -> f64) -> Value {
    player.score.as_ref().map_or(Absent, |score| Real(value(score)))
}

fn rated(player: &PlayerSummary, value: impl FnOnce(&RatingSummary) -> f64) -> Value {
    player.rating.as_ref().map_or(Absent, |rating| Real(value(rating)))
}

fn to_win(player: &PlayerSummary, value: impl FnOnce(&CountsSummary) -> Value) -> Value {
    player.tally.shots_to_win.summary().as_ref().map_or(Absent, value)
}

fn reply(player: &PlayerSummary, value: impl FnOnce(&TimesSummary) -> Value) -> Value {
    player.tally.reply_times.summary().as_ref().map_or(Absent, value)
}

fn real_or_absent(number: Option<f64>) -> Value {
    number.map_or(Absent, Real)
}

fn wins(results: &Wdl) -> String {
    format!("{} of {}", results.wins, results.games())
}

fn faults(player: &PlayerSummary) -> String {
    let reasons = reasons(&player.tally.faults);
    match (player.tally.faults.is_empty(), player.tally.faults_moving_first) {
        (true, _) => reasons,
        (false, first) => format!("{reasons} ({first} moving first)"),
    }
}

fn rating(player: &PlayerSummary) -> String {
    player.rating.as_ref().map_or(NONE.to_owned(), |rating| {
        format!("{} ± {:.0}", rounded(rating.rating), (rating.high - rating.low) / 2.0)
    })
}

/// Returns a rating in whole points. Adding zero turns -0 into 0.
fn rounded(rating: f64) -> String {
    format!("{:.0}", rating.round() + 0.0)
}

/// Returns the share of points as the standings show it, where the interval of a match's summary has no room.
pub(super) fn short_score(player: &PlayerSummary) -> String {
    player.score.map_or(NONE.to_owned(), |score| percent(score.share))
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Count(number) => to.serialize_u64(*number),
            Real(number) => to.serialize_f64(*number),
            Text(text) => to.serialize_str(text),
            Truth(truth) => to.serialize_bool(*truth),
            Absent => to.serialize_none(),
        }
    }
}

/// All figures, and what else a summary has for a player: its faults by reason, warnings, and its worst game.
impl Serialize for PlayerSummary {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let values: Vec<_> = FIGURES
            .iter()
            .filter(|figure| !figure.json.is_empty())
            .map(|figure| (figure.json, (figure.value)(self)))
            .collect();
        let mut map = to.serialize_map(None)?;
        serialize_figures(&values, &mut map)?;
        map.serialize_entry("faults", &self.tally.faults)?;
        map.serialize_entry("warnings", &self.tally.warnings)?;
        map.serialize_entry("worst_game", &self.worst_game)?;
        map.end()
    }
}

/// Figures with the same word before the first dot, without that word: one object.
struct Object<'v>(Vec<(&'static str, &'v Value)>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.iter().all(|(_, value)| **value == Absent) {
            return to.serialize_none();
        }
        let values: Vec<_> = self.0.iter().map(|(path, value)| (*path, (*value).clone())).collect();
        let mut map = to.serialize_map(None)?;
        serialize_figures(&values, &mut map)?;
        map.end()
    }
}

fn serialize_figures<M: SerializeMap>(
    values: &[(&'static str, Value)],
    map: &mut M,
) -> Result<(), M::Error> {
    // The first figure with a word before its dot writes the whole object; the others of it are skipped. So
    // they need not be next to each other in `FIGURES`, whose order is that of tables.
    let mut done: Vec<&str> = Vec::new();
    for (path, value) in values {
        let Some((object, _)) = path.split_once('.') else {
            map.serialize_entry(path, value)?;
            continue;
        };
        if done.contains(&object) {
            continue;
        }
        done.push(object);
        let within = |(path, value): &'_ (&'static str, Value)| {
            let (first, rest) = path.split_once('.')?;
            (first == object).then_some((rest, value.clone()))
        };
        let inner: Vec<_> = values.iter().filter_map(within).collect();
        let inner = Object(inner.iter().map(|(path, value)| (*path, value)).collect());
        // A match has no places and ratings at all, so these objects are left out; times that are unknown are
        // `null`.
        let is_empty = inner.0.iter().all(|(_, value)| **value == Absent);
        if !(is_empty && OPTIONAL.contains(&object)) {
            map.serialize_entry(object, &inner)?;
        }
    }
    Ok(())
}
