//! One bot: its process, its pipes, and what has been said through them.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use wait_timeout::ChildExt;

use super::inbox::{Inbox, MOST_SAID};
use super::launch::{MachineReport, Started};
use super::link::Link;
use super::pipe::{Came, Took};
use super::stderr::StderrLog;
use super::{Launch, Program, StartError};

/// How long a supervisor may take to end everything its bot has started: a little more than the supervisor's own
/// limits (50 ms after TERM, 2 s for the killing) take together. A supervisor that is killed sweeps nothing.
const PATIENCE_WITH_SUPERVISOR: Duration = Duration::from_secs(3);

/// A bot: a child process, its pipes, and what has been said through them and not yet been read.
#[derive(Debug)]
pub(super) struct Bot {
    child: Child,
    cleanup: Cleanup,
    on_terminal: bool,
    pub(super) link: Link,
    /// The lines that the bot has yet to be sent.
    outbox: Vec<u8>,
    inbox: Inbox,
    output_closed: bool,
    stderr_closed: bool,
    log: StderrLog,
    machine_report: Option<MachineReport>,
}

/// What ends the processes that a bot has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cleanup {
    /// The child is a supervisor, which ends them.
    Supervisor,
    /// They are in a process group of their own, unless they have left it.
    Group,
    /// None: the child is in the referee's own process group, because a person uses it at the terminal and a
    /// background group is stopped (SIGTTIN) when it reads from there.
    None,
}

impl Bot {
    pub(super) fn start(
        program: &Program,
        launch: &Launch,
        wake: Option<&SyncSender<()>>,
    ) -> Result<Bot, StartError> {
        let Started { mut child, machine_report } = launch.spawn(program)?;
        let link = Link::to(&mut child, wake).map_err(|error| {
            // A supervisor that is killed cannot end its bot, but it dies before the bot was sent a line, and with
            // their pipes closed most programs end.
            let _ = child.kill();
            let _ = child.wait();
            StartError::of_supervisor(error)
        })?;
        let cleanup = match launch.supervisor {
            Some(_) => Cleanup::Supervisor,
            None if program.on_terminal => Cleanup::None,
            None => Cleanup::Group,
        };
        Ok(Bot {
            child,
            cleanup,
            on_terminal: program.on_terminal,
            link,
            outbox: Vec::with_capacity(1024),
            inbox: Inbox::new(),
            output_closed: false,
            stderr_closed: false,
            log: StderrLog::default(),
            machine_report,
        })
    }

    pub(super) fn outbox(&mut self) -> &mut Vec<u8> {
        &mut self.outbox
    }

    pub(super) fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// Returns whether a person answers.
    pub(super) fn is_on_terminal(&self) -> bool {
        self.on_terminal
    }

    /// Returns whether the bot has left more unread than any bot has reason to.
    pub(super) fn outbox_overflows(&self) -> bool {
        self.outbox.len() > MOST_SAID
    }

    pub(super) fn has_unsent(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Returns whether the bot has left input unread, as far as that is known.
    pub(super) fn has_unread_input(&self) -> bool {
        self.has_unsent() || self.link.unread() > 0
    }

    pub(super) fn has_closed_output(&self) -> bool {
        self.output_closed
    }

    pub(super) fn has_closed_stderr(&self) -> bool {
        self.stderr_closed
    }

    /// Returns why the machine could not start this bot, if its supervisor has said so.
    pub(super) fn machine_fault(&self) -> Option<String> {
        self.machine_report.as_ref()?.read()
    }

    pub(super) fn log(&self) -> &StderrLog {
        &self.log
    }

    /// Writes as much of the outbox as the pipe takes now. A bot that has closed its input gets no more lines; it may
    /// continue to answer.
    pub(super) fn send(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            match self.link.write(&self.outbox)? {
                Took::Bytes(count) => drop(self.outbox.drain(..count)),
                Took::Nothing => break,
                // Dropped and not kept: a queue for a closed pipe would grow until it counts as not being
                // read.
                Took::Closed => self.outbox.clear(),
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
            match self.link.read_stdout(space)? {
                Came::Bytes(count) => {
                    self.inbox.add(count);
                    received += count;
                    // A read(2) that leaves room has emptied the pipe. A second one would only find that out
                    // (EAGAIN), one system call more for every reply.
                    if count < room && self.link.reads_all_at_once() {
                        break;
                    }
                }
                Came::Nothing => break,
                Came::End => self.output_closed = true,
            }
        }
        Ok(received)
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
            match self.link.read_stderr(&mut buffer)? {
                Came::Bytes(count) => {
                    self.log.add(&buffer[..count]);
                    each(&buffer[..count]);
                }
                Came::Nothing => break,
                Came::End => self.stderr_closed = true,
            }
        }
        Ok(())
    }

