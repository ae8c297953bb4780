//! Watching a contest: the game of one lane, the standings, and the results of the last games.

#[cfg(test)]
mod tests;

use std::io;
use std::time::{Duration, Instant};

use crate::input::{Input, input};
use crate::live::{ContestState, LiveContest};
use crate::picture::{Notice, Picture, WayOut};
use crate::terminal::Device;
use crate::watch::{Left, PATIENCE, boards};

/// Time between two pictures: the games run at their own speed, and more pictures a second show no
/// more.
const BETWEEN: Duration = Duration::from_millis(100);

const KEYS: &str = "space freeze   ? keys   q stop the contest";

const TOO_SMALL: &str = "The contest continues. Make it larger. q: stop.";

const HELP: [&str; 11] = [
    "space    freeze the picture; the games continue",
    "q        stop the contest: asks first",
    "Ctrl-C   the same, without asking",
    "Ctrl-L   redraw everything",
    "Ctrl-Z   back to the shell; fg continues",
    "",
    "Games of the same two players are numbered from 1.",
    "Places go by the score in the games so far.",
    "good beat awful in 40: after 40 turns of good.",
    "",
    "(x) is the last attack. Any key closes this.",
];

/// The view of a contest.
#[derive(Debug)]
struct ContestView<'l> {
    state: ContestState,
    /// The loss if the contest is stopped, as a sentence.
    loss: &'l str,
    is_frozen: bool,
    dialog: Option<Dialog>,
}

/// The text over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialog {
    Keys,
    /// Whether the contest is to stop.
    Stop,
}

impl ContestView<'_> {
    /// Handles a key, and returns whether the contest is to stop.
    fn press(&mut self, key: Input) -> bool {
        match (self.dialog, key) {
            (Some(Dialog::Stop), Input::Typed('y' | 'Y')) => return true,
            (Some(_), _) => self.dialog = None,
            (None, Input::Typed('q' | 'Q') | Input::Escape) => self.dialog = Some(Dialog::Stop),
            (None, Input::Typed('?')) => self.dialog = Some(Dialog::Keys),
            (None, Input::Typed(' ')) => self.is_frozen = !self.is_frozen,
            (None, _) => {}
        }
        false
    }

    fn picture(&self) -> Picture {
        let game = &self.state.game;
        let turns = game.story.turns.len();
        let headline = match game.number {
            0 => "The players start.".to_owned(),
            number => format!("game {number}, turn {turns}"),
        };
        let (keys, notice) = match self.dialog {
            None => (KEYS, None),
            Some(Dialog::Keys) => (
                "any key   back",
                Some(("keys", HELP.map(str::to_owned).into())),
            ),
            Some(Dialog::Stop) => {
                let lines = vec![
                    "The running games are played to their end.".to_owned(),
                    self.loss.to_owned(),
                    String::new(),
                    "y stops the contest, any other key continues.".to_owned(),
                ];
                ("y stop   any other key   continue", Some(("stop?", lines)))
            }
        };
        Picture {
            headline,
            grids: boards(&game.story, turns),
            standings: self.state.standings.clone(),
            log: self.state.results.iter().cloned().collect(),
            asked: if self.is_frozen {
                "The picture is frozen, the games continue. Space continues.".to_owned()
            } else {
                self.state.progress.clone()
            },
            keys: keys.to_owned(),
            notice: notice.map(|(title, lines)| Notice {
                title: title.to_owned(),
                lines,
                alone: false,
            }),
            way_out: WayOut::Other(match self.dialog {
                None => TOO_SMALL,
                Some(_) => keys,
            }),
            ..Picture::default()
        }
    }
}

/// Shows `contest` until it `is_over` or the person stops it. `loss` is a sentence about what
/// stopping loses.
///
/// # Errors
/// If the terminal fails.
pub fn watch_contest(
    device: &mut Device,
    contest: &LiveContest,
    loss: &str,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Left> {
    let mut view = ContestView {
        state: contest.state(),
        loss,
        is_frozen: false,
        dialog: None,
    };
    let mut next = Instant::now();
    loop {
        if Instant::now() >= next {
            if !view.is_frozen {
                view.state = contest.state();
            }
            device.show(&view.picture())?;
            next = Instant::now() + BETWEEN;
        }
        if is_over() {
            return Ok(Left::Willingly);
        }
        // In slices, since the contest may end meanwhile.
        let wait = next.saturating_duration_since(Instant::now()).min(PATIENCE);
        let Some(event) = device.event(wait)? else {
            continue;
        };
        match input(&event, &crate::draw::Places::default()) {
            Some(Input::Interrupt) => return Ok(Left::Interrupted),
            Some(Input::Suspend) => device.suspend()?,
            Some(Input::Redraw) => device.redraw()?,
            // The mouse has nothing to do here.
            Some(Input::Over(..) | Input::Click(..) | Input::Turn) | None => continue,
            Some(key) => {
                if view.press(key) {
                    return Ok(Left::Interrupted);
                }
            }
        }
        // The effect of a key is shown at once.
        device.show(&view.picture())?;
    }
}
