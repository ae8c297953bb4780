//! Tells what happens in a game.

use std::sync::mpsc::{self, Sender};

use battleship::{BySide, Placement, Side};
use screen::story::{Did, End, News, Rules, Story, Turn};

use crate::game::{Event, Listener, Played, Position, Stop};
use crate::record::{GameRecord, ReplayError, replay, rules_of};
use crate::terms;

/// Tells what happens in a game to whatever shows it. That may have ended: the game goes on without it.
#[derive(Debug)]
pub struct Teller {
    names: BySide<String>,
    news: Sender<News>,
}

/// Returns the story of a game by these rules before anything has happened.
#[must_use]
pub fn story_of(rules: &terms::Rules, names: BySide<String>, first: Side) -> Story {
    let rules = match rules {
        terms::Rules::Classic(game) => Rules::Classic(game.clone()),
        terms::Rules::Twist => Rules::Twist,
    };
    Story::new(rules, names, first)
}

impl Teller {
    /// Tells the news of a game between players of these names.
    #[must_use]
    pub fn new(names: BySide<String>, news: Sender<News>) -> Teller {
        Teller { names, news }
    }
}

/// Returns the story of a recorded game.
///
/// # Errors
/// If the record is none of a game by the rules.
pub fn recorded_story(game: &GameRecord) -> Result<Story, ReplayError> {
    let names = BySide::from(game.players.each_ref().map(|player| player.name.clone()));
    let (sender, news) = mpsc::channel();
    replay(game, &mut Teller::new(names.clone(), sender))?;
    let first = Side::try_from(game.first).unwrap_or(Side::One);
    let mut story = story_of(&rules_of(game)?, names, first);
    for news in news {
        story.hear(news);
    }
    Ok(story)
}

impl Listener for Teller {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        let Some(news) = news_of(event, &self.names) else { return Ok(()) };
        // What has stopped listening needs no news.
        let _ = self.news.send(news);
        Ok(())
    }
}

/// Returns what is told of an event between players of these names, if anything is.
pub(super) fn news_of(event: &Event<'_>, names: &BySide<String>) -> Option<News> {
    let news = match event {
        Event::Placed { position } => News::Placed(fleets_in(position)),
        Event::Turn { mover, position: _ } => News::Turn(*mover),
        Event::Played { mover, played, time, position: _ } => {
            let did = match played {
                Played::Attack { at, result } => Did::Attack(*at, *result),
                Played::Order { order, result } => Did::Order(*order, (*result).clone()),
            };
            News::Played(Turn { mover: *mover, did, time: *time })
        }
        Event::Comment { .. } => return None,
        Event::Ended { ending, position: _ } => {
            News::Ended(End { winner: ending.winner, why: ending.reason(names.as_ref()) })
        }
    };
    Some(news)
}

/// Returns where the ships of both players are.
fn fleets_in(position: &Position<'_>) -> BySide<Vec<Placement>> {
    match position {
        Position::Classic(boards) => boards.as_ref().map(|board| {
            let ships = 0..board.game().n_ships();
            ships.filter_map(|ship| board.placement(ship)).collect()
        }),
        Position::Twist(state) => BySide::from_fn(|side| {
            let units = state.fleet(side).units().iter();
            let placement = |unit: &battleship::twist::Unit| Placement {
                top_or_left: unit.placement().bow.into(),
                direction: unit.placement().direction,
            };
            units.map(placement).collect()
        }),
    }
}
