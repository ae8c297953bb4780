//! The referee's ends of a bot's pipes, polled or served by threads.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use super::pipe::{Came, Took};
#[cfg(unix)]
use super::polled::Polled;
use super::system::Child;
// Without threads a player says all at once.
#[cfg(target_os = "wasi")]
use super::system::Player as Threaded;
#[cfg(not(target_os = "wasi"))]
use super::threaded::Threaded;

/// The referee's ends of a bot's three pipes. None of the calls waits.
#[derive(Debug)]
pub(super) enum Link {
    #[cfg(unix)]
    Polled(Polled),
    Threaded(Threaded),
}

impl Link {
    /// Takes the pipes of `child`; the threads that serve them wake their lane through `wake`, if there is one.
    pub(super) fn to(child: &mut Child, wake: Option<&SyncSender<()>>) -> io::Result<Link> {
        match wake {
            #[cfg(unix)]
            None => Polled::to(child).map(Link::Polled),
            #[cfg(not(unix))]
            None => Err(io::ErrorKind::Unsupported.into()),
            Some(wake) => Threaded::to(child, wake).map(Link::Threaded),
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<Took> {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.write(bytes),
            Link::Threaded(link) => Ok(link.write(bytes)),
        }
    }

    pub(super) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Came> {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.read_stdout(buffer),
            Link::Threaded(link) => Ok(link.read_stdout(buffer)),
        }
    }

    pub(super) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Came> {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.read_stderr(buffer),
            Link::Threaded(link) => Ok(link.read_stderr(buffer)),
        }
    }

    /// Waits until one of the threads that serve the pipes rings, for at most `time`.
    pub(super) fn wait(&self, woken: &Receiver<()>, time: Duration) {
        match self {
            #[cfg(unix)]
            Link::Polled(_) => {}
            Link::Threaded(link) => link.wait(woken, time),
        }
    }

    /// Returns whether a read that leaves room has read everything there is. A thread passes pieces on, so after a
    /// small one there may be more.
    pub(super) fn reads_all_at_once(&self) -> bool {
        match self {
            #[cfg(unix)]
            Link::Polled(_) => true,
            Link::Threaded(_) => false,
        }
    }

    /// Returns how many of the bytes that were written the bot has not read, as far as that is known.
    pub(super) fn unread(&self) -> usize {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.unread(),
            Link::Threaded(link) => link.unread(),
        }
    }

    pub(super) fn close_stdin(&mut self) {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.stdin = None,
            Link::Threaded(link) => link.close_stdin(),
        }
    }

    pub(super) fn close_stdout(&mut self) {
        match self {
            #[cfg(unix)]
            Link::Polled(link) => link.stdout = None,
            Link::Threaded(link) => link.close_stdout(),
        }
    }
}
