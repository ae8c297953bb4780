//! One bot: its process, its pipes, and what has been said through them and not yet been read.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::inbox::Inbox;
use super::pipe::{Read, Written};
use super::system::{Process, Streams, Waiter};
use super::tail::{KEPT, Tail};
use super::{BotProgram, Launch, StartError};

/// The poll interval for the end of a bot.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The same while its last words are read.
const BETWEEN_LAST_LOOKS: Duration = Duration::from_millis(20);

/// Time after the end of a process in which its last words may be on their way through a thread.
const PATIENCE_WITH_THREADS: Duration = Duration::from_millis(100);

/// A bot: a process, its pipes, and what has been said through them and not yet been read.
#[derive(Debug)]
pub(super) struct BotProcess {
    pub(super) process: Process,
    pub(super) streams: Streams,
    /// The lines that the bot has yet to be sent.
    pub(super) outbox: Vec<u8>,
    pub(super) inbox: Inbox,
    /// The first word of the last request.
    pub(super) request: String,
    pub(super) log: Tail,
    pub(super) output_closed: bool,
    pub(super) stderr_closed: bool,
    /// Whether a person answers.
    pub(super) on_terminal: bool,
    /// The time at which its process was found to have ended, while it was still being heard.
    ended: Option<Instant>,
}

impl BotProcess {
    pub(super) fn start(
        program: &BotProgram,
        launch: &Launch,
        waiter: &Waiter,
    ) -> Result<BotProcess, StartError> {
        let (process, streams) = Process::start(program, launch, waiter)?;
        Ok(BotProcess {
            process,
            streams,
            outbox: Vec::with_capacity(1024),
            inbox: Inbox::new(),
            request: String::new(),
            log: Tail::new(KEPT),
            output_closed: false,
            stderr_closed: false,
            on_terminal: program.on_terminal,
            ended: None,
        })
    }

    /// Writes as much of the outbox as the pipe takes now. A bot that has closed its input gets no more lines; it may
    /// continue to answer.
    pub(super) fn send(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            match self.streams.write(&self.outbox)? {
                Written::Bytes(count) => drop(self.outbox.drain(..count)),
                Written::Nothing => break,
                // Dropped and not kept: a queue for a closed pipe would grow until it counts as not being
                // read.
                Written::Closed => self.outbox.clear(),
            }
        }
        Ok(())
    }

    /// Reads what the bot has said, as far as there is room for it. Returns the number of bytes that came.
    pub(super) fn receive(&mut self) -> io::Result<usize> {
        let mut received = 0;
        while !self.output_closed {
            let space = self.inbox.space();
            let room = space.len();
            if room == 0 {
                break;
            }
            match self.streams.read_stdout(space)? {
                Read::Bytes(count) => {
                    self.inbox.add(count);
                    received += count;
                    // A read(2) that leaves room has emptied the pipe. A second one would only find that out
                    // (EAGAIN), one system call more for every reply.
                    if count < room && Streams::READ_ALL {
                        break;
                    }
                }
                Read::Nothing => break,
                Read::End => self.output_closed = true,
            }
        }
        Ok(received)
    }

    /// Reads what the bot has said into `buffer`, past its inbox.
    pub(super) fn read_output(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        if self.output_closed {
            return Ok(Read::End);
        }
        let read = self.streams.read_stdout(buffer)?;
        self.output_closed = read == Read::End;
        Ok(read)
    }

    /// Reads what the bot has written to standard error, at most a few buffers full of it, so that a flood
    /// there cannot keep the referee busy. `each` hears it.
    pub(super) fn drain_stderr(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        // Eight times 16 KiB is twice what a pipe holds by default, so a bot that logs normally is always
        // read to the end.
        let mut buffer = [0; 16 * 1024];
        for _ in 0..8 {
            if self.stderr_closed {
                break;
            }
            match self.streams.read_stderr(&mut buffer)? {
                Read::Bytes(count) => {
                    self.log.add(&buffer[..count]);
                    each(&buffer[..count]);
                }
                Read::Nothing => break,
                Read::End => self.stderr_closed = true,
            }
        }
        Ok(())
    }

    /// Reads no more of what the bot says.
    pub(super) fn close_output(&mut self) {
        self.streams.close_stdout();
        self.output_closed = true;
    }

    /// Returns what the bot has used too much of, so that its supervisor has ended it; `None` if it was not ended for that.
    ///
    /// # Errors
    /// If the bot could not be started.
    pub(super) fn used_too_much(&mut self) -> Result<Option<String>, StartError> {
        let Some(report) = self.process.report() else {
            return Ok(None);
        };
        match &report.not_started {
            Some(error) => Err(error.clone()),
            None => Ok(report.used_too_much.clone()),
        }
    }

    /// The folder that the supervisor could not remove, and why; `None` if it has removed it.
    pub(super) fn remains(&mut self) -> Option<String> {
        self.process.report()?.not_removed.clone()
    }

    /// Whether the process ended long enough ago for its last words to have come through a thread. Before that, a bot that
    /// answers and exits would lose by its exit.
    pub(super) fn is_long_over(&mut self) -> io::Result<bool> {
        let is_over = self.process.wait(Duration::ZERO)?.is_some();
        let since = is_over.then(|| *self.ended.get_or_insert_with(Instant::now));
        Ok(since.is_some_and(|since| since.elapsed() > PATIENCE_WITH_THREADS))
    }

    /// Returns how the bot ended, or `None` if it has not after `patience`.
    pub(super) fn wait_for_its_end(
        &mut self,
        patience: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        let began = Instant::now();
        loop {
            let status = self.process.status()?;
            let left = patience.saturating_sub(began.elapsed());
            if status.is_some() || left.is_zero() {
                return Ok(status);
            }
            self.process.wait(left.min(BETWEEN_LOOKS))?;
        }
    }

    /// Waits for the process to end until `deadline`, reading its standard error so that it is not stuck there;
    /// then kills it and what it has started. Returns whether all of that is gone, as far as is known.
    pub(super) fn end(
        &mut self,
        deadline: Instant,
        mut each: impl FnMut(&[u8]),
    ) -> io::Result<bool> {
        // A bot that is blocked in a write to a full pipe would never see that its input has ended. With the reading
        // end closed, the write fails (EPIPE) or ends the bot (SIGPIPE).
        self.close_output();
        // Waiting for the process alone would deadlock with a bot that logs a lot while it leaves: it blocks
        // on its full standard error, and the referee waits until the grace is over.
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let ended = self.process.wait(left.min(BETWEEN_LAST_LOOKS))?.is_some();
            self.drain_stderr(&mut each)?;
            if ended || left.is_zero() {
                return self.process.end();
            }
        }
    }
}
