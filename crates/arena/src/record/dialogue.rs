//! The dialogue of a game as text.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Output, OutputError, Replacement, advice};
use bothost::BySide;
use bothost::{DialogueListener, LineKind, Side, text};

/// Number of bytes of a line on standard error that are put together before it is written down in
/// pieces.
const LONGEST_PIECE: usize = 4096;

/// Writes down every line of the dialogue with both bots: milliseconds, the player, the direction,
/// the line. `<-` marks what the bot receives, `->` what it says, `-|` what it began to say and did
/// not end, and `!!` what it writes to standard error.
#[derive(Debug)]
pub struct Dialogue<W> {
    out: W,
    path: PathBuf,
    names: BySide<String>,
    /// The standard error of each bot since its last line end.
    unfinished: BySide<Vec<u8>>,
    /// The time of its last piece.
    last_piece: Duration,
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
            unfinished: BySide::default(),
            last_piece: Duration::ZERO,
        }
    }

    fn write(&mut self, side: Side, mark: &str, line: &[u8], after: Duration) -> io::Result<()> {
        let millis = after.as_secs_f64() * 1000.0;
        let name = &self.names[side];
        writeln!(
            self.out,
            "{millis:10.3} {name} {mark} {}",
            if mark == "!!" {
                text::shown(line)
            } else {
                text::reply(line)
            }
        )
        .map_err(|error| about(&self.path, &error))
    }
}

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
        match kind {
            LineKind::ToBot => self.write(side, "<-", line, after),
            LineKind::FromBot => self.write(side, "->", line, after),
            LineKind::Unfinished => self.write(side, "-|", line, after),
            LineKind::Stderr => {
                self.last_piece = after;
                let mut unfinished = std::mem::take(&mut self.unfinished[side]);
                for piece in line.split_inclusive(|byte| *byte == b'\n') {
                    unfinished.extend_from_slice(piece);
                    if unfinished.ends_with(b"\n") || unfinished.len() >= LONGEST_PIECE {
                        self.write(side, "!!", unfinished.trim_ascii_end(), after)?;
                        unfinished.clear();
                    }
                }
                self.unfinished[side] = unfinished;
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        for side in Side::BOTH {
            let unfinished = std::mem::take(&mut self.unfinished[side]);
            if !unfinished.is_empty() {
                self.write(side, "!!", unfinished.trim_ascii_end(), self.last_piece)?;
            }
        }
        self.out.flush().map_err(|error| about(&self.path, &error))
    }
}
