//! The files of a player: a record knows its program by their digests, and a sandbox hides them
//! from the opponents. `docs/record.md` has the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use bothost::{BotProgram, text};
use sha2::{Digest, Sha256};

use super::{FileDigest, Text, hexadecimal};
use crate::parallel::in_parallel;
use crate::system;

/// The files that count of a folder at most. A bot has fewer; the folder of a person has more.
const MOST_FILES: usize = 1000;

/// The bytes that these have at most.
const MOST_BYTES: u64 = 256 << 20;

/// The files and folders that are looked at to find them.
const MOST_ENTRIES: usize = 20_000;

/// More files than this are not listed: then a digest stands for all of them.
const MOST_LISTED: usize = 32;

/// The length of the names of hidden files together at most. Linux takes 128 KiB for one argument.
const MOST_HIDDEN: usize = 48 << 10;

/// The files of a program, as a record has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The SHA-256 of its only file, or of the names and digests of all. `None` if it has none.
    pub digest: Option<String>,
    /// Its files, sorted, if they are few enough to list; `None` if it has none.
    pub files: Option<Vec<FileDigest>>,
    /// Whether the program may consist of other files too.
    pub is_partial: bool,
}

/// The reason why a file belongs to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The command names the file.
    Named,
    /// The file lies in the folder where the program starts, or in one that the command names.
    Folder,
    /// The file lies beside a script that the command names, or below, and has the script's ending.
    Beside,
}

/// The files of a program before they are read.
#[derive(Debug, Default)]
pub(super) struct ProgramFiles {
    /// The folder from which the names of files are counted: a bot is the same wherever its folder
    /// lies.
    main: PathBuf,
    /// The name of each file, and its origin, by canonical paths.
    pub(super) files: BTreeMap<PathBuf, (String, Origin)>,
    is_partial: bool,
}

/// Returns the files of each of `programs`. The files and folders of the referee's command, `own`,
/// belong to none.
#[must_use]
pub fn identify(programs: &[&BotProgram], own: &[PathBuf]) -> Vec<Identity> {
    in_parallel(programs, |program| {
        let found = ProgramFiles::of(program, own);
        let mut digests = BTreeMap::new();
        for (path, (name, _)) in &found.files {
            // What cannot be read is nothing for bots either.
            digests.extend(digest_of(path).ok().map(|digest| (name.clone(), digest)));
        }
        let digest = match digests.len() {
            0 | 1 => digests.values().next().cloned(),
            _ => {
                let lines = digests
                    .iter()
                    .map(|(name, digest)| format!("{name}\0{digest}\n"));
                Some(hexadecimal(&Sha256::digest(lines.collect::<String>())))
            }
        };
        if digests.len() > MOST_LISTED {
            digests.clear();
        }
        Identity {
            files: digest.as_ref().map(|_| {
                digests
                    .into_iter()
                    .map(|(name, digest)| FileDigest(name, digest[..12].to_owned()))
                    .collect()
            }),
            digest,
            is_partial: found.is_partial,
        }
    })
}

/// Returns the SHA-256 of the names and digests of the files of `judge`, without those that the
/// commands of `players` name and those in their folders: bots may lie beside their judge, and a
/// contest may get more of them. The files and folders in `own` belong to no program.
pub(crate) fn digest_of_judge(
    judge: &BotProgram,
    players: &[&BotProgram],
    own: &[PathBuf],
) -> String {
    let mut files = ProgramFiles::of(judge, own).files;
    for player in players {
        let others = ProgramFiles::of(player, own).files;
        files.retain(|path, (_, origin)| {
            *origin == Origin::Named
                || !matches!(others.get(path), Some((_, Origin::Named | Origin::Folder)))
        });
    }
    let mut hasher = Sha256::new();
    for (path, (name, _)) in files {
        let digest = digest_of(&path).unwrap_or_default();
        hasher.update(format!("{name}\0{digest}\n"));
    }
    hexadecimal(&hasher.finalize())
}

