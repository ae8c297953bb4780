//! Cells as a person types them.

use battleship::Rules;

use crate::picture::At;

/// Whether a character is part of what is typed for a cell: of one, or of what a person takes for
/// one. None of those is left out, since what remains could be another cell. `keys` mean something
/// by themselves where no row has their letter.
pub(super) fn belongs(c: char, rules: &Rules, is_first: bool, keys: &str) -> bool {
    let is_row = row_of(c, &rules.line_names()).is_some();
    let is_key = is_first && keys.contains(c.to_ascii_lowercase());
    is_row || c == '(' || !(is_key || c == ' ' && is_first)
}

/// Returns which rows there are, if they have letters: `A to I and L to N`.
pub(super) fn rows_in_words(rules: &Rules) -> Option<String> {
    let [rows, _] = rules.line_names();
    let letters: Option<Vec<char>> = rows.iter().map(|name| name.chars().next()).collect();
    let letters = letters.filter(|letters| letters.iter().all(char::is_ascii_uppercase))?;
    let runs = letters.chunk_by(|one, next| u32::from(*one) + 1 == u32::from(*next));
    let runs = runs.filter_map(|run| Some(format!("{} to {}", run.first()?, run.last()?)));
    Some(runs.collect::<Vec<_>>().join(" and "))
}

/// Returns the row that a letter stands for: its name, or of rows with numbers the letter from A
/// on.
fn row_of(c: char, [rows, _]: &[Vec<String>; 2]) -> Option<usize> {
    let letter = c.to_ascii_uppercase();
    if have_numbers(rows) {
        ('A'..='Z').take(rows.len()).position(|row| row == letter)
    } else {
        rows.iter().position(|name| name.chars().eq([letter]))
    }
}

fn have_numbers(names: &[String]) -> bool {
    names
        .iter()
        .all(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the cells that are typed; `None` if it is none, or something else besides. A cell is
/// `B7`, its row as a letter and its column, or of rows with numbers also `1 7` or `(1,7)`.
pub(super) fn cells(typed: &str, rules: &Rules) -> Option<Vec<At>> {
    let names = rules.line_names();
    let plain = typed.replace(['(', ')', ',', ';', ':'], " ");
    let words: Vec<_> = plain
        .split_whitespace()
        .flat_map(|word| pieces(word, have_numbers(&names[0])))
        .collect();
    if words.len() % 2 == 1 || words.is_empty() {
        return None;
    }
    words
        .chunks(2)
        .map(|pair| cell(pair[0], pair[1], &names))
        .collect()
}

/// Cuts `B7` into row and column, and `17` if rows have numbers: no board has a row 17.
fn pieces(word: &str, rows_have_numbers: bool) -> Vec<&str> {
    let begins_with_letter = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_two_digits = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let cut = begins_with_letter || (is_two_digits && rows_have_numbers);
    if cut && word.len() > 1 && word.is_char_boundary(1) {
        let (row, col) = word.split_at(1);
        vec![row, col]
    } else {
        vec![word]
    }
}

fn cell(row: &str, col: &str, names: &[Vec<String>; 2]) -> Option<At> {
    let [rows, cols] = names;
    let letter = row
        .chars()
        .next()
        .filter(|_| row.len() == 1)
        .and_then(|c| row_of(c, names));
    let row = letter.or_else(|| rows.iter().position(|name| name == row))?;
    // As a number: `07` is column 7 too.
    let col: usize = col.parse().ok()?;
    Some((row, cols.iter().position(|name| name.parse() == Ok(col))?))
}

#[cfg(test)]
mod tests {
    use battleship::Game;

    use super::*;

    #[test]
    fn a_classic_cell_is_typed_many_ways() {
        let rules = Rules::classic(Game::standard());
        for typed in ["B7", "b7", "1 7", "(1,7)", "17", "B 7", " 1,7 "] {
            assert_eq!(cells(typed, &rules), Some(vec![(1, 7)]), "{typed}");
        }
        for typed in ["", "B", "7", "B10", "K1", "1 7 3", "x", "10 1"] {
            assert_eq!(cells(typed, &rules), None, "{typed}");
        }
    }

    #[test]
    fn cells_of_the_twist_game_begin_at_a1() {
        assert_eq!(cells("B7", &Rules::Twist), Some(vec![(1, 6)]));
        assert_eq!(cells("C3 n12", &Rules::Twist), Some(vec![(2, 2), (11, 11)]));
        for typed in ["A0", "A13", "J1", "1 7", "C3 A"] {
            assert_eq!(cells(typed, &Rules::Twist), None, "{typed}");
        }
        assert_eq!(
            rows_in_words(&Rules::Twist).as_deref(),
            Some("A to I and L to N")
        );
        assert_eq!(rows_in_words(&Rules::classic(Game::standard())), None);
    }
}
