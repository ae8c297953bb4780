//! The wait of the referee for a bot, by poll(2), which every Unix has.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::wait::{Happened, OnStderr, Sources};

/// The descriptors that are watched while one bot of a pair is asked: nothing is kept between two waits.
#[derive(Debug)]
pub(super) struct Watch;

impl Watch {
    /// Returns the watch for requests to one bot.
    #[allow(clippy::unnecessary_wraps, reason = "the other way can fail")]
    pub(super) fn of(_sources: &Sources<'_>) -> io::Result<Watch> {
        Ok(Watch)
    }

    /// Waits until one of `sources` has something, for at most `left`.
    #[allow(clippy::unused_self, reason = "the other way needs it")]
    pub(super) fn wait(
        &mut self,
        sources: &Sources<'_>,
        left: Option<Duration>,
    ) -> io::Result<Happened> {
        let Sources {
            asked,
            has_unsent,
            other,
            interrupt,
        } = *sources;
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        // A place in the array without events, for what is closed or not wanted: the kernel reports only errors for it,
        // and the interrupt's socket has none while its other end is open. So the result can be taken apart by
        // position.
        let nothing = || PollFd::new(interrupt, PollFlags::empty());
        // A pipe with room is always writable. It is watched only while there is something to write, or every
        // poll would return at once.
        let stdin = asked.stdin.as_ref().filter(|_| has_unsent);
        let other_stderr = other.and_then(|other| other.stderr.as_ref());
        let mut watched = [
            PollFd::new(interrupt, PollFlags::IN),
            stdin.map_or_else(nothing, |end| PollFd::new(end, PollFlags::OUT)),
            asked
                .stdout
                .as_ref()
                .map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
            asked
                .exit
                .as_ref()
                .map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
            asked
                .stderr
                .as_ref()
                .map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
            other_stderr.map_or_else(nothing, |end| PollFd::new(end, PollFlags::IN)),
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
        Ok(Happened {
            writable,
            readable,
            ended,
            stderr: OnStderr {
                asked: stderr,
                other: other_stderr,
            },
        })
    }
}
