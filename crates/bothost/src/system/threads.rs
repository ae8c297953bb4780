//! Pipes that are served by threads: the way that works on every operating system.

#![allow(clippy::unnecessary_wraps, reason = "as where the system is asked")]

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use wire::Side;

use crate::Interrupt;
use crate::pipe::{Read, Ready, Written};

/// The number of bytes that a thread reads at once.
const PIECE: usize = 4096;

/// The number of pieces that may wait to be taken from a thread. Then it stops reading and the pipe
/// fills up, so a bot that floods is blocked as it is by a pipe without threads, and memory stays
/// bounded.
const WAITING: usize = 4;

/// The longest sleep of a pair. Only bytes wake it; the end of a process and a signal are found by
/// looking, this often.
const TICK: Duration = Duration::from_millis(20);

/// The referee's ends of a bot's pipes, each served by a thread that holds a bounded number of
/// pieces of a bounded size.
#[derive(Debug)]
pub(crate) struct Streams {
    stdin: Option<SyncSender<Vec<u8>>>,
    /// The number of bytes that the writing thread was given and has not written yet.
    unwritten: Arc<AtomicUsize>,
    stdout: Option<Pieces>,
    stderr: Option<Pieces>,
}

/// The bytes that a reading thread has read, and the part of its last piece that has been taken.
#[derive(Debug)]
struct Pieces {
    receiver: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    taken: usize,
}

impl Streams {
    /// Whether a read that does not fill its buffer has read everything there is: a thread
    /// passes pieces on, so there may be more.
    pub(crate) const READ_ALL: bool = false;

    /// Whether a wait does not see the end of a process.
    pub(crate) const HIDE_EXIT: bool = true;

    pub(crate) fn new(pipes: [impl Into<File>; 3], waiter: &Waiter) -> io::Result<Streams> {
        let [stdin, stdout, stderr] = pipes.map(Into::into);
        let unwritten = Arc::<AtomicUsize>::default();
        Ok(Streams {
            stdin: Some(start_writer(stdin, unwritten.clone(), waiter.wake.clone())?),
            unwritten,
            stdout: Some(start_reader(stdout, waiter.wake.clone())?),
            stderr: Some(start_reader(stderr, waiter.wake.clone())?),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        let Some(stdin) = &self.stdin else {
            return Ok(Written::Closed);
        };
        // Before the bytes are sent: the thread may have written and subtracted them before
        // `try_send` returns, and the count must not fall below 0.
        self.unwritten.fetch_add(bytes.len(), Ordering::AcqRel);
        let Err(error) = stdin.try_send(bytes.to_vec()) else {
            return Ok(Written::Bytes(bytes.len()));
        };
        // Bytes that were not sent are not on their way.
        self.unwritten.fetch_sub(bytes.len(), Ordering::AcqRel);
        if let TrySendError::Full(_) = error {
            // The thread is still busy with the bytes before. The caller keeps these and tries
            // again when it is woken.
            return Ok(Written::Nothing);
        }
        self.stdin = None;
        Ok(Written::Closed)
    }

    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        Ok(read(&mut self.stdout, buffer))
    }

    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        Ok(read(&mut self.stderr, buffer))
    }

    /// The number of bytes of input that the bot may have left unread: those that are being written
    /// count, of which it may have read all.
    pub(crate) fn unread(&self) -> usize {
        self.unwritten.load(Ordering::Acquire)
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn close_stdout(&mut self) {
        self.stdout = None;
    }
}

fn read(from: &mut Option<Pieces>, buffer: &mut [u8]) -> Read {
    let Some(pieces) = from else { return Read::End };
    // The caller's buffer may be smaller than a piece, so the rest of a piece waits here. Pieces
    // come in order, and the end comes only after the last of them: a channel gives out what was
    // sent before it counts as disconnected.
    if pieces.taken == pieces.piece.len() {
        match pieces.receiver.try_recv() {
            Ok(piece) => (pieces.piece, pieces.taken) = (piece, 0),
            Err(TryRecvError::Empty) => return Read::Nothing,
            Err(TryRecvError::Disconnected) => {
                *from = None;
                return Read::End;
            }
        }
    }
    let rest = &pieces.piece[pieces.taken..];
    let count = rest.len().min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    pieces.taken += count;
    Read::Bytes(count)
}

/// Starts a thread that reads `pipe` until its end, or until the receiver is dropped. No thread is
/// joined: a child of the bot may hold the pipe open, and the read would last as long.
fn start_reader(mut pipe: File, wake: SyncSender<()>) -> io::Result<Pieces> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let mut buffer = [0; PIECE];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
                // After the piece, so that the woken side finds it. If a wake-up is pending already
                // it serves for this one too.
                let _ = wake.try_send(());
            }
            // In this order: the woken side has to find the channel closed, or it would sleep until
            // its next look.
            drop(sender);
            let _ = wake.try_send(());
        })?;
    Ok(Pieces {
        receiver,
        piece: Vec::new(),
        taken: 0,
    })
}

/// Starts a thread that writes to `pipe` what it receives. It may block in a write for as long as
/// the bot does not read.
fn start_writer(
    mut pipe: File,
    unwritten: Arc<AtomicUsize>,
    wake: SyncSender<()>,
) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(1);
    thread::Builder::new()
        .name("writer".to_owned())
        .spawn(move || {
            for bytes in receiver {
                // Counted as written even after an error: the bot has closed its input, so nothing
                // waits for it any more.
                let written = pipe.write_all(&bytes);
                unwritten.fetch_sub(bytes.len(), Ordering::AcqRel);
                let _ = wake.try_send(());
                if written.is_err() {
                    return;
                }
            }
        })?;
    Ok(sender)
}

/// The wait for the bots of a pair: for one of the threads that serve them.
#[derive(Debug)]
pub(crate) struct Waiter {
    wake: SyncSender<()>,
    woken: Receiver<()>,
}

impl Waiter {
    pub(crate) fn new(_: &Arc<Interrupt>) -> Waiter {
        // One pending wake-up is enough for any number of events, and a full channel lets the
        // threads continue at once.
        let (wake, woken) = sync_channel(1);
        Waiter { wake, woken }
    }

    /// Waits until something happens to the bots of a pair, or to the referee, for at most `left`.
    pub(crate) fn wait(
        &mut self,
        _: Side,
        _: (&Streams, bool),
        _: Option<&Streams>,
        left: Option<Duration>,
    ) -> io::Result<Ready> {
        let _ = self
            .woken
            .recv_timeout(left.map_or(TICK, |left| left.min(TICK)));
        // Woken or not, the caller looks at everything: a wake-up says that something happened, not
        // what, and several of them are merged into one.
        Ok(Ready {
            writable: true,
            readable: true,
            ended: false,
            stderr: true,
        })
    }
}
