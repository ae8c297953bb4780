//! Distributions of fleets against shooters that believe in them: an approximate solution of the game of placing.

use std::io::{self, Write};

use battleship::seeded::SeededRng;

use crate::bulk::{Belief, sink};
use crate::fleets::{Drawn, Fleet, random};
use crate::sample::{Sample, on_all_cores};

/// The distributions, and their names.
const DRAWN: [(&str, Drawn); 7] = [
    ("uniform", Drawn::Uniform),
    ("apart", Drawn::Apart),
    ("aloof", Drawn::Aloof),
    ("touching", Drawn::Touching),
    ("edge", Drawn::Edge),
    ("inner", Drawn::Inner),
    ("flat", Drawn::Flat),
];

/// Number of times that a shooter is added that believes in the best mixture so far: the method of the double oracle.
const ROUNDS: u32 = 5;

fn belief(drawn: Drawn, seed: u64) -> Belief {
    Belief::new(
        move |rng| drawn.draw(rng),
        move |fleet| drawn.weight(fleet),
        seed,
    )
}

/// The number of attacks that a shooter with that belief needs for fleets drawn so.
fn attacks(
    draw: impl Fn(&mut SeededRng) -> Fleet + Sync,
    belief: &Belief,
    uniform: &Belief,
    games: u64,
) -> Sample {
    let games = on_all_cores((0..games).collect(), |game| {
        let fleet = draw(&mut SeededRng::in_domain(game, 31));
        let attacks = sink(&fleet, belief, uniform, &mut SeededRng::in_domain(game, 37));
        f64::from(u32::try_from(attacks.len()).expect("at most 100"))
    });
    Sample::of(games)
}

/// Returns the best strategy of the rows of `payoffs`, which maximize, against the worst column for them: the share of each
/// row, by multiplicative weights of both sides (Freund and Schapire, 1999).
fn solved(payoffs: &[Vec<f64>]) -> Vec<f64> {
    const ROUNDS: u32 = 20_000;
    const RATE: f64 = 0.01;
    let columns = payoffs[0].len();
    let (mut rows_sum, mut columns_sum) = (vec![0.0; payoffs.len()], vec![0.0; columns]);
    let mut played = vec![0.0; payoffs.len()];
    let shares = |sums: &[f64], sign: f64| -> Vec<f64> {
        let best = sums
            .iter()
            .map(|sum| sign * sum)
            .fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = sums
            .iter()
            .map(|sum| (RATE * (sign * sum - best)).exp())
            .collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    };
    for _ in 0..ROUNDS {
        let (rows, of_columns) = (shares(&rows_sum, 1.0), shares(&columns_sum, -1.0));
        for (row, payoffs) in payoffs.iter().enumerate() {
            played[row] += rows[row] / f64::from(ROUNDS);
            for (column, payoff) in payoffs.iter().enumerate() {
                rows_sum[row] += of_columns[column] * payoff;
                columns_sum[column] += rows[row] * payoff;
            }
        }
    }
    played
}

/// A mixture of the distributions, each so often.
fn mixture(shares: Vec<(Drawn, f64)>) -> (impl Fn(&mut SeededRng) -> Fleet + Sync, Belief) {
    const FLEETS: u32 = 20_000;
    let mut rng = SeededRng::in_domain(1, 41);
    let pool: Vec<Fleet> = (0..FLEETS).map(|_| random(&mut rng)).collect();
    let usual = |drawn: Drawn| {
        pool.iter().map(|fleet| drawn.weight(fleet)).sum::<f64>() / f64::from(FLEETS)
    };
    // A weight of 1 has to mean the same for each.
    let scaled: Vec<(Drawn, f64)> = shares
        .iter()
        .map(|(drawn, share)| (*drawn, share / usual(*drawn)))
        .collect();
    let draw = move |rng: &mut SeededRng| {
        let mut left = rng.unit();
        let chosen = shares.iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        chosen.unwrap_or(&shares[0]).0.draw(rng)
    };
    let weight = move |fleet: &Fleet| {
        scaled
            .iter()
            .map(|(drawn, share)| share * drawn.weight(fleet))
            .sum()
    };
    let belief = Belief::new(&draw, weight, 3);
    (draw, belief)
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let games = crate::option("games", 500);
    let uniform = Belief::uniform(0);
    writeln!(
        out,
        "attacks for fleets (rows) of greedy shooters that believe in a distribution (columns), {games} games each"
    )?;
    let wanted: Vec<(&str, Drawn)> = DRAWN
        .into_iter()
        .filter(|(name, _)| crate::is_wanted("kinds", name))
        .collect();
    write!(out, "  {:<10}", "")?;
    for (name, _) in &wanted {
        write!(out, "{name:>15}")?;
    }
    writeln!(out)?;
    let beliefs: Vec<Belief> = wanted.iter().map(|(_, drawn)| belief(*drawn, 1)).collect();
    let mut payoffs = Vec::new();
    for (name, drawn) in &wanted {
        write!(out, "  {name:<10}")?;
        let mut row = Vec::new();
        for believed in &beliefs {
            let attacks = attacks(|rng| drawn.draw(rng), believed, &uniform, games);
            write!(out, " {attacks}")?;
            out.flush()?;
            row.push(attacks.mean);
        }
        payoffs.push(row);
        writeln!(out)?;
    }
    // The best mixture against these shooters may lose to one that believes in the mixture. So that one joins them, and again.
    for _ in 0..ROUNDS {
        let shares = solved(&payoffs);
        let value = (0..payoffs[0].len())
            .map(|column| {
                payoffs
                    .iter()
                    .zip(&shares)
                    .map(|(row, share)| row[column] * share)
                    .sum()
            })
            .fold(f64::INFINITY, f64::min);
        write!(out, "  the best mixture takes at least {value:.2}:")?;
        for ((name, _), share) in wanted.iter().zip(&shares) {
            write!(out, " {name} {:.0}%", 100.0 * share)?;
        }
        let drawn = wanted.iter().map(|(_, drawn)| *drawn);
        let (draw, belief) = mixture(drawn.zip(shares).collect());
        let attacked = attacks(draw, &belief, &uniform, games);
        writeln!(out, "; one who believes in it needs {attacked}")?;
        out.flush()?;
        for ((_, drawn), row) in wanted.iter().zip(&mut payoffs) {
            row.push(attacks(|rng| drawn.draw(rng), &belief, &uniform, games).mean);
        }
    }
    Ok(())
}
