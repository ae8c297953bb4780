//! A bot's process where there are no supervisors: macOS and Windows.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::running::Running;
use super::start::start;
use super::{Group, Streams, Waiter};
use crate::{BotProgram, Launch, StartError};

/// The process of a bot.
#[derive(Debug)]
pub(crate) struct Process {
    running: Running,
    /// `None` if a person uses it at the terminal, which belongs to the referee's group.
    group: Option<Group>,
}

impl Process {
    /// Starts `program`; returns the referee's ends of its pipes too.
    pub(crate) fn start(
        program: &BotProgram,
        launch: &Launch,
        waiter: &Waiter,
    ) -> Result<(Process, Streams), StartError> {
        let (running, pipes) = if let Some(local) = &program.local {
            Running::local(local)?
        } else {
            Running::process(start(launch, &launch.resolve(program)?.0)?)
        };
        // Before anything else can fail: what is dropped is ended.
        let mut process = Process {
            running,
            group: None,
        };
        if let Running::Process(child) = &process.running
            && !program.on_terminal
        {
            process.group = Some(Group::of(child)?);
        }
        let streams = Streams::new(pipes, waiter)?;
        Ok((process, streams))
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.running.id()
    }

    /// Returns the process's status at its end; `None` if it is still there after `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        self.running.wait(patience)
    }

    /// The processor time that the bot has used so far; `None` where that is unknown.
    pub(crate) fn computed(&self) -> Option<Duration> {
        self.group.as_ref()?.cpu_time()
    }

    /// Kills the process and what is in its group. Nothing says whether more is left.
    pub(crate) fn end(&mut self) -> io::Result<bool> {
        self.group.iter().for_each(Group::kill);
        self.running.kill()?;
        Ok(true)
    }
}
