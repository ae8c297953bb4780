//! The wait of the referee for a bot, by epoll(7): the kernel learns once what to watch, and not again for every reply, as
//! poll(2) would have to.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;

use super::polled::Polled;
use super::wait::{Happened, Sources};

/// The descriptors that are watched while one bot of a pair is asked.
#[derive(Debug)]
pub(super) struct Watch {
    epoll: OwnedFd,
    /// Whether the pipe to the bot is watched for room.
    for_room: bool,
}

/// The kind of a descriptor that has become ready.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Watched {
    Interrupt,
    Stdin,
    Stdout,
    Exit,
    Stderr,
    OtherStderr,
}

impl Watched {
    const ALL: [Watched; 6] = [
        Watched::Interrupt,
        Watched::Stdin,
        Watched::Stdout,
        Watched::Exit,
        Watched::Stderr,
        Watched::OtherStderr,
    ];
}

impl Watch {
    /// Returns the watch for requests to one bot.
    pub(super) fn of(sources: &Sources<'_>) -> io::Result<Watch> {
        let Sources {
            asked,
            other,
            interrupt,
            ..
        } = sources;
        let watch = Watch {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            for_room: false,
        };
        watch.add(*interrupt, Watched::Interrupt, EventFlags::IN)?;
        watch.add_pipe(asked.stdout.as_ref(), Watched::Stdout)?;
        watch.add_pipe(asked.exit.as_ref(), Watched::Exit)?;
        watch.add_pipe(asked.stderr.as_ref(), Watched::Stderr)?;
        watch.add_pipe(
            other.and_then(|other| other.stderr.as_ref()),
            Watched::OtherStderr,
        )?;
        Ok(watch)
    }

    /// Waits until one of the same `sources` has something, for at most `left`.
    pub(super) fn wait(
        &mut self,
        sources: &Sources<'_>,
        left: Option<Duration>,
    ) -> io::Result<Happened> {
        self.watch_for_room(sources.asked, sources.has_unsent)?;
        // Rounded up to whole milliseconds (epoll_wait(2)), so what comes in that moment is read as if it were in time.
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        let mut events = [const { MaybeUninit::uninit() }; Watched::ALL.len()];
        let events: &[Event] = match epoll::wait(&self.epoll, &mut events, timeout.as_ref()) {
            Ok((events, _)) => events,
            // The caller computes the time left from the deadline and waits again, so a signal changes nothing.
            Err(Errno::INTR) => &[],
            Err(error) => return Err(error.into()),
        };
        // Any event counts as readable, also a hang-up or an error: the read that follows tells them apart.
        let mut happened = Happened::default();
        for event in events {
            let number = event.data.u64();
            match Watched::ALL
                .into_iter()
                .find(|watched| *watched as u64 == number)
            {
                Some(Watched::Stdin) => happened.writable = true,
                Some(Watched::Stdout) => happened.readable = true,
                Some(Watched::Exit) => happened.ended = true,
                Some(Watched::Stderr) => happened.stderr.asked = true,
                Some(Watched::OtherStderr) => happened.stderr.other = true,
                // It is only there to end the wait; the caller asks the interrupt itself.
                Some(Watched::Interrupt) | None => {}
            }
        }
        Ok(happened)
    }

    /// Watches the pipe to the bot while there is something to write: one with room would end every wait at once.
    fn watch_for_room(&mut self, asked: &Polled, has_unsent: bool) -> io::Result<()> {
        if self.for_room != has_unsent {
            match &asked.stdin {
                Some(stdin) if has_unsent => self.add(stdin, Watched::Stdin, EventFlags::OUT)?,
                Some(stdin) => epoll::delete(&self.epoll, stdin)?,
                None => {}
            }
            self.for_room = has_unsent;
        }
        Ok(())
    }

    fn add_pipe(&self, end: Option<&impl AsFd>, watched: Watched) -> io::Result<()> {
        end.map_or(Ok(()), |end| self.add(end, watched, EventFlags::IN))
    }

    /// Watches `end`. The kernel forgets it when it is closed.
    fn add(&self, end: &impl AsFd, watched: Watched, flags: EventFlags) -> io::Result<()> {
        Ok(epoll::add(
            &self.epoll,
            end,
            EventData::new_u64(watched as u64),
            flags,
        )?)
    }
}
