//! Figures that bots print about themselves: comments such as `# heat = 0.5`, turn by turn.

use bothost::text;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use wire::game::Played;
use wire::{BySide, Event, Listener, Side, Stop};

/// The number of names that a player may have in one game; figures of further names are left out.
const MOST_NAMES: usize = 8;

/// The number of values that a player may have in one game, of all names together; further ones are
/// left out. A classic game has space for eight in each of a hundred turns, and a line of a record
/// does not grow with the length of a twist game.
const MOST_VALUES: usize = 1000;

/// The longest name, in characters.
const LONGEST_NAME: usize = 32;

/// The signs that a name may have besides letters and digits: no quote, bracket or sign that
/// Markdown, HTML or a shell reads.
const SIGNS: &str = " _.%/()-";

/// One figure of one player: its values in the turns in which it printed them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "FigureInRecord")]
pub struct Figure {
    /// The player: 0 or 1.
    pub player: u8,
    /// The name of the figure.
    pub name: String,
    /// The player's own turns, from 1 (0: before its first), and the value in each; turns rise.
    pub values: Vec<(u32, f64)>,
}

#[derive(Deserialize)]
struct FigureInRecord {
    player: u8,
    name: String,
    values: Vec<(u32, f64)>,
}

/// A figure of a record that no bot has printed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum NoFigure {
    #[error("figures of player {0}, where there are 0 and 1")]
    Player(u8),
    #[error("{0:?} is not the name of a figure")]
    Name(String),
}

impl TryFrom<FigureInRecord> for Figure {
    type Error = NoFigure;

    fn try_from(
        FigureInRecord {
            player,
            name,
            values,
        }: FigureInRecord,
    ) -> Result<Figure, NoFigure> {
        if player > 1 {
            return Err(NoFigure::Player(player));
        }
        if !is_name(&name) {
            return Err(NoFigure::Name(text::shortened(&name)));
        }
        Ok(Figure {
            player,
            name,
            values,
        })
    }
}

/// Returns the name and the value in a comment like `# heat = 0.5`; `None` for any other comment.
/// The value is a [`decimal`] number.
fn figure_in(line: &[u8]) -> Option<(&str, f64)> {
    let comment = line.strip_prefix(b"#")?;
    // Bytes first: most comments have no such sign, and need not be read as text.
    let equals = comment.iter().position(|byte| *byte == b'=')?;
    let name = &comment[..equals];
    let value = &comment[equals + 1..];
    let name = str::from_utf8(name.trim_ascii())
        .ok()
        .filter(|name| is_name(name))?;
    let value = decimal(str::from_utf8(value.trim_ascii()).ok()?)?;
    Some((name, value))
}

/// Returns a decimal number with or without a sign, a point and an exponent, as most languages
/// print it: `-3`, `.5`, `1e-3`.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    // The words for what is not a number (inf, nan, infinity) begin with a letter behind their
    // sign, and numbers do not.
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    // 1e999 is read as infinite, and JSON has no word for that.
    value.is_finite().then_some(value)
}

/// Returns whether this is a name of a figure: a letter, and behind it letters and digits of any
/// script, spaces and a few signs.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
        && !name.ends_with(' ')
        && name.chars().all(|character| {
            (character.is_alphanumeric() && !text::steers(character)) || SIGNS.contains(character)
        })
        && name.chars().nth(LONGEST_NAME).is_none()
}

/// Adds a value to the figures of a game, up to the limit. The last value of a name and turn
/// counts.
fn add_figure(figures: &mut Vec<Figure>, player: u8, name: &str, turn: u32, value: f64) {
    let own = || figures.iter().filter(|figure| figure.player == player);
    let names = own().count();
    let values = own().map(|figure| figure.values.len()).sum::<usize>();
    let place = figures
        .iter()
        .position(|figure| figure.player == player && figure.name == name);
    match place {
        Some(place) => {
            let known = &mut figures[place].values;
            match known.last_mut() {
                Some((last, known)) if *last == turn => *known = value,
                Some(_) | None if values < MOST_VALUES => known.push((turn, value)),
                Some(_) | None => {}
            }
        }
        None if names < MOST_NAMES && values < MOST_VALUES => {
            let name = name.to_owned();
            let values = vec![(turn, value)];
            figures.push(Figure {
                player,
                name,
                values,
            });
        }
        None => {}
    }
}

/// Adds the numbers that a game gave its players to the figures that these have printed. Those of
/// the same names go: no bot gives itself a score.
pub(crate) fn add_results(figures: &mut Vec<Figure>, played: &Played) {
    figures.retain(|figure| {
        !played
            .figures
            .iter()
            .any(|(_, name, _)| *name == figure.name)
    });
    for (side, name, value) in &played.figures {
        figures.push(Figure {
            player: u8::from(*side == Side::Two),
            name: name.clone(),
            values: vec![(0, *value)],
        });
    }
}

/// Collects the figures of a game while it is played.
#[derive(Debug, Default)]
pub struct FigureRecorder {
    /// The figures so far.
    pub figures: Vec<Figure>,
    /// The number of turns that each player has played; `None` before the first request for one.
    turns: Option<BySide<u32>>,
}

