//! The good bot of the twist game.

use std::time::Duration;

use battleship::protocol::{Order, OrderResult};
use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, Fleet, OriginalQuirks, Unit, UnitId, UnitKind};
use battleship::{Outcome, Placement, Point, TwistBot};

use super::belief::{Belief, Chances};
use super::fleet::random_placements;
use super::lines::index;
use super::logbook::Logbook;

/// Searches with its submarines, sinks first what could move away, and last what cannot.
#[derive(Debug, Default)]
pub struct TwistGood {
    /// The game that is being played.
    game: Option<InGame>,
}

#[derive(Debug)]
struct InGame {
    rng: SeededRng,
    log: Logbook,
    belief: Belief,
    /// Whether the opponent has moved a unit since the last own order: it had a turn and did not
    /// fire.
    quiet: bool,
    /// The number of orders given so far.
    turn: u32,
}

/// Returns the value of a shot that surely hits, by the kind of the unit that it hits. The
/// battleships are sunk last: they cannot move away, and as long as they are there the enemy spends
/// turns on firing, in which no other unit moves away. In the end they have to be sunk, even if
/// other units are still to be found.
const fn worth(kind: UnitKind, turn: u32) -> f64 {
    match kind {
        UnitKind::Battleship if turn > PATIENCE => 0.6,
        UnitKind::Battleship => 0.2,
        UnitKind::Support => 1.5,
        UnitKind::Submarine => 3.0,
    }
}

/// For this number of turns it looks for what could move away before it turns to what cannot.
const PATIENCE: u32 = 55;

/// The number of orders in a long game, for which its time has to last.
const LONG_GAME: u32 = 400;

/// The value of a bit of information: whether there is something on a cell that could move away,
const MOVER_BIT: f64 = 0.18;
/// and whether a battleship is there.
const BATTLESHIP_BIT: f64 = 0.10;
/// The value of looking at a cell again, or of firing at it, when no guess makes sense.
const DOUBT: f64 = 0.07;
const DOUBTFUL_SHOT: f64 = 0.01;

/// An order to a unit, and what it is worth.
type WeighedOrder = ((UnitId, Cell), f64);

impl InGame {
    fn new(seed: u64) -> InGame {
        let mut rng = SeededRng::new(seed);
        let belief = Belief::new(&mut rng);
        InGame {
            rng,
            log: Logbook::default(),
            belief,
            quiet: false,
            turn: 0,
        }
    }

    fn choose(&mut self) -> Option<(UnitId, Cell)> {
        let fleet = self.log.fleet()?.clone();
        let chances = self.belief.chances();
        let Some((fire, gain)) = self.best_shot(&fleet, &chances) else {
            // It cannot win any more, but it need not lose.
            return dodge(&fleet, &mut self.rng);
        };
        let search = self
            .best_search(&fleet, &chances)
            .filter(|(_, insight)| *insight > gain);
        Some(search.map_or(fire, |(search, _)| search))
    }

    /// Returns the shot that is worth most, or `None` without a battleship.
    fn best_shot(&self, fleet: &Fleet, chances: &Chances) -> Option<WeighedOrder> {
        let gun = first_afloat(fleet, UnitKind::Battleship)?;
        let doubts = self.belief.doubts();
        let gain = |cell| -> f64 {
            let hits = UnitKind::ALL.map(|kind| worth(kind, self.turn) * chances.of(kind, cell));
            let doubt = if doubts.contains(cell) {
                DOUBTFUL_SHOT
            } else {
                0.0
            };
            hits.iter().sum::<f64>() + doubt
        };
        let targets = CellSet::ALL - self.belief.surely_empty();
        best(targets.iter().map(|cell| ((gun, cell), gain(cell))))
    }

    /// Returns the search that tells most, or `None` without a submarine.
    fn best_search(&self, fleet: &Fleet, chances: &Chances) -> Option<WeighedOrder> {
        let submarine = first_afloat(fleet, UnitKind::Submarine)?;
        let doubts = self.belief.doubts();
        let news = |cell| {
            let [battleship, support, submarine] = UnitKind::ALL.map(|kind| chances.of(kind, cell));
            let mover = support + submarine;
            let doubt = if doubts.contains(cell) { DOUBT } else { 0.0 };
            // The sonar tells whether something is there, not what.
            let value = MOVER_BIT * mover + BATTLESHIP_BIT * battleship;
            doubt + value * bits(mover + battleship) / (mover + battleship).max(0.001)
        };
        let news: Vec<f64> = Cell::all().map(news).collect();
        let insight = |at| -> f64 {
            OriginalQuirks::default()
                .sonar_area(at)
                .iter()
                .map(|cell| news[index(cell)])
                .sum()
        };
        let targets = fleet.destinations(submarine);
        best(
            targets
                .iter()
                .map(|cell| ((submarine, cell), insight(cell))),
        )
    }
}

fn first_afloat(fleet: &Fleet, kind: UnitKind) -> Option<UnitId> {
    fleet
        .afloat()
        .map(Unit::id)
        .find(|unit| unit.kind() == kind)
}

fn best(plans: impl Iterator<Item = WeighedOrder>) -> Option<WeighedOrder> {
    plans.max_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// The entropy of a yes or no of that chance.
fn bits(chance: f64) -> f64 {
    let part = |p: f64| if p <= 0.0 { 0.0 } else { -p * libm::log2(p) };
    part(chance) + part(1.0 - chance)
}

/// Some move, to be somewhere else.
fn dodge(fleet: &Fleet, rng: &mut SeededRng) -> Option<(UnitId, Cell)> {
    let units: Vec<UnitId> = fleet.afloat().map(Unit::id).collect();
    let unit = rng.choose(&units)?;
    Some((unit, fleet.destinations(unit).choose(rng)?))
}

impl TwistGood {
    fn game(&mut self) -> &mut InGame {
        self.game
            .as_mut()
            .expect("`new_game` comes before everything else of a game")
    }
}

impl TwistBot for TwistGood {
    fn new_game(&mut self, seed: u64) {
        self.game = Some(InGame::new(seed));
    }

    fn game_time(&mut self, time: Duration) {
        self.game().belief.think_within(time / LONG_GAME);
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        let InGame { rng, log, .. } = self.game();
        log.place(random_placements(rng))
    }

    fn act(&mut self) -> Order {
        let game = self.game();
        game.turn += 1;
        if game.quiet {
            game.belief.enemy_moved(&mut game.rng);
        }
        // A player without units has lost, so no referee asks it. Any order would be refused.
        let nowhere = (
            UnitId::ALL[0],
            Cell::all().next().expect("the grid has cells"),
        );
        let (unit, target) = game.choose().unwrap_or(nowhere);
        game.log.order(unit, target)
    }

    fn act_result(&mut self, order: Order, result: &OrderResult) {
        let InGame {
            rng,
            log,
            belief,
            quiet,
            ..
        } = self.game();
        if let Some(target) = log.record(order, result) {
            belief.learn(target, result, rng);
        }
        *quiet = true;
    }

    fn opponent_fired(&mut self, at: Point) {
        let game = self.game();
        game.log.record_shot(at);
        game.belief.enemy_fired();
        game.quiet = false;
    }

    fn game_over(&mut self, _outcome: Outcome) {
        self.game = None;
    }
}
