//! The twist: its drawings, every refusal of its rules, what its actions do, and what its quirks change.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::Direction::{Horizontal, Vertical};
use battleship::Side;
use battleship::twist::{
    Cell, CellSet, Effect, Fleet, Order, Placement, Quirks, State, UnitId, UnitSet, View, show,
};

fn at(cell: &str) -> Cell {
    cell.parse().unwrap()
}

fn order(text: &str) -> Order {
    text.parse().unwrap()
}

fn cells(names: &str) -> CellSet {
    names.split_whitespace().map(at).collect()
}

fn ends(text: &str) -> Vec<(Cell, Cell)> {
    let cells: Vec<Cell> = text.split_whitespace().map(at).collect();
    cells.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Everything at the left, horizontal except for the last support ship.
fn fleet() -> Fleet {
    Fleet::from_ends(&ends(
        "A1 A5  C1 C5  E1 E5  G1 G3  I1 I3  L6 N6  N1 N1  N3 N3",
    ))
    .unwrap()
}

fn game(quirks: Quirks) -> State {
    State::new([fleet(), fleet()], Side::One, quirks)
}

/// Lets A and B take these turns, A first.
fn play(game: &mut State, orders: &[&str]) {
    for (text, side) in orders.iter().zip(Side::BOTH.into_iter().cycle()) {
        game.act(side, order(text)).unwrap();
    }
}

const STANDARD: Quirks = Quirks {
    self_repair: false,
    diagonal_sonar: false,
    any_origin: false,
    starter_ignored: false,
};

#[test]
fn both_grids_are_drawn_as_originally() {
    let mut game = game(STANDARD);
    play(&mut game, &["A3 C2", "C3 E5", "A3 B12", "N1 H4"]);
    let grids = "  1  2  3  4  5  6  7  8  9  10 11 12	  1  2  3  4  5  6  7  8  9  10 11 12
A C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A	A ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A
B ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  B	B ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  B
C C  c  C  C  C  ~  ~  ~  ~  ~  ~  ~  C	C ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  C
D ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  D	D ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  D
E C  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  E	E ~  ~  ~  ~  X  ~  ~  ~  ~  ~  ~  ~  E
F ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  F	F ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  F
G S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  G	G ~  Y  Y  ~  ~  ~  ~  ~  ~  ~  ~  ~  G
H ~  ~  ~  E  ~  ~  ~  ~  ~  ~  ~  ~  H	H ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  H
I S  S  S  ~  ~  ~  ~  ~  ~  ~  ~  ~  I	I ~  Y  Y  ~  ~  ~  ~  ~  ~  ~  ~  ~  I
L ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  L	L ~  ~  ~  ~  ~  Y  ~  ~  ~  ~  ~  ~  L
M ~  ~  ~  ~  ~  S  ~  ~  ~  ~  ~  ~  M	M ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  M
N ~  ~  E  ~  ~  S  ~  ~  ~  ~  ~  ~  N	N ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  N
  1  2  3  4  5  6  7  8  9  10 11 12	  1  2  3  4  5  6  7  8  9  10 11 12
";
    let view = game.view(Side::Two);
    assert_eq!(show(view).to_string(), grids);
    let heading = "                                    Player 2
             Defence board                           Attack board
";
    assert_eq!(
        show(view).headed(Side::Two).to_string(),
        heading.to_owned() + grids
    );
    for (half, debug) in [
        (0, format!("{:?}", view.fleet())),
        (1, format!("{:?}", view.attack())),
    ] {
        let alone: Vec<&str> = grids
            .lines()
            .map(|line| line.split('\t').nth(half).unwrap())
            .collect();
        assert_eq!(debug, format!("\n{}", alone.join("\n")));
    }
}

#[test]
fn a_placement_is_refused_with_all_faults() {
    let faults =
        Fleet::from_ends(&ends("A1 A5  A3 E3  E5 E1  C1 D2  I1 I4  A1 A3  C3 C3")).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "battleship 1: battleship 0 is at A3; \
         battleship 2: the stern E1 is left of the bow E5 or above it; \
         support ship 3: C1 to D2 is neither horizontal nor vertical; \
         support ship 4: I1 to I4 is 4 cells long, and the unit is 3; \
         support ship 5: battleship 0 is at A1; support ship 5: battleship 1 is at A3; \
         submarine 6: battleship 1 is at C3; submarine 7 is not placed"
    );
    let mut placements: Vec<Placement> = fleet().units().map(|unit| unit.placement()).to_vec();
    assert_eq!(Fleet::new(&placements), Ok(fleet()));
    placements[0] = Placement {
        bow: at("I1"),
        direction: Vertical,
    };
    placements[6] = Placement {
        bow: at("N12"),
        direction: Horizontal,
    };
    placements.push(placements[7]);
    let faults = Fleet::new(&placements).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "battleship 0: from I1 it does not fit on the grid; there are 9 placements, and a fleet has 8 units"
    );
}