/// Hides from each of `programs` what belongs to others only, and scripts beside its own that
/// others' commands name. In a folder that holds whatever a person has, as a home does, each sees
/// its own files and nothing else. The files of the referee's command, `own`, belong to none.
pub fn separate(programs: &mut [&mut BotProgram], own: &[PathBuf]) {
    let all: Vec<_> = programs
        .iter()
        .map(|program| ProgramFiles::of(program, own).files)
        .collect();
    let referee = referee();
    for (index, program) in programs.iter_mut().enumerate() {
        let files = &all[index];
        let mut hidden: Vec<&PathBuf> = Vec::new();
        for (path, (_, origin)) in all.iter().flatten() {
            let is_hidden = match files.get(path) {
                None => true,
                Some((_, Origin::Beside)) => *origin == Origin::Named,
                Some((_, Origin::Named | Origin::Folder)) => false,
            };
            // The shipped players are this program itself, which has no secrets.
            if is_hidden && Some(path) != referee.as_ref() {
                hidden.push(path);
            }
        }
        hidden.sort();
        hidden.dedup();
        let shown = files
            .keys()
            .filter(|path| path.parent().is_some_and(holds_anything) && !hidden.contains(path));
        program.view.show_instead(shown.cloned().collect());
        // Some folders of the system are shown to all, so files of others count wherever they lie.
        // Those of a large contest do not fit into the arguments of a supervisor: then those count
        // that lie beside the program's own.
        let length: usize = hidden.iter().map(|path| path.as_os_str().len()).sum();
        if length > MOST_HIDDEN {
            let folders: BTreeSet<_> = files.keys().filter_map(|path| path.parent()).collect();
            hidden.retain(|path| path.ancestors().any(|folder| folders.contains(folder)));
        }
        program.view.hide(hidden.into_iter().cloned());
    }
}

/// Returns the files of `program` that no command may replace: a bot may write data into its
/// folder, and be told to.
#[must_use]
pub fn files_of(program: &BotProgram) -> Vec<PathBuf> {
    let mut files = ProgramFiles::of(program, &[]).files;
    files.retain(|path, (_, origin)| {
        *origin != Origin::Folder || kits::kind_of_file(path).is_some()
    });
    files.into_keys().collect()
}

/// Returns the files in `folder` and below that belong to the bot in it.
///
/// # Errors
/// If there are more than a bot has; the message says so.
pub fn files_of_bot(folder: &Path) -> Result<Vec<PathBuf>, String> {
    files_below(folder, None, &[]).ok_or_else(|| {
        let folder = folder.display();
        format!(
            "{folder} has more than {MOST_FILES} files or {} MiB, or is a home; give the bot a folder of its own",
            MOST_BYTES >> 20
        )
    })
}

/// Returns the SHA-256 of the file at `path`, in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub fn digest_of(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    // A file to which another program appends, as a log, has no end.
    let length = file.metadata()?.len();
    let mut file = BufReader::new(file.take(length));
    let mut hasher = Sha256::new();
    loop {
        let part = file.fill_buf()?;
        let length = part.len();
        if length == 0 {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(part);
        file.consume(length);
    }
}

impl ProgramFiles {
    pub(super) fn of(program: &BotProgram, own: &[PathBuf]) -> ProgramFiles {
        let mut found = ProgramFiles::default();
        let folder = program.folder.as_ref().map(|folder| canonical(folder));
        if program.view.is_closed() {
            // The folder of a submission is all that it has.
            found
                .files
                .extend(folder.map(|folder| (folder, (String::new(), Origin::Folder))));
            return found;
        }
        // As they are typed, and their places.
        let mut names = Vec::new();
        names.extend(folder.clone().map(|folder| (PathBuf::new(), folder)));
        let file = program.file.to_string_lossy();
        // A command that is looked up may be another program on another machine, and runs the same
        // script.
        let file = (system::names_a_file(&file) || program.is_wasm()).then_some(file);
        let words = program.arguments.iter().map(|word| word.to_string_lossy());
        let is_shipped = referee() == Some(canonical(Path::new(&program.file)));
        let words = words.filter(|_| !is_shipped);
        for word in file.into_iter().chain(words) {
            // Also behind an equals sign, and in a class path.
            let parts = word.split(['=', system::BETWEEN_FOLDERS]);
            for name in parts.chain([&*word]).filter(|name| !name.is_empty()) {
                let path = canonical(&program.located(Path::new(name)));
                if path.exists() {
                    names.push((PathBuf::from(name), path));
                }
            }
        }
        names.dedup();
        let scripts: Vec<_> = names.iter().filter(|(_, path)| is_script(path)).collect();
        let first = scripts.first().copied().or(names.first());
        let main = folder.clone().or_else(|| Some(first?.1.with_file_name("")));
        found.main = main.unwrap_or_default();
        for (name, path) in &names {
            if path.is_file() {
                found.add(path, name, Origin::Named);
                found.is_partial |= folder.is_none() && is_for_shell(path);
            }
        }
        for (name, path) in &names {
            if path.is_dir() && !is_of_system(path) {
                found.add_below(path, name, None, own);
            }
        }
        for (name, script) in scripts {
            let folder = script.with_file_name("");
            found.add_below(&folder, &name.with_file_name(""), script.extension(), own);
        }
        found.is_partial |= folder.is_none() && found.files.is_empty();
        found
    }

