//! Tunes a bot: looks for the values of its parameters with which it scores best against an
//! opponent, then tests them against those that it had.
//!
//! In each round of the search two versions of the bot play the same games, with the same seeds,
//! against the opponent; which of them scores more says where to go (`spsa`). The test plays new
//! against old on seeds of its own.

mod parameter;
mod record;
mod spsa;

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

pub use self::parameter::Parameter;
use self::record::Line;
pub use self::record::{TUNING_VERSION, TuningHeader, TuningRecord};
use self::spsa::{Estimate, Spsa};
use crate::LabError;
use crate::trial::{Bench, SameLuck, series};
use arena::contest::{NotChecked, PlayedSeries, Preflight, differences, play_until};
use arena::game::{Entrant, derived_seed, tell_apart};
use arena::record::{GameLine, ListedPlayer};
use league::statistics::sprt::{Decision, Sprt};
use league::statistics::{Interval, Pentanomial, to_f64};
use wire::seeds::SeededRng;

/// Number of games at each end of its range that decide whether a parameter has an effect.
const EFFECT_GAMES: u32 = 100;

/// The progress is reported not more often than this.
const PAUSE: Duration = Duration::from_secs(5);

/// The search ends when no more than this share of the points can be left to gain.
pub const LEAST_GAIN: f64 = 0.003;

/// The tuning stops if a player spoils more than one in this many games of a round.
const MOST_FAULTS: usize = 5;

/// The settings of a tuning: all that decides which games are played, and how.
#[derive(Debug)]
pub struct Tuning<'t> {
    /// The settings of all games.
    pub bench: &'t Bench,
    /// Its header in the record.
    pub header: &'t TuningHeader,
    /// The bot, with `{name}` for the value of a parameter.
    pub bot: &'t Entrant,
    /// Its opponent.
    pub opponent: &'t Entrant,
    /// The test of the new values against the old ones.
    pub sprt: Sprt,
}

/// The progress of a tuning, or its result.
#[derive(Clone, Debug, Default)]
pub struct Tuned {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The knowledge of each parameter: before the first round, and after each.
    pub course: Vec<Vec<Moment>>,
    /// The games of the search.
    pub games: u64,
    /// The part of a point that a game may still gain, at most; `None` if too little is known.
    pub left: Option<f64>,
    /// The reason why there are no more rounds; `None` if there are.
    pub finish: Option<TuneFinish>,
    /// The pairs of games of the test, as the new values see them.
    pub pairs: Pentanomial,
    /// The decision of the test; `None` if it has not begun, or has nothing to test.
    pub decision: Option<Decision>,
}

/// The knowledge of a parameter at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The place of the search.
    pub at: f64,
    /// The best value, as far as is known.
    pub value: f64,
    /// The interval of it, in 95%.
    pub interval: Interval,
}

/// The reason why a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneFinish {
    /// Nothing worth the games is left to gain.
    NothingLeft,
    /// All games have been played.
    AllGames,
}

/// The purpose of games: each has seeds of its own.
#[derive(Clone, Copy)]
enum Purpose {
    Effect,
    Search,
    Test,
}

impl Tuned {
    /// Returns the present knowledge of each parameter.
    #[must_use]
    pub fn now(&self) -> &[Moment] {
        self.course.last().map_or(&[], Vec::as_slice)
    }
}

