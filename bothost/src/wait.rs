//! How the referee waits for its bots.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::Interrupt;
use super::bot::Bot;
use super::link::Link;

/// How long a pair of bots with threads sleeps at most: nothing wakes it when a process ends or a signal comes.
const TICK: Duration = Duration::from_millis(20);

/// How long after a process has ended its last words may be on their way through a thread.
const PATIENCE_WITH_THREADS: Duration = Duration::from_millis(100);

/// What has happened, as far as it is known, since the wait for a bot began.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five things can happen in any combination")]
pub(super) struct Happened {
    /// The asked bot takes more of what it is told.
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
    /// A waiter, and what threads are to wake it with, if it waits for threads.
    pub(super) fn new(threads: bool) -> (Waiter, Option<SyncSender<()>>) {
        if threads {
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
                // Whether it was woken or has slept its fill, it looks at everything.
                let _ = woken.recv_timeout(left.map_or(TICK, |left| left.min(TICK)));
                let is_over = asked.wait(Duration::ZERO)?.is_some();
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
    let timeout = left.and_then(|left| Timespec::try_from(left).ok());
    let nothing = || PollFd::new(interrupt, PollFlags::empty());
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
        Err(Errno::INTR) => return Ok(Happened::default()),
        Err(error) => return Err(error.into()),
    }
    let [_, writable, readable, ended, stderr, other_stderr] =
        watched.map(|watched| !watched.revents().is_empty());
    Ok(Happened { writable, readable, ended, stderr, other_stderr })
}
