//! The pictures and keys of people who watch a contest.

use battleship::{Game, Rules, Side};
use insta::assert_snapshot;
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;

use super::draw::draw;
use super::state::{Then, Watching};
use super::{LaneGame, Sample};
use crate::input::Input;
use crate::look::Look;
use crate::story::{End, News, Story};
use crate::testing::{PLAIN, classic_story, names, twist_story};

fn sample(lanes: Vec<Option<Story>>) -> Sample {
    let game = |(number, story): (usize, Option<Story>)| {
        story.map(|story| LaneGame {
            title: format!("game {}", 57 + number),
            story,
        })
    };
    let ended = |number| {
        format!("game {number}: good sank the whole fleet of Popeye the Sailor, 43 attacks")
    };
    Sample {
        score: "good 34 - 20 Popeye the Sailor".to_owned(),
        interval: "score 63.0% (49.6 to 74.6%)".to_owned(),
        pace: ", 12 games/s, 4 seconds left".to_owned(),
        done: 54,
        planned: 100,
        lanes: lanes.into_iter().enumerate().map(game).collect(),
        finished: (48..=56).map(ended).collect(),
    }
}

fn watching(lanes: Vec<Option<Story>>) -> Watching {
    let mut watching = Watching::new("Nothing is recorded, so it cannot be continued.");
    watching.hear(sample(lanes));
    watching
}

fn shown(watching: &Watching, look: Look, width: u16, height: u16) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| draw(watching, look, frame.buffer_mut()))
        .unwrap();
    terminal.backend().clone()
}

#[test]
fn two_lanes_stand_side_by_side() {
    let watching = watching(vec![Some(classic_story()), Some(classic_story())]);
    assert_snapshot!(shown(&watching, Look::default(), 80, 24));
}

#[test]
fn lanes_that_have_no_room_are_named() {
    let mut lanes = vec![Some(classic_story()); 8];
    lanes[1] = None;
    assert_snapshot!(shown(&watching(lanes), PLAIN, 80, 24));
}

#[test]
fn a_larger_terminal_has_room_for_more_lanes() {
    let lanes = vec![Some(classic_story()); 8];
    assert_snapshot!(shown(&watching(lanes), Look::default(), 120, 40));
}

#[test]
fn three_twist_games_have_room() {
    let lanes = vec![Some(twist_story()); 3];
    assert_snapshot!(shown(&watching(lanes), PLAIN, 80, 24));
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let mut watching = watching(Vec::new());
    assert_snapshot!(shown(&watching, PLAIN, 60, 10));
    watching.press(Input::Typed('q'));
    let asked = shown(&watching, PLAIN, 60, 10).to_string();
    assert!(asked.contains("y stop   any other key"));
}

#[test]
fn q_asks_before_the_contest_stops() {
    let mut watching = watching(vec![Some(classic_story())]);
    assert_eq!(watching.press(Input::Typed('y')), Then::Stay);
    assert_eq!(watching.press(Input::Typed('q')), Then::Stay);
    assert_snapshot!(shown(&watching, PLAIN, 80, 24));
    assert_eq!(watching.press(Input::Typed('n')), Then::Stay);
    assert!(watching.notice().is_none());
    assert_eq!(watching.press(Input::Escape), Then::Stay);
    assert_eq!(watching.press(Input::Typed('y')), Then::Leave);
}

#[test]
fn space_freezes_the_picture_and_continues_it() {
    let mut watching = watching(Vec::new());
    watching.press(Input::Typed(' '));
    assert!(watching.is_frozen());
    assert!(
        shown(&watching, PLAIN, 80, 24)
            .to_string()
            .contains("The picture is frozen")
    );
    watching.press(Input::Typed(' '));
    assert!(!watching.is_frozen());
}

#[test]
fn a_question_mark_shows_the_keys() {
    let mut watching = watching(vec![Some(classic_story())]);
    watching.press(Input::Typed('?'));
    assert_snapshot!(shown(&watching, PLAIN, 80, 24));
    watching.press(Input::Typed(' '));
    assert!(watching.notice().is_none() && !watching.is_frozen());
}

/// Names and reasons are text of bots: they may be long, and try to write elsewhere.
#[test]
fn text_of_bots_stays_in_its_place() {
    let mut story = classic_story();
    story.names.one = "\x1b[2J\u{202e}evil".repeat(40);
    story.hear(News::Ended(End {
        winner: Some(Side::One),
        why: "\x1b[31m".repeat(50),
    }));
    let mut watching = watching(vec![Some(story)]);
    let mut sample = sample(Vec::new());
    sample.score = "very long names ".repeat(20);
    sample.finished = vec!["\x1b]0;title\x07 \u{200f}reason\n".repeat(30)];
    sample.lanes = watching.sample().lanes.clone();
    watching.hear(sample);
    assert_snapshot!(shown(&watching, PLAIN, 80, 24));
}

#[test]
fn no_size_of_a_terminal_fails() {
    let rules = Rules::classic(Game::new(1, 5).unwrap());
    let small = Story::new(rules, names(), Side::One);
    let mut watching = watching(vec![Some(classic_story()), None, Some(small)]);
    watching.press(Input::Typed('q'));
    for (width, height) in [
        (1, 1),
        (79, 24),
        (80, 23),
        (80, 24),
        (300, 100),
        (80, 200),
        (400, 24),
    ] {
        shown(&watching, Look::default(), width, height);
    }
}
