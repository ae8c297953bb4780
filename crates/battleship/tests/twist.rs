//! The twist: its drawings, every refusal of its rules, what its actions do, and what its quirks change.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::Direction::{Horizontal, Vertical};
use battleship::Side;
use battleship::twist::{
    Cell, CellSet, Clear, Contradiction, Effect, Fleet, Mark, Order, Placement, PlacementFault,
    Quirks, Refused, State, Struck, UnitId, UnitSet, View, show,
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
fn both_grids_are_drawn_as_the_original_draws_them() {
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
fn a_placement_is_refused_with_all_its_faults_at_once() {
    let [b0, b1, b2, s3, s4, _, e6, e7] = UnitId::ALL;
    let faults =
        Fleet::from_ends(&ends("A1 A5  A3 E3  E5 E1  C1 D2  I1 I4  A1 A3  C3 C3")).unwrap_err();
    let overlap = |unit, other, cell| PlacementFault::Overlaps {
        unit,
        other,
        cell: at(cell),
    };
    assert_eq!(
        faults.faults(),
        [
            overlap(b1, b0, "A3"),
            PlacementFault::Backwards {
                unit: b2,
                bow: at("E5"),
                stern: at("E1")
            },
            PlacementFault::Crooked {
                unit: s3,
                bow: at("C1"),
                stern: at("D2")
            },
            PlacementFault::Length {
                unit: s4,
                bow: at("I1"),
                stern: at("I4"),
                length: 4
            },
            overlap(UnitId::ALL[5], b0, "A1"),
            overlap(UnitId::ALL[5], b1, "A3"),
            overlap(e6, b1, "C3"),
            PlacementFault::Missing(e7),
        ]
    );
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
    let off_grid = PlacementFault::OffGrid {
        unit: b0,
        bow: at("I1"),
    };
    assert_eq!(faults.faults(), [off_grid, PlacementFault::TooMany(9)]);
}

#[test]
fn every_illegal_order_is_refused_for_its_own_reason_and_changes_nothing() {
    let mut game = game(STANDARD);
    let before = game.clone();
    let [b0, .., s5, _, e7] = UnitId::ALL;
    for (side, text, why) in [
        (Side::Two, "A3 A1", Refused::NotYourTurn),
        (Side::One, "B1 A1", Refused::NoUnit(at("B1"))),
        (
            Side::One,
            "A1 A1",
            Refused::NotCentre {
                unit: b0,
                origin: at("A1"),
                centre: at("A3"),
            },
        ),
        (
            Side::One,
            "M6 A9",
            Refused::OffGrid {
                unit: s5,
                target: at("A9"),
            },
        ),
        (
            Side::One,
            "M6 N9",
            Refused::OffGrid {
                unit: s5,
                target: at("N9"),
            },
        ),
        (
            Side::One,
            "M6 F2",
            Refused::Occupied {
                unit: s5,
                target: at("F2"),
                cell: at("E2"),
                other: UnitId::ALL[2],
            },
        ),
        (
            Side::One,
            "N3 N1",
            Refused::Occupied {
                unit: e7,
                target: at("N1"),
                cell: at("N1"),
                other: UnitId::ALL[6],
            },
        ),
    ] {
        assert_eq!(game.act(side, order(text)), Err(why), "{text}");
        assert_eq!(game, before);
    }
}

#[test]
fn a_shot_is_told_as_hit_or_miss_and_recorded_with_its_unit() {
    let mut game = game(STANDARD);
    let event = game.act(Side::One, order("A3 N1")).unwrap();
    assert_eq!(event.effect, Effect::Fired { hit: true });
    assert_eq!(
        event.struck,
        Some(Struck {
            unit: UnitId::ALL[6],
            sunk: true
        })
    );
    assert!(!game.fleet(Side::Two).occupied().contains(at("N1")));
    assert_eq!(game.view(Side::Two).last_incoming(), Some(at("N1")));
    // A moves its ship into its own damaged cells, and B does not hear of it.
    game.act(Side::Two, order("N3 N1")).unwrap();
    assert_eq!(game.view(Side::One).last_incoming(), None);
    assert_eq!(
        game.view(Side::One).attack().mark(at("N1")),
        Some(Mark::Hit)
    );
    // A cell may be fired at any number of times; a damaged part is hit without more harm.
    for _ in 0..6 {
        let event = game.act(Side::One, order("A3 A1")).unwrap();
        assert_eq!(
            event.struck,
            Some(Struck {
                unit: UnitId::ALL[0],
                sunk: false
            })
        );
        game.pass(Side::Two).unwrap();
    }
    assert_eq!(game.fleet(Side::Two).unit(UnitId::ALL[0]).armor(), 4);
    let event = game.act(Side::One, order("A3 N3")).unwrap();
    assert_eq!(
        (event.effect, event.struck),
        (Effect::Fired { hit: false }, None)
    );
}

#[test]
fn the_last_unit_decides_the_game() {
    let mut game = game(STANDARD);
    for cell in fleet().occupied() {
        assert_eq!(game.winner(), None);
        game.act(
            Side::One,
            Order {
                origin: at("A3"),
                target: cell,
            },
        )
        .unwrap();
        let _ = game.pass(Side::Two);
    }
    assert_eq!((game.winner(), game.turn()), (Some(Side::One), None));
    assert_eq!(game.act(Side::One, order("A3 A1")), Err(Refused::Over));
    assert_eq!(game.pass(Side::Two), Err(Refused::Over));
}

#[test]
fn a_support_ship_moves_with_its_damage_and_repairs_its_neighbours_but_not_itself() {
    let mut game = game(STANDARD);
    // B hits the vertical support ship, and a battleship and a support ship of A.
    play(
        &mut game,
        &["A3 A12", "A3 M6", "A3 A12", "A3 E5", "A3 A12", "A3 I1"],
    );
    let event = game.act(Side::One, order("M6 H4")).unwrap();
    // Its 3x3 area, G3 to I5, reaches both support ships to its left; one of them was damaged.
    let repaired: UnitSet = [UnitId::ALL[4]].into_iter().collect();
    assert_eq!(event.effect, Effect::Repaired { units: repaired });
    assert_eq!(game.fleet(Side::One).damaged(), cells("E5 H4"));
    assert_eq!(
        game.fleet(Side::One).unit(UnitId::ALL[5]).cells(),
        cells("G4 H4 I4")
    );
    game.act(Side::Two, order("A3 A12")).unwrap();
    // Its own damage stays, and at G4 and G6 no unit near is damaged; at F6 the battleship that ends in E5 is near.
    let event = game.act(Side::One, order("H4 G4")).unwrap();
    assert_eq!(
        event.effect,
        Effect::Repaired {
            units: UnitSet::EMPTY
        }
    );
    game.act(Side::Two, order("A3 A12")).unwrap();
    let event = game.act(Side::One, order("G4 G6")).unwrap();
    assert_eq!(
        event.effect,
        Effect::Repaired {
            units: UnitSet::EMPTY
        }
    );
    game.act(Side::Two, order("A3 A12")).unwrap();
    let event = game.act(Side::One, order("G6 F6")).unwrap();
    let repaired: UnitSet = [UnitId::ALL[2]].into_iter().collect();
    assert_eq!(event.effect, Effect::Repaired { units: repaired });
    assert_eq!(game.fleet(Side::One).damaged(), cells("F6"));
    // Another support ship helps.
    game.act(Side::Two, order("A3 A12")).unwrap();
    game.act(Side::One, order("G2 G4")).unwrap();
    assert_eq!(game.fleet(Side::One).damaged(), cells("F6"));
    game.act(Side::Two, order("A3 A12")).unwrap();
    game.act(Side::One, order("I2 H6")).unwrap();
    assert_eq!(game.fleet(Side::One).damaged(), CellSet::EMPTY);
}

#[test]
fn the_sonar_marks_what_it_sees_and_nothing_corrects_a_mark_by_itself() {
    let mut game = game(STANDARD);
    // A finds B's battleship at C5 and misses at B6; then its submarine looks from C7 at A5 to E9.
    play(&mut game, &["A3 C5", "A3 A12", "A3 B6", "A3 A12"]);
    let event = game.act(Side::One, order("N3 C7")).unwrap();
    let (undamaged, damaged) = (cells("A5 E5"), cells("C5"));
    assert_eq!(event.effect, Effect::Searched { undamaged, damaged });
    let marks = |game: &State| {
        [Mark::Hit, Mark::Miss, Mark::Sonar].map(|mark| game.view(Side::One).attack().marked(mark))
    };
    assert_eq!(marks(&game), [cells("C5"), cells("B6"), cells("A5 E5")]);
    // B's support ship moves there and repairs the battleship: the marks stay, until the sonar looks again.
    game.act(Side::Two, order("M6 B6")).unwrap();
    assert_eq!(marks(&game), [cells("C5"), cells("B6"), cells("A5 E5")]);
    game.act(Side::One, order("C7 C7")).unwrap();
    assert_eq!(
        marks(&game),
        [CellSet::EMPTY, CellSet::EMPTY, cells("A5 A6 B6 C5 C6 E5")]
    );
    // The unit leaves: an empty cell keeps its Y, and only a shot changes it.
    play_from(
        &mut game,
        Side::Two,
        &["B6 M9", "C7 C7", "A3 A12", "A3 A6", "A3 A12", "A3 C5"],
    );
    assert_eq!(
        marks(&game),
        [cells("C5"), cells("A6"), cells("A5 B6 C6 E5")]
    );
    for (clear, left) in [
        (Clear::Sonar, [cells("C5"), cells("A6"), CellSet::EMPTY]),
        (
            Clear::Hits,
            [CellSet::EMPTY, cells("A6"), cells("A5 B6 C6 E5")],
        ),
        (
            Clear::Misses,
            [cells("C5"), CellSet::EMPTY, cells("A5 B6 C6 E5")],
        ),
        (Clear::All, [CellSet::EMPTY; 3]),
    ] {
        let mut game = game.clone();
        game.clear(Side::One, clear);
        assert_eq!((marks(&game), game.turn()), (left, Some(Side::Two)));
    }
    game.clear_sonar(Side::One);
    assert_eq!(marks(&game), [cells("C5"), cells("A6"), CellSet::EMPTY]);
}

fn play_from(game: &mut State, starter: Side, orders: &[&str]) {
    let sides = Side::BOTH.into_iter().cycle().skip(starter.index());
    for (text, side) in orders.iter().zip(sides) {
        game.act(side, order(text)).unwrap();
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
fn a_view_refuses_to_note_what_cannot_have_happened() {
    let mut view = View::new(fleet(), STANDARD);
    let before = view.clone();
    let fired = Effect::Fired { hit: true };
    for (text, outcome, why) in [
        (
            "B1 A1",
            fired,
            Contradiction::Refused(Refused::NoUnit(at("B1"))),
        ),
        (
            "N1 A9",
            fired,
            Contradiction::OtherAction(UnitId::ALL[6].kind()),
        ),
        (
            "A3 A9",
            Effect::Repaired {
                units: UnitSet::EMPTY,
            },
            Contradiction::OtherAction(UnitId::ALL[0].kind()),
        ),
    ] {
        assert_eq!(view.acted(order(text), outcome), Err(why));
        assert_eq!(view, before);
    }
}
