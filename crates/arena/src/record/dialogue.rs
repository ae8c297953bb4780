//! The dialogue of a game as text.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Output, OutputError, Replacement, advice};
use bothost::BySide;
use bothost::{DialogueListener, Excerpt, LineKind, Side, text};

/// Number of bytes of a line on standard error that are put together before it is written down in
/// pieces.
const LONGEST_PIECE: usize = 4096;

/// Number of bytes that a dialogue has of the standard error and the comments of a bot up to one
/// reply: of the beginning, and again of the end.
const LOG_END: usize = 32 << 10;

/// The same after [`MOST_LOGGED`] bytes.
const SHORT_LOG_END: usize = 512;

/// Number of bytes of the standard error and the comments of a bot after which a dialogue has less
/// for each reply: a judged game may have 10,000 turns.
const MOST_LOGGED: usize = 16 << 20;

/// Writes down the lines of the dialogue with both bots: milliseconds, the player, the direction,
/// the line. `<-` marks what the bot receives, `->` what it says, `-|` what it began to say and did
/// not end, and `!!` what it writes to standard error.
///
/// A bot may write to standard error, and in comments, as much and as fast as it can. Of that the
/// dialogue has the first and the last bytes up to each reply.
#[derive(Debug)]
pub struct Dialogue<W> {
    out: W,
    path: PathBuf,
    names: BySide<String>,
    logs: BySide<BotLog>,
}

/// The standard error and the comments of a bot.
#[derive(Debug)]
struct BotLog {
    /// The standard error since its last line end.
    unfinished: Vec<u8>,
    /// The time of the last piece.
    last_piece: Duration,
    /// Number of bytes that may still be written at once before the next reply.
    head_left: usize,
    /// The lines after these.
    tail: Excerpt,
    /// The time of the first of them.
    tail_since: Duration,
    /// Number of bytes added to `tail`.
    tail_length: usize,
    /// Number of bytes written in the whole dialogue.
    written: usize,
}

impl Default for BotLog {
    fn default() -> BotLog {
        BotLog {
            unfinished: Vec::new(),
            last_piece: Duration::ZERO,
            head_left: LOG_END,
            tail: Excerpt::new(0, LOG_END),
            tail_since: Duration::ZERO,
            tail_length: 0,
            written: 0,
        }
    }
}

impl BotLog {
    /// Adds a line. Returns whether it is to be written now.
    fn add(&mut self, line: &str, after: Duration) -> bool {
        let is_head = self.tail_length == 0 && line.len() <= self.head_left;
        if is_head {
            self.head_left -= line.len();
            self.written += line.len();
        } else {
            if self.tail_length == 0 {
                self.tail_since = after;
            }
            self.tail.add(line.as_bytes());
            self.tail_length += line.len();
        }
        is_head
    }

    /// Takes the last whole lines, and the number of bytes before them that are left out.
    fn take_tail(&mut self) -> (Vec<u8>, usize) {
        let tail = self.tail.take();
        let [_, kept] = tail.parts();
        let n_cut = std::mem::take(&mut self.tail_length) - kept.len();
        // The first line of an excerpt may have lost its beginning.
        let start = match n_cut {
            0 => 0,
            _ => kept
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(kept.len(), |end| end + 1),
        };
        let lines = kept[start..].to_vec();
        self.written += lines.len();
        (lines, n_cut + start)
    }

    /// Allows the bytes of the next reply.
    fn begin_reply(&mut self) {
        let end = if self.written < MOST_LOGGED {
            LOG_END
        } else {
            SHORT_LOG_END
        };
        self.head_left = end;
        self.tail = Excerpt::new(0, end);
    }
}

impl Dialogue<BufWriter<File>> {
    /// Returns a dialogue in the file `output`, and what puts it into its place if another file is
    /// there. The players are called `names`.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub fn create(
        output: Output<'_>,
        names: BySide<String>,
    ) -> Result<(Self, Option<Replacement>), OutputError> {
        let (file, replacement) = output.create()?;
        let dialogue = Dialogue::new(BufWriter::new(file), output.path, names);
        Ok((dialogue, replacement))
    }
}

impl<W: Write> Dialogue<W> {
    /// Returns a dialogue that is written to `out`, which messages call `path`. The players are
    /// called `names`.
    pub fn new(out: W, path: &Path, names: BySide<String>) -> Self {
        Dialogue {
            out,
            path: path.to_owned(),
            names,
            logs: BySide::default(),
        }
    }

    fn format(&self, side: Side, mark: &str, line: &[u8], after: Duration) -> String {
        let millis = after.as_secs_f64() * 1000.0;
        let name = &self.names[side];
        let line = if mark == STDERR {
            text::shown(line)
        } else {
            text::reply(line)
        };
        format!("{millis:10.3} {name} {mark} {line}\n")
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        let written = self.out.write_all(text);
        written.map_err(|error| about(&self.path, &error))
    }

