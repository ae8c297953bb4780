//! The progress of a contest: its score, its speed, and the time that is left.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use league::statistics::to_f64;

use crate::live_scores::LiveScores;
use arena::contest::{ContestEvent, GameOver};
use arena::words::{percent, score};

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
            ContestEvent::Started { games, .. } => {
                (self.total, self.started) = (*games, Instant::now());
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

    /// Returns the score of a match with its interval, as its summary has it.
    #[must_use]
    pub fn score(&self) -> Option<String> {
        let [one, two] = &self.scores.scores()[..] else {
            return None;
        };
        two.and(one.as_ref())
            .map(|of| format!("score {}", score(of)))
    }

    /// Returns the players with their scores, the best first.
    #[must_use]
    pub fn leaders(&self) -> String {
        let scores = self.scores.scores();
        let mut shares: Vec<(f64, &str)> = scores
            .iter()
            .zip(&self.names)
            .filter_map(|(score, name)| score.as_ref().map(|score| (score.share, name.as_str())))
            .collect();
        // Players with the same score keep the order in which they were entered.
        shares.sort_by(|one, other| other.0.total_cmp(&one.0));
        let leaders = shares
            .iter()
            .map(|(share, name)| format!("{name} {}", percent(*share)));
        leaders.collect::<Vec<_>>().join(", ")
    }

    /// Returns the speed.
    #[must_use]
    pub fn speed(&self) -> String {
        format!("{:.0} games/s", self.rate())
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
