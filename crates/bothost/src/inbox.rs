//! The output of a bot that has not been read yet, in a buffer of a fixed size.

use std::ops::Range;

use wire::line::MAX_LINE;

/// The number of bytes that a bot may say before its reply, and how many may wait when it is asked;
/// more is a flood. As much as a pipe holds on Linux, and far more than the longest answer (some
/// ten lines of a placement).
pub(super) const MOST_SAID: usize = 64 * 1024;

/// One byte more, so that a full buffer proves a flood.
const CAPACITY: usize = MOST_SAID + 1;

/// The output of a bot that has not been read yet: a buffer of a fixed size, taken line by line.
#[derive(Debug)]
pub(super) struct Inbox {
    buffer: Box<[u8]>,
    /// The part of the buffer that is filled and not yet taken.
    filled: Range<usize>,
    /// The number of bytes at its beginning that are known to have no line feed.
    searched: usize,
}

/// The state of the inbox.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A whole line, without its line end; [`Inbox::get`] has it.
    Line(Range<usize>),
    /// The beginning of a line that is longer than the protocol allows.
    TooLong(Range<usize>),
    /// No whole line so far.
    Incomplete,
}

impl Inbox {
    pub(super) fn new() -> Inbox {
        Inbox {
            buffer: vec![0; CAPACITY].into(),
            filled: 0..0,
            searched: 0,
        }
    }

    /// Returns the free space, for the next output; [`Inbox::add`] says how much came.
    pub(super) fn space(&mut self) -> &mut [u8] {
        // Moves the rest to the front, so that the free space is in one piece. Nearly always the
        // rest is empty or one partial line, since a bot waits for its next request; a ring buffer
        // would cost more in the search for lines.
        if self.filled.start > 0 {
            self.buffer.copy_within(self.filled.clone(), 0);
            self.filled = 0..self.filled.len();
        }
        &mut self.buffer[self.filled.end..]
    }

    pub(super) fn add(&mut self, count: usize) {
        self.filled.end += count;
    }

    /// Forgets all of it.
    pub(super) fn clear(&mut self) {
        self.filled = 0..0;
        self.searched = 0;
    }

    pub(super) fn is_full(&self) -> bool {
        self.filled.len() == CAPACITY
    }

    /// Returns the bytes behind the last line that was taken.
    pub(super) fn partial(&self) -> &[u8] {
        &self.buffer[self.filled.clone()]
    }

    /// Returns the number of bytes that wait.
    pub(super) fn len(&self) -> usize {
        self.filled.len()
    }

    pub(super) fn get(&self, line: Range<usize>) -> &[u8] {
        &self.buffer[line]
    }

    pub(super) fn has_line(&mut self) -> bool {
        self.find_line_feed().is_some()
    }

    /// Returns whether a whole line waits that is not a comment.
    pub(super) fn has_reply(&self) -> bool {
        let mut lines = self.partial().split(|byte| *byte == b'\n');
        // The bytes behind the last line feed are not a whole line.
        lines.next_back();
        lines.any(|line| !line.starts_with(b"#"))
    }

    fn find_line_feed(&mut self) -> Option<usize> {
        // Each byte is looked at once, however small the pieces are in which a line comes. A search
        // from the beginning for every byte that drips in would take time in the square of the
        // length. `searched` is relative to the filled part, so `space` may move that.
        let unsearched = &self.buffer[self.filled.start + self.searched..self.filled.end];
        let found = unsearched.iter().position(|byte| *byte == b'\n');
        self.searched = found.map_or(self.filled.len(), |offset| self.searched + offset);
        found.map(|_| self.filled.start + self.searched)
    }

    /// Takes the next line.
    pub(super) fn take_line(&mut self) -> Next {
        // A line of the greatest length may be followed by CR and LF. Without the LF so far, a byte
        // beyond the CR proves that the line is too long, and a bot that never ends its line is
        // stopped here and not by a full buffer.
        match self.find_line_feed() {
            None if self.filled.len() > MAX_LINE + 1 => Next::TooLong(self.filled.clone()),
            None => Next::Incomplete,
            Some(end) => {
                let line = self.filled.start..end;
                self.filled.start = end + 1;
                self.searched = 0;
                self.without_carriage_return(line)
            }
        }
    }

    /// Takes what there is as a line without a line feed: its writer has closed the pipe.
    pub(super) fn take_unfinished_line(&mut self) -> Next {
        let line = self.filled.clone();
        if line.is_empty() {
            return Next::Incomplete;
        }
        self.filled.start = self.filled.end;
        self.searched = 0;
        self.without_carriage_return(line)
    }

