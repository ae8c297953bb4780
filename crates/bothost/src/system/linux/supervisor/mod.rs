//! The supervisor: a small process between the referee and each bot. It is the referee's own
//! executable, started again, so that the referee does not have to fork. It ends every process the
//! bot has started once the bot exits, the referee asks for it, or the referee dies, and passes on
//! how the bot ended. The bot uses the supervisor's standard streams, of which the supervisor keeps
//! none: it costs nothing in a game.

pub(crate) mod calls;
mod channel;
mod start;
pub(crate) mod startup;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, PipeReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, wait};

use self::channel::STOP;
pub(crate) use self::channel::{Channel, Task};
use self::startup::{NOT_STARTED, UNKNOWN, reported_status};
use crate::program::{BotProgram, StartError};
use crate::supervisor_report::SupervisorReport;
use crate::system::cgroup::{Controller, Group, Thrashing};
use crate::system::confine::folder::FreshFolder;
use crate::system::confine::limits;
use crate::system::confine::usage::{Use, has_too_many_watches};
use crate::system::out_of_memory::{self, Kills, Score};
use crate::system::{hear_all_signals, namespaces, proc, survive_file_size_limit};
use crate::text;

/// Time that killed processes may take to disappear. Only one that is stuck in the kernel takes
/// longer, and no signal helps against that.
const PATIENCE_WITH_DEATH: Duration = Duration::from_secs(2);

/// The time that a bot may take to leave after TERM. It has had its grace before; this is for
/// closing files.
const AFTER_TERM: Duration = Duration::from_millis(50);

/// Time after its bot at which a child may leave without counting as left behind.
const AFTER_BOT: Duration = Duration::from_millis(200);

/// The length of the reason for which there is no bot, in characters.
const LONGEST_REASON: usize = 1024;

/// Number of processes left behind that are listed. All of their names have to fit into the
/// channel: nobody may read it yet.
const MOST_NAMES: usize = 100;

/// Time between two counts of the memory and threads of a sandboxed bot. A count reads all of
/// `/proc`, which is too much to do more often; a bot that takes memory as fast as it can gets far
/// beyond its limit in more time.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Number of bytes that the largest process of a bot may have in common with other programs, such
/// as libraries.
const SHARED_BY_LARGEST: u64 = 16 << 20;

/// Number of searches for new descendants, if the kernel does not signal them in one pass. A bot
/// that forks faster than it is stopped is found again by the next look of the referee.
const ROUNDS: usize = 20;

/// Supervises the program that the `words` name, as `task` says, until all its processes have
/// ended. Returns the exit status to leave with; how the bot ended is reported.
pub(super) fn supervise(task: &Task, mut words: impl Iterator<Item = OsString>) -> u8 {
    // Whoever starts bots may have blocked signals, which is inherited.
    hear_all_signals();
    // A full file must not end the supervisor before its bot.
    let _ = survive_file_size_limit();
    let Ok(channel) = calls::inherited(task.channel).map(UnixStream::from) else {
        return NOT_STARTED;
    };
    let program = BotProgram {
        file: words.next().unwrap_or_default(),
        arguments: words.collect(),
        folder: task.start_in.clone().map(PathBuf::from),
        on_terminal: task.on_terminal,
        advice: task.advice.clone(),
        ..BotProgram::default()
    };
    match start::start(task, &program, &channel) {
        Ok(supervisor) => {
            if supervisor.watch() {
                0
            } else {
                UNKNOWN
            }
        }
        Err(error) => {
            // The referee may be gone. If it is not, it removes what this one cannot.
            if let Some(folder) = &task.writable {
                let _ = FreshFolder::at(folder.into()).remove();
            }
            channel::send(&channel, &not_started(&error));
            NOT_STARTED
        }
    }
}