    /// Writes a line of a bot that is no reply, as far as the limit allows.
    fn log(&mut self, side: Side, mark: &str, line: &[u8], after: Duration) -> io::Result<()> {
        let line = self.format(side, mark, line, after);
        self.logs[side].last_piece = after;
        if self.logs[side].add(&line, after) {
            self.write(line.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the last of what a bot has logged.
    fn write_tail(&mut self, side: Side) -> io::Result<()> {
        let log = &mut self.logs[side];
        if log.tail_length == 0 {
            return Ok(());
        }
        let since = log.tail_since;
        let (lines, left_out) = log.take_tail();
        if left_out > 0 {
            let gap = format!("... {left_out} bytes of its log are left out here ...");
            let gap = self.format(side, STDERR, gap.as_bytes(), since);
            self.write(gap.as_bytes())?;
        }
        self.write(&lines)
    }
}

/// The mark of a line on standard error.
const STDERR: &str = "!!";

/// Returns the error with the option and the name of the file, which the operating system leaves
/// out.
fn about(path: &Path, error: &io::Error) -> io::Error {
    let advice = advice(error);
    io::Error::new(
        error.kind(),
        format!("--transcript {}: {error}{advice}", path.display()),
    )
}

impl<W: Write + fmt::Debug> DialogueListener for Dialogue<W> {
    fn on_line(
        &mut self,
        side: Side,
        kind: LineKind,
        line: &[u8],
        after: Duration,
    ) -> io::Result<()> {
        let mark = match kind {
            LineKind::ToBot => "<-",
            LineKind::FromBot if line.starts_with(b"#") => {
                return self.log(side, "->", line, after);
            }
            LineKind::FromBot => "->",
            LineKind::Unfinished => "-|",
            LineKind::Stderr => {
                let mut unfinished = std::mem::take(&mut self.logs[side].unfinished);
                let lines = line.split_inclusive(|byte| *byte == b'\n');
                for piece in lines.flat_map(|line| line.chunks(LONGEST_PIECE)) {
                    unfinished.extend_from_slice(piece);
                    if unfinished.ends_with(b"\n") || unfinished.len() >= LONGEST_PIECE {
                        self.log(side, STDERR, unfinished.trim_ascii_end(), after)?;
                        unfinished.clear();
                    }
                }
                self.logs[side].last_piece = after;
                self.logs[side].unfinished = unfinished;
                return Ok(());
            }
        };
        self.write_tail(side)?;
        if kind != LineKind::ToBot {
            self.logs[side].begin_reply();
        }
        let line = self.format(side, mark, line, after);
        self.write(line.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        for side in Side::BOTH {
            let unfinished = std::mem::take(&mut self.logs[side].unfinished);
            if !unfinished.is_empty() {
                let last_piece = self.logs[side].last_piece;
                self.log(side, STDERR, unfinished.trim_ascii_end(), last_piece)?;
            }
            self.write_tail(side)?;
        }
        self.out.flush().map_err(|error| about(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the dialogue of a bot that logs `flood` up to each of its replies.
    fn dialogue(flood: &[u8], times: usize, replies: usize) -> String {
        let mut out = Vec::new();
        let names = BySide::new("a".to_owned(), "b".to_owned());
        let mut dialogue = Dialogue::new(&mut out, Path::new("memory"), names);
        let mut line = |kind, line: &[u8]| {
            dialogue
                .on_line(Side::Two, kind, line, Duration::ZERO)
                .unwrap();
        };
        for _ in 0..replies {
            line(LineKind::ToBot, b"attack");
            line(LineKind::Stderr, b"first\n");
            for _ in 0..times {
                line(LineKind::Stderr, flood);
                line(LineKind::FromBot, b"# a comment");
            }
            line(LineKind::Stderr, b"\nlast\n");
            line(LineKind::FromBot, b"attack 0 0");
        }
        dialogue.finish().unwrap();
        drop(dialogue);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn log_of_a_reply_is_written_as_far_as_it_is_short() {
        let text = dialogue(b"one\ntwo\n", 1, 2);
        let reply = "     0.000 b <- attack\n     0.000 b !! first\n     0.000 b !! one\n     0.000 b !! two\n     0.000 b -> # a comment\n     0.000 b !! \n     0.000 b !! last\n     0.000 b -> attack 0 0\n";
        assert_eq!(text, [reply, reply].concat());
    }

    #[test]
    fn flood_on_standard_error_is_left_out() {
        for (flood, times) in [
            (&[b'\n'; 5000][..], 5),
            (&[0; 5000], 20),
            (b"xxxxxxxxxxxxxxx\n", 2000),
        ] {
            let text = dialogue(flood, times, 3);
            assert!(text.len() < 3 * (2 * LOG_END + 200), "{}", text.len());
            for part in [
                " !! first\n",
                " !! last\n     0.000 b -> attack 0 0\n",
                "left out",
            ] {
                assert_eq!(text.matches(part).count(), 3, "{part}");
            }
            assert!(text.lines().all(|line| line.starts_with("     0.000 b ")));
        }
    }

    #[test]
    fn flood_of_a_long_game_is_bounded() {
        let text = dialogue(&[b'x'; 5000], 20, 1000);
        assert!(text.len() > MOST_LOGGED);
        let short = 1000 * (2 * SHORT_LOG_END + 200);
        assert!(
            text.len() < MOST_LOGGED + 2 * LOG_END + short,
            "{}",
            text.len()
        );
        assert_eq!(text.matches(" -> attack 0 0\n").count(), 1000);
    }
}
