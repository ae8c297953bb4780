//! The hidden commands by which the referee keeps bots: it starts itself anew as a bot's supervisor, and as a process
//! that confines itself before it becomes a bot.

use super::arguments::{ConfineArguments, ProbeArguments, SuperviseArguments};

#[cfg(target_os = "linux")]
pub(super) use self::linux::{confine, probe, supervise, test_sandbox};

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;

    use super::{ConfineArguments, ProbeArguments, SuperviseArguments};
    use crate::cli::exit;
    use crate::record::SandboxOfGame;
    use bothost::sandbox::{self, Attempts};
    use bothost::{self, Launch, Program};

    pub(in crate::cli) fn supervise(arguments: SuperviseArguments) -> u8 {
        let program = program(arguments.command, arguments.on_terminal);
        let tell = arguments.tell_who_is_left;
        bothost::supervise(arguments.referee, &program, arguments.sandbox.as_ref(), tell)
    }

    pub(in crate::cli) fn confine(arguments: ConfineArguments) -> u8 {
        let program = program(arguments.command, false);
        sandbox::confine(&arguments.sandbox, &arguments.folder, &program)
    }

    pub(in crate::cli) fn probe(arguments: ProbeArguments) -> u8 {
        let ProbeArguments { referee, secret, port, socket, sandbox: limits } = arguments;
        let attempts = Attempts { referee, secret, port, socket, limits };
        sandbox::attempt(&attempts).map_or(exit::FAULT, |()| exit::DONE)
    }

    /// Tries whether the sandbox of `launch`, if it has one, keeps what it promises; says what it refuses.
    pub(in crate::cli) fn test_sandbox(launch: &Launch) -> Result<Option<SandboxOfGame>, String> {
        let (Some(policy), Some(referee)) = (&launch.sandbox, &launch.supervisor) else {
            return Ok(None);
        };
        let refused = sandbox::self_test(policy, referee).map_err(|error| error.to_string())?;
        let level = if policy.strict { "strict" } else { "on" }.to_owned();
        Ok(Some(SandboxOfGame { level, refused }))
    }

    fn program(command: Vec<OsString>, on_terminal: bool) -> Program {
        let mut words = command.into_iter();
        let file = words.next().unwrap_or_default();
        Program { file, arguments: words.collect(), command_line: String::new(), on_terminal }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) use self::elsewhere::{confine, probe, supervise, test_sandbox};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{ConfineArguments, ProbeArguments, SuperviseArguments};
    use crate::cli::{complain, exit};
    use crate::record::SandboxOfGame;
    use bothost::Launch;

    pub(in crate::cli) fn supervise(_arguments: SuperviseArguments) -> u8 {
        refuse()
    }

    pub(in crate::cli) fn confine(_arguments: ConfineArguments) -> u8 {
        refuse()
    }

    pub(in crate::cli) fn probe(_arguments: ProbeArguments) -> u8 {
        refuse()
    }

    /// The plan has none here.
    pub(in crate::cli) fn test_sandbox(_launch: &Launch) -> Result<Option<SandboxOfGame>, String> {
        Ok(None)
    }

    fn refuse() -> u8 {
        complain("there is no such thing on this operating system");
        exit::MISUSE
    }
}
