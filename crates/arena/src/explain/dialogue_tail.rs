//! The last lines of each bot in a game, kept until it is known whether the bot loses by its own
//! fault.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::record::Dialogue;
use bothost::BySide;
use bothost::{DialogueListener, LineKind, Side, text};

/// Number of lines kept for each bot.
const LINES: usize = 12;

/// Number of characters shown of a line.
const LONGEST: usize = 200;

/// Number of bytes kept of what a bot writes to standard error without other lines in between.
const LONGEST_STDERR: usize = 4096;

/// A line of a dialogue, or a piece of standard error.
#[derive(Debug)]
struct TailLine {
    kind: LineKind,
    after: Duration,
    bytes: Vec<u8>,
}

/// The last lines of one bot.
#[derive(Debug, Default)]
struct BotTail {
    lines: VecDeque<TailLine>,
    /// Whether the bot was told of its fault. What it writes afterwards, as that its output is
    /// closed, is not a cause.
    is_closed: bool,
}

impl BotTail {
    fn add(&mut self, kind: LineKind, line: &[u8], after: Duration) {
        if self.is_closed {
            return;
        }
        self.is_closed = kind == LineKind::ToBot && line.starts_with(b"error ");
        if self.is_closed {
            return;
        }
        let is_stderr = kind == LineKind::Stderr;
        let last = self.lines.back_mut();
        if let Some(last) = last.filter(|last| is_stderr && last.kind == LineKind::Stderr) {
            last.bytes.extend_from_slice(line);
            let spare = last.bytes.len().saturating_sub(LONGEST_STDERR);
            last.bytes.drain(..spare);
            return;
        }
        let reused = if self.lines.len() == LINES {
            self.lines.pop_front()
        } else {
            None
        };
        let mut bytes = reused.map(|line| line.bytes).unwrap_or_default();
        bytes.clear();
        bytes.extend_from_slice(line);
        self.lines.push_back(TailLine { kind, after, bytes });
    }
}

/// Keeps the last lines of both bots in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct DialogueTail {
    // Shared with the listener, which the bots own while they live; the lock is never contended.
    tails: Arc<Mutex<BySide<BotTail>>>,
}

impl DialogueTail {
    /// Returns a listener that writes here.
    pub(crate) fn listener(&self) -> Box<dyn DialogueListener> {
        Box::new(self.clone())
    }

    /// Drops what was kept.
    pub(crate) fn forget(&self) {
        *self.tails() = BySide::default();
    }

    /// Returns the last lines of the bot on `side`, which is called `name`, as transcripts have
    /// them and fit to be shown.
    pub(crate) fn lines(&self, side: Side, name: &str) -> Vec<String> {
        let mut transcript = Vec::new();
        let names = BySide::from_fn(|_| name.to_owned());
        let mut dialogue = Dialogue::new(&mut transcript, Path::new("memory"), names);
        let cannot_fail = "memory takes everything";
        for line in &self.tails()[side].lines {
            dialogue
                .on_line(side, line.kind, &line.bytes, line.after)
                .expect(cannot_fail);
        }
        dialogue.finish().expect(cannot_fail);
        drop(dialogue);
        let lines: Vec<String> = transcript
            .split(|byte| *byte == b'\n')
            .map(|line| text::cut(&text::shown(line.trim_ascii_end()), LONGEST))
            .filter(|line| !line.is_empty())
            .collect();
        lines[lines.len().saturating_sub(LINES)..].to_vec()
    }

    fn tails(&self) -> MutexGuard<'_, BySide<BotTail>> {
        self.tails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DialogueListener for DialogueTail {
    fn needs_order(&self) -> bool {
        false
    }

    fn on_line(
        &mut self,
        side: Side,
        kind: LineKind,
        line: &[u8],
        after: Duration,
    ) -> io::Result<()> {
        self.tails()[side].add(kind, line, after);
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(tail: &mut DialogueTail, side: Side, kind: LineKind, line: &str) {
        tail.on_line(side, kind, line.as_bytes(), Duration::ZERO)
            .unwrap();
    }

    #[test]
    fn the_last_lines_of_each_bot_are_kept() {
        let mut tail = DialogueTail::default();
        for number in 0..100 {
            receive(&mut tail, Side::One, LineKind::FromBot, &number.to_string());
        }
        receive(&mut tail, Side::Two, LineKind::Stderr, "one\ntw");
        receive(&mut tail, Side::Two, LineKind::Stderr, "o\nthree");
        let ours = tail.lines(Side::One, "a");
        assert_eq!(ours.len(), LINES);
        assert_eq!(ours[0], "     0.000 a -> 88");
        let theirs = tail.lines(Side::Two, "b");
        assert_eq!(
            theirs,
            ["one", "two", "three"].map(|word| format!("     0.000 b !! {word}"))
        );
        tail.forget();
        assert!(tail.lines(Side::One, "a").is_empty());
    }

    #[test]
    fn lines_after_a_fault_are_no_cause() {
        let mut tail = DialogueTail::default();
        receive(&mut tail, Side::One, LineKind::ToBot, "attack");
        receive(&mut tail, Side::One, LineKind::ToBot, "end lost timeout");
        receive(&mut tail, Side::One, LineKind::ToBot, "error no reply");
        receive(&mut tail, Side::One, LineKind::Stderr, "BrokenPipeError\n");
        let lines = tail.lines(Side::One, "ann");
        assert_eq!(
            lines,
            [
                "     0.000 ann <- attack",
                "     0.000 ann <- end lost timeout"
            ]
        );
    }
}
