//! The progress of a contest: its score, its speed, and the time that is left.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use league::statistics::to_f64;

use crate::live_scores::LiveScores;
use arena::contest::{ContestEvent, GameOver};
use arena::words::{NONE, interval, percent};
use screen::live::Standing;

/// The progress of a contest.
#[derive(Clone, Debug)]
pub struct Pace {
    names: Vec<String>,
    /// Games won by each player.
    wins: Vec<u64>,
    scores: LiveScores,
    /// Games that are over, now or in an earlier run.
    games: u64,
    /// Those of an earlier run.
    before: u64,
    total: u64,
    started: Instant,
}

impl Pace {
    /// Returns the pace of a contest between players of these names, before it starts.
    #[must_use]
    pub fn new(names: Vec<String>) -> Pace {
        Pace {
            wins: vec![0; names.len()],
            scores: LiveScores::new(names.len()),
            names,
            games: 0,
            before: 0,
            total: 0,
            started: Instant::now(),
        }
    }

    /// Counts what happens.
    pub fn hear(&mut self, event: &ContestEvent<'_>) {
        match event {
            ContestEvent::Started { header, games, .. } => {
                (self.total, self.started) = (*games, Instant::now());
                for (player, entrant) in header.config.players.iter().enumerate() {
                    if entrant.cannot_play {
                        self.scores.leave_out(player);
                    }
                }
            }
            ContestEvent::GameOver(over) => self.count(over),
            ContestEvent::SeriesOver {
                series,
                games,
                from_record: true,
                ..
            } => {
                // Games of the record were never announced one by one.
                self.before += games.len() as u64;
                for (index, game) in (series.first_game..).zip(*games) {
                    self.count(&GameOver::new(series, index, game));
                }
            }
            ContestEvent::Disqualified { player, .. } => self.scores.leave_out(*player),
            ContestEvent::SeriesOver { .. } | ContestEvent::Stopping | ContestEvent::Tick => {}
        }
    }

    fn count(&mut self, over: &GameOver) {
        self.games += 1;
        self.scores.add(over);
        if let Some(winner) = over.winner {
            self.wins[over.players[winner.index()]] += 1;
        }
    }

    /// Returns the name of a player.
    #[must_use]
    pub fn name(&self, player: usize) -> &str {
        &self.names[player]
    }

    /// Returns the games that are over.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the games of the contest. The total is a lower bound, since tie-breaks come on top.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.max(self.games)
    }

    /// Returns the games of a match that its players have won.
    #[must_use]
    pub fn wins(&self) -> Option<String> {
        match (&self.names[..], &self.wins[..]) {
            ([one, two], [won, lost]) => Some(format!("{one} {won} - {lost} {two}")),
            _ => None,
        }
    }

    /// Returns the standings by the score so far. Players with the same score share a place, and
    /// keep the order in which they were entered.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let scores = self.scores.scores();
        // A player without games that count is behind all others.
        let share = |player: usize| scores[player].as_ref().map_or(-1.0, |score| score.share);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|one, other| share(*other).total_cmp(&share(*one)));
        let standing = |&player: &usize| {
            let name = self.names[player].clone();
            let Some(score) = &scores[player] else {
                let is_out = self.scores.is_left_out(player);
                return Standing {
                    place: NONE.to_owned(),
                    name,
                    score: if is_out { "out" } else { NONE }.to_owned(),
                    interval: String::new(),
                };
            };
            let better = order.iter().filter(|other| share(**other) > score.share);
            Standing {
                place: (1 + better.count()).to_string(),
                name,
                score: percent(score.share),
                interval: interval(&score.wilson),
            }
        };
        order.iter().map(standing).collect()
    }

    /// Returns the speed.
    #[must_use]
    pub fn speed(&self) -> String {
        let rate = self.rate();
        let digits = usize::from(rate < 9.95);
        format!("{rate:.digits$} games/s")
    }

    /// Returns the time that is left, once that can be known, behind a comma.
    #[must_use]
    pub fn left(&self) -> String {
        if self.games == self.before {
            return String::new();
        }
        let left = to_f64(self.total.saturating_sub(self.games)) / self.rate().max(1e-9);
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        format!(", {} left", HumanDuration(left))
    }

    fn rate(&self) -> f64 {
        // Games of an earlier run took no time of this one, so they would make the speed and the
        // time left too good.
        let played = self.games - self.before;
        // Only keeps the division finite at the start.
        to_f64(played) / self.started.elapsed().as_secs_f64().max(0.001)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::game::EndedBy;
    use bothost::Side;
    use league::statistics::Outcome;

    #[test]
    fn standings_go_by_the_score_and_end_with_the_disqualified() {
        let mut pace = Pace::new(["awful", "good", "fair", "new"].map(str::to_owned).into());
        // The second player wins all, and the first and the third draw.
        for (game, players, winner) in [
            (0, [0, 1], Some(Side::Two)),
            (1, [0, 1], Some(Side::Two)),
            (0, [0, 2], None),
            (1, [0, 2], None),
            (0, [1, 2], Some(Side::One)),
            (1, [1, 2], Some(Side::One)),
        ] {
            pace.hear(&ContestEvent::GameOver(GameOver {
                series: 0,
                game,
                players,
                winner,
                outcome: Some(match winner {
                    Some(Side::One) => Outcome::Win,
                    Some(Side::Two) => Outcome::Loss,
                    None => Outcome::Draw,
                }),
                ended_by: EndedBy::Won,
            }));
        }
        let lines = |pace: &Pace| -> Vec<String> {
            let standings = pace.standings().into_iter();
            standings
                .map(
                    |Standing {
                         place, name, score, ..
                     }| format!("{place} {name} {score}"),
                )
                .collect()
        };
        assert_eq!(
            lines(&pace),
            ["1 good 100.0%", "2 awful 25.0%", "2 fair 25.0%", "- new -"]
        );
        pace.hear(&ContestEvent::Disqualified {
            player: 1,
            faults: 3,
            games: 4,
        });
        assert_eq!(
            lines(&pace),
            ["1 awful 50.0%", "1 fair 50.0%", "- good out", "- new -"]
        );
    }
}
