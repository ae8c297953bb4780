//! Tells what happens in a game.

use std::sync::mpsc::{self, Sender};

use crate::story::{End, News, Story};
use battleship::game_reader::{RecordedGame, ReplayError};
use battleship::table::InPlay;
use battleship::{BySide, PlayedTurn};

use arena::game::{Event, Listener, Stop};

/// Tells what happens in a game to whatever shows it. The game continues if that has ended.
#[derive(Clone, Debug)]
pub struct Teller {
    names: BySide<String>,
    news: Sender<News>,
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
/// If the record is not that of a game by the rules.
pub fn recorded_story(game: &RecordedGame) -> Result<Story, ReplayError> {
    let (sender, news) = mpsc::channel();
    game.replay(&mut Teller::new(game.names(), sender))?;
    let mut story = Story::new(game.rules()?, game.names(), game.first);
    for news in news {
        story.hear(news);
    }
    Ok(story)
}

impl Listener<Event<'_>> for Teller {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        let Some(news) = news_of(event, &self.names) else {
            return Ok(());
        };
        // A viewer that has stopped listening needs no news.
        let _ = self.news.send(news);
        Ok(())
    }
}

/// Returns what is told of an event between players of these names, if anything is.
pub(super) fn news_of(event: &Event<'_>, names: &BySide<String>) -> Option<News> {
    let news = match event {
        Event::Begun { position } => {
            let fleets = InPlay::of(*position)?.game.fleets();
            News::Placed(fleets.map(Option::unwrap_or_default))
        }
        Event::Asked { side, position: _ } => News::Turn(*side),
        Event::Played {
            side,
            time,
            position,
        } => {
            let turn = InPlay::of(*position)?.turn.clone()?;
            News::Played(PlayedTurn::new(*side, turn, *time))
        }
        Event::Comment { .. } => return None,
        Event::Ended {
            ending,
            position: _,
        } => News::Ended(End {
            winner: ending.winner,
            why: ending.reason(names.as_ref()),
        }),
    };
    Some(news)
}
