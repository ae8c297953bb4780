//! Salvos, and ships that may not touch: random games against a plain model of both rules, which
//! knows lists of cells only.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::num::NonZeroU8;

use battleship::drawing::{draw, fleet_drawn};
use battleship::protocol::{Reply, Request};
use battleship::seeded::SeededRng;
use battleship::{
    AttackResult, Direction, Game, Labels, Placement, Point, RuleOptions, Rules, Ruleset, Side,
    Turn,
};

/// The games that each rule is compared in.
const GAMES: u64 = 2000;

/// A ship as the model has it: its cells, and whether each is hit.
type ModelShip = Vec<(Point, bool)>;

fn number(rng: &mut SeededRng, below: i32) -> i32 {
    i32::try_from(rng.below(usize::try_from(below).unwrap())).unwrap()
}

/// Rules on a small board with a few ships, and any options.
fn any_rules(ruleset: Ruleset, rng: &mut SeededRng) -> Rules {
    let mut game = Game::new(3 + number(rng, 6), 3 + number(rng, 6)).unwrap();
    for symbol in ['a', 'b', 'c', 'd'].into_iter().take(1 + rng.below(4)) {
        game.add_ship(1 + number(rng, 3), symbol, "boat").unwrap();
    }
    let options = RuleOptions {
        apart: rng.coin(),
        shots: NonZeroU8::new(u8::try_from(rng.below(8)).unwrap()).filter(|_| rng.coin()),
    };
    Rules::on(ruleset, game, options)
}

/// Ships anywhere, some of them outside.
fn any_fleet(rules: &Rules, rng: &mut SeededRng) -> Vec<Placement> {
    let [rows, cols] = rules.size();
    let place = |_| Placement {
        top_or_left: Point::new(number(rng, rows + 1), number(rng, cols + 1)),
        direction: if rng.coin() {
            Direction::Horizontal
        } else {
            Direction::Vertical
        },
    };
    rules.ships().iter().map(place).collect()
}

fn cells_of(rules: &Rules, fleet: &[Placement]) -> Vec<ModelShip> {
    let cells = |(ship, placed): (battleship::ShipType, &Placement)| {
        let Placement {
            top_or_left: Point { row, col },
            direction,
        } = *placed;
        let at = |step| match direction {
            Direction::Horizontal => Point::new(row, col + step),
            Direction::Vertical => Point::new(row + step, col),
        };
        (0..ship.length).map(|step| (at(step), false)).collect()
    };
    rules.ships().into_iter().zip(fleet).map(cells).collect()
}

fn is_on_board(rules: &Rules, at: Point) -> bool {
    let [rows, cols] = rules.size();
    (0..rows).contains(&at.row) && (0..cols).contains(&at.col)
}

/// Whether the model allows these ships: on the board, and any two of their cells as far from each
/// other as the rules say.
fn may_lie(rules: &Rules, ships: &[ModelShip]) -> bool {
    let apart = |one: Point, two: Point| {
        let (down, across) = ((one.row - two.row).abs(), (one.col - two.col).abs());
        down.max(across) > i32::from(rules.options().apart)
    };
    let all_apart = |one: &ModelShip, two: &ModelShip| {
        one.iter()
            .all(|(cell, _)| two.iter().all(|(other, _)| apart(*cell, *other)))
    };
    ships
        .iter()
        .flatten()
        .all(|(at, _)| is_on_board(rules, *at))
        && (1..ships.len()).all(|two| (0..two).all(|one| all_apart(&ships[one], &ships[two])))
}

/// The result of a shot by the model.
fn shoot(
    rules: &Rules,
    ships: &mut [ModelShip],
    tried: &mut Vec<Point>,
    at: Point,
) -> AttackResult {
    if !is_on_board(rules, at) || tried.contains(&at) {
        return AttackResult::Wasted;
    }
    tried.push(at);
    for (id, ship) in ships.iter_mut().enumerate() {
        if let Some(cell) = ship.iter_mut().find(|(cell, _)| *cell == at) {
            cell.1 = true;
            return if ship.iter().all(|(_, hit)| *hit) {
                AttackResult::Sunk(id)
            } else {
                AttackResult::Hit
            };
        }
    }
    AttackResult::Miss
}

fn afloat(ships: &[ModelShip]) -> usize {
    ships
        .iter()
        .filter(|ship| ship.iter().any(|(_, hit)| !hit))
        .count()
}

