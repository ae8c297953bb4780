//! The log-likelihood ratio of two Elo differences.
//!
//! All after M. Van den Bergh, "Comments on Normalized Elo" (2021),
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.

use super::super::{Pentanomial, sample, to_f64};

/// The shares of the pairs that bring 0, 1/2, 1, 3/2 and 2 points.
pub(super) type Shares = [f64; 5];

/// The count of pairs with a result that was never seen; as in fastchess. With 0 a hypothesis that
/// makes the result likely would have no likeliest shares to compare.
const UNSEEN: f64 = 1e-3;

/// The search for the likeliest shares takes a few steps. It takes this many only where hypothesis
/// and games are far apart, and then any answer is beyond every bound.
const MAX_STEPS: usize = 200;

/// Returns the log-likelihood ratio of two hypotheses, the second over the first; 0 without pairs,
/// which speak for neither. `likeliest` returns the likeliest shares under a hypothesis, given
/// those of the pairs.
pub(super) fn ratio(
    pairs: &Pentanomial,
    hypotheses: [f64; 2],
    likeliest: fn(&Shares, f64) -> Shares,
) -> f64 {
    if pairs.pairs() == 0 {
        return 0.0;
    }
    let counts = pairs
        .counts()
        .map(|count| if count == 0 { UNSEEN } else { to_f64(count) });
    let total: f64 = counts.iter().sum();
    let shares = counts.map(|count| count / total);
    let [first, second] = hypotheses.map(|hypothesis| likeliest(&shares, hypothesis));
    let logs = first
        .iter()
        .zip(second)
        .map(|(first, second)| second.ln() - first.ln());
    // This is the sum over all pairs of the logarithms of the ratios of both likelihoods.
    total
        * logs
            .zip(shares)
            .map(|(log, share)| log * share)
            .sum::<f64>()
}

/// Returns the likeliest shares with this mean score.
pub(super) fn with_score(shares: &Shares, mean: f64) -> Shares {
    // No shares have a mean of 0 or 1 (or beyond) except a clean sweep, which `UNSEEN` excludes.
    // Such a hypothesis then counts as what was seen.
    likeliest_shares(shares, &sample::scores().map(|score: f64| score - mean)).unwrap_or(*shares)
}

/// Returns the likeliest shares with a mean that is `lead` standard deviations above an even score
/// (section 4.1).
///
/// The condition is not linear in the shares, so each step solves it along its tangent at the step
/// before. The first has only clean sweeps, in the proportion that fits; starting from equal
/// shares, as the source does, finds no tangent where the lead is large.
pub(super) fn with_lead(shares: &Shares, lead: f64) -> Shares {
    let scores: [f64; 5] = sample::scores();
    let even = 0.5;
    // With shares 1/2 - a and 1/2 + a of the scores 0 and 1 the mean is 1/2 + a and the deviation
    // is sqrt(1/4 - a^2). That the one is `lead` times the other above 1/2 gives a = lead / (2
    // sqrt(1 + lead^2)).
    let above = even * lead / lead.hypot(1.0);
    let mut likeliest = [even - above, 0.0, 0.0, 0.0, even + above];
    for _ in 0..MAX_STEPS {
        let mean_of = |values: Shares| -> f64 {
            let terms = likeliest.iter().zip(values);
            terms.map(|(share, value)| share * value).sum()
        };
        let mean = mean_of(scores);
        let deviation = mean_of(scores.map(|score| (score - mean).powi(2))).sqrt();
        let slopes = scores.map(|score| {
            // The derivative of mean - 1/2 - lead * deviation by the share of each score.
            let spread = 1.0 + ((score - mean) / deviation).powi(2);
            score - even - 0.5 * lead * deviation * spread
        });
        let Some(next) = likeliest_shares(shares, &slopes) else {
            break;
        };
        let changes = next.iter().zip(likeliest);
        let change = changes
            .map(|(next, last)| (next - last).abs())
            .fold(0.0, f64::max);
        likeliest = next;
        if change < 1e-10 {
            break;
        }
    }
    likeliest
}

/// Returns the likeliest shares with which the mean of `slopes` is 0 (proposition 1.1); `None` if
/// no shares have that.
fn likeliest_shares(shares: &Shares, slopes: &Shares) -> Option<Shares> {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // The likeliest shares are share / (1 + t slope), with the t for which the mean comes out as 0.
    // Between these two bounds every denominator is positive and the sum falls from infinity to
    // minus infinity, so there is one such t.
    let mut low = -1.0 / most;
    let mut high = -1.0 / least;
    loop {
        // Bisection until the bounds are neighbours: some sixty steps, without a tolerance to
        // choose. Newton's method could leave the interval, in which the sum has a pole at either
        // end.
        let t = f64::midpoint(low, high);
        if t <= low || t >= high {
            return Some(std::array::from_fn(|index| {
                shares[index] / (1.0 + t * slopes[index])
            }));
        }
        let terms = shares.iter().zip(slopes);
        let terms = terms.map(|(share, slope)| share * slope / (1.0 + t * slope));
        if terms.sum::<f64>() > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
}
