//! Swiss tournaments: in each round, players with about the same score meet.

use std::cmp::Ordering;

use super::place::{Place, percent};
use super::rematches::{fewest_rematches, pair_up};
use super::series::Pairing;
use crate::crosstable::Crosstable;

/// Match points are kept in halves: 2 for winning the games of a round, 1 for an equal score in
/// them.
const WON: u32 = 2;
const EQUAL: u32 = 1;

/// A Swiss tournament.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    games: u32,
    rounds_to_come: usize,
    /// The number of players that were not disqualified when the last round began.
    active: usize,
    /// The rounds of each player.
    rounds: Vec<Vec<PlayerRound>>,
    /// The number of times that each two players were paired, row by row. Both places of a pair are
    /// kept, so that either order finds it.
    meetings: Vec<u32>,
    /// The players who meet in the round that was given out last, and the half points that they had
    /// against each other before: the table adds up all their games.
    open: Vec<([usize; 2], [u64; 2])>,
}

/// A round of a player, which is a bye or has been closed.
#[derive(Clone, Copy, Debug)]
struct PlayerRound {
    /// `None` for a bye.
    opponent: Option<usize>,
    half_match_points: u32,
}

impl Swiss {
    pub(super) fn new(players: usize, games: u32, rounds: usize) -> Swiss {
        Swiss {
            games,
            rounds_to_come: rounds,
            active: players,
            rounds: vec![Vec::new(); players],
            meetings: vec![0; players * players],
            open: Vec::new(),
        }
    }

