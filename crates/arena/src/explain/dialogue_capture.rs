//! The dialogue of a game in memory.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::record::Dialogue;
use bothost::{BySide, DialogueListener, Excerpt};

/// Number of bytes kept of the beginning of a dialogue: the greeting and the placement.
const HEAD: usize = 64 << 10;

/// Number of bytes kept of its end, where a bad game shows what went wrong.
const TAIL: usize = 192 << 10;

/// Keeps the dialogue of a game in memory.
#[derive(Clone, Debug)]
pub struct DialogueCapture {
    // Shared with the listener, which the bots own while they live; the lock is never contended.
    captured: Arc<Mutex<Excerpt>>,
}

impl Default for DialogueCapture {
    fn default() -> DialogueCapture {
        DialogueCapture {
            captured: Arc::new(Mutex::new(Excerpt::new(HEAD, TAIL))),
        }
    }
}

impl DialogueCapture {
    /// Returns a listener that writes to this capture, for two bots called `names`.
    #[must_use]
    pub fn listener(&self, names: BySide<String>) -> Box<dyn DialogueListener> {
        let path = Path::new("a dialogue in memory");
        Box::new(Dialogue::new(self.clone(), path, names))
    }

    /// Returns the dialogue so far, as `--transcript` has it, and begins a new one.
    pub fn take(&mut self) -> Vec<u8> {
        self.captured().take().to_bytes()
    }

    fn captured(&self) -> MutexGuard<'_, Excerpt> {
        self.captured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The dialogue is written here.
impl Write for DialogueCapture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.captured().add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bothost::{LineKind, Side};

    use super::*;

    #[test]
    fn both_ends_of_a_long_dialogue_stay() {
        let mut capture = DialogueCapture::default();
        let mut listener = capture.listener(BySide::new("a".to_owned(), "b".to_owned()));
        let mut say = |line: &str| {
            listener
                .on_line(
                    Side::Two,
                    LineKind::FromBot,
                    line.as_bytes(),
                    Duration::ZERO,
                )
                .unwrap();
        };
        say("first");
        for _ in 0..1000 {
            say(&"x".repeat(1000));
        }
        say("last");
        let text = String::from_utf8(capture.take()).unwrap();
        assert!(
            text.starts_with("     0.000 b -> first\n"),
            "{}",
            &text[..80]
        );
        assert!(text.ends_with("     0.000 b -> last\n"));
        assert!(text.contains("bytes are left out here"));
        assert!(text.len() < 2 * (HEAD + TAIL));
        assert!(capture.take().is_empty());
    }
}
