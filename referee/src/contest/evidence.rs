use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::record::Dialogue;
use bothost::{Side, Spoken, Wiretap};

/// How much of the beginning of a dialogue is kept, in bytes: the greeting and the placement.
const HEAD: usize = 64 << 10;

/// How much of its end is kept.
const TAIL: usize = 192 << 10;

/// What was seen of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Its dialogue, as `--transcript` has it.
    pub(crate) dialogue: Vec<u8>,
    /// What each bot wrote to standard error.
    pub(crate) stderr: [Vec<u8>; 2],
}

/// The beginning and the end of something long.
#[derive(Clone, Debug, Default)]
struct Scroll {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// How much has been lost between them.
    lost: usize,
}

impl Scroll {
    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // Cut rarely, so that it costs little.
        if self.tail.len() > 2 * TAIL {
            let spare = self.tail.len() - TAIL;
            self.tail.drain(..spare);
            self.lost += spare;
        }
    }

    fn take(&mut self) -> Vec<u8> {
        let Scroll { head: mut text, tail, lost } = std::mem::take(self);
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
struct Scrolls {
    dialogue: Scroll,
    stderr: [Scroll; 2],
}

/// Keeps what is said in a game until it is known whether anybody wants to know.
#[derive(Clone, Debug, Default)]
pub(super) struct Witness {
    scrolls: Arc<Mutex<Scrolls>>,
}

impl Witness {
    /// A wiretap that tells this witness, on two bots called `names`.
    pub(super) fn wiretap(&self, names: [String; 2]) -> Box<dyn Wiretap> {
        let dialogue = Dialogue::new(self.clone(), Path::new("a dialogue in memory"), names);
        Box::new(Ear { witness: self.clone(), dialogue })
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) {
        *self.scrolls() = Scrolls::default();
    }

    /// What was seen since then.
    pub(super) fn take(&mut self) -> Evidence {
        let mut scrolls = self.scrolls();
        let Scrolls { dialogue, stderr: [one, two] } = &mut *scrolls;
        Evidence { dialogue: dialogue.take(), stderr: [one.take(), two.take()] }
    }

    fn scrolls(&self) -> std::sync::MutexGuard<'_, Scrolls> {
        self.scrolls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The dialogue is written here.
impl Write for Witness {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.scrolls().dialogue.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct Ear {
    witness: Witness,
    dialogue: Dialogue<Witness>,
}

impl Wiretap for Ear {
    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()> {
        if spoken == Spoken::Stderr {
            self.witness.scrolls().stderr[side.index()].add(line);
        }
        self.dialogue.hear(side, spoken, line, after)
    }

    fn call_them(&mut self, names: &[String; 2]) {
        self.dialogue.call_them(names);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.dialogue.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_a_long_dialogue_are_kept() {
        let mut witness = Witness::default();
        let mut tap = witness.wiretap(["a".to_owned(), "b".to_owned()]);
        let mut say = |line: &str| {
            tap.hear(Side::Two, Spoken::FromBot, line.as_bytes(), Duration::ZERO).unwrap();
        };
        say("first");
        for _ in 0..1000 {
            say(&"x".repeat(1000));
        }
        say("last");
        let text = String::from_utf8(witness.take().dialogue).unwrap();
        assert!(text.starts_with("     0.000 b -> first\n"), "{}", &text[..80]);
        assert!(text.ends_with("     0.000 b -> last\n"));
        assert!(text.contains("bytes are left out here"));
        assert!(text.len() < 2 * (HEAD + TAIL));
        assert_eq!(witness.take(), Evidence::default());
    }

    #[test]
    fn the_standard_error_of_each_bot_is_kept_apart_too() {
        let mut witness = Witness::default();
        let mut tap = witness.wiretap(["a".to_owned(), "b".to_owned()]);
        for (side, words) in [(Side::One, "one\n"), (Side::Two, "two\n"), (Side::One, "more\n")] {
            tap.hear(side, Spoken::Stderr, words.as_bytes(), Duration::ZERO).unwrap();
        }
        let evidence = witness.take();
        assert_eq!(evidence.stderr, [b"one\nmore\n".to_vec(), b"two\n".to_vec()]);
        assert!(evidence.dialogue.ends_with(b" a !! more\n"));
    }
}
