//! One bot: its process, its pipes, and what has been said through them and not yet been read.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use wire::{Clock, Side};

use super::deadline::RunningClock;
use super::dialogue::Dialogue;
use super::inbox::{Inbox, Next};
use super::pipe::{Read, Written};
use super::ponder::Pause;
use super::system::{Process, Streams, Waiter};
use super::{BotProgram, Excerpt, Launch, LineKind, StartError};

/// Number of bytes kept of the beginning and of the end of a bot's standard error. The beginning
/// has the first error, the end the cause of death; a bot that logs for a whole tournament must not
/// fill the memory of the referee.
const LOG_END: usize = 4096;

/// The poll interval for the end of a bot.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The same while its last words are read.
const BETWEEN_LAST_LOOKS: Duration = Duration::from_millis(20);

/// Time after the end of a process in which its last words may be on their way through a thread.
const PATIENCE_WITH_THREADS: Duration = Duration::from_millis(100);

/// What was odd about a bot and no fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Whether it answered a request before it was made. A flag and no count: how many early lines
    /// the referee finds depends on timing, and a record should not.
    pub early: bool,
    /// Whether it ended its output in the middle of a line.
    pub no_line_feed: bool,
    /// The processor time it has used, if that is far more than the time it was asked in allows.
    pub computed_unasked: Option<Duration>,
    /// The processor time it has used while it was not asked until it was stopped, if it was.
    pub stopped_after: Option<Duration>,
    /// Whether its supervisor took too long to end what it has started, and was killed: processes
    /// of it may be left. Known after its end only.
    pub not_all_ended: bool,
    /// The files of it that could not be removed, and why. Known after its end only.
    pub remains: Option<String>,
}

/// A bot: a process, its pipes, and what has been said through them and not yet been read.
#[derive(Debug)]
pub(super) struct BotProcess {
    pub(super) side: Side,
    pub(super) process: Process,
    pub(super) streams: Streams,
    /// The lines that the bot has yet to be sent.
    pub(super) outbox: Vec<u8>,
    pub(super) inbox: Inbox,
    /// The first word of the last request.
    pub(super) request: String,
    pub(super) log: Excerpt,
    pub(super) output_closed: bool,
    pub(super) stderr_closed: bool,
    /// Whether a person answers.
    pub(super) on_terminal: bool,
    /// The way to flush in its language, if that is known and needed.
    pub(super) flushing: Option<&'static str>,
    /// The time at which its process was found to have ended, while it was still being heard.
    ended: Option<Instant>,
    pub(super) clock: RunningClock,
    /// Whether it is told `ask` before a request.
    pub(super) needs_ask: bool,
    /// The total time that it has taken to answer.
    pub(super) waited: Duration,
    /// Its comments since they were taken last, with a line feed behind each.
    pub(super) comments: Vec<u8>,
    pub(super) oddities: Oddities,
    /// The processor time that it has used in this game while it was not asked, as far as it was
    /// looked at.
    pub(super) unasked: Duration,
    /// The time since its last reply; `None` while it has a request to answer.
    pub(super) pause: Option<Pause>,
}

impl BotProcess {
    pub(super) fn start(
        side: Side,
        program: &BotProgram,
        launch: &Launch,
        waiter: &Waiter,
    ) -> Result<BotProcess, StartError> {
        let (process, streams) = Process::start(program, launch, waiter)?;
        Ok(BotProcess {
            side,
            process,
            streams,
            outbox: Vec::with_capacity(1024),
            inbox: Inbox::new(),
            request: String::new(),
            log: Excerpt::new(LOG_END, LOG_END),
            output_closed: false,
            stderr_closed: false,
            on_terminal: program.on_terminal,
            flushing: program
                .flushing
                .filter(|way| way.is_needed)
                .map(|way| way.how),
            ended: None,
            clock: RunningClock::default(),
            needs_ask: false,
            waited: Duration::ZERO,
            comments: Vec::new(),
            oddities: Oddities::default(),
            unasked: Duration::ZERO,
            pause: Some(Pause::default()),
        })
    }

