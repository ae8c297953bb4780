//! The placement of one's own ships against an opponent whose shots in the games before are
//! remembered.
//!
//! Some hundred random fleets are drawn. Of some of them, the one is placed that players who count
//! places find last (see [`hard`]). There are several ways to choose these some: any of them, or,
//! more or less strictly, those that this opponent would have found late. Which of them is right
//! depends on whether the opponent shoots by a habit, at random, or where it has seen ships. So the
//! ways share the choice, and after each game those gain that would have done well in it (see
//! [`Hedge`]).

mod fleets;
mod hard;
mod hedge;
mod hunt;

use battleship::seeded::SeededRng;
use battleship::{Board, Game, Point};

use super::yard::Yard;
use crate::fleet::random_fleet;
use fleets::{Fleet, draw};
use hard::Range;
use hedge::{Hedge, WAYS};
use hunt::Hunt;

/// The games that are remembered; an opponent may have changed since earlier ones.
const GAMES: usize = 20;

/// The hardest of this number of fleets is placed, and of one in this number of different ones at
/// most.
const ENTRANTS: usize = 32;
const FEW: usize = 16;

/// The placement of the ships, game after game. A new one knows nothing of the opponent.
#[derive(Debug, Default)]
pub(super) struct Placing {
    of: Option<Series>,
}

/// Games on one board with one fleet.
#[derive(Debug)]
struct Series {
    game: Game,
    yard: Yard,
    range: Range,
    /// The opponent's shots in the games before.
    hunts: Vec<Hunt>,
    hedge: Hedge,
    /// The fleets from which one was chosen in this game.
    choice: Option<ChosenFleet>,
}

/// A choice that was made.
#[derive(Debug)]
struct ChosenFleet {
    fleets: Vec<Fleet>,
    /// By way to choose and fleet, how likely it was.
    shares: [Vec<f64>; WAYS],
    /// The index of the chosen fleet.
    chosen: usize,
}

impl Placing {
    /// Places all ships on `board`, which is empty. Every possible fleet may come. Returns `false`
    /// if no way to place them is found.
    pub(super) fn place(&mut self, board: &mut Board<'_>, rng: &mut SeededRng) -> bool {
        let game = board.game();
        if self.of.as_ref().is_some_and(|of| of.game != *game) {
            self.of = None;
        }
        let of = self.of.get_or_insert_with(|| Series::new(game));
        of.choice = of.choose(rng);
        match &of.choice {
            Some(choice) => choice.fleets[choice.chosen].put_on(board),
            // If random ships hardly ever are apart it takes a search, and any fleet is welcome.
            None => random_fleet(board, rng),
        }
    }

    /// After a game: the opponent's attacks, in order.
    pub(super) fn learn(&mut self, attacks: &[Point]) {
        if let Some(of) = &mut self.of {
            of.learn(attacks);
        }
    }
}

impl Series {
    fn new(game: &Game) -> Series {
        let yard = Yard::new(game);
        Series {
            game: game.clone(),
            range: Range::new(game, &yard),
            yard,
            hunts: Vec::new(),
            hedge: Hedge::default(),
            choice: None,
        }
    }

    /// Draws fleets and chooses one. Returns `None` if no fleet was drawn.
    fn choose(&self, rng: &mut SeededRng) -> Option<ChosenFleet> {
        let fleets = draw(&self.yard, rng);
        let lasts = |fleet: &Fleet| self.hunts.iter().map(|hunt| hunt.lasts(fleet)).sum::<f64>();
        let lasting: Vec<f64> = fleets.iter().map(lasts).collect();
        let shares = hedge::shares(&lasting);
        let mut sum = 0.0;
        let add = |weight: f64| {
            sum += weight;
            sum
        };
        let sums: Vec<f64> = self.hedge.mixed(&shares).into_iter().map(add).collect();
        // Sums of shares may be a little less than 1.
        let reached = |left: f64| sums.partition_point(|sum| *sum <= left).min(sums.len() - 1);
        // If there are few fleets at all, the hardest one would be known.
        let mut different: Vec<u128> = fleets.iter().map(Fleet::cells).collect();
        different.sort_unstable();
        different.dedup();
        let many = different.len().div_ceil(FEW).min(ENTRANTS);
        let mut entrants: Vec<usize> = (0..many).map(|_| reached(rng.unit())).collect();
        entrants.sort_unstable();
        entrants.dedup();
        let of: Vec<&Fleet> = entrants.iter().map(|fleet| &fleets[*fleet]).collect();
        let chosen = entrants[self.range.hardest(&self.yard, &of)?];
        Some(ChosenFleet {
            fleets,
            shares,
            chosen,
        })
    }

    fn learn(&mut self, attacks: &[Point]) {
        let Some(ChosenFleet {
            fleets,
            shares,
            chosen,
        }) = self.choice.take()
        else {
            return;
        };
        if attacks.is_empty() {
            return;
        }
        let hunt = Hunt::new(&self.game, &fleets[chosen], attacks);
        let lasted: Vec<f64> = fleets.iter().map(|fleet| hunt.lasts(fleet)).collect();
        self.hedge.learn(&shares, &lasted);
        if self.hunts.len() == GAMES {
            self.hunts.remove(0);
        }
        self.hunts.push(hunt);
    }
}

#[cfg(test)]
mod tests;