#[test]
fn an_illegal_order_is_refused() {
    let mut game = game(STANDARD);
    let before = game.clone();
    for (side, text, why) in [
        (Side::Two, "A3 A1", "it is not this player's turn"),
        (Side::One, "B1 A1", "there is no unit at B1"),
        (
            Side::One,
            "A1 A1",
            "battleship 0 is ordered by its centre, A3, not by A1",
        ),
        (
            Side::One,
            "M6 A9",
            "support ship 5 does not fit on the grid at A9",
        ),
        (
            Side::One,
            "M6 N9",
            "support ship 5 does not fit on the grid at N9",
        ),
        (
            Side::One,
            "M6 F2",
            "support ship 5 cannot move to F2: battleship 2 is at E2",
        ),
        (
            Side::One,
            "N3 N1",
            "submarine 7 cannot move to N1: submarine 6 is at N1",
        ),
    ] {
        let refused = game.act(side, order(text)).unwrap_err();
        assert_eq!(refused.to_string(), why, "{text}");
        assert_eq!(game, before);
    }
}

#[test]
fn each_quirk_changes_one_rule() {
    let all: UnitSet = [UnitId::ALL[5]].into_iter().collect();
    for (self_repair, repaired) in [(false, UnitSet::EMPTY), (true, all)] {
        let mut game = game(Quirks {
            self_repair,
            ..STANDARD
        });
        play(&mut game, &["A3 A12", "A3 M6"]);
        let event = game.act(Side::One, order("M6 M9")).unwrap();
        assert_eq!(event.effect, Effect::Repaired { units: repaired });
    }

    let quirks = Quirks {
        any_origin: true,
        ..STANDARD
    };
    let mut any_origin = game(quirks);
    // The target is the new centre even so.
    any_origin.act(Side::One, order("L6 G9")).unwrap();
    assert_eq!(
        any_origin.fleet(Side::One).unit(UnitId::ALL[5]).cells(),
        cells("F9 G9 H9")
    );
    any_origin.act(Side::Two, order("A5 A12")).unwrap();

    let quirks = Quirks {
        diagonal_sonar: true,
        ..STANDARD
    };
    assert_eq!(
        quirks.sonar_area(at("D4")),
        cells("B2 B3 B4  C2 C3 C4  D2 D3 D4 D5 D6  E4 E5 E6  F4 F5 F6")
    );
    assert_eq!(quirks.sonar_area(at("N1")), cells("L1 M1 N1 N2 N3"));
    assert_eq!(STANDARD.sonar_area(at("D4")).len(), 25);
    assert_eq!(Quirks::default(), STANDARD);
}

#[test]
fn a_view_refuses_what_cannot_have_happened() {
    let mut view = View::new(fleet(), STANDARD);
    let before = view.clone();
    let fired = Effect::Fired { hit: true };
    let repaired = Effect::Repaired {
        units: UnitSet::EMPTY,
    };
    for (text, outcome, why) in [
        ("B1 A1", fired, "there is no unit at B1"),
        (
            "N1 A9",
            fired,
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
