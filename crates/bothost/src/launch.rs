//! Starting bots: by way of a supervisor or directly, with what environment.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(super) use super::linux::supervisor::{Channel, Reporter, Task};
use super::own_program;
use super::person::{self, Handover};
use super::system::{self, Child, Group, inherited_by, variable};
use super::{Clock, Enforced, Program, Sandbox, StartError, WasmHost};
#[cfg(target_os = "linux")]
use super::{Walls, fresh_folder::FreshFolder, linux, orphans};
#[cfg(not(target_os = "linux"))]
pub(super) use no_channel::{Channel, Reporter};

/// The time that a bot may take to quit, unless [`Launch::grace`] says otherwise.
pub const GRACE: Duration = Duration::from_millis(500);

/// The way to read the pipes of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// By the thread that asks, which polls them.
    Polled,
    /// By threads of their own, as where a pipe cannot be polled.
    Threads,
}

/// The settings for starting bots and asking them.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The referee's own executable, which supervises each bot; `None` to start bots without supervision.
    pub supervisor: Option<PathBuf>,
    /// The way to read the pipes.
    pub pipes: Pipes,
    /// Whether the thread that starts bots binds itself to the core that it runs on, and so its bots. They take turns with
    /// it, and waking one on another core takes longer than a reply.
    pub pinned: bool,
    /// The time that a bot may take to quit before it is ended.
    pub grace: Duration,
    /// Variables of the environment that bots get besides the usual ones.
    pub environment: Vec<OsString>,
    /// The sandbox of the bots, which their supervisors enforce; `None` for the rules that cost nothing and always hold.
    pub sandbox: Option<Sandbox>,
    /// Whether bots may compute while they are not asked. Otherwise one that does is stopped until its next request.
    pub ponder: bool,
    /// The way to run bots that are WebAssembly modules; `None` to start them as any other program.
    pub wasm: Option<WasmHost>,
    /// Whether supervisors list the processes that their bots leave behind.
    pub lists_left_behind: bool,
}

impl Launch {
    /// Returns the way that fits this operating system best; `referee` is the referee's executable.
    #[must_use]
    pub fn supervised_by(referee: PathBuf) -> Launch {
        own_program::remember();
        Launch {
            supervisor: cfg!(target_os = "linux").then_some(referee),
            pipes: if cfg!(unix) {
                Pipes::Polled
            } else {
                Pipes::Threads
            },
            pinned: false,
            grace: GRACE,
            environment: Vec::new(),
            sandbox: None,
            ponder: false,
            wasm: None,
            lists_left_behind: false,
        }
    }

    /// Returns the way that works on every operating system: without a supervisor, with threads that read the pipes.
    #[must_use]
    pub fn portable() -> Launch {
        Launch {
            supervisor: None,
            pipes: Pipes::Threads,
            ..Launch::supervised_by(PathBuf::new())
        }
    }

    /// Tests whether the sandbox refuses what it has to; `None` if there is no sandbox.
    ///
    /// # Errors
    /// If something is possible in it that should not be, or if it is unavailable.
    pub fn test_sandbox(&self) -> Result<Option<Enforced>, StartError> {
        #[cfg(target_os = "linux")]
        if let (Some(sandbox), Some(referee)) = (&self.sandbox, &self.supervisor) {
            return linux::selftest::test(sandbox, referee).map(Some);
        }
        Ok(None)
    }

    /// Starts `program`, by way of a supervisor if there is one.
    pub(super) fn spawn(&self, program: &Program) -> Result<Started, StartError> {
        program.check()?;
        if let Some(host) = self.hosts(program) {
            let memory = self
                .sandbox
                .as_ref()
                .map_or(Sandbox::default().memory, |it| it.memory);
            return self.spawn_program(&host.hosting(program, memory), WasmHost::BESIDES);
        }
        self.spawn_program(program, 0)
    }

