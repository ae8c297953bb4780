//! A bot whose strength depends on two numbers, best at a known place. It draws how long it plays before it resigns: with a
//! chance that is greatest where its numbers are best it lasts, else it gives up in its first turn. Without numbers it
//! resigns in its second turn, so as an opponent it lets the chance decide.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};

use clap::Parser;

/// Plays for as long as its numbers are good.
#[derive(Debug, Parser)]
struct Flags {
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

fn main() -> io::Result<()> {
    let flags = Flags::parse();
    let given =
        |flag: Option<f64>, name: &str| flag.or_else(|| std::env::var(name).ok()?.parse().ok());
    let [decay, edge] = [given(flags.decay, "decay"), given(flags.edge, "edge")];
    // From the best place, in halves of the ranges 0.1:0.9 and 1:5.
    let far = [
        decay.map(|it| (it - 0.3) / 0.4),
        edge.map(|it| (it - 3.6) / 2.0),
    ];
    let loss: f64 = far
        .into_iter()
        .flatten()
        .map(|far| flags.steep * far * far)
        .sum();
    let is_tuned = decay.or(edge).or(flags.taste).is_some();
    assert!(
        decay.is_none_or(|decay| decay <= flags.breaks_above),
        "too much decay"
    );
    let (mut turn, mut lasts, mut seed) = (0, 2, 0_u64);
    for line in io::stdin().lines() {
        let line = line?;
        let mut words = line.split_ascii_whitespace();
        let answer = match words.next().unwrap_or_default() {
            "battleship" => "ready".to_owned(),
            "seed" => {
                seed = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
                let numbers = [decay, edge, flags.taste].map(|it| it.unwrap_or(0.0).to_bits());
                let chance = share(seed, if flags.common { [0; 3] } else { numbers });
                turn = 0;
                if is_tuned {
                    lasts = if chance < 0.9 - loss { 3 } else { 1 };
                }
                continue;
            }
            "place" => "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h".to_owned(),
            "attack" => {
                turn += 1;
                let row = seed.wrapping_add(flags.taste.unwrap_or(0.0).to_bits() >> 40) % 10;
                if turn >= lasts {
                    "resign".to_owned()
                } else {
                    format!("attack {row} {turn}")
                }
            }
            "quit" => break,
            _ => continue,
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// Returns a number from 0 to 1 that the seed and these numbers decide.
#[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
fn share(seed: u64, numbers: [u64; 3]) -> f64 {
    let mut hash = DefaultHasher::new();
    (seed, numbers).hash(&mut hash);
    (hash.finish() >> 11) as f64 / (1_u64 << 53) as f64
}
