//! Standings for spreadsheets.

use bothost::text;

use super::csv_table::{Cell, CsvTable};
use super::standings::in_order;
use arena::result::PlayerSummary;
use arena::result::{FIGURES, Value};

/// Returns standings as a table of comma-separated values, the best player first: a line with the
/// names of the columns, and a line for each player. What is not known is empty.
#[must_use]
pub fn standings_csv(players: &[PlayerSummary]) -> Vec<u8> {
    let columns: Vec<_> = FIGURES
        .iter()
        .filter(|figure| !figure.csv.is_empty())
        .collect();
    let mut table = CsvTable::new(columns.iter().map(|figure| figure.csv));
    for (_, player) in in_order(players) {
        table.add(columns.iter().map(|figure| match (figure.value)(player) {
            Value::Count(number) => Cell::number(number),
            // As in JSON: the shortest digits that give the same number again, always with a
            // decimal point.
            Value::Real(number) => Cell::Number(format!("{number:?}")),
            // Of a bot, perhaps, and terminals show these tables too.
            Value::Text(text) => Cell::from(text::shown(text.as_bytes())),
            Value::Truth(truth) => Cell::from(truth.to_string()),
            Value::Absent => Cell::from(""),
        }));
    }
    table.into_bytes()
}
