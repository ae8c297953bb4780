//! Parts of a picture that change from one position to the next.

use std::fmt::Write;

use battleship::Frame;

use super::film::Film;

/// Writes a part that is `drawn` from each position, where it is not empty. While it stays the same
/// it is one element, which comes with the first turn that shows it and goes with the first that
/// does not.
pub(super) fn changing(out: &mut String, film: &Film, drawn: impl Fn(&Frame, usize) -> String) {
    let mut run: Option<(usize, String)> = None;
    for (place, frame) in film.frames.iter().enumerate() {
        let now = drawn(frame, film.first + place);
        match &run {
            Some((_, before)) if *before == now => {}
            _ => {
                if let Some((from, before)) = run.take() {
                    part(out, &before, from, Some(place));
                }
                run = Some((place, now));
            }
        }
    }
    if let Some((from, before)) = run {
        part(out, &before, from, None);
    }
}

fn part(out: &mut String, drawn: &str, from: usize, until: Option<usize>) {
    if drawn.is_empty() {
        return;
    }
    let written = match (from, until) {
        (0, None) => writeln!(out, "{drawn}"),
        (from, None) => writeln!(out, "<g class=\"i\" style=\"--t:{from}\">{drawn}</g>"),
        (0, Some(until)) => writeln!(out, "<g class=\"x\" style=\"--u:{until}\">{drawn}</g>"),
        (from, Some(until)) => {
            writeln!(
                out,
                "<g class=\"o\" style=\"--t:{from};--u:{until}\">{drawn}</g>"
            )
        }
    };
    written.expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use battleship::{AttackResult, BySide, Part, Rules, Ruleset};

    use super::*;
    use crate::picture::film::sentence;

    /// A film in which only what is said changes.
    fn film(said: &[&str], first: usize) -> Film {
        let opening = Frame::opening(&*Rules::usual(Ruleset::Classic).begin());
        let frame = |said: &&str| Frame {
            sentence: vec![Part::Text((*said).to_owned().into())],
            ..opening.clone()
        };
        Film {
            title: String::new(),
            subtitle: String::new(),
            game: Rules::usual(Ruleset::Classic).describe(),
            row_names: Vec::new(),
            col_names: Vec::new(),
            names: BySide::default(),
            turns: vec![AttackResult::Miss; said.len()],
            first,
            frames: said.iter().map(frame).collect(),
        }
    }

    fn written(film: &Film) -> String {
        let mut out = String::new();
        changing(&mut out, film, |frame, _| sentence(film, frame));
        out
    }

    #[test]
    fn parts_come_and_go() {
        assert_eq!(
            written(&film(&["a", "a", "", "b", "c"], 0)),
            "<g class=\"x\" style=\"--u:2\">a</g>\n\
             <g class=\"o\" style=\"--t:3;--u:4\">b</g>\n\
             <g class=\"i\" style=\"--t:4\">c</g>\n"
        );
        assert_eq!(written(&film(&["a", "a"], 0)), "a\n");
    }

    #[test]
    fn a_still_has_nothing_that_moves() {
        assert_eq!(written(&film(&["a"], 7)), "a\n");
        assert_eq!(written(&film(&[""], 7)), "");
    }
}
