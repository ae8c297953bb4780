//! The standings: a row a player.

use super::super::axis::{Axis, Tick, short};
use super::{name_of, time};
use crate::standings::Standings;
use arena::result::{PROVISIONAL, PlayerSummary};
use arena::words::{NONE, percent, reasons};
use bothost::text;

/// The width of a score's bar, in units of its drawing.
const BAR: f64 = 100.0;

/// The ends of the rating's axis, in units of its drawing.
const RATING: [f64; 2] = [6.0, 234.0];

/// The table.
#[derive(Debug)]
pub(in super::super) struct StandingsTable {
    /// The names of points.
    pub(in super::super) points: &'static str,
    pub(in super::super) rows: Vec<Row>,
    /// The games of the two players in the page, if these are all.
    pub(in super::super) pair: Option<String>,
    /// Whether attacks are counted, which only Battleship has.
    pub(in super::super) has_attacks: bool,
    /// The ticks of the rating's axis.
    pub(in super::super) ticks: Vec<Tick>,
    /// The place of rating 0, if some interval has it or lies on either side.
    pub(in super::super) zero: Option<String>,
}

/// A player.
#[derive(Debug)]
pub(in super::super) struct Row {
    pub(in super::super) place: String,
    pub(in super::super) name: String,
    pub(in super::super) href: String,
    /// The command that starts it, if it says more than the name.
    pub(in super::super) command: Option<String>,
    /// Whether its games do not count.
    pub(in super::super) is_out: bool,
    pub(in super::super) points: String,
    pub(in super::super) games: u64,
    /// In percent, with its interval.
    pub(in super::super) score: Option<Bar>,
    pub(in super::super) rating: Option<Whisker>,
    /// The median of the attacks to win.
    pub(in super::super) median: Cell,
    /// The mean time of a reply, as in the other tables.
    pub(in super::super) reply: Cell,
    pub(in super::super) faults: Cell,
    /// The note of the schedule.
    pub(in super::super) note: String,
}

/// A number, as it is shown and as it is sorted.
#[derive(Debug)]
pub(in super::super) struct Cell {
    pub(in super::super) text: String,
    pub(in super::super) value: String,
}

/// A bar as long as a share.
#[derive(Debug)]
pub(in super::super) struct Bar {
    pub(in super::super) text: String,
    pub(in super::super) title: String,
    pub(in super::super) value: String,
    pub(in super::super) width: String,
}

/// A dot with the interval around it.
#[derive(Debug)]
pub(in super::super) struct Whisker {
    pub(in super::super) text: String,
    pub(in super::super) title: String,
    pub(in super::super) value: String,
    pub(in super::super) low: String,
    pub(in super::super) at: String,
    pub(in super::super) high: String,
}

impl StandingsTable {
    /// Returns the table of all players, the best first.
    pub(super) fn new(
        standings: &Standings<'_>,
        order: &[(usize, &PlayerSummary)],
    ) -> StandingsTable {
        let ratings = || {
            order
                .iter()
                .filter_map(|(_, player)| player.rating.as_ref())
        };
        let low = ratings()
            .map(|rating| rating.low)
            .reduce(f64::min)
            .unwrap_or_default();
        let high = ratings()
            .map(|rating| rating.high)
            .reduce(f64::max)
            .unwrap_or_default();
        let axis = Axis::linear([low, high], RATING);
        let has_attacks = !order.iter().any(|(_, player)| player.tally.is_judged);
        StandingsTable {
            points: standings.points,
            rows: order
                .iter()
                .map(|(_, player)| row(player, &axis, standings.notes))
                .collect(),
            has_attacks,
            pair: match order {
                [(_, one), (_, two)] if has_attacks => {
                    Some(address("games", &[&name_of(one), &name_of(two)]))
                }
                _ => None,
            },
            ticks: axis.ticks(4, signed),
            zero: (low..=high).contains(&0.0).then(|| axis.place(0.0)),
        }
    }
}

fn row(player: &PlayerSummary, axis: &Axis, has_notes: bool) -> Row {
    let name = name_of(player);
    let tally = &player.tally;
    let command = text::shown(player.command.as_bytes());
    let to_win = tally.shots_to_win.median();
    let place = player.place.as_ref();
    Row {
        place: place.map_or(NONE.to_owned(), |place| place.place.to_string()),
        href: address("player", &[&name]),
        command: (command != name).then_some(command),
        name,
        is_out: player.disqualified || player.cannot_play.is_some(),
        points: place.map_or_else(
            || tally.results.points().to_string(),
            |place| place.points.to_string(),
        ),
        games: tally.games,
        score: player.score.map(|score| Bar {
            text: percent(score.share),
            title: format!(
                "{} of the points, 95% interval {}",
                percent(score.share),
                arena::words::interval(&score.wilson)
            ),
            value: format!("{:.4}", score.share),
            width: short(BAR * score.share),
        }),
        rating: player.rating.map(|rating| Whisker {
            text: signed(rating.rating),
            title: format!(
                "rating {}, 95% interval {} to {}",
                signed(rating.rating),
                signed(rating.low),
                signed(rating.high)
            ),
            value: format!("{:.2}", rating.rating),
            low: axis.place(rating.low),
            at: axis.place(rating.rating),
            high: axis.place(rating.high),
        }),
        median: cell(to_win.map(|median| (median.to_string(), median))),
        reply: cell(tally.reply_times.mean().map(|us| (time(us), us))),
        faults: Cell {
            text: if tally.n_faults() == 0 {
                NONE.to_owned()
            } else {
                tally.n_faults().to_string()
            },
            value: tally.n_faults().to_string(),
        },
        note: place
            .map(|place| place.note.clone())
            .filter(|note| (has_notes || note == PROVISIONAL) && !note.is_empty())
            .or_else(|| (tally.n_faults() > 0).then(|| reasons(&tally.faults).replace('_', " ")))
            .unwrap_or_default(),
    }
}

fn cell(of: Option<(String, f64)>) -> Cell {
    match of {
        Some((text, value)) => Cell {
            text,
            value: value.to_string(),
        },
        None => Cell {
            text: NONE.to_owned(),
            value: String::new(),
        },
    }
}

/// Returns a rating in whole points with its sign.
pub(super) fn signed(rating: f64) -> String {
    let rounded = rating.round() + 0.0;
    if rounded == 0.0 {
        "0".to_owned()
    } else {
        format!("{rounded:+.0}")
    }
}

/// Returns the address of a place in the page: letters and digits as they are, everything else in
/// percent notation.
pub(in super::super) fn address(what: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| encoded(name)).collect();
    format!("#{what}={}", names.join(","))
}

fn encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
