//! The pictures and keys of people who watch a contest.

use std::time::Duration;

use battleship::{
    AttackResult, BySide, Direction, Game, Placement, PlayedTurn, Point, Rules, Side, Turn,
};
use insta::assert_snapshot;
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;

use super::draw::draw;
use super::state::{Then, Watching};
use super::{LaneGame, Sample};
use crate::input::Input;
use crate::look::Look;
use crate::story::{End, News, Story};

fn names() -> BySide<String> {
    BySide {
        one: "good".to_owned(),
        two: "Popeye the Sailor".to_owned(),
    }
}

/// A game on a board of this size in which these attacks were made in turn.
fn classic(rows: i32, cols: i32, attacks: &[(i32, i32, AttackResult)]) -> Story {
    let mut game = Game::new(rows, cols).unwrap();
    game.add_ship(3, 'S', "submarine").unwrap();
    game.add_ship(2, 'P', "patrol boat").unwrap();
    let mut story = Story::new(Rules::Classic(game), names(), Side::One);
    let fleet = vec![
        Placement {
            top_or_left: Point::new(1, 1),
            direction: Direction::Horizontal,
        },
        Placement {
            top_or_left: Point::new(3, 0),
            direction: Direction::Vertical,
        },
    ];
    story.hear(News::Placed(BySide {
        one: fleet.clone(),
        two: fleet,
    }));
    for (number, (row, col, result)) in attacks.iter().enumerate() {
        let turn = Turn::Attack {
            at: Point::new(*row, *col),
            result: *result,
        };
        let mover = Side::BOTH[number % 2];
        story.hear(News::Played(PlayedTurn::new(
            mover,
            turn,
            Duration::from_millis(1),
        )));
    }
    story.hear(News::Turn(Side::BOTH[attacks.len() % 2]));
    story
}

fn some_attacks() -> Story {
    use AttackResult::{Hit, Miss, Sunk};
    let attacks = [(3, 0, Hit), (0, 0, Miss), (4, 0, Sunk(1)), (1, 2, Hit)];
    classic(10, 10, &attacks)
}

fn twist() -> Story {
    let mut story = Story::new(Rules::Twist, names(), Side::One);
    let placement = |row, col, direction| Placement {
        top_or_left: Point::new(row, col),
        direction,
    };
    let mut fleet = Vec::new();
    for (number, length) in [5, 5, 5, 3, 3, 3, 1, 1].into_iter().enumerate() {
        let row = i32::try_from(number).unwrap();
        fleet.push(placement(row, length / 2, Direction::Horizontal));
    }
    story.hear(News::Placed(BySide {
        one: fleet.clone(),
        two: fleet,
    }));
    story
}

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

fn plain() -> Look {
    crate::testing::PLAIN
}

#[test]
fn two_lanes_stand_side_by_side() {
    let watching = watching(vec![Some(some_attacks()), Some(some_attacks())]);
    assert_snapshot!(shown(&watching, Look::default(), 80, 24));
}

#[test]
fn lanes_that_have_no_room_are_named() {
    let mut lanes = vec![Some(some_attacks()); 8];
    lanes[1] = None;
    assert_snapshot!(shown(&watching(lanes), plain(), 80, 24));
}

#[test]
fn a_larger_terminal_has_room_for_more_lanes() {
    let lanes = vec![Some(some_attacks()); 8];
    assert_snapshot!(shown(&watching(lanes), Look::default(), 120, 40));
}

#[test]
fn three_twist_games_have_room() {
    let story = twist();
    let fleets = story.fleets.as_ref().unwrap();
    assert!(battleship::protocol::fleet_of(&fleets.one).is_ok());
    assert_snapshot!(shown(&watching(vec![Some(story); 3]), plain(), 80, 24));
}

#[test]
fn a_terminal_that_is_too_small_says_so_while_the_games_continue() {
    assert_snapshot!(shown(&watching(Vec::new()), plain(), 60, 10));
}

#[test]
fn in_a_terminal_that_is_too_small_q_asks_too() {
    let mut watching = watching(Vec::new());
    watching.press(Input::Typed('q'));
    assert!(
        shown(&watching, plain(), 60, 10)
            .to_string()
            .contains("y stop   any other key")
    );
}

#[test]
fn q_asks_before_the_contest_stops() {
    let mut watching = watching(vec![Some(some_attacks())]);
    assert_eq!(watching.press(Input::Typed('y')), Then::Stay);
    assert_eq!(watching.press(Input::Typed('q')), Then::Stay);
    assert_snapshot!(shown(&watching, plain(), 80, 24));
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
        shown(&watching, plain(), 80, 24)
            .to_string()
            .contains("The picture is frozen")
    );
    watching.press(Input::Typed(' '));
    assert!(!watching.is_frozen());
}

#[test]
fn a_question_mark_shows_the_keys() {
    let mut watching = watching(vec![Some(some_attacks())]);
    watching.press(Input::Typed('?'));
    assert_snapshot!(shown(&watching, plain(), 80, 24));
    watching.press(Input::Typed(' '));
    assert!(watching.notice().is_none() && !watching.is_frozen());
}

/// Names and reasons are text of bots: they may be long, and try to write elsewhere.
#[test]
fn text_of_bots_stays_in_its_place() {
    let mut story = some_attacks();
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
    assert_snapshot!(shown(&watching, plain(), 80, 24));
}

#[test]
fn no_size_of_a_terminal_fails() {
    let mut watching = watching(vec![Some(some_attacks()), None, Some(classic(1, 5, &[]))]);
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
