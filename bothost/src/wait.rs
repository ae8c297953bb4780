//! How the referee waits for its bots.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::Interrupt;
use super::bot::Bot;
use super::link::Link;

/// The longest sleep of a pair whose pipes are served by threads. Only bytes wake it; the end of a process and a signal
/// are found by looking, this often.
const TICK: Duration = Duration::from_millis(20);

/// How long after the end of a process its last words may be on their way through a thread. A pipe that is polled
/// needs no such time: its bytes are there when the exit is seen.
const PATIENCE_WITH_THREADS: Duration = Duration::from_millis(100);

/// What has happened, as far as it is known, since the wait for a bot began.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five things can happen in any combination")]
pub(super) struct Happened {
    /// The pipe to the asked bot takes more.
    pub(super) writable: bool,
    /// The asked bot has said something, or has closed its output.
    pub(super) readable: bool,
    /// The asked bot's process has ended.
    pub(super) ended: bool,
    /// The asked bot has written to standard error.
    pub(super) stderr: bool,
    /// The other bot has.
    pub(super) other_stderr: bool,
}

/// The way in which bots are waited for.
#[derive(Debug)]
pub(super) enum Waiter {
    /// For one of the pipes, by polling them all.
    Poll,
    /// For one of the threads that serve them.
    Threads {
        /// Something has happened in one of them.
        woken: Receiver<()>,
        /// When it was found that the process of a bot that is still being heard had ended.
        ended: Option<Instant>,
    },
}

impl Waiter {
    /// Returns a waiter and, if it waits for threads, what they wake it with.
    pub(super) fn new(threads: bool) -> (Waiter, Option<SyncSender<()>>) {
        if threads {
            // One pending wake-up is enough for any number of events, and a full channel lets the threads go
            // on at once.
            let (wake, woken) = sync_channel(1);
            (Waiter::Threads { woken, ended: None }, Some(wake))
        } else {
            (Waiter::Poll, None)
        }
    }

    /// Waits until something happens to the bot that was asked or to the other one, or to the referee, for at
    /// most `left`.
    pub(super) fn wait(
        &mut self,
        asked: &mut Bot,
        other: Option<&mut Bot>,
        interrupt: &Interrupt,
        left: Option<Duration>,
    ) -> io::Result<Happened> {
        match (self, &asked.link, other.as_ref().map(|other| &other.link)) {
            #[cfg(unix)]
            (Waiter::Poll, Link::Polled(pipes), Some(Link::Polled(other))) => {
                poll_pipes(pipes, asked.has_unsent(), Some(other), interrupt, left)
            }
            #[cfg(unix)]
            (Waiter::Poll, Link::Polled(pipes), None) => {
                poll_pipes(pipes, asked.has_unsent(), None, interrupt, left)
            }
            (Waiter::Threads { woken, ended }, _, _) => {
                // Woken or not, it looks at everything: a wake-up says that something happened, not what, and several
                // of them are merged into one.
                let _ = woken.recv_timeout(left.map_or(TICK, |left| left.min(TICK)));
                let is_over = asked.wait(Duration::ZERO)?.is_some();
                // `readable` stays true below, so a reply that a thread delivers late is read in this time.
                // Without it a bot that answers and exits would lose by its exit.
                let since = is_over.then(|| *ended.get_or_insert_with(Instant::now));
                Ok(Happened {
                    writable: asked.has_unsent(),
                    readable: true,
                    ended: since.is_some_and(|since| since.elapsed() > PATIENCE_WITH_THREADS),
                    stderr: !asked.has_closed_stderr(),
                    other_stderr: other.is_some_and(|other| !other.has_closed_stderr()),
                })
            }
            (Waiter::Poll, _, _) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

#[cfg(unix)]
fn poll_pipes(
    asked: &super::polled::Polled,
    has_unsent: bool,
    other: Option<&super::polled::Polled>,
    interrupt: &Interrupt,
    left: Option<Duration>,
) -> io::Result<Happened> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    // ppoll(2) with nanoseconds: poll(2) has milliseconds, which are coarser than most replies are slow.
    let timeout = left.and_then(|left| Timespec::try_from(left).ok());
    // A place in the array without events, for what is closed or not wanted: the kernel reports only errors
    // for it, and the interrupt's socket has none while its other end is open. The array keeps its size,
    // which needs no allocation in the hot path, and the result can be taken apart by position.
    let nothing = || PollFd::new(interrupt, PollFlags::empty());
    // A pipe with room is always writable. It is watched only while there is something to write, or every
    // poll would return at once.
    let stdin = asked.stdin.as_ref().filter(|_| has_unsent);
    let mut watched = [
        PollFd::new(interrupt, PollFlags::IN),
        stdin.map_or_else(nothing, |end| PollFd::new(end, PollFlags::OUT)),
        asked.stdout.as_ref().map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
        asked.exit.as_ref().map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
        asked.stderr.as_ref().map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
        other
            .and_then(|other| other.stderr.as_ref())
            .map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
    ];
    match poll(&mut watched, timeout.as_ref()) {
        Ok(_) => {}
        // The caller computes the time left from the deadline and waits again, so a signal changes nothing.
        Err(Errno::INTR) => return Ok(Happened::default()),
        Err(error) => return Err(error.into()),
    }
    // Any event counts as readable, also a hang-up or an error: the read that follows tells them apart. The
    // first entry is only there to wake the poll; the caller asks the interrupt itself.
    let [_, writable, readable, ended, stderr, other_stderr] =
        watched.map(|watched| !watched.revents().is_empty());
    Ok(Happened { writable, readable, ended, stderr, other_stderr })
}
