//! The bots that meet next.
//!
//! First every bot meets the staff a few times, new bots first. Then each program plays the fixed
//! number of games that decides a requirement. For the standings the bot whose rating is known
//! least meets the other student's bot whose game says most about it: one of about its strength
//! that it has seldom met (Glickman and Jensen, "Adaptive paired comparison design", 2005, choose
//! in a similar way), but for pairs whose result is certain.

use std::collections::{HashMap, HashSet};

use league::statistics::bradley_terry::{Anchor, HeadToHead, Ratings, fit};
use league::statistics::{Score, Z_95, elo};

use crate::config::Play;
use crate::store::{Pairing, Results};

/// The standard deviation of a rating without games, in Elo: the spread of bots of a class.
const UNKNOWN: f64 = 400.0;

/// The points of Elo that are one in the exponent of the logistic function: 400 / ln 10.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The result of two bots is certain where one of them surely gets a smaller share of the points
/// than this.
const ONE_SIDED: f64 = 0.1;

/// A rating is known well enough if half of its 95% interval is no more than this, in Elo.
const PRECISION: f64 = 40.0;

/// A bot that is to be rated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// Its number in the index.
    pub bot: i64,
    /// Whether it is the staff's.
    pub is_staff: bool,
}

/// The reason why a series is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Purpose {
    /// The standings.
    Rating,
    /// A requirement. The games of all programs have the same seeds.
    Requirement,
}

/// Two bots that meet for a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Match {
    /// For a rating the lower number first; for a requirement the bot of the staff.
    pub bots: [i64; 2],
    pub purpose: Purpose,
}

impl Match {
    /// Returns all ways in which two bots can meet.
    pub(crate) fn all_of([one, two]: [i64; 2]) -> [Match; 3] {
        let of = |bots, purpose| Match { bots, purpose };
        [
            of([one.min(two), one.max(two)], Purpose::Rating),
            of([one, two], Purpose::Requirement),
            of([two, one], Purpose::Requirement),
        ]
    }
}

/// The series of a program against a bot of the staff that are left of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outstanding {
    /// The bot of the staff, and the one that plays for all identical ones.
    pub bots: [i64; 2],
    pub series: u32,
}

/// The bots that meet, what they have played, and what is known of their strength.
#[derive(Clone, Debug)]
pub(crate) struct SeriesChoice {
    play: Play,
    candidates: Vec<Candidate>,
    /// The places of the bots in the list.
    places: HashMap<i64, usize>,
    met: HashMap<[usize; 2], Met>,
    games: Vec<f64>,
    strengths: Vec<Strength>,
    outstanding: Vec<Outstanding>,
}

/// The games of two bots.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    results: Results,
    /// Games that have been given out since.
    awaited: u32,
}

#[derive(Clone, Copy, Debug)]
struct Strength {
    rating: f64,
    /// The information in its games about the rating if its opponents are known: the sum of the
    /// variances of their results.
    told: f64,
    /// The next stronger bot and the next weaker one.
    neighbours: [Option<usize>; 2],
}

/// Rates bots by their games: the places in `bots` are those in the ratings.
pub(crate) fn rate(bots: &[i64], pairings: &[Pairing], anchor: Anchor) -> Ratings {
    let places: HashMap<i64, usize> = bots.iter().copied().zip(0..).collect();
    let results: Vec<HeadToHead> = pairings
        .iter()
        .filter_map(|pairing| {
            let [one, two] = pairing.bots.map(|bot| places.get(&bot).copied());
            Some(HeadToHead {
                players: [one?, two?],
                score: score(&pairing.results)?,
            })
        })
        .collect();
    fit(bots.len(), &results, anchor)
}

impl SeriesChoice {
    /// Looks at what `candidates` have played. `anchor` is the bot from which ratings are counted,
    /// and its rating.
    pub(crate) fn new(
        play: Play,
        candidates: Vec<Candidate>,
        pairings: &[Pairing],
        anchor: Option<(i64, f64)>,
        outstanding: Vec<Outstanding>,
    ) -> SeriesChoice {
        let places: HashMap<i64, usize> = candidates
            .iter()
            .enumerate()
            .map(|(place, one)| (one.bot, place))
            .collect();
        let mut choice = SeriesChoice {
            play,
            met: HashMap::new(),
            games: vec![0.0; candidates.len()],
            strengths: Vec::new(),
            outstanding,
            places,
            candidates,
        };
        for pairing in pairings {
            choice.count(pairing.bots, &pairing.results, 0);
        }
        choice.rate(pairings, anchor);
        choice
    }

