//! Colours and characters.

use super::USUAL;
use testkit::list::Tests;
use testkit::screen::Screen;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        colours_are_for_the_ground_of_the_terminal,
        no_color_means_no_colour,
        ascii_means_ascii
    );
}

const WATCHED: &str = "play mediocre awful --seed 1 --watch";

fn watched(variables: &[(&str, &str)], more: &str) -> Screen {
    let mut screen = Screen::with(USUAL, variables, &format!("{WATCHED} {more}"));
    screen.sees("(").press(" ").sees("Paused");
    screen
}

fn has_colours(screen: &Screen) -> bool {
    screen
        .colours()
        .iter()
        .any(|colour| *colour != vt100::Color::Default)
}

/// The answer of a terminal with white ground about its colours, and about itself.
const WHITE: &str = "\x1b]10;rgb:0000/0000/0000\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c";

fn colours_are_for_the_ground_of_the_terminal() {
    let seen = |screen: Screen| -> Vec<u8> {
        let number = |colour: &vt100::Color| match colour {
            vt100::Color::Idx(number) => Some(*number),
            vt100::Color::Default => None,
            vt100::Color::Rgb(..) => panic!("some terminals do not have {colour:?}"),
        };
        screen.colours().iter().filter_map(number).collect()
    };
    let [dark, light] = ["15;0", "0;15"].map(|ground| seen(watched(&[("COLORFGBG", ground)], "")));
    // The first sixteen are other ones in each terminal.
    assert!(dark.iter().chain(&light).all(|number| *number >= 16));
    // One that the environment does not know is asked. What matters less has a grey of its own on
    // each ground.
    let mut screen = Screen::with(USUAL, &[("COLORFGBG", "")], WATCHED);
    screen.press(WHITE).sees("(").press(" ").sees("Paused");
    let asked = seen(screen);
    let grey = |seen: &[u8]| [245, 242, 243].map(|grey| seen.contains(&grey));
    assert_eq!(grey(&dark), [true, false, false]);
    assert_eq!(
        (grey(&light), grey(&asked)),
        ([false, true, false], [false, true, false])
    );
}

fn no_color_means_no_colour() {
    assert!(!has_colours(&watched(&[("NO_COLOR", "1")], "")));
}

fn ascii_means_ascii() {
    let screen = watched(&[], "--ascii");
    assert!(screen.text().is_ascii(), "{}", screen.text());
    assert!(watched(&[("LC_ALL", "C")], "").text().is_ascii());
    assert!(!watched(&[], "").text().is_ascii());
}
