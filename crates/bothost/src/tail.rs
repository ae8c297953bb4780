//! The beginning and the end of a log.

use super::{HostVerdict, text};

/// Number of bytes that are kept of the beginning, and of the end, of a bot's standard error. The
/// beginning has the first error, the end the cause of death; a bot that logs for a whole
/// tournament must not fill the referee's memory.
pub(super) const KEPT: usize = 4096;

/// Number of the last lines that a reason quotes: the end of a Python traceback names the line, the
/// code and the error.
const LAST_LINES: usize = 3;

/// The beginning and the end of what a program wrote to its standard error.
#[derive(Debug)]
pub(super) struct Tail {
    first: Vec<u8>,
    last: Vec<u8>,
    /// The most bytes of each.
    most: usize,
    left_out: usize,
}

impl Tail {
    pub(super) fn new(most: usize) -> Tail {
        Tail {
            first: Vec::new(),
            last: Vec::new(),
            most,
            left_out: 0,
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        // The first bytes never change; what follows them passes through the last ones. As these
        // start where the first end, the two together are the whole text while it is short.
        let (first, rest) = bytes.split_at(bytes.len().min(self.most - self.first.len()));
        self.first.extend_from_slice(first);
        self.last.extend_from_slice(rest);
        let spare = self.last.len().saturating_sub(self.most);
        self.last.drain(..spare);
        self.left_out += spare;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Returns all that is kept, and in the middle how much is not.
    pub(super) fn with_gap(&self) -> Vec<u8> {
        let gap = match self.left_out {
            0 => String::new(),
            count => format!("\n[{count} bytes left out]\n"),
        };
        [&self.first, gap.as_bytes(), &self.last].concat()
    }

    /// Returns the last bytes.
    pub(super) fn end(&self) -> &[u8] {
        if self.last.is_empty() {
            &self.first
        } else {
            &self.last
        }
    }

    /// Returns the last few lines that have words, on one line and fit to be shown; `None` if there
    /// are none.
    pub(super) fn last_words(&self) -> Option<String> {
        let kept = [&self.first[..], &self.last[..]].concat();
        let lines = kept.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.starts_with(&[HostVerdict::MARK]));
        // A line of signs only, as `^^^^` in a Python traceback, says nothing without the line
        // above. Bytes from 128 on may be letters of any script.
        let mut last: Vec<_> = lines
            .rev()
            .filter(|line| {
                line.iter()
                    .any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
            })
            .take(LAST_LINES)
            .collect();
        last.reverse();
        let quoted: Vec<_> = last.into_iter().map(text::long_excerpt).collect();
        (!quoted.is_empty()).then(|| quoted.join(" / "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_kept() {
        let mut log = Tail::new(KEPT);
        log.add(b"first words\n");
        for _ in 0..1000 {
            log.add(&[b'x'; 1000]);
        }
        log.add(b"\nlast but one\n\n");
        log.add(b"last words\n");
        assert!(log.first.starts_with(b"first words\n"));
        assert_eq!((log.first.len(), log.last.len()), (4096, 4096));
        let left_out = 12 + 1_000_000 + 26 - 2 * 4096;
        let gap = format!("x\n[{left_out} bytes left out]\nx");
        assert!(String::from_utf8_lossy(&log.with_gap()).contains(&gap));
        let words = log.last_words().unwrap();
        assert!(
            words.ends_with("…\" / \"last but one\" / \"last words\""),
            "{words}"
        );
    }

    #[test]
    fn silence_has_no_last_words() {
        let mut log = Tail::new(KEPT);
        log.add(b"\n  \r\n");
        assert_eq!(log.last_words(), None);
    }
}
