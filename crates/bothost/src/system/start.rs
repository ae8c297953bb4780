//! The start of a bot's process: its pipes and its environment.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Group, command, spawn, variable};
use crate::{BotProgram, Launch, StartError};

/// Starts `program` without a supervisor.
pub(crate) fn start(launch: &Launch, program: &BotProgram) -> Result<Child, StartError> {
    let mut command = command(program);
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    if !program.on_terminal {
        Group::prepare(&mut command);
    }
    prepare(launch, &mut command, program);
    let child = patiently(|| spawn(&mut command));
    child.map_err(|error| StartError::new(program, &error))
}

/// Gives `command` its pipes and its environment.
pub(crate) fn prepare(launch: &Launch, command: &mut Command, program: &BotProgram) {
    // No `pre_exec` here, for anything: with one, std forks the referee, and copying the page
    // tables of a process with 1 GiB takes 50 ms for every start. Without one it uses posix_spawn,
    // and what has to be done between fork and exec is done by the supervisor.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_clear()
        .envs(environment_for_bots(launch))
        .envs(program.variables.iter().cloned());
}

/// Returns the environment of bots: what programs need to be found, to start and to use the user's
/// language. A list of what passes and not of what does not, since the names of keys and tokens
/// cannot be listed.
fn environment_for_bots(launch: &Launch) -> impl Iterator<Item = (OsString, OsString)> {
    // Python buffers its standard output by the block when it is a pipe. Without this, a bot that
    // does not flush loses its first game by timeout, and its author sees no reason why.
    let unbuffered = [("PYTHONUNBUFFERED".into(), "1".into())];
    std::env::vars_os()
        .filter(|(name, _)| is_passed(name, &launch.environment))
        .chain(unbuffered)
}

/// Returns whether bots get the variable `name`, with those that they get `besides`.
fn is_passed(name: &OsStr, besides: &[OsString]) -> bool {
    let name = variable(name);
    let is_known = name.to_str().is_some_and(|name| {
        PASSED.contains(&name) || name.starts_with("LC_") || name.starts_with("PYENV_")
    });
    is_known || besides.iter().any(|it| variable(it) == name)
}

/// Calls `spawn`; tries a few times if the machine has no process to spare, as when other lanes are
/// ending bots that had many. The fifth failure is reported.
pub(crate) fn patiently(mut spawn: impl FnMut() -> io::Result<Child>) -> io::Result<Child> {
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
