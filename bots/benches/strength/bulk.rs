//! Greedy shooters that believe something of how their opponent places, quick enough for thousands of games.
//!
//! A shooter has a sample of fleets of the distribution that it believes in. It attacks the cell that most of those
//! fleets cover that agree with what it has seen. Where few are left, it renews them by steps of a Markov chain whose
//! limit is the believed distribution.

use battleship::seeded::SeededRng;

use crate::fleets::{Fleet, PLACES, cells, indices, random};

/// Fleets in the sample of a belief.
pub(crate) const SAMPLE: usize = 20_000;
/// The number of fleets below which this number of new ones is made.
const FEW: usize = 150;
const FRESH: usize = 500;
/// Steps of the chain for each of them.
const STEPS: usize = 4;

/// A distribution of fleets that a shooter believes in.
pub(crate) struct Belief {
    sample: Vec<Fleet>,
    /// The likelihood of a fleet, up to a factor.
    weight: Box<dyn Fn(&Fleet) -> f64 + Sync>,
}

impl Belief {
    /// A belief with fleets as `draw` draws them, each as likely as `weight` says, up to a factor.
    pub(crate) fn new(
        draw: impl Fn(&mut SeededRng) -> Fleet,
        weight: impl Fn(&Fleet) -> f64 + Sync + 'static,
        seed: u64,
    ) -> Belief {
        let mut rng = SeededRng::in_domain(seed, 29);
        let sample = (0..SAMPLE).map(|_| draw(&mut rng)).collect();
        Belief {
            sample,
            weight: Box::new(weight),
        }
    }

    /// All fleets are equally likely.
    pub(crate) fn uniform(seed: u64) -> Belief {
        Belief::new(random, |_| 1.0, seed)
    }
}

/// The shots that have been seen of a fleet.
#[derive(Default)]
struct Seen {
    misses: u128,
    hits: u128,
    /// By ship: the shot that sank it, and all hits up to that.
    sunk: [Option<(u128, u128)>; 5],
}

impl Seen {
    /// Whether the fleet agrees with what was seen.
    fn allows(&self, fleet: &Fleet) -> bool {
        let all = cells(fleet);
        all & self.misses == 0
            && self.hits & !all == 0
            && fleet
                .iter()
                .enumerate()
                .all(|(id, ship)| self.allows_ship(id, *ship))
    }

    /// Whether the ship can lie there, apart from the others.
    fn allows_ship(&self, id: usize, ship: u128) -> bool {
        ship & self.misses == 0
            && match self.sunk[id] {
                None => ship & !self.hits != 0,
                Some((last, hits)) => ship & last != 0 && ship & !hits == 0,
            }
    }
}

/// Sinks `fleet` as a greedy shooter with that belief would, or one that takes all fleets for equally likely once no
/// fleet that it believed possible agrees with what it has seen. Returns the attacked cells in order, as sets.
pub(crate) fn sink(
    fleet: &Fleet,
    belief: &Belief,
    uniform: &Belief,
    rng: &mut SeededRng,
) -> Vec<u128> {
    let (mut seen, mut attacks) = (Seen::default(), Vec::new());
    let mut believed = belief;
    let mut possible = belief.sample.clone();
    let target = cells(fleet);
    while seen.hits != target {
        if possible.len() < FEW {
            possible = renewed(possible, believed, &seen, rng);
        }
        if possible.is_empty() && !std::ptr::eq(believed, uniform) {
            believed = uniform;
            possible = uniform
                .sample
                .iter()
                .copied()
                .filter(|fleet| seen.allows(fleet))
                .collect();
            possible = renewed(possible, believed, &seen, rng);
        }
        let at = most_likely(&possible, &seen, rng);
        attacks.push(at);
        if target & at == 0 {
            seen.misses |= at;
        } else {
            seen.hits |= at;
            let id = fleet
                .iter()
                .position(|ship| ship & at != 0)
                .expect("a ship is there");
            if fleet[id] & !seen.hits == 0 {
                seen.sunk[id] = Some((at, seen.hits));
            }
        }
        possible.retain(|fleet| seen.allows(fleet));
    }
    attacks
}

