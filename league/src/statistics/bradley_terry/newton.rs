//! Newton's method for the likeliest strengths of a Bradley-Terry model.

use super::super::real;
use super::Table;
use super::cholesky::Cholesky;

/// Steps from anywhere to the top; some ten are usual.
const MAX_STEPS: usize = 500;
/// Logarithms of strengths that move no more than this stay, which is far below any digit that is shown.
const STILL: f64 = 1e-10;

/// The likeliest logarithms of strengths, with a mean of 0, given a table of which the graph is strongly
/// connected.
///
/// Newton's method, with shorter steps wherever a whole one would not go uphill; as the likelihood has one top
/// and no other flat place this always arrives.
pub(super) fn likeliest(table: &Table, start: Vec<f64>) -> Vec<f64> {
    let mut strengths = centred(start);
    for _ in 0..MAX_STEPS {
        let step = Information::of(table, &strengths).inverse.solve(gradient(table, &strengths));
        let before = likelihood(table, &strengths);
        // Near the top all differences are those of rounding.
        let uphill = before - 1e-13 * before.abs();
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength + length * step)
                .collect();
            if likelihood(table, &next) >= uphill || length < 1e-9 {
                break centred(next);
            }
            length /= 2.0;
        };
        strengths = next;
        if step.iter().all(|step| step.abs() * length < STILL) {
            break;
        }
    }
    strengths
}

/// The variances of the logarithms of strengths: of their differences from that in the place `anchored`, or from
/// the mean of all.
pub(super) fn variances(table: &Table, strengths: &[f64], anchored: Option<usize>) -> Vec<f64> {
    let size = table.players();
    let information = Information::of(table, strengths);
    let covariances_of = |place: usize| {
        let mut unit = vec![0.0; size];
        unit[place] = 1.0;
        let mut column = information.inverse.solve(unit);
        for value in &mut column {
            *value -= 1.0 / information.level;
        }
        column
    };
    let of_anchor = anchored.map(|anchor| (anchor, covariances_of(anchor)));
    (0..size)
        .map(|place| match &of_anchor {
            Some((anchor, _)) if *anchor == place => 0.0,
            Some((anchor, covariances)) => {
                let own = covariances_of(place)[place];
                (own + covariances[*anchor] - 2.0 * covariances[place]).max(0.0)
            }
            None => covariances_of(place)[place].max(0.0),
        })
        .collect()
}

/// How sharply the likelihood falls off in each direction.
///
/// It does not fall at all where all strengths grow alike, so the information is singular. A constant in every
/// place mends that: the inverse is then the pseudo-inverse, which is the covariance around the mean, plus
/// 1 / `level` in every place.
struct Information {
    inverse: Cholesky,
    level: f64,
}

impl Information {
    fn of(table: &Table, strengths: &[f64]) -> Information {
        let size = table.players();
        let mut matrix = vec![0.0; size * size];
        for one in 0..size {
            for two in 0..one {
                let lead = strengths[one] - strengths[two];
                let weight = table.games(one, two) * chance(lead) * chance(-lead);
                matrix[one * size + two] -= weight;
                matrix[one * size + one] += weight;
                matrix[two * size + two] += weight;
            }
        }
        let trace: f64 = (0..size).map(|place| matrix[place * size + place]).sum();
        // Nothing is left of the trace only where points are no points of games.
        let constant = trace.max(f64::MIN_POSITIVE) / real((size * size) as u64);
        for value in &mut matrix {
            *value += constant;
        }
        let level = constant * real((size * size) as u64);
        Information { inverse: Cholesky::of(matrix, size), level }
    }
}

/// By how much each player's points exceed what its strength lets expect.
fn gradient(table: &Table, strengths: &[f64]) -> Vec<f64> {
    let size = table.players();
    let mut gradient = vec![0.0; size];
    for one in 0..size {
        for two in 0..one {
            let lead = strengths[one] - strengths[two];
            let excess =
                table.points(one, two) * chance(-lead) - table.points(two, one) * chance(lead);
            gradient[one] += excess;
            gradient[two] -= excess;
        }
    }
    gradient
}

/// The logarithm of the likelihood of all results.
fn likelihood(table: &Table, strengths: &[f64]) -> f64 {
    let mut likelihood = 0.0;
    for one in 0..table.players() {
        for two in 0..one {
            let lead = strengths[one] - strengths[two];
            // The logarithms of both chances, of which the smaller may be too small for a number.
            let less = (-lead.abs()).exp().ln_1p();
            let (win, loss) = (-less - (-lead).max(0.0), -less - lead.max(0.0));
            likelihood += table.points(one, two) * win + table.points(two, one) * loss;
        }
    }
    likelihood
}

/// The chance to win with a lead; that to lose is the chance with the opposite lead, exact however small it is.
fn chance(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

fn centred(mut strengths: Vec<f64>) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / real(strengths.len() as u64);
    for strength in &mut strengths {
        *strength -= mean;
    }
    strengths
}
