//! The running sums of a contest: results, faults, attacks and times of each player and pairing.

use super::replay_command::PlayedOnce;
use battleship::Impact;
use std::collections::BTreeMap;

use super::points::outcomes;
use crate::game::EndedBy;
use crate::record::{GameRecord, SeriesRecord};
use league::crosstable::Crosstable;
use league::schedule::Series;
use league::statistics::distribution::{Counts, Times};
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

/// The sums of the games of one player.
#[derive(Clone, Debug, Default)]
pub struct PlayerTally {
    /// Its results in the games that count.
    pub results: Wdl,
    /// Those of them in which it moved first.
    pub moving_first: Wdl,
    /// All its games, whether they count or not.
    pub games: u64,
    /// The games that it spoiled, by how.
    pub faults: BTreeMap<EndedBy, u64>,
    /// Those of them in which it moved first.
    pub faults_moving_first: u64,
    /// How many attacks it needed in the games in which it sank the opponent's fleet.
    pub shots_to_win: Counts,
    /// All its attacks.
    pub shots: u64,
    /// Those that could not count.
    pub wasted: u64,
    /// The time of each reply.
    pub reply_times: Times,
    /// The processor time it has used, in milliseconds, as far as that is known.
    pub cpu_ms: Option<u64>,
    /// What was irregular about it, in a sentence each.
    pub warnings: Vec<String>,
    /// What it calls itself, if that is not its name.
    pub own_name: Option<String>,
    /// The game that it should look at first.
    pub worst: Option<Worst>,
}

/// A game that a player should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// How bad it is: less is worse.
    badness: (u8, u64),
    /// The game itself.
    pub played: PlayedOnce,
    /// The series, from 1; `None` if it was played in no contest.
    pub series: Option<usize>,
    /// The number of the game between these two, from 1.
    pub game: Option<u32>,
    /// What is bad about it.
    pub why: String,
}

/// The sums of the games between two players, as the first of them sees them.
#[derive(Clone, Debug, Default)]
pub struct PairingTally {
    /// What the games that count brought it.
    pub results: Wdl,
    /// Those of them in which it moved first.
    moving_first: Wdl,
    /// All games between the two, whether they count or not.
    games: u64,
    /// Pairs of games that both count.
    pub pairs: Pentanomial,
    /// What the games of these pairs brought it.
    paired: Wdl,
    /// Games without a winner, by reason.
    pub without_winner: BTreeMap<EndedBy, u64>,
    /// What the first game of a pair brought, while the second is awaited.
    half: Option<(u32, Outcome)>,
}

/// More different warnings than this say nothing new about a bot, and would fill the summary.
const MOST_WARNINGS: usize = 10;

