//! What a bot writes to its standard error, and what its supervisor reports there.

use std::process::ExitStatus;

use super::text;

/// How many bytes of the beginning, and of the end, of a bot's standard error are kept. The beginning has what went
/// wrong first, the end what the bot died of; a bot that logs for a whole tournament must not fill the referee's
/// memory.
const KEPT: usize = 4096;

/// How many of the last lines a reason quotes: the end of a Python traceback names the line, the code and the error.
const LAST_LINES: usize = 3;

/// The exit status of a supervisor that could not start its bot. It says why on standard error, after [`MARK`]. 125 and
/// 124 are what env(1) and timeout(1) use for their own failures, so few programs exit with them.
pub(super) const NOT_STARTED: u8 = 125;

/// The exit status of a supervisor whose bot has used too much. It says what on standard error, after [`MARK`].
pub(super) const USED_TOO_MUCH: u8 = 124;

/// What the reason of a supervisor begins with. A bot can forge it and exit with the same status. It loses with any
/// status, so it gains nothing.
pub(super) const MARK: &str = "\u{1}referee: ";

/// What follows [`MARK`] where a supervisor says which processes its bot has left behind: their names, maybe none.
pub(super) const LEFT: &str = "left ";

/// Why a supervisor has ended its bot, or not even started it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SupervisorSays {
    NotStarted(String),
    UsedTooMuch(String),
}

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

    /// Returns the reason of the supervisor, if `status` is one of its own; `None` if the bot ended by itself.
    pub(super) fn reason_of_supervisor(&self, status: ExitStatus) -> Option<SupervisorSays> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        // From the end: what the supervisor writes comes after everything the bot has written.
        let begins = |at: &usize| kept[*at..].starts_with(MARK.as_bytes());
        let reason = &kept[(0..kept.len()).rev().find(begins)? + MARK.len()..];
        let reason = text::shown(reason);
        match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(NOT_STARTED) => Some(SupervisorSays::NotStarted(reason)),
            Some(USED_TOO_MUCH) => Some(SupervisorSays::UsedTooMuch(reason)),
            _ => None,
        }
    }

    /// Returns the processes that the bot has left behind; `None` if its supervisor does not say.
    pub(super) fn left_behind(&self) -> Option<Vec<String>> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let said = kept
            .rsplit(|byte| *byte == b'\n')
            .find_map(|line| line.strip_prefix(MARK.as_bytes())?.strip_prefix(LEFT.as_bytes()))?;
        let names = text::shown(said);
        Some(names.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Returns the last few lines that have words, on one line and fit to be shown; `None` if there are none.
    pub(super) fn last_words(&self) -> Option<String> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let lines = kept.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        // A line of signs only, as `^^^^` in a Python traceback, says nothing without the line above. Bytes from 128
        // on may be letters of any script.
        let speaks =
            |line: &&[u8]| line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128);
        // The supervisor writes to the same pipe; its words are not the bot's last.
        let own = |line: &&[u8]| !line.starts_with(MARK.as_bytes());
        let mut last: Vec<_> = lines.rev().filter(speaks).filter(own).take(LAST_LINES).collect();
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
        assert!(words.ends_with("…\" / \"last but one\" / \"last words\""), "{words}");
    }

    #[test]
    fn what_a_supervisor_says_of_who_is_left_is_no_word_of_the_bot() {
        let mut log = StderrLog::default();
        log.add(b"oops\n\n\x01referee: left sleep, sh\n");
        assert_eq!(log.left_behind().unwrap(), ["sleep", "sh"]);
        assert_eq!(log.last_words().unwrap(), "\"oops\"");
        log.add(b"\n\x01referee: left \n");
        assert_eq!(log.left_behind().unwrap(), [""; 0]);
        assert_eq!(StderrLog::default().left_behind(), None);
    }

    #[test]
    fn silence_has_no_last_words() {
        let mut log = StderrLog::default();
        log.add(b"\n  \r\n");
        assert_eq!(log.last_words(), None);
    }
}
