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
    Rules::Classic(battleship::Game::standard())
}

fn type_in(table: &mut Sitting, text: &str) {
    for c in text.chars() {
        table.press(if c == '\n' {
            Input::Enter
        } else {
            Input::Typed(c)
        });
    }
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
fn a_whole_fleet_is_placed_by_typing_and_confirmed() {
    let mut table = placing(standard());
    type_in(&mut table, "A0\n1 0\n(2,0)\nD0\n40\n");
    assert!(
        table.answers().is_empty(),
        "the person has not confirmed it"
    );
    table.press(Input::Enter);
    let expected = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";
    assert_eq!(table.answers()[0].1.to_string(), expected);
}

#[test]
fn what_is_typed_ahead_is_played_when_it_is_asked_for() {
    let mut table = Sitting::new(classic_story(), people(true, false));
    type_in(&mut table, "A9\nB9\n");
    assert!(table.answers().is_empty());
    table.hear(News::Asked(Side::One, Question::Turn));
    assert_eq!(
        table.answers(),
        [(Side::One, Reply::Attack(Point::new(0, 9)))]
    );
    table.hear(News::Asked(Side::One, Question::Turn));
    assert_eq!(
        table.answers(),
        [(Side::One, Reply::Attack(Point::new(1, 9)))]
    );
    table.hear(News::Asked(Side::One, Question::Turn));
    assert!(table.answers().is_empty());
}

#[test]
fn the_mouse_attacks_and_gives_orders() {
    let mut table = asked(classic_story(), Question::Turn);
    table.press(Input::Click(1, (4, 4)));
    assert!(table.answers().is_empty(), "that is the own board");
    table.press(Input::Click(0, (4, 4)));
    assert_eq!(
        table.answers(),
        [(Side::One, Reply::Attack(Point::new(4, 4)))]
    );
    let mut table = asked(twist_story(), Question::Turn);
    table.press(Input::Click(1, (0, 2)));
    table.press(Input::Click(0, (5, 6)));
    assert_eq!(table.answers()[0].1.to_string(), "act 0 2 5 6");
}

#[test]
fn an_attack_that_would_be_wasted_is_asked_again() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "9 4\n");
    assert!(table.answers().is_empty());
    let mistake = "You have attacked (9,4) before; choose another cell.";
    assert_eq!(table.picture().mistake.as_deref(), Some(mistake));
    type_in(&mut table, "99 4\n");
    assert!(
        table
            .picture()
            .mistake
            .unwrap()
            .starts_with("\"99 4\" is not a cell; type one")
    );
}

/// Keys that fit no cell were left out once, and the rest was attacked.
#[test]
fn what_is_typed_is_taken_as_a_whole_or_not_at_all() {
    let mut table = asked(classic_story(), Question::Turn);
    for typed in ["Z99", "K55", "-1 3", "1.5", "B7x"] {
        type_in(&mut table, &format!("{typed}\n"));
        assert!(table.answers().is_empty(), "{typed}");
        let mistake = format!("\"{typed}\" is not a cell; type one as B7 or 1 7.");
        assert_eq!(table.picture().mistake, Some(mistake));
    }
    let mut table = asked(twist_story(), Question::Turn);
    type_in(&mut table, "J5\n");
    let mistake = "\"J5\" is not a cell; type one as B7, or two for an order, as C3 A1 (rows A to I and L to N).";
    assert_eq!(table.picture().mistake.as_deref(), Some(mistake));
}

#[test]
fn an_order_that_the_rules_refuse_is_asked_again() {
    let mut table = asked(twist_story(), Question::Turn);
    type_in(&mut table, "N9 A1\n");
    assert_eq!(
        table.picture().mistake.unwrap(),
        "That is not possible: there is no unit at N9."
    );
    type_in(&mut table, "M12\n");
    assert_eq!(
        table.picture().mistake.unwrap(),
        "None of your units is at M12."
    );
    type_in(&mut table, "A3 N12\n");
    assert_eq!(table.answers()[0].1.to_string(), "act 0 2 11 11");
}

#[test]
fn giving_up_is_asked_for_and_can_be_done_at_any_time() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "qnqy");
    assert_eq!(table.answers(), [(Side::One, Reply::Resign)]);
    let mut table = Sitting::new(classic_story(), people(true, false));
    type_in(&mut table, "qy");
    assert!(table.answers().is_empty(), "nothing has been asked");
    table.hear(News::Asked(Side::One, Question::Turn));
    assert_eq!(table.answers(), [(Side::One, Reply::Resign)]);
}

#[test]
fn a_tip_is_what_good_would_attack() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "t");
    assert_eq!(
        table.picture().asked,
        "good would attack (4,4): 31% likely to hit."
    );
    assert_eq!(table.picture().grids[0].aim, Some((4, 4)));
    table.press(Input::Left);
    assert_eq!(table.picture().asked, "Your attack: (4,3)");
    // Good knows nothing of the twist game.
    let mut table = asked(twist_story(), Question::Turn);
    type_in(&mut table, "t");
    assert_eq!(table.tip, None);
}

