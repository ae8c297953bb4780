//! The log-likelihood ratio of two Elo differences.

use super::super::{real, sample};

/// The frequency of each score, and its likelihood under a hypothesis.
///
/// All after M. Van den Bergh, "Comments on Normalized Elo" (2021),
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed<const N: usize> {
    total: f64,
    shares: [f64; N],
}

/// The count of a score that was never seen, in games or pairs; as in fastchess. With 0 a hypothesis that makes the score
/// likely would have no likeliest shares to compare.
const UNSEEN: f64 = 1e-3;

/// The search for the likeliest shares takes a few steps. It takes this many only where hypothesis and games are far
/// apart, and then any answer is beyond every bound.
const MAX_STEPS: usize = 200;

impl<const N: usize> Observed<N> {
    /// Returns the frequency of each score; `None` without games.
    pub(super) fn of(counts: [u64; N]) -> Option<Observed<N>> {
        if counts == [0; N] {
            return None;
        }
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { real(count) });
        let total = counts.iter().sum();
        Some(Observed {
            total,
            shares: counts.map(|count| count / total),
        })
    }

    /// Returns the log-likelihood ratio of two mean scores, the second over the first.
    pub(super) fn ratio_of_scores(&self, means: [f64; 2]) -> f64 {
        let [first, second] = means.map(|mean| {
            let slopes = sample::scores().map(|score: f64| score - mean);
            // No shares have a mean of 0 or 1 (or beyond) except a clean sweep, which `UNSEEN` excludes. Such
            // a hypothesis then counts as what was seen.
            tilt(&self.shares, &slopes).unwrap_or(self.shares)
        });
        self.ratio(first, second)
    }

    /// Returns the log-likelihood ratio of two leads over an even score, in standard deviations; the second over the
    /// first.
    pub(super) fn ratio_of_leads(&self, leads: [f64; 2]) -> f64 {
        let [first, second] = leads.map(|lead| self.likeliest_with_lead(lead));
        self.ratio(first, second)
    }

    fn ratio(&self, first: [f64; N], second: [f64; N]) -> f64 {
        let logs = first
            .iter()
            .zip(second)
            .map(|(first, second)| second.ln() - first.ln());
        // The sum over all games of the logarithm of what each hypothesis makes of its score.
        self.total
            * logs
                .zip(self.shares)
                .map(|(log, share)| log * share)
                .sum::<f64>()
    }

    /// Returns the likeliest shares with a mean that is `lead` standard deviations above an even score (section 4.1).
    ///
    /// The condition is not linear in the shares, so each step solves it along its tangent at the step before.
    /// The first has only clean sweeps, in the proportion that fits; starting from equal shares, as the source
    /// does, finds no tangent where the lead is large.
    fn likeliest_with_lead(&self, lead: f64) -> [f64; N] {
        let scores = sample::scores::<N>();
        let even = 0.5;
        // With shares 1/2 - a and 1/2 + a of the scores 0 and 1 the mean is 1/2 + a and the deviation is
        // sqrt(1/4 - a^2). That the one is `lead` times the other above 1/2 gives a = lead / (2 sqrt(1 +
        // lead^2)).
        let above = even * lead / lead.hypot(1.0);
        let mut likeliest = [0.0; N];
        (likeliest[0], likeliest[N - 1]) = (even - above, even + above);
        for _ in 0..MAX_STEPS {
            let mean: f64 = likeliest
                .iter()
                .zip(scores)
                .map(|(share, score)| share * score)
                .sum();
            let variance: f64 = likeliest
                .iter()
                .zip(scores)
                .map(|(share, score)| share * (score - mean).powi(2))
                .sum();
            let deviation = variance.sqrt();
            let slopes = scores.map(|score| {
                // The derivative of mean - 1/2 - lead * deviation by the share of each score.
                let spread = 1.0 + ((score - mean) / deviation).powi(2);
                score - even - 0.5 * lead * deviation * spread
            });
            let Some(next) = tilt(&self.shares, &slopes) else {
                break;
            };
            let change = next
                .iter()
                .zip(likeliest)
                .map(|(next, last)| (next - last).abs());
            let change = change.fold(0.0, f64::max);
            likeliest = next;
            if change < 1e-10 {
                break;
            }
        }
        likeliest
    }
}

/// Returns the likeliest shares with which the mean of `slopes` is 0 (proposition 1.1); `None` if no shares have that.
fn tilt<const N: usize>(shares: &[f64; N], slopes: &[f64; N]) -> Option<[f64; N]> {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // The likeliest shares are share / (1 + t slope), with the t for which the mean comes out as 0. Between these two
    // bounds every denominator is positive and the sum falls from infinity to minus infinity, so there is one such t.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        // Bisection until the bounds are neighbours: some sixty steps, without a tolerance to choose.
        // Newton's method could leave the interval, in which the sum has a pole at either end.
        let tilt = f64::midpoint(low, high);
        if tilt <= low || tilt >= high {
            return Some(std::array::from_fn(|index| {
                shares[index] / (1.0 + tilt * slopes[index])
            }));
        }
        let terms = shares
            .iter()
            .zip(slopes)
            .map(|(share, slope)| share * slope / (1.0 + tilt * slope));
        if terms.sum::<f64>() > 0.0 {
            low = tilt;
        } else {
            high = tilt;
        }
    }
}