    /// The clock of `program`: fuel, if it is a module, else `clock`.
    #[must_use]
    pub fn clock_for(&self, program: &Program, clock: Clock) -> Clock {
        self.hosts(program).map_or(clock, |host| Clock::Fuel {
            millions: host.fuel,
        })
    }

    /// Returns what runs `program`, if it is a module.
    pub(super) fn hosts(&self, program: &Program) -> Option<&WasmHost> {
        self.wasm.as_ref().filter(|_| program.is_wasm())
    }

    /// Starts `program`, which may have `besides` bytes of memory more than the sandbox allows.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(unused_variables, reason = "there is no sandbox")
    )]
    fn spawn_program(&self, program: &Program, besides: u64) -> Result<Started, StartError> {
        for file in self
            .supervisor
            .iter()
            .map(PathBuf::as_path)
            .chain([Path::new(&program.file)])
        {
            own_program::is_there(file)?;
        }
        #[cfg(target_os = "linux")]
        if let Some(referee) = &self.supervisor {
            return self.spawn_supervised(referee, program, besides);
        }
        let mut command = system::command(program);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        if !program.on_terminal {
            Group::prepare(&mut command);
        }
        let streams = self.prepare(&mut command, program)?;
        let child = patiently(|| start(&mut command, &streams, None));
        let child = child.map_err(|error| StartError::new(program, error))?;
        Ok(Started {
            child,
            channel: None,
            #[cfg(target_os = "linux")]
            folder: None,
        })
    }

    #[cfg(target_os = "linux")]
    fn spawn_supervised(
        &self,
        referee: &Path,
        program: &Program,
        besides: u64,
    ) -> Result<Started, StartError> {
        // The referee's own executable is started, so any error is the machine's: the program itself has not been
        // tried.
        let (channel, reporter) = Channel::new().map_err(StartError::of_supervisor)?;
        let mut command = Command::new(referee);
        let streams = self.prepare(&mut command, program)?;
        let mut task = Task {
            referee: std::process::id(),
            reporter: Some(reporter.number()),
            start_in: program.folder.clone().map(OsString::from),
            on_terminal: program.on_terminal,
            lists_left_behind: self.lists_left_behind,
            sandbox: None,
            writable: None,
        };
        let mut folder = None;
        // A person at the terminal is not confined: the process needs the terminal, which a sandbox takes away.
        if let Some(sandbox) = self.sandbox.as_ref().filter(|_| !program.on_terminal) {
            // Absolute, since the supervisor starts in the bot's folder.
            let allow = sandbox
                .allow
                .iter()
                .map(std::path::absolute)
                .collect::<io::Result<_>>();
            task.sandbox = Some(Sandbox {
                allow: allow.map_err(StartError::of_supervisor)?,
                memory: sandbox.memory.saturating_add(besides),
                // The one that runs a module.
                threads: sandbox.threads + u64::from(besides > 0),
                ..program.sight.narrowed(sandbox)
            });
            if sandbox.walls == Walls::Rules {
                let folder = folder.insert(FreshFolder::make().map_err(StartError::of_supervisor)?);
                task.writable = Some(folder.path().into());
            }
        }
        command
            .args(["supervise", &task.to_argument()])
            .arg(&program.file)
            .args(&program.arguments);
        let started = patiently(|| {
            orphans::start_supervisor(|| start(&mut command, &streams, Some(&reporter)))
        });
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
        Ok(Started {
            child,
            channel: Some(channel),
            #[cfg(target_os = "linux")]
            folder,
        })
    }

    /// Gives `command` its pipes and its environment. Returns what it is to inherit besides.
    fn prepare(&self, command: &mut Command, program: &Program) -> Result<Handover, StartError> {
        // No `pre_exec` here, for anything: with one, std forks the referee, and copying the page tables of a
        // process with 1 GiB takes 50 ms for every start. Without one it uses posix_spawn, and what has to be
        // done between fork and exec is done by the supervisor.
        let streams = Handover::to(program).map_err(StartError::of_supervisor)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
            .env_clear()
            .envs(self.environment_for_bots())
            .envs(program.variables.iter().cloned());
        streams.name_in(command);
        Ok(streams)
    }

    /// Returns the environment of bots: what programs need to be found, to start and to use the user's language. A list
    /// of what passes and not of what does not, since the names of keys and tokens cannot be listed.
    fn environment_for_bots(&self) -> impl Iterator<Item = (OsString, OsString)> {
        // Python buffers its standard output by the block when it is a pipe. Without this, a bot that does not flush
        // loses its first game by timeout, and its author sees no reason why.
        let unbuffered = [("PYTHONUNBUFFERED".into(), "1".into())];
        let passed = |(name, _): &(OsString, OsString)| is_passed(name, &self.environment);
        std::env::vars_os().filter(passed).chain(unbuffered)
    }
}

