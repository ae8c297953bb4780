//! What a bot writes to its standard error, and what its supervisor reports there.

use std::process::ExitStatus;

use super::text;

/// How much of the beginning, and how much of the end, of what a bot writes to its standard error is kept.
const KEPT: usize = 4096;

/// How many of the last lines a reason quotes.
const LAST_LINES: usize = 3;

/// The exit status of a supervisor that could not start its bot. It says why on standard error, after [`MARK`].
pub(super) const NOT_STARTED: u8 = 125;

/// The exit status of a supervisor whose bot has used too much. It says what on standard error, after [`MARK`].
pub(super) const USED_TOO_MUCH: u8 = 124;

/// What the reason of a supervisor begins with. A bot could say the same and leave with the same status; it would
/// lose all the same.
pub(super) const MARK: &str = "\u{1}referee: ";

/// What follows [`MARK`] where a supervisor says which processes its bot has left behind: their names, if any.
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
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(KEPT)..];
        let spare = (self.tail.len() + rest.len()).saturating_sub(KEPT);
        self.tail.drain(..spare);
        self.tail.extend_from_slice(rest);
    }

    /// What the supervisor says, if `status` is one of its own and a reason was written last.
    pub(super) fn reason_of_supervisor(&self, status: ExitStatus) -> Option<SupervisorSays> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let begins = |at: &usize| kept[*at..].starts_with(MARK.as_bytes());
        let reason = &kept[(0..kept.len()).rev().find(begins)? + MARK.len()..];
        let reason = text::shown(reason);
        match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(NOT_STARTED) => Some(SupervisorSays::NotStarted(reason)),
            Some(USED_TOO_MUCH) => Some(SupervisorSays::UsedTooMuch(reason)),
            _ => None,
        }
    }

    /// The processes that the bot has left behind, if its supervisor says so.
    pub(super) fn left_behind(&self) -> Option<Vec<String>> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let said = kept
            .rsplit(|byte| *byte == b'\n')
            .find_map(|line| line.strip_prefix(MARK.as_bytes())?.strip_prefix(LEFT.as_bytes()))?;
        let names = text::shown(said);
        Some(names.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The last few lines that are not blank, on one line and fit to be shown; `None` if there are none.
    pub(super) fn last_words(&self) -> Option<String> {
        let kept = [&self.head[..], &self.tail[..]].concat();
        let lines = kept.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        // A line of signs only underlines another one.
        let speaks =
            |line: &&[u8]| line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128);
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
