//! Shows a recorded game turn by turn on the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use crate::game::Stop;
use bothost::Interrupt;

/// A game as pictures, one after each turn, for people to watch.
#[derive(Debug)]
pub(crate) struct Slides {
    pictures: Vec<String>,
    /// How long each is shown.
    delay: Duration,
    interrupt: Arc<Interrupt>,
}

/// A key that has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// Pause or continue: space.
    Pause,
    /// The next picture: right arrow.
    Next,
    /// The one before: left arrow.
    Back,
    /// No more: q.
    Leave,
}

impl Slides {
    /// Returns slides that show each of `pictures` for `delay`.
    pub(crate) fn new(pictures: Vec<String>, delay: Duration, interrupt: Arc<Interrupt>) -> Slides {
        Slides { pictures, delay, interrupt }
    }

    /// Shows them all. On a terminal each takes the place of the one before, space pauses, the arrow keys step, and q
    /// leaves. Elsewhere they follow each other, with the pauses between them.
    ///
    /// # Errors
    /// If they cannot be written, or the user interrupts.
    pub(crate) fn show(&self) -> Result<(), Stop> {
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
        let mut keys = keys::Keys::new()?;
        let (mut at, mut paused) = (0, false);
        let shown = loop {
            self.show_one(at, paused)?;
            let is_last = at + 1 == self.pictures.len();
            let patience = (!paused && !is_last).then_some(self.delay);
            match keys.next(&self.interrupt, patience)? {
                keys::Next::Interrupted => break Err(Stop::Interrupted),
                keys::Next::Key(Key::Leave) => break Ok(()),
                keys::Next::Key(Key::Pause) => paused = !paused,
                keys::Next::Key(Key::Next) => (at, paused) = (at + usize::from(!is_last), true),
                keys::Next::Key(Key::Back) => (at, paused) = (at.saturating_sub(1), true),
                keys::Next::Unknown => {}
                keys::Next::Nothing => at += usize::from(patience.is_some()),
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

mod keys {
    use std::io;
    use std::os::fd::AsFd;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    use super::Key;
    use bothost::Interrupt;

    /// The terminal's keys, as they are pressed.
    pub(super) struct Keys {
        before: Termios,
        /// The keys that were pressed and not taken yet, the first at the end.
        pressed: Vec<Key>,
    }

    pub(super) enum Next {
        Key(Key),
        /// Only keys that mean nothing here.
        Unknown,
        /// The patience is over.
        Nothing,
        Interrupted,
    }

    impl Keys {
        pub(super) fn new() -> io::Result<Keys> {
            let before = tcgetattr(io::stdin())?;
            let mut raw = before.clone();
            // Keys without enter, and unseen. ISIG stays on, so Ctrl-C is still a signal.
            raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
            tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
            Ok(Keys { before, pressed: Vec::new() })
        }

        /// Returns the next key, if one is pressed within `patience`.
        pub(super) fn next(
            &mut self,
            interrupt: &Interrupt,
            patience: Option<Duration>,
        ) -> io::Result<Next> {
            if let Some(key) = self.pressed.pop() {
                return Ok(Next::Key(key));
            }
            let (stdin, timeout) = (io::stdin(), patience.map(timespec));
            let mut fds = [
                PollFd::new(&stdin, PollFlags::IN),
                PollFd::from_borrowed_fd(interrupt.as_fd(), PollFlags::IN),
            ];
            match poll(&mut fds, timeout.as_ref()) {
                Err(rustix::io::Errno::INTR) => {}
                polled => drop(polled?),
            }
            if interrupt.is_noted() {
                return Ok(Next::Interrupted);
            }
            if fds[0].revents().is_empty() {
                return Ok(Next::Nothing);
            }
            let mut bytes = [0; 64];
            let count = rustix::io::read(&stdin, &mut bytes)?;
            // The end of the input: no key will ever come, and poll would return at once for ever.
            if count == 0 {
                return Ok(Next::Key(Key::Leave));
            }
            self.pressed = keys_in(&bytes[..count]);
            self.pressed.reverse();
            Ok(self.pressed.pop().map_or(Next::Unknown, Next::Key))
        }
    }

    impl Drop for Keys {
        fn drop(&mut self) {
            // This fails only if the terminal no longer exists.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
        }
    }

    /// Returns the keys that these bytes from a terminal are; others are ignored.
    pub(super) fn keys_in(mut bytes: &[u8]) -> Vec<Key> {
        let mut keys = Vec::new();
        while let Some((first, rest)) = bytes.split_first() {
            let (key, after) = match (first, rest) {
                (b' ', _) => (Some(Key::Pause), rest),
                (b'q', _) => (Some(Key::Leave), rest),
                // Arrow keys: CSI, or SS3 in application mode. One read mostly has a whole sequence; a torn
                // one is ignored.
                (0x1b, [b'[' | b'O', b'C', rest @ ..]) => (Some(Key::Next), rest),
                (0x1b, [b'[' | b'O', b'D', rest @ ..]) => (Some(Key::Back), rest),
                _ => (None, rest),
            };
            keys.extend(key);
            bytes = after;
        }
        keys
    }

    fn timespec(time: Duration) -> Timespec {
        Timespec::try_from(time).expect("a delay is at most a year")
    }
}

#[cfg(test)]
mod tests {
    use super::keys::keys_in;
    use super::*;

    #[test]
    fn keys_are_understood_however_they_come() {
        let keys = keys_in(b" x\x1b[C\x1b[D\x1bOCq\x1b");
        assert_eq!(keys, [Key::Pause, Key::Next, Key::Back, Key::Next, Key::Leave]);
    }
}
