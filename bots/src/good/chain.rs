//! Fleets too large to count: a chain of fleets, each made from the one before by counting a few of its ships again.
//!
//! Block Gibbs sampling: all ships but a few stay where they are, these few are counted exactly as if the others were
//! water, and drawn again from that count. Each count also says how likely all places of its ships are; the mean of that
//! over the chain (Rao-Blackwell) tends to the posterior faster than the fleets alone would.

use battleship::CellSet;
use battleship::seeded::SeededRng;

use super::count::count;
use super::grid::real;
use super::lines::Lines;
use super::posterior::Fleet;
use super::prior::Prior;
use super::sight::Sight;

/// The most ships that are counted again at a time.
const BLOCK: usize = 4;
/// The steps that the count of a block may take, and what it costs besides.
const BLOCK_STEPS: f64 = 200.0;
const BLOCK_OVERHEAD: f64 = 10.0;
/// The number of places that a search for a first fleet may try.
const SEARCH: usize = 20_000;

/// How likely each place of each ship is, as the chain has it after `steps` steps (those of [`count`]). `fleet` is the
/// fleet that it ended with before, if there was one; it is brought up to date. Returns `None` if no fleet is found that agrees
/// with `sight`.
pub(super) fn sample(
    sight: &Sight,
    prior: &Prior,
    fleet: &mut Option<Fleet>,
    steps: f64,
    rng: &mut SeededRng,
) -> Option<Vec<Lines>> {
    let mut current = first_fleet(sight, prior, fleet.as_deref(), rng)?;
    let mut sums = vec![Lines::ZERO; prior.ships.len()];
    let mut counts = vec![0_usize; prior.ships.len()];
    let mut rest = steps;
    let mut turn: Vec<usize> = Vec::new();
    // Every ship is counted at least once, even if that is over the budget: each needs its places.
    while rest > 0.0 || counts.contains(&0) {
        // All ships take their turns, in ever new groups: a fixed grouping would never move two ships of different groups
        // at once, and could get stuck where they block each other.
        if turn.is_empty() {
            turn = (0..prior.ships.len()).collect();
            rng.shuffle(&mut turn);
        }
        // As many at a time as are counted soon: the larger the block, the less the next fleet is like the last one. One
        // ship alone is always counted soon.
        let counted = (1..=BLOCK.min(turn.len())).rev().find_map(|size| {
            let block = &turn[turn.len() - size..];
            let limit = if size == 1 { f64::INFINITY } else { BLOCK_STEPS };
            let (sight, prior) = only(block, sight, prior, &current);
            Some((size, count(&sight, &prior, limit)?))
        });
        let (size, (posterior, used)) = counted.expect("the count of one ship has no limit");
        let block = turn.split_off(turn.len() - size);
        // Without the overhead, blocks that need hardly a step would run for ever.
        rest -= used + BLOCK_OVERHEAD;
        for (index, ship) in block.iter().enumerate() {
            // The chances of the whole block, not only the fleet that is drawn from them: the mean is then much less noisy.
            sums[*ship].add_scaled(1.0, &posterior.places_of(index));
            counts[*ship] += 1;
        }
        // A draw fails if its ships collide too often. The chain then goes on from the same fleet.
        if let Some(drawn) = posterior.draw(1, rng).pop() {
            for (ship, cells) in block.iter().zip(drawn) {
                current[*ship] = cells;
            }
        }
    }
    *fleet = Some(current);
    Some(sums.iter().zip(&counts).map(|(sum, count)| sum.scaled(1.0 / real(*count))).collect())
}

