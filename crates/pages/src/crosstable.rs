//! The results of all players against each other: a table with a row and a column for each player,
//! as wide as the terminal.

use std::collections::HashMap;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use league::statistics::{Wdl, to_f64};

use super::standings::{in_order, short};
use super::width::{Width, columns_of, cut_to, padded};
use arena::result::{PairingSummary, PlayerSummary};

/// The longest line that a table with names as heads has, in columns.
const WIDEST_WITH_NAMES: usize = 120;

/// Among more players than this the heads of columns are numbers.
pub(super) const MOST_NAMES_AS_HEADS: usize = 12;

/// Among more players than this there is no table of points out of games: it would be unreadable.
pub(super) const MOST_PLAYERS: usize = 30;

/// The least number of columns for a name, if it needs as many.
const SHORTEST_NAME: usize = 10;

/// The results of all players of a contest against each other.
pub(super) struct Crosstable<'s> {
    /// The players with their places in the list, the best first.
    pub(super) order: Vec<(usize, &'s PlayerSummary)>,
    /// The results of the first of two players against the second, and whether they count.
    results: HashMap<(usize, usize), (Wdl, bool)>,
}

/// One way to show what a player won against another one, in a narrow table.
struct Form {
    /// The caption of the table.
    caption: &'static str,
    /// The columns of a cell, with the space before it; `None` for as many as the widest one needs.
    cell: Option<usize>,
    /// Whether the numbers above the columns are written downwards.
    stacked: bool,
    /// The text of a cell, for results with at least one game; `None` for the points out of the
    /// games.
    text: Option<fn(&Wdl) -> String>,
}

/// The forms in which results are shown, the ones that say most first.
const FORMS: [Form; 4] = [
    Form {
        caption: "Points out of games",
        cell: None,
        stacked: false,
        text: None,
    },
    Form {
        caption: "Percent of the points",
        cell: Some(4),
        stacked: false,
        text: Some(percent),
    },
    Form {
        caption: TENTHS,
        cell: Some(2),
        stacked: true,
        text: Some(tenths),
    },
    Form {
        caption: TENTHS,
        cell: Some(1),
        stacked: true,
        text: Some(tenths),
    },
];

const TENTHS: &str = "Tenths of the points: 0 is less than 10%, 5 is 50% or more, 9 is 90% or more";

/// The mark in place of results between two players that do not count.
const NOT_COUNTED: &str = "x";

