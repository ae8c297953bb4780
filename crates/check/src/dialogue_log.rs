//! The dialogue with the bot, kept in memory for findings.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use bothost::text;

/// Number of bytes kept of the beginning of a dialogue.
const KEPT_AT_BEGINNING: usize = 16 * 1024;

/// Number of bytes kept of the whole dialogue.
const KEPT: usize = 512 * 1024;

/// The lines of a dialogue that a finding shows from its beginning, and from its end.
const SHOWN: (usize, usize) = (4, 15);

/// Number of characters shown of a line.
const LONGEST_SHOWN: usize = 200;

/// A dialogue in memory. The middle of a long one is dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct DialogueLog(Rc<RefCell<Vec<u8>>>);

impl Write for DialogueLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.borrow_mut();
        log.extend_from_slice(bytes);
        if log.len() > KEPT {
            // A large piece at a time: to move the rest up for every line would take quadratic
            // time.
            log.drain(KEPT_AT_BEGINNING..KEPT / 2);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DialogueLog {
    /// The lines, except for those of a supervisor to the referee.
    pub(crate) fn lines(&self) -> Vec<String> {
        let bytes = self.0.borrow();
        let text = String::from_utf8_lossy(&bytes);
        text.lines()
            .filter(|line| !line.contains(" !! \\u{1}referee: ") && !line.ends_with(" !! "))
            .map(str::to_owned)
            .collect()
    }

    /// The first and the last lines.
    pub(crate) fn shortened(&self) -> Vec<String> {
        let mut lines = self.lines();
        for line in &mut lines {
            *line = text::cut(line, LONGEST_SHOWN);
        }
        let (first, last) = SHOWN;
        if lines.len() > first + last + 1 {
            let last = lines.len() - last;
            let left_out = format!("           ... {} lines more ...", last - first);
            lines.splice(first..last, [left_out]);
        }
        lines
    }

    /// Returns the last line of the bot, fit to be shown.
    pub(crate) fn last_line_of_bot(&self) -> Vec<u8> {
        let lines = self.lines();
        let line = lines.iter().rev().find_map(|line| line.split_once(" -> "));
        line.map(|(_, line)| line.as_bytes().to_vec())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: impl IntoIterator<Item = String>) -> DialogueLog {
        let mut log = DialogueLog::default();
        for line in lines {
            writeln!(log, "{line}").unwrap();
        }
        log
    }

    #[test]
    fn a_long_dialogue_is_shortened() {
        let lines = |count: usize| (0..count).map(|number| format!("line {number}"));
        assert_eq!(log(lines(20)).shortened(), lines(20).collect::<Vec<_>>());
        let shown = log(lines(100)).shortened();
        assert_eq!(shown.len(), 20);
        assert!(shown[..4].iter().eq(lines(4).collect::<Vec<_>>().iter()));
        assert_eq!(shown[4].trim(), "... 81 lines more ...");
        assert_eq!((&*shown[5], &*shown[19]), ("line 85", "line 99"));
    }

    #[test]
    fn an_endless_dialogue_takes_little_memory() {
        let log = log((0..200_000).map(|number| format!("line {number}")));
        assert!(log.0.borrow().len() <= KEPT);
        let shown = log.shortened();
        assert_eq!((&*shown[0], &*shown[19]), ("line 0", "line 199999"));
    }

    #[test]
    fn reports_of_supervisors_are_not_shown() {
        let log = log([
            "0.1 bot -> ready",
            "0.2 bot !! ",
            "0.2 bot !! \\u{1}referee: left ",
        ]
        .map(str::to_owned));
        assert_eq!(log.shortened(), ["0.1 bot -> ready"]);
        assert_eq!(log.last_line_of_bot(), b"ready");
    }
}
