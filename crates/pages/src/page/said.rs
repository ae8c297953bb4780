//! The lines that were said in a game, turn by turn, from its dialogue as `--transcript` writes it.

use super::data::SaidLine;
use bothost::text;

/// The number of lines of a game that are kept, from its end.
const MOST_LINES: usize = 2_000;

/// The longest line, in characters.
const LONGEST: usize = 300;

/// The beginning of a line that stands for those that are left out.
const GAP: &str = "... ";

/// The directions, as the dialogue marks them: to the bot, from it, begun and not ended, and on
/// standard error.
const MARKS: [&str; 4] = ["<-", "->", "-|", "!!"];

/// Returns the lines of a dialogue with the turns in which they were said, -1 before the first: a
/// turn begins when a player is asked for it. `names` are the players as the dialogue has them.
/// This many turns were `asked` for in the game.
pub(super) fn said_lines(dialogue: &[u8], names: &[String; 2], asked: usize) -> Vec<SaidLine> {
    let mut turn = -1;
    let mut lines = Vec::new();
    let mut gap = None;
    for line in dialogue.split(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        if line.starts_with(GAP) {
            gap = Some(lines.len());
        }
        let Some((ms, seat, mark, said)) = parse(&line, names) else {
            continue;
        };
        if mark == MARKS[0] && matches!(said, "attack" | "act") {
            turn += 1;
        }
        lines.push((
            turn,
            seat,
            mark,
            text::cut(&text::shown(said.as_bytes()), LONGEST),
            ms,
        ));
    }
    // Behind a gap turns are known by how many there are up to the end.
    let behind_gap = gap.and_then(|gap| lines.get_mut(gap..)).unwrap_or_default();
    let missing = i64::try_from(asked)
        .unwrap_or(i64::MAX)
        .saturating_sub(turn + 1)
        .max(0);
    for (turn, ..) in behind_gap {
        *turn += missing;
    }
    lines.split_off(lines.len().saturating_sub(MOST_LINES))
}

/// Returns the parts of a line: milliseconds, the player's seat, the direction and what was said.
fn parse<'l>(line: &'l str, names: &[String; 2]) -> Option<(f64, usize, &'static str, &'l str)> {
    let (ms, rest) = line.trim_start().split_once(' ')?;
    let ms: f64 = ms.parse().ok().filter(|ms: &f64| ms.is_finite())?;
    // One name may be the beginning of the other; then only the longer one is followed by a mark.
    let part = |seat: usize| {
        let rest = rest.strip_prefix(names[seat].as_str())?.strip_prefix(' ')?;
        let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
        let said = &rest[mark.len()..];
        Some((ms, seat, mark, said.strip_prefix(' ').unwrap_or(said)))
    };
    part(0).or_else(|| part(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_last_asked_turn() {
        let dialogue = b"\
     0.100 a <- battleship 1\n     0.200 a b -> ok a b\n     1.000 a <- attack\n     1.500 a !! thinking <b>\n\
     1.600 a -> attack 3 4\nnonsense\n     2.000 a b <- attack\n     2.500 a b -| atta\n";
        let names = ["a".to_owned(), "a b".to_owned()];
        let lines = said_lines(dialogue, &names, 2);
        let short: Vec<_> = lines
            .iter()
            .map(|(turn, seat, mark, said, _)| (*turn, *seat, *mark, said.as_str()))
            .collect();
        assert_eq!(
            short,
            [
                (-1, 0, "<-", "battleship 1"),
                (-1, 1, "->", "ok a b"),
                (0, 0, "<-", "attack"),
                (0, 0, "!!", "thinking <b>"),
                (0, 0, "->", "attack 3 4"),
                (1, 1, "<-", "attack"),
                (1, 1, "-|", "atta"),
            ]
        );
    }

    #[test]
    fn turns_after_a_gap_count_backwards() {
        let dialogue = b"0.1 a <- attack\n\n... 700 bytes are left out here ...\n9.0 b <- attack\n9.1 b !! bye\n";
        let names = ["a".to_owned(), "b".to_owned()];
        let turns: Vec<i64> = said_lines(dialogue, &names, 40)
            .iter()
            .map(|line| line.0)
            .collect();
        assert_eq!(turns, [0, 39, 39]);
    }
}
