//! Standard fleets as sets of cells, and distributions to draw them from.

use std::sync::LazyLock;

use battleship::seeded::SeededRng;
use battleship::{Board, CellSet, Direction, Game};

const SHIPS: usize = 5;
/// The number of rows and columns.
const SIZE: u32 = 10;
const BOARD: u128 = (1 << 100) - 1;
/// The first column.
const FIRST: u128 = BOARD / ((1 << SIZE) - 1);

/// By ship id, the cells of the ship: bit 10 r + c for the cell (r,c), as in [`CellSet::bits`].
pub(crate) type Fleet = [u128; SHIPS];

/// The cells of all ships.
pub(crate) fn cells(fleet: &Fleet) -> u128 {
    fleet.iter().fold(0, |all, ship| all | ship)
}

/// The indices of the cells of a set.
pub(crate) fn indices(mut cells: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = usize::try_from(cells.trailing_zeros()).expect("at most 128");
        cells &= cells.wrapping_sub(1);
        (index < 128).then_some(index)
    })
}

/// The sum over the cells of a set.
pub(crate) fn sum_over(cells: u128, by_cell: &[f64; 100]) -> f64 {
    indices(cells).map(|cell| by_cell[cell]).sum()
}

/// Puts the fleet on an empty board.
pub(crate) fn put(fleet: &Fleet, board: &mut Board<'_>) {
    for (ship, bits) in fleet.iter().enumerate() {
        let start = CellSet::from_bits(*bits).first().expect("a ship has cells");
        let is_vertical = bits & bits >> SIZE != 0;
        let direction = if is_vertical {
            Direction::Vertical
        } else {
            Direction::Horizontal
        };
        board
            .place_ship(start, ship, direction)
            .expect("the ships are apart");
    }
}

/// By ship id, all places of the ship.
pub(crate) static PLACES: LazyLock<[Vec<u128>; SHIPS]> = LazyLock::new(|| {
    let game = Game::standard();
    std::array::from_fn(|ship| {
        let lines = game.points().flat_map(|point| {
            Direction::BOTH.map(|way| CellSet::line(point, way, game.ship_length(ship)))
        });
        lines.flatten().map(CellSet::bits).collect()
    })
});

/// A fleet drawn uniformly from all.
pub(crate) fn random(rng: &mut SeededRng) -> Fleet {
    'again: loop {
        let (mut fleet, mut taken) = ([0; SHIPS], 0);
        for (ship, places) in fleet.iter_mut().zip(PLACES.iter()) {
            *ship = rng.choose(places).expect("each ship has places");
            if *ship & taken != 0 {
                continue 'again;
            }
            taken |= *ship;
        }
        return fleet;
    }
}

/// The cells beside those of a set, and those of the set.
fn beside(cells: u128, way: Direction) -> u128 {
    match way {
        Direction::Horizontal => cells | cells << 1 & !FIRST & BOARD | (cells & !FIRST) >> 1,
        Direction::Vertical => cells | cells << SIZE & BOARD | cells >> SIZE,
    }
}

/// The number of pairs of ships that have neighbouring cells, also diagonally if `corners` count.
fn touching(fleet: &Fleet, corners: bool) -> usize {
    let of_ship = |(id, ship): (usize, &u128)| {
        let across = beside(*ship, Direction::Horizontal);
        let around = beside(if corners { across } else { *ship }, Direction::Vertical) | across;
        fleet[id + 1..]
            .iter()
            .filter(|other| *other & around != 0)
            .count()
    };
    fleet.iter().enumerate().map(of_ship).sum()
}

/// The number of cells on the edge of the board.
fn on_edge(fleet: &Fleet) -> u32 {
    let row = (1 << SIZE) - 1;
    let edge = FIRST | FIRST << (SIZE - 1) | row | row << (SIZE * (SIZE - 1));
    (cells(fleet) & edge).count_ones()
}

/// A distribution of fleets. All but the last are uniform among the fleets of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Drawn {
    Uniform,
    /// No ships beside each other.
    Apart,
    /// Nor at their corners.
    Aloof,
    /// At least 9 of 17 cells on the edge of the board.
    Edge,
    /// At most one cell on the edge of the board.
    Inner,
    /// Every cell equally often occupied.
    Flat,
}

impl Drawn {
    pub(crate) fn draw(self, rng: &mut SeededRng) -> Fleet {
        if self == Drawn::Flat {
            return flat(rng);
        }
        loop {
            let fleet = random(rng);
            if self.weight(&fleet) > 0.0 {
                return fleet;
            }
        }
    }

    /// Returns the likelihood of the fleet, up to a factor.
    pub(crate) fn weight(self, fleet: &Fleet) -> f64 {
        let is_one = match self {
            Drawn::Uniform => true,
            Drawn::Apart => touching(fleet, false) == 0,
            Drawn::Aloof => touching(fleet, true) == 0,
            Drawn::Edge => on_edge(fleet) >= 9,
            Drawn::Inner => on_edge(fleet) <= 1,
            Drawn::Flat => return sum_over(cells(fleet), &TILT).exp(),
        };
        f64::from(u8::from(is_one))
    }
}

/// Draws a fleet with a probability in proportion to exp(sum of [`TILT`] over its cells): one of some uniform ones, each
/// as likely as it weighs (sampling, importance, resampling).
fn flat(rng: &mut SeededRng) -> Fleet {
    const DRAWN: usize = 300;
    let fleets: Vec<Fleet> = (0..DRAWN).map(|_| random(rng)).collect();
    let weights: Vec<f64> = fleets
        .iter()
        .map(|fleet| sum_over(cells(fleet), &TILT).exp())
        .collect();
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    fleets[chosen.unwrap_or(0)]
}

/// By cell, what makes the fleets drawn by these weights cover all cells equally often: the distribution of most entropy
/// that does. Cells that a rotation or reflection takes to each other have the same number.
static TILT: LazyLock<[f64; 100]> = LazyLock::new(|| {
    const FLEETS: u32 = 60_000;
    const STEPS: u32 = 150;
    let class = |cell: usize| {
        let (row, col) = (cell / 10, cell % 10);
        let (row, col) = (row.min(9 - row), col.min(9 - col));
        5 * row.min(col) + row.max(col)
    };
    let classes: [usize; 100] = std::array::from_fn(class);
    let mut rng = SeededRng::in_domain(0, 23);
    let pool: Vec<u128> = (0..FLEETS).map(|_| cells(&random(&mut rng))).collect();
    let mut tilt = [0.0; 100];
    for _ in 0..STEPS {
        let (mut covered, mut all) = ([0.0; 25], 0.0);
        for fleet in &pool {
            let weight = sum_over(*fleet, &tilt).exp();
            all += weight;
            for cell in indices(*fleet) {
                covered[classes[cell]] += weight;
            }
        }
        for (cell, tilt) in tilt.iter_mut().enumerate() {
            let alike = classes
                .iter()
                .filter(|class| **class == classes[cell])
                .count();
            let wanted = 0.17 * all * f64::from(u32::try_from(alike).expect("at most 8"));
            // Iterative scaling, of a step that is short enough although each fleet has many cells.
            *tilt += 0.4 * (wanted / covered[classes[cell]]).ln();
        }
    }
    tilt
});
