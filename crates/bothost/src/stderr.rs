//! The standard error of a bot.

use super::{HostVerdict, text};

/// Number of bytes that are kept of the beginning, and of the end, of a bot's standard error. The beginning has the first
/// error, the end the cause of death; a bot that logs for a whole tournament must not fill the referee's memory.
const KEPT: usize = 4096;

/// Number of the last lines that a reason quotes: the end of a Python traceback names the line, the code and the error.
const LAST_LINES: usize = 3;

/// The beginning and the end of what a bot wrote to its standard error.
#[derive(Debug, Default)]
pub(super) struct StderrLog {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl StderrLog {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        // The head is filled once and never changes; what follows it passes through the tail. As the tail
        // starts where the head ends, the two together are the whole text while it is short.
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(KEPT)..];
        let spare = (self.tail.len() + rest.len()).saturating_sub(KEPT);
        self.tail.drain(..spare);
        self.tail.extend_from_slice(rest);
    }

    /// Returns the end of it.
    pub(super) fn end(&self) -> &[u8] {
        if self.tail.is_empty() {
            &self.head
        } else {
            &self.tail
        }
    }

    /// Returns the last few lines that have words, on one line and fit to be shown; `None` if there are none.
    pub(super) fn last_words(&self) -> Option<String> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let lines = kept.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.starts_with(&[HostVerdict::MARK]));
        // A line of signs only, as `^^^^` in a Python traceback, says nothing without the line above. Bytes from 128
        // on may be letters of any script.
        let speaks = |line: &&[u8]| {
            line.iter()
                .any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
        };
        let mut last: Vec<_> = lines.rev().filter(speaks).take(LAST_LINES).collect();
        last.reverse();
        let quoted: Vec<_> = last.into_iter().map(text::long_excerpt).collect();
        (!quoted.is_empty()).then(|| quoted.join(" / "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_and_the_tail_are_kept() {
        let mut log = StderrLog::default();
        log.add(b"first words\n");
        for _ in 0..1000 {
            log.add(&[b'x'; 1000]);
        }
        log.add(b"\nlast but one\n\n");
        log.add(b"last words\n");
        assert!(log.head.starts_with(b"first words\n"));
        assert_eq!((log.head.len(), log.tail.len()), (4096, 4096));
        let words = log.last_words().unwrap();
        assert!(
            words.ends_with("…\" / \"last but one\" / \"last words\""),
            "{words}"
        );
    }

    #[test]
    fn silence_has_no_last_words() {
        let mut log = StderrLog::default();
        log.add(b"\n  \r\n");
        assert_eq!(log.last_words(), None);
    }
}
