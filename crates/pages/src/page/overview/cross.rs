//! The score of each player against each other one.

use std::collections::HashMap;

use super::name_of;
use crate::standings::Standings;
use arena::result::PlayerSummary;
use league::statistics::Wdl;

/// Among more players than this a cell has only the share of points.
const MOST_WITH_GAMES: usize = 16;

/// Among more players than this there is no table: it would have more than ten thousand cells.
const MOST: usize = 100;

/// The table.
#[derive(Debug)]
pub(in super::super) struct Cross {
    pub(in super::super) rows: Vec<CrossRow>,
    /// Whether cells are as small as they can be.
    pub(in super::super) is_dense: bool,
    /// Whether the page has the games that a cell stands for.
    pub(in super::super) leads_to_games: bool,
}

/// A player's results.
#[derive(Debug)]
pub(in super::super) struct CrossRow {
    /// Its number in the page, from which the script makes the links of the cells.
    pub(in super::super) player: usize,
    pub(in super::super) name: String,
    pub(in super::super) cells: Vec<CrossCell>,
}

/// Two players' results.
#[derive(Debug)]
pub(in super::super) struct CrossCell {
    /// `win`, `loss`, `even`, `void`, `none` or `self`, and how strongly: `l0` to `l4`.
    pub(in super::super) class: String,
    /// Whether there are games to lead to.
    pub(in super::super) has_games: bool,
    /// The points won, or the share of all in percent; and those of the other.
    pub(in super::super) text: String,
    pub(in super::super) rest: String,
}

/// Returns the table of players in this order, or why there is none. Its cells are links if the page
/// `leads_to_games`.
pub(super) fn cross(
    standings: &Standings<'_>,
    order: &[(usize, &PlayerSummary)],
    leads_to_games: bool,
) -> (Option<Cross>, Option<String>) {
    if order.len() > MOST {
        let why = format!(
            "A table of {} players would be too large; each player's section has its results.",
            order.len()
        );
        return (None, Some(why));
    }
    // Of two the standings say the same.
    if order.len() < 3 {
        return (None, None);
    }
    let mut results = HashMap::new();
    for pairing in standings.pairings {
        let [one, two] = pairing.players;
        results.insert((one, two), (pairing.results, pairing.counts));
        results.insert((two, one), (pairing.results.reversed(), pairing.counts));
    }
    let is_dense = order.len() > MOST_WITH_GAMES;
    let rows = order.iter().map(|(one, player)| CrossRow {
        player: *one,
        name: name_of(player),
        cells: order
            .iter()
            .map(|(two, _)| {
                let result = results.get(&(*one, *two)).copied();
                if *one == *two {
                    empty("self")
                } else {
                    cell(result, is_dense)
                }
            })
            .collect(),
    });
    (
        Some(Cross {
            rows: rows.collect(),
            is_dense,
            leads_to_games,
        }),
        None,
    )
}

fn cell(result: Option<(Wdl, bool)>, is_dense: bool) -> CrossCell {
    let Some((results, counts)) = result else {
        return empty("none");
    };
    let points = results.points();
    let others = results.reversed().points();
    let games = results.games();
    if games == 0 {
        return CrossCell {
            has_games: true,
            text: "–".to_owned(),
            ..empty("void")
        };
    }
    let share = points / league::statistics::to_f64(games);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 4"
    )]
    let strength = ((share - 0.5).abs() * 2.0 * 4.99) as u8;
    let class = match share {
        _ if !counts => "void".to_owned(),
        share if share > 0.5 => format!("win l{strength}"),
        share if share < 0.5 => format!("loss l{strength}"),
        _ => "even".to_owned(),
    };
    let (text, rest) = if is_dense {
        (format!("{:.0}", 100.0 * share), String::new())
    } else {
        (points.to_string(), format!("–{others}"))
    };
    CrossCell {
        class,
        has_games: true,
        text,
        rest,
    }
}

fn empty(class: &str) -> CrossCell {
    CrossCell {
        class: class.to_owned(),
        has_games: false,
        text: String::new(),
        rest: String::new(),
    }
}
