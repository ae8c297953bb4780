//! Playing: a person, or two who take turns at one terminal.

mod keys;
mod ordering;
mod picture;
mod placing;
mod table;
#[cfg(test)]
mod tests;
mod typed;

use std::io;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use battleship::protocol::Reply;
use battleship::{BySide, Side};

use self::table::{Sitting, Then};
use crate::draw::Places;
use crate::input::{Input, input};
use crate::story::{News, Series, Story};
use crate::terminal::Device;
use crate::watch::{Left, PATIENCE};

/// The people who play here.
#[derive(Clone, Debug)]
pub struct People {
    /// Whether each player is a person at this terminal.
    pub here: BySide<bool>,
    /// The time that they may take for an answer.
    pub limit: Option<Duration>,
    /// The seed of random fleets.
    pub seed: u64,
    /// The games before and after this one.
    pub series: Series,
}

/// Lets people play the game that `news` tells of, until it is over and they have seen enough of
/// it. Each answer goes to `answer`, and `is_interrupted` says whether the program is to end.
///
/// # Errors
/// If the terminal fails.
pub fn play(
    device: &mut Device,
    story: Story,
    people: People,
    news: &Receiver<News>,
    answer: &mut dyn FnMut(Side, Reply),
    is_interrupted: &dyn Fn() -> bool,
) -> io::Result<Left> {
    let mut table = Sitting::new(story, people);
    let mut since = Instant::now();
    let mut is_end_seen = false;
    loop {
        let mut is_told = true;
        while is_told {
            match news.try_recv() {
                Ok(news) => {
                    since = Instant::now();
                    table.hear(news);
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => is_told = false,
            }
        }
        for (side, reply) in table.answers() {
            answer(side, reply);
        }
        if is_interrupted() {
            return Ok(Left::Interrupted);
        }
        table.look_at_clock(since.elapsed());
        if table.is_over() && !std::mem::replace(&mut is_end_seen, true) {
            // Keys that were typed before the end is seen were meant for the game, and must not
            // close the picture of it.
            device.forget_typed()?;
        }
        let shown = device.show(&table.picture())?;
        let Some(event) = device.event(PATIENCE)? else {
            continue;
        };
        match input(&event, shown.as_ref().unwrap_or(&Places::default())) {
            Some(Input::Interrupt) => return Ok(Left::of(&table.story)),
            Some(Input::Suspend) => device.suspend()?,
            Some(Input::Redraw) => device.redraw()?,
            // A picture that is not seen cannot be played on.
            Some(key) if shown.is_some() => {
                if let Then::Leave(left) = table.press(key) {
                    return Ok(left);
                }
            }
            Some(_) | None => {}
        }
    }
}
