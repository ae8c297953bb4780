//! Programs to start as bots, and why one could not be started.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A program to start as a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file to run, looked up on the PATH if it has no slash.
    pub file: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder that it is started in, an absolute path, from which `file` and relative names in `arguments` are
    /// looked up; `None` for the referee's own. In a sandbox `None` is a fresh folder, which goes with the bot.
    pub folder: Option<PathBuf>,
    /// The command as the user typed it, for messages.
    pub command_line: String,
    /// Whether it needs the referee's terminal, because a person plays there.
    pub on_terminal: bool,
}

/// Why a program could not be started.
#[derive(Debug, Error)]
#[error("{advice}: {error}")]
pub struct StartError {
    /// What is wrong, and what to try.
    advice: String,
    /// What the operating system said.
    error: io::Error,
    /// Whether the machine is at fault, and not the program.
    of_machine: bool,
}

impl Program {
    /// Returns where the file at `path` is, as this program names it: see [`Program::folder`].
    #[must_use]
    pub fn located(&self, path: &Path) -> PathBuf {
        self.folder.as_deref().map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }

    /// Checks that the folder to start in is one.
    pub(super) fn check_folder(&self) -> Result<(), StartError> {
        let Some(folder) = self.folder.as_deref().filter(|folder| !folder.is_dir()) else {
            return Ok(());
        };
        let advice = format!(
            "there is no folder {}",
            crate::text::shown(folder.as_os_str().as_encoded_bytes())
        );
        Err(StartError { advice, error: io::ErrorKind::NotFound.into(), of_machine: false })
    }
}

impl StartError {
    pub(super) fn new(program: &Program, error: io::Error) -> StartError {
        let of_machine = is_shortage(&error);
        StartError { advice: advice(program, &error), error, of_machine }
    }

    pub(super) fn with_advice(advice: &str, error: io::Error) -> StartError {
        let of_machine = is_shortage(&error);
        StartError { advice: advice.to_owned(), error, of_machine }
    }

    /// Returns whether the machine is at fault: no program could have been started. Then no player loses for it.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        self.of_machine
    }

    /// Returns the error of a supervisor that could not do its work.
    pub(super) fn of_supervisor(error: io::Error) -> StartError {
        let advice = "the referee could not prepare that".to_owned();
        StartError { advice, error, of_machine: true }
    }
}

/// Returns whether the machine has run out of something that every program needs to start: processes, descriptors or
/// memory.
#[cfg(unix)]
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::AGAIN | Errno::MFILE | Errno::NFILE | Errno::NOMEM))
}

#[cfg(not(unix))]
fn is_shortage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

#[cfg(unix)]
fn advice(program: &Program, error: &io::Error) -> String {
    use rustix::io::Errno;
    let file = program.file.to_string_lossy();
    let is_path = file.contains('/');
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        // The kernel reports ENOENT for a missing interpreter as well, with the script in plain sight.
        Some(Errno::NOENT) if is_path => {
            format!("there is no file {file:?}, or its first line names a missing interpreter")
        }
        Some(Errno::NOENT) if program.located(Path::new(&program.file)).is_file() => {
            format!("no program {file:?} is on the PATH; to run the file here, write ./{file}")
        }
        Some(Errno::NOENT) => format!("no program {file:?} is on the PATH"),
        Some(Errno::ACCESS) if program.located(Path::new(&program.file)).is_dir() => {
            format!("{file:?} is a folder")
        }
        Some(Errno::ACCESS) => {
            format!("{file:?} may not be executed; chmod +x {file} makes it executable")
        }
        Some(Errno::NOEXEC) => {
            format!(
                "{file:?} is no program; a script begins with a line like #!/usr/bin/env python3"
            )
        }
        _ => format!("{file:?} could not be started"),
    }
}

#[cfg(not(unix))]
fn advice(program: &Program, error: &io::Error) -> String {
    let file = program.file.to_string_lossy();
    if error.kind() == io::ErrorKind::NotFound {
        format!("there is no program {file:?}")
    } else {
        format!("{file:?} could not be started")
    }
}
