//! A bot's process on Linux, or its supervisor: how it is started, watched and ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, absolute};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use crate::supervisor_report::SupervisorReport;
use crate::system::{Group, Streams, Usage, Waiter, inherited_by};
use crate::{BotProgram, Launch, Sandbox, SandboxKind, StartError, own_program};

use super::confine::folder::FreshFolder;
use super::orphans;
use super::running::Running;
use super::start::{patiently, prepare, start};
use super::supervisor::{Channel, Task};

/// The time that a supervisor may take to end everything its bot has started: a little more than
/// the supervisor's own limits (50 ms after TERM, 2 s for the killing) take together. A supervisor
/// that is killed ends nothing.
const PATIENCE_WITH_SUPERVISOR: Duration = Duration::from_secs(3);

/// The process of a bot, or that of its supervisor.
#[derive(Debug)]
pub(crate) struct Process {
    running: Running,
    supervised: Option<Supervised>,
    /// Of a bot without a supervisor; `None` if a person uses it at the terminal, since a
    /// background group is stopped (SIGTTIN) when it reads from there.
    group: Option<Group>,
}

/// What belongs to a bot that has a supervisor.
#[derive(Debug)]
struct Supervised {
    channel: Channel,
    folder: Option<FreshFolder>,
    /// Whether what the supervisor may have left behind has been looked for.
    is_cleaned_up: bool,
}

impl Process {
    /// Starts `program`; returns the referee's ends of its pipes too.
    pub(crate) fn start(
        program: &BotProgram,
        launch: &Launch,
        waiter: &Waiter,
    ) -> Result<(Process, Streams), StartError> {
        let mut supervised = None;
        let mut group = None;
        let (running, pipes) = if let Some(local) = &program.local {
            Running::local(local)?
        } else {
            let (resolved, besides) = launch.resolve(program)?;
            let child = if let Some(referee) = &launch.supervisor {
                let (child, of_child) = start_supervised(referee, &resolved, launch, besides)?;
                supervised = Some(of_child);
                child
            } else {
                let child = start(launch, &resolved)?;
                group = Group::of(&child).ok().filter(|_| !program.on_terminal);
                child
            };
            Running::process(child)
        };
        let process = Process {
            running,
            supervised,
            group,
        };
        let exit = process
            .pid()
            .map(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let streams = Streams::new(pipes, exit.and_then(Result::ok), waiter)?;
        Ok((process, streams))
    }

    /// The number of the process that was started: the bot's, or its supervisor's.
    pub(crate) fn id(&self) -> u32 {
        self.running.id()
    }

    /// The same of a process; `None` for a thread of the referee.
    fn pid(&self) -> Option<Pid> {
        let Running::Process(child) = &self.running else {
            return None;
        };
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    /// Returns the bot's status at its end; `None` if that is not known after `patience`. It may be
    /// known before its supervisor ends, which removes its files last.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        let of_process = self.running.wait(patience)?;
        let reported = self.report().and_then(|report| report.ended);
        Ok(reported.map(ExitStatus::from_raw).or(of_process))
    }

    /// What the supervisor has reported so far; `None` if there is none.
    pub(crate) fn report(&mut self) -> Option<&SupervisorReport> {
        let channel = &mut self.supervised.as_mut()?.channel;
        channel.receive();
        Some(&channel.report)
    }

    /// What the bot's processes have used so far; `None` where that is unknown.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.supervised.as_ref()?;
        self.pid().map(Usage::of_descendants)
    }

    /// The processor time that the bot has used so far; `None` where that is unknown. Of a bot that
    /// has ended, it is what the supervisor had reported by the last look at the reports: `/proc`
    /// says nothing about processes that were waited for.
    pub(crate) fn computed(&self) -> Option<Duration> {
        let reported = self.supervised.as_ref()?.channel.report.computed;
        reported.or_else(|| Some(self.usage()?.total()))
    }

    /// Whether the bot's processes can be stopped and continued: a supervisor does that.
    pub(crate) fn can_be_suspended(&self) -> bool {
        self.supervised.is_some()
    }

    /// Stops all processes of the bot.
    pub(crate) fn suspend(&mut self) {
        if let Some(it) = &mut self.supervised {
            it.channel.stop();
        }
    }

    /// Stops all processes of the bot, and waits until they are.
    pub(crate) fn suspend_now(&mut self) {
        if let Some(it) = &mut self.supervised {
            it.channel.stop_now();
        }
    }

