use std::time::Duration;

use battleship::protocol::Reply;
use battleship::{BySide, Point, Rules, Side};

use super::People;
use super::table::{Sitting, Then};
use crate::input::Input;
use crate::look::Sign;
use crate::story::{Advice, News, Next, Question, Series, Story};
use crate::testing::{DARK, assert_screens, classic_story, lost, names, screenshot, twist_story};
use crate::watch::Left;

fn people(one: bool, two: bool) -> People {
    let advice = Advice {
        attack: |_, _| Some((Point::new(4, 4), 0.314)),
        needed: |_, _| Some(39),
    };
    let opponents = vec!["awful".to_owned(), "good".to_owned()];
    let series = Series {
        advice: Some(advice),
        score: BySide::new(1, 1),
        opponents,
    };
    People {
        here: BySide::new(one, two),
        limit: None,
        seed: 1,
        series,
    }
}

/// A table at which Ada plays, and is asked that.
fn asked(story: Story, question: Question) -> Sitting {
    let mut table = Sitting::new(story, people(true, false));
    table.hear(News::Asked(Side::One, question));
    table
}

fn placing(rules: Rules) -> Sitting {
    asked(Story::new(rules, names(), Side::One), Question::Place)
}

fn standard() -> Rules {
    Rules::classic(battleship::Game::standard())
}

/// Types these letters; a line feed is enter.
fn type_in(table: &mut Sitting, text: &str) {
    for c in text.chars() {
        table.press(if c == '\n' {
            Input::Enter
        } else {
            Input::Typed(c)
        });
    }
}

/// Types, then asks this player for a turn, if any; returns what the people have answered, each
/// with its player's number.
fn said(table: &mut Sitting, text: &str, asked: Option<Side>) -> String {
    type_in(table, text);
    if let Some(side) = asked {
        table.hear(News::Asked(side, Question::Turn));
    }
    let answers = table.answers().into_iter();
    let answers = answers.map(|(side, reply)| format!("{} {reply}", side.index() + 1));
    answers.collect::<Vec<_>>().join(", ")
}

fn mistake(table: &Sitting) -> String {
    table.picture().mistake.unwrap_or_default()
}

#[test]
fn screens_of_placing() {
    let mut table = placing(standard());
    type_in(&mut table, "B1\n v");
    table.press(Input::Right);
    assert_screens!("placing", table.picture());
    type_in(&mut table, "1 3\n");
    assert_screens!("placing_where_a_ship_is", table.picture());
    let mut table = placing(Rules::Twist);
    type_in(&mut table, "A1\nC3\n vE5");
    assert_screens!("placing_units", table.picture());
    type_in(&mut table, "\u{8}");
    table.press(Input::Escape);
    table.press(Input::Typed('r'));
    assert_screens!("units_placed", table.picture());
}

#[test]
fn screens_of_the_classic_game() {
    let mut table = asked(classic_story(), Question::Turn);
    assert_screens!("aiming", table.picture());
    type_in(&mut table, "J9");
    assert_screens!("typing_an_attack", table.picture());
    type_in(&mut table, "?");
    assert_screens!("keys", table.picture());
    type_in(&mut table, "?q");
    assert_screens!("giving_up", table.picture());
    let mut table = Sitting::new(classic_story(), people(false, true));
    table.look_at_clock(Duration::from_millis(1_234));
    assert_screens!("waiting", table.picture());
    table.hear(lost());
    assert_screens!("the_end", table.picture());
    type_in(&mut table, "?");
    assert_screens!("keys_at_the_end", table.picture());
    type_in(&mut table, "?o");
    assert_screens!("opponents", table.picture());
}

#[test]
fn screens_of_the_twist_game() {
    let mut table = asked(twist_story(), Question::Turn);
    assert_screens!("choosing_a_unit", table.picture());
    table.press(Input::Enter);
    type_in(&mut table, "A2");
    assert_screens!("firing", table.picture());
    table.press(Input::Escape);
    for _ in 0..3 {
        table.press(Input::Tab);
    }
    table.press(Input::Enter);
    table.press(Input::Down);
    assert_screens!("repairing", table.picture());
    for _ in 0..4 {
        table.press(Input::Tab);
    }
    table.press(Input::Enter);
    type_in(&mut table, "G8");
    assert_screens!("searching", table.picture());
    table.hear(lost());
    assert_screens!("the_end_of_units", table.picture());
}