impl Tuning<'_> {
    /// Returns the bot with these values, in the order of the parameters.
    #[must_use]
    pub fn version(&self, values: &[f64], luck: f64) -> Entrant {
        let mut bot = self.bot.clone();
        for (parameter, value) in self.header.parameters.iter().zip(values) {
            parameter.give(&mut bot, &parameter.text(*value, luck));
        }
        bot
    }

    /// Checks that the opponent can play, and the bot with the values that it starts from, with the
    /// least values and with the greatest.
    fn check_players(&self) -> Result<(), LabError> {
        let parameters = &self.header.parameters;
        let least: Vec<f64> = parameters.iter().map(|range| range.low).collect();
        let greatest: Vec<f64> = parameters.iter().map(|range| range.high).collect();
        let players = [
            self.version(&self.starts(), 0.0),
            self.version(&least, 0.0),
            self.version(&greatest, 0.0),
            self.opponent.clone(),
        ];
        let Bench {
            game,
            terms,
            launch,
            lanes,
            interrupt,
            ..
        } = self.bench;
        let preflight = Preflight {
            game: &**game,
            terms,
            launch,
            seed: self.header.seed,
        };
        let checks = preflight.run(&players, lanes, interrupt)?;
        for (player, checked) in players.iter().zip(checks) {
            match checked {
                Ok(_) => {}
                Err(NotChecked::Failed(why)) => {
                    return Err(LabError::Fails(format!(
                        "{} cannot play: {why}; fix the player, or narrow the range of what it cannot play with",
                        player.program.command_line
                    )));
                }
                Err(NotChecked::Interrupted) => return Err(LabError::Interrupted),
            }
        }
        Ok(())
    }

    /// Tunes and tests, behind what `record` has already. `on_progress` receives the progress now
    /// and then.
    ///
    /// # Errors
    /// If a parameter has no effect, if a player fails, if the user interrupts, or if the referee
    /// or its machine fails. What is in the record by then stays there.
    pub fn run(
        &self,
        mut record: Option<TuningRecord>,
        on_progress: &dyn Fn(&Tuned) -> io::Result<()>,
    ) -> Result<Tuned, LabError> {
        self.check_players()?;
        let mut reported = Instant::now();
        let mut report = |tuned: &Tuned| {
            if reported.elapsed() < PAUSE {
                return Ok(());
            }
            reported = Instant::now();
            on_progress(tuned)
        };
        let mut past = Vec::new();
        if let Some(record) = &mut record {
            record.begin(self.header)?;
            past = std::mem::take(&mut record.past);
        }
        let mut past = past.into_iter().skip(1).peekable();
        if past.peek().is_none() {
            self.check_effects()?;
        }
        let mut append = |line: &Line| match &mut record {
            Some(record) => record.append(line),
            None => Ok(()),
        };
        let TuningHeader {
            parameters,
            games,
            round: size,
            seed,
            ..
        } = self.header;
        let rounds = u64::from((games / size).max(1));
        let start = parameters.iter().map(Parameter::start_coordinate).collect();
        let mut search = Spsa::new(start, rounds);
        let course = vec![self.moments(&search)];
        let mut tuned = Tuned {
            parameters: parameters.clone(),
            course,
            ..Tuned::default()
        };
        while tuned.finish.is_none() {
            let round = search.round();
            let mut random = SeededRng::new(derived_seed(*seed, "tuning round", &[round]));
            let coins: Vec<bool> = parameters.iter().map(|_| random.coin()).collect();
            // A whole number is rounded alike on both sides, so that they differ by what they
            // should in the mean.
            let luck = to_f64(random.next_u64() >> 11) / to_f64(1 << 53);
            let (sides, is_new) = if let Some(Line::Round { sides, .. }) = past.next() {
                (sides, false)
            } else {
                let sides = search.sides(&coins);
                let sides = sides.map(|mut at| {
                    for (parameter, at) in parameters.iter().zip(&mut at) {
                        *at = parameter.value(*at);
                    }
                    self.version(&at, luck)
                });
                (self.play_sides(sides, round)?, true)
            };
            let scores = sides.map(|[half_points, games]| to_f64(half_points) / to_f64(2 * games));
            let lead = scores[0] - scores[1];
            // A side without games that count has no score.
            search.learn(&coins, if lead.is_nan() { 0.0 } else { lead });
            tuned.course.push(self.moments(&search));
            tuned.games += u64::from(*size);
            tuned.left = search.left_to_gain();
            tuned.finish = match tuned.left {
                Some(left) if left <= LEAST_GAIN => Some(TuneFinish::NothingLeft),
                Some(_) | None if search.round() == rounds => Some(TuneFinish::AllGames),
                Some(_) | None => None,
            };
            if is_new {
                append(&Line::Round {
                    round: round + 1,
                    sides,
                    values: self.named(tuned.now().iter().map(|moment| moment.at)),
                })?;
                report(&tuned)?;
            }
        }
        let new: Vec<f64> = tuned.now().iter().map(|moment| moment.value).collect();
        // Whole numbers are rounded to the nearest now.
        let [new, old] = [new, self.starts()].map(|values| self.version(&values, 0.5));
        for round in 0..rounds {
            if new.program == old.program {
                break;
            }
            let (pairs, is_new) = match past.next() {
                Some(Line::Test { pairs, .. }) => (pairs, false),
                Some(_) | None => (self.play_test([&new, &old], round)?, true),
            };
            tuned.pairs += pairs;
            tuned.decision = Some(self.sprt.decide(&tuned.pairs));
            if is_new {
                append(&Line::Test {
                    round: round + 1,
                    pairs,
                })?;
                report(&tuned)?;
            }
            if tuned.decision != Some(Decision::Continue) {
                break;
            }
        }
        if past.next().is_none() {
            let values = tuned.now().iter().map(|moment| {
                let Interval { low, high } = moment.interval;
                [moment.value, low, high]
            });
            append(&Line::Result {
                values: self.named(values),
                decision: tuned.decision,
            })?;
        }
        Ok(tuned)
    }

    fn named<T>(&self, values: impl Iterator<Item = T>) -> BTreeMap<String, T> {
        let parameters = self.header.parameters.iter();
        let names = parameters.map(|parameter| parameter.name.clone());
        names.zip(values).collect()
    }

    fn moments(&self, search: &Spsa) -> Vec<Moment> {
        let mut moments = Vec::new();
        for (place, parameter) in self.header.parameters.iter().enumerate() {
            let Estimate { value, interval } = search.estimates()[place];
            moments.push(Moment {
                at: parameter.value(search.at()[place]),
                value: parameter.value(value),
                interval: Interval {
                    low: parameter.value(interval.low),
                    high: parameter.value(interval.high),
                },
            });
        }
        moments
    }

    /// Returns the half points and the games that count of both sides of a round.
    fn play_sides(&self, [up, down]: [Entrant; 2], round: u64) -> Result<[[u64; 2]; 2], LabError> {
        let players = vec![up, down, self.opponent.clone()];
        let games = self.header.round / 2;
        let played = self.play(players, Purpose::Search, round, games, &[[0, 2], [1, 2]])?;
        let mut sides = [[0, 0]; 2];
        for PlayedSeries { series, games, .. } in &played {
            let [half_points, count] = &mut sides[series.players[0]];
            for outcomes in games.iter().filter_map(GameLine::outcomes) {
                *half_points += outcomes.one.half_points() as u64;
                *count += 1;
            }
        }
        Ok(sides)
    }

    /// Returns the pairs of games of a round of the test, as the first of two versions sees them.
    fn play_test(&self, versions: [&Entrant; 2], round: u64) -> Result<Pentanomial, LabError> {
        let versions = versions.map(Entrant::clone).into();
        let games = self.header.round;
        let played = self.play(versions, Purpose::Test, round, games, &[[0, 1]])?;
        let mut pairs = Pentanomial::default();
        for pair in played
            .iter()
            .flat_map(|played| played.games.chunks_exact(2))
        {
            if let (Some(one), Some(other)) = (pair[0].outcomes(), pair[1].outcomes()) {
                pairs.add([one.one, other.one]);
            }
        }
        Ok(pairs)
    }

    /// Checks of each parameter that the bot plays otherwise at the ends of its range.
    fn check_effects(&self) -> Result<(), LabError> {
        for (place, parameter) in self.header.parameters.iter().enumerate() {
            let mut values = self.starts();
            let mut players = Vec::new();
            for end in [parameter.low, parameter.high] {
                values[place] = end;
                players.push(self.version(&values, 0.0));
            }
            players.push(self.opponent.clone());
            let pairings = [[0, 2], [1, 2]];
            let played = self.play(players, Purpose::Effect, 0, EFFECT_GAMES, &pairings)?;
            let reader = self.bench.game.reader();
            let is_heeded = played.chunks_exact(2).any(|ends| {
                let mut all = differences(reader, &ends[0].games, &ends[1].games);
                all.next().is_some()
            });
            if is_heeded {
                continue;
            }
            let name = &parameter.name;
            let [low, high] = [parameter.low, parameter.high].map(|end| parameter.text(end, 0.0));
            let advice = if parameter.is_in(self.bot) {
                format!("look what it does with the argument that has {{{name}}}")
            } else {
                format!(
                    "the command has no {{{name}}}, so the bot has to read the variable {name} of its environment"
                )
            };
            return Err(LabError::Misuse(format!(
                "--param {name}: the bot plays the same {EFFECT_GAMES} games turn by turn with {name}={low} and with \
                 {name}={high}; {advice}, or leave the parameter out"
            )));
        }
        Ok(())
    }

    /// Returns the values that the bot starts from.
    #[must_use]
    pub fn starts(&self) -> Vec<f64> {
        let parameters = self.header.parameters.iter();
        parameters.map(|parameter| parameter.start).collect()
    }

    /// Plays `games` games of each pairing of `players`, as round `round` of their purpose. Those
    /// of the same number have the same seed; the series of each number follow each other in the
    /// order of the pairings.
    fn play(
        &self,
        mut players: Vec<Entrant>,
        purpose: Purpose,
        round: u64,
        games: u32,
        pairings: &[[usize; 2]],
    ) -> Result<Vec<PlayedSeries>, LabError> {
        // The winner of a game is known by its name.
        tell_apart(&mut players);
        let recorded = players
            .iter()
            .map(|player| {
                let command = player.program.command_line.clone();
                ListedPlayer::called(player.name.clone(), command)
            })
            .collect();
        let seed = derived_seed(self.header.seed, "tuning", &[purpose as u64, round]);
        let bench = self.bench;
        let luck = SameLuck {
            seed,
            in_pairs: false,
        };
        let setup = bench.setup(players, recorded, games, luck);
        let series = series(games, pairings);
        let played = play_until(&setup, &bench.lanes, &series, &bench.interrupt)?;
        let played = played.ok_or(LabError::Interrupted)?;
        for (place, player) in setup.entrants.iter().enumerate() {
            check_player(place, player, &played)?;
        }
        Ok(played)
    }
}

/// Checks that the player at `place` has not spoiled too many of its games.
fn check_player(place: usize, player: &Entrant, played: &[PlayedSeries]) -> Result<(), LabError> {
    let mut games = 0;
    let mut faults = Vec::new();
    for played in played {
        let players = &played.series.players;
        let Some(side) = players.iter().position(|player| *player == place) else {
            continue;
        };
        games += played.games.len();
        faults.extend(played.games.iter().filter(|game| {
            game.ended_by.is_fault() && game.by.is_some_and(|by| by.index() == side)
        }));
    }
    match faults.first() {
        Some(first) if faults.len() * MOST_FAULTS > games => Err(LabError::Fails(format!(
            "{}: it failed in {} of {games} games ({}); fix the player, or narrow the range of what it cannot play with",
            player.program.command_line,
            faults.len(),
            first.reason
        ))),
        Some(_) | None => Ok(()),
    }
}
