//! Cells as a person types them.

use crate::picture::At;
use crate::story::Rules;

/// Whether a character belongs to a cell that is typed, or separates two.
pub(super) fn belongs(c: char, rules: &Rules, is_first: bool) -> bool {
    let is_row = row_of(c, rules).is_some();
    let separates = !is_first && matches!(c, ' ' | ',' | ')' | ';' | ':');
    c.is_ascii_digit() || is_row || separates || c == '('
}

/// Returns the row that a letter stands for.
fn row_of(c: char, rules: &Rules) -> Option<usize> {
    let letter = c.to_ascii_uppercase();
    match rules {
        Rules::Classic(game) => {
            let rows = usize::try_from(game.rows()).ok()?;
            ('A'..='J').take(rows).position(|row| row == letter)
        }
        Rules::Twist => "ABCDEFGHILMN".chars().position(|row| row == letter),
    }
}

/// Returns the cells that are typed; `None` if it is none, or something else besides. A cell of the classic game is `B7`, `1 7`
/// or `(1,7)`: its row, as a letter from A or a number from 0, and its column from 0. One of the twist game is `B7`: the letter
/// of its row and its column from 1.
pub(super) fn cells(typed: &str, rules: &Rules) -> Option<Vec<At>> {
    let plain = typed.replace(['(', ')', ',', ';', ':'], " ");
    let mut words = Vec::new();
    for word in plain.split_whitespace() {
        words.extend(pieces(word, rules));
    }
    if words.len() % 2 == 1 || words.is_empty() {
        return None;
    }
    words.chunks(2).map(|pair| cell(pair[0], pair[1], rules)).collect()
}

/// Cuts `B7` into row and column, and `17` if no board has a row of that number.
fn pieces<'w>(word: &'w str, rules: &Rules) -> Vec<&'w str> {
    let begins_with_letter = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_two_digits = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let cut = begins_with_letter || (is_two_digits && matches!(rules, Rules::Classic(_)));
    if cut && word.len() > 1 && word.is_char_boundary(1) {
        let (row, col) = word.split_at(1);
        vec![row, col]
    } else {
        vec![word]
    }
}

fn cell(row: &str, col: &str, rules: &Rules) -> Option<At> {
    let letter = row.chars().next().filter(|_| row.len() == 1).and_then(|c| row_of(c, rules));
    let col: usize = col.parse().ok()?;
    match rules {
        Rules::Classic(game) => {
            let row = letter.or_else(|| row.parse().ok())?;
            let on_board = i32::try_from(row).is_ok_and(|row| row < game.rows())
                && i32::try_from(col).is_ok_and(|col| col < game.cols());
            on_board.then_some((row, col))
        }
        Rules::Twist => Some((letter?, col.checked_sub(1).filter(|col| *col < 12)?)),
    }
}

#[cfg(test)]
mod tests {
    use battleship::Game;

    use super::*;

    #[test]
    fn a_cell_of_the_classic_game_is_typed_in_many_ways() {
        let rules = Rules::Classic(Game::standard());
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
    }
}
