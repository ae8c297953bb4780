//! The files that belong to a program: those that its command names, and its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::folder::{Contents, Kind, TooMuch, kind_of};
use crate::system;
use bothost::{Program, text};

/// A file that belongs to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramFile {
    /// Its name in records and messages.
    pub(super) label: String,
    /// Its place.
    pub(super) path: PathBuf,
    /// Whether the command names it.
    pub(super) is_named: bool,
}

/// The parts of a program, before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramParts {
    /// Its files, sorted by their labels.
    pub(super) files: Vec<ProgramFile>,
    /// The reason why files are left out that may belong to it.
    pub(super) left_out: Option<String>,
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
    /// The programs among `files`, as their places: the one that is started, and the first script.
    programs: Vec<usize>,
}

impl ProgramParts {
    /// Returns the parts of `program`. `own`, canonical paths, do not belong to it: they are the referee's.
    pub(super) fn of(program: &Program, own: &[PathBuf]) -> ProgramParts {
        let command = Command::of(program);
        // The last program is the script, if an interpreter runs one.
        let main = program.folder.clone().or_else(|| {
            let last = &command.files[*command.programs.last()?];
            last.path.parent().map(Path::to_owned)
        });
        let mut found = Found {
            main,
            files: BTreeMap::new(),
            left_out: None,
        };
        for file in &command.files {
            found.add(&file.path, &file.word, true);
        }
        if is_referee(program) {
            return found.into_parts();
        }
        let named: Vec<PathBuf> = command.files.iter().map(|file| file.path.clone()).collect();
        let contents = Contents { named: &named, own };
        let mut whole: Vec<PathBuf> = Vec::new();
        let own_folder = program.folder.iter().map(|folder| (String::new(), folder));
        let folders = command
            .folders
            .iter()
            .map(|folder| (folder.word.clone(), &folder.path));
        for (word, folder) in own_folder.chain(folders) {
            whole.push(folder.clone());
            match kind_of(folder) {
                // Not the system's, nor all that a person has: that is not part of a bot.
                Kind::System | Kind::Shared => {}
                Kind::Built | Kind::Own => {
                    found.add_folder(folder, &word, contents.all(folder), &contents);
                }
            }
        }
        for place in command.programs {
            let Named { word, path } = &command.files[place];
            let Some(folder) = path.parent() else {
                continue;
            };
            if whole.iter().any(|known| folder.starts_with(known)) {
                continue;
            }
            let word = Path::new(word)
                .parent()
                .map(|folder| folder.to_string_lossy().into_owned());
            let word = word.unwrap_or_default();
            match kind_of(folder) {
                Kind::System | Kind::Built => {}
                Kind::Shared => {
                    found.add_folder(folder, &word, contents.mentioned(folder), &contents);
                }
                Kind::Own => found.add_folder(folder, &word, contents.beside(folder), &contents),
            }
        }
        found.into_parts()
    }
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
    fn add(&mut self, path: &Path, word: &str, is_named: bool) {
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
            is_named,
        });
    }

    /// Adds `all` that is in `folder`, typed as `word`; what the program mentions of it if that is too much.
    fn add_folder(
        &mut self,
        folder: &Path,
        word: &str,
        all: Result<Vec<PathBuf>, TooMuch>,
        contents: &Contents<'_>,
    ) {
        let files = all.or_else(|too_much| {
            let name = if word.is_empty() { "its folder" } else { word };
            self.left_out = Some(format!(
                "{name} has {too_much}; only what is named in the program counts"
            ));
            contents.mentioned(folder)
        });
        for file in files.unwrap_or_default() {
            let inside = file
                .strip_prefix(folder)
                .unwrap_or(&file)
                .to_string_lossy()
                .into_owned();
            let word = if word.is_empty() {
                inside
            } else {
                format!("{word}/{inside}")
            };
            self.add(&file, &word, false);
        }
    }

    fn into_parts(self) -> ProgramParts {
        ProgramParts {
            files: self.files.into_values().collect(),
            left_out: self.left_out,
        }
    }
}

impl Command {
    fn of(program: &Program) -> Command {
        let mut command = Command::default();
        // A command that is looked up may be another program on another machine, and runs the same script.
        let file = program.file.to_string_lossy();
        let names_a_file = system::names_a_file(&file) || program.is_wasm();
        if names_a_file && command.take(program, &file) {
            command.programs.push(0);
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
            command.programs.push(first);
        }
        if command.files.is_empty() && command.folders.is_empty() && program.folder.is_none() {
            command.take_by_stem(program);
        }
        command
    }

    /// Takes the file or folder that `word` names; returns whether it names one.
    fn take(&mut self, program: &Program, word: &str) -> bool {
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

    /// Takes what words name without its ending, in the folder where the program starts: `java Bot` and
    /// `python3 -m bot` find their programs so.
    fn take_by_stem(&mut self, program: &Program) {
        let is_name = |word: &str| {
            let mut letters = word.chars();
            letters
                .next()
                .is_some_and(|first| first.is_alphabetic() || first == '_')
                && letters.all(|letter| letter.is_alphanumeric() || "_.-$".contains(letter))
        };
        for word in &program.arguments {
            let word = word.to_string_lossy();
            let stem = word.split('.').next().unwrap_or_default();
            if !is_name(&word) {
                continue;
            }
            let run = kits::all_endings().filter(|(_, ending)| ending.kind.is_run());
            let names = run.map(|(_, ending)| format!("{stem}.{}", ending.ending));
            for name in std::iter::once(stem.to_owned()).chain(names) {
                if self.take(program, &name) && !self.files.is_empty() {
                    self.programs.push(self.files.len() - 1);
                }
            }
        }
        self.programs.dedup();
    }
}

/// Returns whether the referee's own executable is started, whose folder is not a bot's.
pub(super) fn is_referee(program: &Program) -> bool {
    std::env::current_exe().is_ok_and(|referee| Path::new(&program.file) == referee)
}
