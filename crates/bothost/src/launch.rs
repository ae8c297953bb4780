//! Starting bots: by way of a supervisor or directly, with what environment.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::system::{self, Child, Group, variable};
use super::{Clock, Enforced, Program, Sandbox, StartError, WasmHost, own_program};

/// The time that a bot may take to quit, unless [`Launch::grace`] says otherwise.
pub const GRACE: Duration = Duration::from_millis(500);

/// The settings for starting bots and asking them.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The referee's own executable, which supervises each bot; `None` to start bots without supervision.
    pub supervisor: Option<PathBuf>,
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
            supervisor: system::SUPERVISES.then_some(referee),
            pinned: false,
            grace: GRACE,
            environment: Vec::new(),
            sandbox: None,
            ponder: false,
            wasm: None,
            lists_left_behind: false,
        }
    }

    /// Returns the way without supervisors.
    #[must_use]
    pub fn unsupervised() -> Launch {
        Launch {
            supervisor: None,
            ..Launch::supervised_by(PathBuf::new())
        }
    }

    /// Tests whether the sandbox refuses what it has to; `None` if there is no sandbox.
    ///
    /// # Errors
    /// If something is possible in it that should not be, or if it is unavailable.
    pub fn test_sandbox(&self) -> Result<Option<Enforced>, StartError> {
        if let (Some(sandbox), Some(referee)) = (&self.sandbox, &self.supervisor) {
            return system::test_sandbox(sandbox, referee).map(Some);
        }
        Ok(None)
    }

    /// Checks `program`, and returns what is started for it, with the bytes of memory that this may take besides the bot's.
    pub(super) fn resolve<'p>(
        &self,
        program: &'p Program,
    ) -> Result<(Cow<'p, Program>, u64), StartError> {
        program.check()?;
        let mut resolved = (Cow::Borrowed(program), 0);
        if let Some(host) = self.hosts(program) {
            let sandbox = self.sandbox.as_ref();
            let memory = sandbox.map_or(Sandbox::default().memory, |it| it.memory);
            let hosting = host.hosting(program, memory);
            resolved = (Cow::Owned(hosting), WasmHost::BESIDES);
        }
        let referee = self.supervisor.iter().map(PathBuf::as_path);
        for file in referee.chain([Path::new(&resolved.0.file)]) {
            own_program::is_there(file)?;
        }
        Ok(resolved)
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

    /// Starts `program` without a supervisor.
    pub(super) fn start(&self, program: &Program) -> Result<Child, StartError> {
        let mut command = system::command(program);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        if !program.on_terminal {
            Group::prepare(&mut command);
        }
        self.prepare(&mut command, program);
        let child = patiently(|| system::spawn(&mut command));
        child.map_err(|error| StartError::new(program, error))
    }

    /// Gives `command` its pipes and its environment.
    pub(super) fn prepare(&self, command: &mut Command, program: &Program) {
        // No `pre_exec` here, for anything: with one, std forks the referee, and copying the page tables of a
        // process with 1 GiB takes 50 ms for every start. Without one it uses posix_spawn, and what has to be
        // done between fork and exec is done by the supervisor.
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            .envs(self.environment_for_bots())
            .envs(program.variables.iter().cloned());
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
    is_known || besides.iter().any(|it| variable(it) == name)
}

/// Calls `spawn`; tries a few times if the machine has no process to spare, as when other lanes are ending bots that
/// had many. The fifth failure is reported.
pub(super) fn patiently(mut spawn: impl FnMut() -> io::Result<Child>) -> io::Result<Child> {
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
        assert!(!passed("SECRET_TOKEN"));
    }
}