/// What is seen and believed of the ships in `block` alone, where the others of the fleet are water.
fn only(block: &[usize], sight: &Sight, prior: &Prior, fleet: &Fleet) -> (Sight, Prior) {
    let others = fleet.iter().enumerate().filter(|(ship, _)| !block.contains(ship));
    let fixed: CellSet = others.map(|(_, cells)| *cells).collect();
    let sight = Sight {
        // To the block, the cells of the other ships are as good as misses, and their hits are explained.
        misses: sight.misses | fixed,
        hits: sight.hits - fixed,
        wrecks: block.iter().map(|ship| sight.wrecks[*ship]).collect(),
        ..*sight
    };
    let prior = Prior {
        ships: block.iter().map(|ship| prior.ships[*ship]).collect(),
        tables: prior.tables.clone(),
        is_uniform: prior.is_uniform,
    };
    (sight, prior)
}

/// A fleet that agrees with `sight`, as near to the one `before` as a quick search finds it.
fn first_fleet(
    sight: &Sight,
    prior: &Prior,
    before: Option<&[CellSet]>,
    rng: &mut SeededRng,
) -> Option<Fleet> {
    let mut places: Vec<Vec<CellSet>> =
        (0..prior.ships.len()).map(|ship| possible_places(ship, sight, prior)).collect();
    (0..4).find_map(|_| {
        for (ship, places) in places.iter_mut().enumerate() {
            rng.shuffle(places);
            // The place of the last move comes first: mostly it still fits, and the chain goes on where it was.
            let old =
                before.and_then(|fleet| places.iter().position(|place| *place == fleet[ship]));
            if let Some(old) = old {
                places.swap(0, old);
            }
        }
        let mut search = Search { places: &places, sight, budget: SEARCH };
        let mut fleet = vec![CellSet::EMPTY; places.len()];
        search.complete(&mut fleet, CellSet::EMPTY).then_some(fleet)
    })
}

/// Where that ship can be as far as its own cells tell.
fn possible_places(ship: usize, sight: &Sight, prior: &Prior) -> Vec<CellSet> {
    let (length, table) = prior.ships[ship];
    let lines = prior.tables[table].nonzero();
    let cells = lines.map(|(line, _)| line.cells(length));
    cells.filter(|cells| sight.allows(ship, *cells)).collect()
}

struct Search<'s> {
    places: &'s [Vec<CellSet>],
    sight: &'s Sight,
    budget: usize,
}

impl Search<'_> {
    /// Gives places to the ships of `fleet` that have none: to the sunk ones, then to those on the hits, then
    /// to the one with the fewest places left.
    fn complete(&mut self, fleet: &mut Fleet, taken: CellSet) -> bool {
        let missing = |ship: &usize| fleet[*ship].is_empty();
        let ships: Vec<usize> = (0..fleet.len()).filter(missing).collect();
        // A place that explains something has few alternatives, so a wrong one is found out early. Where all is
        // explained, the ship with the fewest places left is the likeliest to fail.
        let open = self.sight.hits - taken;
        let free =
            |ship: usize| self.places[ship].iter().filter(|cells| (**cells & taken).is_empty());
        let choices: Vec<usize> =
            match (ships.iter().find(|ship| !self.sight.is_afloat(**ship)), open.first()) {
                (Some(sunk), _) => vec![*sunk],
                (None, Some(_)) => ships,
                (None, None) => {
                    ships.into_iter().min_by_key(|ship| free(*ship).count()).into_iter().collect()
                }
            };
        if choices.is_empty() {
            return open.is_empty();
        }
        for ship in choices {
            for index in 0..self.places[ship].len() {
                let cells = self.places[ship][index];
                let covers = !self.sight.is_afloat(ship)
                    || open.first().is_none_or(|hit| cells.contains(hit));
                if !covers || !(cells & taken).is_empty() {
                    continue;
                }
                // Full boards can take a time that grows exponentially. The caller begins anew, in another order.
                let Some(rest) = self.budget.checked_sub(1) else { return false };
                self.budget = rest;
                fleet[ship] = cells;
                if self.complete(fleet, taken | cells) {
                    return true;
                }
                fleet[ship] = CellSet::EMPTY;
            }
        }
        false
    }
}
