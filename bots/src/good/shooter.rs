//! The choice of the cell to attack.

use std::sync::Arc;
use std::time::Duration;

use battleship::{AttackResult, CellSet, Game, Point};

use super::cells::{ByCell, SIZE, index, real};
use super::memory::Memory;
use super::salvo::{spread, swaps};
use super::sample::{Mixture, Options, Sample};
use super::sight::Sight;
use super::thinking::{Clock, Thinking};
use super::trials::{Trial, left, race};
use super::yard::Yard;

/// The number of cells that are tried out.
const CANDIDATES: usize = 8;
/// The cells of a salvo are exchanged so often, less once.
const ROUNDS: usize = 3;
/// Cells that are less likely to hit than this share of the best are not tried out.
const WORTH_A_TRY: f64 = 0.6;

/// Source of the chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Basis {
    /// All fleets that agree with what was seen: their number.
    All(usize),
    /// Some of them: how many.
    Sample(usize),
    /// Each ship on its own, since no fleet is known that agrees with what was seen.
    Alone,
}

/// Beliefs of a player before an attack.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    pub(super) basis: Basis,
    /// Chance that a shot at each cell hits; 0 for cells attacked.
    pub(super) cells: ByCell,
}

/// The cells of a salvo, and why. An attack is a salvo of one shot.
#[derive(Clone, Debug)]
pub(super) struct ChosenAttack {
    pub(super) cells: CellSet,
    pub(super) chances: Chances,
    pub(super) trials: Vec<Trial>,
}

/// Watches one opponent's board and decides where to attack it. What it decides depends on what it
/// has seen and remembers, and on its seed; on a clock only if its time runs out.
#[derive(Clone, Debug)]
pub struct Shooter {
    pub(super) sight: Sight,
    /// In order.
    attacks: Vec<Point>,
    yard: Arc<Yard>,
    pub(super) mixture: Arc<Mixture>,
    thinking: Thinking,
    limit: Option<Duration>,
    seed: u64,
    /// Fleets that agree with what was seen; `None` before the first attack.
    pub(super) sample: Option<Sample>,
    /// Whether these are all there are, each once.
    is_complete: bool,
}

impl Shooter {
    /// A shooter at an opponent of which that is remembered.
    #[must_use]
    pub fn at(game: &Game, memory: &mut Memory, thinking: Thinking, seed: u64) -> Shooter {
        let beliefs = memory.beliefs(game);
        Shooter::new(game, beliefs.yard(), beliefs.mixture(), thinking, seed)
    }

    /// A shooter at an opponent all whose fleets are equally likely.
    #[must_use]
    pub fn at_random_fleets(game: &Game, thinking: Thinking, seed: u64) -> Shooter {
        let yard = Arc::new(Yard::new(game));
        Shooter::new(game, yard, Arc::new(Mixture::uniform()), thinking, seed)
    }

    fn new(
        game: &Game,
        yard: Arc<Yard>,
        mixture: Arc<Mixture>,
        thinking: Thinking,
        seed: u64,
    ) -> Shooter {
        let sight = Sight::new(game);
        let attacks = Vec::new();
        let limit = None;
        let sample = None;
        let is_complete = false;
        Shooter {
            sight,
            attacks,
            yard,
            mixture,
            thinking,
            limit,
            seed,
            sample,
            is_complete,
        }
    }

    /// From now on it takes nine tenths of that time for an attack at most. It never takes nearly
    /// as long unless the machine is very busy.
    pub fn limit(&mut self, limit: Duration) {
        self.limit = Some(limit);
    }

    /// From now on it thinks no more than about that time allows for each attack.
    pub fn think_within(&mut self, time: Duration) {
        self.thinking = self.thinking.within(time);
    }

    /// Takes note of the result of an attack.
    pub fn record(&mut self, at: Point, result: AttackResult) {
        self.sight.record(at, result);
        self.attacks.push(at);
        if let Some(sample) = &mut self.sample {
            sample.keep(&self.yard, index(at), result, self.sight.hits.bits());
        }
    }

    /// Whether no ship is known that is hit and afloat.
    pub(super) fn hunts(&self) -> bool {
        let sunk = (0..self.yard.ships.len()).filter(|ship| !self.sight.is_afloat(*ship));
        let lengths: i32 = sunk.map(|ship| self.yard.kind_of(ship).length).sum();
        usize::try_from(lengths) == Ok(self.sight.hits.len())
    }

    /// Returns the cell to attack next, or `None` if all cells were attacked.
    #[must_use]
    pub fn target(&mut self) -> Option<Point> {
        self.choose(1)?.cells.first()
    }

    /// Returns the cells at which to fire that number of shots; fewer if fewer were not attacked.
    #[must_use]
    pub fn salvo(&mut self, shots: usize) -> CellSet {
        self.choose(shots)
            .map_or(CellSet::EMPTY, |choice| choice.cells)
    }

