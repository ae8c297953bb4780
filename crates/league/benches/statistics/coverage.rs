//! The coverage of the intervals of 95%: how many of them contain what they estimate.

use std::fmt;
use std::io::{self, Write};

use league::statistics::bradley_terry::{Anchor, HeadToHead, Rating, fit};
use league::statistics::{Interval, Pentanomial, Score, elo};

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

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    for luck in LUCK {
        writeln!(
            out,
            "Coverage of the intervals of a match, in percent of {MATCHES} matches; {luck}"
        )?;
        writeln!(
            out,
            "| pairs | chance | score, Elo | normalized Elo | last sentence wrong |"
        )?;
        writeln!(out, "|---|---|---|---|---|")?;
        for pairs in PAIRS {
            for chance in CHANCES {
                print_match(out, Model::new(luck, chance), pairs, chance)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_match(out: &mut dyn Write, model: Model, pairs: u32, chance: f64) -> io::Result<()> {
    let [mut score, mut normalized] = [Coverage::default(); 2];
    let (mut wrong, mut rng) = (0, rng(u64::from(pairs)));
    for _ in 0..MATCHES {
        let played = model.pairs(pairs, &mut rng);
        let sample = played.sample().expect("there are pairs");
        score.add(Some(sample.interval()), model.score());
        let found = sample.normalized_elo();
        let ends = found
            .low
            .zip(found.high)
            .map(|(low, high)| Interval { low, high });
        normalized.add(ends, model.normalized_elo());
        // The summary says which player is the better one, if the interval leaves out an even score, and what it scores
        // at least. Both have to be true.
        let found = Score::of([sample]).expect("there are pairs");
        let (leader, truth) = if found.share >= 0.5 {
            (found, model.score())
        } else {
            (found.reversed(), 1.0 - model.score())
        };
        let said = leader.interval().low > 0.5;
        wrong += u32::from(said && (truth <= 0.5 || truth < leader.at_least()));
    }
    let wrong = 100.0 * f64::from(wrong) / f64::from(MATCHES);
    writeln!(
        out,
        "| {pairs} | {chance} | {score} | {normalized} | {wrong:.1} |"
    )
}

pub(crate) fn print_tournament(out: &mut dyn Write) -> io::Result<()> {
    for luck in LUCK {
        writeln!(
            out,
            "Coverage of the intervals of a round robin of four players, in percent of {TOURNAMENTS};"
        )?;
        writeln!(
            out,
            "one wins each decided game with the chance given, the other three are equal; {luck}"
        )?;
        writeln!(
            out,
            "| pairs | chance | rating of the one | of the others | score of the one | of the others |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for pairs in PAIRS {
            for chance in CHANCES {
                let row = tournaments(luck, pairs, chance);
                let [one, others, score, scores] = row;
                writeln!(
                    out,
                    "| {pairs} | {chance} | {one} | {others} | {score} | {scores} |"
                )?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn tournaments(luck: Luck, pairs: u32, chance: f64) -> [Coverage; 4] {
    let (strong, equal) = (Model::new(luck, chance), Model::new(luck, 0.5));
    let lead = elo::difference(strong.score());
    let ratings = [0.75 * lead, -0.25 * lead, -0.25 * lead, -0.25 * lead];
    let scores = [0, 1, 2, 3].map(|player| {
        if player == 0 {
            strong.score()
        } else {
            (2.0 * 0.5 + 1.0 - strong.score()) / 3.0
        }
    });
    let mut coverage = [Coverage::default(); 4];
    let mut rng = rng(u64::from(pairs));
    for _ in 0..TOURNAMENTS {
        let mut played = Vec::new();
        for players in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            let model = if players[0] == 0 { strong } else { equal };
            played.push((players, model.pairs(pairs, &mut rng)));
        }
        let mut results = Vec::new();
        for (players, pairs) in &played {
            let score = Score::of(pairs.sample()).expect("there are pairs");
            let players = *players;
            results.push(HeadToHead { players, score });
        }
        let found = fit(4, &results, Anchor::Mean);
        for player in 0..4 {
            let place = usize::from(player > 0);
            let rating =
                found.players[player].map(|Rating { low, high, .. }| Interval { low, high });
            coverage[place].add(rating, ratings[player]);
            let own = |(players, pairs): &([usize; 2], Pentanomial)| {
                let seat = players.iter().position(|one| *one == player)?;
                if seat == 0 {
                    pairs.sample()
                } else {
                    pairs.reversed().sample()
                }
            };
            let score = Score::of(played.iter().filter_map(own)).map(|score| score.interval());
            coverage[2 + place].add(score, scores[player]);
        }
    }
    coverage
}
