//! The share of wrong decisions of a sequential test, and the number of pairs that it takes.

use std::io::{self, Write};

use league::statistics::Pentanomial;
use league::statistics::sprt::{Decision, Model as Scale, Sprt};

use crate::model::{LUCK, Model, rng};

const RUNS: u32 = 2_000;

/// No test takes as many pairs as this.
const MOST_PAIRS: u32 = 1_000_000;

/// The tests: both leads, both risks and the scale.
const TESTS: [([f64; 2], [f64; 2], Scale); 8] = [
    ([0.0, 50.0], [0.05, 0.05], Scale::Normalized),
    ([0.0, 20.0], [0.05, 0.05], Scale::Normalized),
    ([0.0, 50.0], [0.01, 0.1], Scale::Normalized),
    ([0.0, 100.0], [0.05, 0.05], Scale::Normalized),
    ([0.0, 200.0], [0.05, 0.05], Scale::Normalized),
    ([200.0, 250.0], [0.05, 0.05], Scale::Normalized),
    ([0.0, 50.0], [0.05, 0.05], Scale::Logistic),
    ([200.0, 300.0], [0.05, 0.05], Scale::Logistic),
];

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "Sequential tests that look after each pair, {RUNS} runs for each hypothesis, in percent;"
    )?;
    writeln!(
        out,
        "even: the share of pairs that are even by common luck; drawn: that of drawn games in the others"
    )?;
    writeln!(
        out,
        "| test | even | drawn | accepts elo1 at elo0 | alpha | accepts elo0 at elo1 | beta | pairs on average |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for (leads, [alpha, beta], scale) in TESTS {
        let test = Sprt::new(leads[0], leads[1], alpha, beta, scale).expect("the tests are fine");
        for luck in LUCK {
            // Where most games are drawn there is no large lead.
            if luck.drawn > 0.0 && (scale == Scale::Logistic || leads[1] > 50.0) {
                continue;
            }
            let at = |lead| match scale {
                Scale::Normalized => Model::of_normalized_elo(luck, lead),
                Scale::Logistic => Model::of_elo(luck, lead),
            };
            let (first, pairs_at_first) = run(&test, at(leads[0]), Decision::AcceptH1);
            let (second, pairs_at_second) = run(&test, at(leads[1]), Decision::AcceptH0);
            let pairs = f64::midpoint(pairs_at_first, pairs_at_second);
            writeln!(
                out,
                "| {} to {} {scale} | {} | {} | {first:.1} | {} | {second:.1} | {} | {pairs:.0} |",
                leads[0],
                leads[1],
                luck.even,
                luck.drawn,
                100.0 * alpha,
                100.0 * beta
            )?;
        }
    }
    writeln!(out)
}

/// Returns how often the test decides so, in percent, and after how many pairs it decides.
fn run(test: &Sprt, model: Model, wrong: Decision) -> (f64, f64) {
    let mut rng = rng(1);
    let (mut errors, mut all) = (0, 0);
    for _ in 0..RUNS {
        let mut counts = [0; 5];
        for _ in 0..MOST_PAIRS {
            counts[model.pair(&mut rng)] += 1;
            all += 1;
            let decision = test.decide(&Pentanomial::new(counts));
            if decision != Decision::Continue {
                errors += u32::from(decision == wrong);
                break;
            }
        }
    }
    (
        100.0 * f64::from(errors) / f64::from(RUNS),
        f64::from(all) / f64::from(RUNS),
    )
}