#[test]
fn the_model_allows_what_is_allowed() {
    let mut rng = SeededRng::new(1);
    let mut allowed = [0; 2];
    for _ in 0..GAMES {
        let rules = any_rules(Ruleset::Classic, &mut rng);
        for _ in 0..20 {
            let fleet = any_fleet(&rules, &mut rng);
            let by_model = may_lie(&rules, &cells_of(&rules, &fleet));
            let placed = rules.begin().place(Side::One, &fleet);
            assert_eq!(placed.is_ok(), by_model, "{rules:?} {fleet:?} {placed:?}");
            allowed[usize::from(by_model)] += 1;
            if by_model {
                let (ships, game) = (cells_of(&rules, &fleet), rules.describe());
                let drawing = draw(Labels::Digits, game.size, 1, |at| {
                    let here = ships.iter().position(|ship| ship.contains(&(at, false)));
                    here.map_or('.', |ship| game.ships[ship].symbol)
                });
                let read = fleet_drawn(&drawing, &game).unwrap();
                assert_eq!(cells_of(&rules, &read), ships, "{drawing}");
            }
        }
    }
    assert!(allowed.iter().all(|count| *count > 5000), "{allowed:?}");
}

#[test]
fn the_model_has_each_result_of_salvos() {
    let mut rng = SeededRng::new(2);
    let mut games = 0;
    while games < GAMES {
        let rules = any_rules(Ruleset::Salvo, &mut rng);
        let mut game = rules.begin();
        let fleets = Side::BOTH.map(|side| {
            let mut tries = (0..200).map(|_| any_fleet(&rules, &mut rng));
            tries.find(|fleet| game.place(side, fleet).is_ok())
        });
        let [Some(one), Some(two)] = fleets else {
            continue;
        };
        play(
            &rules,
            &mut *game,
            [cells_of(&rules, &one), cells_of(&rules, &two)],
            &mut rng,
        );
        games += 1;
    }
}

/// Of two cells, three shots waste one.
#[test]
fn a_salvo_may_waste_what_it_has_to() {
    let mut game = Game::new(1, 2).unwrap();
    game.add_ship(1, 'a', "boat").unwrap();
    let options = RuleOptions {
        shots: NonZeroU8::new(3),
        ..RuleOptions::default()
    };
    let rules = Rules::on(Ruleset::Salvo, game, options);
    let mut game = rules.begin();
    game.start(Side::One);
    for (cols, is_refused) in [([0, 1, 1], false), ([0, 0, 0], true), ([0, 1, 2], true)] {
        let salvo = Reply::Salvo(cols.map(|col| Point::new(0, col)).to_vec());
        assert_eq!(
            game.refusal(Side::One, &salvo).is_some(),
            is_refused,
            "{cols:?}"
        );
    }
}

/// Plays a game of random salvos to its end.
fn play(
    rules: &Rules,
    game: &mut dyn battleship::GameInPlay,
    mut ships: [Vec<ModelShip>; 2],
    rng: &mut SeededRng,
) {
    let shots = rules.options().shots;
    let [rows, cols] = rules.size();
    let mut tried = [Vec::new(), Vec::new()];
    game.start(Side::One);
    let mut mover = 0;
    loop {
        let due = shots.map_or(afloat(&ships[mover]), |shots| shots.get().into());
        assert_eq!(game.mover().map(Side::index), Some(mover));
        assert_eq!(game.request(), Request::Salvo(due));
        // Some outside, and some twice.
        let any = |_| Point::new(number(rng, rows + 2) - 1, number(rng, cols + 2) - 1);
        let cells: Vec<Point> = (0..due).map(any).collect();
        for wrong in [&cells[1..], &[&cells[..], &[Point::new(0, 0)]].concat()] {
            assert_eq!(
                game.play_all(&Reply::Salvo(wrong.to_vec())),
                None,
                "{due} shots"
            );
        }
        assert_eq!(game.play_all(&Reply::Attack(Point::new(0, 0))), None);
        let turns = game.play_all(&Reply::Salvo(cells.clone())).unwrap();
        let waters = 1 - mover;
        let impacts: Vec<AttackResult> = cells
            .iter()
            .map(|at| shoot(rules, &mut ships[waters], &mut tried[waters], *at))
            .collect();
        assert_eq!(turns.iter().map(Turn::impact).collect::<Vec<_>>(), impacts);
        assert_eq!(turns.iter().map(Turn::target).collect::<Vec<_>>(), cells);
        if afloat(&ships[waters]) == 0 {
            assert_eq!(
                (game.winner().map(Side::index), game.mover()),
                (Some(mover), None)
            );
            return;
        }
        assert_eq!(game.winner(), None);
        mover = waters;
    }
}

#[test]
fn a_game_without_ships_has_no_winner() {
    let rules = Rules::on(
        Ruleset::Classic,
        Game::new(2, 2).unwrap(),
        RuleOptions::default(),
    );
    let mut game = rules.begin();
    for side in Side::BOTH {
        game.place(side, &[]).unwrap();
    }
    game.start(Side::One);
    assert_eq!(game.winner(), None);
    game.play(battleship::Step::Attack(Point::new(0, 0)));
    assert_eq!(game.winner(), None);
}
