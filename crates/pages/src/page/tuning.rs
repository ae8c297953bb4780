//! The page of a tuning: the course of each parameter, with its interval.

use askama::Template;

use super::axis::{Axis, Tick, short};
use super::data::Kind;
use super::frame::Frame;
use super::{Collector, finish, page_data, page_name};
use crate::tuning::TuningSummary;
use bothost::text;
use lab::tune::{Moment, Parameter};
use league::statistics::to_f64;

/// The number of moments that are shown, if there are as many rounds.
const MOMENTS: usize = 200;

/// The same of the table.
const ROWS: usize = 20;

/// The page as its template has it.
#[derive(Debug, Template)]
#[template(path = "tuning.html")]
struct TuningPage {
    frame: Frame,
    title: String,
    sentences: Vec<String>,
    which: &'static str,
    command: String,
    charts: Vec<Chart>,
}

/// The course of a parameter.
#[derive(Debug)]
struct Chart {
    name: String,
    now: String,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    /// Lines by their kind: both ends of the interval, where the search is, and the best value so
    /// far.
    lines: Vec<(usize, String)>,
    /// The games, the best value then, and its interval.
    table: Vec<(u64, [String; 3])>,
}

/// Returns the page of a tuning.
#[must_use]
pub fn tuning_page(summary: &TuningSummary<'_>) -> String {
    let title = format!("Tuning of {}", page_name(&summary.tuning.bot.name));
    let collector = Collector::default();
    let data = page_data(
        Kind::Report,
        title.clone(),
        Vec::new(),
        Vec::new(),
        &collector,
    );
    let sentences = [summary.search()]
        .into_iter()
        .chain(summary.test())
        .collect();
    let command = text::shown(summary.command().as_bytes());
    let charts = summary
        .values()
        .enumerate()
        .map(|(place, now)| Chart::new(summary, place, now));
    let charts = charts.collect();
    finish(data, &collector, |frame| {
        TuningPage {
            frame,
            title,
            sentences,
            which: summary.which_values(),
            command,
            charts,
        }
        .render()
    })
}

impl Chart {
    /// Returns the chart of the parameter at `place`; `now` is the knowledge about it.
    fn new(summary: &TuningSummary<'_>, place: usize, now: String) -> Chart {
        let parameter: &Parameter = &summary.tuned.parameters[place];
        let games = u64::from(summary.tuning.header.round);
        let course = &summary.tuned.course;
        let all = (0..).zip(course.iter().map(|round| round[place]));
        let all: Vec<(u64, Moment)> = all.map(|(round, moment)| (round * games, moment)).collect();
        let last = all.last().map_or(0, |(games, _)| *games);
        let some = |most: usize| {
            let every = all.len().div_ceil(most);
            all.iter()
                .copied()
                .filter(move |(at, _)| at / games % every as u64 == 0 || *at == last)
        };
        let x = Axis::linear([0.0, to_f64(last.max(1))], [0.0, 1000.0]);
        let y = Axis::linear([parameter.low, parameter.high], [320.0, 14.0]);
        let line = |kind, value: fn(&Moment) -> f64| {
            let points = some(MOMENTS).map(|(games, moment)| {
                format!("{},{}", x.place(to_f64(games)), y.place(value(&moment)))
            });
            (kind, points.collect::<Vec<_>>().join(" "))
        };
        Chart {
            name: parameter.name.clone(),
            now,
            x_ticks: x.shares(6, short),
            y_ticks: y.ticks(6, |value| parameter.shown(value)),
            lines: vec![
                line(8, |moment| moment.interval.low),
                line(8, |moment| moment.interval.high),
                line(1, |moment| moment.at),
                line(0, |moment| moment.value),
            ],
            table: some(ROWS)
                .map(
                    |(
                        games,
                        Moment {
                            value, interval, ..
                        },
                    )| {
                        let values = [value, interval.low, interval.high];
                        (games, values.map(|value| parameter.shown(value)))
                    },
                )
                .collect(),
        }
    }
}
