//! The referee's wait for its bots.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

#[cfg(unix)]
use wire::BySide;

use super::bot::Bot;
#[cfg(unix)]
use super::link::Link;
#[cfg(unix)]
use super::polled::Polled;
#[cfg(unix)]
use super::watch::Watch;
use super::{Interrupt, Pipes, Side};

/// The longest sleep of a pair whose pipes are served by threads. Only bytes wake it; the end of a process and a signal
/// are found by looking, this often.
const TICK: Duration = Duration::from_millis(20);

/// Time after the end of a process in which its last words may be on their way through a thread. A pipe that is polled needs no
/// such time: its bytes are there when the exit is seen.
const PATIENCE_WITH_THREADS: Duration = Duration::from_millis(100);

/// The events, as far as they are known, since the wait for a bot began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Happened {
    /// The pipe to the asked bot takes more.
    pub(super) writable: bool,
    /// The asked bot has said something, or has closed its output.
    pub(super) readable: bool,
    /// The asked bot's process has ended.
    pub(super) ended: bool,
    /// The bots that have written to standard error.
    pub(super) stderr: OnStderr,
}

/// The bots that have written to standard error.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OnStderr {
    pub(super) asked: bool,
    pub(super) other: bool,
}

/// The events that may end a wait for a bot whose pipes are polled.
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'p> {
    pub(super) asked: &'p Polled,
    /// Whether there is more to write to the asked bot.
    pub(super) has_unsent: bool,
    pub(super) other: Option<&'p Polled>,
    pub(super) interrupt: &'p Interrupt,
}

/// The way in which bots are waited for.
#[derive(Debug)]
pub(super) enum Waiter {
    /// For one of the pipes. Each bot has a watch for when it is asked, from the first time on.
    #[cfg(unix)]
    Pipes(BySide<Option<Watch>>),
    /// For one of the threads that serve them.
    Threads {
        /// Something has happened in one of them.
        woken: Receiver<()>,
        /// The time at which the process of a bot that is still being heard was found to have ended.
        ended: Option<Instant>,
    },
}

impl Waiter {
    /// Returns a waiter and, if it waits for threads, what they wake it with. Where pipes cannot be polled it always does.
    #[cfg_attr(not(unix), allow(unused_variables, reason = "there is one way only"))]
    pub(super) fn new(pipes: Pipes) -> (Waiter, Option<SyncSender<()>>) {
        #[cfg(unix)]
        if pipes == Pipes::Polled {
            return (Waiter::Pipes(BySide::default()), None);
        }
        // One pending wake-up is enough for any number of events, and a full channel lets the threads continue
        // at once.
        let (wake, woken) = sync_channel(1);
        (Waiter::Threads { woken, ended: None }, Some(wake))
    }

    /// Waits until something happens to the bot that was asked, on `side`, or to the other one, or to the referee, for
    /// at most `left`.
    #[cfg_attr(
        not(unix),
        allow(unused_variables, reason = "threads are not told apart")
    )]
    pub(super) fn wait(
        &mut self,
        side: Side,
        asked: &mut Bot,
        other: Option<&mut Bot>,
        interrupt: &Interrupt,
        left: Option<Duration>,
    ) -> io::Result<Happened> {
        match self {
            #[cfg(unix)]
            Waiter::Pipes(watches) => {
                let Link::Polled(pipes) = &asked.link else {
                    return Err(io::ErrorKind::Unsupported.into());
                };
                let other = other.and_then(|other| {
                    if let Link::Polled(pipes) = &other.link {
                        Some(pipes)
                    } else {
                        None
                    }
                });
                let has_unsent = asked.has_unsent();
                let sources = Sources {
                    asked: pipes,
                    has_unsent,
                    other,
                    interrupt,
                };
                let watch = match &mut watches[side] {
                    Some(watch) => watch,
                    none => none.insert(Watch::of(&sources)?),
                };
                watch.wait(&sources, left)
            }
            Waiter::Threads { woken, ended } => {
                // Woken or not, it looks at everything: a wake-up says that something happened, not what, and several
                // of them are merged into one.
                asked
                    .link
                    .wait(woken, left.map_or(TICK, |left| left.min(TICK)));
                let is_over = asked.wait(Duration::ZERO)?.is_some();
                // `readable` stays true below, so a reply that a thread delivers late is read in this time.
                // Without it a bot that answers and exits would lose by its exit.
                let since = is_over.then(|| *ended.get_or_insert_with(Instant::now));
                Ok(Happened {
                    writable: asked.has_unsent(),
                    readable: true,
                    ended: since.is_some_and(|since| since.elapsed() > PATIENCE_WITH_THREADS),
                    stderr: OnStderr {
                        asked: !asked.has_closed_stderr(),
                        other: other.is_some_and(|other| !other.has_closed_stderr()),
                    },
                })
            }
        }
    }
}
