//! The good player: it counts all fleets that agree with what it has seen, tries its best shots out on many of
//! them, and remembers its opponent from game to game.

mod chain;
mod count;
mod explain;
mod features;
mod grid;
mod layout;
mod lines;
mod opponent;
mod posterior;
mod rollout;
mod shooter;
mod sight;
mod tail;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Game, Player, Point};

pub use opponent::Memory;
pub use shooter::{Shooter, Thinking};

use explain::explain;

/// Shoots where it takes the fewest attacks to sink the fleets that are still possible.
#[derive(Debug)]
pub struct GoodPlayer {
    name: String,
    game: Game,
    rng: SeededRng,
    thinking: Thinking,
    memory: Rc<RefCell<Memory>>,
    shooter: Shooter,
    /// The opponent's attacks, in order.
    attacks: Vec<Point>,
}

impl GoodPlayer {
    /// A player called `name` for `game`, against an opponent that it does not know. The same seed gives the same play.
    #[must_use]
    pub fn new(name: &str, game: &Game, seed: u64) -> GoodPlayer {
        GoodPlayer::in_series(name, game, seed, Thinking::default(), &Rc::default())
    }

    /// As [`GoodPlayer::new`], with what is remembered of the opponent: players that share a memory play one game after
    /// the other. A game is remembered when its player is dropped.
    #[must_use]
    pub fn in_series(
        name: &str,
        game: &Game,
        seed: u64,
        thinking: Thinking,
        memory: &Rc<RefCell<Memory>>,
    ) -> GoodPlayer {
        GoodPlayer {
            name: name.to_owned(),
            game: game.clone(),
            rng: SeededRng::new(seed),
            thinking,
            memory: memory.clone(),
            shooter: Shooter::at(game, &mut memory.borrow_mut(), thinking, seed),
            attacks: Vec::new(),
        }
    }
}

impl Player for GoodPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let heat = self.memory.borrow_mut().heat(&self.game);
        layout::place(board, heat.as_ref(), &mut self.rng)
    }

    fn recommend_attack(&mut self) -> Point {
        // Where every point has been attacked the game is over; a referee that goes on gets any point.
        let Some(choice) = self.shooter.choose() else {
            return self.game.random_point(&mut self.rng);
        };
        if self.thinking.explains {
            // With standard error gone there is nobody left to tell.
            let _ = write!(io::stderr(), "{}", explain(&self.shooter.sight, &choice));
        }
        choice.point
    }

    fn record_attack_result(&mut self, at: Point, result: AttackResult) {
        self.shooter.record(at, result);
    }

    fn record_attack_by_opponent(&mut self, at: Point) {
        self.attacks.push(at);
    }
}

impl Drop for GoodPlayer {
    fn drop(&mut self) {
        if Rc::strong_count(&self.memory) == 1 {
            return; // Nobody is left to remember it for.
        }
        let places = self.shooter.places_in_the_end();
        self.memory.borrow_mut().learn(&self.game, places.as_deref(), &self.attacks);
    }
}
