//! A bot's process on Linux, or its supervisor: how it is started, watched and ended.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use crate::supervisor_report::SupervisorReport;
use crate::system::{Group, Streams, Usage, Waiter, inherited_by};
use crate::{BotProgram, Launch, Sandbox, SandboxKind, StartError, own_program};

use super::confine::folder::FreshFolder;
use super::orphans;
use super::running::Running;
use super::start::{patiently, pipes_of, prepare, start};
use super::supervisor::{Channel, Task};

/// The time that a supervisor may take to end everything its bot has started: a little more than the supervisor's own
/// limits (50 ms after TERM, 2 s for the killing) take together. A supervisor that is killed ends nothing.
const PATIENCE_WITH_SUPERVISOR: Duration = Duration::from_secs(3);

/// The process of a bot, or that of its supervisor.
#[derive(Debug)]
pub(crate) struct Process {
    running: Running,
    supervised: Option<Supervised>,
    /// Of a bot without a supervisor; `None` if a person uses it at the terminal, since a background group is stopped
    /// (SIGTTIN) when it reads from there.
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
        let (mut supervised, mut group) = (None, None);
        let (running, pipes) = if let Some(local) = &program.local {
            Running::local(local).map_err(StartError::of_supervisor)?
        } else {
            let (resolved, besides) = launch.resolve(program)?;
            let mut child = if let Some(referee) = &launch.supervisor {
                let (child, of_child) = start_supervised(referee, &resolved, launch, besides)?;
                supervised = Some(of_child);
                child
            } else {
                let child = start(launch, &resolved)?;
                if !program.on_terminal {
                    group = Group::of(&child).ok();
                }
                child
            };
            let pipes = pipes_of(&mut child);
            (Running::Process(child), pipes)
        };
        let process = Process {
            running,
            supervised,
            group,
        };
        let exit = process
            .pid()
            .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let streams = Streams::new(pipes, exit, waiter).map_err(StartError::of_supervisor)?;
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

    /// Returns how the process that was started ended; `None` if it is still there after `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        self.running.wait(patience)
    }

    /// Returns how the bot ended, if that is known. It may be before its supervisor ends, which removes its files last.
    pub(crate) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if let Some(status) = self.wait(Duration::ZERO)? {
            return Ok(Some(status));
        }
        let ended = self.report().and_then(|report| report.ended);
        Ok(ended.map(ExitStatus::from_raw))
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

    /// The processor time that the bot has used so far; `None` where that is unknown. Of a bot that has ended, it is what the
    /// supervisor had reported by the last look at the reports: `/proc` says nothing about processes that were waited for.
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
        self.supervised.iter_mut().for_each(|it| it.channel.stop());
    }

    /// Lets all processes of the bot continue, and waits until they do.
    pub(crate) fn resume(&mut self) {
        self.supervised
            .iter_mut()
            .for_each(|it| it.channel.resume());
    }

    /// Kills the process and what it has started. Returns whether all of that is gone, as far as there is a way to know.
    pub(crate) fn end(&mut self) -> io::Result<bool> {
        let mut all_ended = true;
        // The supervisor must not be killed before it has ended them: its death makes the bot's processes children
        // of the referee, and then their parent no longer tells that they belong to this bot.
        if self.supervised.is_some() && self.wait(Duration::ZERO)?.is_none() {
            // It has not been waited for, so its number is its own.
            let _ = self.pid().map(|pid| kill_process(pid, Signal::TERM));
            if self.wait(PATIENCE_WITH_SUPERVISOR)?.is_none() {
                all_ended = self.pid().is_some_and(orphans::end_below);
            }
        }
        // Also if the bot itself has ended: its children may live on in the group.
        self.group.iter().for_each(Group::kill);
        self.running.kill()?;
        Ok(self.clean_up().unwrap_or(all_ended))
    }

    /// Ends and removes what is left after the supervisor has ended, if it may not have done so itself.
    /// Returns whether all is gone; `None` if there was nothing to do.
    fn clean_up(&mut self) -> Option<bool> {
        let id = self.running.id();
        let it = self.supervised.as_mut().filter(|it| !it.is_cleaned_up)?;
        it.is_cleaned_up = true;
        orphans::forget_supervisor(id);
        it.channel.receive();
        // A supervisor reports how much its bot has computed after it has ended all of it. One that
        // has not started its bot leaves by itself.
        let has_ended = it.channel.report.computed.is_some();
        let all_ended = has_ended || orphans::end_all();
        if !has_ended {
            orphans::remove_group_of(id);
        }
        // Most of the time it is gone, or cannot be removed, which the supervisor has reported.
        let _ = it.folder.take().map(|folder| folder.remove());
        (!has_ended).then_some(all_ended)
    }
}

/// Starts a supervisor for `program`, which may have `besides` bytes of memory more than the sandbox allows.
fn start_supervised(
    referee: &Path,
    program: &BotProgram,
    launch: &Launch,
    besides: u64,
) -> Result<(Child, Supervised), StartError> {
    // The referee's own executable is started, so any error is the machine's: the program itself has not been
    // tried.
    let (channel, reporter) = Channel::new().map_err(StartError::of_supervisor)?;
    let mut command = Command::new(referee);
    prepare(launch, &mut command, program);
    let mut task = Task {
        referee: std::process::id(),
        reporter: Some(reporter.number()),
        start_in: program.folder.clone().map(OsString::from),
        advice: program.advice.clone(),
        on_terminal: program.on_terminal,
        lists_left_behind: launch.lists_left_behind,
        ..Task::default()
    };
    let mut folder = None;
    // A person at the terminal is not confined: the process needs the terminal, which a sandbox takes away.
    if let Some(sandbox) = launch.sandbox.as_ref().filter(|_| !program.on_terminal) {
        // Absolute, since the supervisor starts in the bot's folder.
        let allow = sandbox.allow.iter().map(std::path::absolute);
        let allow = allow.collect::<io::Result<_>>();
        task.sandbox = Some(Sandbox {
            allow: allow.map_err(StartError::of_supervisor)?,
            memory: sandbox.memory.saturating_add(besides),
            // The one that runs a module.
            threads: sandbox.threads + u64::from(besides > 0),
            hide: [&sandbox.hide[..], &program.view.hidden].concat(),
            // A closed view shows neither.
            instead: if program.view.is_closed() {
                Vec::new()
            } else {
                program.view.instead.clone()
            },
            closed: program.view.is_closed(),
            ..sandbox.clone()
        });
        if sandbox.kind == SandboxKind::LandlockOnly {
            let folder = folder.insert(FreshFolder::make().map_err(StartError::of_supervisor)?);
            task.writable = Some(folder.path().into());
        }
    }
    command
        .args(["supervise", &task.to_argument()])
        .arg(&program.file)
        .args(&program.arguments);
    let lent = [reporter.descriptor()];
    let started =
        patiently(|| orphans::start_supervisor(|| inherited_by(&lent, || command.spawn())));
    if started.is_err()
        && let Some(folder) = &folder
    {
        let _ = folder.remove();
    }
    let child = started.map_err(|error| {
        // It may have been replaced since it was looked at.
        let replaced = own_program::is_there(referee).err();
        replaced.unwrap_or_else(|| StartError::of_supervisor(error))
    })?;
    let supervised = Supervised {
        channel,
        folder,
        is_cleaned_up: false,
    };
    Ok((child, supervised))
}

/// A bot that was not ended in an orderly way, as after an error, is killed.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
