//! What is said of a turn, to one who sees everything and to both players.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::protocol::Order;
use battleship::scene::Viewer;
use battleship::{BySide, Point, Rules, Ruleset, Side, Turn, in_words};

/// Checks what is said of a turn of Ada's against a player who is called as a cell.
fn check(rules: &Rules, turn: &Turn, [judge, own, other]: [&str; 3]) {
    let names = BySide::new("Ada".to_owned(), "Bob (0,0)".to_owned());
    for (viewer, words) in [
        (Viewer::Judge, judge),
        (Viewer::Player(Side::One), own),
        (Viewer::Player(Side::Two), other),
    ] {
        let parts = turn.sentence(Side::One, viewer);
        assert_eq!(in_words(&parts, &names, viewer, &rules.describe()), words);
    }
}

#[test]
fn an_attack_is_told_to_everyone() {
    for (result, words) in [
        (
            "miss",
            [
                "Ada missed at (3,4).",
                "You missed at (3,4).",
                "Ada missed at (3,4).",
            ],
        ),
        (
            "sunk 2",
            [
                "Ada sank Bob (0,0)'s destroyer at (3,4).",
                "You sank Bob (0,0)'s destroyer at (3,4).",
                "Ada sank your destroyer at (3,4).",
            ],
        ),
    ] {
        let turn = Turn::Attack {
            at: Point::new(3, 4),
            result: result.parse().unwrap(),
        };
        check(&Rules::usual(Ruleset::Salvo), &turn, words);
    }
}

#[test]
fn an_opponent_hears_of_shots_alone() {
    for (result, words) in [
        (
            "hit",
            [
                "Ada fired from C3 at N12: a hit.",
                "You fired from C3 at N12: a hit.",
                "Ada fired at N12: a hit.",
            ],
        ),
        (
            "repaired 0 4",
            [
                "Ada moved a support ship from C3 to N12; it repaired 2 units.",
                "You moved a support ship from C3 to N12; it repaired 2 units.",
                "Ada did not fire.",
            ],
        ),
        (
            "found 3 4 y",
            [
                "Ada moved a submarine from C3 to N12; it found a cell of a unit.",
                "You moved a submarine from C3 to N12; it found a cell of a unit.",
                "Ada did not fire.",
            ],
        ),
        (
            "refused no room",
            [
                "Ada lost a turn: no room (an order from C3 to N12).",
                "You lost a turn: no room (an order from C3 to N12).",
                "Ada did not fire.",
            ],
        ),
    ] {
        let turn = Turn::Order {
            order: Order::new(Point::new(2, 2), Point::new(11, 11)),
            result: result.parse().unwrap(),
        };
        check(&Rules::Twist, &turn, words);
    }
}