impl<'s> Crosstable<'s> {
    /// Returns the results of all pairings; `None` among two players, of whom the standings say the
    /// same.
    pub(super) fn new(
        players: &'s [PlayerSummary],
        pairings: &[PairingSummary],
    ) -> Option<Crosstable<'s>> {
        let mut results = HashMap::new();
        for PairingSummary {
            players: [a, b],
            results: of,
            counts,
            ..
        } in pairings
        {
            // Each pairing is entered from both sides, so a row is read without looking at the
            // other half.
            results.insert((*a, *b), (*of, *counts));
            results.insert((*b, *a), (of.reversed(), *counts));
        }
        (players.len() > 2).then(|| Crosstable {
            order: in_order(players),
            results,
        })
    }

    /// Returns the points of one player against another, out of their games; in brackets if they do
    /// not count.
    pub(super) fn points(&self, one: usize, other: usize) -> String {
        match self.results.get(&(one, other)) {
            Some((results, counts)) => {
                let points = format!("{}/{}", results.points(), results.games());
                if *counts {
                    points
                } else {
                    format!("({points})")
                }
            }
            None if one == other => "-".to_owned(),
            None => String::new(),
        }
    }

    /// Returns the table in the form that says most and fits. Without one, a sentence that says so.
    pub(super) fn lines(&self, width: Width) -> Vec<String> {
        let widest = |lines: &[String]| lines.iter().map(|line| columns_of(line)).max();
        let fits = |lines: &Vec<String>| widest(lines).is_none_or(|widest| width.fits(widest));
        // Names as heads if the table then fits a line; otherwise the numbers of the rows.
        if self.order.len() <= MOST_NAMES_AS_HEADS {
            let named = self.points_out_of_games(|_, name| short(name));
            let short = widest(&named).is_none_or(|widest| widest <= WIDEST_WITH_NAMES);
            if short && fits(&named) {
                return named;
            }
        }
        if self.order.len() <= MOST_PLAYERS {
            let numbered = self.points_out_of_games(|number, _| number.to_string());
            if fits(&numbered) {
                return numbered;
            }
        }
        FORMS.iter().find_map(|form| self.narrow(form, width)).unwrap_or_else(|| {
            width.wrap(
                "A table of who won how much against whom is too wide for this terminal; --json and a wider terminal have it.",
            )
        })
    }

    fn points_out_of_games(&self, head: impl Fn(usize, &str) -> String) -> Vec<String> {
        let mut table = Table::new();
        table.load_style(NOTHING);
        let mut heads = vec![String::new(), "points out of games".to_owned()];
        heads.extend(
            (1..)
                .zip(&self.order)
                .map(|(number, (_, one))| head(number, &one.name)),
        );
        table.add_row(heads);
        for (number, (one, player)) in (1..).zip(&self.order) {
            let mut row = vec![number.to_string(), short(&player.name)];
            row.extend(
                self.order
                    .iter()
                    .map(|(other, _)| self.points(*one, *other)),
            );
            table.add_row(row);
        }
        for column in std::iter::once(0).chain(2..self.order.len() + 2) {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    /// Returns the table in this form with names that are cut until it fits; `None` if too little
    /// of them would be left.
    fn narrow(&self, form: &Form, width: Width) -> Option<Vec<String>> {
        let rows: Vec<Vec<_>> = self
            .order
            .iter()
            .map(|(one, _)| {
                self.order
                    .iter()
                    .map(|(other, _)| self.cell(form, *one, *other))
                    .collect()
            })
            .collect();
        let widest = rows.iter().flatten().map(|cell| columns_of(cell)).max()?;
        let cell = form.cell.unwrap_or(widest + 2);
        let digits = self.order.len().to_string().len();
        let names: Vec<_> = self
            .order
            .iter()
            .map(|(_, player)| short(&player.name))
            .collect();
        let longest = names.iter().map(|name| columns_of(name)).max()?;
        // A number, a space, a name, and at least one space before the first cell.
        let gap = usize::from(cell == 1);
        let room = width.0.checked_sub(digits + 1 + gap + names.len() * cell)?;
        let name_columns = longest.min(room);
        if name_columns < longest.min(SHORTEST_NAME) {
            return None;
        }
        let mut caption = form.caption.to_owned();
        if form.text.is_some() && self.results.values().any(|(_, counts)| !counts) {
            caption.push_str("; x does not count");
        }
        caption.push_str(match form.text {
            None => ".",
            Some(_) => ". --json has all results.",
        });
        let mut lines = width.wrap(&caption);
        let row = |number: &str, name: &str, cells: &mut dyn Iterator<Item = &str>| {
            let name = padded(&cut_to(name, name_columns), name_columns + gap);
            let cells = cells
                .map(|text| format!("{text:>cell$}"))
                .collect::<Vec<_>>()
                .concat();
            format!("{number:>digits$} {name}{cells}")
                .trim_end()
                .to_owned()
        };
        // The numbers of the columns; written downwards, a line for each digit.
        let heads: Vec<_> = (1..=names.len())
            .map(|number| format!("{number:digits$}"))
            .collect();
        if form.stacked {
            for at in 0..digits {
                lines.push(row("", "", &mut heads.iter().map(|head| &head[at..=at])));
            }
        } else {
            lines.push(row("", "", &mut heads.iter().map(|head| head.trim_start())));
        }
        for ((name, cells), number) in names.iter().zip(&rows).zip(&heads) {
            lines.push(row(number, name, &mut cells.iter().map(String::as_str)));
        }
        Some(lines)
    }

    /// Returns what a form shows of one player against another.
    fn cell(&self, form: &Form, one: usize, other: usize) -> String {
        match (form.text, self.results.get(&(one, other))) {
            (Some(_), Some((_, false))) => NOT_COUNTED.to_owned(),
            (Some(text), Some((results, true))) if results.games() > 0 => text(results),
            (Some(_), Some((_, true))) => String::new(),
            (None, Some(_)) | (_, None) => self.points(one, other),
        }
    }
}

fn share(results: &Wdl) -> f64 {
    results.points() / to_f64(results.games())
}

/// Returns the share of the points in percent. 100 is said of all of them only, and 0 of none.
fn percent(results: &Wdl) -> String {
    let share = share(results);
    let percent = (100.0 * share).round();
    let percent = if share < 1.0 {
        percent.min(99.0)
    } else {
        percent
    };
    format!(
        "{:.0}",
        if share > 0.0 {
            percent.max(1.0)
        } else {
            percent
        }
    )
}

fn tenths(results: &Wdl) -> String {
    format!("{:.0}", (10.0 * share(results)).floor().min(9.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_shares_claim_no_more() {
        let of = |wins, losses| Wdl {
            wins,
            draws: 0,
            losses,
        };
        for (results, in_percent, in_tenths) in [
            (of(0, 10), "0", "0"),
            (of(1, 999), "1", "0"),
            (of(49, 51), "49", "4"),
            (of(5, 5), "50", "5"),
            (of(999, 1), "99", "9"),
            (of(10, 0), "100", "9"),
        ] {
            assert_eq!(
                (&*percent(&results), &*tenths(&results)),
                (in_percent, in_tenths)
            );
        }
    }
}