    /// Lets all processes of the bot continue, and waits until they do.
    pub(crate) fn resume(&mut self) {
        if let Some(it) = &mut self.supervised {
            it.channel.resume();
        }
    }

    /// Kills the process and what it has started. Returns whether all of that is gone, as far as
    /// there is a way to know.
    pub(crate) fn end(&mut self) -> io::Result<bool> {
        let mut all_ended = true;
        // The supervisor must not be killed before it has ended them: its death makes the bot's
        // processes children of the referee, and then their parent no longer tells that they belong
        // to this bot.
        if self.supervised.is_some()
            && let Some(supervisor) = self.pid()
            && self.running.wait(Duration::ZERO)?.is_none()
        {
            // It has not been waited for, so its number is its own.
            let _ = kill_process(supervisor, Signal::TERM);
            if self.running.wait(PATIENCE_WITH_SUPERVISOR)?.is_none() {
                all_ended = orphans::end_below(supervisor);
            }
        }
        // Also if the bot itself has ended: its children may live on in the group.
        self.group.iter().for_each(Group::kill);
        self.running.kill()?;
        if let Some(it) = self.supervised.as_mut().filter(|it| !it.is_cleaned_up) {
            it.is_cleaned_up = true;
            let supervisor = self.running.id();
            orphans::forget_supervisor(supervisor);
            it.channel.receive();
            // A supervisor reports how much its bot has computed after it has ended all of it. One
            // that has not started its bot leaves by itself.
            if it.channel.report.computed.is_none() {
                all_ended = orphans::end_all();
                orphans::remove_group_of(supervisor);
            }
            // Most of the time it is gone, or cannot be removed, which the supervisor has reported.
            let _ = it.folder.take().map(|folder| folder.remove());
        }
        Ok(all_ended)
    }
}

/// Starts a supervisor for `program`, which may have `besides` bytes of memory more than the
/// sandbox allows.
fn start_supervised(
    referee: &Path,
    program: &BotProgram,
    launch: &Launch,
    besides: u64,
) -> Result<(Child, Supervised), StartError> {
    let (channel, of_supervisor) = Channel::new()?;
    let mut task = Task {
        referee: std::process::id(),
        channel: of_supervisor.as_raw_fd(),
        start_in: program.folder.clone().map(OsString::from),
        advice: program.advice.clone(),
        on_terminal: program.on_terminal,
        lists_left_behind: launch.lists_left_behind,
        sandbox: None,
        writable: None,
    };
    let mut folder = None;
    // A person at the terminal is not confined: the process needs the terminal, which a sandbox
    // takes away.
    if let Some(sandbox) = launch.sandbox.as_ref().filter(|_| !program.on_terminal) {
        let view = &program.view;
        task.sandbox = Some(Sandbox {
            // Absolute, since the supervisor starts in the bot's folder.
            allow: sandbox
                .allow
                .iter()
                .map(absolute)
                .collect::<Result<_, _>>()?,
            memory: sandbox.memory.saturating_add(besides),
            // The one that runs a module.
            threads: sandbox.threads + u64::from(besides > 0),
            hide: [&sandbox.hide[..], &view.hidden].concat(),
            // A closed view shows neither.
            instead: if view.is_closed() {
                Vec::new()
            } else {
                view.instead.clone()
            },
            closed: view.is_closed(),
            ..sandbox.clone()
        });
        if sandbox.kind == SandboxKind::LandlockOnly {
            let folder = folder.insert(FreshFolder::make()?);
            task.writable = Some(folder.path().into());
        }
    }
    let mut command = Command::new(referee);
    prepare(launch, &mut command, program);
    command
        .arg("supervise")
        .arg(serde_json::to_string(&task).expect("any system's names can be written in JSON"))
        .arg(&program.file)
        .args(&program.arguments);
    let lent = [of_supervisor.as_fd()];
    let started =
        patiently(|| orphans::start_supervisor(|| inherited_by(&lent, || command.spawn())));
    match started {
        Ok(child) => Ok((
            child,
            Supervised {
                channel,
                folder,
                is_cleaned_up: false,
            },
        )),
        Err(error) => {
            let _ = folder.map(|folder| folder.remove());
            // The referee's own executable was started, so the machine is at fault: the program
            // itself has not been tried. The executable may have been replaced since it was looked
            // at.
            own_program::is_there(referee)?;
            Err(error.into())
        }
    }
}

/// A bot that was not ended in an orderly way, as after an error, is killed.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
