//! The streams of a module: which request waits for its reply, and what a module may not forge.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use battleship::protocol::{Reply, Request};
use battleship::seeded::SeededRng;
use bothost::HostVerdict;

use crate::{Moment, Streams};

/// The longest piece of a line that is read at once; lines of the referee are far shorter.
const LONGEST_PIECE: u64 = 64 << 10;

/// Number of bytes of a reply that tell its kind.
const BEGINNING: usize = 16;

/// The dialogue of a module with the referee.
#[derive(Debug)]
pub(crate) struct Dialogue<I, O, E> {
    pub(crate) streams: Streams<I, O, E>,
    /// The line that is being read, and how much of it has been.
    line: Vec<u8>,
    read: usize,
    is_over: bool,
    /// The number of requests that it has read and not replied to; below 0 if it has replied before
    /// it was asked.
    owed: i64,
    /// The first word of the last request that is answered.
    pub(crate) asked: &'static str,
    /// The beginning of the line that it is saying.
    said: Vec<u8>,
    dice: SeededRng,
    /// The time of the last line, unless it has been answered or the next one is waited for.
    pub(crate) since: Arc<Mutex<Option<Moment>>>,
}

/// The result of a read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// This many bytes; none at the end of the input.
    Bytes(usize),
    /// The same, the first of a request that asks for a reply.
    Request(usize),
    /// It waits for a line while its reply is waited for.
    Deadlock,
}

impl<I: BufRead, O: Write, E: Write> Dialogue<I, O, E> {
    pub(crate) fn new(streams: Streams<I, O, E>) -> Dialogue<I, O, E> {
        Dialogue {
            streams,
            line: Vec::new(),
            read: 0,
            is_over: false,
            owed: 0,
            asked: "battleship",
            said: Vec::new(),
            dice: SeededRng::default(),
            since: Arc::new(Mutex::new(Some(Moment::now()))),
        }
    }

    fn note(&self, since: Option<Moment>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// Reads into `buffer`: never more than the rest of a line, whatever has come, so that the
    /// module cannot tell how busy the machine is.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Input {
        let mut is_request = false;
        if self.read == self.line.len() && !buffer.is_empty() {
            // No line comes while the referee waits for a reply, so it would wait for ever.
            if self.owed > 0 && !self.is_over {
                return Input::Deadlock;
            }
            is_request = self.next_line();
        }
        let rest = &self.line[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        if is_request {
            Input::Request(count)
        } else {
            Input::Bytes(count)
        }
    }

    /// Reads the next line; returns whether it asks for a reply.
    fn next_line(&mut self) -> bool {
        self.line.clear();
        self.read = 0;
        self.note(None);
        let mut piece = self.streams.input.by_ref().take(LONGEST_PIECE);
        // An input that fails has ended.
        if self.is_over || !matches!(piece.read_until(b'\n', &mut self.line), Ok(1..)) {
            self.line.clear();
            self.is_over = true;
            return false;
        }
        self.note(Some(Moment::now()));
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let Ok(request) = Request::parse(line.strip_suffix(b"\r").unwrap_or(line)) else {
            return false;
        };
        if let Request::Seed(seed) = request {
            self.dice = SeededRng::new(seed.into());
        }
        self.is_over = request == Request::Quit;
        if request.is_answered() {
            self.asked = request.word();
            self.owed += 1;
        }
        request.is_answered()
    }

    /// Says `bytes` on standard output.
    pub(crate) fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        for byte in bytes {
            if *byte == b'\n' {
                self.owed -= i64::from(is_reply(&self.said));
                self.said.clear();
                if self.owed <= 0 {
                    self.note(None);
                }
            } else if self.said.len() < BEGINNING {
                self.said.push(*byte);
            }
        }
        self.streams.output.write_all(bytes)?;
        self.streams.output.flush()
    }

    /// Writes `bytes` to standard error; what marks a verdict of the host does not pass.
    pub(crate) fn log(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.streams.errors.write_all(
            &bytes
                .iter()
                .map(|byte| {
                    if *byte == HostVerdict::MARK {
                        b'?'
                    } else {
                        *byte
                    }
                })
                .collect::<Vec<_>>(),
        )?;
        self.streams.errors.flush()
    }

    /// Fills `buffer` with random bytes, which depend on the seed of the game alone.
    pub(crate) fn roll(&mut self, buffer: &mut [u8]) {
        for piece in buffer.chunks_mut(8) {
            piece.copy_from_slice(&self.dice.next_u64().to_le_bytes()[..piece.len()]);
        }
    }

    /// Waits until the referee has asked for something that gets no reply.
    pub(crate) fn linger(&mut self) {
        while self.owed <= 0 && !self.is_over {
            self.next_line();
        }
    }
}

/// Returns whether a line that begins so is the last of what answers a request.
fn is_reply(beginning: &[u8]) -> bool {
    !beginning.starts_with(b"#")
        && !matches!(
            Reply::parse(beginning),
            Ok(Reply::Name(_) | Reply::Author(_) | Reply::Plays { .. } | Reply::Human)
        )
        && !beginning.starts_with(b"plays ")
}
