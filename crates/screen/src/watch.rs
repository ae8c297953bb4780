//! Watching a game: both fleets, turn by turn, as slowly as one likes; one that is still played, or
//! one of a record.

use std::io;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use battleship::Side;
use battleship::scene::Viewer;

use crate::input::{Input, input};
use crate::picture::{Grid, Notice, Picture};
use crate::scene::{said, waters};
use crate::story::{News, Next, Story};
use crate::terminal::Device;
use crate::time::in_words;

/// The way in which the person left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// After the game was over.
    Willingly,
    /// Before that, or by Ctrl-C.
    Interrupted,
    /// For another game.
    For(Next),
}

impl Left {
    /// Returns how a person has left who has left now: after the end there is nothing to interrupt.
    pub(crate) fn of(story: &Story) -> Left {
        if story.end.is_some() {
            Left::Willingly
        } else {
            Left::Interrupted
        }
    }
}

/// The time that a turn is shown at the least and at the most.
const FASTEST: Duration = Duration::from_millis(15);
const SLOWEST: Duration = Duration::from_secs(16);

/// Time of the wait for keys before events elsewhere are looked at.
pub(crate) const PATIENCE: Duration = Duration::from_millis(25);

const KEYS: &str = "space pause   <- -> step   + - speed   n p sunk   ? keys   q leave";

const HELP: [&str; 8] = [
    "space         pause, continue",
    "left, right   one turn back, on",
    "n, p          to the next ship that sinks, to the one before",
    "Home, End     to the beginning, to the last turn",
    "+, -          faster, slower",
    "q             leave",
    "",
    "(x) is the last attack. Any key closes this.",
];

/// A game that is watched.
#[derive(Debug)]
pub(crate) struct Watching {
    story: Story,
    /// The number of turns that are shown.
    at: usize,
    paused: bool,
    delay: Duration,
    helps: bool,
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Stay,
    Leave,
}

impl Watching {
    pub(crate) fn new(story: Story, delay: Duration) -> Watching {
        let delay = delay.clamp(FASTEST, SLOWEST);
        Watching {
            story,
            at: 0,
            paused: false,
            delay,
            helps: false,
        }
    }

    pub(crate) fn hear(&mut self, news: News) {
        self.story.hear(news);
    }

    /// Shows the next turn, if there is one, unless that is paused.
    pub(crate) fn tick(&mut self) {
        if !self.paused && !self.helps && self.at < self.story.turns.len() {
            self.at += 1;
        }
    }

    fn is_at_end(&self) -> bool {
        self.at == self.story.turns.len() && self.story.end.is_some()
    }

    pub(crate) fn press(&mut self, key: Input) -> Then {
        if std::mem::take(&mut self.helps) {
            return Then::Stay;
        }
        let all = self.story.turns.len();
        match key {
            Input::Typed('q' | 'Q') | Input::Escape => return Then::Leave,
            Input::Enter if self.is_at_end() => return Then::Leave,
            Input::Typed('?') => self.helps = true,
            Input::Typed(' ') | Input::Enter => self.paused = !self.paused,
            Input::Typed('+' | '=') => self.delay = (self.delay / 2).max(FASTEST),
            Input::Typed('-') => self.delay = (self.delay * 2).min(SLOWEST),
            Input::Right => self.go_to((self.at + 1).min(all)),
            Input::Left => self.go_to(self.at.saturating_sub(1)),
            Input::Home => self.go_to(0),
            Input::End => self.go_to(all),
            Input::Typed('n') => {
                let next = (self.at + 1..=all).find(|at| self.sinks_before(*at));
                self.go_to(next.unwrap_or(all));
            }
            Input::Typed('p') => {
                let last = (1..self.at).rev().find(|at| self.sinks_before(*at));
                self.go_to(last.unwrap_or(0));
            }
            Input::Typed(_)
            | Input::Up
            | Input::Down
            | Input::Tab
            | Input::BackTab
            | Input::Backspace
            | Input::Over(..)
            | Input::Click(..)
            | Input::Turn
            | Input::Interrupt
            | Input::Suspend
            | Input::Redraw => {}
        }
        Then::Stay
    }

    fn go_to(&mut self, at: usize) {
        (self.at, self.paused) = (at, true);
    }

    /// Whether a ship sank in the turn that leads to position `at`, which is not the first.
    fn sinks_before(&self, at: usize) -> bool {
        let sunk = |turns| {
            let grids = waters(&self.story, turns, Viewer::Judge);
            let ships = grids
                .iter()
                .flat_map(|(_, grid)| &grid.ships)
                .flat_map(|line| &line.ships);
            ships.filter(|ship| ship.sunk).count()
        };
        sunk(at) > sunk(at - 1)
    }

