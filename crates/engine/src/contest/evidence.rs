//! The dialogue and standard error of a game in memory, kept until it is known whether the game was a bad one.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::record::Dialogue;
use battleship::BySide;
use bothost::{Side, Spoken, Wiretap, text};

/// Number of bytes kept of the beginning of a dialogue: the greeting and the placement.
const HEAD: usize = 64 << 10;

/// Number of bytes kept of its end, where a bad game shows what went wrong. Every lane has one such buffer, so together they
/// must stay small next to the bots.
const TAIL: usize = 192 << 10;

/// Number of lines shown of the end of a dialogue.
const LINES: usize = 12;

/// Number of characters shown of a line.
const LONGEST: usize = 200;

/// The evidence of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Its dialogue, as `--transcript` has it.
    pub dialogue: Vec<u8>,
    /// The standard error of each bot.
    pub stderr: BySide<Vec<u8>>,
}

/// The beginning and the end of something long.
#[derive(Clone, Debug, Default)]
struct Excerpt {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// The number of bytes that have been dropped between them.
    lost: usize,
}

impl Excerpt {
    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // Cut at twice the length and not at every line, so that each byte is moved once on average.
        if self.tail.len() > 2 * TAIL {
            let spare = self.tail.len() - TAIL;
            self.tail.drain(..spare);
            self.lost += spare;
        }
    }

    fn take(&mut self) -> Vec<u8> {
        let Excerpt {
            head: mut text,
            tail,
            lost,
        } = std::mem::take(self);
        if lost > 0 {
            text.extend_from_slice(
                format!("\n... {lost} bytes are left out here ...\n").as_bytes(),
            );
        }
        text.extend_from_slice(&tail);
        text
    }
}

#[derive(Debug, Default)]
struct Captured {
    dialogue: Excerpt,
    stderr: BySide<Excerpt>,
}

/// Keeps the dialogue of a game in memory until it is known whether the game was a bad one.
#[derive(Clone, Debug, Default)]
pub struct DialogueCapture {
    // Shared with the wiretap, which the bots own while they live; the lock is never contended.
    captured: Arc<Mutex<Captured>>,
}

impl DialogueCapture {
    /// Returns a wiretap that writes to this capture, for two bots called `names`.
    #[must_use]
    pub fn wiretap(&self, names: BySide<String>) -> Box<dyn Wiretap> {
        let dialogue = Dialogue::new(self.clone(), Path::new("a dialogue in memory"), names);
        Box::new(CaptureTap {
            capture: self.clone(),
            dialogue,
        })
    }

    /// Drops what was captured.
    pub(super) fn forget(&mut self) {
        *self.captured() = Captured::default();
    }

    /// Returns what was captured since the last call of [`DialogueCapture::forget`].
    pub fn take(&mut self) -> Evidence {
        let mut captured = self.captured();
        let Captured { dialogue, stderr } = &mut *captured;
        Evidence {
            dialogue: dialogue.take(),
            stderr: stderr.as_mut().map(Excerpt::take),
        }
    }

    fn captured(&self) -> std::sync::MutexGuard<'_, Captured> {
        self.captured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The dialogue is written here.
impl Write for DialogueCapture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.captured().dialogue.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct CaptureTap {
    capture: DialogueCapture,
    dialogue: Dialogue<DialogueCapture>,
}

impl Wiretap for CaptureTap {
    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()> {
        if spoken == Spoken::Stderr {
            // Twice, since standard error is shown both within the dialogue and as a file of its own.
            self.capture.captured().stderr[side].add(line);
        }
        self.dialogue.hear(side, spoken, line, after)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.dialogue.finish()
    }
}

/// Returns the last lines of `text` that are `wanted`, fit to be shown.
pub fn last_of(text: &[u8], wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let lines: Vec<String> = text
        .split(|byte| *byte == b'\n')
        .map(|line| text::cut(&text::shown(line.trim_ascii_end()), LONGEST))
        .filter(|line| !line.is_empty() && wanted(line))
        .collect();
    lines[lines.len().saturating_sub(LINES)..].to_vec()
}

/// Returns whether a line of a dialogue was said to the player called `name`, or by it.
#[must_use]
pub fn is_said_with(name: &str, line: &str) -> bool {
    let rest = line
        .trim_start()
        .split_once(' ')
        .and_then(|(_, rest)| rest.strip_prefix(name));
    rest.is_some_and(|rest| {
        [" <- ", " -> ", " -| ", " !! "]
            .iter()
            .any(|mark| rest.starts_with(mark))
    })
}

/// Returns the last lines of a dialogue that were said to the player called `name` or by it until it was told of its fault,
/// fit to be shown. What it says afterwards, as that its output is closed, is not a cause.
#[must_use]
pub fn said_with(dialogue: &[u8], name: &str) -> Vec<String> {
    let told = format!("{name} <- error ");
    let at = dialogue
        .windows(told.len())
        .rposition(|words| words == told.as_bytes());
    let end = at.map_or(dialogue.len(), |at| {
        let rest = dialogue[at..].iter().position(|byte| *byte == b'\n');
        rest.map_or(dialogue.len(), |rest| at + rest)
    });
    last_of(&dialogue[..end], |line| is_said_with(name, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_a_long_dialogue_are_kept() {
        let mut capture = DialogueCapture::default();
        let mut tap = capture.wiretap(BySide::new("a".to_owned(), "b".to_owned()));
        let mut say = |line: &str| {
            tap.hear(Side::Two, Spoken::FromBot, line.as_bytes(), Duration::ZERO)
                .unwrap();
        };
        say("first");
        for _ in 0..1000 {
            say(&"x".repeat(1000));
        }
        say("last");
        let text = String::from_utf8(capture.take().dialogue).unwrap();
        assert!(
            text.starts_with("     0.000 b -> first\n"),
            "{}",
            &text[..80]
        );
        assert!(text.ends_with("     0.000 b -> last\n"));
        assert!(text.contains("bytes are left out here"));
        assert!(text.len() < 2 * (HEAD + TAIL));
        assert_eq!(capture.take(), Evidence::default());
    }

    #[test]
    fn the_standard_error_of_each_bot_is_kept_apart_too() {
        let mut capture = DialogueCapture::default();
        let mut tap = capture.wiretap(BySide::new("a".to_owned(), "b".to_owned()));
        for (side, words) in [
            (Side::One, "one\n"),
            (Side::Two, "two\n"),
            (Side::One, "more\n"),
        ] {
            tap.hear(side, Spoken::Stderr, words.as_bytes(), Duration::ZERO)
                .unwrap();
        }
        let evidence = capture.take();
        assert_eq!(
            evidence.stderr,
            BySide::new(b"one\nmore\n".to_vec(), b"two\n".to_vec())
        );
        assert!(evidence.dialogue.ends_with(b" a !! more\n"));
    }

    #[test]
    fn what_a_bot_says_after_its_fault_is_not_a_cause() {
        let dialogue = b"1.0 ann <- attack\n2.0 bob -> attack 0 0\n3.0 ann <- end lost timeout\n\
            3.1 ann <- error no reply\n3.2 ann <- quit\n3.3 ann !! BrokenPipeError\n";
        let last = said_with(dialogue, "ann");
        assert_eq!(
            last,
            [
                "1.0 ann <- attack",
                "3.0 ann <- end lost timeout",
                "3.1 ann <- error no reply"
            ]
        );
        assert_eq!(said_with(b"1.0 ann !! oops\n", "ann"), ["1.0 ann !! oops"]);
    }
}
