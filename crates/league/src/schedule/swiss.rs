//! Swiss tournaments: in each round, players with about the same score meet.

use std::cmp::Ordering;

use super::place::{Merit, percent};
use super::rematches::{fewest_rematches, pair_up};
use super::series::Encounter;
use crate::crosstable::Crosstable;

/// Match points are kept in halves: 2 for a won encounter, 1 for an equal one.
const WON: u32 = 2;
const EQUAL: u32 = 1;

/// In each round players with about the same score meet.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    games: u32,
    rounds_to_come: usize,
    /// The number of players that were not disqualified when the last round began.
    active: usize,
    players: Vec<Player>,
    /// The number of times that each two players were paired, row by row. Both places of a pair are kept, so that either order
    /// finds it.
    meetings: Vec<u32>,
    /// The encounters of the round that was given out last.
    open: Vec<Open>,
}

#[derive(Clone, Debug, Default)]
struct Player {
    half_match_points: u32,
    byes: u32,
    opponents: Vec<usize>,
    /// The rounds that have been closed: against whom, or `None` for a bye, and the half match points they brought.
    rounds: Vec<(Option<usize>, u32)>,
}

impl Player {
    /// Notes what a round against `other`, or a bye, has brought.
    fn score(&mut self, other: Option<usize>, half_points: u32) {
        self.half_match_points += half_points;
        self.rounds.push((other, half_points));
    }
}

#[derive(Clone, Debug)]
struct Open {
    players: [usize; 2],
    /// The half points that the two had against each other before: the table adds up all their games.
    half_points_before: [u64; 2],
}

impl Swiss {
    pub(super) fn new(players: usize, games: u32, rounds: usize) -> Swiss {
        Swiss {
            games,
            rounds_to_come: rounds,
            active: players,
            players: vec![Player::default(); players],
            meetings: vec![0; players * players],
            open: Vec::new(),
        }
    }

    pub(super) fn next_round(
        &mut self,
        table: &Crosstable,
        out: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<Encounter>> {
        self.close_round(table, out);
        // Only after the last round has been closed: the order depends on its points.
        let mut order = self.order(table);
        order.retain(|&player| !out(player));
        self.active = order.len();
        if self.active < 2 {
            self.rounds_to_come = 0;
        }
        // `None` ends the tournament: no rounds are left, or fewer than two players.
        self.rounds_to_come = self.rounds_to_come.checked_sub(1)?;
        if order.len() % 2 == 1 {
            let player = order.remove(self.bye(&order));
            self.players[player].byes += 1;
            // A bye is worth a win (as in FIDE's rules), or the lowest player would fall behind for good.
            self.players[player].score(None, WON);
        }
        let pairs = pair_up(&order, &|a, b| self.met(a, b));
        Some(
            pairs
                .into_iter()
                .map(|[a, b]| self.begin(a, b, table))
                .collect(),
        )
    }

    pub(super) fn merits(&self, table: &Crosstable, out: &dyn Fn(usize) -> bool) -> Vec<Merit> {
        // Rounds against players who are out by now count for none of those who have met them.
        let counted = |player: usize| {
            let rounds = self.players[player].rounds.iter();
            let rounds = rounds.filter(move |(other, _)| !other.is_some_and(out) || out(player));
            rounds.map(|(_, half_points)| *half_points)
        };
        let half_points = |player| counted(player).sum::<u32>();
        let merit = |(player, Player { opponents, .. }): (usize, &Player)| {
            let share = table.share(player);
            // Buchholz: the points of all opponents together. It ranks equal players by how strong their
            // opponents were.
            let opponents = opponents.iter().filter(|other| !out(**other));
            let half_buchholz: u32 = opponents.map(|&other| half_points(other)).sum();
            let (points, buchholz) = (
                f64::from(half_points(player)) / 2.0,
                f64::from(half_buchholz) / 2.0,
            );
            let note = format!("{} in games, Buchholz {buchholz}", percent(share));
            // By the match points a round: all have as many rounds, but for those against players who are out.
            let rounds = u32::try_from(counted(player).count()).expect("far fewer");
            let average = if rounds == 0 {
                0.0
            } else {
                points / f64::from(rounds)
            };
            Merit {
                order: [average, share.unwrap_or(-1.0), buchholz],
                points,
                note,
            }
        };
        self.players.iter().enumerate().map(merit).collect()
    }

    pub(super) fn games_to_come(&self) -> u64 {
        self.rounds_to_come as u64 * (self.active / 2) as u64 * u64::from(self.games)
    }

    /// Gives the match points of the last round. A disqualified player has lost.
    fn close_round(&mut self, table: &Crosstable, out: &dyn Fn(usize) -> bool) {
        for Open {
            players: [a, b],
            half_points_before,
        } in std::mem::take(&mut self.open)
        {
            // Only what this round has added. Games without a result give neither player points.
            let of_a = table
                .half_points(a, b)
                .saturating_sub(half_points_before[0]);
            let of_b = table
                .half_points(b, a)
                .saturating_sub(half_points_before[1]);
            let points = match (out(a), out(b)) {
                (true, true) => [0, 0],
                (true, false) => [0, WON],
                (false, true) => [WON, 0],
                (false, false) => match of_a.cmp(&of_b) {
                    Ordering::Less => [0, WON],
                    Ordering::Equal => [EQUAL, EQUAL],
                    Ordering::Greater => [WON, 0],
                },
            };
            self.players[a].score(Some(b), points[0]);
            self.players[b].score(Some(a), points[1]);
        }
    }

    /// Returns all players, those who did best first: by match points, then the share of the points in games, then as
    /// entered.
    fn order(&self, table: &Crosstable) -> Vec<usize> {
        let shares: Vec<f64> =
            // A player without games that count comes below one that lost all of them.
            (0..self.players.len()).map(|player| table.share(player).unwrap_or(-1.0)).collect();
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| {
            let [one, other] = [a, b].map(|player| self.players[player].half_match_points);
            other
                .cmp(&one)
                .then_with(|| shares[b].total_cmp(&shares[a]))
        });
        order
    }

    /// Returns the index in `order` of the player that has a bye: of those that had the fewest byes, the lowest without
    /// which the others need the fewest rematches.
    fn bye(&self, order: &[usize]) -> usize {
        let byes = |index: usize| self.players[order[index]].byes;
        let fewest = (0..order.len()).map(byes).min();
        let mut best: Option<(usize, usize)> = None;
        // From the bottom up, so the first that needs no rematch at all is the answer. To find out costs a
        // matching for each candidate, but mostly the very first will do.
        for index in (0..order.len())
            .rev()
            .filter(|&index| Some(byes(index)) == fewest)
        {
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
        self.meetings[a * self.players.len() + b]
    }

    /// Begins an encounter. If the two have met before, the numbers of their games continue from there: the number
    /// decides the seed, and a rematch must not repeat the games.
    fn begin(&mut self, a: usize, b: usize, table: &Crosstable) -> Encounter {
        let encounter = Encounter::new(a, b, self.met(a, b) * self.games, self.games);
        let half_points_before = [table.half_points(a, b), table.half_points(b, a)];
        self.open.push(Open {
            players: [a, b],
            half_points_before,
        });
        for (one, other) in [(a, b), (b, a)] {
            self.meetings[one * self.players.len() + other] += 1;
            self.players[one].opponents.push(other);
        }
        encounter
    }
}

#[cfg(test)]
mod tests;
