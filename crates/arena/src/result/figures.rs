//! The figures of a player by name, as the tables, the CSV and the pages have them: each is a row
//! of [`FIGURES`].

use super::player::{PlaceSummary, PlayerSummary};
use super::score::Score;
use crate::words::{NONE, duration, percent, reasons, score};
use Value::{Absent, Count, Real, Text, Truth};
use league::statistics::bradley_terry::Rating;
use league::statistics::{Wdl, to_f64};

/// The value of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Count(u64),
    Real(f64),
    Text(String),
    Truth(bool),
    /// Not known, or not for this player: an empty cell in CSV, `-` in text.
    Absent,
}

/// One figure, and the tables that show it. An empty name means: not there.
#[derive(Debug)]
pub struct PlayerFigure {
    /// Its column in CSV.
    pub csv: &'static str,
    /// Its row in the summary of a match.
    pub row: &'static str,
    /// Its column in the standings of a tournament.
    pub head: &'static str,
    /// The number itself.
    pub value: fn(&PlayerSummary) -> Value,
    /// Its form in a table of text.
    pub format: FigureFormat,
    /// Whether only Battleship has it.
    of_battleship: bool,
}

/// The form of a figure in a table of text.
#[derive(Debug)]
pub enum FigureFormat {
    /// As it is; a real number with one decimal.
    Plain,
    /// As a whole number, without decimals it does not have.
    Short,
    /// As a time, from microseconds.
    Microseconds,
    /// Together with others.
    With(fn(&PlayerSummary) -> String),
}

impl PlayerFigure {
    const fn new(value: fn(&PlayerSummary) -> Value) -> PlayerFigure {
        PlayerFigure {
            csv: "",
            row: "",
            head: "",
            value,
            format: FigureFormat::Plain,
            of_battleship: false,
        }
    }

    const fn of_battleship(self) -> PlayerFigure {
        PlayerFigure {
            of_battleship: true,
            ..self
        }
    }

    /// Returns whether the tables of `player` have it.
    #[must_use]
    pub fn is_shown_of(&self, player: &PlayerSummary) -> bool {
        let tally = &player.tally;
        match self.row {
            RETRIES => tally.retries > 0,
            JUDGE_FAILED => tally.judge_failed > 0,
            HALF_POINTS => tally.results.draws > 0,
            _ => !(self.of_battleship && tally.is_judged),
        }
    }

    const fn csv(self, csv: &'static str) -> PlayerFigure {
        PlayerFigure { csv, ..self }
    }

    const fn row(self, row: &'static str) -> PlayerFigure {
        PlayerFigure { row, ..self }
    }

    const fn head(self, head: &'static str) -> PlayerFigure {
        PlayerFigure { head, ..self }
    }

    const fn format(self, format: FigureFormat) -> PlayerFigure {
        PlayerFigure { format, ..self }
    }

    /// Returns the figure of `player` as a table of text shows it.
    #[must_use]
    pub fn text(&self, player: &PlayerSummary) -> String {
        match (&self.format, (self.value)(player)) {
            (FigureFormat::With(shown), _) => shown(player),
            (_, Value::Absent) => NONE.to_owned(),
            (FigureFormat::Microseconds, Value::Count(us)) => duration(to_f64(us)),
            (FigureFormat::Microseconds, Value::Real(us)) => duration(us),
            (FigureFormat::Plain, Value::Real(number)) => format!("{number:.1}"),
            (FigureFormat::Short, Value::Real(number)) => number.to_string(),
            (_, Value::Count(number)) => number.to_string(),
            (_, Value::Text(text)) => text,
            (_, Value::Truth(truth)) => truth.to_string(),
        }
    }
}

