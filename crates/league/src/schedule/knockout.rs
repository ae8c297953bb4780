//! Knockouts: the loser of a tie is out, until one player is left.

use std::cmp::Ordering;

use super::place::Place;
use super::series::Pairing;
use crate::crosstable::Crosstable;

/// The most tie-breaks of two players with equal points; then the better seed advances. Two copies
/// of one program could draw for ever.
const MOST_TIE_BREAKS: u32 = 10;

/// A tie-break is one pair of games, so that neither player moves first more often.
const TIE_BREAK_GAMES: u32 = 2;

/// The loser of a tie is out.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    games: u32,
    /// The ties of this stage, in the order of the bracket: the winners of neighbours meet in the
    /// next.
    ties: Vec<Tie>,
    /// The number of games that each undecided tie of this stage was given.
    given: u32,
    /// The number of stages.
    stages: usize,
    /// The number of stages that each player has survived.
    survived: Vec<usize>,
    /// Whether each player lost its tie at equal points, by its seeding alone.
    lost_by_seeding: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    /// The two players, the better seed first.
    Open([usize; 2]),
    /// The player that advances: `None` if both were disqualified.
    Decided(Option<usize>),
}

impl Tie {
    fn of(one: Option<usize>, other: Option<usize>) -> Tie {
        match (one, other) {
            (Some(one), Some(other)) => Tie::Open([one.min(other), one.max(other)]),
            // Beside a bye or a disqualified opponent a player advances without a game.
            (one, other) => Tie::Decided(one.or(other)),
        }
    }
}

impl Knockout {
    pub(super) fn new(players: usize, games: u32) -> Knockout {
        let bracket = bracket(players);
        let stages = bracket.len().ilog2() as usize;
        // If the bracket has more seats than there are players, the best seeds have a bye.
        let seats: Vec<Option<usize>> = bracket
            .into_iter()
            .map(|seed| (seed < players).then_some(seed))
            .collect();
        Knockout {
            games,
            ties: pair_neighbours(&seats),
            given: 0,
            stages,
            survived: vec![0; players],
            lost_by_seeding: vec![false; players],
        }
    }

