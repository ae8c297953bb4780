//! Standings as text: tables that fit a terminal.

use bothost::text;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::crosstable::Crosstable;
use super::standings::{Standings, about_ratings, given, in_order, legend, remarks, short};
use super::width::{Width, columns_of, cut_to};
use arena::result::{FIGURES, NOTE, POINTS, PlayerFigure};
use arena::result::{Ranking, Summary};

/// Columns are left out of a table until names have as much width as this, if they need it.
const ROOM_FOR_NAMES: usize = 20;

/// The names of heads in a table that is too wide.
const SHORT_HEADS: [(&str, &str); 3] = [
    ("attacks to win", "to win"),
    ("match points", "match pts"),
    ("rounds won", "rounds"),
];

/// The heads of the columns that are left out of a table that is too wide, in this order.
const LEFT_OUT_FIRST: [&str; 6] = [
    "games",
    "mean reply",
    "attacks to win",
    "score",
    "faults",
    NOTE,
];

/// Returns the summary of a tournament as text.
#[must_use]
pub fn tournament_summary(summary: &Summary, width: Width) -> String {
    Standings::of_tournament(summary).text(width)
}

/// Returns a ranking as text.
#[must_use]
pub fn ranking(ranking: &Ranking, width: Width) -> String {
    Standings::of_ranking(ranking).text(width)
}

impl Standings<'_> {
    /// Returns them as text in lines of this width.
    pub fn text(&self, width: Width) -> String {
        let mut out = format!("{}\n", self.title);
        let table = self.table(width);
        add(&mut out, &table.lines);
        let wrap = |line: String| width.wrap(&text::shown(line.trim_end().as_bytes()));
        let legend = legend(self.players);
        add(
            &mut out,
            &legend
                .iter()
                .flat_map(|one| wrap(one.line()))
                .collect::<Vec<_>>(),
        );
        let crosstable = Crosstable::new(self.players, self.pairings);
        add(
            &mut out,
            &crosstable.map_or_else(Vec::new, |crosstable| crosstable.lines(width)),
        );
        let order: Vec<_> = in_order(self.players)
            .into_iter()
            .map(|(_, player)| player)
            .collect();
        let given = given(&order).into_iter().map(|(name, means)| {
            let names = order.iter().map(|player| &player.name).zip(means);
            let means: Vec<_> = names
                .map(|(player, mean)| format!("{player} {mean}"))
                .collect();
            format!("{name}, mean: {}", means.join(", "))
        });
        add(&mut out, &given.flat_map(wrap).collect::<Vec<_>>());
        let remarks = remarks(self.players)
            .into_iter()
            .map(|remark| remark.line());
        add(&mut out, &remarks.flat_map(wrap).collect::<Vec<_>>());
        let ratings = self
            .ratings
            .map(|note| about_ratings(note, short))
            .unwrap_or_default();
        let sentences = [table.left_out, vec![self.by.to_owned()], ratings].concat();
        add(
            &mut out,
            &sentences.into_iter().flat_map(wrap).collect::<Vec<_>>(),
        );
        out
    }

    /// Returns the table of the players. Where it does not fit, columns are left out and names are
    /// cut.
    fn table(&self, width: Width) -> Rows {
        // Columns without any content are left out rather than shown empty.
        let mut columns: Vec<_> = FIGURES
            .iter()
            .filter(|figure| match figure.head {
                "" => false,
                NOTE => self.notes,
                _ => self.players.iter().any(|player| figure.is_shown_of(player)),
            })
            .map(|figure| self.column(figure))
            .collect();
        let mut left_out = Vec::new();
        let longest = columns
            .iter()
            .find(|column| column.is_name())
            .map_or(0, Column::width);
        let room = |columns: &[Column]| {
            let others = columns.iter().filter(|column| !column.is_name());
            let taken = others.map(|column| column.width() + PADDING).sum::<usize>() + PADDING;
            longest.min(width.0.saturating_sub(taken))
        };
        if room(&columns) < longest.min(ROOM_FOR_NAMES) {
            for (long, short) in SHORT_HEADS {
                for column in columns.iter_mut().filter(|column| column.head == long) {
                    column.head = short;
                }
            }
        }
        // First what says nothing: nearly always no player has spoilt a game.
        if room(&columns) < longest.min(ROOM_FOR_NAMES)
            && let Some(zeros) = columns.iter().position(Column::has_only_zeros)
        {
            left_out.push(format!("{} (all 0)", columns.remove(zeros).head));
        }
        for head in LEFT_OUT_FIRST {
            let place = columns.iter().position(|column| column.figure.head == head);
            if let Some(place) = place.filter(|_| room(&columns) < longest.min(ROOM_FOR_NAMES)) {
                let column = columns.remove(place);
                left_out.push(
                    if head == NOTE {
                        "notes"
                    } else {
                        column.figure.head
                    }
                    .to_owned(),
                );
            }
        }
        let names = room(&columns);
        let lines = table_of(&columns, names);
        let left_out = match (&left_out[..], names < longest) {
            ([], false) => Vec::new(),
            ([], true) => vec!["--csv shows whole names.".to_owned()],
            (some, _) => vec![format!("--csv shows also: {}.", some.join(", "))],
        };
        Rows { lines, left_out }
    }

    fn column(&self, figure: &'static PlayerFigure) -> Column {
        let head = match figure.head {
            POINTS => self.points,
            NOTE => "",
            head => head,
        };
        let cells = in_order(self.players)
            .into_iter()
            .map(|(_, player)| match figure.head {
                "player" => short(&player.name),
                NOTE => player
                    .place
                    .as_ref()
                    .map_or(String::new(), |place| place.note.clone()),
                _ => figure.text(player),
            });
        // Notes name no player, but are made harmless like all that is not a number.
        let cells = cells.map(|cell| text::shown(cell.as_bytes())).collect();
        Column {
            figure,
            head,
            cells,
        }
    }
}

/// The spaces around a cell.
const PADDING: usize = 2;

/// A table, and the columns that did not fit.
struct Rows {
    lines: Vec<String>,
    left_out: Vec<String>,
}

/// A figure of all players.
struct Column {
    figure: &'static PlayerFigure,
    head: &'static str,
    cells: Vec<String>,
}

impl Column {
    fn is_name(&self) -> bool {
        self.figure.head == "player"
    }

    fn has_only_zeros(&self) -> bool {
        self.figure.head == "faults" && self.cells.iter().all(|cell| cell == "0")
    }

    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| columns_of(cell));
        cells.chain([columns_of(self.head)]).max().unwrap_or(0)
    }
}

fn table_of(columns: &[Column], names: usize) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.add_row(columns.iter().map(|column| column.head));
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        table.add_row(columns.iter().map(|column| {
            let cell = &column.cells[row];
            if column.is_name() {
                cut_to(cell, names)
            } else {
                cell.clone()
            }
        }));
    }
    for (place, column) in columns.iter().enumerate() {
        // Numbers line up at the right, words at the left.
        let is_text = column.is_name() || column.figure.head == NOTE;
        if let Some(column) = table.column_mut(place).filter(|_| !is_text) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Appends a block of lines after an empty one.
fn add(out: &mut String, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    out.push('\n');
    for line in lines {
        out.push_str(line);
        out.push('\n');
    }
}