/// Returns the report of a supervisor without a bot.
fn not_started(error: &StartError) -> SupervisorReport {
    let why = text::cut(&text::shown(error.to_string().as_bytes()), LONGEST_REASON);
    SupervisorReport {
        not_started: Some(if error.is_of_machine() {
            StartError::of_machine(why)
        } else {
            StartError::of_program(why)
        }),
        ..SupervisorReport::default()
    }
}

struct Supervisor<'t> {
    task: &'t Task,
    group: Group,
    thrashing: Thrashing,
    referee: OwnedFd,
    /// The bot, or the first process of its namespaces.
    bot: Pid,
    /// Where the first process of the bot's namespaces reports the end of the bot.
    reported: Option<PipeReader>,
    /// The exit status of the bot; `None` while it lives.
    bot_status: Option<ExitStatus>,
    /// Readable once the referee wants the bot gone.
    signals: UnixStream,
    /// Readable after a descendant has ended.
    children: UnixStream,
    /// Whether this process can signal its descendants only.
    scoped: bool,
    score: Score,
    /// The number of processes that the kernel has ended for want of memory.
    kills: Kills,
    channel: &'t UnixStream,
    report: SupervisorReport,
    /// Whether the bot is stopped.
    is_stopped: bool,
}

/// The reason why a bot is to be ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// It has ended by itself.
    OfBot,
    /// The referee, which lives, wants it gone.
    Asked,
    RefereeGone,
    /// It has taken more than its sandbox allows.
    TooMuch(String),
}

