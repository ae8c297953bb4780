//! A bot whose strength depends on two numbers, best at a known place. It draws how long it plays
//! before it resigns: with a chance that is greatest where its numbers are best it lasts, else it
//! gives up in its first turn. Without numbers it resigns in its second turn, so as an opponent it
//! lets the chance decide.

use clap::Args;

use super::{Game, Player, hash};

#[derive(Debug, Args)]
pub(super) struct Tune {
    /// A number that matters, best at 0.3; else from the environment
    #[arg(long)]
    decay: Option<f64>,
    /// A number that matters, best at 3.6; else from the environment
    #[arg(long)]
    edge: Option<f64>,
    /// A number that changes what it does and not how well
    #[arg(long)]
    taste: Option<f64>,
    /// A number that it does not heed
    #[arg(long)]
    unused: Option<f64>,
    /// The amount that it loses of its chance at the square of half a range, from the best place
    #[arg(long, default_value_t = 0.4)]
    steep: f64,
    /// Draw the chance from the seed alone, so that only the numbers make a difference
    #[arg(long)]
    common: bool,
    /// Fail if the first number is above this
    #[arg(long, default_value_t = f64::INFINITY)]
    breaks_above: f64,
}

impl Tune {
    /// Returns the turn in which it resigns.
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
    fn last_turn(&self, seed: usize) -> usize {
        let numbers = [self.decay, self.edge, self.taste];
        if numbers == [None; 3] {
            return 2;
        }
        // From the best place, in halves of the ranges 0.1:0.9 and 1:5.
        let far = [
            self.decay.map(|decay| (decay - 0.3) / 0.4),
            self.edge.map(|edge| (edge - 3.6) / 2.0),
        ];
        let loss: f64 = far.iter().flatten().map(|far| self.steep * far * far).sum();
        let drawn = if self.common { [None; 3] } else { numbers };
        let drawn = hash((seed, drawn.map(|number| number.unwrap_or(0.0).to_bits())));
        let chance = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
        if chance < 0.9 - loss { 3 } else { 1 }
    }
}

impl Player for Tune {
    fn start(&mut self) {
        for (number, name) in [(&mut self.decay, "decay"), (&mut self.edge, "edge")] {
            *number = number.or_else(|| std::env::var(name).ok()?.parse().ok());
        }
        let decay = self.decay.unwrap_or(0.0);
        assert!(decay <= self.breaks_above, "too much decay");
    }

    fn turn(&mut self, game: &mut Game, _: &[&str]) -> String {
        game.shots += 1;
        if game.shots >= self.last_turn(game.seed) {
            return "resign".to_owned();
        }
        let taste = self.taste.unwrap_or(0.0).to_bits() >> 40;
        let row = (game.seed as u64).wrapping_add(taste) % 10;
        format!("attack {row} {}", game.shots)
    }
}
