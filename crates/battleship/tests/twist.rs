//! The twist: its drawings, every refusal of its rules, what its actions do, and what its quirks
//! change.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::collections::BTreeSet;

use battleship::drawing::fleet_drawn;
use battleship::protocol::{Order, OrderResult};
use battleship::twist::{
    Cell, CellSet, Fleet, OriginalQuirks, State, Unit, UnitId, View, placed_between, show,
    show_headed, two_cells,
};
use battleship::{Direction, Placement, Point, Rules, Ruleset, Side};

fn at(cell: &str) -> Cell {
    cell.parse().unwrap()
}

fn order(text: &str) -> Order {
    let (origin, target) = two_cells(text).unwrap();
    Order::new(origin, target)
}

fn cells(names: &str) -> CellSet {
    names.split_whitespace().map(at).collect()
}

/// Everything at the left, horizontal except for the last support ship.
const FLEET: &str = concat!(
    "  1  2  3  4  5  6  7  8  9  10 11 12\n",
    "A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\n",
    "B ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  B\n",
    "C C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  C\n",
    "D ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  D\n",
    "E C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  E\n",
    "F ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  F\n",
    "G S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  G\n",
    "H ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  H\n",
    "I S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  I\n",
    "L ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  L\n",
    "M ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  M\n",
    "N E  ~  E  ~  ~  S  ~  ~  ~  ~  ~  ~  N\n",
    "  1  2  3  4  5  6  7  8  9  10 11 12\n",
);

fn fleet() -> Fleet {
    let placements = fleet_drawn(FLEET, &Rules::usual(Ruleset::Twist).describe()).unwrap();
    Fleet::new(&placements).unwrap()
}

fn game(quirks: OriginalQuirks) -> State {
    State::new([fleet(), fleet()], Side::One, quirks)
}

/// Takes these turns, one player after the other.
fn play(game: &mut State, orders: &[&str]) {
    for text in orders {
        game.act(order(text)).unwrap();
    }
}

const STANDARD: OriginalQuirks = OriginalQuirks {
    self_repair: false,
    diagonal_sonar: false,
    any_origin: false,
    starter_ignored: false,
};

#[test]
fn both_grids_are_drawn_as_originally() {
    let mut game = game(STANDARD);
    play(&mut game, &["A3 C2", "C3 E5", "A3 B12", "N1 H4"]);
    let grids = concat!(
        "  1  2  3  4  5  6  7  8  9  10 11 12\t  1  2  3  4  5  6  7  8  9  10 11 12\n",
        "A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\tA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A\n",
        "B ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  B\tB ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  B\n",
        "C C  c  C  C  C  ~  ~  ~  ~  ~  ~  ~  C\tC ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  C\n",
        "D ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  D\tD ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  D\n",
        "E C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  E\tE ~  ~  ~  ~  X  ~  ~  ~  ~  ~  ~  ~  E\n",
        "F ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  F\tF ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  F\n",
        "G S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  G\tG ~  Y  Y  ~  ~  ~  ~  ~  ~  ~  ~  ~  G\n",
        "H ~  ~  ~  E  ~  ~  ~  ~  ~  ~  ~  ~  H\tH ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  H\n",
        "I S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  I\tI ~  Y  Y  ~  ~  ~  ~  ~  ~  ~  ~  ~  I\n",
        "L ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  L\tL ~  ~  ~  ~  ~  Y  ~  ~  ~  ~  ~  ~  L\n",
        "M ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  M\tM ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  M\n",
        "N ~  ~  E  ~  ~  S  ~  ~  ~  ~  ~  ~  N\tN ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  N\n",
        "  1  2  3  4  5  6  7  8  9  10 11 12\t  1  2  3  4  5  6  7  8  9  10 11 12\n",
    );
    let view = game.view(Side::Two);
    assert_eq!(show(view), grids);
    let heading = concat!(
        "                                    Player 2\n",
        "             Defence board                           Attack board\n",
    );
    assert_eq!(show_headed(view, Side::Two), heading.to_owned() + grids);
    assert_eq!(format!("{:?}", fleet()), format!("\n{FLEET}"));
    let marks = grids.lines().map(|line| line.split('\t').nth(1).unwrap());
    let drawn = format!("{:?}", view.marks());
    assert!(drawn.lines().skip(1).eq(marks), "{drawn}");
}

#[test]
fn a_bad_drawing_of_units_is_refused() {
    let touching = FLEET.replace("B ~  ~", "B C  ~");
    let error = fleet_drawn(&touching, &Rules::usual(Ruleset::Twist).describe()).unwrap_err();
    let why = "the cells of 'C' are not one straight line of 5, see (1,1)";
    assert_eq!(error.to_string(), why);
}

#[test]
fn units_below_each_other_are_read() {
    let mut lines: Vec<&str> = FLEET.lines().collect();
    lines.swap(2, 3);
    let game = Rules::usual(Ruleset::Twist).describe();
    let fleet = fleet_drawn(&lines.join("\n"), &game).unwrap();
    for (row, unit) in (0..).zip(&fleet[..2]) {
        assert_eq!(unit.top_or_left, Point::new(row, 0));
        assert_eq!(unit.direction, Direction::Horizontal);
    }
}

