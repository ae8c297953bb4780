//! Newton's method for the likeliest strengths of a Bradley-Terry model.

use super::super::to_f64;
use super::PointsTable;
use super::cholesky::Cholesky;

/// A bound on the number of steps; ten or so are usual.
const MAX_STEPS: usize = 500;
/// A step shorter than this in every logarithm is the last. On the Elo scale it is 2e-8, far below
/// any digit shown.
const STILL: f64 = 1e-10;

/// Returns the likeliest logarithms of strengths, with a mean of 0, given a table with a strongly
/// connected graph.
///
/// Newton's method, with shorter steps where a whole one would not go uphill. In the logarithms of
/// strengths the likelihood is strictly concave but for a common shift (Hunter 2004), so every way
/// uphill leads to the one top. Hunter's own MM algorithm needs no matrix but many more steps, and
/// the matrix is needed for the standard errors anyway.
pub(super) fn likeliest(table: &PointsTable) -> Vec<f64> {
    let mut strengths = vec![0.0; table.players()];
    for _ in 0..MAX_STEPS {
        // The Newton step is the inverse information times the gradient. The gradient sums up to 0,
        // so the constant that makes the matrix invertible has no effect on it.
        let step = Information::of(table, &strengths)
            .inverse
            .solve(gradient(table, &strengths));
        let before = likelihood(table, &strengths);
        // Near the top all differences are rounding errors. Without this slack the halving would
        // continue until the step is lost, though the point is right.
        let uphill = before - 1e-13 * before.abs();
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength + length * step)
                .collect();
            if likelihood(table, &next) >= uphill || length < 1e-9 {
                // Below 1e-9 of a step, no progress is possible. The centring removes the drift
                // that rounding adds in the one direction the likelihood does not determine.
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

/// Returns the variances of the logarithms of strengths: of their differences from the one in the
/// place `anchored`, or from the mean of all.
///
/// They are the diagonal of the inverse of the information, times the variance of the points, times
/// the inverse again (Huber 1967). If games vary independently, the variance of the points is the
/// information, and one inverse is left.
pub(super) fn variances(
    table: &PointsTable,
    strengths: &[f64],
    anchored: Option<usize>,
) -> Vec<f64> {
    let size = table.players();
    let information = Information::of(table, strengths);
    let unit = |place: usize| {
        let mut unit = vec![0.0; size];
        unit[place] = 1.0;
        unit
    };
    // The variances of the points of each pairing are computed once, since each player's variance
    // needs all of them.
    let mut spreads = Vec::with_capacity(size * size.saturating_sub(1) / 2);
    for one in 0..size {
        spreads.extend((0..one).map(|two| {
            let lead = strengths[one] - strengths[two];
            table.spread(one, two) * chance(lead) * chance(-lead)
        }));
    }
    (0..size)
        .map(|place| {
            let mut of = unit(place);
            if let Some(anchored) = anchored {
                of[anchored] -= 1.0;
            }
            // The derivatives of the difference by each player's points. A constant in all places
            // has no effect: one player of a game gains what the other one loses.
            let moves = information.inverse.solve(of);
            let mut spreads = spreads.as_slice();
            let mut sum = 0.0;
            for one in 0..size {
                let (of_one, rest) = spreads.split_at(one);
                spreads = rest;
                let of_pairings = of_one.iter().zip(&moves);
                sum += of_pairings
                    .map(|(spread, two)| spread * (moves[one] - two).powi(2))
                    .sum::<f64>();
            }
            sum
        })
        .collect()
}

/// The curvature of the likelihood in each direction.
///
/// It does not fall at all where all strengths grow alike, so the information is singular. A
/// constant in every place fixes that: the inverse is then the pseudo-inverse, which is the
/// covariance around the mean, plus another constant in every place.
struct Information {
    inverse: Cholesky,
}

impl Information {
    fn of(table: &PointsTable, strengths: &[f64]) -> Information {
        let size = table.players();
        let mut matrix = vec![0.0; size * size];
        for one in 0..size {
            for two in 0..one {
                let lead = strengths[one] - strengths[two];
                // The second derivative for a pairing: n p (1 - p). Points do not occur in it, so
                // the observed information is the expected one.
                let weight = table.games(one, two) * chance(lead) * chance(-lead);
                matrix[one * size + two] -= weight;
                matrix[one * size + one] += weight;
                matrix[two * size + two] += weight;
            }
        }
        let trace: f64 = (0..size).map(|place| matrix[place * size + place]).sum();
        // The constant has the size of the matrix's own entries, so that the matrix stays
        // well-conditioned. The trace is 0 only if all chances have been rounded to 0 or 1.
        let constant = trace.max(f64::MIN_POSITIVE) / to_f64((size * size) as u64);
        for value in &mut matrix {
            *value += constant;
        }
        Information {
            inverse: Cholesky::of(matrix, size),
        }
    }
}

/// Returns the excess of each player's points over the expected points: the gradient of
/// [`likelihood`].
fn gradient(table: &PointsTable, strengths: &[f64]) -> Vec<f64> {
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

/// Returns the logarithm of the likelihood of all results.
fn likelihood(table: &PointsTable, strengths: &[f64]) -> f64 {
    let mut likelihood = 0.0;
    for one in 0..table.players() {
        for two in 0..one {
            let lead = strengths[one] - strengths[two];
            // The logarithms of both chances, log(1 / (1 + e^-lead)), without computing the
            // chances: for a lead of 800 the smaller one is 0 in floating point, and its logarithm
            // infinite. The exponent here is never positive.
            let less = (-lead.abs()).exp().ln_1p();
            let win = -less - (-lead).max(0.0);
            let loss = -less - lead.max(0.0);
            likelihood += table.points(one, two) * win + table.points(two, one) * loss;
        }
    }
    likelihood
}

/// Returns the chance to win with a lead. The chance to lose is the one with the opposite lead: 1
/// minus this would lose all digits of a small chance.
fn chance(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

fn centred(mut strengths: Vec<f64>) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / to_f64(strengths.len() as u64);
    for strength in &mut strengths {
        *strength -= mean;
    }
    strengths
}