    pub(super) fn next_round(
        &mut self,
        table: &Crosstable,
        is_disqualified: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<Pairing>> {
        loop {
            for tie in &mut self.ties {
                // A tie is decided here and not when its games end: the table is complete only
                // between rounds, and a player may have been disqualified in another tie's games.
                if let Tie::Open([a, b]) = *tie {
                    *tie = tie_state([a, b], self.given, self.games, table, is_disqualified);
                    self.lost_by_seeding[b] = *tie == Tie::Decided(Some(a))
                        && !is_disqualified(b)
                        && table.half_points(a, b) == table.half_points(b, a);
                }
            }
            // The first round of a stage has the games as planned; every later one is a tie-break
            // of one pair.
            let games = if self.given == 0 {
                self.games
            } else {
                TIE_BREAK_GAMES
            };
            let round: Vec<Pairing> = self
                .open()
                .map(|[a, b]| Pairing::new(a, b, self.given, games))
                .collect();
            if !round.is_empty() {
                self.given += games;
                return Some(round);
            }
            // A stage of byes and disqualified players has no games. The loop passes through it to
            // the next.
            if !self.next_stage() {
                return None;
            }
        }
    }

    pub(super) fn places(&self) -> Vec<Place> {
        self.survived
            .iter()
            .enumerate()
            .map(|(player, &survived)| {
                let is_in = self.ties.iter().any(|tie| match tie {
                    Tie::Open(players) => players.contains(&player),
                    Tie::Decided(winner) => *winner == Some(player),
                });
                let mut note = match self.stages - survived {
                    0 => "winner".to_owned(),
                    // Standings are also asked for while the knockout runs, so a player may be
                    // neither out nor the winner.
                    _ if is_in => "still in".to_owned(),
                    1 => "lost the final".to_owned(),
                    2 => "lost a semifinal".to_owned(),
                    3 => "lost a quarterfinal".to_owned(),
                    _ => format!("lost in round {}", survived + 1),
                };
                if self.lost_by_seeding[player] {
                    note += " by seeding";
                }
                let points =
                    f64::from(u32::try_from(survived).expect("a thousand players have ten stages"));
                // Of two players at the same stage the one that is still in is above the other.
                let keys = [points, f64::from(u8::from(is_in)), 0.0];
                Place::new(player, points, note, keys)
            })
            .collect()
    }

    /// Returns the number of games to come: every tie takes one player out, until one is left.
    pub(super) fn games_to_come(&self) -> u64 {
        let open = self.open().count();
        let going_on = self
            .ties
            .iter()
            .filter(|tie| **tie != Tie::Decided(None))
            .count();
        let now = if self.given == 0 { open } else { 0 };
        (now + going_on.saturating_sub(1)) as u64 * u64::from(self.games)
    }

    fn open(&self) -> impl Iterator<Item = [usize; 2]> {
        self.ties.iter().filter_map(|tie| match tie {
            Tie::Open(players) => Some(*players),
            Tie::Decided(_) => None,
        })
    }

    /// Starts the next stage once all ties are decided; returns false if that was the final.
    fn next_stage(&mut self) -> bool {
        let through: Vec<Option<usize>> = self
            .ties
            .iter()
            .map(|tie| match tie {
                Tie::Open(_) => None,
                Tie::Decided(winner) => *winner,
            })
            .collect();
        // `through` has a place for each tie of the stage that ends, a power of two, and the final
        // has one.
        let stage = self.stages - through.len().ilog2() as usize;
        for &player in through.iter().flatten() {
            self.survived[player] = stage;
        }
        if through.len() == 1 {
            return false;
        }
        self.ties = pair_neighbours(&through);
        self.given = 0;
        true
    }
}

fn pair_neighbours(seats: &[Option<usize>]) -> Vec<Tie> {
    seats
        .chunks_exact(2)
        .map(|two| Tie::of(two[0], two[1]))
        .collect()
}

/// Returns the state of a tie for which `given` games were given out, the first `games` of which
/// were planned.
///
/// Two players meet in one tie only, so their points against each other in the table are those of
/// the tie.
fn tie_state(
    [a, b]: [usize; 2],
    given: u32,
    games: u32,
    table: &Crosstable,
    is_disqualified: &dyn Fn(usize) -> bool,
) -> Tie {
    match (is_disqualified(a), is_disqualified(b)) {
        // This comes before the points: a disqualified player is out even if it leads.
        (true, true) => return Tie::Decided(None),
        (true, false) => return Tie::Decided(Some(b)),
        (false, true) => return Tie::Decided(Some(a)),
        (false, false) => {}
    }
    match table.half_points(a, b).cmp(&table.half_points(b, a)) {
        Ordering::Greater => Tie::Decided(Some(a)),
        Ordering::Less => Tie::Decided(Some(b)),
        // `given` counts whole rounds, so equality is met exactly. The better seed comes first in
        // the tie.
        Ordering::Equal if given == games + MOST_TIE_BREAKS * TIE_BREAK_GAMES => {
            Tie::Decided(Some(a))
        }
        Ordering::Equal => Tie::Open([a, b]),
    }
}

/// Returns the seeds, from 0, in the order of their seats: the best two can meet in the final only,
/// the best four in the semifinals, and so on.
fn bracket(players: usize) -> Vec<usize> {
    let mut seats = vec![0];
    while seats.len() < players {
        // Each seat becomes two: in a bracket twice as large, the seed meets the one that makes the
        // sum of both equal for all pairs, so the best meets the worst.
        let last = 2 * seats.len() - 1;
        seats = seats
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    seats
}

#[cfg(test)]
mod tests;