    /// Adds the files below `folder`, which is typed as `name`; none of them if they are too many.
    fn add_below(&mut self, folder: &Path, name: &Path, ending: Option<&OsStr>, own: &[PathBuf]) {
        let files = files_below(folder, ending, own);
        self.is_partial |= files.is_none();
        let origin = if ending.is_some() {
            Origin::Beside
        } else {
            Origin::Folder
        };
        for file in files.into_iter().flatten() {
            let name = name.join(file.strip_prefix(folder).unwrap_or(&file));
            self.add(&canonical(&file), &name, origin);
        }
    }

    /// Adds the file at `path`, which is called `name` if it does not lie in the main folder.
    fn add(&mut self, path: &Path, name: &Path, origin: Origin) {
        let name = path
            .strip_prefix(&self.main)
            .unwrap_or(name)
            .to_string_lossy();
        let name = text::shown(system::with_slashes(&name).as_bytes());
        self.files.entry(path.to_owned()).or_insert((name, origin));
    }
}

/// Returns the files in `folder` and below, or those with an `ending` that are not hidden. Caches,
/// by-products and what the referee writes do not count. Returns `None` if there are more than a
/// bot has, or if it is no bot's folder.
fn files_below(folder: &Path, ending: Option<&OsStr>, own: &[PathBuf]) -> Option<Vec<PathBuf>> {
    if ending.is_none() && holds_anything(folder) {
        return None;
    }
    let own: Vec<PathBuf> = own.iter().map(|path| canonical(path)).collect();
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    let mut n_bytes = 0;
    let mut n_entries = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            n_entries += 1;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_hidden = ending.is_some() && name.starts_with('.');
            if is_hidden || kits::is_cache(&name) || own.contains(&path) {
                continue;
            }
            // A link to a folder may lead around in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let marks = ["CACHEDIR.TAG", "pyvenv.cfg"];
                let is_built = marks.iter().any(|mark| path.join(mark).exists());
                // What lies below a home is not part of the script in it.
                if !is_built && !holds_anything(&folder) {
                    folders.push(path);
                }
            } else if path.is_file()
                && !kits::is_byproduct(&name)
                && ending.is_none_or(|ending| path.extension() == Some(ending))
                && !beginning(&path).starts_with("{\"format\":\"battleship-")
            {
                n_bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len());
                files.push(path);
            }
            if n_entries > MOST_ENTRIES || files.len() > MOST_FILES || n_bytes > MOST_BYTES {
                return None;
            }
        }
    }
    Some(files)
}

/// Returns whether `folder` holds whatever a person has: the home, the folder for temporary files,
/// and those above.
fn holds_anything(folder: &Path) -> bool {
    let mut tops = std::env::home_dir()
        .into_iter()
        .chain([std::env::temp_dir()]);
    tops.any(|top| canonical(&top).starts_with(folder))
}

/// Returns whether every bot needs the files in `folder`.
fn is_of_system(folder: &Path) -> bool {
    let of_system = ["/usr", "/etc", "/lib"]
        .iter()
        .any(|top| folder.starts_with(top));
    of_system && !folder.starts_with("/usr/local")
}

/// Returns whether a file is a script, beside which others may lie.
fn is_script(path: &Path) -> bool {
    path.is_file() && kits::kind_of_file(path).is_some() && !is_of_system(path)
}

/// Returns whether a file is a script for a shell, by its ending or its first line: it may start
/// whatever there is.
fn is_for_shell(path: &Path) -> bool {
    let shells = [
        "sh", "bash", "dash", "ksh", "zsh", "fish", "bat", "cmd", "ps1",
    ];
    let is_shell = |word: &OsStr| shells.iter().any(|shell| word == *shell);
    let beginning = beginning(path);
    let line = beginning
        .strip_prefix("#!")
        .and_then(|text| text.lines().next())
        .unwrap_or("");
    let mut programs = line
        .split_whitespace()
        .filter_map(|word| Path::new(word).file_name());
    path.extension().is_some_and(is_shell) || programs.any(is_shell)
}

/// Returns the first bytes of a file as text.
fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    let _ = File::open(path).and_then(|file| Text::new(file).take(100).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the referee's own executable, whose folder is not a bot's.
fn referee() -> Option<PathBuf> {
    std::env::current_exe()
        .ok()
        .map(|referee| canonical(&referee))
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests;
