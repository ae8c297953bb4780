//! The pictures of a contest, and the effects of the keys.

use battleship::{BySide, Game, Rules};

use super::*;
use crate::live::Standing;
use crate::story::Story;
use crate::testing::{DARK, PLAIN, SIZES, assert_screens, classic_story, screenshot, twist_story};

/// Returns the view of a contest of this many players, in which `story` is shown.
fn view(story: Story, players: usize) -> ContestView<'static> {
    let names = ["good", "Popeye the Sailor", "mediocre", "Olive", "awful"];
    let standing = |number: usize| {
        let lead = 80 - number % 80;
        Standing {
            place: (number + 1).to_string(),
            name: match names.get(number) {
                Some(name) => (*name).to_owned(),
                None => format!("player {}", number + 1),
            },
            score: format!("{}.3%", lead + 8),
            interval: format!("{lead}.6 to {}.4%", lead + 15),
        }
    };
    let mut state = ContestState::new(story.rules.clone());
    state.progress = "54 of 100 games, 12 games/s, 4 seconds left".to_owned();
    state.standings = (0..players).map(standing).collect();
    state.game.number = 7;
    state.game.story = story;
    let results = (20..50).map(|attacks| format!("good beat mediocre in {attacks}"));
    state.results.extend(results);
    let forfeit = "good beat Popeye the Sailor, which did not reply in time".to_owned();
    state.results.push_back(forfeit);
    ContestView {
        state,
        loss: "There is no record (--out FILE) to continue from.",
        is_frozen: false,
        dialog: None,
    }
}

#[test]
fn screens_of_a_contest() {
    assert_screens!("match", view(classic_story(), 2).picture());
    assert_screens!("tournament", view(classic_story(), 12).picture());
    assert_screens!("tournament_of_units", view(twist_story(), 6).picture());
}

#[test]
fn screens_of_a_contest_before_its_first_game() {
    let full = view(classic_story(), 2);
    let state = ContestState {
        standings: full.state.standings.clone(),
        ..ContestState::new(classic_story().rules)
    };
    let view = ContestView { state, ..full };
    insta::assert_snapshot!(
        "contest_before_its_first_game",
        screenshot(&view.picture(), SIZES[0], PLAIN)
    );
}

#[test]
fn q_asks_before_the_contest_stops() {
    let mut view = view(classic_story(), 2);
    assert!(!view.press(Input::Typed('y')));
    assert!(!view.press(Input::Typed('q')));
    insta::assert_snapshot!(
        "stop_a_contest",
        screenshot(&view.picture(), SIZES[0], PLAIN)
    );
    assert!(!view.press(Input::Typed('n')));
    assert_eq!(view.dialog, None);
    assert!(!view.press(Input::Escape));
    assert!(view.press(Input::Typed('y')));
}

#[test]
fn a_question_mark_shows_the_keys() {
    let mut view = view(classic_story(), 2);
    view.press(Input::Typed('?'));
    insta::assert_snapshot!("contest_keys", screenshot(&view.picture(), SIZES[0], PLAIN));
    view.press(Input::Typed(' '));
    assert!(view.dialog.is_none() && !view.is_frozen);
}

#[test]
fn space_freezes_the_picture_and_continues_it() {
    let mut view = view(classic_story(), 2);
    view.press(Input::Typed(' '));
    assert!(view.is_frozen);
    let shown = screenshot(&view.picture(), SIZES[0], PLAIN);
    assert!(shown.contains("The picture is frozen"));
    view.press(Input::Typed(' '));
    assert!(!view.is_frozen);
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let mut view = view(classic_story(), 2);
    insta::assert_snapshot!(
        "contest_too_small",
        screenshot(&view.picture(), (60, 10), PLAIN)
    );
    view.press(Input::Typed('q'));
    let shown = screenshot(&view.picture(), (60, 10), PLAIN);
    assert!(shown.contains("y stop   any other key"), "{shown}");
}

/// Names are text of bots: they may be long, and try to write elsewhere.
#[test]
fn text_of_bots_stays_in_its_place() {
    let name = "\x1b[2J\u{202e}evil\x1b]0;title\x07 \u{200f}\n".repeat(9);
    let mut view = view(classic_story(), 12);
    view.state.game.story.names = BySide::new(name.clone(), name.clone());
    view.state.standings[3].name.clone_from(&name);
    let result = format!("{name} beat good in 17");
    view.state.results.push_back(result);
    insta::assert_snapshot!(
        "contest_of_text_of_bots",
        screenshot(&view.picture(), SIZES[0], PLAIN)
    );
}

#[test]
fn no_size_of_a_terminal_fails() {
    let rules = Rules::classic(Game::new(1, 5).unwrap());
    let small = ContestState::new(rules);
    for players in [0, 1, 200] {
        let full = view(twist_story(), players);
        for (width, height) in [
            (1, 1),
            (79, 24),
            (80, 24),
            (109, 24),
            (110, 24),
            (300, 100),
            (80, 200),
            (400, 24),
        ] {
            screenshot(&full.picture(), (width, height), DARK);
            let state = small.clone();
            let small = ContestView {
                state,
                ..view(classic_story(), players)
            };
            screenshot(&small.picture(), (width, height), DARK);
        }
    }
}
