//! One bot: its process, its pipes, and what has been said through them.

use std::io;
use std::process::ExitStatus;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

#[cfg(not(target_os = "wasi"))]
use wait_timeout::ChildExt;

use super::cpu::Usage;
#[cfg(target_os = "linux")]
use super::fresh_folder::FreshFolder;
use super::inbox::{Inbox, MOST_SAID};
use super::launch::{Channel, Started};
use super::link::Link;
use super::pipe::{Came, Took};
use super::supervisor_report::SupervisorReport;
use super::system::{Child, Group};
use super::tail::{KEPT, Tail};
use super::{Launch, Program, StartError};

/// The time that a supervisor may take to end everything its bot has started: a little more than the supervisor's own
/// limits (50 ms after TERM, 2 s for the killing) take together. A supervisor that is killed sweeps nothing.
const PATIENCE_WITH_SUPERVISOR: Duration = Duration::from_secs(3);

/// The poll interval for the end of a bot.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

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
    pub(super) log: Tail,
    channel: Option<Channel>,
    #[cfg(target_os = "linux")]
    folder: Option<FreshFolder>,
    /// Whether what its supervisor may have left behind has been looked for.
    #[cfg(target_os = "linux")]
    is_cleaned_up: bool,
}

/// The means to end the processes that a bot has started.
#[derive(Debug)]
enum Cleanup {
    /// The child is a supervisor, which ends them.
    Supervisor,
    /// They are in a group of their own, unless they have left it.
    Group(Group),
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
        let Started {
            mut child,
            channel,
            #[cfg(target_os = "linux")]
            folder,
        } = launch.spawn(program)?;
        let prepared = match launch.supervisor {
            Some(_) => Ok(Cleanup::Supervisor),
            None if program.on_terminal => Ok(Cleanup::None),
            None => Group::of(&child).map(Cleanup::Group),
        };
        let prepared = prepared.and_then(|cleanup| Ok((cleanup, Link::to(&mut child, wake)?)));
        let (cleanup, link) = prepared.map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            #[cfg(target_os = "linux")]
            {
                super::orphans::forget_supervisor(child.id());
                let _ = super::orphans::end_all();
                let _ = folder.as_ref().map(FreshFolder::remove);
            }
            StartError::of_supervisor(error)
        })?;
        Ok(Bot {
            child,
            cleanup,
            on_terminal: program.on_terminal,
            link,
            outbox: Vec::with_capacity(1024),
            inbox: Inbox::new(),
            output_closed: false,
            stderr_closed: false,
            log: Tail::new(KEPT),
            channel,
            #[cfg(target_os = "linux")]
            folder,
            #[cfg(target_os = "linux")]
            is_cleaned_up: false,
        })
    }

    pub(super) fn outbox(&mut self) -> &mut Vec<u8> {
        &mut self.outbox
    }

    pub(super) fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// Returns the number of the process that was started: the bot's, or its supervisor's.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
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

    /// Returns all reports of the supervisor so far.
    pub(super) fn reports(&mut self) -> &[SupervisorReport] {
        match &mut self.channel {
            Some(channel) => {
                channel.receive();
                channel.reports()
            }
            None => &[],
        }
    }

    /// Returns what the bot has used too much of, so that its supervisor has ended it; `None` if it was not ended for that.
    ///
    /// # Errors
    /// If the bot could not be started.
    pub(super) fn used_too_much(&mut self) -> Result<Option<String>, StartError> {
        for report in self.reports() {
            if let SupervisorReport::MachineFailed(why) = report {
                return Err(StartError::of_machine(why.clone()));
            } else if let SupervisorReport::NotStarted(why) = report {
                return Err(StartError::of_program(why.clone()));
            } else if let SupervisorReport::UsedTooMuch(what) = report {
                return Ok(Some(what.clone()));
            }
        }
        Ok(None)
    }

    /// Returns the folder that the supervisor could not remove, and why; `None` if it has removed it.
    pub(super) fn remains(&mut self) -> Option<String> {
        self.reports().iter().find_map(|report| {
            if let SupervisorReport::NotRemoved(what) = report {
                Some(what.clone())
            } else {
                None
            }
        })
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

    /// Reads what the bot has said into `buffer`, past its inbox.
    pub(super) fn read_output(&mut self, buffer: &mut [u8]) -> io::Result<Came> {
        if self.output_closed {
            return Ok(Came::End);
        }
        let came = self.link.read_stdout(buffer)?;
        self.output_closed = came == Came::End;
        Ok(came)
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

    /// Returns how the bot ended, or `None` if it has not after `patience`. It may be known before its supervisor ends,
    /// which removes its files last.
    pub(super) fn wait_for_its_end(
        &mut self,
        patience: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        let began = Instant::now();
        loop {
            let left = patience.saturating_sub(began.elapsed());
            if let Some(status) = self.wait(left.min(BETWEEN_LOOKS))? {
                return Ok(Some(status));
            }
            #[cfg(target_os = "linux")]
            for report in self.reports() {
                use std::os::unix::process::ExitStatusExt;
                if let SupervisorReport::Ended(status) = report {
                    return Ok(Some(ExitStatus::from_raw(*status)));
                }
            }
            if left.is_zero() {
                return Ok(None);
            }
        }
    }

    /// Returns the processor time the bot has used so far; `None` where that is unknown. Of a bot that has ended, it is
    /// what the supervisor has reported by the last [`Bot::reports`].
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        // Of processes that have ended, `/proc` says nothing: their supervisor has waited for them.
        for report in self.channel.iter().flat_map(Channel::reports) {
            if let SupervisorReport::Computed(time) = report {
                return Some(*time);
            }
        }
        match &self.cleanup {
            Cleanup::Supervisor => Some(self.usage()?.total()),
            Cleanup::Group(group) => group.cpu_time(),
            Cleanup::None => None,
        }
    }

    /// Returns the processor time that the bot's processes have used so far; `None` where that is unknown.
    pub(super) fn usage(&self) -> Option<Usage> {
        match self.cleanup {
            #[cfg(target_os = "linux")]
            Cleanup::Supervisor => {
                let pid = i32::try_from(self.child.id()).ok();
                pid.and_then(rustix::process::Pid::from_raw)
                    .map(Usage::of_descendants)
            }
            #[cfg(not(target_os = "linux"))]
            Cleanup::Supervisor => None,
            Cleanup::Group(_) | Cleanup::None => None,
        }
    }

    /// Returns whether the bot's processes can be stopped. A person is not stopped, and only a supervisor can.
    pub(super) fn can_be_stopped(&self) -> bool {
        !self.on_terminal && self.channel.is_some()
    }

    /// Stops all processes of the bot.
    pub(super) fn stop(&mut self) {
        if let Some(channel) = &mut self.channel {
            channel.stop();
        }
    }

    /// Lets all processes of the bot continue, and waits until they do.
    pub(super) fn resume(&mut self) {
        if let Some(channel) = &mut self.channel {
            channel.resume();
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
    /// then kills it and what it has started. Returns whether all of that is gone, as far as is known.
    pub(super) fn end(
        &mut self,
        deadline: Instant,
        mut each: impl FnMut(&[u8]),
    ) -> io::Result<Swept> {
        // A bot that is blocked in a write to a full pipe would never see that its input has ended. With the reading
        // end closed, the write fails (EPIPE) or ends the bot (SIGPIPE).
        self.close_output();
        // Waiting for the process alone would deadlock with a bot that logs a lot while it leaves: it blocks
        // on its full standard error, and the referee waits until the grace is over.
        let slice = Duration::from_millis(20);
        loop {
            let patience = deadline
                .saturating_duration_since(Instant::now())
                .min(slice);
            let ended = self.wait(patience)?.is_some();
            self.drain_stderr(&mut each)?;
            if ended || patience.is_zero() {
                return self.kill();
            }
        }
    }

    fn kill(&mut self) -> io::Result<Swept> {
        let mut swept = Swept::Yes;
        // The supervisor must not be killed before it has swept: its death makes the bot's processes children
        // of the referee, and then their parent no longer tells that they belong to this bot.
        if self.is_supervised() && self.wait(Duration::ZERO)?.is_none() {
            #[cfg(target_os = "linux")]
            self.ask_supervisor_to_end();
            if self.wait(PATIENCE_WITH_SUPERVISOR)?.is_none() {
                swept = self.sweep_for_supervisor();
            }
        }
        // Also if the bot itself has ended: its children may live on in the group.
        if let Cleanup::Group(group) = &self.cleanup {
            group.kill();
        }
        // A process that has been waited for has a number that may belong to another by now. `Child` remembers the exit
        // and sends nothing then.
        self.child.kill()?;
        self.child.wait()?;
        Ok(self.clean_up_after_supervisor().unwrap_or(swept))
    }

    /// Ends what the bot has started, in place of a supervisor that takes too long.
    #[cfg(target_os = "linux")]
    fn sweep_for_supervisor(&self) -> Swept {
        let pid = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        if pid.is_some_and(super::orphans::end_below) {
            Swept::Yes
        } else {
            Swept::Unknown
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn sweep_for_supervisor(&self) -> Swept {
        Swept::Unknown
    }

    /// Ends and removes what is left after the supervisor has ended, if it may not have done so itself.
    /// Returns whether all is gone; `None` if there was nothing to do.
    #[cfg(target_os = "linux")]
    fn clean_up_after_supervisor(&mut self) -> Option<Swept> {
        if !self.is_supervised() || self.is_cleaned_up {
            return None;
        }
        self.is_cleaned_up = true;
        super::orphans::forget_supervisor(self.child.id());
        // The last thing that a supervisor says is how much its bot has computed, after it has ended all of it. One that
        // has not started its bot leaves by itself.
        let has_swept = self
            .reports()
            .iter()
            .any(|report| matches!(report, SupervisorReport::Computed(_)));
        let all_ended = has_swept || super::orphans::end_all();
        if !has_swept {
            super::orphans::remove_group_of(self.child.id());
        }
        // Most of the time it is gone, or cannot be removed, which the supervisor has said.
        let _ = self.folder.take().map(|folder| folder.remove());
        (!has_swept).then_some(if all_ended {
            Swept::Yes
        } else {
            Swept::Unknown
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn clean_up_after_supervisor(&mut self) -> Option<Swept> {
        None
    }

    /// Asks the supervisor to end its bot.
    #[cfg(target_os = "linux")]
    fn ask_supervisor_to_end(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        // It has not been waited for, so its number is its own.
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
    }

    fn is_supervised(&self) -> bool {
        matches!(self.cleanup, Cleanup::Supervisor)
    }
}

/// Whether the processes that a bot has started have ended with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swept {
    /// As far as there is a way to know.
    Yes,
    /// Its supervisor took too long and was killed, so some may be left.
    Unknown,
}

/// A bot that was not ended in an orderly way, as after an error, is killed.
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
