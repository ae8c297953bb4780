//! Colours and characters.

use super::USUAL;
use crate::common::screen::Screen;

const WATCHED: [&str; 6] = ["play", "mediocre", "awful", "--seed", "1", "--watch"];

fn watched(variables: &[(&str, &str)], more: &[&str]) -> Screen {
    let program = env!("CARGO_BIN_EXE_referee");
    let words = [&[program], &WATCHED[..], more].concat();
    let mut screen = Screen::of_program(USUAL, variables, &words);
    screen.sees("(").press(" ").sees("Paused");
    screen
}

fn has_colours(screen: &Screen) -> bool {
    screen.colours().iter().any(|colour| *colour != vt100::Color::Default)
}

#[test]
fn colours_are_the_terminals_own_sixteen() {
    let screen = watched(&[], &[]);
    assert!(has_colours(&screen));
    let of_terminal =
        |colour: &vt100::Color| matches!(colour, vt100::Color::Default | vt100::Color::Idx(..16));
    assert!(screen.colours().iter().all(of_terminal));
}

#[test]
fn no_color_means_no_colour() {
    assert!(!has_colours(&watched(&[("NO_COLOR", "1")], &[])));
}

#[test]
fn ascii_means_ascii() {
    let screen = watched(&[], &["--ascii"]);
    assert!(screen.text().is_ascii(), "{}", screen.text());
    assert!(watched(&[("LC_ALL", "C")], &[]).text().is_ascii());
    assert!(!watched(&[], &[]).text().is_ascii());
}
