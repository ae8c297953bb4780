//! The good bot: it counts all fleets that agree with what it has seen, tries its best attacks out on many of them, and
//! remembers its opponent from game to game.

mod chain;
mod class;
mod count;
mod explain;
mod features;
mod grid;
mod layout;
mod lines;
mod opponent;
mod posterior;
mod prior;
mod review;
mod rollout;
mod shooter;
mod sight;
mod tail;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, Game, Outcome, Point};

pub use opponent::Memory;
pub use review::{Reviewed, review};
pub use shooter::{Shooter, Thinking};

use explain::explain;

/// Attacks where it takes the fewest attacks to sink the fleets that are still possible.
#[derive(Debug, Default)]
pub struct Good {
    thinking: Thinking,
    /// What it knows of its opponent from the games before.
    memory: Memory,
    /// The game that is being played.
    game: Option<InGame>,
}

#[derive(Debug)]
struct InGame {
    game: Game,
    rng: SeededRng,
    shooter: Shooter,
    /// The opponent's attacks, in order.
    attacks: Vec<Point>,
}

impl Good {
    /// A bot that thinks so long, and does not know its opponent yet.
    #[must_use]
    pub fn new(thinking: Thinking) -> Good {
        Good { thinking, ..Good::default() }
    }

    fn game(&mut self) -> &mut InGame {
        self.game.as_mut().expect("`new_game` comes before everything else of a game")
    }
}

impl Bot for Good {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.game = Some(InGame {
            game: game.clone(),
            rng: SeededRng::new(seed),
            shooter: Shooter::at(game, &mut self.memory, self.thinking, seed),
            attacks: Vec::new(),
        });
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let heat = self.memory.heat(board.game());
        layout::place(board, heat.as_ref(), &mut self.game().rng)
    }

    fn attack(&mut self) -> Point {
        let explains = self.thinking.explains;
        let InGame { game, rng, shooter, .. } = self.game();
        // Where every point has been attacked the game is over; a referee that goes on gets any point.
        let Some(choice) = shooter.choose() else { return game.random_point(rng) };
        if explains {
            // Without a standard error there is no place left for it.
            let _ = write!(io::stderr(), "{}", explain(&shooter.sight, &choice));
        }
        choice.point
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.game().shooter.record(at, result);
    }

    fn opponent_attacked(&mut self, at: Point) {
        self.game().attacks.push(at);
    }

    /// It learns from every game, also from one that was lost or broke off: what it has seen of its opponent is true.
    fn game_over(&mut self, _outcome: Outcome) {
        if let Some(InGame { game, mut shooter, attacks, .. }) = self.game.take() {
            let places = shooter.places_in_the_end();
            self.memory.learn(&game, places.as_deref(), &attacks);
        }
    }
}
