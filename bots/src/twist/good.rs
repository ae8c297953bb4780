use battleship::protocol::{Order, OrderResult};
use battleship::seeded::SeededRng;
use battleship::twist::{Admiral, Cell, CellSet, Fleet, UnitId, UnitKind};
use battleship::{Placement, Point};

use super::belief::{Belief, Chances};
use super::fleet::random_placements;
use super::logbook::Logbook;

/// Searches with its submarines, sinks first what could move away, and last what cannot.
#[derive(Debug)]
pub struct GoodAdmiral {
    name: String,
    rng: SeededRng,
    log: Logbook,
    belief: Belief,
    /// Whether the opponent may have moved since the last own order.
    quiet: bool,
}

/// What a shot that surely hits is worth, by the kind of the unit that it hits.
fn worth(kind: UnitKind) -> f64 {
    match kind {
        UnitKind::Battleship => par("WB", 0.2),
        UnitKind::Support => par("WS", 1.5),
        UnitKind::Submarine => par("WE", 3.0),
    }
}
pub(super) fn par(n: &str, d: f64) -> f64 {
    std::env::var(n).map_or(d, |s| s.parse().unwrap())
} //DBG

/// What a bit of information is worth.
const BIT: f64 = 0.1;

impl GoodAdmiral {
    /// A player called `name`. The same seed gives the same play.
    #[must_use]
    pub fn new(name: &str, seed: u64) -> GoodAdmiral {
        let mut rng = SeededRng::new(seed);
        let belief = Belief::new(&mut rng);
        GoodAdmiral { name: name.to_owned(), rng, log: Logbook::default(), belief, quiet: false }
    }

    fn choose(&mut self) -> Option<(UnitId, Cell)> {
        let fleet = self.log.fleet()?.clone();
        let chances = self.belief.chances();
        let shot = best_shot(&fleet, &chances);
        let search = best_search(&fleet, &chances);
        if std::env::var("DBG").is_ok() {
            eprintln!("shot {shot:?} search {search:?} {}", self.belief.dbg());
        } //DBG
        let best = match (shot, search) {
            (Some((fire, gain)), Some((_, insight))) if gain >= insight => Some(fire),
            (_, Some((search, _))) => Some(search),
            (Some((fire, _)), None) => Some(fire),
            (None, None) => None,
        };
        best.or_else(|| dodge(&fleet, &mut self.rng))
    }
}

/// The shot that is worth most, with its worth; nothing without a battleship.
fn best_shot(fleet: &Fleet, chances: &Chances) -> Option<((UnitId, Cell), f64)> {
    let gun = fleet.afloat().find(|unit| unit.kind() == UnitKind::Battleship)?.id();
    let gain = |cell| UnitKind::ALL.map(|kind| worth(kind) * chances.of(kind, cell)).iter().sum();
    let shots = Cell::all().map(|cell| ((gun, cell), gain(cell)));
    shots.max_by(|(_, one), (_, other)| f64::total_cmp(one, other))
}

/// The search that tells most, with its worth; nothing without a submarine.
fn best_search(fleet: &Fleet, chances: &Chances) -> Option<((UnitId, Cell), f64)> {
    let bits: Vec<f64> = Cell::all()
        .map(|cell| {
            bits(chances.of(UnitKind::Support, cell) + chances.of(UnitKind::Submarine, cell))
                + par("BB", 0.5) * bits(chances.of(UnitKind::Battleship, cell))
        })
        .collect();
    let insight = |cell| -> f64 {
        let area = CellSet::around(cell, 2);
        par("BIT", 0.14) * area.iter().map(|cell| bits[super::lines::index(cell)]).sum::<f64>()
    };
    let submarines = fleet.afloat().filter(|unit| unit.kind() == UnitKind::Submarine);
    let searches = submarines.flat_map(|unit| {
        fleet
            .destinations(unit.id())
            .iter()
            .map(|cell| ((unit.id(), cell), insight(cell)))
            .collect::<Vec<_>>()
    });
    searches.max_by(|(_, one), (_, other)| f64::total_cmp(one, other))
}

/// The entropy of a yes or no of that chance.
fn bits(chance: f64) -> f64 {
    let part = |p: f64| if p <= 0.0 { 0.0 } else { -p * libm::log2(p) };
    part(chance) + part(1.0 - chance)
}

/// Some move, to be somewhere else.
fn dodge(fleet: &Fleet, rng: &mut SeededRng) -> Option<(UnitId, Cell)> {
    let units: Vec<UnitId> = fleet.afloat().map(battleship::twist::Unit::id).collect();
    let unit = rng.choose(&units)?;
    let cells: Vec<Cell> = fleet.destinations(unit).iter().collect();
    Some((unit, rng.choose(&cells)?))
}

impl Admiral for GoodAdmiral {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.log.place(&random_placements(&mut self.rng))
    }

    fn recommend_order(&mut self) -> Order {
        if self.quiet {
            self.belief.enemy_moved(&mut self.rng);
        }
        let nowhere = (UnitId::ALL[0], Cell::all().next().expect("the grid has cells"));
        let (unit, target) = self.choose().unwrap_or(nowhere);
        self.log.order(unit, target)
    }

    fn record_result(&mut self, order: Order, result: &OrderResult) {
        if let Some((_, target, outcome)) = self.log.record(order, result) {
            self.belief.learn(target, outcome, &mut self.rng);
        }
        self.quiet = true;
    }

    fn record_shot_by_opponent(&mut self, at: Point) {
        self.log.record_shot(at);
        self.belief.enemy_fired();
        self.quiet = false;
    }
}
