//! The time it takes to count all fleets on a blank standard board.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use battleship::{CellSet, Direction, Game, Point};

use crate::yardstick::Greedy;

const ROUNDS: u32 = 7;

/// All places of a ship of that length on the standard board.
fn places(length: i32) -> Vec<u128> {
    let standard = Game::standard();
    let lines = standard.points().flat_map(|point: Point| {
        Direction::BOTH.map(|direction| CellSet::line(point, direction, length))
    });
    lines.flatten().map(CellSet::bits).collect()
}

/// The number of fleets by plain nested loops: four ships place by place, and the places of the last that are free of
/// each of them as sets.
fn plain() -> u64 {
    let [carriers, battleships, threes, boats] = [5, 4, 3, 2].map(places);
    let free = |cells: u128| -> [u64; 3] {
        let mut set = [0; 3];
        for (index, boat) in boats.iter().enumerate() {
            set[index / 64] |= u64::from(boat & cells == 0) << (index % 64);
        }
        set
    };
    let both = |one: [u64; 3], other: [u64; 3]| [0, 1, 2].map(|word| one[word] & other[word]);
    let free_of_threes: Vec<[u64; 3]> = threes.iter().map(|cells| free(*cells)).collect();
    let mut fleets = 0;
    for carrier in &carriers {
        for battleship in battleships.iter().filter(|cells| *cells & carrier == 0) {
            let taken = carrier | battleship;
            let free_of_both = free(taken);
            for (destroyer, free_of_one) in threes.iter().zip(&free_of_threes) {
                if destroyer & taken != 0 {
                    continue;
                }
                let (taken, free) = (taken | destroyer, both(free_of_both, *free_of_one));
                for (submarine, free_of_other) in threes.iter().zip(&free_of_threes) {
                    if submarine & taken == 0 {
                        let free = both(free, *free_of_other);
                        fleets += free
                            .iter()
                            .map(|word| u64::from(word.count_ones()))
                            .sum::<u64>();
                    }
                }
            }
        }
    }
    fleets
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let game = Game::standard();
    let start = Instant::now();
    let plain = black_box(plain());
    let plain_time = start.elapsed();
    let times = (0..ROUNDS).map(|_| {
        let shooter = Greedy::new(&game, 1);
        let start = Instant::now();
        let fleets = black_box(shooter.fleets());
        (start.elapsed(), fleets)
    });
    let mut times: Vec<_> = times.collect();
    times.sort_by_key(|(time, _)| *time);
    let (median, fleets) = times[times.len() / 2];
    assert_eq!(format!("{fleets:.0}"), plain.to_string());
    writeln!(
        out,
        "blank standard board, one core: {plain} fleets\n  \
         the count and the chance of every place of every ship {median:.1?} (median of {ROUNDS}); the count \
         alone by nested loops {plain_time:.1?}, {:.0} times as long",
        plain_time.as_secs_f64() / median.as_secs_f64()
    )
}
