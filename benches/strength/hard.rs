//! The fleets that players who count places find late, and the gain of a player who knows that `good` places such fleets.

use std::collections::BTreeMap;
use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{Board, Bot, Game};
use battleship_bots::{Good, Thinking};

use crate::bulk::{Belief, sink};
use crate::counter::{COUNTERS, Counter};
use crate::fleets::{Fleet, PLACES, indices, put, random};
use crate::games::{attack, attacks_on};
use crate::placement::fleet_of;
use crate::sample::{Sample, on_all_cores};

/// The first of the places that reflections and rotations of the board take the place to, by its number among those of the
/// ship; ships of one length have the same places.
fn class(ship: usize, place: u128) -> (u32, usize) {
    let image = |way: usize| {
        indices(place)
            .map(|cell| {
                let (row, col) = (cell / 10, cell % 10);
                let row = if way & 1 == 0 { row } else { 9 - row };
                let col = if way & 2 == 0 { col } else { 9 - col };
                1 << if way & 4 == 0 {
                    10 * row + col
                } else {
                    10 * col + row
                }
            })
            .fold(0_u128, |cells, bit: u128| cells | bit)
    };
    let number = |cells| PLACES[ship].iter().position(|place| *place == cells);
    let first = (0..8).filter_map(|way| number(image(way))).min();
    (
        place.count_ones(),
        first.expect("it is one of its own images"),
    )
}

/// The attacks that a counter needs for a fleet, on average.
fn attacks(fleet: &Fleet, games: u64, seed: u64) -> f64 {
    let game = Game::standard();
    let play = |number: u64| {
        let mut counter = Counter::new(COUNTERS[1].1);
        counter.new_game(&game, seed << 8 | number);
        let mut board = Board::new(&game);
        put(fleet, &mut board);
        while !board.all_ships_destroyed() {
            attack(&mut counter, &mut board);
        }
        attacks_on(&board)
    };
    Sample::of((0..games).map(play)).mean
}

/// Prints the number of attacks more than on average that a fleet takes, as a sum of numbers of its ships' places: least
/// squares, each number held to 0 as by `RIDGE` fleets, by repeated fits of one number after the other.
pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    const RIDGE: f64 = 5.0;
    const GAMES: u64 = 16;
    const SWEEPS: usize = 50;
    let count = crate::option("fleets", 12_000);
    writeln!(
        out,
        "what ships add to the attacks of a counter, by length ({GAMES} games on each of {count} fleets)"
    )?;
    let measured = on_all_cores((0..count).collect(), |number| {
        let fleet = random(&mut SeededRng::in_domain(number, 67));
        let classes: Vec<_> = fleet
            .iter()
            .zip(0..)
            .map(|(ship, id)| class(id, *ship))
            .collect();
        (classes, attacks(&fleet, GAMES, number))
    });
    let mean = Sample::of(measured.iter().map(|(_, attacks)| *attacks)).mean;
    let mut left: Vec<f64> = measured.iter().map(|(_, attacks)| attacks - mean).collect();
    let mut numbers: BTreeMap<(u32, usize), f64> = BTreeMap::new();
    for (classes, _) in &measured {
        numbers.extend(classes.iter().map(|class| (*class, 0.0)));
    }
    for _ in 0..SWEEPS {
        for (class, number) in &mut numbers {
            let times = |classes: &[(u32, usize)]| {
                f64::from(
                    u8::try_from(classes.iter().filter(|other| *other == class).count())
                        .expect("at most 2"),
                )
            };
            let (mut sum, mut squares) = (0.0, RIDGE);
            for ((classes, _), left) in measured.iter().zip(&left) {
                let times = times(classes);
                sum += times * (left + times * *number);
                squares += times * times;
            }
            let change = sum / squares - *number;
            *number += change;
            for ((classes, _), left) in measured.iter().zip(&mut left) {
                *left -= times(classes) * change;
            }
        }
    }
    for length in [5, 4, 3, 2] {
        let of_length = numbers.range((length, 0)..(length + 1, 0));
        let words: Vec<String> = of_length
            .map(|(_, number)| format!("{number:.1}"))
            .collect();
        writeln!(out, "  {length}: {}", words.join(", "))?;
    }
    Ok(())
}

/// Prints the number of attacks that a greedy shooter needs for the first fleets of `good`, and one that has seen many of them.
pub(crate) fn print_exploited(out: &mut dyn Write) -> io::Result<()> {
    let (count, seen) = (crate::option("fleets", 600), 20_000);
    let first = |seed: u64| {
        let game = Game::standard();
        let mut good = Good::new(Thinking::default().greedy());
        good.new_game(&game, seed);
        let mut board = Board::new(&game);
        assert!(good.place_ships(&mut board));
        fleet_of(&board)
    };
    let pool = on_all_cores((0..seen).collect(), first);
    let fleets = on_all_cores((seen..seen + count).collect(), first);
    // Returns the counts of each class of places in the fleets.
    let classes = |fleets: &[Fleet]| {
        let mut counts: BTreeMap<(u32, usize), f64> = BTreeMap::new();
        for fleet in fleets {
            for (ship, id) in fleet.iter().zip(0..) {
                *counts.entry(class(id, *ship)).or_insert(1.0) += 1.0;
            }
        }
        counts
    };
    let at_random: Vec<Fleet> = (0..seen)
        .map(|seed| random(&mut SeededRng::in_domain(seed, 71)))
        .collect();
    let (often, usual) = (classes(&pool), classes(&at_random));
    let weights: Vec<BTreeMap<u128, f64>> = (0..PLACES.len())
        .map(|id| {
            let weight = |place: &u128| {
                let class = class(id, *place);
                (
                    *place,
                    often.get(&class).map_or(0.0, |often| often / usual[&class]),
                )
            };
            PLACES[id].iter().map(weight).collect()
        })
        .collect();
    let weight = move |fleet: &Fleet| {
        fleet
            .iter()
            .zip(&weights)
            .map(|(ship, of)| of[ship])
            .product()
    };
    let uniform = Belief::uniform(2);
    let knows = Belief::new(
        move |rng| rng.choose(&pool).expect("there are some"),
        weight,
        5,
    );
    let needs = |belief: &Belief, fleets: &[Fleet]| {
        let needed = on_all_cores(fleets.iter().zip(0..).collect(), |(fleet, number)| {
            let attacks = sink(
                fleet,
                belief,
                &uniform,
                &mut SeededRng::in_domain(number, 73),
            );
            f64::from(u32::try_from(attacks.len()).expect("at most 100"))
        });
        Sample::of(needed)
    };
    let at_random = &at_random[..fleets.len()];
    writeln!(
        out,
        "attacks of greedy shooters for the first fleets of good ({count} fleets)"
    )?;
    writeln!(
        out,
        "  believes that all fleets are equally likely {}; for random fleets {}",
        needs(&uniform, &fleets),
        needs(&uniform, at_random)
    )?;
    writeln!(
        out,
        "  has seen {seen} of its fleets               {}",
        needs(&knows, &fleets)
    )
}