    /// Writes as much of the outbox as the pipe takes now. A bot that has closed its input gets no
    /// more lines; it may continue to answer.
    pub(super) fn send(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            match self.streams.write(&self.outbox)? {
                Written::Bytes(count) => drop(self.outbox.drain(..count)),
                Written::Nothing => break,
                // Dropped and not kept: a queue for a closed pipe would grow until it counts as not
                // being read.
                Written::Closed => self.outbox.clear(),
            }
        }
        Ok(())
    }

    /// Reads what the bot has said, as far as the inbox has space. Returns the number of bytes
    /// that came.
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
                    // A read(2) that does not fill the buffer has emptied the pipe. A second one would only find
                    // that out (EAGAIN), one system call more for every reply.
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

    /// Takes the next line. After the end of the output nothing can complete a line, so what there
    /// is counts as one. Many bots end with a print that has no newline.
    pub(super) fn take_line(&mut self) -> Next {
        let next = self.inbox.take_line();
        if next != Next::Incomplete || !self.output_closed {
            return next;
        }
        self.oddities.no_line_feed |= !self.inbox.partial().is_empty();
        self.inbox.take_unfinished_line()
    }

    /// Reads what the bot has written to standard error, at most a few buffers full of it, so that
    /// a flood there cannot keep the referee busy.
    pub(super) fn drain_stderr(&mut self, dialogue: &mut Dialogue) -> io::Result<()> {
        let mut heard = Ok(());
        // Eight times 16 KiB is twice what a pipe holds by default, so a bot that logs normally is
        // always read to the end.
        let mut buffer = [0; 16 * 1024];
        for _ in 0..8 {
            if self.stderr_closed {
                break;
            }
            match self.streams.read_stderr(&mut buffer)? {
                Read::Bytes(count) => {
                    let bytes = &buffer[..count];
                    self.log.add(bytes);
                    heard = heard.and(dialogue.on_line(self.side, LineKind::Stderr, bytes));
                }
                Read::Nothing => break,
                Read::End => self.stderr_closed = true,
            }
        }
        heard
    }

    /// Reads no more of what the bot says.
    pub(super) fn close_output(&mut self) {
        self.streams.close_stdout();
        self.output_closed = true;
    }

    /// What was odd about the bot so far. It may compute while it is not asked if it `may_ponder`.
    pub(super) fn oddities(&self, may_ponder: bool) -> Oddities {
        // Twice the time it was asked in, for bots with a second thread, and a second for starting
        // an interpreter. The point is to show a bot that thinks in its opponent's time, not to
        // measure one.
        let much = 2 * self.waited + Duration::from_secs(1);
        let computed = self.process.computed().filter(|computed| *computed > much);
        // Fuel bounds what a module computes, and warnings would depend on the machine.
        let counts = !matches!(self.clock.clock, Clock::Fuel { .. });
        Oddities {
            computed_unasked: computed.filter(|_| counts && !may_ponder),
            stopped_after: self.oddities.stopped_after.filter(|_| counts),
            ..self.oddities.clone()
        }
    }

    /// Returns the limit that the bot has broken, so that its supervisor has ended it; `None` if
    /// the bot was not ended for that.
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

    /// Whether the kernel has ended the bot, which kept its limits, since the machine ran out of
    /// memory. Known after its end.
    pub(super) fn is_ended_for_memory(&mut self) -> bool {
        let report = self.process.report();
        report.is_some_and(|report| report.ended_for_memory)
    }

    /// The folder that the supervisor could not remove, and why; `None` if it has removed it.
    pub(super) fn remains(&mut self) -> Option<String> {
        self.process.report()?.not_removed.clone()
    }

    /// Whether the process ended long enough ago for its last words to have come through a thread.
    /// Before that, a bot that answers and exits would lose by its exit.
    pub(super) fn is_long_over(&mut self) -> io::Result<bool> {
        let is_over = self.process.wait(Duration::ZERO)?.is_some();
        let since = is_over.then(|| *self.ended.get_or_insert_with(Instant::now));
        Ok(since.is_some_and(|since| since.elapsed() > PATIENCE_WITH_THREADS))
    }

    /// Returns the bot's status at its end, or `None` if it has not ended after `patience`.
    pub(super) fn wait_for_its_end(
        &mut self,
        patience: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        let began = Instant::now();
        loop {
            let status = self.process.wait(Duration::ZERO)?;
            let left = patience.saturating_sub(began.elapsed());
            if status.is_some() || left.is_zero() {
                return Ok(status);
            }
            self.process.wait(left.min(BETWEEN_LOOKS))?;
        }
    }

    /// Waits for the process to end until `deadline`, reading its standard error so that it is not
    /// stuck there; then kills it and what it has started. Returns whether all of that is gone, as
    /// far as is known.
    pub(super) fn end(&mut self, deadline: Instant, dialogue: &mut Dialogue) -> io::Result<bool> {
        // A bot that is blocked in a write to a full pipe would never see that its input has ended.
        // With the reading end closed, the write fails (EPIPE) or ends the bot (SIGPIPE).
        self.close_output();
        // Waiting for the process alone would deadlock with a bot that logs a lot while it leaves:
        // it blocks on its full standard error, and the referee waits until the grace is over.
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let ended = self.process.wait(left.min(BETWEEN_LAST_LOOKS))?.is_some();
            // The game is decided, so a listener that cannot write these last words must not keep
            // the bot alive.
            let _ = self.drain_stderr(dialogue);
            if ended || left.is_zero() {
                return self.process.end();
            }
        }
    }
}
