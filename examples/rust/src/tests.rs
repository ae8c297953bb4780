//! The first tests of the strategy: cargo test

use std::collections::HashSet;

use crate::strategy::{cells, Cell, Strategy};

fn new_game(rows: i32, cols: i32, lengths: &[i32]) -> Strategy {
    let mut strategy = Strategy::default();
    strategy.new_game(rows, cols, lengths, 1, false);
    strategy
}

#[test]
fn ships_lie_on_the_board_and_not_on_one_another() {
    let lengths = [5, 4, 3, 3, 2];
    let places = new_game(10, 10, &lengths).place().expect("there is room");
    let fleet = places
        .iter()
        .zip(lengths)
        .flat_map(|(&place, length)| cells(place, length));
    let fleet: HashSet<Cell> = fleet.collect();
    assert_eq!(fleet.len(), 17);
    assert!(fleet
        .iter()
        .all(|(row, col)| (0..10).contains(row) && (0..10).contains(col)));
}

#[test]
fn ships_that_may_not_touch_do_not() {
    let lengths = [5, 4, 3, 3, 2];
    for seed in 0..20 {
        let mut strategy = Strategy::default();
        strategy.new_game(10, 10, &lengths, seed, true);
        let places = strategy.place().expect("there is room");
        let mut others: Vec<Cell> = Vec::new();
        for (&place, length) in places.iter().zip(lengths) {
            let near = |a: Cell, b: Cell| (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1;
            assert!(
                cells(place, length).all(|cell| others.iter().all(|&other| !near(cell, other))),
                "{places:?}"
            );
            others.extend(cells(place, length));
        }
    }
}

#[test]
fn a_fleet_without_room_is_not_placed() {
    assert_eq!(new_game(1, 2, &[2, 1]).place(), None);
}

#[test]
fn no_cell_is_attacked_twice() {
    let mut strategy = new_game(3, 7, &[2]);
    let tried: HashSet<Cell> = (0..21).map(|_| strategy.attack()).collect();
    assert_eq!(tried.len(), 21);
}

#[test]
fn a_salvo_has_a_cell_for_each_shot() {
    let mut strategy = new_game(2, 4, &[2]);
    let cells = [strategy.salvo(5), strategy.salvo(3)].concat();
    assert_eq!(cells.into_iter().collect::<HashSet<Cell>>().len(), 8);
    assert_eq!(strategy.salvo(2).len(), 2); // no cell is left to try
}

#[test]
fn after_a_hit_comes_its_neighbour() {
    let mut strategy = new_game(1, 9, &[2]);
    strategy.result((0, 4), "hit", None);
    assert!([(0, 3), (0, 5)].contains(&strategy.attack()));
}

#[test]
fn the_same_seed_gives_the_same_play() {
    assert_eq!(
        new_game(10, 10, &[5, 4]).place(),
        new_game(10, 10, &[5, 4]).place()
    );
}