/// Adds those of `new` that `warnings` does not have yet, up to [`MOST_WARNINGS`].
pub(super) fn add_warnings(warnings: &mut Vec<String>, new: &[String]) {
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

    /// Makes room for players who turn up later, so that there are `players` of them.
    pub fn grow_to(&mut self, players: usize) {
        self.players.resize_with(players, PlayerTally::default);
        self.table.grow_to(players);
    }

    /// Counts a game between these players, who are the game's first and second in this order.
    pub fn add_game(&mut self, players: [usize; 2], game: &GameRecord) {
        self.games += 1;
        let outcomes = outcomes(game);
        for seat in [0, 1] {
            self.players[players[seat]].add(game, seat, outcomes.map(|outcomes| outcomes[seat]));
        }
        // One entry for a pairing: the outcome is turned around where the game has the players the other way
        // round.
        let lower_is_first = players[0] <= players[1];
        let key = if lower_is_first { players } else { [players[1], players[0]] };
        let pairing = self.pairings.entry(key).or_default();
        pairing.games += 1;
        if game.winner.is_none() {
            *pairing.without_winner.entry(game.ended_by).or_default() += 1;
        }
        let number = game.contest.as_ref().map(|place| place.game);
        if let Some(outcomes) = outcomes {
            // The table keeps both directions itself, so the order of the game is fine here.
            let half_points = outcomes[0].half_points() as u64;
            self.table.add(players[0], players[1], half_points, 1);
            let lower = usize::from(!lower_is_first);
            pairing.add(number, outcomes[lower]);
            if game.first == lower {
                pairing.moving_first.add(outcomes[lower]);
            }
        }
    }

    /// Returns the same with the results of the games alone in which neither player is `out`. Those who are out keep
    /// theirs. What else was counted of a player, such as its attacks and times, is of all its games.
    #[must_use]
    pub fn without(&self, out: &[bool]) -> Tally {
        let is_counted = |players: &[usize; 2]| players.iter().all(|player| !out[*player]);
        let mut counted = self.clone();
        if !out.contains(&true) {
            return counted;
        }
        counted.pairings.retain(|players, _| is_counted(players));
        counted.table = Crosstable::new(self.players.len());
        for (player, tally) in
            counted.players.iter_mut().enumerate().filter(|(player, _)| !out[*player])
        {
            (tally.results, tally.moving_first, tally.games) = (Wdl::default(), Wdl::default(), 0);
            for (players, pairing) in &counted.pairings {
                let Some(seat) = players.iter().position(|place| *place == player) else {
                    continue;
                };
                let mine = |of_first: Wdl| if seat == 0 { of_first } else { of_first.reversed() };
                let others_first = pairing.results.minus(pairing.moving_first);
                tally.results += mine(pairing.results);
                tally.moving_first +=
                    mine(if seat == 0 { pairing.moving_first } else { others_first });
                tally.games += pairing.games;
            }
        }
        for ([one, other], pairing) in &counted.pairings {
            let results = pairing.results;
            counted.table.add(*one, *other, results.half_points(), results.games());
        }
        counted
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
    pub fn add_series(
        &mut self,
        series: &Series,
        games: &[GameRecord],
        end: Option<&SeriesRecord>,
    ) {
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
        // A pair is two games that follow each other, the odd number first, and both count. If the second
        // does not count or is missing, the first stays a single: half a pair says nothing about the luck of
        // the fleets.
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

impl PlayerTally {
    /// Returns the games that it spoiled.
    #[must_use]
    pub fn n_faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Returns the games that count in which it moved second.
    #[must_use]
    pub const fn moving_second(&self) -> Wdl {
        self.results.minus(self.moving_first)
    }

    fn add(&mut self, game: &GameRecord, seat: usize, outcome: Option<Outcome>) {
        self.games += 1;
        if self.own_name != game.players[seat].calls_itself {
            self.own_name.clone_from(&game.players[seat].calls_itself);
        }
        if let Some(outcome) = outcome {
            self.results.add(outcome);
            if game.first == seat {
                self.moving_first.add(outcome);
            }
        }
        // Counted also where the game itself does not count as a result.
        let at_fault = game.by == Some(seat) && game.ended_by.is_fault();
        if at_fault {
            *self.faults.entry(game.ended_by).or_default() += 1;
            self.faults_moving_first += u64::from(game.first == seat);
        }
        let (mut shots, mut hits) = (0_u32, 0_u64);
        for played in game.turns_of(seat) {
            shots += 1;
            self.reply_times.add(played.us.into());
            match played.turn.impact() {
                Impact::Hit | Impact::Sunk(_) => hits += 1,
                Impact::Wasted => self.wasted += 1,
                Impact::Nothing => {}
            }
        }
        self.shots += u64::from(shots);
        // A win by forfeit takes few attacks, and would look like skill.
        let sank = outcome == Some(Outcome::Win) && game.ended_by == EndedBy::FleetSunk;
        if sank {
            self.shots_to_win.add(shots);
        }
        let cells: i32 = game.ships.iter().map(|ship| ship.length).fold(0, i32::saturating_add);
        // Where damage is repaired, a cell may be hit more than once, so hits are not a share of the cells.
        let done = if game.rules.hits_once() {
            format!("{hits} of {cells} cells hit")
        } else {
            format!("{hits} shots that hit")
        };
        // Ordered: faults first, then losses with the fewest hits, then games not won, then wins with the
        // most attacks. The first of equally bad games stays, so that the choice does not change while the
        // contest goes on.
        let (badness, why) = match outcome {
            _ if at_fault => ((0, 0), game.reason.clone()),
            Some(Outcome::Loss) => ((1, hits), format!("lost with {done}")),
            Some(Outcome::Draw) => ((2, hits), format!("not won, {done}")),
            Some(Outcome::Win) if sank => {
                ((3, u64::MAX - u64::from(shots)), format!("won with {shots} attacks"))
            }
            Some(Outcome::Win) | None => return,
        };
        if self.worst.as_ref().is_none_or(|worst| badness < worst.badness) {
            let place = game.contest.as_ref();
            let (series, number) = (place.map(|place| place.series), place.map(|place| place.game));
            self.worst = Some(Worst { badness, played: game.into(), series, game: number, why });
        }
    }
}