impl Listener<Event<'_>> for FigureRecorder {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Begun { .. } => self.turns = Some(BySide::default()),
            Event::Played { side, .. } => {
                if let Some(turns) = &mut self.turns {
                    turns[*side] += 1;
                }
            }
            Event::Comment { side, line } => {
                if let Some((name, value)) = figure_in(line) {
                    let turn = self.turns.map_or(0, |turns| turns[*side] + 1);
                    let player = u8::from(*side == Side::Two);
                    add_figure(&mut self.figures, player, name, turn, value);
                }
            }
            Event::Asked { .. } | Event::Ended { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_figure_is_a_name_and_a_number() {
        for (line, name, value) in [
            ("# heat = 0.5", "heat", 0.5),
            ("#heat=0.5", "heat", 0.5),
            ("#\theat\t=\t-3 ", "heat", -3.0),
            ("# best guess (%) = +12.25", "best guess (%)", 12.25),
            ("# a.b/c-d_2 = 1e-3", "a.b/c-d_2", 0.001),
            ("# Wärme = 2.5E2", "Wärme", 250.0),
            ("# 热 = .5", "热", 0.5),
            ("# left = 17.", "left", 17.0),
            ("# tiny = 1e-999", "tiny", 0.0),
        ] {
            assert_eq!(figure_in(line.as_bytes()), Some((name, value)), "{line}");
        }
    }

    #[test]
    fn any_other_comment_is_just_a_comment() {
        let long = format!("# {} = 1", "x".repeat(LONGEST_NAME + 1));
        for line in [
            "#",
            "# heat",
            "# heat 0.5",
            "# heat =",
            "# = 0.5",
            "# heat = hot",
            "# heat = 0.5 C",
            "# heat = 0,5",
            "# heat = inf",
            "# heat = -inf",
            "# heat = +infinity",
            "# heat = NaN",
            "# heat = 1e999",
            "# heat = 0x10",
            "# heat = 1_000",
            "# heat = 1 = 2",
            "# heat == 1",
            "# heat: 0.5",
            "## heat = 1",
            "# 3 = 4",
            "# -heat = 1",
            "# <script> = 1",
            "# a`b = 1",
            "# a\u{1b}[2J = 1",
            "# a\u{202e}b = 1",
            "# a\u{3164}b = 1",
            "# a\u{a0}b = 1",
            "# a|b = 1",
            "# \"heat\" = 1",
            "# heat = +-1",
            "# heat = e5",
            "heat = 1",
            &long,
        ] {
            assert_eq!(figure_in(line.as_bytes()), None, "{line}");
        }
        assert_eq!(figure_in(b"# he\xffat = 1"), None);
        assert_eq!(figure_in(b"# heat = 1\xff"), None);
    }

    #[test]
    fn the_last_value_of_a_turn_counts() {
        let mut figures = Vec::new();
        for (turn, value) in [(0, 9.0), (1, 1.0), (1, 2.0), (3, 4.0)] {
            add_figure(&mut figures, 1, "heat", turn, value);
        }
        let values = vec![(0, 9.0), (1, 2.0), (3, 4.0)];
        assert_eq!(
            figures,
            [Figure {
                player: 1,
                name: "heat".to_owned(),
                values
            }]
        );
    }

    #[test]
    fn names_and_values_of_each_player_are_bounded() {
        let mut figures = Vec::new();
        for turn in 0..2000 {
            for name in 0..20 {
                for player in 0..2 {
                    add_figure(&mut figures, player, &format!("n{name}"), turn, 1.0);
                }
            }
        }
        for player in 0..2 {
            let own: Vec<_> = figures
                .iter()
                .filter(|figure| figure.player == player)
                .collect();
            assert_eq!(own.len(), MOST_NAMES);
            assert_eq!(
                own.iter().map(|figure| figure.values.len()).sum::<usize>(),
                MOST_VALUES
            );
        }
        // The value of the last turn may still change after the limit is reached.
        let (turn, _) = figures[0].values[figures[0].values.len() - 1];
        add_figure(&mut figures, 0, "n0", turn, 7.0);
        assert_eq!(figures[0].values.last(), Some(&(turn, 7.0)));
    }

    #[test]
    fn figures_no_bot_prints_are_refused() {
        for (json, why) in [
            (
                r#"{"player":2,"name":"heat","values":[]}"#,
                "figures of player 2",
            ),
            (
                r#"{"player":0,"name":"<b>","values":[]}"#,
                "\"<b>\" is not the name of a figure",
            ),
            (
                r#"{"player":0,"name":"heat","values":[[1,null]]}"#,
                "invalid type: null",
            ),
        ] {
            let error = serde_json::from_str::<Figure>(json)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }

    proptest! {
        /// Whatever a bot says, a figure is fit to be shown, and survives the record.
        #[test]
        fn figures_of_any_text_are_harmless(line in prop_oneof![".*", "#.*=.*", "# [a-z (-9]{1,9} = -?[0-9.e-]{1,9}"]) {
            if let Some((name, value)) = figure_in(line.as_bytes()) {
                prop_assert_eq!(text::shown(name.as_bytes()), name);
                prop_assert!(value.is_finite() && is_name(name));
                let mut figures = Vec::new();
                add_figure(&mut figures, 0, name, 1, value);
                let json = serde_json::to_string(&figures).unwrap();
                prop_assert_eq!(serde_json::from_str::<Vec<Figure>>(&json).unwrap(), figures);
            }
        }

        #[test]
        fn numbers_survive_the_record(value in proptest::num::f64::NORMAL) {
            let line = format!("# n = {value:e}");
            prop_assert_eq!(figure_in(line.as_bytes()), Some(("n", value)));
            let json = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<f64>(&json).unwrap().to_bits(), value.to_bits());
        }
    }
}