#[test]
fn after_the_end_another_game_can_be_chosen() {
    let ended = || {
        let mut table = Sitting::new(classic_story(), people(true, false));
        table.hear(lost());
        table
    };
    let leave = |next| Then::Leave(Left::For(next));
    assert_eq!(ended().press(Input::Typed('r')), leave(Next::Rematch));
    let mut table = ended();
    for key in [
        Input::Typed('o'),
        Input::Typed('3'),
        Input::Typed('2'),
        Input::Typed('o'),
    ] {
        assert_eq!(table.press(key), Then::Stay);
    }
    assert_eq!(table.press(Input::Escape), Then::Stay);
    table.press(Input::Typed('o'));
    assert_eq!(table.press(Input::Typed('2')), leave(Next::Opponent(1)));
    let mut alone = ended();
    alone.series.opponents.clear();
    alone.press(Input::Typed('o'));
    assert!(!alone.chooses);
}

#[test]
fn the_end_can_be_looked_back_from() {
    let mut table = asked(classic_story(), Question::Turn);
    table.hear(lost());
    for key in [Input::Home, Input::Right, Input::Left, Input::End] {
        assert_eq!(table.press(key), Then::Stay);
    }
    assert_eq!(table.press(Input::Enter), Then::Leave(Left::Willingly));
}

/// The table of a classic game between two people, both of whom have placed their ships, before the first attack.
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

fn winner_if_given_up(table: &Sitting) -> String {
    table.picture().notice.unwrap().lines[0].clone()
}

#[test]
fn of_two_people_the_one_who_is_asked_gives_up() {
    let mut table = two_people();
    // The board of the one before, and then none.
    type_in(&mut table, "\n");
    type_in(&mut table, "q");
    assert_eq!(winner_if_given_up(&table), "good wins then.");
    type_in(&mut table, "n\n");
    type_in(&mut table, "1 1\n");
    assert_eq!(table.answers().len(), 1);
    // The other is asked while Ada still sits here: it is not hers to give up.
    table.hear(News::Asked(Side::Two, Question::Turn));
    type_in(&mut table, "qy");
    assert_eq!(table.answers(), []);
    type_in(&mut table, "\nq");
    assert_eq!(winner_if_given_up(&table), "Ada wins then.");
    type_in(&mut table, "y");
    assert_eq!(table.answers(), [(Side::Two, Reply::Resign)]);
}

#[test]
fn who_gives_up_before_the_next_question_is_not_the_other() {
    let mut table = two_people();
    type_in(&mut table, "\n\n1 1\nqy");
    table.hear(News::Asked(Side::Two, Question::Turn));
    type_in(&mut table, "\n\n2 2\n");
    let answers = table.answers();
    assert_eq!(
        answers.last(),
        Some(&(Side::Two, Reply::Attack(Point::new(2, 2))))
    );
    table.hear(News::Asked(Side::One, Question::Turn));
    assert_eq!(table.answers(), [(Side::One, Reply::Resign)]);
}

#[test]
fn an_aim_that_is_moved_takes_the_place_of_what_is_typed() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "B7");
    // A hand brushes the mouse.
    table.press(Input::Over(0, (9, 9)));
    table.press(Input::Down);
    type_in(&mut table, "\n");
    assert_eq!(
        table.answers(),
        [(Side::One, Reply::Attack(Point::new(2, 7)))]
    );
}

#[test]
fn the_mouse_does_not_hide_what_is_wrong() {
    let mut table = asked(classic_story(), Question::Turn);
    type_in(&mut table, "J\n");
    let mistake = table.picture().mistake;
    assert!(mistake.is_some());
    table.press(Input::Over(0, (3, 3)));
    assert_eq!(table.picture().mistake, mistake);
}

#[test]
fn keys_typed_ahead_count_when_the_question_to_give_up_is_answered() {
    let mut story = classic_story();
    story.to_move = Some(Side::Two);
    let mut table = Sitting::new(story, people(true, false));
    type_in(&mut table, "1 7\nq");
    table.hear(News::Asked(Side::One, Question::Turn));
    assert_eq!(table.answers(), []);
    type_in(&mut table, "n");
    assert_eq!(
        table.answers(),
        [(Side::One, Reply::Attack(Point::new(1, 7)))]
    );
}

#[test]
fn who_has_placed_its_ships_sees_them_while_the_other_places() {
    let mut table = placing(standard());
    type_in(&mut table, "r\n");
    let picture = table.picture();
    assert_eq!(picture.headline, "place your ships");
    let ships = picture.grids[1]
        .signs
        .iter()
        .filter(|sign| matches!(sign, Sign::Ship(_)));
    assert_eq!(ships.count(), 17);
}