/// All figures. Their order is that of columns and rows.
pub const FIGURES: &[PlayerFigure] = &[
    PlayerFigure::new(|p| at_place(p, |at| Count(at.place as u64)))
        .csv("place")
        .head("#"),
    PlayerFigure::new(|p| Text(p.name.clone()))
        .csv("player")
        .head("player"),
    PlayerFigure::new(|p| Text(p.command.clone())).csv("command"),
    PlayerFigure::new(|p| at_place(p, |at| Real(at.points)))
        .csv("points")
        .head(POINTS)
        .format(FigureFormat::With(|p| {
            in_brackets(p, &at_place(p, |at| Real(at.points)))
        })),
    PlayerFigure::new(|p| Count(p.tally.games))
        .csv("games")
        .head("games")
        .format(FigureFormat::With(|p| {
            in_brackets(p, &Count(p.tally.games))
        })),
    PlayerFigure::new(|p| Count(p.tally.results.wins))
        .csv("wins")
        .row("wins"),
    PlayerFigure::new(|p| Count(p.tally.results.draws)).csv("draws"),
    PlayerFigure::new(|p| Count(p.tally.results.losses)).csv("losses"),
    PlayerFigure::new(|p| Count(p.tally.moving_first.wins))
        .row("  moving first")
        .format(FigureFormat::With(|p| wins(&p.tally.moving_first))),
    PlayerFigure::new(|p| Count(p.tally.moving_second.wins))
        .row("  moving second")
        .format(FigureFormat::With(|p| wins(&p.tally.moving_second))),
    PlayerFigure::new(|p| Count(p.tally.results.draws)).row(HALF_POINTS),
    PlayerFigure::new(|p| of_score(p, |score| score.share))
        .csv("score")
        .head("score")
        .format(FigureFormat::With(|p| {
            p.score.map_or(NONE.to_owned(), |of| percent(of.share))
        })),
    // With its interval, for which the standings are too narrow.
    PlayerFigure::new(|p| of_score(p, |score| score.share))
        .row("score")
        .format(FigureFormat::With(|p| {
            p.score.map_or(NONE.to_owned(), |of| score(&of))
        })),
    PlayerFigure::new(|p| of_score(p, |score| score.wilson.low)).csv("score_low"),
    PlayerFigure::new(|p| of_score(p, |score| score.wilson.high)).csv("score_high"),
    PlayerFigure::new(|p| rated(p, |it| it.rating))
        .csv("rating")
        .head("rating ± 95%")
        .format(FigureFormat::With(rating)),
    PlayerFigure::new(|p| rated(p, |it| it.standard_error)).csv("standard_error"),
    PlayerFigure::new(|p| rated(p, |it| it.low)).csv("rating_low"),
    PlayerFigure::new(|p| rated(p, |it| it.high)).csv("rating_high"),
    PlayerFigure::new(|p| Count(p.tally.n_faults()))
        .csv("faults")
        .head("faults"),
    PlayerFigure::new(|p| Count(p.tally.faults_moving_first))
        .row("own faults")
        .format(FigureFormat::With(faults)),
    PlayerFigure::new(|p| Count(p.tally.retries)).row(RETRIES),
    PlayerFigure::new(|p| Count(p.tally.judge_failed)).row(JUDGE_FAILED),
    PlayerFigure::new(|p| Truth(p.disqualified)).csv("disqualified"),
    PlayerFigure::new(|p| p.tally.shots_to_win.mean().map_or(Absent, Real))
        .of_battleship()
        .csv("attacks_to_win_mean")
        .row("attacks to win, mean")
        .head("attacks to win"),
    PlayerFigure::new(|p| p.tally.shots_to_win.median().map_or(Absent, Real))
        .of_battleship()
        .csv("attacks_to_win_median")
        .row("  median")
        .format(FigureFormat::Short),
    PlayerFigure::new(|p| Count(p.tally.shots)).csv("attacks"),
    PlayerFigure::new(|p| Count(p.tally.wasted))
        .of_battleship()
        .csv("wasted")
        .row("wasted attacks")
        .format(FigureFormat::With(|p| {
            format!("{} of {}", p.tally.wasted, p.tally.shots)
        })),
    PlayerFigure::new(|p| p.tally.reply_times.mean().map_or(Absent, Real))
        .csv("reply_us_mean")
        .row("reply time, mean")
        .head("mean reply")
        .format(FigureFormat::Microseconds),
    PlayerFigure::new(|p| p.tally.reply_times.quantile(0.99).map_or(Absent, Count))
        .csv("reply_us_p99")
        .row("  99%")
        .format(FigureFormat::Microseconds),
    PlayerFigure::new(|p| p.tally.reply_times.max().map_or(Absent, Count))
        .csv("reply_us_max")
        .row("  longest")
        .format(FigureFormat::Microseconds),
    PlayerFigure::new(|p| p.tally.cpu_ms.map_or(Absent, Count))
        .csv("cpu_ms")
        .row("CPU time")
        .format(FigureFormat::With(|p| {
            p.tally
                .cpu_ms
                .map_or(NONE.to_owned(), |ms| duration(1000.0 * to_f64(ms)))
        })),
    PlayerFigure::new(|p| text(p.tally.own_name.as_ref())).csv("calls_itself"),
    PlayerFigure::new(|p| text(p.cannot_play.as_ref())).csv("cannot_play"),
    PlayerFigure::new(|p| at_place(p, |at| Text(at.note.clone())))
        .csv("note")
        .head(NOTE),
];

