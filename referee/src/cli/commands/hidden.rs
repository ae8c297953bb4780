//! The hidden commands: the referee starts its own executable as the supervisor of a bot, as a process that confines
//! itself before it becomes a bot, and as one that tries what the sandbox should refuse.

use std::ffi::OsString;
use std::path::PathBuf;

use bothost::Sandbox;
use clap::Args;

#[cfg(target_os = "linux")]
pub(crate) use self::linux::{confine, probe, supervise, test_sandbox};

#[derive(Debug, Args)]
pub(crate) struct ConfineArguments {
    /// What the bot may use
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    sandbox: Sandbox,
    /// Its working folder
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
    /// Where to say that the machine could not start the bot
    #[arg(long, value_name = "FD")]
    report: Option<i32>,
    /// The folder that the bot starts in, if it is not the working folder
    #[arg(long, value_name = "DIR")]
    start_in: Option<PathBuf>,
    /// The bot's program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct ProbeArguments {
    #[arg(long)]
    referee: i32,
    #[arg(long)]
    secret: PathBuf,
    #[arg(long)]
    port: u16,
    #[arg(long)]
    socket: String,
    #[arg(long, value_parser = Sandbox::from_argument)]
    sandbox: Sandbox,
}

#[derive(Debug, Args)]
pub(crate) struct SuperviseArguments {
    /// The referee's process id
    #[arg(long, value_name = "PID")]
    referee: i32,
    /// Where to say that the machine could not start the bot
    #[arg(long, value_name = "FD")]
    report: Option<i32>,
    /// The folder that the bot starts in, if it is not the referee's
    #[arg(long, value_name = "DIR")]
    start_in: Option<PathBuf>,
    /// The bot needs the terminal
    #[arg(long)]
    on_terminal: bool,
    /// Print on standard error which processes the bot leaves behind
    #[arg(long)]
    tell_who_is_left: bool,
    /// What the bot may use
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    sandbox: Option<Sandbox>,
    /// The bot's program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use bothost::sandbox::{self, Attempts};
    use bothost::{Launch, Program};

    use super::{ConfineArguments, ProbeArguments, SuperviseArguments};
    use crate::cli::exit::{self, Failure};
    use crate::record::SandboxOfGame;
    use crate::terms::GameTerms;

    pub(crate) fn supervise(arguments: SuperviseArguments) -> u8 {
        let SuperviseArguments { command, start_in, on_terminal, .. } = arguments;
        let program = program(command, start_in, on_terminal);
        let tell = arguments.tell_who_is_left;
        let (sandbox, report) = (arguments.sandbox.as_ref(), arguments.report);
        bothost::supervise(arguments.referee, &program, sandbox, tell, report)
    }

    pub(crate) fn confine(arguments: ConfineArguments) -> u8 {
        let program = program(arguments.command, arguments.start_in, false);
        sandbox::confine(&arguments.sandbox, &arguments.folder, &program, arguments.report)
    }

    pub(crate) fn probe(arguments: ProbeArguments) -> u8 {
        let ProbeArguments { referee, secret, port, socket, sandbox: limits } = arguments;
        let attempts = Attempts { referee, secret, port, socket, limits };
        sandbox::attempt(&attempts).map_or(exit::FAULT, |()| exit::DONE)
    }

    /// Tries whether the sandbox of `terms`, if there is one, keeps what it promises. Returns what it refuses.
    ///
    /// # Errors
    /// If something is possible in it that should not be.
    pub(crate) fn test_sandbox(
        terms: &GameTerms,
        launch: &Launch,
    ) -> Result<Option<SandboxOfGame>, Failure> {
        let (Some(level), Some(policy), Some(referee)) =
            (terms.sandbox, &launch.sandbox, &launch.supervisor)
        else {
            return Ok(None);
        };
        let refused = sandbox::self_test(policy, referee)
            .map_err(|error| Failure::NotStarted(error.to_string()))?;
        Ok(Some(SandboxOfGame { level, refused }))
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
            person: None,
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) use self::elsewhere::{confine, probe, supervise, test_sandbox};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use bothost::Launch;

    use super::{ConfineArguments, ProbeArguments, SuperviseArguments};
    use crate::cli::complain;
    use crate::cli::exit::{self, Failure};
    use crate::record::SandboxOfGame;
    use crate::terms::GameTerms;

    pub(crate) fn supervise(_arguments: SuperviseArguments) -> u8 {
        refuse()
    }

    pub(crate) fn confine(_arguments: ConfineArguments) -> u8 {
        refuse()
    }

    pub(crate) fn probe(_arguments: ProbeArguments) -> u8 {
        refuse()
    }

    /// No terms have a sandbox here.
    pub(crate) fn test_sandbox(
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