    /// Rates the bots again, by these games.
    pub(crate) fn rate(&mut self, pairings: &[Pairing], anchor: Option<(i64, f64)>) {
        let bots: Vec<i64> = self
            .candidates
            .iter()
            .map(|candidate| candidate.bot)
            .collect();
        let anchor = anchor.and_then(|(bot, rating)| {
            Some(Anchor::Player {
                player: *self.places.get(&bot)?,
                rating,
            })
        });
        let ratings = rate(&bots, pairings, anchor.unwrap_or_default());
        let rated = ratings.players.iter().map(|rating| Strength {
            rating: rating.map_or(0.0, |rating| rating.rating),
            told: 0.0,
            neighbours: [None; 2],
        });
        self.strengths = rated.collect();
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        let rating_of = |place: usize| self.strengths[place].rating;
        order.sort_by(|one, two| rating_of(*one).total_cmp(&rating_of(*two)));
        for two in order.windows(2) {
            self.strengths[two[0]].neighbours[0] = Some(two[1]);
            self.strengths[two[1]].neighbours[1] = Some(two[0]);
        }
        let met: Vec<([usize; 2], f64)> = self
            .met
            .iter()
            .map(|(pair, met)| (*pair, games(&met.results) + f64::from(met.awaited)))
            .collect();
        for (pair, games) in met {
            self.tell(pair, games);
        }
    }

    /// Notes what this number of games of two bots tells of both.
    fn tell(&mut self, [one, two]: [usize; 2], games: f64) {
        // Before the first ratings.
        if self.strengths.is_empty() {
            return;
        }
        let expected = elo::expected_score(self.strengths[one].rating - self.strengths[two].rating);
        for place in [one, two] {
            self.strengths[place].told += games * expected * (1.0 - expected);
        }
    }

    /// Counts what two bots have played, `awaited` of which had been given out.
    pub(crate) fn count(&mut self, bots: [i64; 2], results: &Results, awaited: u32) {
        let [Some(one), Some(two)] = bots.map(|bot| self.places.get(&bot).copied()) else {
            return;
        };
        let results = if one < two {
            *results
        } else {
            results.reversed()
        };
        let met = self.met.entry([one.min(two), one.max(two)]).or_default();
        met.results.add(&results);
        met.awaited = met.awaited.saturating_sub(awaited);
        let more = games(&results) - f64::from(awaited);
        for place in [one, two] {
            self.games[place] += more;
        }
        self.tell([one, two], more);
    }

    /// Takes back a match of [`SeriesChoice::next`] that was not played.
    pub(crate) fn give_back(&mut self, chosen: Match) {
        match chosen.purpose {
            Purpose::Rating => {
                self.count(chosen.bots, &Results::default(), self.play.series());
            }
            Purpose::Requirement => {
                let mut outstanding = self.outstanding.iter_mut();
                if let Some(one) = outstanding.find(|one| one.bots == chosen.bots) {
                    one.series += 1;
                }
            }
        }
    }

    /// Returns the bots that should meet next for a series, none of `busy`; `None` if enough is
    /// known of all of them. The series counts as given out.
    pub(crate) fn next(&mut self, busy: &HashSet<Match>) -> Option<Match> {
        let is_free = |choice: &SeriesChoice, pair: [usize; 2]| {
            !busy.contains(&Match {
                bots: choice.bots(pair),
                purpose: Purpose::Rating,
            })
        };
        let pair = self.against_staff(|choice, pair| is_free(choice, pair));
        if pair.is_none()
            && let Some(chosen) = self.for_requirement(busy)
        {
            return Some(chosen);
        }
        let pair = pair.or_else(|| self.against_students(|choice, pair| is_free(choice, pair)))?;
        let [one, two] = pair;
        self.met
            .entry([one.min(two), one.max(two)])
            .or_default()
            .awaited += self.play.series();
        for place in pair {
            self.games[place] += f64::from(self.play.series());
        }
        self.tell(pair, f64::from(self.play.series()));
        Some(Match {
            bots: self.bots(pair),
            purpose: Purpose::Rating,
        })
    }

    /// Returns the program and the bot of the staff with the most series left of a requirement, so
    /// that a night that is too short leaves all programs equally far.
    fn for_requirement(&mut self, busy: &HashSet<Match>) -> Option<Match> {
        let chosen = |one: &Outstanding| Match {
            bots: one.bots,
            purpose: Purpose::Requirement,
        };
        let mut most: Option<&mut Outstanding> = None;
        for one in &mut self.outstanding {
            let is_more = most.as_ref().is_none_or(|most| one.series > most.series);
            if one.series > 0 && is_more && !busy.contains(&chosen(one)) {
                most = Some(one);
            }
        }
        let most = most?;
        most.series -= 1;
        Some(chosen(most))
    }

    /// Returns how many series there are still to play, as far as that can be told from what has
    /// been played.
    pub(crate) fn left(&self) -> u64 {
        // More than can be played in a night need not be counted one by one.
        const MOST: u64 = 1_000_000;
        let mut ahead = self.clone();
        let none = HashSet::new();
        (0..MOST)
            .take_while(|_| ahead.next(&none).is_some())
            .count() as u64
    }

    fn bots(&self, pair: [usize; 2]) -> [i64; 2] {
        let [one, two] = pair.map(|place| self.candidates[place].bot);
        [one.min(two), one.max(two)]
    }

