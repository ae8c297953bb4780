//! The files that belong to a program: those that its command names, and its folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::folder::{Contents, Kind, TooMuch, kind_of};
use crate::system;
use bothost::{BotProgram, text};

/// The reason why a file belongs to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The command names the file.
    Named,
    /// The file lies in the folder where the program starts, or in one that the command names.
    Folder,
    /// The file has the ending of a script that the command names, and lies beside it or below.
    Beside,
}

/// A file that belongs to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramFile {
    /// Its name in records and messages.
    pub(super) label: String,
    /// Its place.
    pub(super) path: PathBuf,
    pub(super) origin: Origin,
}

/// The parts of a program, before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramParts {
    /// Its files, sorted by their labels.
    pub(super) files: Vec<ProgramFile>,
    /// The reason why files are left out that may belong to it.
    pub(super) left_out: Option<String>,
    /// Whether it starts what none of these files tells: its command names no file, or the script of a shell.
    pub(super) is_open: bool,
}

/// A file or folder that a command names.
struct Named {
    /// As it is typed.
    word: String,
    path: PathBuf,
}

/// The files and folders that a command names.
#[derive(Default)]
struct Command {
    files: Vec<Named>,
    folders: Vec<Named>,
    /// The script, if an interpreter runs one, else the program; as its place among `files`.
    main: Option<usize>,
}

impl ProgramParts {
    /// Returns the parts of `program`. `own`, canonical paths, do not belong to it: they are the referee's.
    pub(super) fn of(program: &BotProgram, own: &[PathBuf]) -> ProgramParts {
        let command = Command::of(program);
        let main = program.folder.clone().or_else(|| {
            let main = &command.files[command.main?];
            main.path.parent().map(Path::to_owned)
        });
        let mut found = Found {
            main,
            files: BTreeMap::new(),
            left_out: None,
        };
        for file in &command.files {
            found.add(&file.path, &file.word, Origin::Named);
        }
        if is_referee(program) {
            return found.into_parts();
        }
        let named: Vec<PathBuf> = command.files.iter().map(|file| file.path.clone()).collect();
        let contents = Contents { named: &named, own };
        let mut whole: Vec<&Path> = Vec::new();
        let own_folder = program.folder.iter().map(|folder| (String::new(), folder));
        let folders = command
            .folders
            .iter()
            .map(|folder| (folder.word.clone(), &folder.path));
        for (word, folder) in own_folder.chain(folders) {
            whole.push(folder);
            match kind_of(folder) {
                // Not the system's, nor all that a person has: that is not part of a bot.
                Kind::System | Kind::Shared => {}
                Kind::Built | Kind::Own => {
                    found.add_all(folder, &word, contents.all(folder), Origin::Folder);
                }
            }
        }
        for Named { word, path } in &command.files {
            let (Some(folder), Some(ending)) = (path.parent(), path.extension()) else {
                continue;
            };
            let is_script = kits::kind_of_file(path).is_some();
            if !is_script || whole.iter().any(|known| folder.starts_with(known)) {
                continue;
            }
            let word = Path::new(word).parent().unwrap_or(Path::new(""));
            let files = match kind_of(folder) {
                Kind::System | Kind::Built => continue,
                // What is below holds whatever a person has.
                Kind::Shared => contents.beside(folder, ending, false),
                Kind::Own => contents.beside(folder, ending, true),
            };
            found.add_all(folder, &word.to_string_lossy(), files, Origin::Beside);
        }
        let runs_shell = named.iter().any(|file| is_for_shell(file));
        ProgramParts {
            is_open: program.folder.is_none() && (runs_shell || found.files.is_empty()),
            ..found.into_parts()
        }
    }
}

