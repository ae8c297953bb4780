//! The hidden commands: the referee starts its own executable as the supervisor of a bot, as one that tests the sandbox,
//! and as one that tries there what it should refuse.

use std::ffi::OsString;
use std::path::PathBuf;

use bothost::Sandbox;
use clap::Args;

#[cfg(target_os = "linux")]
pub use self::linux::test_sandbox;
#[cfg(target_os = "linux")]
pub(crate) use self::linux::{enforced, probe, self_test, supervise};

#[derive(Debug, Args)]
pub(crate) struct ProbeArguments {
    /// The targets, as the self-test writes them
    targets: String,
    /// Words of a submission's command, which open nothing
    #[arg(hide = true)]
    words: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SelfTestArguments {
    /// The sandbox to test
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    sandbox: Sandbox,
}

#[derive(Debug, Args)]
pub(crate) struct SuperviseArguments {
    /// The referee's process id
    #[arg(long, value_name = "PID")]
    referee: i32,
    /// Pipe for reports on the bot to the referee
    #[arg(long, value_name = "FD")]
    report: Option<i32>,
    /// The folder that the bot starts in, if it is not the referee's
    #[arg(long, value_name = "DIR")]
    start_in: Option<PathBuf>,
    /// The bot needs the terminal
    #[arg(long)]
    on_terminal: bool,
    /// Say which processes the bot leaves behind
    #[arg(long)]
    tell_who_is_left: bool,
    /// The resources that the bot may use
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    sandbox: Option<Sandbox>,
    /// Folder that a bot in a sandbox without a world of its own may write; removed afterwards
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The bot's program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::path::PathBuf;
    use std::process::{Command, Output, Stdio};

    use bothost::sandbox::{self, Enforced};
    use bothost::{Confinement, Launch, Program, Sight, groups};

    use super::{ProbeArguments, SelfTestArguments, SuperviseArguments};
    use crate::cli::exit::{self, Failure};
    use crate::cli::{complain, own_program};
    use engine::record::SandboxOfGame;
    use engine::terms::{GameTerms, SandboxLevel};

    pub(crate) fn supervise(arguments: SuperviseArguments) -> u8 {
        let SuperviseArguments {
            command,
            start_in,
            on_terminal,
            sandbox,
            folder,
            ..
        } = arguments;
        let program = program(command, start_in, on_terminal);
        let confinement = sandbox.map(|sandbox| Confinement { sandbox, folder });
        let (tell, report) = (arguments.tell_who_is_left, arguments.report);
        bothost::supervise(arguments.referee, &program, confinement, tell, report)
    }

    pub(crate) fn probe(arguments: &ProbeArguments) -> u8 {
        sandbox::attempt(&arguments.targets).map_or(exit::FAULT, |()| exit::DONE)
    }

    /// Prints what the sandbox refuses, a line each, or on standard error why it is unavailable.
    pub(crate) fn self_test(arguments: &SelfTestArguments) -> u8 {
        let enforced = own_program().and_then(|referee| {
            let enforced = sandbox::self_test(&arguments.sandbox, &referee)?;
            Ok(serde_json::to_string(&enforced)?)
        });
        // Its reader may have died. Then there is no one to tell.
        match enforced {
            Ok(enforced) => {
                let _ = writeln!(io::stdout(), "{enforced}");
                exit::DONE
            }
            Err(error) => {
                let _ = write!(io::stderr(), "{error}");
                exit::FAULT
            }
        }
    }

    /// The warning about a basic sandbox, which keeps less than the word promises.
    const WITHOUT_A_WORLD: &str = "--sandbox=basic: bots see command lines of other processes, which files there are, and \
                                   what the kernel says of the machine; docs/hostile-bots.md lists what it refuses";

    /// Tries whether the sandbox of `terms`, if there is one, keeps what it promises. Returns what it refuses. Says on
    /// standard error what a basic sandbox does not refuse.
    ///
    /// # Errors
    /// If something is possible in it that should not be.
    pub fn test_sandbox(
        terms: &GameTerms,
        launch: &Launch,
    ) -> Result<Option<SandboxOfGame>, Failure> {
        let Some(level) = terms.sandbox else {
            return Ok(None);
        };
        let Some(Enforced { refused, hard }) = enforced(launch)? else {
            return Ok(None);
        };
        if level == SandboxLevel::Basic {
            complain(WITHOUT_A_WORLD);
        }
        let hard_limits = hard.iter().map(ToString::to_string).collect();
        Ok(Some(SandboxOfGame {
            level,
            refused,
            hard_limits,
        }))
    }

    /// Tries whether the sandbox of `launch` keeps what it promises. Returns what it does; `None` if there is none.
    ///
    /// # Errors
    /// If something is possible in it that should not be.
    pub(crate) fn enforced(launch: &Launch) -> Result<Option<Enforced>, Failure> {
        let (Some(policy), Some(referee)) = (&launch.sandbox, &launch.supervisor) else {
            return Ok(None);
        };
        groups::prepare();
        // By a process of its own, out of reach of Ctrl-C: the test makes files, and removes them even if this process is
        // killed meanwhile.
        let mut test = Command::new(referee);
        test.args(["self-test", "--sandbox", &policy.to_argument()])
            .process_group(0);
        let output = test.stdin(Stdio::null()).output();
        let Output {
            status,
            stdout,
            stderr,
        } = output.map_err(|error| {
            let why = "the test of the sandbox could not be started, with /dev/null for its input";
            io::Error::new(error.kind(), format!("{why}: {error}"))
        })?;
        if !status.success() {
            let why = String::from_utf8_lossy(&stderr).trim().to_owned();
            let crashed = || format!("the sandbox is unavailable: its test ended with {status}");
            return Err(Failure::NotStarted(if why.is_empty() {
                crashed()
            } else {
                why
            }));
        }
        Ok(Some(
            serde_json::from_slice(&stdout).map_err(io::Error::from)?,
        ))
    }

    fn program(command: Vec<OsString>, folder: Option<PathBuf>, on_terminal: bool) -> Program {
        let mut words = command.into_iter();
        let file = words.next().unwrap_or_default();
        Program {
            file,
            arguments: words.collect(),
            folder,
            command_line: String::new(),
            on_terminal,
            variables: Vec::new(),
            person: None,
            sight: Sight::default(),
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub use self::elsewhere::test_sandbox;
#[cfg(not(target_os = "linux"))]
pub(crate) use self::elsewhere::{probe, self_test, supervise};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use bothost::Launch;

    use super::{ProbeArguments, SelfTestArguments, SuperviseArguments};
    use crate::cli::complain;
    use crate::cli::exit::{self, Failure};
    use engine::record::SandboxOfGame;
    use engine::terms::GameTerms;

    pub(crate) fn supervise(_arguments: SuperviseArguments) -> u8 {
        refuse()
    }

    pub(crate) fn probe(_arguments: &ProbeArguments) -> u8 {
        refuse()
    }

    pub(crate) fn self_test(_arguments: &SelfTestArguments) -> u8 {
        refuse()
    }

    /// Returns nothing: no terms have a sandbox here.
    ///
    /// # Errors
    /// Never.
    pub fn test_sandbox(
        _terms: &GameTerms,
        _launch: &Launch,
    ) -> Result<Option<SandboxOfGame>, Failure> {
        Ok(None)
    }

    fn refuse() -> u8 {
        complain("bots are not supervised on this operating system");
        exit::MISUSE
    }
}