    fn without_carriage_return(&self, mut line: Range<usize>) -> Next {
        // One CR and no more: it is what Windows puts before the LF. Another one belongs to the
        // text, and is judged there.
        if self.buffer[line.clone()].ends_with(b"\r") {
            line.end -= 1;
        }
        // Again, since a line may come whole, with its line feed, and still be too long.
        if line.len() > MAX_LINE {
            Next::TooLong(line)
        } else {
            Next::Line(line)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text;

    fn receive(inbox: &mut Inbox, bytes: &[u8]) {
        inbox.space()[..bytes.len()].copy_from_slice(bytes);
        inbox.add(bytes.len());
    }

    fn take(inbox: &mut Inbox) -> Option<Vec<u8>> {
        match inbox.take_line() {
            Next::Line(line) => Some(inbox.get(line).to_vec()),
            Next::TooLong(_) | Next::Incomplete => None,
        }
    }

    #[test]
    fn lines_come_out_whole_however_the_bytes_arrive() {
        let said = b"attack 1 2\r\n\n# hm\r\rx\nattack 3 4\n";
        for size in 1..said.len() {
            let mut inbox = Inbox::new();
            let mut lines = Vec::new();
            for piece in said.chunks(size) {
                receive(&mut inbox, piece);
                lines.extend(std::iter::from_fn(|| take(&mut inbox)));
            }
            assert_eq!(
                lines,
                [&b"attack 1 2"[..], b"", b"# hm\r\rx", b"attack 3 4"]
            );
        }
    }

    #[test]
    fn a_line_has_at_most_4096_bytes() {
        for (length, end, passes) in [
            (4096, "\n", true),
            (4096, "\r\n", true),
            (4097, "\n", false),
            (4097, "\r\n", false),
            (5000, "", false),
        ] {
            let mut inbox = Inbox::new();
            receive(&mut inbox, &[vec![b'x'; length], end.into()].concat());
            assert_eq!(take(&mut inbox).is_some(), passes, "{length} {end:?}");
        }
    }

    #[test]
    fn the_longest_line_may_wait_for_its_line_feed() {
        let mut inbox = Inbox::new();
        receive(&mut inbox, &[vec![b'x'; 4096], b"\r".into()].concat());
        assert_eq!(inbox.take_line(), Next::Incomplete);
        receive(&mut inbox, b"\n");
        assert_eq!(inbox.take_line(), Next::Line(0..4096));
    }

    #[test]
    fn a_line_too_long_ends_at_its_end() {
        for length in [4097, 9000] {
            let mut inbox = Inbox::new();
            receive(
                &mut inbox,
                &[vec![b'x'; length], b"\nattack 0 0\n".into()].concat(),
            );
            assert_eq!(inbox.take_line(), Next::TooLong(0..length));
        }
    }

    #[test]
    fn an_unfinished_line_is_kept() {
        let mut inbox = Inbox::new();
        receive(&mut inbox, b"ready\natta");
        assert_eq!(take(&mut inbox), Some(b"ready".to_vec()));
        assert_eq!(inbox.take_line(), Next::Incomplete);
        assert_eq!(inbox.partial(), b"atta");
        assert!(
            matches!(inbox.take_unfinished_line(), Next::Line(line) if inbox.get(line.clone()) == b"atta")
        );
        assert_eq!(inbox.take_unfinished_line(), Next::Incomplete);
    }

    #[test]
    fn comments_and_unfinished_lines_are_not_replies() {
        for (said, has_reply) in [
            ("", false),
            ("attack 1", false),
            ("# hm\n", false),
            ("# hm\nattack 1 2", false),
            ("# hm\nattack 1 2\n", true),
            ("\n", true),
        ] {
            let mut inbox = Inbox::new();
            receive(&mut inbox, said.as_bytes());
            assert_eq!(inbox.has_reply(), has_reply, "{said:?}");
        }
    }

    #[test]
    fn the_buffer_never_grows() {
        let mut inbox = Inbox::new();
        while !inbox.is_full() {
            let space = inbox.space().len();
            receive(&mut inbox, &b"0123456789abcde\n"[..space.min(16)]);
        }
        assert_eq!(inbox.space().len(), 0);
        assert_eq!(inbox.len(), MOST_SAID + 1);
        assert_eq!(
            std::iter::from_fn(|| take(&mut inbox)).count(),
            MOST_SAID / 16
        );
    }

    /// The answers of a bot, in pieces: beginnings, ends and whole lines of answers, and bytes that
    /// steer a terminal.
    fn answers() -> impl Strategy<Value = Vec<u8>> {
        const PIECES: [&[u8]; 16] = [
            b"attack 3 4\n",
            b"place 0 0 h 3 1 v\n",
            b"# hm\r\n",
            b"name Popeye",
            b"author E. C. ",
            b" -1",
            b"ready",
            b"\n",
            b"\r",
            b"\r\n",
            b"\0",
            b"\x1b[2J",
            b"\x7f",
            b"\xe2\x80\xae",
            b"\xc3",
            &[b'9'; 5000],
        ];
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12)
            .prop_map(|said| said.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        /// The output of a bot, in pieces of any size, comes out as its lines; and nothing of it
        /// can steer a terminal.
        #[test]
        fn answers_nearly_right_come_out_unchanged(said in answers()) {
            let said = &said[..];
            let mut inbox = Inbox::new();
            let mut lines = Vec::new();
            let mut rest = said;
            let mut sizes = said.iter().cycle();
            while !rest.is_empty() {
                let size = usize::from(*sizes.next().expect("a cycle of some bytes"));
                let (piece, behind) = rest.split_at(size.clamp(1, rest.len()));
                receive(&mut inbox, piece);
                rest = behind;
                loop {
                    match inbox.take_line() {
                        Next::Line(line) => lines.push(inbox.get(line).to_vec()),
                        Next::TooLong(_) => return Ok(()),
                        Next::Incomplete => break,
                    }
                }
            }
            match inbox.take_unfinished_line() {
                Next::Line(line) => lines.push(inbox.get(line).to_vec()),
                Next::TooLong(_) => return Ok(()),
                Next::Incomplete => {}
            }
            let whole = said.strip_suffix(b"\n").unwrap_or(said);
            let mut wanted: Vec<&[u8]> = whole.split(|byte| *byte == b'\n').collect();
            wanted.truncate(if said.is_empty() { 0 } else { wanted.len() });
            let ends = |line: &&[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
            assert_eq!(lines, wanted.iter().map(ends).collect::<Vec<_>>());
            for line in &lines {
                let shown = [text::shown(line), text::excerpt(line), text::long_excerpt(line)];
                assert!(shown.iter().all(|shown| !shown.contains(char::is_control)), "{shown:?}");
                assert!(text::name(&shown[0]).chars().count() <= 65);
            }
        }
    }
}
