//! The running sums of a contest: results, faults, attacks and times of each player and pairing.

use super::player::PlayerTally;
use std::collections::BTreeMap;

use crate::game::EndedBy;
use crate::record::{ContestHeader, GameLine, RecordError, RecordReader, SeriesRecord};
use bothost::Side;
use league::crosstable::Crosstable;
use league::schedule::Series;
use league::statistics::{Outcome, Pentanomial, Wdl};

/// The sums of all games of a contest, in memory that does not grow with their number.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The players, in the contest's order.
    pub players: Vec<PlayerTally>,
    /// Those who have met, the lower place in that order first.
    pub pairings: BTreeMap<[usize; 2], PairingTally>,
    /// The points of each player against each other one.
    pub table: Crosstable,
    /// The number of games.
    pub games: u64,
    /// The number of series that were played to their end.
    pub series: u64,
}

/// The sums of the games between two players, as the first of them sees them.
#[derive(Clone, Debug, Default)]
pub struct PairingTally {
    /// The points that the games that count brought it.
    pub results: Wdl,
    /// Those of them in which it moved first.
    moving_first: Wdl,
    /// All games between the two, whether they count or not.
    games: u64,
    /// Pairs of games that both count.
    pub pairs: Pentanomial,
    /// The points that the games of these pairs brought it.
    paired: Wdl,
    /// Games without a winner, by reason.
    pub without_winner: BTreeMap<EndedBy, u64>,
    /// The first game in which the judge failed.
    judge_failure: Option<JudgeFailure>,
    /// The result of the first game of a pair, while the second is awaited.
    half: Option<(u32, Outcome)>,
}

/// A game in which the judge failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeFailure {
    /// The place of its series in the contest.
    series: usize,
    /// The name of the game, as `--game` takes it.
    pub name: String,
    /// The reason, as a sentence.
    pub reason: String,
}

/// More different warnings than this say nothing new about a bot, and would fill the summary.
const MOST_WARNINGS: usize = 10;

