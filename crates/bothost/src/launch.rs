//! Starting bots: by way of a supervisor or directly, with what environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::system;
use super::{BotProgram, Clock, Enforced, Sandbox, StartError, WasmRunner, own_program};

/// The time that a bot may take to quit, unless [`Launch::grace`] says otherwise.
pub const GRACE: Duration = Duration::from_millis(500);

/// The settings for starting bots and asking them.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The referee's own executable, which supervises each bot; `None` to start bots without
    /// supervision.
    pub supervisor: Option<PathBuf>,
    /// Whether the thread that starts bots binds itself to the core that it runs on, and so its
    /// bots. They take turns with it, and waking one on another core takes longer than a reply.
    pub pinned: bool,
    /// The time that a bot may take to quit before it is ended.
    pub grace: Duration,
    /// Variables of the environment that bots get besides the usual ones.
    pub environment: Vec<OsString>,
    /// The sandbox of the bots, which their supervisors enforce; `None` for the rules that cost
    /// nothing and always hold.
    pub sandbox: Option<Sandbox>,
    /// Whether bots may compute while they are not asked. Otherwise one that does is stopped until
    /// its next request.
    pub ponder: bool,
    /// The way to run bots that are WebAssembly modules; `None` to start them as any other program.
    pub wasm: Option<WasmRunner>,
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

    /// Checks `program`, and returns what is started for it, with the bytes of memory that this may
    /// take besides the bot's.
    pub(super) fn resolve(&self, program: &BotProgram) -> Result<(BotProgram, u64), StartError> {
        program.check()?;
        let mut resolved = (program.clone(), 0);
        if let Some(runner) = self.hosts(program) {
            let sandbox = self.sandbox.as_ref();
            let memory = sandbox.map_or(Sandbox::default().memory, |it| it.memory);
            resolved = (runner.hosting(program, memory), WasmRunner::BESIDES);
        }
        if let Some(referee) = &self.supervisor {
            own_program::is_there(referee)?;
        }
        own_program::is_there(Path::new(&resolved.0.file))?;
        Ok(resolved)
    }

    /// The clock of `program`: fuel, if it is a module, else `clock`.
    #[must_use]
    pub fn clock_for(&self, program: &BotProgram, clock: Clock) -> Clock {
        self.hosts(program).map_or(clock, |host| Clock::Fuel {
            millions: host.fuel,
        })
    }

    /// Returns the runner of `program`, if it is a module.
    pub(super) fn hosts(&self, program: &BotProgram) -> Option<&WasmRunner> {
        self.wasm.as_ref().filter(|_| program.is_wasm())
    }
}