    /// Returns the cells to attack with that number of shots and the reasons, or `None` if all
    /// cells were attacked.
    pub(super) fn choose(&mut self, shots: usize) -> Option<ChosenAttack> {
        let clock = Clock::start(self.limit);
        let chances = self.chances(&clock);
        let chance = |point: &Point| chances.cells[index(*point)];
        let mut points: Vec<Point> = self.sight.untried().into_iter().collect();
        // Of cells that are equally likely any may be the first: a fixed order would let opponents
        // place where good comes last.
        self.sight.rng(self.seed).shuffle(&mut points);
        points.sort_by(|one, other| chance(other).total_cmp(&chance(one)));
        let mut cells: CellSet = points.iter().take(shots).copied().collect();
        let last = *points.iter().take(shots).next_back()?;
        let mut trials = Vec::new();
        // Sure hits are never worse than other attacks, so they need no trials.
        if let Some(sample) = &self.sample
            && self.thinking.trials > 0
            && chance(&last) < 1.0
            && chances.basis != Basis::Alone
            && shots < points.len()
        {
            let mut sets = spread(sample, &points, shots);
            let worth = WORTH_A_TRY * chance(&last);
            points.truncate(shots + CANDIDATES - 1);
            points.retain(|point| chance(point) >= worth);
            let mut seen = sets.clone();
            for _ in 0..ROUNDS {
                if sets.len() > 1 {
                    let yard = &self.yard;
                    let most = self.thinking.trials;
                    let tried = race(yard, &self.sight, sample, sets, shots, most, || {
                        clock.is_up()
                    });
                    let Some((best, _)) = tried.first() else {
                        break;
                    };
                    (cells, trials) = (*best, tried);
                }
                let mut next = swaps(cells, &points, chance);
                next.retain(|set| !seen.contains(set));
                if next.is_empty() {
                    break;
                }
                seen.extend(&next);
                next.insert(0, cells);
                sets = next;
            }
        }
        Some(ChosenAttack {
            cells,
            chances,
            trials,
        })
    }

    /// Returns how likely a shot at each cell is to hit; 0 for those attacked.
    pub(super) fn chances(&mut self, clock: &Clock) -> Chances {
        let sample = self.refresh(clock);
        let many = sample.len();
        let tally = sample.tally();
        if many == 0 {
            let options = Options::new(&self.yard, &self.sight);
            let cells = options.alone(&self.yard, &self.sight);
            return Chances {
                basis: Basis::Alone,
                cells,
            };
        }
        let mut cells = [0.0; SIZE * SIZE];
        for point in self.sight.untried() {
            cells[index(point)] = f64::from(tally.get(index(point))) / real(many);
        }
        let basis = if self.is_complete {
            Basis::All(many)
        } else {
            Basis::Sample(many)
        };
        Chances { basis, cells }
    }

    /// Fleets that agree with what was seen, and enough of them.
    pub(super) fn refresh(&mut self, clock: &Clock) -> &Sample {
        // Another stream than that of the choice.
        let mut rng = self.sight.rng(!self.seed);
        let Thinking {
            drawn,
            few,
            renewed,
            ..
        } = self.thinking;
        let yard = &self.yard;
        let mixture = &self.mixture;
        let sample = self.sample.get_or_insert_with(|| {
            let mut sample = Sample::draw(yard, mixture, drawn, &mut rng, || clock.is_up());
            // A game may be taken up in the middle.
            sample.keep_possible(yard, &self.sight);
            sample
        });
        if !self.is_complete && sample.len() < few {
            let mut options = Options::new(yard, &self.sight);
            if let Some(all) = Sample::list(yard, mixture, &options, few) {
                self.is_complete = mixture.is_uniform();
                *sample = all;
            } else {
                sample.redraw(yard, mixture, &options, renewed, &mut rng, || clock.is_up());
                if sample.len() == 0 {
                    *sample = Sample::search(yard, mixture, &mut options, &mut rng);
                }
                if sample.len() < few {
                    sample.renew(yard, mixture, &options, renewed, &mut rng, || clock.is_up());
                }
            }
        }
        sample
    }

    /// Returns for about `most` fleets of the sample how many attacks it takes to sink each from
    /// here.
    pub(super) fn left(&self, most: usize) -> Vec<u32> {
        if self.sight.afloat().next().is_none() {
            return vec![0];
        }
        self.sample.as_ref().map_or(Vec::new(), |sample| {
            left(&self.yard, &self.sight, sample, most)
        })
    }

    /// Puts what was seen in this game into the memory of the opponent.
    pub(super) fn teach(&mut self, game: &Game, memory: &mut Memory) {
        if self.attacks.is_empty() {
            return;
        }
        // The next reply may be due within the same limit.
        self.refresh(&Clock::start(self.limit.map(|limit| limit / 2)));
        if let Some(sample) = &self.sample {
            memory.beliefs(game).learn(sample, &self.attacks);
        }
    }
}
