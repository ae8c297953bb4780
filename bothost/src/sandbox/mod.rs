//! The sandbox: Landlock for files, connections and signals, seccomp for the rest of the kernel, limits for what a
//! bot takes; bubblewrap's namespaces on top if asked for.
//!
//! A bot is confined by the referee's own executable, which confines itself and then becomes the bot. If something
//! cannot be enforced, it says so and does not start the bot.

pub(super) mod calls;
mod files;
mod limits;
mod probe;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

pub(super) use self::limits::Use;
pub use self::probe::{Attempts, attempt, self_test};
use super::machine_report::Reporter;
use super::policy::Sandbox;
use super::privileges::{self, Keep};
use super::program::{Program, StartError, find_on_path};
use super::stderr::{MARK, NOT_STARTED};

/// What could not be enforced.
#[derive(Debug, Error)]
#[error("the sandbox is unavailable: {what}: {why}")]
pub struct SandboxError {
    what: &'static str,
    why: String,
}

impl SandboxError {
    fn new(what: &'static str, why: &dyn fmt::Display) -> SandboxError {
        SandboxError { what, why: why.to_string() }
    }
}

impl Sandbox {
    /// Returns the command that confines itself to this policy, in the fresh working folder `folder`, and then becomes
    /// `program`. It is to inherit, under the number `report`, where it says that the machine could not do
    /// that.
    pub(super) fn command(
        &self,
        program: &Program,
        folder: &Path,
        report: Option<i32>,
    ) -> io::Result<Command> {
        let referee = std::env::current_exe()?;
        let mut command = if self.strict { bubblewrap(folder) } else { Command::new(&referee) };
        if self.strict {
            command.arg("--").arg(&referee);
        }
        let program = with_absolute_paths(program, &referee)?;
        let policy = Sandbox { allow: self.readable(&program, &referee), ..self.clone() };
        command.args(["confine", "--sandbox", &policy.to_argument(), "--folder"]).arg(folder);
        command.args(report.map(|number| format!("--report={number}")));
        if let Some(start_in) = &program.folder {
            command.arg("--start-in").arg(start_in);
        }
        command.arg("--").arg(program.file).args(program.arguments);
        Ok(command)
    }

    /// Returns all folders besides the system's that the bot has to read to run at all: where the program and its
    /// scripts are, and the folders that its command names.
    fn readable(&self, program: &Program, referee: &Path) -> Vec<PathBuf> {
        let mut folders = self.allow.clone();
        folders.extend(referee.parent().map(Path::to_owned));
        folders.extend(program.folder.clone());
        let arguments = program.arguments.iter().map(PathBuf::from);
        folders.extend(arguments.filter(|folder| folder.is_absolute() && folder.is_dir()));
        let found = find_on_path(&program.file);
        let files = found.into_iter().chain(program.arguments.iter().map(PathBuf::from));
        for file in files.filter(|file| file.is_absolute() && file.is_file()) {
            // Both where it is named and where it really is: Landlock judges the real path, but an interpreter in a
            // virtual environment is a link into its installation and finds its settings by the path it was called
            // by.
            for file in [Some(file.clone()), file.canonicalize().ok()].into_iter().flatten() {
                folders.extend(folder_of(&file));
            }
        }
        folders
    }
}

/// Returns the folder that has everything belonging to the program or script `file`: its own, or the one above if its
/// own is an installation's folder of programs, as in `/opt/java/bin`.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let holds_programs = folder.ends_with("bin") || folder.ends_with("shims");
    // `~/bin/bot` must not open the whole home, nor `/bin/bot` the whole disk.
    let above = folder.parent().filter(|above| holds_programs && *above != Path::new("/"));
    let home = std::env::home_dir();
    Some(above.filter(|above| home.as_deref() != Some(above)).unwrap_or(folder).to_owned())
}

/// Returns the same program as it is found from any folder: names of files and folders that exist become absolute,
/// because the bot's working folder may be a fresh one. They are looked up in the current folder. The arguments of the referee's own executable are its commands,
/// even if files have the same names.
fn with_absolute_paths(program: &Program, referee: &Path) -> io::Result<Program> {
    if Path::new(&program.file) == referee {
        return Ok(program.clone());
    }
    let absolute = |word: &OsString| {
        let is_there = Path::new(word).exists();
        if is_there { std::path::absolute(word).map(OsString::from) } else { Ok(word.clone()) }
    };
    let is_path = Path::new(&program.file).components().count() > 1;
    Ok(Program {
        file: if is_path { absolute(&program.file)? } else { program.file.clone() },
        arguments: program.arguments.iter().map(absolute).collect::<io::Result<_>>()?,
        ..program.clone()
    })
}

/// Returns bubblewrap with the options without which it confines nothing.
fn bubblewrap(folder: &Path) -> Command {
    let mut command = Command::new("bwrap");
    // New namespaces for processes, network, IPC and the rest; killed with its parent; a session of its own,
    // as a shared one would let it push keystrokes into the terminal (TIOCSTI).
    command.args(["--unshare-all", "--die-with-parent", "--new-session"]);
    // Everything is there and read-only. What may be read is Landlock's matter, in here as outside.
    command.args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
    command.arg("--bind").args([folder, folder]);
    command
}

/// Confines this process to `sandbox`, with `folder` as the only one that it may write in, and becomes `program`, which
/// starts in its own folder, or else in that one. Returns, with
/// the exit status to leave with, only if that fails. Under the number `report` it has inherited what
/// tells the referee if the machine is why.
#[must_use]
pub fn confine(sandbox: &Sandbox, folder: &Path, program: &Program, report: Option<i32>) -> u8 {
    let reporter = report.and_then(|number| Reporter::inherited(number).ok());
    let trouble = match enforce(sandbox, folder) {
        Ok(()) => {
            let mut command = Command::new(&program.file);
            // A bot with a folder of its own finds what lies there. It may write in the fresh one only.
            command
                .args(&program.arguments)
                .current_dir(program.folder.as_deref().unwrap_or(folder));
            // Programs that keep a cache or temporary files put them where they may write, and where the next
            // series finds none.
            command.env("HOME", folder).env("TMPDIR", folder);
            StartError::new(program, command.exec())
        }
        Err(error) => StartError::of_supervisor(io::Error::other(error)),
    };
    if let Some(reporter) = reporter.filter(|_| trouble.is_of_machine()) {
        reporter.report(&trouble.to_string());
    }
    // If standard error is closed there is no place for a message; the exit status is enough.
    let _ = write!(io::stderr(), "{MARK}{trouble}");
    NOT_STARTED
}

fn enforce(sandbox: &Sandbox, folder: &Path) -> Result<(), SandboxError> {
    // The order: limits while nothing is forbidden yet. Then Landlock, which opens the folders it allows, so
    // root must still have its power to reach them, and which sets the no_new_privs that the rest needs. Then
    // root's powers. The filter last, so that it may forbid calls that the steps before make.
    limits::set(sandbox)?;
    files::restrict(sandbox, folder)?;
    privileges::drop_all_but(Keep::Nothing)
        .map_err(|error| SandboxError::new("giving up privileges", &error))?;
    calls::forbid()
}

/// Returns what to do if bubblewrap is missing.
pub(super) fn advice_on_bubblewrap(error: io::Error) -> StartError {
    let what = "--sandbox=strict needs the program bwrap (Debian's package bubblewrap)";
    StartError::with_advice(what, error)
}
