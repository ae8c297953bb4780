//! The overview of a report: what is drawn before anything is clicked. Everything here is geometry
//! and words; the templates in `templates/overview` make elements of it, and escape the names.

mod attacks;
mod course;
mod cross;
mod endings;
mod first_mover;
mod standings_table;
mod times;
mod verdict;

pub(super) use self::standings_table::address;

use self::attacks::AttackChart;
use self::course::CourseChart;
use self::cross::Cross;
use self::endings::Endings;
use self::first_mover::FirstMover;
use self::standings_table::StandingsTable;
use self::times::TimeChart;
use super::Collector;
use super::{Report, page_name};
use crate::standings::{self, Standings, about_ratings, in_order, legend};
use arena::result::PlayerSummary;
use arena::words::{counted, duration};
use bothost::text;

/// The longest name in a drawing, in characters.
const LONGEST_LABEL: usize = 22;

/// The part of a report that is drawn before anything is clicked.
#[derive(Debug)]
pub(super) struct Overview {
    pub(super) title: String,
    /// The games that were played, in short phrases.
    pub(super) facts: Vec<String>,
    /// Sentences about the best player and about what the games do not decide.
    pub(super) verdict: Vec<String>,
    pub(super) standings: StandingsTable,
    pub(super) cross: Option<Cross>,
    /// The reason why there is no cross table, if there is none.
    pub(super) no_cross: Option<String>,
    pub(super) course: Option<CourseChart>,
    pub(super) attacks: Option<AttackChart>,
    pub(super) first_mover: Option<FirstMover>,
    pub(super) times: Option<TimeChart>,
    pub(super) endings: Option<Endings>,
    /// Remarks on players and on the figures.
    pub(super) remarks: Vec<String>,
}

impl Overview {
    /// Returns the overview of a report.
    pub(super) fn new(report: &Report<'_>, standings: &Standings<'_>) -> Overview {
        let Report {
            source,
            collector,
            left_out,
            live,
            ..
        } = report;
        let order = in_order(standings.players);
        let (cross, no_cross) =
            cross::cross(standings, &order, collector.kept() > 0 || live.is_some());
        Overview {
            // The page of a class has a title of its own.
            title: report
                .supplement
                .map_or_else(|| source.title(), |more| more.report.clone()),
            facts: facts(report),
            verdict: verdict::verdict(standings, &order),
            standings: StandingsTable::new(standings, &order),
            cross,
            no_cross,
            course: CourseChart::new(&collector.course, &order),
            attacks: AttackChart::new(&order),
            first_mover: FirstMover::new(&order),
            times: TimeChart::new(&order),
            endings: Endings::new(&collector.endings),
            remarks: remarks(collector, *left_out, standings),
        }
    }
}

/// Returns what was played, in short phrases.
fn facts(report: &Report<'_>) -> Vec<String> {
    let Report {
        source,
        collector,
        records,
        live,
        ..
    } = report;
    let (games, series) = source.games();
    let mut facts = Vec::new();
    facts.push(format!(
        "{} in {}",
        counted(games, "game"),
        counted(series, "series")
    ));
    if source.is_unfinished() && live.is_none() {
        facts.push("stopped before its end".to_owned());
    }
    if let [setup] = &collector.setups[..] {
        facts.extend(setup.in_words());
    }
    if let Some(header) = source.header() {
        let terms = &header.config.terms;
        facts.push(match terms.clock {
            Some(clock) => format!("{clock} a game"),
            None => format!("{} s a reply", terms.limit.as_secs_f64()),
        });
        facts.push(format!("seed {}", header.config.seed));
    }
    if live.is_some() {
        let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
        facts.push(format!("written at {now}"));
    }
    let names: Vec<String> = records
        .iter()
        .take(3)
        .map(|(path, _)| super::report::file_name(path))
        .collect();
    match records.len() - names.len() {
        0 if names.is_empty() => {}
        0 => facts.push(names.join(", ")),
        more => facts.push(format!("{} and {more} more", names.join(", "))),
    }
    facts
}

/// Returns what has to be said of players and of the figures.
fn remarks(collector: &Collector, left_out: u64, standings: &Standings<'_>) -> Vec<String> {
    let shown = |line: String| text::shown(line.as_bytes());
    let mut lines: Vec<String> = legend(standings.players)
        .iter()
        .map(|legend| shown(legend.line()))
        .collect();
    lines.extend(
        standings::remarks(standings.players)
            .iter()
            .map(|remark| shown(remark.line())),
    );
    if collector.is_sample() {
        lines.push(format!(
            "The figures are of all games. {} of them have a replay here: a random sample, and the games that a player \
             should look at.",
            collector.kept()
        ));
    }
    if left_out > 0 {
        lines.push(format!(
            "{} left out: their series were not played to their end. A contest that continues plays them again.",
            counted(left_out, "game")
        ));
    }
    if collector.wrong > 0 {
        lines.push(format!(
            "{} without a replay: their records contradict the rules.",
            counted(collector.wrong, "game")
        ));
    }
    lines.push(standings.by.to_owned());
    lines.extend(
        standings
            .ratings
            .map(|note| about_ratings(note, page_name))
            .unwrap_or_default(),
    );
    lines
}

/// Returns a player's name, fit to be shown.
fn name_of(player: &PlayerSummary) -> String {
    page_name(&player.name)
}

/// Returns a player's name for a place in a drawing, which cannot grow.
fn label_of(player: &PlayerSummary) -> String {
    text::cut(&name_of(player), LONGEST_LABEL)
}

/// Returns a time in the unit that suits it, from microseconds, with the sign that a page can show.
fn time(us: f64) -> String {
    duration(us).replace(" us", " µs")
}