/// Returns whether bots get the variable `name`, with those that they get `besides`.
fn is_passed(name: &OsStr, besides: &[OsString]) -> bool {
    let name = variable(name);
    let is_known = name.to_str().is_some_and(|name| {
        PASSED.contains(&name) || name.starts_with("LC_") || name.starts_with("PYENV_")
    });
    (is_known || besides.iter().any(|it| variable(it) == name)) && *name != *person::STREAMS
}

/// Starts `command`, which inherits these streams and the supervisor's end of its channel.
fn start(
    command: &mut Command,
    streams: &Handover,
    report: Option<&Reporter>,
) -> io::Result<Child> {
    let lent = streams.lent().chain(report.map(Reporter::descriptor));
    inherited_by(&lent.collect::<Vec<_>>(), || system::spawn(command))
}

/// Calls `spawn`; tries a few times if the machine has no process to spare, as when other lanes are ending bots that
/// had many. The fifth failure is reported.
fn patiently(mut spawn: impl FnMut() -> io::Result<Child>) -> io::Result<Child> {
    for _ in 0..4 {
        match spawn() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(50));
            }
            spawned => return spawned,
        }
    }
    spawn()
}

/// A bot that has been started, or its supervisor.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) channel: Option<Channel>,
    /// The folder into which a sandboxed bot may write, if that is a folder of the user's.
    #[cfg(target_os = "linux")]
    pub(super) folder: Option<FreshFolder>,
}

/// No bot has a supervisor here.
#[cfg(not(target_os = "linux"))]
mod no_channel {
    use crate::supervisor_report::SupervisorReport;

    #[derive(Debug)]
    pub(crate) enum Channel {}

    impl Channel {
        pub(crate) fn stop(&mut self) {
            match *self {}
        }

        pub(crate) fn resume(&mut self) {
            match *self {}
        }

        pub(crate) fn receive(&mut self) -> bool {
            match *self {}
        }

        pub(crate) fn reports(&self) -> &[SupervisorReport] {
            match *self {}
        }
    }

    pub(crate) enum Reporter {}

    impl Reporter {
        pub(crate) fn descriptor(&self) -> crate::system::Lent<'_> {
            match *self {}
        }
    }
}

/// The variables that bots get if the referee has them.
const PASSED: [&str; 38] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "LD_LIBRARY_PATH",
    "JAVA_HOME",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONHASHSEED",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NODE_PATH",
    "GOROOT",
    "DOTNET_ROOT",
    "RUST_BACKTRACE",
    // Few programs start on Windows without these.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86)",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "COMSPEC",
    "PATHEXT",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_passed_by_the_systems_names() {
        let passed = |name: &str| is_passed(OsStr::new(name), &["My_Key".into()]);
        for name in ["PATH", "LC_ALL", "My_Key"] {
            assert!(passed(name), "{name}");
        }
        // Windows writes some of its own so, and tells no names apart by the case of letters.
        for name in [
            "Path",
            "SystemRoot",
            "ComSpec",
            "ProgramFiles(x86)",
            "MY_KEY",
        ] {
            assert_eq!(passed(name), cfg!(windows), "{name}");
        }
        for name in ["SECRET_TOKEN", person::STREAMS] {
            assert!(!passed(name), "{name}");
        }
    }
}
