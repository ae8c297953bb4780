//! Programs to start as bots, and why one could not be started.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::local::LocalPlayer;
use super::own_program;
use super::system::{advice, fault_of_script, is_shortage};

/// A program to start as a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotProgram {
    /// The file to run, looked up on the PATH if it has no slash.
    pub file: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder that it is started in, an absolute path, from which `file` and relative names in
    /// `arguments` are looked up; `None` for the referee's own. In a sandbox `None` is a fresh
    /// folder, which goes with the bot.
    pub folder: Option<PathBuf>,
    /// The command as the user typed it, for messages.
    pub command_line: String,
    /// Whether it needs the referee's terminal, because a person plays there.
    pub on_terminal: bool,
    /// Variables of its environment with their values, besides those that bots get.
    pub variables: Vec<(OsString, OsString)>,
    /// The player that the referee calls in place of the program.
    pub local: Option<LocalPlayer>,
    /// The folders that a sandbox shows it.
    pub view: View,
    /// The message if it cannot be started, from a caller who recognizes its file as no program.
    pub advice: Option<String>,
    /// The commands that run its file on Windows, if the system does not. The first that is
    /// installed is used.
    pub runners: &'static [&'static [&'static str]],
    /// The way to flush a line of its output, if the caller knows its language.
    pub flushing: Option<Flushing>,
}

/// The way to flush a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flushing {
    /// The end of a sentence that begins with "flush after every line".
    pub how: &'static str,
    /// Whether a line may stay in a buffer while the referee waits.
    pub is_needed: bool,
}

/// The files of this machine that a program in a sandbox sees.
///
/// The default is that of a command that a person types: the files and folders that its words name
/// are shown, since the person may read them. [`View::closed`] is that of a command that came with
/// a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub(super) hidden: Vec<PathBuf>,
    pub(super) instead: Vec<PathBuf>,
    closed: bool,
}

impl View {
    /// Returns the view of a program whose command is data: it sees its own folder, the
    /// installation of its interpreter and what the sandbox allows to all. Its words are passed on
    /// as they are and open nothing. Nothing makes such a view an open one.
    #[must_use]
    pub fn closed() -> View {
        View {
            closed: true,
            ..View::default()
        }
    }

    /// Returns whether the words of the command open nothing.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Hides these files and folders too, as the files of another player. Absolute paths.
    pub fn hide(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.hidden.extend(paths);
    }

    /// Shows these files instead of the folders in which the program's files are, if those hold
    /// more than programs, as a home does. Absolute paths; none to show the folders. A closed view
    /// shows neither.
    pub fn show_instead(&mut self, paths: Vec<PathBuf>) {
        self.instead = paths;
    }
}

/// The reason why a program could not be started.
#[derive(Clone, Debug, Error, Serialize, Deserialize)]
#[error("{what}")]
pub struct StartError {
    /// The fault, what to try, and what the operating system said, if that adds anything.
    what: String,
    /// Whether the machine is at fault, and not the program.
    of_machine: bool,
}

impl BotProgram {
    /// Takes each word of its command that names a file in `folder` for that file. All others stay
    /// as they are.
    pub fn find_files_in(&mut self, folder: &Path) {
        for word in self.arguments.iter_mut().chain([&mut self.file]) {
            let there = folder.join(&*word);
            if there.is_file() {
                *word = there.into();
            }
        }
    }

    /// Returns the place of the file at `path`, as this program names it: see
    /// [`BotProgram::folder`].
    #[must_use]
    pub fn located(&self, path: &Path) -> PathBuf {
        self.folder
            .as_deref()
            .map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }

    /// Checks that the folder to start in is one, and the first line of a script.
    pub(super) fn check(&self) -> Result<(), StartError> {
        if let Some(what) = fault_of_script(self) {
            return Err(StartError::of_program(what));
        }
        let Some(folder) = self.folder.as_deref().filter(|folder| !folder.is_dir()) else {
            return Ok(());
        };
        let advice = format!(
            "there is no folder {}",
            crate::text::shown(folder.as_os_str().as_encoded_bytes())
        );
        Err(StartError::of_program(advice))
    }
}

impl StartError {
    pub(super) fn new(program: &BotProgram, error: &io::Error) -> StartError {
        if let Err(replaced) = own_program::is_there(Path::new(&program.file)) {
            return replaced;
        }
        if let Some(advice) = &program.advice {
            return StartError::of_program(advice.clone());
        }
        let advice = advice(program, error);
        if error.kind() == io::ErrorKind::NotFound {
            return StartError::of_program(advice);
        }
        StartError {
            what: format!("{advice}: {error}"),
            of_machine: is_shortage(error),
        }
    }

    /// Returns whether the machine is at fault: no program could have been started. Then no player
    /// loses for it.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        self.of_machine
    }

    /// Returns the error of a program that could not be started; `what` says why.
    pub(super) fn of_program(what: String) -> StartError {
        StartError {
            what,
            of_machine: false,
        }
    }

    /// Returns the error of a machine that lacks something for what was asked; `what` says what,
    /// and what to do.
    pub(super) fn of_machine(what: String) -> StartError {
        StartError {
            what,
            of_machine: true,
        }
    }
}

/// The error of the referee's own preparations, of which no program is to blame.
impl From<io::Error> for StartError {
    fn from(error: io::Error) -> StartError {
        StartError::of_machine(format!("the referee could not prepare that: {error}"))
    }
}