    pub(super) fn next_round(
        &mut self,
        table: &Crosstable,
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<Pairing>> {
        self.close_round(table, is_disqualified);
        // The last round has to be closed first: the order depends on its points.
        let mut order = self.order(table);
        order.retain(|&player| !is_disqualified(player));
        self.active = order.len();
        if self.active < 2 {
            self.rounds_to_come = 0;
        }
        // `None` ends the tournament: no rounds are left, or fewer than two players.
        self.rounds_to_come = self.rounds_to_come.checked_sub(1)?;
        if order.len() % 2 == 1 {
            let player = order.remove(self.bye(&order));
            // A bye is worth a win (as in FIDE's rules), or the lowest player would fall behind for
            // good.
            self.score(player, None, WON);
        }
        let pairs = pair_up(&order, &|a, b| self.met(a, b));
        Some(
            pairs
                .into_iter()
                .map(|[a, b]| self.begin(a, b, table))
                .collect(),
        )
    }

    pub(super) fn places(
        &self,
        table: &Crosstable,
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Vec<Place> {
        // Rounds against players who are disqualified by now count for none of those who have met
        // them.
        let counted = |player: usize| {
            let rounds = self.rounds[player].iter();
            rounds.filter(move |round| {
                is_disqualified(player) || !round.opponent.is_some_and(is_disqualified)
            })
        };
        let half_points =
            |player| -> u32 { counted(player).map(|round| round.half_match_points).sum() };
        (0..self.rounds.len())
            .map(|player| {
                let share = table.share(player);
                // Buchholz is the sum of the opponents' points. It ranks equal players by the
                // strength of their opponents.
                let opponents = self.rounds[player]
                    .iter()
                    .filter_map(|round| round.opponent);
                let half_buchholz: u32 = opponents
                    .filter(|&opponent| !is_disqualified(opponent))
                    .map(half_points)
                    .sum();
                let points = f64::from(half_points(player)) / 2.0;
                let buchholz = f64::from(half_buchholz) / 2.0;
                let note = format!("{} in games, Buchholz {buchholz}", percent(share));
                // The first key is the match points a round: all players have as many rounds, but
                // for those against disqualified players.
                let rounds = u32::try_from(counted(player).count().max(1)).expect("far fewer");
                let keys = [points / f64::from(rounds), share.unwrap_or(-1.0), buchholz];
                Place::new(player, points, note, keys)
            })
            .collect()
    }

    pub(super) fn games_to_come(&self) -> u64 {
        self.rounds_to_come as u64 * (self.active / 2) as u64 * u64::from(self.games)
    }

    /// Gives the match points of the last round. A disqualified player has lost.
    fn close_round(&mut self, table: &Crosstable, is_disqualified: &dyn Fn(usize) -> bool) {
        for ([a, b], before) in std::mem::take(&mut self.open) {
            // Only the points of this round count. Games without a result give neither player
            // points.
            let of_a = table.half_points(a, b).saturating_sub(before[0]);
            let of_b = table.half_points(b, a).saturating_sub(before[1]);
            let [points_a, points_b] = match (is_disqualified(a), is_disqualified(b)) {
                (true, true) => [0, 0],
                (true, false) => [0, WON],
                (false, true) => [WON, 0],
                (false, false) => match of_a.cmp(&of_b) {
                    Ordering::Less => [0, WON],
                    Ordering::Equal => [EQUAL, EQUAL],
                    Ordering::Greater => [WON, 0],
                },
            };
            self.score(a, Some(b), points_a);
            self.score(b, Some(a), points_b);
        }
    }

    fn score(&mut self, player: usize, opponent: Option<usize>, half_match_points: u32) {
        self.rounds[player].push(PlayerRound {
            opponent,
            half_match_points,
        });
    }

    /// Returns all players, those who did best first: by match points, then the share of the points
    /// in games, then as entered.
    fn order(&self, table: &Crosstable) -> Vec<usize> {
        let keys = |player: usize| {
            let rounds = self.rounds[player].iter();
            let points: u32 = rounds.map(|round| round.half_match_points).sum();
            // A player without games that count comes below one that lost all of them.
            [f64::from(points), table.share(player).unwrap_or(-1.0)]
        };
        let keys: Vec<[f64; 2]> = (0..self.rounds.len()).map(keys).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|&a, &b| keys[b].partial_cmp(&keys[a]).expect("no score is NaN"));
        order
    }

    /// Returns the index in `order` of the player that has a bye: of those that had the fewest
    /// byes, the lowest without which the others need the fewest rematches.
    fn bye(&self, order: &[usize]) -> usize {
        let byes = |index: usize| {
            let rounds = self.rounds[order[index]].iter();
            rounds.filter(|round| round.opponent.is_none()).count()
        };
        let fewest = (0..order.len()).map(byes).min();
        // Candidates are tried from the bottom up. Each costs a matching, but mostly the very first
        // leaves the others without a rematch.
        let candidates = (0..order.len()).rev();
        let rested_least = candidates.filter(|&index| Some(byes(index)) == fewest);
        let mut best: Option<(usize, usize)> = None;
        for index in rested_least {
            let others = [&order[..index], &order[index + 1..]].concat();
            let rematches = fewest_rematches(&others, &|a, b| self.met(a, b));
            if best.is_none_or(|(least, _)| rematches < least) {
                best = Some((rematches, index));
            }
            if rematches == 0 {
                break;
            }
        }
        best.expect("one of them has had the fewest byes").1
    }

    fn met(&self, a: usize, b: usize) -> u32 {
        self.meetings[a * self.rounds.len() + b]
    }

    /// Begins a pairing. If the two have met before, the numbers of their games continue from
    /// there: the number decides the seed, and a rematch must not repeat the games.
    fn begin(&mut self, a: usize, b: usize, table: &Crosstable) -> Pairing {
        let pairing = Pairing::new(a, b, self.met(a, b) * self.games, self.games);
        let before = [table.half_points(a, b), table.half_points(b, a)];
        self.open.push(([a, b], before));
        let players = self.rounds.len();
        self.meetings[a * players + b] += 1;
        self.meetings[b * players + a] += 1;
        pairing
    }
}

#[cfg(test)]
mod tests;