/// The cell that most of the fleets cover, any of several; without fleets, one beside a hit, else any.
fn most_likely(possible: &[Fleet], seen: &Seen, rng: &mut SeededRng) -> u128 {
    let open = !(seen.hits | seen.misses) & ((1 << 100) - 1);
    let mut counts = [0_u32; 128];
    for fleet in possible {
        for cell in indices(cells(fleet) & open) {
            counts[cell] += 1;
        }
    }
    if possible.is_empty() {
        let near = seen.hits << 1 | seen.hits >> 1 | seen.hits << 10 | seen.hits >> 10;
        indices(near & open).for_each(|cell| counts[cell] += 1);
    }
    let most = indices(open).map(|cell| counts[cell]).max().unwrap_or(0);
    let best: Vec<usize> = indices(open).filter(|cell| counts[*cell] == most).collect();
    1 << rng.choose(&best).expect("a ship is afloat")
}

/// As many fleets as make a good sample, each some steps of the chain from one of `possible`.
fn renewed(possible: Vec<Fleet>, belief: &Belief, seen: &Seen, rng: &mut SeededRng) -> Vec<Fleet> {
    let Some(first) = possible.first().copied() else {
        return possible;
    };
    let (mut fresh, mut ways) = (Vec::with_capacity(FRESH), Vec::new());
    // By ship, the places that agree with what was seen.
    let places: [Vec<u128>; 5] = std::array::from_fn(|id| {
        PLACES[id]
            .iter()
            .copied()
            .filter(|ship| seen.allows_ship(id, *ship))
            .collect()
    });
    for number in 0..FRESH {
        let mut fleet = possible
            .get(number % possible.len())
            .copied()
            .unwrap_or(first);
        for _ in 0..STEPS {
            step(&mut fleet, &places, belief, seen, rng, &mut ways);
        }
        fresh.push(fleet);
    }
    // The old ones stay: they are of the right distribution too.
    fresh.extend(possible);
    fresh
}

/// A step of the chain: a ship is put where it can lie beside the others, by weight (Gibbs). One time in four another ship is put
/// anywhere before, and the step taken with the probability that makes up for that (Metropolis and Hastings); else ships
/// that lie on hits could never exchange them.
fn step(
    fleet: &mut Fleet,
    places: &[Vec<u128>; 5],
    belief: &Belief,
    seen: &Seen,
    rng: &mut SeededRng,
    ways: &mut Vec<(u128, f64)>,
) {
    let id = rng.below(5);
    let mut moved = *fleet;
    let mut needed = 0.0;
    if rng.below(4) == 0 {
        let first = (id + 1 + rng.below(4)) % 5;
        moved[first] = rng
            .choose(&places[first])
            .expect("the fleet's own place is one");
        moved[id] = 0;
        let others = moved
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != first);
        if others.fold(0, |all, (_, ship)| all | ship) & moved[first] != 0 {
            return;
        }
        needed = rng.unit() * find_ways(fleet, id, places, belief, seen, ways);
    }
    let total = find_ways(&moved, id, places, belief, seen, ways);
    if total <= needed {
        return;
    }
    let mut left = rng.unit() * total;
    let chosen = ways.iter().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    if let Some((ship, _)) = chosen {
        moved[id] = *ship;
        *fleet = moved;
    }
}

/// Writes the places of the ship `id` into `ways` with which the fleet agrees with what was seen, each with the fleet's weight,
/// and returns the sum of the weights.
fn find_ways(
    fleet: &Fleet,
    id: usize,
    places: &[Vec<u128>; 5],
    belief: &Belief,
    seen: &Seen,
    ways: &mut Vec<(u128, f64)>,
) -> f64 {
    let mut changed = *fleet;
    changed[id] = 0;
    let rest = cells(&changed);
    let needed = seen.hits & !rest;
    ways.clear();
    let mut total = 0.0;
    for ship in &places[id] {
        if ship & rest == 0 && needed & !ship == 0 {
            changed[id] = *ship;
            let weight = (belief.weight)(&changed);
            total += weight;
            ways.push((*ship, weight));
        }
    }
    total
}
