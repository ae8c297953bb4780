//! The texts of a picture: cut, escaped, and what it shows in words.

use std::fmt::Write;

use battleship::Side;
use battleship::scene::ShipState;
use bothost::text;

use super::Shown;
use super::film::{Film, sentence};
use crate::width::cut_to;

/// Says in words what the picture shows, or shows at its end.
pub(super) fn description(film: &Film, shown: Shown) -> String {
    let Some((place, frame)) = film.frames.iter().enumerate().next_back() else {
        return film.subtitle.clone();
    };
    let number = film.first + place;
    let turns = film.turns.len();
    let mut said = match shown {
        Shown::Moving => {
            format!("All {turns} turns, one after the other; a press starts again. At the end: ")
        }
        Shown::Still(_) => format!("After {number} of {turns} turns: "),
    };
    if !frame.sentence.is_empty() {
        said.push_str(&sentence(film, frame));
        said.push(' ');
    }
    for side in Side::BOTH {
        let named = |sunk: bool| {
            let ships = film.game.ships.iter().zip(&frame.scene.ships[side]);
            let names = ships.filter(|(_, health)| (**health == ShipState::Sunk) == sunk);
            let names: Vec<_> = names.map(|(ship, _)| ship.name.as_str()).collect();
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        };
        let name = &film.names[side];
        let note = &frame.scene.remarks[side];
        let afloat = named(false);
        let sunk = named(true);
        write!(said, "{name}, {note}: afloat {afloat}; sunk {sunk}. ")
            .expect("a string takes everything");
    }
    said.push_str(&film.subtitle);
    said
}

/// Returns text that is cut to this many columns.
pub(super) fn text_at(class: &str, x: usize, y: usize, text: &str, longest: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    let text = escaped(&cut_to(&text::shown(text.as_bytes()), longest));
    format!("<text{class} x=\"{x}\" y=\"{y}\">{text}</text>")
}

/// Returns text as XML has it. Characters that XML does not allow are none, or are escaped as for a
/// terminal.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text::shown(text.as_bytes()).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_xml() {
        assert_eq!(
            escaped("<a b=\"c\">&'\u{1b}\u{ffff}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\\u{1b}\u{fffd}"
        );
    }
}
