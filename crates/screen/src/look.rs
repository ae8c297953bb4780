//! The look of things: signs and colours. Everything that a colour says, a sign says too.

#[cfg(unix)]
use std::time::Duration;

use ratatui_core::style::{Color, Modifier, Style};
#[cfg(unix)]
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

/// The style of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Only characters that every terminal has.
    pub ascii: bool,
    /// Without colours.
    pub colourless: bool,
    /// The ground of the text.
    pub ground: Ground,
}

/// The background of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Nobody says: colours have to be read on both.
    #[default]
    Unknown,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// A colour, as numbers of the 256 that terminals have; the first 16 of those are other ones in
/// each terminal. Each has a contrast of at least 4.5:1, as WCAG 2.2 asks for text: on black, on
/// white, and on either.
#[derive(Clone, Copy, Debug)]
struct Paint {
    dark: u8,
    light: u8,
    either: u8,
}

const GREY: Paint = Paint {
    dark: 245,
    light: 242,
    either: 243,
};
const GREEN: Paint = Paint {
    dark: 83,
    light: 28,
    either: 29,
};
const CYAN: Paint = Paint {
    dark: 51,
    light: 25,
    either: 63,
};
const BLUE: Paint = Paint {
    dark: 80,
    light: 24,
    either: 63,
};
const RED: Paint = Paint {
    dark: 203,
    light: 160,
    either: 163,
};
const DARK_RED: Paint = Paint {
    dark: 167,
    light: 124,
    either: 131,
};
const VIOLET: Paint = Paint {
    dark: 207,
    light: 127,
    either: 131,
};
const YELLOW: Paint = Paint {
    dark: 227,
    light: 91,
    either: 98,
};

/// Time of the wait for a terminal that does not answer about its colours. Terminals that cannot
/// tell answer at once.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_millis(500);

/// The content of a cell.
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

/// The purpose of a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text.
    Text,
    /// Less important text.
    Quiet,
    /// A heading.
    Heading,
    /// The player whose turn it is, and the question.
    Asked,
    /// A cell that is aimed at.
    Aim,
    /// The cell of the last attack.
    Last,
    /// A possible place of a ship.
    Outline,
    /// A forbidden place of a ship.
    Forbidden,
    /// A cell that an order may name.
    Possible,
    /// A message about a mistake.
    Mistake,
}

impl Look {
    /// Returns the look that the environment asks for: `NO_COLOR` (no-color.org), and `COLORFGBG`,
    /// in which some terminals say whether their ground is light.
    #[must_use]
    pub fn of_environment(ascii: bool) -> Look {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let ground: Option<u8> =
            set("COLORFGBG").and_then(|both| both.rsplit(';').next()?.parse().ok());
        Look {
            ascii: ascii || !speaks_utf8(),
            colourless: set("NO_COLOR").is_some(),
            ground: match ground {
                None => Ground::Unknown,
                Some(7 | 15) => Ground::Light,
                Some(_) => Ground::Dark,
            },
        }
    }

    /// Returns the look for the terminal of this process, which is asked for its background if the
    /// environment does not say it.
    #[must_use]
    pub fn for_terminal(self) -> Look {
        #[cfg(unix)]
        if !self.colourless && self.ground == Ground::Unknown {
            let mut options = QueryOptions::default();
            options.timeout = PATIENCE;
            let ground = match theme_mode(options) {
                Ok(ThemeMode::Dark) => Ground::Dark,
                Ok(ThemeMode::Light) => Ground::Light,
                Err(_) => Ground::Unknown,
            };
            return Look { ground, ..self };
        }
        self
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
        match sign {
            Sign::Water | Sign::Old(Aged::Miss) => self.style(Part::Quiet),
            Sign::Miss => self.painted(BLUE),
            Sign::Hit | Sign::Damaged(_) => self.painted(RED).add_modifier(Modifier::BOLD),
            Sign::Sunk => self.painted(VIOLET),
            Sign::Ship(_) => self.painted(GREEN).add_modifier(Modifier::BOLD),
            Sign::Seen => self.painted(YELLOW).add_modifier(Modifier::BOLD),
            Sign::Old(Aged::Hit) => self.painted(DARK_RED),
            Sign::Old(Aged::Seen) => self.painted(YELLOW),
        }
    }

    /// Returns the style of a part of the screen.
    pub(crate) fn style(self, part: Part) -> Style {
        let style = Style::new();
        match part {
            Part::Text => style,
            Part::Quiet if self.colourless => style.add_modifier(Modifier::DIM),
            Part::Quiet => self.painted(GREY),
            Part::Heading => style.add_modifier(Modifier::BOLD),
            Part::Asked => self.painted(CYAN).add_modifier(Modifier::BOLD),
            Part::Aim => style.add_modifier(Modifier::REVERSED),
            Part::Last => self.painted(YELLOW).add_modifier(Modifier::BOLD),
            Part::Outline => self.painted(GREEN),
            Part::Forbidden | Part::Mistake => self.painted(RED),
            Part::Possible => self.painted(CYAN),
        }
    }

    fn painted(
        self,
        Paint {
            dark,
            light,
            either,
        }: Paint,
    ) -> Style {
        let number = match self.ground {
            _ if self.colourless => return Style::new(),
            Ground::Dark => dark,
            Ground::Light => light,
            Ground::Unknown => either,
        };
        Style::new().fg(Color::Indexed(number))
    }
}

/// Whether the terminal shows more than ASCII, as far as the language settings say.
fn speaks_utf8() -> bool {
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
        std::env::var(name)
            .ok()
            .filter(|value: &String| !value.is_empty())
    });
    // Without any setting it is mostly a container, whose terminal is one of today.
    language.is_none_or(|name| {
        let name = name.to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.2 of one of the colours that all terminals have alike: a
    /// cube of six by six by six, then greys.
    fn luminance(number: u8) -> f64 {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        let rgb = match number {
            0..16 => panic!("{number} is another colour in each terminal"),
            16..232 => [36, 6, 1].map(|part| level((number - 16) / part % 6)),
            232.. => [8 + 10 * (number - 232); 3],
        };
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
    }

    #[test]
    fn every_colour_can_be_read_on_its_ground() {
        let on_black = |number| (luminance(number) + 0.05) / 0.05;
        let on_white = |number| 1.05 / (luminance(number) + 0.05);
        for paint in [GREY, GREEN, CYAN, BLUE, RED, DARK_RED, VIOLET, YELLOW] {
            assert!(on_black(paint.dark) >= 4.5, "{paint:?}");
            assert!(on_white(paint.light) >= 4.5, "{paint:?}");
            let either = paint.either;
            assert!(on_black(either).min(on_white(either)) >= 4.5, "{paint:?}");
        }
    }
}
