//! Standings for spreadsheets.

use bothost::text;

use super::figures::{FIGURES, Value};
use super::standings::in_order;
use crate::contest::PlayerSummary;

/// Returns standings as a table of comma-separated values (RFC 4180), the best player first: a line with the names of
/// the columns, and a line for each player. What is not known is empty.
pub(crate) fn standings_csv(players: &[PlayerSummary]) -> Vec<u8> {
    let columns: Vec<_> = FIGURES.iter().filter(|figure| !figure.csv.is_empty()).collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    let memory = "memory takes everything";
    table.write_record(columns.iter().map(|figure| figure.csv)).expect(memory);
    for (_, player) in in_order(players) {
        let cells = columns.iter().map(|figure| match (figure.value)(player) {
            Value::Count(number) => number.to_string(),
            // As in JSON: the shortest digits that give the same number again, always with a decimal point.
            Value::Real(number) => format!("{number:?}"),
            Value::Text(text) => harmless(&text),
            Value::Truth(truth) => truth.to_string(),
            Value::Absent => String::new(),
        });
        table.write_record(cells).expect(memory);
    }
    table.into_inner().expect(memory)
}

/// Returns text that no spreadsheet takes for a formula and no terminal for a command: names come from bots.
fn harmless(text: &str) -> String {
    // Spreadsheets run a cell that begins with one of these as a formula, quoted or not; a leading apostrophe
    // makes it text (OWASP, "CSV Injection"). The original text decides, as escaping may hide a leading tab.
    let shown = text::shown(text.as_bytes());
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_a_spreadsheet_would_run_is_kept_from_it() {
        for (text, expected) in [
            ("=cmd()", "'=cmd()"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@sum", "'@sum"),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(text), expected);
        }
    }
}