    fn met(&self, one: usize, two: usize) -> Met {
        let met = self
            .met
            .get(&[one.min(two), one.max(two)])
            .copied()
            .unwrap_or_default();
        if one < two {
            met
        } else {
            Met {
                results: met.results.reversed(),
                ..met
            }
        }
    }

    /// Returns a student's bot, of those with the fewest games, and a bot of the staff that it has
    /// to meet.
    fn against_staff(
        &self,
        is_free: impl Fn(&SeriesChoice, [usize; 2]) -> bool,
    ) -> Option<[usize; 2]> {
        let staff = || (0..self.candidates.len()).filter(|at| self.candidates[*at].is_staff);
        let students = (0..self.candidates.len()).filter(|at| !self.candidates[*at].is_staff);
        students
            .flat_map(|one| staff().map(move |two| [one, two]))
            .filter(|pair| is_free(self, *pair) && self.is_open(*pair))
            .min_by(|one, two| {
                let weight = |pair: &[usize; 2]| {
                    let met = self.met(pair[0], pair[1]);
                    (
                        self.games[pair[0]],
                        games(&met.results) + f64::from(met.awaited),
                    )
                };
                let (one, of_one) = weight(one);
                let (two, of_two) = weight(two);
                one.total_cmp(&two).then(of_one.total_cmp(&of_two))
            })
    }

    /// Returns whether a student's bot and one of the staff have to play on.
    fn is_open(&self, [one, two]: [usize; 2]) -> bool {
        let met = self.met(one, two);
        let played = games(&met.results) + f64::from(met.awaited);
        played < f64::from(self.play.staff_games())
    }

    /// Returns the bot that is known least, and the student's bot that tells most about it.
    fn against_students(
        &self,
        is_free: impl Fn(&SeriesChoice, [usize; 2]) -> bool,
    ) -> Option<[usize; 2]> {
        let mut open: Vec<usize> = (0..self.candidates.len())
            .filter(|at| !self.candidates[*at].is_staff && !self.is_known(*at))
            .collect();
        open.sort_by(|one, two| {
            let one = self.error_of(*one);
            let two = self.error_of(*two);
            two.total_cmp(&one)
        });
        open.into_iter().find_map(|one| {
            let others = (0..self.candidates.len())
                .filter(|two| *two != one && !self.candidates[*two].is_staff);
            let worth = |two: usize| {
                let difference = self.strengths[one].rating - self.strengths[two].rating;
                let expected = elo::expected_score(difference);
                let met = self.met(one, two);
                let played = games(&met.results) + f64::from(met.awaited);
                expected * (1.0 - expected) / (1.0 + played / f64::from(self.play.series()))
            };
            // A bot has a place only after these games, whatever they say.
            let is_new = self.games[one] < f64::from(self.play.provisional());
            others
                .filter(|two| is_free(self, [one, *two]) && (is_new || !self.is_certain(one, *two)))
                .max_by(|a, b| worth(*a).total_cmp(&worth(*b)))
                .map(|two| [one, two])
        })
    }

    /// Returns whether no game of a bot is left to be played: its rating is known well enough, or
    /// its place is.
    fn is_known(&self, place: usize) -> bool {
        self.games[place] >= f64::from(self.play.provisional())
            && (self.games[place] >= f64::from(self.play.most_rating_games())
                || Z_95 * self.error_of(place) <= PRECISION
                || self.is_apart(place))
    }

    /// Returns whether the next stronger and the next weaker bot are known to be so. A rating far
    /// from all others stays uncertain for long, since nearly every game ends as it was expected
    /// to.
    fn is_apart(&self, place: usize) -> bool {
        let Strength {
            rating, neighbours, ..
        } = self.strengths[place];
        neighbours.into_iter().flatten().all(|other| {
            let error = self.error_of(place).hypot(self.error_of(other));
            (rating - self.strengths[other].rating).abs() > Z_95 * error
        })
    }

    /// Returns whether the result of two bots is certain: another series of them would tell
    /// nothing.
    fn is_certain(&self, one: usize, two: usize) -> bool {
        score(&self.met(one, two).results).is_some_and(|score| {
            let interval = score.interval();
            interval.high < ONE_SIDED || interval.low > 1.0 - ONE_SIDED
        })
    }

    /// Returns the standard error of a rating among those of its opponents, with the games that
    /// have been given out: the square root of the inverse of what is known, in Elo.
    fn error_of(&self, place: usize) -> f64 {
        let told = self.strengths[place].told.max(0.0) / (ELO * ELO);
        (UNKNOWN.powi(-2) + told).sqrt().recip()
    }
}

/// Returns the games that count.
fn games(results: &Results) -> f64 {
    let singles = results.singles;
    let count = 2 * results.pairs.pairs() + singles.wins + singles.draws + singles.losses;
    league::statistics::to_f64(count)
}

/// Returns the share of the points that the first player got, and how surely; `None` without games.
pub(crate) fn score(results: &Results) -> Option<Score> {
    Score::of(
        results
            .pairs
            .sample()
            .into_iter()
            .chain(results.singles.sample()),
    )
}

#[cfg(test)]
mod tests;