    /// Returns how the process ended, or `None` if it is still there after `patience`.
    pub(super) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        self.child.wait_timeout(patience)
    }

    /// Returns the processor time the bot has used so far; `None` where that is unknown.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        match self.cleanup {
            #[cfg(target_os = "linux")]
            Cleanup::Supervisor => {
                let pid = i32::try_from(self.child.id()).ok();
                pid.and_then(rustix::process::Pid::from_raw).map(super::cpu::of_descendants)
            }
            #[cfg(not(target_os = "linux"))]
            Cleanup::Supervisor => None,
            Cleanup::Group | Cleanup::None => None,
        }
    }

    /// Closes the bot's input: the end of file asks it to leave.
    pub(super) fn close_input(&mut self) {
        self.link.close_stdin();
    }

    /// Reads no more of what the bot says.
    pub(super) fn close_output(&mut self) {
        self.link.close_stdout();
        self.output_closed = true;
    }

    /// Waits for the process to end until `deadline`, reading its standard error so that it is not stuck there;
    /// then kills it and what it has started.
    pub(super) fn end(&mut self, deadline: Instant, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        // A bot that is blocked in a write to a full pipe would never see that its input has ended. With the reading
        // end closed, the write fails (EPIPE) or ends the bot (SIGPIPE).
        self.close_output();
        // Waiting for the process alone would deadlock with a bot that logs a lot while it leaves: it blocks
        // on its full standard error, and the referee waits until the grace is over.
        let slice = Duration::from_millis(20);
        loop {
            let patience = deadline.saturating_duration_since(Instant::now()).min(slice);
            let ended = self.wait(patience)?.is_some();
            self.drain_stderr(&mut each)?;
            if ended || patience.is_zero() {
                return self.kill();
            }
        }
    }

    fn kill(&mut self) -> io::Result<()> {
        // The supervisor must not be killed before it has swept: its death makes the bot's processes children
        // of init, and then their parent no longer tells that they belong to this bot.
        if self.cleanup == Cleanup::Supervisor && self.wait(Duration::ZERO)?.is_none() {
            self.signal(Ending::Politely);
            self.wait(PATIENCE_WITH_SUPERVISOR)?;
        }
        // Also if the bot itself has ended: its children may live on in the group.
        if self.cleanup == Cleanup::Group {
            self.signal(Ending::Group);
        }
        // A process that has been waited for has a number that may belong to another by now. `Child` remembers the exit
        // and sends nothing then.
        self.child.kill()?;
        self.child.wait().map(drop)
    }

    #[cfg(unix)]
    fn signal(&self, ending: Ending) {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else { return };
        // The supervisor has not been waited for, so its number is its own. A group keeps its number while any member
        // is left. Both calls fail only if no process is left, which is the aim.
        let _ = match ending {
            Ending::Politely => kill_process(pid, Signal::TERM),
            Ending::Group => kill_process_group(pid, Signal::KILL),
        };
    }

    #[cfg(not(unix))]
    fn signal(&self, _ending: Ending) {}
}

/// Two ways to end more than one process.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// Asks the supervisor to end its bot.
    Politely,
    /// Kills the group.
    Group,
}

/// A bot that was not ended in an orderly way, as after an error, is killed.
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
