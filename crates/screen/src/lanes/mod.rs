//! Watching a contest: the running game of each lane small, the score above them, and how the last
//! games ended.

mod draw;
mod state;
#[cfg(test)]
mod tests;

use std::io;
use std::time::{Duration, Instant};

use self::state::{Then, Watching};
use crate::input::{Input, input};
use crate::story::Story;
use crate::terminal::Device;
use crate::watch::{Left, PATIENCE};

/// Time between two samples: the games run at their own speed, and more pictures a second show no
/// more.
const BETWEEN: Duration = Duration::from_millis(100);

/// The view of a contest at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The score in words. Names of bots are in it.
    pub score: String,
    /// The interval of that.
    pub interval: String,
    /// The speed and the time that is left.
    pub pace: String,
    /// The games that are over.
    pub done: u64,
    /// The games of the contest, as far as that is known.
    pub planned: u64,
    /// The game of each lane, if it has one.
    pub lanes: Vec<Option<LaneGame>>,
    /// The ends of the last games, a line each, the latest last. Text of bots may be in it.
    pub finished: Vec<String>,
}

/// The game that a lane plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneGame {
    /// The title of the game.
    pub title: String,
    /// The game so far.
    pub story: Story,
}

/// Shows a contest until it `is_over` or the person stops it. `sample` returns what there is to see
/// now; `loses` says in a sentence what stopping it would lose.
///
/// # Errors
/// If the terminal fails.
pub fn watch_lanes(
    device: &mut Device,
    loses: &str,
    sample: &mut dyn FnMut() -> Sample,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Left> {
    let mut watching = Watching::new(loses);
    let mut next = Instant::now();
    while !is_over() {
        if Instant::now() >= next {
            if !watching.is_frozen() {
                watching.hear(sample());
            }
            device.paint(|look, buffer| draw::draw(&watching, look, buffer))?;
            next = Instant::now() + BETWEEN;
        }
        // In slices, since the contest may end meanwhile.
        let left = next.saturating_duration_since(Instant::now()).min(PATIENCE);
        let Some(event) = device.event(left)? else {
            continue;
        };
        match input(&event, &crate::draw::Places::default()) {
            Some(Input::Interrupt) => return Ok(Left::Interrupted),
            Some(Input::Suspend) => device.suspend()?,
            Some(Input::Redraw) => device.redraw()?,
            // The mouse has nothing to do here.
            Some(Input::Over(..) | Input::Click(..) | Input::Turn) | None => continue,
            Some(key) => {
                if watching.press(key) == Then::Leave {
                    return Ok(Left::Interrupted);
                }
            }
        }
        // The effect of the key is seen at once; the games wait for their time.
        device.paint(|look, buffer| draw::draw(&watching, look, buffer))?;
    }
    Ok(Left::Willingly)
}
