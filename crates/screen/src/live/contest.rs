//! A contest while it is played, for a person who watches it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arena::contest::LaneListeners;
use arena::game::{EndedBy, Ending, Event, GameListener, Listener, Stop};
use arena::record::GameLine;
use arena::words::reason_in_words;
use battleship::{BySide, Rules, Side};

use super::teller::news_of;
use crate::story::{News, Story};

/// The number of results that are kept: more fit on no terminal.
const RESULTS: usize = 64;

/// The state of a contest at one moment.
#[derive(Clone, Debug)]
pub(crate) struct ContestState {
    pub(crate) progress: String,
    pub(crate) standings: Vec<Standing>,
    /// The results of the last games, the latest last.
    pub(crate) results: VecDeque<String>,
    pub(crate) game: LaneGame,
}

/// A line of the standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The place.
    pub place: String,
    /// The name of the player.
    pub name: String,
    /// The share of points.
    pub score: String,
    /// The 95% interval of the score.
    pub interval: String,
}

/// The game that is shown.
#[derive(Clone, Debug)]
pub(crate) struct LaneGame {
    lane: usize,
    /// Whether this lane plays: a game that is over is shown until the next one has begun.
    is_played: bool,
    /// The number among the games of its two players, from 1; 0 before the first game.
    pub(crate) number: u32,
    pub(crate) story: Story,
}

/// The state of a running contest, which lanes write and a screen reads.
#[derive(Debug)]
pub struct LiveContest(Mutex<ContestState>);

/// The listener to a game of a contest.
#[derive(Debug)]
struct ContestGame<'c> {
    contest: &'c LiveContest,
    lane: usize,
    is_shown: bool,
    number: u32,
    names: BySide<String>,
    first: Side,
    /// Whether both players have placed their ships, so that the screen shows this game.
    has_begun: bool,
    /// The number of turns of each player.
    turns: BySide<u32>,
}

impl ContestState {
    pub(crate) fn new(rules: Rules) -> ContestState {
        ContestState {
            progress: String::new(),
            standings: Vec::new(),
            results: VecDeque::new(),
            game: LaneGame {
                // The first game of any lane replaces it.
                lane: usize::MAX,
                is_played: false,
                number: 0,
                story: Story::new(rules, BySide::default(), Side::One),
            },
        }
    }
}

impl LiveContest {
    /// Returns the state of a contest by these rules before its first game.
    #[must_use]
    pub fn new(rules: Rules) -> LiveContest {
        LiveContest(Mutex::new(ContestState::new(rules)))
    }

    pub(crate) fn state(&self) -> ContestState {
        self.lock().clone()
    }

    /// Replaces the progress, a sentence without a full stop, and the standings, the best player
    /// first.
    pub fn update(&self, progress: String, standings: Vec<Standing>) {
        let mut state = self.lock();
        state.progress = progress;
        state.standings = standings;
    }

    /// Adds a line to the results.
    pub fn add_result(&self, result: String) {
        let results = &mut self.lock().results;
        if results.len() >= RESULTS {
            results.pop_front();
        }
        results.push_back(result);
    }

    fn begin_game(
        &self,
        lane: usize,
        number: u32,
        names: BySide<String>,
        first: Side,
    ) -> ContestGame<'_> {
        let game = &mut self.lock().game;
        // The first lane may have nothing to play, as in the last round of a knockout.
        let is_shown = lane <= game.lane || !game.is_played;
        if is_shown {
            game.lane = lane;
            game.is_played = true;
        }
        ContestGame {
            contest: self,
            lane,
            is_shown,
            number,
            names,
            first,
            has_begun: false,
            turns: BySide::default(),
        }
    }

    /// Locks the state, even after a panic elsewhere: it is whole whenever the lock is free.
    fn lock(&self) -> MutexGuard<'_, ContestState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LaneListeners for LiveContest {
    fn begin<'l>(&'l self, lane: usize, line: &GameLine) -> Box<GameListener<'l>> {
        let number = line.contest.as_ref().map_or(0, |contest| contest.game);
        let names = line.players.as_ref().map(|player| player.name.clone());
        Box::new(self.begin_game(lane, number, names, line.first))
    }
}

impl Listener<Event<'_>> for ContestGame<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        if let Event::Played { side, .. } = event {
            self.turns[*side] += 1;
        }
        if self.is_shown
            && let Some(news) = news_of(event, &self.names)
        {
            let game = &mut self.contest.lock().game;
            // A lane before this one may have begun a game since.
            if game.lane == self.lane {
                if let News::Placed(_) = news {
                    let rules = game.story.rules.clone();
                    game.story = Story::new(rules, self.names.clone(), self.first);
                    game.number = self.number;
                    self.has_begun = true;
                }
                game.is_played = !matches!(news, News::Ended(_));
                // Until then the screen shows the game before.
                if self.has_begun {
                    game.story.hear(news);
                }
            }
        }
        if let Event::Ended { ending, .. } = event {
            self.contest.add_result(self.result(ending));
        }
        Ok(())
    }
}