#[test]
fn screens_of_two_people() {
    let mut table = Sitting::new(classic_story(), people(true, true));
    table.hear(News::Asked(Side::Two, Question::Turn));
    assert_screens!("before_passing", table.picture());
    table.press(Input::Enter);
    assert_screens!("hidden", table.picture());
    table.press(Input::Typed('?'));
    let shown = screenshot(&table.picture(), (80, 24), DARK);
    assert!(!shown.contains(" A "), "a board is to be seen: {shown}");
}

#[test]
fn a_whole_fleet_is_placed_by_typing() {
    let mut table = placing(standard());
    let placed = said(&mut table, "A0\n1 0\n(2,0)\nD0\n40\n", None);
    assert_eq!(placed, "", "the person has not confirmed it");
    let placed = said(&mut table, "\n", None);
    assert_eq!(placed, "1 place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h");
}

/// What a person, who has not been asked yet or has, types; whether the next question is asked
/// then; and the answer.
#[test]
fn keys_are_answers_when_they_are_asked_for() {
    let me = Some(Side::One);
    for (is_asked, steps) in [
        // What is typed ahead is played.
        (
            false,
            &[
                ("A9\nB9\n", None, ""),
                ("", me, "1 attack 0 9"),
                ("", me, "1 attack 1 9"),
                ("", me, ""),
            ][..],
        ),
        // Giving up is asked for and can be done at any time.
        (true, &[("qnqy", None, "1 resign")]),
        (false, &[("qy", None, ""), ("", me, "1 resign")]),
        // Keys typed ahead count when the question to give up is answered.
        (false, &[("1 7\nq", me, ""), ("n", None, "1 attack 1 7")]),
    ] {
        let mut table = if is_asked {
            asked(classic_story(), Question::Turn)
        } else {
            Sitting::new(classic_story(), people(true, false))
        };
        for (typed, asked, answer) in steps {
            assert_eq!(said(&mut table, typed, *asked), *answer, "{typed:?}");
        }
    }
}

#[test]
fn the_mouse_attacks_and_gives_orders() {
    let mut table = asked(classic_story(), Question::Turn);
    table.press(Input::Click(1, (4, 4)));
    assert_eq!(said(&mut table, "", None), "", "that is the own board");
    table.press(Input::Click(0, (4, 4)));
    assert_eq!(said(&mut table, "", None), "1 attack 4 4");
    let mut table = asked(twist_story(), Question::Turn);
    table.press(Input::Click(1, (0, 2)));
    table.press(Input::Click(0, (5, 6)));
    assert_eq!(said(&mut table, "", None), "1 act 0 2 5 6");
}

/// Keys that fit no cell were left out once, and the rest was attacked.
#[test]
fn what_cannot_be_played_is_asked_again() {
    let not_a_cell = |typed: &str| format!("\"{typed}\" is not a cell; type one as B7 or 1 7.");
    let before = "You have attacked (9,4) before; choose another cell.".to_owned();
    let mut rows = vec![(classic_story(), "9 4", before)];
    for typed in ["99 4", "Z99", "K55", "-1 3", "1.5", "B7x"] {
        rows.push((classic_story(), typed, not_a_cell(typed)));
    }
    for (typed, words) in [
        (
            "J5",
            "\"J5\" is not a cell; type one as B7, or two for an order, as C3 A1 (rows A to I and L to N).",
        ),
        ("N9 A1", "That is not possible: there is no unit at N9."),
        ("M12", "None of your units is at M12."),
    ] {
        rows.push((twist_story(), typed, words.to_owned()));
    }
    for (story, typed, words) in rows {
        let right = if story.rules == Rules::Twist {
            "A3 N12\n"
        } else {
            "A9\n"
        };
        let mut table = asked(story, Question::Turn);
        assert_eq!(said(&mut table, &format!("{typed}\n"), None), "", "{typed}");
        assert_eq!(mistake(&table), words);
        assert!(said(&mut table, right, None).starts_with("1 a"));
    }
}

#[test]
fn a_tip_is_what_good_would_attack() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "t");
    let picture = table.picture();
    assert_eq!(picture.asked, "good would attack (4,4): 31% likely to hit.");
    assert_eq!(picture.grids[0].aim, Some((4, 4)));
    table.press(Input::Left);
    assert_eq!(table.picture().asked, "Your attack: (4,3)");
    // Good knows nothing of the twist game.
    let mut table = asked(twist_story(), Question::Turn);
    type_in(&mut table, "t");
    assert_eq!(table.tip, None);
}

