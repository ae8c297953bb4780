//! Tables of comma-separated values. All of them are written here, so that no cell of one can
//! become a formula.

use std::fmt::Display;

use bothost::text;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Text, which may come from a bot or from a student.
    Text(String),
    /// A number, as the referee writes it. Spreadsheets compute with it, so -3 stays -3.
    Number(String),
}

impl Cell {
    /// Returns a number.
    pub fn number(number: impl Display) -> Cell {
        Cell::Number(number.to_string())
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::Text(text.into())
    }
}

/// A table of comma-separated values (RFC 4180) in memory.
#[derive(Debug)]
#[expect(
    clippy::disallowed_types,
    reason = "the only place that writes such tables"
)]
pub struct CsvTable(csv::Writer<Vec<u8>>);

/// The reason why writing to a table cannot fail.
const MEMORY: &str = "memory takes everything, and every line has as many cells as the first";

impl CsvTable {
    /// Returns a table with these names of columns.
    #[expect(
        clippy::disallowed_types,
        reason = "the only place that writes such tables"
    )]
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> CsvTable {
        let mut table = CsvTable(csv::Writer::from_writer(Vec::new()));
        table.add(columns.into_iter().map(|column| Cell::Text(column.into())));
        table
    }

    /// Adds a line with as many cells as there are columns.
    pub fn add(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells = cells.into_iter().map(|cell| match cell {
            Cell::Text(text) if is_formula(&text) => format!("'{text}"),
            Cell::Text(text) | Cell::Number(text) => text,
        });
        self.0.write_record(cells).expect(MEMORY);
    }

    /// Returns its bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().expect(MEMORY)
    }
}

/// Returns whether a spreadsheet could take a cell for a formula, quoted or not; a leading
/// apostrophe makes it text (OWASP, "CSV Injection").
fn is_formula(cell: &str) -> bool {
    // Some spreadsheets drop white space, and what cannot be seen, before they look; and some take
    // the wide and small forms of East Asian text for the usual ones.
    let begin = cell
        .trim_start_matches(|char: char| char.is_whitespace() || text::steers(char))
        .chars()
        .next();
    cell.starts_with(['\t', '\r', '\n'])
        || begin.is_some_and(|char| {
            matches!(
                char,
                '=' | '+' | '-' | '@'
                    | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}'
                    | '\u{fe66}' | '\u{fe62}' | '\u{fe63}' | '\u{fe6b}'
                    // The minus sign, by which some spreadsheets negate.
                    | '\u{2212}'
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreadsheets_run_no_text() {
        for formula in [
            "=cmd()",
            "+1",
            "-1",
            "@sum",
            "\t=1",
            "\ta",
            "\r=1",
            "\na",
            " =1",
            "\u{a0}=1",
            "\u{3000}@a",
            "\u{feff}=1",
            "\u{200b}+1",
            "\u{ff1d}1",
            "\u{ff0b}1",
            "\u{ff0d}1",
            "\u{ff20}a",
            " \u{a0}\u{ff1d}1",
            "\u{fe66}1",
            "=",
            "-",
        ] {
            let mut table = CsvTable::new(["a"]);
            table.add([Cell::from(formula)]);
            let text = String::from_utf8(table.into_bytes()).unwrap();
            let cell = text.strip_prefix("a\n").unwrap().trim_start_matches('"');
            assert!(cell.starts_with('\''), "{formula:?}: {text:?}");
        }
    }

    #[test]
    fn other_text_and_numbers_stay_as_they_are() {
        let mut table = CsvTable::new(["a", "=b"]);
        table.add([Cell::from("a=1"), Cell::from("")]);
        table.add([Cell::number(-1.5), Cell::from("O'Neil, \"Cyd\"")]);
        table.add([Cell::from("\u{a0}a"), Cell::from("5 - 3")]);
        let text = String::from_utf8(table.into_bytes()).unwrap();
        assert_eq!(
            text,
            "a,'=b\na=1,\n-1.5,\"O'Neil, \"\"Cyd\"\"\"\n\u{a0}a,5 - 3\n"
        );
    }
}
