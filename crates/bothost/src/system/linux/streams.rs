//! The referee's ends of a bot's pipes on Linux. They are read and written without waiting, and
//! waited for by epoll(7): the kernel learns once what to watch, and not again for every reply, as
//! poll(2) would have to.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use wire::{BySide, Side};

use crate::Interrupt;
use crate::pipe::{Read, Ready, Written};

/// The referee's ends of a bot's pipes; `None` once one is closed.
#[derive(Debug)]
pub(crate) struct Streams {
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    /// A descriptor of the process, readable once it has ended; `None` if the kernel has none
    /// (before Linux 5.3). Then a child that holds the pipe open hides the exit until the deadline.
    exit: Option<OwnedFd>,
}

impl Streams {
    /// Whether a read that does not fill its buffer has read everything there is.
    pub(crate) const READ_ALL: bool = true;

    /// Whether a wait does not see the end of a process.
    pub(crate) const HIDE_EXIT: bool = false;

    pub(crate) fn new(
        pipes: [OwnedFd; 3],
        exit: Option<OwnedFd>,
        _: &Waiter,
    ) -> io::Result<Streams> {
        // Only the referee's ends. The flag belongs to the open file and the two ends of a pipe are
        // two of those, so the bot finds its own ends blocking, as every language's library
        // expects. Waiting alone is not enough: the kernel may promise space for one byte
        // only, and a longer blocking write would hang the referee on a bot that does not read.
        for pipe in &pipes {
            fcntl_setfl(pipe, OFlags::NONBLOCK)?;
        }
        let [stdin, stdout, stderr] = pipes.map(Some);
        Ok(Streams {
            stdin,
            stdout,
            stderr,
            exit,
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        loop {
            let Some(stdin) = &self.stdin else {
                return Ok(Written::Closed);
            };
            match rustix::io::write(stdin, bytes) {
                Ok(count) => return Ok(Written::Bytes(count)),
                Err(Errno::AGAIN) => return Ok(Written::Nothing),
                Err(Errno::INTR) => {}
                // A bot may close its input and keep answering; that is not a fault. Rust programs
                // ignore SIGPIPE, so this is an error and not the end of the referee.
                Err(Errno::PIPE) => self.stdin = None,
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        read(&mut self.stdout, buffer)
    }

    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        read(&mut self.stderr, buffer)
    }

    /// The number of bytes that were written and the bot has not read.
    pub(crate) fn unread(&self) -> usize {
        // Linux also answers this for the writing end.
        let stdin = self.stdin.as_ref();
        let unread = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        unread.map_or(0, |count| usize::try_from(count).unwrap_or(0))
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn close_stdout(&mut self) {
        self.stdout = None;
    }
}

fn read(from: &mut Option<OwnedFd>, buffer: &mut [u8]) -> io::Result<Read> {
    loop {
        let Some(pipe) = from else {
            return Ok(Read::End);
        };
        match rustix::io::read(pipe, &mut *buffer) {
            // Closed at once: a pipe at its end is always readable, and would end every wait
            // immediately.
            Ok(0) => *from = None,
            Ok(count) => return Ok(Read::Bytes(count)),
            Err(Errno::AGAIN) => return Ok(Read::Nothing),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The wait for the bots of a pair.
#[derive(Debug)]
pub(crate) struct Waiter {
    interrupt: Arc<Interrupt>,
    /// What is watched while each bot is asked, from the first time on.
    watches: BySide<Option<Watch>>,
}

#[derive(Debug)]
struct Watch {
    epoll: OwnedFd,
    /// Whether the pipe to the bot is watched for free space.
    for_room: bool,
}

/// What is watched. The number of each stands in its events.
const INTERRUPT: u64 = 0;
const STDIN: u64 = 1;
const STDOUT: u64 = 2;
const EXIT: u64 = 3;
const STDERR: u64 = 4;

impl Waiter {
    pub(crate) fn new(interrupt: &Arc<Interrupt>) -> Waiter {
        Waiter {
            interrupt: interrupt.clone(),
            watches: BySide::default(),
        }
    }

    /// Waits until something happens to the bot on `side`, which was `asked`, or to the other one,
    /// or to the referee, for at most `left`. `wants_room`: there is more to write to the bot.
    pub(crate) fn wait(
        &mut self,
        side: Side,
        (asked, wants_room): (&Streams, bool),
        other: Option<&Streams>,
        left: Option<Duration>,
    ) -> io::Result<Ready> {
        let watch = match &mut self.watches[side] {
            Some(watch) => watch,
            none => {
                let watch = Watch {
                    epoll: epoll::create(CreateFlags::CLOEXEC)?,
                    for_room: false,
                };
                watch.add(Some(&*self.interrupt), INTERRUPT, EventFlags::IN)?;
                watch.add(asked.stdout.as_ref(), STDOUT, EventFlags::IN)?;
                watch.add(asked.exit.as_ref(), EXIT, EventFlags::IN)?;
                watch.add(asked.stderr.as_ref(), STDERR, EventFlags::IN)?;
                let other = other.and_then(|other| other.stderr.as_ref());
                watch.add(other, STDERR, EventFlags::IN)?;
                none.insert(watch)
            }
        };
        // Watched only while there is something to write: a pipe that is not full ends every wait.
        if watch.for_room != wants_room {
            match &asked.stdin {
                Some(stdin) if !wants_room => epoll::delete(&watch.epoll, stdin)?,
                stdin => watch.add(stdin.as_ref(), STDIN, EventFlags::OUT)?,
            }
            watch.for_room = wants_room;
        }
        // Rounded up to whole milliseconds (epoll_wait(2)), so what comes in that moment is read as
        // if it were in time.
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        let mut events = [const { MaybeUninit::uninit() }; 6];
        let events: &[Event] = match epoll::wait(&watch.epoll, &mut events, timeout.as_ref()) {
            Ok((events, _)) => events,
            // The caller computes the time left from the deadline and waits again, so a signal
            // changes nothing.
            Err(Errno::INTR) => &[],
            Err(error) => return Err(error.into()),
        };
        // Any event counts as readable, also a hang-up or an error: the read that follows tells
        // them apart. The interrupt is only there to end the wait; the caller asks it itself.
        let is_ready = |number| events.iter().any(|event| event.data.u64() == number);
        Ok(Ready {
            writable: is_ready(STDIN),
            readable: is_ready(STDOUT),
            ended: is_ready(EXIT),
            stderr: is_ready(STDERR),
        })
    }
}

impl Watch {
    /// Watches `end`. The kernel forgets it when it is closed.
    fn add(&self, end: Option<&impl AsFd>, number: u64, flags: EventFlags) -> io::Result<()> {
        let data = EventData::new_u64(number);
        end.map_or(Ok(()), |end| Ok(epoll::add(&self.epoll, end, data, flags)?))
    }
}