#[test]
fn after_the_end_another_game_can_be_chosen() {
    let leave = Then::Leave;
    for (keys, last) in [
        ("r", leave(Left::For(Next::Rematch))),
        ("o2", leave(Left::For(Next::Opponent(1)))),
        // There is no third, and the list is closed again.
        ("o32o", Then::Stay),
        ("\n", leave(Left::Willingly)),
    ] {
        let mut table = Sitting::new(classic_story(), people(true, false));
        table.hear(lost());
        // The end can be looked back from.
        for key in [Input::Home, Input::Right, Input::Left, Input::End] {
            assert_eq!(table.press(key), Then::Stay);
        }
        let press = |c| {
            table.press(if c == '\n' {
                Input::Enter
            } else {
                Input::Typed(c)
            })
        };
        let pressed: Vec<Then> = keys.chars().map(press).collect();
        let (found, before) = pressed.split_last().unwrap();
        assert!(before.iter().all(|then| *then == Then::Stay), "{keys}");
        assert_eq!(*found, last, "{keys}");
    }
    let mut alone = Sitting::new(classic_story(), people(true, false));
    alone.hear(lost());
    alone.series.opponents.clear();
    type_in(&mut alone, "o");
    assert!(!alone.chooses);
}

/// The table of a classic game between two people, both of whom have placed their ships, before the
/// first attack.
fn two_people() -> Sitting {
    let story = Story::new(standard(), names(), Side::One);
    let mut table = Sitting::new(story, people(true, true));
    for side in Side::BOTH {
        table.hear(News::Asked(side, Question::Place));
        type_in(&mut table, "\n\nr\n");
    }
    let fleets = table.answers().into_iter().map(|(_, reply)| {
        let Reply::Place(fleet) = reply else {
            panic!("{reply:?}")
        };
        fleet
    });
    let [one, two] = fleets.collect::<Vec<_>>().try_into().unwrap();
    table.hear(News::Placed(BySide::new(one, two)));
    table.hear(News::Asked(Side::One, Question::Turn));
    table
}

#[test]
fn of_two_people_the_asked_one_gives_up() {
    let winner = |table: &Sitting| table.picture().notice.unwrap().lines[0].clone();
    let mut table = two_people();
    // The board of the one before, and then none.
    type_in(&mut table, "\nq");
    assert_eq!(winner(&table), "good wins then.");
    assert_eq!(said(&mut table, "n\n1 1\n", None), "1 attack 1 1");
    // The other is asked while Ada still sits here: it is not hers to give up.
    table.hear(News::Asked(Side::Two, Question::Turn));
    assert_eq!(said(&mut table, "qy", None), "");
    type_in(&mut table, "\nq");
    assert_eq!(winner(&table), "Ada wins then.");
    assert_eq!(said(&mut table, "y", None), "2 resign");
}

#[test]
fn who_gives_up_early_is_not_the_other() {
    let mut table = two_people();
    let first = said(&mut table, "\n\n1 1\nqy", Some(Side::Two));
    assert_eq!(first, "1 attack 1 1");
    let second = said(&mut table, "\n\n2 2\n", Some(Side::One));
    assert_eq!(second, "2 attack 2 2, 1 resign");
}

#[test]
fn an_aim_replaces_what_is_typed() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "B7");
    // A hand brushes the mouse.
    table.press(Input::Over(0, (9, 9)));
    table.press(Input::Down);
    assert_eq!(said(&mut table, "\n", None), "1 attack 2 7");
}

#[test]
fn the_mouse_does_not_hide_what_is_wrong() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "J\n");
    let wrong = mistake(&table);
    assert!(!wrong.is_empty());
    table.press(Input::Over(0, (3, 3)));
    assert_eq!(mistake(&table), wrong);
}

#[test]
fn placed_ships_are_seen_while_the_other_places() {
    let mut table = placing(standard());
    type_in(&mut table, "r\n");
    let picture = table.picture();
    assert_eq!(picture.headline, "place your ships");
    let signs = picture.grids[1].signs.iter();
    assert_eq!(
        signs.filter(|sign| matches!(sign, Sign::Ship(_))).count(),
        17
    );
}
