//! The view of a contest for people who watch it: the game of each lane, and the ends of the last
//! games.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::LaneGame;
use crate::story::Story;
use battleship::{BySide, Rules, Side};

use super::teller::news_of;
use arena::contest::LaneListeners;
use arena::game::{EndedBy, Ending, Event, GameListener, Listener, Stop};
use arena::record::GameLine;

/// More ended games than this have no room on any screen.
const ENDED: usize = 64;

/// The characters of a line about an ended game: its reason may be text of a bot.
const LONGEST: usize = 400;

/// The games of all lanes as they are. Each lane writes into a place of its own, so it waits for no
/// other; a screen takes copies when it draws.
#[derive(Debug)]
pub struct Gallery {
    rules: Rules,
    lanes: Vec<Mutex<Option<LaneGame>>>,
    ended: Mutex<VecDeque<String>>,
}

/// Tells the gallery what happens in the game of a lane.
#[derive(Debug)]
pub struct LaneTeller<'g> {
    gallery: &'g Gallery,
    lane: usize,
    names: BySide<String>,
}

impl Gallery {
    /// Returns a gallery of this many lanes without games.
    #[must_use]
    pub fn new(lanes: usize, rules: Rules) -> Gallery {
        let lanes = (0..lanes).map(|_| Mutex::default()).collect();
        Gallery {
            rules,
            lanes,
            ended: Mutex::default(),
        }
    }

    /// Begins the game that is called `title` on `lane`.
    fn begin_called(
        &self,
        lane: usize,
        title: String,
        names: BySide<String>,
        first: Side,
    ) -> LaneTeller<'_> {
        let story = Story::new(self.rules.clone(), names.clone(), first);
        if let Some(place) = self.lanes.get(lane) {
            *lock(place) = Some(LaneGame { title, story });
        }
        LaneTeller {
            gallery: self,
            lane,
            names,
        }
    }

    /// Returns the game of each lane as it is now.
    pub fn lanes(&self) -> Vec<Option<LaneGame>> {
        self.lanes.iter().map(|lane| lock(lane).clone()).collect()
    }

    /// Returns how the last games ended, a line each, the latest last.
    pub fn ended(&self) -> Vec<String> {
        lock(&self.ended).iter().cloned().collect()
    }

    /// Adds a line to those of the ended games.
    pub fn say(&self, line: &str) {
        let mut ended = lock(&self.ended);
        if ended.len() >= ENDED {
            ended.pop_front();
        }
        ended.push_back(line.chars().take(LONGEST).collect());
    }
}

impl LaneListeners for Gallery {
    fn begin<'l>(&'l self, lane: usize, game: &GameLine) -> Box<GameListener<'l>> {
        let number = game.contest.as_ref().map_or(0, |place| place.game);
        let names = game.players.as_ref().map(|player| player.name.clone());
        Box::new(self.begin_called(lane, format!("game {number}"), names, game.first))
    }
}

impl Listener<Event<'_>> for LaneTeller<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        let Some(place) = self.gallery.lanes.get(self.lane) else {
            return Ok(());
        };
        let Some(news) = news_of(event, &self.names) else {
            return Ok(());
        };
        let mut lane = lock(place);
        let Some(game) = lane.as_mut() else {
            return Ok(());
        };
        game.story.hear(news);
        let Event::Ended { ending, .. } = event else {
            return Ok(());
        };
        let line = format!(
            "{}: {}",
            game.title,
            ended(ending, &self.names, &game.story)
        );
        // The lane's place is free before the place of all lanes is taken.
        drop(lane);
        self.gallery.say(&line);
        Ok(())
    }
}

/// Returns how a game ended, and how many attacks or turns the winner needed if it sank the fleet.
fn ended(ending: &Ending, names: &BySide<String>, story: &Story) -> String {
    let reason = ending.reason(names.as_ref());
    match ending
        .winner
        .filter(|_| ending.ended_by == EndedBy::FleetSunk)
    {
        None => reason,
        Some(winner) => {
            let turns = story
                .turns
                .iter()
                .filter(|turn| turn.mover == winner)
                .count();
            let word = story.rules.describe().turn_word;
            let s = if turns == 1 { "" } else { "s" };
            format!("{reason}, {turns} {word}{s}")
        }
    }
}

/// Locks `place`, even after a panic elsewhere: the value is whole whenever the lock is free.
fn lock<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> BySide<String> {
        BySide {
            one: "good".to_owned(),
            two: "awful".to_owned(),
        }
    }

    fn ending(winner: Option<Side>) -> Ending {
        let what = "sank the whole fleet".to_owned();
        Ending {
            winner,
            by: winner,
            ended_by: EndedBy::FleetSunk,
            what,
        }
    }

    #[test]
    fn a_lane_shows_its_last_game() {
        let gallery = Gallery::new(2, Rules::Twist);
        assert_eq!(gallery.lanes(), [None, None]);
        let begin = |title: &str| gallery.begin_called(1, title.to_owned(), names(), Side::Two);
        let mut teller = begin("game 1");
        teller
            .on_event(&Event::Ended {
                ending: &ending(Some(Side::Two)),
                position: None,
            })
            .unwrap();
        let titles = || {
            let lanes = gallery.lanes().into_iter();
            lanes
                .map(|lane| lane.map(|game| game.title))
                .collect::<Vec<_>>()
        };
        assert_eq!(titles(), [None, Some("game 1".to_owned())]);
        assert!(gallery.lanes()[1].as_ref().unwrap().story.end.is_some());
        begin("game 2");
        assert_eq!(titles(), [None, Some("game 2".to_owned())]);
        assert_eq!(
            gallery.ended(),
            ["game 1: awful sank the whole fleet of good, 0 turns"]
        );
    }

    #[test]
    fn an_unknown_lane_is_not_shown() {
        let gallery = Gallery::new(1, Rules::Twist);
        let title = "game 1".to_owned();
        let mut teller = gallery.begin_called(7, title, names(), Side::One);
        teller
            .on_event(&Event::Ended {
                ending: &ending(None),
                position: None,
            })
            .unwrap();
        assert_eq!((gallery.lanes(), gallery.ended()), (vec![None], Vec::new()));
    }

    #[test]
    fn lines_of_ended_games_are_few() {
        let gallery = Gallery::new(1, Rules::Twist);
        (0..1000).for_each(|number| gallery.say(&number.to_string().repeat(1000)));
        let ended = gallery.ended();
        assert_eq!((ended.len(), ended[63].len()), (ENDED, LONGEST));
        assert!(ended[63].starts_with("999"));
    }
}