/// Returns whether a file is a script for a shell, by its ending or its first line.
fn is_for_shell(file: &Path) -> bool {
    const SHELLS: [&str; 9] = [
        "sh", "bash", "dash", "ksh", "zsh", "fish", "bat", "cmd", "ps1",
    ];
    let is_shell = |word: &OsStr| SHELLS.iter().any(|shell| word == *shell);
    let mut beginning = Vec::new();
    let read = File::open(file).and_then(|file| file.take(100).read_to_end(&mut beginning));
    let line = beginning.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    let is_run_by_shell = read.is_ok()
        && line.starts_with(b"#!")
        && String::from_utf8_lossy(&line[2..])
            .split_whitespace()
            .any(|word| Path::new(word).file_name().is_some_and(is_shell));
    is_run_by_shell || file.extension().is_some_and(is_shell)
}

/// The files found so far.
struct Found {
    /// The folder from which labels are counted.
    main: Option<PathBuf>,
    files: BTreeMap<String, ProgramFile>,
    left_out: Option<String>,
}

impl Found {
    /// Adds the file at `path`, which is called `word` if it does not lie in the main folder.
    fn add(&mut self, path: &Path, word: &str, origin: Origin) {
        let inside = self
            .main
            .as_ref()
            .and_then(|main| path.strip_prefix(main).ok());
        let label = inside.map_or(word.into(), |inside| inside.to_string_lossy());
        let label = text::shown(system::with_slashes(&label).as_bytes());
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.files.entry(label.clone()).or_insert(ProgramFile {
            label,
            path,
            origin,
        });
    }

    /// Adds `files` of `folder`, which is typed as `word`; none of them if they are too many.
    fn add_all(
        &mut self,
        folder: &Path,
        word: &str,
        files: Result<Vec<PathBuf>, TooMuch>,
        origin: Origin,
    ) {
        let files = match files {
            Ok(files) => files,
            Err(too_much) => {
                let name = if word.is_empty() { "its folder" } else { word };
                self.left_out = Some(format!(
                    "{name} has {too_much}; only the files that the command names count"
                ));
                return;
            }
        };
        for file in files {
            let inside = file.strip_prefix(folder).unwrap_or(&file);
            let word = Path::new(word).join(inside);
            self.add(&file, &word.to_string_lossy(), origin);
        }
    }

    fn into_parts(self) -> ProgramParts {
        ProgramParts {
            files: self.files.into_values().collect(),
            left_out: self.left_out,
            is_open: false,
        }
    }
}

impl Command {
    fn of(program: &BotProgram) -> Command {
        let mut command = Command::default();
        // A command that is looked up may be another program on another machine, and runs the same script.
        let file = program.file.to_string_lossy();
        if (system::names_a_file(&file) || program.is_wasm()) && command.take(program, &file) {
            command.main = Some(0);
        }
        let first = command.files.len();
        for word in &program.arguments {
            let word = word.to_string_lossy();
            if !command.take(program, &word) {
                // A class path, perhaps behind the option's name.
                let list = word.split_once('=').map_or(&*word, |(_, list)| list);
                let is_list = list.contains(system::BETWEEN_FOLDERS) || system::is_path(list);
                for part in list.split(system::BETWEEN_FOLDERS).filter(|_| is_list) {
                    command.take(program, part);
                }
            }
        }
        if command.files.len() > first && !is_referee(program) {
            command.main = Some(first);
        }
        command
    }

    /// Takes the file or folder that `word` names; returns whether it names one.
    fn take(&mut self, program: &BotProgram, word: &str) -> bool {
        let Ok(path) = std::path::absolute(program.located(Path::new(word))) else {
            return false;
        };
        let named = || Named {
            word: word.to_owned(),
            path: path.clone(),
        };
        if word.is_empty() {
            false
        } else if path.is_file() {
            self.files.push(named());
            true
        } else if path.is_dir() {
            self.folders.push(named());
            true
        } else {
            false
        }
    }
}

/// Returns whether the referee's own executable is started, whose folder is not a bot's.
pub(super) fn is_referee(program: &BotProgram) -> bool {
    std::env::current_exe().is_ok_and(|referee| Path::new(&program.file) == referee)
}