    pub(crate) fn picture(&self) -> Picture {
        let turns = self.at;
        let all = self.story.turns.len();
        let told = self.story.turns[..turns].iter().enumerate();
        let log = told.map(|(number, turn)| {
            format!(
                "{:>3} {}",
                number + 1,
                said(&self.story, turn, Viewer::Judge)
            )
        });
        let asked = match &self.story.end {
            Some(end) if turns == all => format!("{}.", end.why.trim_end_matches('.')),
            _ if self.story.fleets.is_none() => "The players place their ships.".to_owned(),
            _ if self.paused => "Paused.".to_owned(),
            _ if turns == all => match self.story.to_move {
                Some(side) => format!("{} thinks.", self.story.names[side]),
                None => String::new(),
            },
            _ => format!("A turn each {}.", in_words(self.delay)),
        };
        let of = if self.story.end.is_some() {
            format!(" of {all}")
        } else {
            String::new()
        };
        Picture {
            headline: format!("turn {turns}{of}"),
            grids: boards(&self.story, turns),
            log: log.collect(),
            asked,
            keys: KEYS.to_owned(),
            notice: self.helps.then(|| Notice {
                title: "keys".to_owned(),
                lines: HELP.map(str::to_owned).into(),
                alone: false,
            }),
            ..Picture::default()
        }
    }
}

/// Returns the grids of both players after this number of turns.
pub(crate) fn boards(story: &Story, turns: usize) -> Vec<Grid> {
    let waters = waters(story, turns, Viewer::Judge);
    let is_now = turns == story.turns.len();
    <[Grid; 2]>::from(waters)
        .into_iter()
        .zip(Side::BOTH)
        .map(|(grid, side)| Grid {
            title: story.names[side].clone(),
            note: story.last_time(side, turns),
            to_move: is_now && story.to_move == Some(side),
            ..grid
        })
        .collect()
}

/// Shows a game, each turn for `delay`, until the person leaves. `news` tells of one that is still
/// played; `is_interrupted` whether the program is to end.
///
/// # Errors
/// If the terminal fails.
pub fn watch(
    device: &mut Device,
    story: Story,
    news: Option<&Receiver<News>>,
    delay: Duration,
    is_interrupted: &dyn Fn() -> bool,
) -> io::Result<Left> {
    let mut watching = Watching::new(story, delay);
    let mut next = Instant::now() + watching.delay;
    loop {
        let mut waits = false;
        while let Some(receiver) = news {
            match receiver.try_recv() {
                Ok(news) => watching.hear(news),
                Err(TryRecvError::Empty) => {
                    waits = true;
                    break;
                }
                Err(TryRecvError::Disconnected) => break,
            }
        }
        if is_interrupted() {
            return Ok(Left::Interrupted);
        }
        if Instant::now() >= next {
            watching.tick();
            next = Instant::now() + watching.delay;
        }
        let places = device.show(&watching.picture())?.unwrap_or_default();
        let left = next.saturating_duration_since(Instant::now());
        let left = if waits {
            left.min(PATIENCE)
        } else {
            left.min(PATIENCE * 4)
        };
        let Some(event) = device.event(left)? else {
            continue;
        };
        match input(&event, &places) {
            Some(Input::Interrupt) if news.is_some() => return Ok(Left::of(&watching.story)),
            Some(Input::Interrupt) => return Ok(Left::Interrupted),
            Some(Input::Suspend) => device.suspend()?,
            Some(Input::Redraw) => device.redraw()?,
            // The mouse has nothing to do here.
            Some(Input::Over(..) | Input::Click(..) | Input::Turn) | None => {}
            Some(key) => {
                if watching.press(key) == Then::Leave {
                    return Ok(Left::of(&watching.story));
                }
                next = Instant::now() + watching.delay;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_screens, classic_story, lost, twist_story};

    fn watching(story: Story) -> Watching {
        Watching::new(story, Duration::from_millis(300))
    }

    #[test]
    fn screens_of_watching() {
        let mut game = watching(classic_story());
        assert_screens!("watching_the_beginning", game.picture());
        game.press(Input::End);
        assert_screens!("watching", game.picture());
        game.press(Input::Typed('?'));
        assert_screens!("watching_keys", game.picture());
        let mut game = watching(twist_story());
        game.press(Input::End);
        game.hear(lost());
        assert_screens!("watching_units", game.picture());
    }

    #[test]
    fn screens_that_are_too_small() {
        let picture = watching(classic_story()).picture();
        let shown = |size| crate::testing::screenshot(&picture, size, crate::testing::DARK);
        insta::assert_snapshot!("too_small", shown((79, 24)));
        // A line or a column is not a reason to panic.
        for size in [(1, 1), (80, 1), (1, 24), (40, 12)] {
            shown(size);
        }
    }

    #[test]
    fn turns_are_shown_unless_paused() {
        let mut game = watching(classic_story());
        game.tick();
        game.tick();
        assert_eq!(game.at, 2);
        game.press(Input::Typed(' '));
        game.tick();
        assert_eq!(game.at, 2);
        game.press(Input::Left);
        game.press(Input::Left);
        game.press(Input::Left);
        assert_eq!(game.at, 0);
        game.press(Input::Typed('n'));
        assert_eq!(game.at, 3);
        game.press(Input::Typed('p'));
        assert_eq!(game.at, 0);
    }
}