/// Adds those of `new` that `warnings` does not have yet, up to [`MOST_WARNINGS`].
pub(crate) fn add_warnings(warnings: &mut Vec<String>, new: &[String]) {
    for warning in new {
        if warnings.len() < MOST_WARNINGS && !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
}

impl Tally {
    /// Returns the tally of a contest of this many players, before its first game.
    #[must_use]
    pub fn new(players: usize) -> Tally {
        Tally {
            players: vec![PlayerTally::default(); players],
            pairings: BTreeMap::new(),
            table: Crosstable::new(players),
            games: 0,
            series: 0,
        }
    }

    /// Adds empty tallies for later players, up to `players` of them.
    pub fn grow_to(&mut self, players: usize) {
        self.players.resize_with(players, PlayerTally::default);
        self.table.grow_to(players);
    }

    /// Counts a game between these players, who are the game's first and second in this order.
    pub fn add_game(&mut self, players: [usize; 2], game: &GameLine) {
        self.games += 1;
        let outcomes = game.outcomes();
        for side in Side::BOTH {
            let outcome = outcomes.map(|outcomes| outcomes[side]);
            self.players[players[side.index()]].add(game, side, outcome);
        }
        // One entry for a pairing: the outcome is turned around where the game has the players the
        // other way round.
        let lower_is_first = players[0] <= players[1];
        let key = if lower_is_first {
            players
        } else {
            [players[1], players[0]]
        };
        let pairing = self.pairings.entry(key).or_default();
        pairing.games += 1;
        if game.winner.is_none() {
            *pairing.without_winner.entry(game.ended_by).or_default() += 1;
        }
        if game.ended_by == EndedBy::JudgeFailed && pairing.judge_failure.is_none() {
            pairing.judge_failure = game.name().map(|name| JudgeFailure {
                series: game.contest.as_ref().map_or(0, |place| place.series),
                name,
                reason: game.reason.clone(),
            });
        }
        let number = game.contest.as_ref().map(|place| place.game);
        if let Some(outcomes) = outcomes {
            // The table keeps both directions itself, so the order of the game is fine here.
            let half_points = outcomes.one.half_points() as u64;
            self.table.add(players[0], players[1], half_points, 1);
            let lower = if lower_is_first { Side::One } else { Side::Two };
            pairing.add(number, outcomes[lower]);
            if game.first == lower {
                pairing.moving_first.add(outcomes[lower]);
            }
        }
    }

    /// Returns the number of games in which the judge failed, and the first of them, if there are
    /// any.
    #[must_use]
    pub fn judge_failures(&self) -> Option<(u64, &JudgeFailure)> {
        let failures = self.pairings.values().filter_map(|pairing| {
            let count = pairing.without_winner.get(&EndedBy::JudgeFailed)?;
            Some((count, pairing.judge_failure.as_ref()?))
        });
        let count = failures.clone().map(|(count, _)| count).sum();
        let (_, first) = failures.min_by_key(|(_, failure)| failure.series)?;
        Some((count, first))
    }

    /// Returns the tally of the games in which neither player is `out`. Players who are out keep
    /// their own. A tally cannot tell the attacks and times of one opponent from those of another,
    /// so a player that has met one who is out has none of them without [`Tally::with_figures`].
    #[must_use]
    pub fn without(&self, out: &[bool]) -> Tally {
        let mut counted = self.clone();
        if !out.contains(&true) {
            return counted;
        }
        let has_out = |players: &[usize; 2]| players.iter().any(|player| out[*player]);
        for players in self.pairings.keys().filter(|players| has_out(players)) {
            for player in players.iter().filter(|player| !out[**player]) {
                let met = &self.players[*player];
                counted.players[*player] = PlayerTally {
                    own_name: met.own_name.clone(),
                    is_judged: met.is_judged,
                    ..PlayerTally::default()
                };
            }
        }
        counted
            .pairings
            .retain(|players, _| players.iter().all(|player| !out[*player]));
        counted.table = Crosstable::new(self.players.len());
        for (player, tally) in counted
            .players
            .iter_mut()
            .enumerate()
            .filter(|(player, _)| !out[*player])
        {
            (tally.results, tally.moving_first, tally.games) = (Wdl::default(), Wdl::default(), 0);
            for (players, pairing) in &counted.pairings {
                let Some(seat) = players.iter().position(|place| *place == player) else {
                    continue;
                };
                let mine = |of_first: Wdl| {
                    if seat == 0 {
                        of_first
                    } else {
                        of_first.reversed()
                    }
                };
                let others_first = pairing.results.minus(pairing.moving_first);
                tally.results += mine(pairing.results);
                tally.moving_first += mine(if seat == 0 {
                    pairing.moving_first
                } else {
                    others_first
                });
                tally.games += pairing.games;
            }
            tally.moving_second = tally.results.minus(tally.moving_first);
        }
        for ([one, other], pairing) in &counted.pairings {
            let results = pairing.results;
            counted
                .table
                .add(*one, *other, results.half_points(), results.games());
        }
        counted
    }

    /// Returns the same tally with the attacks, times and other figures that `figures` has of the
    /// players who are not `out`.
    #[must_use]
    pub(crate) fn with_figures(mut self, figures: Tally, out: &[bool]) -> Tally {
        let players = self.players.iter_mut().zip(figures.players).zip(out);
        for ((player, figures), _) in players.filter(|(_, is_out)| !**is_out) {
            *player = PlayerTally {
                own_name: player.own_name.take(),
                is_judged: player.is_judged,
                games: player.games,
                results: player.results,
                moving_first: player.moving_first,
                moving_second: player.moving_second,
                ..figures
            };
        }
        self
    }

    /// Returns the tally of the games in `record` in which neither player is `out`, without series
    /// that have no end if only `whole` ones count. `header` names the players.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(crate) fn of_record(
        mut record: RecordReader,
        header: &ContestHeader,
        out: &[bool],
        whole: bool,
    ) -> Result<Tally, RecordError> {
        let players = &header.config.players;
        let mut tally = Tally::new(players.len());
        while let Some(chunk) = record.next_chunk()? {
            let Some(game) = chunk.games.first() else {
                continue;
            };
            if whole && chunk.end.is_none() {
                continue;
            }
            let place = |side: Side| {
                let name = &game.players[side].name;
                players.iter().position(|player| player.name == *name)
            };
            let Some((one, two)) = place(Side::One).zip(place(Side::Two)) else {
                continue;
            };
            if one == two || out[one] || out[two] {
                continue;
            }
            for game in &chunk.games {
                tally.add_game([one, two], game);
            }
            if let Some(end) = chunk.end.as_ref().filter(|end| end.players == [one, two]) {
                tally.add_end(end);
            }
        }
        Ok(tally)
    }

    /// Counts what is known of a series only at its end.
    pub fn add_end(&mut self, end: &SeriesRecord) {
        self.series += 1;
        for seat in [0, 1] {
            let player = &mut self.players[end.players[seat]];
            // Series without a known time are left out of the sum, which is a lower bound then.
            if let Some(cpu_ms) = end.cpu_ms[seat] {
                player.cpu_ms = Some(player.cpu_ms.unwrap_or(0).saturating_add(cpu_ms));
            }
            add_warnings(&mut player.warnings, &end.warnings[seat]);
        }
    }

    /// Counts a whole series, or what there is of it.
    pub fn add_series(&mut self, series: &Series, games: &[GameLine], end: Option<&SeriesRecord>) {
        for game in games {
            self.add_game(series.players, game);
        }
        if let Some(end) = end {
            self.add_end(end);
        }
    }
}

impl PairingTally {
    /// Returns the results of the games that are in no pair.
    #[must_use]
    pub const fn singles(&self) -> Wdl {
        self.results.minus(self.paired)
    }

    /// Counts a game. Those with an odd number are the first of a pair.
    fn add(&mut self, number: Option<u32>, outcome: Outcome) {
        self.results.add(outcome);
        let Some(number) = number else { return };
        // A pair is two games that follow each other, the odd number first, and both count. If the
        // second does not count or is missing, the first stays a single: half a pair says nothing
        // about the luck of the fleets.
        match self.half.take() {
            Some((first, before)) if first.checked_add(1) == Some(number) => {
                self.pairs.add([before, outcome]);
                self.paired.add(before);
                self.paired.add(outcome);
            }
            _ if number % 2 == 1 => self.half = Some((number, outcome)),
            _ => {}
        }
    }
}
