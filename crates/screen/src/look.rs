//! What things look like: signs and colours. Whatever a colour says, a sign says too.

use ratatui::style::{Color, Modifier, Style};

/// How the screen is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Only characters that every terminal has.
    pub ascii: bool,
    /// Without colours.
    pub colourless: bool,
    /// For dark text on light ground.
    pub light: bool,
}

/// What is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Nothing is known, or nothing is there.
    Water,
    /// A shot that hit nothing.
    Miss,
    /// A part of a ship that was hit.
    Hit,
    /// A part of a ship that has sunk.
    Sunk,
    /// A whole part of a ship with this letter.
    Ship(char),
    /// A damaged part of a unit with this letter.
    Damaged(char),
    /// A unit that sonar saw, whole.
    Seen,
    /// A mark that units may have left since.
    Old(Aged),
}

/// A mark of an earlier time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aged {
    Miss,
    Hit,
    Seen,
}

/// What a style is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text.
    Text,
    /// What matters less.
    Quiet,
    /// A heading.
    Heading,
    /// Whose turn it is, and what is asked.
    Asked,
    /// A cell that is aimed at.
    Aim,
    /// The cell of the last attack.
    Last,
    /// Where a ship would lie.
    Outline,
    /// Where it would, but may not.
    Forbidden,
    /// A cell that an order may name.
    Possible,
    /// A message about a mistake.
    Mistake,
}

impl Look {
    /// Returns the look that the environment asks for: `NO_COLOR` (no-color.org), and `COLORFGBG`, in which some terminals
    /// say whether their ground is light.
    #[must_use]
    pub fn of_environment(ascii: bool) -> Look {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let ground = set("COLORFGBG").and_then(|both| both.rsplit(';').next().map(str::to_owned));
        Look {
            ascii: ascii || !speaks_utf8(),
            colourless: set("NO_COLOR").is_some(),
            light: matches!(ground.as_deref(), Some("7" | "15")),
        }
    }

    /// Returns the character of `sign`.
    pub(crate) fn sign(self, sign: Sign) -> char {
        let either = |plain: char, other: char| if self.ascii { plain } else { other };
        match sign {
            Sign::Water => either('.', '·'),
            Sign::Miss => either('o', '○'),
            Sign::Hit => either('X', '╳'),
            Sign::Sunk => either('#', '▓'),
            Sign::Ship(letter) => letter,
            Sign::Damaged(letter) => letter.to_ascii_lowercase(),
            Sign::Seen => 'Y',
            Sign::Old(Aged::Miss) => either(',', '∘'),
            Sign::Old(Aged::Hit) => 'x',
            Sign::Old(Aged::Seen) => 'y',
        }
    }

    /// Returns the style of `sign`.
    pub(crate) fn style_of(self, sign: Sign) -> Style {
        let style = Style::new();
        match sign {
            Sign::Water | Sign::Old(Aged::Miss) => self.style(Part::Quiet),
            Sign::Miss => self.coloured(style, Color::Cyan, Color::Blue),
            Sign::Hit | Sign::Damaged(_) => {
                self.coloured(style, Color::LightRed, Color::Red).add_modifier(Modifier::BOLD)
            }
            Sign::Sunk => self.coloured(style, Color::LightMagenta, Color::Magenta),
            Sign::Ship(_) => {
                self.coloured(style, Color::LightGreen, Color::Green).add_modifier(Modifier::BOLD)
            }
            Sign::Seen => self
                .coloured(style, Color::LightYellow, Color::Magenta)
                .add_modifier(Modifier::BOLD),
            Sign::Old(Aged::Hit) => self.coloured(style, Color::Red, Color::Red),
            Sign::Old(Aged::Seen) => self.coloured(style, Color::Yellow, Color::Magenta),
        }
    }

    /// Returns the style of a part of the screen.
    pub(crate) fn style(self, part: Part) -> Style {
        let style = Style::new();
        match part {
            Part::Text => style,
            Part::Quiet => style.add_modifier(Modifier::DIM),
            Part::Heading => style.add_modifier(Modifier::BOLD),
            Part::Asked => {
                self.coloured(style, Color::LightCyan, Color::Blue).add_modifier(Modifier::BOLD)
            }
            Part::Aim => style.add_modifier(Modifier::REVERSED),
            Part::Last => self
                .coloured(style, Color::LightYellow, Color::Magenta)
                .add_modifier(Modifier::BOLD),
            Part::Outline => self.coloured(style, Color::LightGreen, Color::Green),
            Part::Forbidden | Part::Mistake => self.coloured(style, Color::LightRed, Color::Red),
            Part::Possible => self.coloured(style, Color::LightCyan, Color::Blue),
        }
    }

    fn coloured(self, style: Style, on_dark: Color, on_light: Color) -> Style {
        match (self.colourless, self.light) {
            (true, _) => style,
            (false, false) => style.fg(on_dark),
            (false, true) => style.fg(on_light),
        }
    }
}

/// Whether the terminal shows more than ASCII, as far as the language settings say.
fn speaks_utf8() -> bool {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    // Without any setting it is mostly a container, whose terminal is one of today.
    language.is_none_or(|name| {
        let name = name.to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}
