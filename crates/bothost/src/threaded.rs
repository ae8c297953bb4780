//! Pipes that are served by threads: the way that works on every operating system.

use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use super::pipe::{Came, Took};

/// The number of bytes that a thread reads at once.
const PIECE: usize = 4096;

/// The number of pieces that may wait to be taken from a thread. Then it stops reading and the pipe fills up, so a bot that
/// floods is blocked as it is by a pipe without threads, and memory stays bounded.
const WAITING: usize = 4;

/// Pipes that are served by a thread each, for operating systems that cannot poll them. Each thread holds a
/// bounded number of pieces of a bounded size.
#[derive(Debug)]
pub(super) struct Threaded {
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

impl Threaded {
    pub(super) fn to(child: &mut Child, wake: &SyncSender<()>) -> io::Result<Threaded> {
        let unwritten = Arc::<AtomicUsize>::default();
        let start = |pipe| start_writer(pipe, unwritten.clone(), wake.clone());
        let stdin = child.stdin.take().map(start);
        let stdout = child
            .stdout
            .take()
            .map(|pipe| start_reader(pipe, wake.clone()));
        let stderr = child
            .stderr
            .take()
            .map(|pipe| start_reader(pipe, wake.clone()));
        Ok(Threaded {
            stdin: stdin.transpose()?,
            unwritten,
            stdout: stdout.transpose()?,
            stderr: stderr.transpose()?,
        })
    }

    /// Waits until a thread rings, for at most `time`.
    #[allow(
        clippy::unused_self,
        reason = "where there are no threads, it is looked at what there is to read"
    )]
    pub(super) fn wait(&self, woken: &Receiver<()>, time: Duration) {
        let _ = woken.recv_timeout(time);
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Took {
        let Some(stdin) = &self.stdin else {
            return Took::Closed;
        };
        // Before the bytes are sent: the thread may have written and subtracted them before `try_send`
        // returns, and the count must not fall below 0.
        self.unwritten.fetch_add(bytes.len(), Ordering::AcqRel);
        match stdin.try_send(bytes.to_vec()) {
            Ok(()) => return Took::Bytes(bytes.len()),
            // The thread is still busy with the bytes before. The caller keeps these and tries again when it
            // is woken.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => self.stdin = None,
        }
        // After both failures: bytes that were not sent are not on their way.
        self.unwritten.fetch_sub(bytes.len(), Ordering::AcqRel);
        if self.stdin.is_some() {
            Took::Nothing
        } else {
            Took::Closed
        }
    }

    pub(super) fn read_stdout(&mut self, buffer: &mut [u8]) -> Came {
        read(&mut self.stdout, buffer)
    }

    pub(super) fn read_stderr(&mut self, buffer: &mut [u8]) -> Came {
        read(&mut self.stderr, buffer)
    }

    /// Returns how many bytes of input the bot may have left unread: those that are being written count, of which it
    /// may have read all.
    pub(super) fn unread(&self) -> usize {
        self.unwritten.load(Ordering::Acquire)
    }

    pub(super) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(super) fn close_stdout(&mut self) {
        self.stdout = None;
    }
}

fn read(from: &mut Option<Pieces>, buffer: &mut [u8]) -> Came {
    let Some(pieces) = from else { return Came::End };
    // The caller's buffer may be smaller than a piece, so the rest of a piece waits here. Pieces come in
    // order, and the end comes only after the last of them: a channel gives out what was sent before it
    // counts as disconnected.
    if pieces.taken == pieces.piece.len() {
        match pieces.receiver.try_recv() {
            Ok(piece) => (pieces.piece, pieces.taken) = (piece, 0),
            Err(TryRecvError::Empty) => return Came::Nothing,
            Err(TryRecvError::Disconnected) => {
                *from = None;
                return Came::End;
            }
        }
    }
    let rest = &pieces.piece[pieces.taken..];
    let count = rest.len().min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    pieces.taken += count;
    Came::Bytes(count)
}

/// Starts a thread that reads `pipe` until its end, or until the receiver is dropped. No thread is joined: a child of
/// the bot may hold the pipe open, and the read would last as long.
fn start_reader(mut pipe: impl Read + Send + 'static, wake: SyncSender<()>) -> io::Result<Pieces> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let mut buffer = [0; PIECE];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
                // After the piece, so that the woken side finds it. If a wake-up is pending already it serves for this
                // one too.
                let _ = wake.try_send(());
            }
            // In this order: the woken side has to find the channel closed, or it would sleep until its next
            // look.
            drop(sender);
            let _ = wake.try_send(());
        })?;
    Ok(Pieces {
        receiver,
        piece: Vec::new(),
        taken: 0,
    })
}

/// Starts a thread that writes to `pipe` what it receives. It may block in a write for as long as the bot does not
/// read.
fn start_writer(
    mut pipe: impl Write + Send + 'static,
    unwritten: Arc<AtomicUsize>,
    wake: SyncSender<()>,
) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(1);
    thread::Builder::new()
        .name("writer".to_owned())
        .spawn(move || {
            for bytes in receiver {
                // Counted as written even after an error: the bot has closed its input, so nothing waits for it
                // any more.
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
