//! Pipes by epoll or by threads, for the tests: what bots do has to end alike in both.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use wire::Side;

use super::{streams, threads};
use crate::Interrupt;
use crate::pipe::{Read, Ready, Written};

thread_local! {
    /// Whether pairs that this thread starts have their pipes served by threads.
    pub(crate) static BY_THREADS: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug)]
pub(crate) enum Streams {
    Epoll(streams::Streams),
    Threads(threads::Streams),
}

macro_rules! either {
    ($streams:expr, $one:ident => $call:expr) => {
        match $streams {
            Streams::Epoll($one) => $call,
            Streams::Threads($one) => $call,
        }
    };
}

impl Streams {
    pub(crate) const READ_ALL: bool = streams::Streams::READ_ALL && threads::Streams::READ_ALL;
    pub(crate) const HIDE_EXIT: bool = streams::Streams::HIDE_EXIT || threads::Streams::HIDE_EXIT;

    pub(crate) fn new(
        pipes: [OwnedFd; 3],
        exit: Option<OwnedFd>,
        to: &Waiter,
    ) -> io::Result<Streams> {
        match to {
            Waiter::Epoll(waiter) => {
                Ok(Streams::Epoll(streams::Streams::new(pipes, exit, waiter)?))
            }
            Waiter::Threads(waiter) => {
                let pipes = pipes.map(File::from);
                Ok(Streams::Threads(threads::Streams::new(pipes, waiter)?))
            }
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        either!(self, it => it.write(bytes))
    }

    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        either!(self, it => it.read_stdout(buffer))
    }

    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        either!(self, it => it.read_stderr(buffer))
    }

    pub(crate) fn unread(&self) -> usize {
        either!(self, it => it.unread())
    }

    pub(crate) fn close_stdin(&mut self) {
        either!(self, it => it.close_stdin());
    }

    pub(crate) fn close_stdout(&mut self) {
        either!(self, it => it.close_stdout());
    }
}

#[derive(Debug)]
pub(crate) enum Waiter {
    Epoll(streams::Waiter),
    Threads(threads::Waiter),
}

impl Waiter {
    pub(crate) fn new(interrupt: &Arc<Interrupt>) -> Waiter {
        if BY_THREADS.get() {
            Waiter::Threads(threads::Waiter::new(interrupt))
        } else {
            Waiter::Epoll(streams::Waiter::new(interrupt))
        }
    }

    pub(crate) fn wait(
        &mut self,
        side: Side,
        (asked, wants_room): (&Streams, bool),
        other: Option<&Streams>,
        left: Option<Duration>,
    ) -> io::Result<Ready> {
        match (self, asked, other) {
            (Waiter::Epoll(waiter), Streams::Epoll(asked), None) => {
                waiter.wait(side, (asked, wants_room), None, left)
            }
            (Waiter::Epoll(waiter), Streams::Epoll(asked), Some(Streams::Epoll(other))) => {
                waiter.wait(side, (asked, wants_room), Some(other), left)
            }
            (Waiter::Threads(waiter), Streams::Threads(asked), _) => {
                waiter.wait(side, (asked, wants_room), None, left)
            }
            _ => panic!("a pair has pipes of one kind"),
        }
    }
}