/// Returns the figures of a player as the summary of a match has them, each with a label that
/// stands for itself.
#[must_use]
pub fn labelled_figures(player: &PlayerSummary) -> Vec<(String, String)> {
    let mut group = "";
    let mut labelled = Vec::new();
    for figure in FIGURES
        .iter()
        .filter(|figure| !matches!(figure.row, "" | HALF_POINTS) && figure.is_shown_of(player))
    {
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
    for (name, mean) in player.tally.given.means() {
        labelled.push((format!("{name}, mean"), format!("{mean:.1}")));
    }
    labelled
}

/// The column whose name depends on the schedule: points, match points or rounds.
pub const POINTS: &str = "points";

/// The column without a name, which is there only where places have notes.
pub const NOTE: &str = " ";

/// The row that is there only if a game was worth half a point.
pub const HALF_POINTS: &str = "half points";

/// The row that is there only if a reply was refused and asked for again.
const RETRIES: &str = "replies refused";
const JUDGE_FAILED: &str = "judge failed after its replies";

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
    if player.disqualified {
        format!("({shown})")
    } else {
        shown
    }
}

fn at_place(player: &PlayerSummary, value: impl FnOnce(&PlaceSummary) -> Value) -> Value {
    player.place.as_ref().map_or(Absent, value)
}

fn of_score(player: &PlayerSummary, value: impl FnOnce(&Score) -> f64) -> Value {
    player
        .score
        .as_ref()
        .map_or(Absent, |score| Real(value(score)))
}

fn rated(player: &PlayerSummary, value: impl FnOnce(&Rating) -> f64) -> Value {
    player
        .rating
        .as_ref()
        .map_or(Absent, |rating| Real(value(rating)))
}

fn wins(results: &Wdl) -> String {
    format!("{} of {}", results.wins, results.games())
}

fn faults(player: &PlayerSummary) -> String {
    let reasons = reasons(&player.tally.faults);
    match (
        player.tally.faults.is_empty(),
        player.tally.faults_moving_first,
    ) {
        (true, _) => reasons,
        (false, first) => format!("{reasons} ({first} moving first)"),
    }
}

fn rating(player: &PlayerSummary) -> String {
    player.rating.as_ref().map_or(NONE.to_owned(), |rating| {
        format!(
            "{} ± {:.0}",
            rounded(rating.rating),
            (rating.high - rating.low) / 2.0
        )
    })
}

/// Returns a rating in whole points. Adding zero turns -0 into 0.
fn rounded(rating: f64) -> String {
    format!("{:.0}", rating.round() + 0.0)
}