impl ContestGame<'_> {
    /// Returns the result in few words, since many terminals have 36 columns for it.
    fn result(&self, ending: &Ending) -> String {
        let BySide { one, two } = &self.names;
        let reason = reason_in_words(ending.ended_by);
        let Some(side) = ending.winner else {
            return match (ending.ended_by, ending.by) {
                (EndedBy::TurnCap | EndedBy::Drawn, _) => format!("{one} drew with {two}"),
                (_, Some(by)) => format!("{one} - {two}: {} {reason}", self.names[by]),
                (_, None) => format!("{one} - {two}: {reason}"),
            };
        };
        let [winner, loser] = [side, side.other()].map(|side| &self.names[side]);
        if ending.by == Some(side) {
            return format!("{winner} beat {loser} in {}", self.turns[side]);
        }
        format!("{winner} beat {loser}, which {reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use battleship::table::InPlay;

    /// Returns a game whose turns have begun.
    fn begin(contest: &LiveContest, lane: usize, number: u32) -> ContestGame<'_> {
        let names = BySide::new("good".to_owned(), "awful".to_owned());
        let mut game = contest.begin_game(lane, number, names, Side::One);
        let position = &InPlay {
            game: Rules::Twist.begin(),
            turn: None,
        };
        game.on_event(&Event::Begun { position }).unwrap();
        game
    }

    fn end(game: &mut ContestGame<'_>, winner: Option<Side>, by: Option<Side>, ended_by: EndedBy) {
        let what = "did so\x1b[2J".to_owned();
        let ending = &Ending {
            winner,
            by,
            ended_by,
            what,
        };
        let position = None;
        game.on_event(&Event::Ended { ending, position }).unwrap();
    }

    #[test]
    fn a_lane_shows_its_games_until_an_earlier_lane_begins_one() {
        let contest = &LiveContest::new(Rules::Twist);
        let number = || contest.state().game.number;
        let mut second = begin(contest, 1, 5);
        assert_eq!(number(), 5);
        let mut first = begin(contest, 0, 7);
        assert_eq!(number(), 7);
        end(&mut second, None, None, EndedBy::TurnCap);
        begin(contest, 1, 6);
        assert_eq!(number(), 7);
        end(&mut first, None, None, EndedBy::TurnCap);
        begin(contest, 1, 8);
        assert_eq!(number(), 8);
    }

    #[test]
    fn a_game_is_shown_until_the_next_one_has_begun() {
        let contest = &LiveContest::new(Rules::Twist);
        let mut game = begin(contest, 0, 1);
        end(&mut game, None, None, EndedBy::TurnCap);
        let names = BySide::new("good".to_owned(), "awful".to_owned());
        let mut next = contest.begin_game(0, 2, names, Side::Two);
        // The game is not shown yet, but its lane is.
        begin(contest, 1, 3);
        assert_eq!(contest.state().game.number, 1);
        end(&mut next, None, Some(Side::One), EndedBy::CouldNotStart);
        assert_eq!(contest.state().game.number, 1);
        begin(contest, 1, 4);
        assert_eq!(contest.state().game.number, 4);
    }

    #[test]
    fn results_name_both_players() {
        let contest = &LiveContest::new(Rules::Twist);
        let mut game = begin(contest, 3, 1);
        game.turns.two = 43;
        let (one, two) = (Some(Side::One), Some(Side::Two));
        end(&mut game, two, two, EndedBy::FleetSunk);
        end(&mut game, one, two, EndedBy::Timeout);
        end(&mut game, None, two, EndedBy::CouldNotStart);
        end(&mut game, None, None, EndedBy::TurnCap);
        end(&mut game, None, None, EndedBy::MachineLate);
        assert_eq!(
            contest.state().results,
            [
                "awful beat good in 43",
                "good beat awful, which did not reply in time",
                "good - awful: awful could not start",
                "good drew with awful",
                "good - awful: the machine was too busy",
            ]
        );
    }

    #[test]
    fn only_the_last_results_are_kept() {
        let contest = LiveContest::new(Rules::Twist);
        (0..1000).for_each(|number| contest.add_result(number.to_string()));
        let results = contest.state().results;
        assert_eq!((results.len(), &*results[RESULTS - 1]), (RESULTS, "999"));
    }
}
