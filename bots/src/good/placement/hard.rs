//! Fleets that take long to find.
//!
//! Most strong players attack the cell through which most places of ships still possible go, so all
//! of them come late to the same fleets. How late is found by playing such a shooter on a fleet. A
//! part of it is due to each ship by itself: few places go through a corner, so a patrol boat there
//! lasts long. Of that part most is left out of account: a shooter that knows this method would
//! begin in the corners.

use battleship::Game;

use super::fleets::Fleet;
use crate::good::beliefs::{lasting, table};
use crate::good::cells::{SIZE, real};
use crate::good::sample::PlaceWeights;
use crate::good::tally::Tally;
use crate::good::yard::{PlaceIndex, Yard};

/// By round of the contest of fleets: how often each is played on. The better half of them comes
/// into the next round.
const ROUNDS: [usize; 4] = [1, 1, 2, 4];
/// The factor by which a place is likelier for each further hit that it lies on.
const PER_HIT: u64 = 40;
/// The weight of the expectation of a fleet before it is played on, as a number of games on it: the
/// variance of a game is 59 square attacks, that of fleets around the expectation 15.
const PRIOR: f64 = 4.0;
/// The share of what ships by themselves add to the attacks that is left out of account.
const LEFT_OUT: f64 = 0.6;

/// Plays a shooter that counts places on fleets of one game.
#[derive(Debug)]
pub(super) struct Range {
    board: u128,
    /// By kind and place: the places that reflections and rotations of the board take it to.
    images: Vec<Vec<Vec<PlaceIndex>>>,
    /// By kind and place: how many attacks more than on average a ship there takes.
    lasting: PlaceWeights,
    /// The attacks of the shooter as long as it hits nothing.
    search: Vec<u128>,
}

/// A fleet in the contest.
struct Entrant {
    number: usize,
    /// The attacks that its ships by themselves add.
    expected: f64,
    /// The attacks in all games on it.
    attacks: f64,
}

impl Range {
    pub(super) fn new(game: &Game, yard: &Yard) -> Range {
        let images: Vec<_> = yard.kinds.iter().map(|kind| kind.mirrored(game)).collect();
        let lasting = lasting(game, yard).unwrap_or_else(|| table(yard, |_, _| 0.0));
        let board = game.cells().bits();
        let mut untried = board;
        let mut search = Vec::new();
        let mut open = Open::new(yard, 0);
        while !open.cells.is_empty() {
            let target = open.best(0, untried);
            untried &= !target;
            search.push(target);
            open.retain(|_, cells| cells & target == 0);
        }
        Range {
            board,
            images,
            lasting,
            search,
        }
    }

    /// Returns which of the fleets is the hardest to find: in each round all are played on, by a
    /// shooter that begins in another corner each time, and the better half continues. `None` if
    /// there are none.
    pub(super) fn hardest(&self, yard: &Yard, fleets: &[&Fleet]) -> Option<usize> {
        let entrant = |(number, fleet): (usize, &&Fleet)| {
            let lasting =
                |(kind, place): (&usize, PlaceIndex)| self.lasting[*kind][usize::from(place)];
            let expected = yard.ships.iter().zip(fleet.places()).map(lasting).sum();
            Entrant {
                number,
                expected,
                attacks: 0.0,
            }
        };
        let mut left: Vec<Entrant> = fleets.iter().enumerate().map(entrant).collect();
        let mut games = 0;
        let mut first = None;
        for rounds in ROUNDS {
            for entrant in &mut left {
                for game in games..games + rounds {
                    entrant.attacks += real(self.attacks(yard, fleets[entrant.number], game));
                }
            }
            games += rounds;
            let mean = *first.get_or_insert_with(|| {
                left.iter().map(|entrant| entrant.attacks).sum::<f64>() / real(left.len().max(1))
            });
            let hard = |of: &Entrant| {
                (PRIOR * (mean + of.expected) + of.attacks) / (PRIOR + real(games))
                    - LEFT_OUT * of.expected
            };
            left.sort_by(|one, other| hard(other).total_cmp(&hard(one)));
            left.truncate(left.len().div_ceil(2));
        }
        left.first().map(|entrant| entrant.number)
    }

    /// The attacks of a shooter that counts places, on that image of the fleet.
    pub(super) fn attacks(&self, yard: &Yard, fleet: &Fleet, image: usize) -> usize {
        let place = |(kind, place): (&usize, PlaceIndex)| {
            let images = &self.images[*kind][usize::from(place)];
            usize::from(images[image % images.len()])
        };
        let places: Vec<usize> = yard.ships.iter().zip(fleet.places()).map(place).collect();
        let cells = |ship: usize| yard.kind_of(ship).cells[places[ship]];
        let all = (0..places.len()).fold(0, |all, ship| all | cells(ship));
        // Up to the first hit it is the same search for all fleets.
        let mut attacks = self
            .search
            .iter()
            .position(|cell| cell & all != 0)
            .unwrap_or(0);
        let missed = self.search[..attacks]
            .iter()
            .fold(0, |all, cell| all | cell);
        let mut open = Open::new(yard, missed);
        let mut untried = self.board & !missed;
        let mut hits = 0;
        let mut afloat = places.len();
        while afloat > 0 {
            let target = open.best(hits, untried);
            untried &= !target;
            attacks += 1;
            let Some(ship) = (0..places.len()).find(|ship| cells(*ship) & target != 0) else {
                open.retain(|_, cells| cells & target == 0);
                continue;
            };
            hits |= target;
            if cells(ship) & untried == 0 {
                hits &= !cells(ship);
                afloat -= 1;
                let room = yard.kind_of(ship).room[places[ship]];
                open.retain(|other, cells| usize::from(other) != ship && cells & room == 0);
            }
        }
        attacks
    }
}

/// Places that ships afloat can have, by what was seen.
struct Open {
    ships: Vec<u8>,
    cells: Vec<u128>,
}

impl Open {
    /// Those on none of the cells that were missed.
    fn new(yard: &Yard, missed: u128) -> Open {
        let mut open = Open {
            ships: Vec::with_capacity(1024),
            cells: Vec::with_capacity(1024),
        };
        for (ship, number) in yard.ships.iter().zip(0..) {
            let free = yard.kinds[*ship]
                .cells
                .iter()
                .filter(|cells| *cells & missed == 0);
            open.cells.extend(free);
            open.ships.resize(open.cells.len(), number);
        }
        open
    }

    fn retain(&mut self, stays: impl Fn(u8, u128) -> bool) {
        let mut kept = 0;
        for place in 0..self.cells.len() {
            let ship = self.ships[place];
            let cells = self.cells[place];
            (self.ships[kept], self.cells[kept]) = (ship, cells);
            kept += usize::from(stays(ship, cells));
        }
        self.ships.truncate(kept);
        self.cells.truncate(kept);
    }

    /// The first cell through which most places go; where ships are hit, places on hits, each
    /// counted more the more of them it lies on.
    fn best(&self, hits: u128, untried: u128) -> u128 {
        if hits == 0 {
            return Tally::most_of(self.cells.len(), |place| self.cells[place], untried, 1);
        }
        let mut counts = [0_u64; SIZE * SIZE];
        for cells in &self.cells {
            let on = (cells & hits).count_ones();
            let mut left = if on > 0 { cells & untried } else { 0 };
            while left != 0 {
                counts[left.trailing_zeros() as usize] += PER_HIT.pow(on - 1);
                left &= left - 1;
            }
        }
        let most = (0..counts.len()).rev().max_by_key(|cell| counts[*cell]);
        most.map_or(0, |cell| 1 << cell)
    }
}
