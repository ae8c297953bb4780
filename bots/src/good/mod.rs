//! The good bot: it draws some thousand fleets that agree with what it has seen and with what it
//! believes of its opponent, tries its best attacks out on them, and remembers its opponent from
//! game to game.

mod advice;
mod beliefs;
mod cells;
mod explain;
mod memory;
mod placement;
mod review;
mod salvo;
mod sample;
mod shooter;
mod sight;
mod tally;
mod thinking;
mod trials;
mod yard;

use std::io::{self, Write};
use std::time::Duration;

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, CellSet, Game, Outcome, Point};

pub use advice::{advise, attacks_needed};
pub use memory::Memory;
pub use review::{AttackChances, HitChance, review};
pub use shooter::Shooter;
pub use thinking::Thinking;

use explain::explain;

/// Attacks where it takes the fewest attacks to sink the fleets that are still possible.
#[derive(Debug, Default)]
pub struct Good {
    thinking: Thinking,
    /// The knowledge about its opponent from the games before.
    memory: Memory,
    /// The game that is being played.
    game: Option<InGame>,
}

/// The message of a panic without a game.
const NO_GAME: &str = "`new_game` comes before everything else of a game";

#[derive(Debug)]
struct InGame {
    game: Game,
    rng: SeededRng,
    shooter: Shooter,
    /// The opponent's attacks, in order.
    attacks: Vec<Point>,
    /// The last shots.
    salvo: Vec<Point>,
}

impl Good {
    /// Returns a bot with this amount of thinking that does not know its opponent yet.
    #[must_use]
    pub fn new(thinking: Thinking) -> Good {
        Good {
            thinking,
            ..Good::default()
        }
    }

    fn game(&mut self) -> &mut InGame {
        self.game.as_mut().expect(NO_GAME)
    }
}

impl Bot for Good {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.game = Some(InGame {
            game: game.clone(),
            rng: SeededRng::new(seed),
            shooter: Shooter::at(game, &mut self.memory, self.thinking, seed),
            attacks: Vec::new(),
            salvo: Vec::new(),
        });
    }

    fn time_limit(&mut self, limit: Duration) {
        self.game().shooter.limit(limit);
    }

    fn game_time(&mut self, time: Duration) {
        let InGame { game, shooter, .. } = self.game();
        // Some moves take several times as long as others, and the first of a match begins with
        // more work.
        let moves = 4 * game.rows() * game.cols();
        shooter.think_within(time / moves.unsigned_abs().max(1));
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let rng = &mut self.game.as_mut().expect(NO_GAME).rng;
        self.memory.placing.place(board, rng)
    }

    fn attack(&mut self) -> Point {
        self.salvo(1)[0]
    }

    fn salvo(&mut self, shots: usize) -> Vec<Point> {
        let Thinking {
            careless, explains, ..
        } = self.thinking;
        let InGame {
            game,
            rng,
            shooter,
            salvo,
            ..
        } = self.game();
        // No number is drawn where it is always careful: the same seed gives the same game as ever.
        let is_careless = careless > 0 && shooter.hunts() && rng.below(100) < usize::from(careless);
        let mut cells = CellSet::EMPTY;
        if !is_careless && let Some(choice) = shooter.choose(shots) {
            if explains {
                // Without a standard error there is no place left for it.
                let _ = write!(io::stderr(), "{}", explain(shooter, &choice));
            }
            cells = choice.cells;
        }
        *salvo = cells.iter().collect();
        while salvo.len() < shots {
            // If every point has been attacked the game is over; a referee that continues gets any
            // point.
            let left = shooter.sight.untried() - salvo.iter().copied().collect();
            salvo.push(left.choose(rng).unwrap_or_else(|| game.random_point(rng)));
        }
        salvo.clone()
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.game().shooter.record(at, result);
    }

    fn opponent_attacked(&mut self, at: Point) {
        self.game().attacks.push(at);
    }

    /// It learns from every game, also from one that was lost or broke off: what it has seen of its
    /// opponent is true.
    fn game_over(&mut self, _outcome: Outcome) {
        if let Some(InGame {
            game,
            mut shooter,
            attacks,
            ..
        }) = self.game.take()
        {
            shooter.teach(&game, &mut self.memory);
            self.memory.placing.learn(&attacks);
        }
    }
}
