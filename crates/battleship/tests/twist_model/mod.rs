//! Random games of the twist, move by move against a plain model of its rules.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::protocol::{Order, OrderResult};
use battleship::seeded::SeededRng;
use battleship::twist::{Cell, Fleet, OriginalQuirks, Refused, State, UnitId, View, show};
use battleship::{Direction, Placement, Side};
use model::{At, Model, Parts, Player, Told, on_grid, parts};
use proptest::prelude::*;

mod model;

fn plain(cell: Cell) -> At {
    (cell.row().into(), cell.column().into())
}

fn cell(at: At) -> Cell {
    Cell::new(at.0.try_into().unwrap(), at.1.try_into().unwrap()).unwrap()
}

/// The result in the model's words.
fn in_plain_words(result: &OrderResult) -> Told {
    match result {
        OrderResult::Hit => Told::Shot(true),
        OrderResult::Miss => Told::Shot(false),
        OrderResult::Repaired(units) => {
            Told::Repaired(units.iter().map(|unit| unit.index()).collect())
        }
        OrderResult::Found { whole, damaged } => Told::Seen(
            whole.iter().map(plain).collect(),
            damaged.iter().map(plain).collect(),
        ),
        OrderResult::Refused(why) => panic!("{why}"),
    }
}

/// A fleet drawn by trial and error, in both forms.
fn random_fleet(rng: &mut SeededRng) -> (Fleet, Vec<Parts>) {
    loop {
        let placements: Vec<Placement> = (0..8)
            .map(|_| {
                let mut coordinate = || u8::try_from(rng.below(12)).unwrap();
                let bow = Cell::new(coordinate(), coordinate()).unwrap();
                Placement {
                    top_or_left: bow.into(),
                    direction: Direction::BOTH[rng.below(2)],
                }
            })
            .collect();
        let units: Vec<Parts> = placements
            .iter()
            .enumerate()
            .map(|(unit, placement)| {
                let at = placement.top_or_left;
                parts(unit, (at.row, at.col), placement.direction)
            })
            .collect();
        let mut cells: Vec<At> = units.iter().flatten().map(|part| part.0).collect();
        let inside = cells.iter().all(|at| on_grid(*at));
        cells.sort_unstable();
        cells.dedup();
        let fleet = Fleet::new(&placements);
        assert_eq!(fleet.is_ok(), inside && cells.len() == 26, "{placements:?}");
        if let Ok(fleet) = fleet {
            return (fleet, units);
        }
    }
}

#[derive(Clone, Debug)]
enum Target {
    Cell(At),
    /// One of the enemy's cells, so that shots hit and units sink.
    Enemy(usize),
    /// This many rows and columns from the origin.
    Near(At),
}

#[derive(Clone, Debug)]
enum Step {
    /// The unit with this number, counted among those that are left, by the part with this number;
    /// the central one if nothing.
    Order(usize, Option<usize>, Target),
    /// Any two cells.
    Cells(At, At),
}

fn any_step() -> impl Strategy<Value = Step> {
    let at = || (0..12_i32, 0..12_i32);
    let target = prop_oneof![
        2 => at().prop_map(Target::Cell),
        4 => any::<usize>().prop_map(Target::Enemy),
        1 => (-4..=4_i32, -4..=4_i32).prop_map(Target::Near),
    ];
    let part = prop_oneof![4 => Just(None), 1 => (0..5_usize).prop_map(Some)];
    prop_oneof![
        40 => (0..8_usize, part, target).prop_map(|(unit, part, target)| Step::Order(unit, part, target)),
        2 => (at(), at()).prop_map(|(origin, target)| Step::Cells(origin, target)),
    ]
}

