use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, CellSet, Game, Player, Point, ShipId};

use crate::fleet::{all_placements, random_fleet};

/// Hunts where a ship is most likely, on the cells of one parity; after a hit it shoots around it, and along the
/// line as soon as two hits make one.
#[derive(Debug)]
pub struct GoodPlayer {
    name: String,
    game: Game,
    rng: SeededRng,
    /// For each ship the cell sets of all places it can still have; none once it is sunk.
    places: Vec<Vec<CellSet>>,
    attacked: CellSet,
    /// Hits on ships that are still afloat.
    open_hits: CellSet,
}

impl GoodPlayer {
    /// A player called `name` for `game`. The same seed gives the same play.
    #[must_use]
    pub fn new(name: &str, game: &Game, seed: u64) -> GoodPlayer {
        let cells_of = |length| {
            let places = all_placements(game, length).into_iter();
            let mut cells: Vec<_> = places
                .filter_map(|place| CellSet::line(place.top_or_left, place.direction, length))
                .collect();
            // A ship of length 1 lies in both directions at once.
            cells.dedup();
            cells
        };
        GoodPlayer {
            name: name.to_owned(),
            game: game.clone(),
            rng: SeededRng::new(seed),
            places: game.ships().iter().map(|ship| cells_of(ship.length)).collect(),
            attacked: CellSet::EMPTY,
            open_hits: CellSet::EMPTY,
        }
    }

    /// The places of ships afloat that cover as many of the open hits as any does: all places while there are
    /// no open hits, those through a hit after the first, those along a line after the second.
    fn likely_places(&self) -> Vec<CellSet> {
        let untried = |place: &&CellSet| !(**place - self.attacked).is_empty();
        let covered = |place: &CellSet| (*place & self.open_hits).len();
        let places = || self.places.iter().flatten().filter(untried);
        let most = places().map(covered).max().unwrap_or(0);
        places().filter(|place| covered(place) == most).copied().collect()
    }

    /// The cells that a hunt needs: those (r,c) of which r + c has one remainder when divided by the length
    /// of the shortest ship afloat. Every ship covers at least one. The remainder with the fewest cells left.
    fn hunting_ground(&self) -> CellSet {
        let ships = self.places.iter().zip(self.game.ships());
        let afloat = ships.filter(|(places, _)| !places.is_empty());
        let shortest = afloat.map(|(_, ship)| ship.length).min().unwrap_or(1);
        let untried = self.game.cells() - self.attacked;
        let step = i32::try_from(shortest).expect("a ship is at most 10 cells long");
        let grounds = (0..step).map(|rest| -> CellSet {
            untried.iter().filter(|point| (point.row + point.col) % step == rest).collect()
        });
        grounds
            .filter(|ground| !ground.is_empty())
            .min_by_key(|ground| ground.len())
            .unwrap_or(untried)
    }

    /// Takes the cells of the ship that was sunk by the shot at `at` out of the open hits. Where the hits allow
    /// several lines through `at`, the first is taken.
    fn bury(&mut self, ship: ShipId, at: Point) {
        let Some(places) = self.places.get_mut(ship) else { return };
        let places = std::mem::take(places);
        let line =
            places.into_iter().find(|line| line.contains(at) && line.is_subset(self.open_hits));
        let wreck = line.unwrap_or(at.into());
        self.open_hits = self.open_hits - wreck;
        self.rule_out(wreck);
    }

    /// No ship afloat lies on any of `cells`.
    fn rule_out(&mut self, cells: CellSet) {
        for places in &mut self.places {
            places.retain(|place| (*place & cells).is_empty());
        }
    }
}

impl Player for GoodPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        random_fleet(board, &mut self.rng)
    }

    fn recommend_attack(&mut self) -> Point {
        let places = self.likely_places();
        let mut choices = self.game.cells() - self.attacked;
        if self.open_hits.is_empty() {
            choices = self.hunting_ground();
        }
        let count = |point: &Point| places.iter().filter(|place| place.contains(*point)).count();
        let most = choices.iter().map(|point| count(&point)).max().unwrap_or(0);
        let best: Vec<_> = choices.iter().filter(|point| count(point) == most).collect();
        // Where every point has been attacked the game is over; a referee that goes on gets any point.
        self.rng.choose(&best).unwrap_or_else(|| self.game.random_point(&mut self.rng))
    }

    fn record_attack_result(&mut self, at: Point, result: AttackResult) {
        self.attacked.insert(at);
        match result {
            AttackResult::Miss => self.rule_out(at.into()),
            AttackResult::Hit => self.open_hits.insert(at),
            AttackResult::Sunk(ship) => {
                self.open_hits.insert(at);
                self.bury(ship, at);
            }
            AttackResult::Wasted => {}
        }
    }

    fn record_attack_by_opponent(&mut self, _at: Point) {}
}