impl Supervisor<'_> {
    /// Supervises until the bot is to end, and ends it. Reports what there is to say of it, and
    /// returns whether it is known how the bot ended.
    fn watch(mut self) -> bool {
        let end = self.wait_for_an_end();
        if end == End::OfBot && self.task.lists_left_behind {
            self.report.left_behind = Some(self.left_behind());
            self.send_report();
        }
        if end == End::Asked {
            self.ask_to_leave();
        }
        let has_ended_all = self.end_everything();
        self.report.used_too_much = match end {
            End::TooMuch(excess) => Some(excess),
            // In the moment in which it has run out of something it may end by itself.
            End::OfBot => self.excess_by_group().or_else(|| self.excess_at_kill()),
            End::Asked | End::RefereeGone => None,
        };
        // After all of them have ended, and before this process does: the referee reads it then.
        // Otherwise it looks for what is left.
        if has_ended_all {
            self.report.computed = Some(proc::of_ended_children());
        }
        self.report.ended = self.bot_status.map(ExitStatusExt::into_raw);
        self.send_report();
        if let Some(folder) = &self.task.writable
            && let Err(error) = FreshFolder::at(folder.into()).remove()
        {
            self.report.not_removed = Some(format!("{}: {error}", folder.display()));
            self.send_report();
        }
        self.report.ended.is_some()
    }

    /// Gives the bot a chance to leave by itself. Only if the referee, which lives, wants that: an
    /// orphan of a dead referee and a bot that takes too much are killed at once.
    fn ask_to_leave(&mut self) {
        // While it is stopped a process gets no signal but KILL.
        if self.is_stopped {
            self.stop(false);
        }
        let mut bot = Some(self.bot);
        if self.reported.is_some() {
            // The first one that it has started.
            bot = proc::children_of(self.bot).first().copied();
        }
        let _ = bot.map(|bot| kill_process(bot, Signal::TERM));
        let began = Instant::now();
        while self.reap() && self.bot_status.is_none() && began.elapsed() < AFTER_TERM {
            self.wait_a_moment();
        }
    }

    fn send_report(&self) {
        channel::send(self.channel, &self.report);
    }

    /// Waits until there is a reason to end the bot, and reaps its orphans meanwhile.
    fn wait_for_an_end(&mut self) -> End {
        let look = self.task.sandbox.as_ref();
        let look = look.and_then(|_| Timespec::try_from(BETWEEN_LOOKS).ok());
        let mut looked = Instant::now();
        while self.bot_status.is_none() {
            let mut watched = [
                // A descriptor of a process is readable when the process has ended, however it
                // ended. The signal that a parent's death can send (PR_SET_PDEATHSIG) is not a
                // substitute: it comes when the thread that started the child ends.
                PollFd::new(&self.referee, PollFlags::IN),
                PollFd::new(&self.signals, PollFlags::IN),
                PollFd::new(&self.children, PollFlags::IN),
                PollFd::new(self.channel, PollFlags::IN),
            ];
            match poll(&mut watched, look.as_ref()) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                // Unable to watch, it must not leave the bot running unwatched.
                Err(_) => return End::RefereeGone,
            }
            let [is_gone, asks, ended, orders] =
                watched.map(|watched| !watched.revents().is_empty());
            // First: after the death of the referee there is no time to be polite.
            if is_gone {
                return End::RefereeGone;
            }
            if asks {
                return End::Asked;
            }
            if orders && self.follow_order().is_err() {
                return End::RefereeGone;
            }
            if ended {
                // The pipe is emptied before the reaping: a child that ends in between writes to it
                // again, and the next poll returns. The other way round its signal would be lost.
                while let Ok(1..) = self.children.read(&mut [0; 64]) {}
                self.reap();
            }
            // By the clock and not by the timeout of poll: a bot whose children end all the time
            // never lets that run out.
            if look.is_some() && looked.elapsed() >= BETWEEN_LOOKS {
                looked = Instant::now();
                self.kills.look();
                if let Some(excess) = self.excess() {
                    return End::TooMuch(excess);
                }
            }
        }
        End::OfBot
    }

    /// Stops the bot, or lets it continue, as the referee orders.
    ///
    /// # Errors
    /// If there is no referee any more.
    fn follow_order(&mut self) -> io::Result<()> {
        let mut order = [0];
        self.channel.read_exact(&mut order)?;
        self.stop(order == [STOP]);
        self.report.orders += 1;
        self.send_report();
        Ok(())
    }

    /// Stops all descendants of this process, or lets them continue.
    fn stop(&mut self, stops: bool) {
        self.is_stopped = stops;
        // By the kernel's freezer, none of them can wake another. By a signal, those stop too that
        // are in another group. The signal to continue comes first: it takes back the one to stop,
        // and nothing runs before all may.
        if stops {
            self.group.freeze(true);
            self.signal_all(Signal::STOP);
        } else {
            self.signal_all(Signal::CONT);
            self.group.freeze(false);
        }
    }

    /// Sends all descendants of this process a signal.
    fn signal_all(&self, signal: Signal) {
        if self.scoped {
            // kill(-1): rustix has no name for it, but it negates the number of the group, and that
            // of init is 1. The call signals every process that this one may signal, except itself,
            // in one pass inside the kernel; a fork that is under way begins again after the
            // signal, so no child is missed. In the scope these are the descendants; without the
            // scope it would reach the user's whole login.
            let _ = kill_process_group(Pid::INIT, signal);
            return;
        }
        let mut signalled = HashSet::new();
        for _ in 0..ROUNDS {
            let mut new = proc::descendants_of(getpid());
            new.retain(|pid| signalled.insert(*pid));
            if new.is_empty() {
                return;
            }
            for pid in new {
                let _ = kill_process(pid, signal);
            }
        }
    }

    /// Returns the limit of its sandbox that the bot has broken; `None` if it keeps them.
    fn excess(&mut self) -> Option<String> {
        let sandbox = self.task.sandbox.as_ref()?;
        let excess = self.excess_by_group();
        if excess.is_some() {
            return excess;
        }
        if self.thrashing.look(&self.group) {
            return Some(limits::too_much_memory(sandbox));
        }
        // Resources that the kernel limits need not be counted.
        if self.group.has(Controller::Memory) && self.group.has(Controller::Pids) {
            let processes = proc::listed_descendants_of(getpid());
            return has_too_many_watches(&processes).then(limits::too_many_watches);
        }
        let mut processes = proc::descendants_of(getpid());
        let mut room = 0;
        if self.reported.is_some() {
            // The first process of a namespace is not the bot's.
            processes.retain(|pid| *pid != self.bot);
            room = namespaces::room_in(sandbox);
        }
        let used = Use::of(&processes, room, sandbox.memory);
        self.score.follow(used.memory, sandbox.memory, &processes);
        used.excess(sandbox, &self.group)
    }

    /// Finds out whether the kernel has ended the bot since the machine ran out of memory, which is
    /// reported. Returns the limit that the bot has broken if it is to blame for that.
    fn excess_at_kill(&mut self) -> Option<String> {
        if !self
            .bot_status
            .is_some_and(|status| self.kills.explain(status))
        {
            return None;
        }
        let largest = proc::largest_of_ended_children();
        let sandbox = self.task.sandbox.as_ref();
        // Outside of a sandbox the bot has no limit, and most of the memory is more than its share.
        let limit = sandbox.map_or(out_of_memory::memory_of_machine() / 2, |it| it.memory);
        if largest <= limit.saturating_add(SHARED_BY_LARGEST) {
            self.report.ended_for_memory = true;
            return None;
        }
        sandbox.map(limits::too_much_memory)
    }

    /// Returns the limit at which the kernel has stopped the bot.
    fn excess_by_group(&self) -> Option<String> {
        let sandbox = self.task.sandbox.as_ref()?;
        if self.group.ran_out_of_tasks() {
            return Some(limits::too_many_tasks(sandbox));
        }
        let ran_out = self.group.ran_out_of_memory();
        ran_out.then(|| limits::too_much_memory(sandbox))
    }

    /// Returns the names of the processes that the bot has left behind. Those that end a moment
    /// after it count as ended.
    fn left_behind(&mut self) -> Vec<String> {
        let began = Instant::now();
        // A shell that is killed together with its pipeline ends a moment before the rest of it.
        while self.reap() && began.elapsed() < AFTER_BOT {
            self.wait_a_moment();
        }
        proc::descendants_of(getpid())
            .into_iter()
            .filter_map(proc::name_of)
            .take(MOST_NAMES)
            .collect()
    }

    /// Kills all descendants of this process, and waits until they have ended. Returns whether none
    /// is left.
    fn end_everything(&mut self) -> bool {
        let began = Instant::now();
        // Reaping first keeps the true status of a bot that has ended by itself. Then kill and reap
        // by turns: a process that forks while it is being killed leaves a child that only the next
        // round finds.
        while self.reap() {
            if began.elapsed() > PATIENCE_WITH_DEATH {
                return false;
            }
            // First what needs no look at anything, so that it comes in time however busy the bot
            // keeps the machine. With the first process of a namespace the kernel ends all others
            // there.
            self.group.kill();
            if self.reported.is_some() && self.bot_status.is_none() {
                let _ = kill_process(self.bot, Signal::KILL);
            }
            self.signal_all(Signal::KILL);
            self.wait_a_moment();
        }
        true
    }

    /// Reaps descendants that have ended. Returns whether any are left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                // `wait` returns adopted orphans in any order. Only the bot's own status is passed
                // on.
                Ok(Some((pid, status))) if pid == self.bot => {
                    let status = ExitStatus::from_raw(status.as_raw());
                    let of_bot = self.reported.as_ref().and_then(reported_status);
                    self.bot_status = Some(of_bot.unwrap_or(status));
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    fn wait_a_moment(&self) {
        // A poll and not a sleep: SIGCHLD interrupts it, so the wait ends with the process it is
        // for. std restarts a sleep that is interrupted.
        let mut nothing = [PollFd::new(&self.signals, PollFlags::empty())];
        let millisecond = Timespec::try_from(Duration::from_millis(1)).ok();
        let _ = poll(&mut nothing, millisecond.as_ref());
    }
}
