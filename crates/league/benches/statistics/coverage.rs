//! The coverage of the intervals of 95%: how many of them contain what they estimate.

use std::fmt;
use std::io::{self, Write};

use league::statistics::bradley_terry::{Anchor, HeadToHead, Rating, fit};
use league::statistics::{Interval, Score, elo};

use crate::model::{LUCK, Luck, Model, rng};

const MATCHES: u32 = 4_000;
const TOURNAMENTS: u32 = 1_000;

const CHANCES: [f64; 7] = [0.5, 0.6, 0.75, 0.85, 0.9, 0.96, 0.99];
const PAIRS: [u32; 3] = [10, 50, 500];

/// The number of intervals that held, of those that were there.
#[derive(Clone, Copy, Default)]
struct Coverage {
    held: u32,
    there: u32,
    all: u32,
}

impl Coverage {
    fn add(&mut self, interval: Option<Interval>, truth: f64) {
        self.all += 1;
        if let Some(Interval { low, high }) = interval {
            self.there += 1;
            // A rounding error at an end is not a miss.
            self.held += u32::from(low - 1e-9 <= truth && truth <= high + 1e-9);
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u32, of: u32| 100.0 * f64::from(part) / f64::from(of.max(1));
        let held = format!("{:.1}", share(self.held, self.there));
        let text = match self.there {
            0 => "none".to_owned(),
            there if there == self.all => held,
            there => format!("{held} (none in {:.0}%)", 100.0 - share(there, self.all)),
        };
        f.pad(&text)
    }
}

pub(crate) fn print_matches(out: &mut dyn Write) -> io::Result<()> {
    print_table(
        out,
        &format!("{MATCHES} matches"),
        "score, Elo | normalized Elo | last sentence wrong",
        matches,
    )
}

pub(crate) fn print_tournaments(out: &mut dyn Write) -> io::Result<()> {
    print_table(
        out,
        &format!("{TOURNAMENTS} round robins of four players, three of whom are equal"),
        "rating of the one | of the others | score of the one | of the others",
        tournaments,
    )
}

/// Prints a table for each kind of luck, with a row for each number of pairs and each chance to win
/// a decided game.
fn print_table(
    out: &mut dyn Write,
    contest: &str,
    columns: &str,
    row: fn(Luck, u32, f64) -> String,
) -> io::Result<()> {
    for luck in LUCK {
        let (even, drawn) = (luck.even, luck.drawn);
        writeln!(out, "Coverage of the intervals of {contest}, in percent;")?;
        writeln!(
            out,
            "shares of pairs that are even by common luck: {even}, and of drawn games in the others: {drawn}"
        )?;
        writeln!(out, "| pairs | chance | {columns} |")?;
        writeln!(
            out,
            "|---|---|{}",
            "---|".repeat(columns.split('|').count())
        )?;
        for pairs in PAIRS {
            for chance in CHANCES {
                let row = row(luck, pairs, chance);
                writeln!(out, "| {pairs} | {chance} | {row} |")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn matches(luck: Luck, pairs: u32, chance: f64) -> String {
    let model = Model::new(luck, chance);
    let [mut score, mut normalized] = [Coverage::default(); 2];
    let (mut wrong, mut rng) = (0, rng(u64::from(pairs)));
    for _ in 0..MATCHES {
        let sample = model.pairs(pairs, &mut rng).sample();
        let sample = sample.expect("there are pairs");
        score.add(Some(sample.interval()), model.score());
        let found = sample.normalized_elo();
        let ends = found.low.zip(found.high);
        let ends = ends.map(|(low, high)| Interval { low, high });
        normalized.add(ends, model.normalized_elo());
        // The summary says which player is the better one, if the interval leaves out an even
        // score, and what it scores at least. Both have to be true.
        let found = Score::of([sample]).expect("there are pairs");
        let (leader, truth) = if found.share >= 0.5 {
            (found, model.score())
        } else {
            (found.reversed(), 1.0 - model.score())
        };
        let is_told = leader.interval().low > 0.5;
        wrong += u32::from(is_told && (truth <= 0.5 || truth < leader.at_least()));
    }
    let wrong = 100.0 * f64::from(wrong) / f64::from(MATCHES);
    format!("{score} | {normalized} | {wrong:.1}")
}

fn tournaments(luck: Luck, pairs: u32, chance: f64) -> String {
    let (strong, equal) = (Model::new(luck, chance), Model::new(luck, 0.5));
    let lead = elo::difference(strong.score());
    // Of the one, and of each of the others.
    let ratings = [0.75 * lead, -0.25 * lead];
    let scores = [strong.score(), (2.0 - strong.score()) / 3.0];
    let [mut rating_coverage, mut score_coverage] = [[Coverage::default(); 2]; 2];
    let mut rng = rng(u64::from(pairs));
    for _ in 0..TOURNAMENTS {
        let mut results = Vec::new();
        let mut samples = [const { Vec::new() }; 4];
        for players in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            let model = if players[0] == 0 { strong } else { equal };
            let pairs = model.pairs(pairs, &mut rng);
            samples[players[0]].extend(pairs.sample());
            samples[players[1]].extend(pairs.reversed().sample());
            let score = Score::of(pairs.sample()).expect("there are pairs");
            results.push(HeadToHead { players, score });
        }
        let found = fit(4, &results, Anchor::Mean);
        for (player, samples) in samples.into_iter().enumerate() {
            let place = usize::from(player > 0);
            let rating = found.players[player];
            let rating = rating.map(|Rating { low, high, .. }| Interval { low, high });
            rating_coverage[place].add(rating, ratings[place]);
            let score = Score::of(samples).map(|score| score.interval());
            score_coverage[place].add(score, scores[place]);
        }
    }
    let [rating, other_ratings] = rating_coverage;
    let [score, other_scores] = score_coverage;
    format!("{rating} | {other_ratings} | {score} | {other_scores}")
}