/// The cells that a step names in this position, if it is an order.
fn resolve(step: &Step, own: &Player, enemy: &Player) -> Option<(At, At)> {
    match step {
        Step::Cells(origin, target) => Some((*origin, *target)),
        Step::Order(unit, part, target) => {
            let left: Vec<&Parts> = own.units.iter().filter(|unit| !unit.is_empty()).collect();
            let unit = left.get(unit % left.len().max(1))?;
            let origin = unit[part.map_or(unit.len() / 2, |part| part % unit.len())].0;
            let enemies: Vec<At> = enemy.units.iter().flatten().map(|part| part.0).collect();
            let target = match target {
                Target::Cell(at) => *at,
                Target::Enemy(index) => *enemies.get(index % enemies.len().max(1))?,
                Target::Near((down, right)) => (
                    (origin.0 + down).clamp(0, 11),
                    (origin.1 + right).clamp(0, 11),
                ),
            };
            Some((origin, target))
        }
    }
}

fn check_invariants(fleet: &Fleet) {
    let sizes = fleet.units().each_ref().map(|unit| {
        let cells = unit.cells();
        assert_eq!(
            cells.len(),
            if unit.is_sunk() {
                0
            } else {
                unit.kind().size().into()
            }
        );
        assert_eq!(unit.damaged() - cells, battleship::twist::CellSet::EMPTY);
        cells.len()
    });
    assert_eq!(
        fleet.occupied().len(),
        sizes.iter().sum::<usize>(),
        "units overlap"
    );
}

proptest! {
    #[test]
    fn any_game_agrees_with_the_plain_model(
        seed in any::<u64>(),
        switches in any::<[bool; 3]>(),
        starter in 0..2_usize,
        steps in proptest::collection::vec(any_step(), 0..250),
    ) {
        let mut rng = SeededRng::new(seed);
        let [self_repair, diagonal_sonar, any_origin] = switches;
        let quirks = OriginalQuirks { self_repair, diagonal_sonar, any_origin, starter_ignored: false };
        let fleets = [random_fleet(&mut rng), random_fleet(&mut rng)];
        let player = |units: &Vec<Parts>| {
            Player { units: units.clone(), marks: [['~'; 12]; 12] }
        };
        let mut model = Model { players: [player(&fleets[0].1), player(&fleets[1].1)], quirks };
        // The knowledge of each player from the messages that it gets: where the enemy lies unseen
        // changes nothing in it.
        let mut told = fleets.each_ref().map(|fleet| View::new(fleet.0.clone(), quirks));
        let mut game = State::new(fleets.map(|fleet| fleet.0), Side::BOTH[starter], quirks);
        let mut turn = starter;
        for step in &steps {
            if let Some((origin, target)) = resolve(step, &model.players[turn], &model.players[1 - turn]) {
                let order = Order::new(cell(origin), cell(target));
                let before = game.clone();
                let result = game.act(order);
                let expected = model.act(turn, origin, target);
                prop_assert_eq!(result.as_ref().ok().map(in_plain_words), expected);
                match result {
                    Err(_) => prop_assert_eq!(&game, &before),
                    Ok(result) => {
                        told[turn].acted(order, &result).unwrap();
                        if result.is_of_shot() {
                            told[1 - turn].opponent_fired(order.target);
                        }
                        turn = 1 - turn;
                    }
                }
            }
            for (side, player) in Side::BOTH.into_iter().zip(&model.players) {
                prop_assert_eq!(game.view(side), &told[side.index()]);
                prop_assert_eq!(show(game.view(side)), player.draw());
                check_invariants(game.fleet(side));
            }
        }
        for (side, player) in Side::BOTH.into_iter().zip(&model.players) {
            let lost = player.units.iter().all(Vec::is_empty);
            prop_assert_eq!(game.winner() == Some(side.other()), lost);
            for unit in UnitId::ALL {
                let left = !player.units[unit.index()].is_empty();
                let fits = |target: &Cell| left && player.moved(unit.index(), plain(*target)).is_some();
                let destinations = Cell::all().filter(fits).collect();
                prop_assert_eq!(game.fleet(side).destinations(unit), destinations);
            }
        }
        if game.winner().is_some() {
            prop_assert_eq!(game.turn(), None);
            prop_assert_eq!(game.act(Order::new(cell((0, 0)), cell((0, 0)))), Err(Refused::Over));
        }
    }
}
