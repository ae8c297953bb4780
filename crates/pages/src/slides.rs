//! Shows a recorded game turn by turn on the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use bothost::Interrupt;

use engine::game::Stop;
use engine::system::{Key, Keys, Pressed};

/// A game as pictures, one after each turn, for people to watch.
#[derive(Debug)]
pub struct Slides {
    pictures: Vec<String>,
    /// How long each is shown.
    delay: Duration,
    interrupt: Arc<Interrupt>,
}

impl Slides {
    /// Returns slides that show each of `pictures` for `delay`.
    #[must_use]
    pub fn new(pictures: Vec<String>, delay: Duration, interrupt: Arc<Interrupt>) -> Slides {
        Slides { pictures, delay, interrupt }
    }

    /// Shows them all. On a terminal each takes the place of the one before, space pauses, the arrow keys step, and q
    /// leaves. Elsewhere they follow each other, with the pauses between them.
    ///
    /// # Errors
    /// If they cannot be written, or the user interrupts.
    pub fn show(&self) -> Result<(), Stop> {
        if self.pictures.is_empty() {
            return Ok(());
        }
        if io::stdout().is_terminal() && io::stdin().is_terminal() {
            return self.on_terminal();
        }
        let mut out = io::stdout().lock();
        for (number, picture) in (1..).zip(&self.pictures) {
            out.write_all(picture.as_bytes())?;
            out.flush()?;
            if number < self.pictures.len() && !self.interrupt.wait(Some(self.delay))? {
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    fn on_terminal(&self) -> Result<(), Stop> {
        let mut keys = Keys::new()?;
        let (mut at, mut paused) = (0, false);
        let shown = loop {
            self.show_one(at, paused)?;
            let is_last = at + 1 == self.pictures.len();
            let patience = (!paused && !is_last).then_some(self.delay);
            match keys.next(&self.interrupt, patience)? {
                Pressed::Interrupted => break Err(Stop::Interrupted),
                Pressed::Key(Key::Leave) => break Ok(()),
                Pressed::Key(Key::Pause) => paused = !paused,
                Pressed::Key(Key::Next) => (at, paused) = (at + usize::from(!is_last), true),
                Pressed::Key(Key::Back) => (at, paused) = (at.saturating_sub(1), true),
                Pressed::Unknown => {}
                Pressed::Nothing => at += usize::from(patience.is_some()),
            }
        };
        // The terminal is set back before the last line is written.
        drop(keys);
        writeln!(io::stdout())?;
        shown
    }

    fn show_one(&self, at: usize, paused: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let (number, all) = (at + 1, self.pictures.len());
        let state = if paused { "paused; space continues" } else { "space pauses" };
        // To the top left, and clear to the end: clearing the whole screen first would flicker.
        write!(out, "\x1b[H\x1b[J{}", self.pictures[at])?;
        write!(out, "[{number} of {all}: {state}, arrows step, q leaves] ")?;
        out.flush()
    }
}