#[test]
fn ends_that_are_not_a_units_are_refused() {
    for (unit, ends, why) in [
        (2, "E5 E1", "the stern E1 is left of the bow E5 or above it"),
        (3, "C1 D2", "C1 to D2 is neither horizontal nor vertical"),
        (4, "I1 I4", "I1 to I4 is 4 cells long, and the unit is 3"),
    ] {
        let (bow, stern) = two_cells(ends).unwrap();
        let fault = placed_between(UnitId::ALL[unit], bow, stern).unwrap_err();
        assert_eq!(fault, why);
    }
}

#[test]
fn a_placement_is_refused_with_all_faults() {
    let legal = fleet().units().each_ref().map(Unit::placement);
    assert_eq!(Fleet::new(&legal), Ok(fleet()));
    let faults = |fleet: &[Placement]| Fleet::new(fleet).unwrap_err();
    assert_eq!(faults(&legal[..1]), "placed 1 unit instead of 8");
    let mut placements = legal;
    placements[0].top_or_left = Point::new(0, 8);
    placements[1].top_or_left = Point::new(-1, 0);
    placements[4].top_or_left = Point::new(6, 2);
    assert_eq!(
        faults(&placements),
        "placed battleship 0 partly outside the grid from (0,8); \
         placed battleship 1 outside the grid at (-1,0); \
         placed support ship 4 over support ship 3 at (6,2)"
    );
}

#[test]
fn an_illegal_order_is_refused() {
    let mut game = game(STANDARD);
    let before = game.clone();
    for (text, why, in_numbers) in [
        (
            "B1 A1",
            "there is no unit at B1",
            "there is no unit at (1,0)",
        ),
        (
            "A1 A1",
            "battleship 0 is ordered by its centre, A3",
            "unit 0 is ordered by its centre, (0,2)",
        ),
        (
            "M6 A9",
            "support ship 5 does not fit on the grid at A9",
            "unit 5 does not fit on the grid at (0,8)",
        ),
        (
            "M6 N9",
            "support ship 5 does not fit on the grid at N9",
            "unit 5 does not fit on the grid at (11,8)",
        ),
        (
            "M6 F2",
            "support ship 5 cannot move to F2: battleship 2 is at E2",
            "unit 5 cannot move to (5,1): unit 2 is at (4,1)",
        ),
        (
            "N3 N1",
            "submarine 7 cannot move to N1: submarine 6 is at N1",
            "unit 7 cannot move to (11,0): unit 6 is at (11,0)",
        ),
    ] {
        let refused = game.act(order(text)).unwrap_err();
        assert_eq!(refused.to_string(), why, "{text}");
        assert_eq!(game, before);
        // Played, it costs the turn.
        let mut played = game.clone();
        let result = OrderResult::Refused(in_numbers.to_owned());
        assert_eq!(played.play(order(text)), result);
        assert_eq!(played.turn(), Some(Side::Two));
    }
    let outside = Order::new(Point::new(12, 0), at("A1"));
    let why = "(12,0) and (0,0) are not both on the grid".to_owned();
    assert_eq!(game.play(outside), OrderResult::Refused(why));
}

#[test]
fn each_quirk_changes_one_rule() {
    let all = BTreeSet::from([UnitId::ALL[5]]);
    for (self_repair, repaired) in [(false, BTreeSet::new()), (true, all)] {
        let mut game = game(OriginalQuirks {
            self_repair,
            ..STANDARD
        });
        play(&mut game, &["A3 A12", "A3 M6"]);
        let result = game.act(order("M6 M9"));
        assert_eq!(result, Ok(OrderResult::Repaired(repaired)));
    }

    let quirks = OriginalQuirks {
        any_origin: true,
        ..STANDARD
    };
    let mut any_origin = game(quirks);
    // The target is the new centre even so.
    any_origin.act(order("L6 G9")).unwrap();
    assert_eq!(
        any_origin.fleet(Side::One).unit(UnitId::ALL[5]).cells(),
        cells("F9 G9 H9")
    );
    any_origin.act(order("A5 A12")).unwrap();

    let quirks = OriginalQuirks {
        diagonal_sonar: true,
        ..STANDARD
    };
    assert_eq!(
        quirks.sonar_area(at("D4")),
        cells("B2 B3 B4  C2 C3 C4  D2 D3 D4 D5 D6  E4 E5 E6  F4 F5 F6")
    );
    assert_eq!(quirks.sonar_area(at("N1")), cells("L1 M1 N1 N2 N3"));
    assert_eq!(STANDARD.sonar_area(at("D4")).len(), 25);
    assert_eq!(OriginalQuirks::default(), STANDARD);
}

#[test]
fn a_view_refuses_what_cannot_have_happened() {
    let mut view = View::new(fleet(), STANDARD);
    let before = view.clone();
    let repaired = &OrderResult::Repaired(BTreeSet::new());
    for (text, outcome, why) in [
        ("B1 A1", &OrderResult::Hit, "there is no unit at B1"),
        (
            "N1 A9",
            &OrderResult::Hit,
            "this cannot be the result of an order to a submarine",
        ),
        (
            "A3 A9",
            repaired,
            "this cannot be the result of an order to a battleship",
        ),
    ] {
        let error = view.acted(order(text), outcome).unwrap_err();
        assert_eq!(error.to_string(), why);
        assert_eq!(view, before);
    }
}
