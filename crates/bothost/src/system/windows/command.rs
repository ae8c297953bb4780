//! The command that starts a program, as people type it: `bot.py` and `bot.jar` are run by what
//! runs them, and `python3` is whichever Python is installed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::BotProgram;

/// The endings of files that the system runs by itself, in the order in which it looks for them.
const PROGRAMS: [&str; 4] = ["com", "exe", "bat", "cmd"];

/// The names of programs that have others here.
const OTHER_NAMES: [(&str, &[&str]); 4] = [
    ("bsdtar", &["tar"]),
    ("c++", &["g++"]),
    ("cc", &["gcc"]),
    ("python3", &["python", "py"]),
];

/// Returns the command that starts `program`, without its folder and streams.
pub(crate) fn command(program: &BotProgram) -> Command {
    let mut words = words(program).into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(&program.arguments);
    command
}

/// Returns the program to start, and what comes before its arguments. A program that is found is
/// named by its path: by a name alone the system looks for it in other places.
fn words(program: &BotProgram) -> Vec<OsString> {
    let file = Path::new(&program.file);
    let located = if file.components().count() > 1 {
        with_its_ending(&program.located(file))
    } else {
        // A file beside the bot's other files comes before the PATH, as at the prompt.
        let beside = with_its_ending(&program.located(file)).filter(|file| {
            let ending = file.extension().map(OsStr::to_ascii_lowercase);
            let is_program = PROGRAMS.iter().any(|known| ending == Some((*known).into()));
            is_program || !program.runners.is_empty()
        });
        beside
            .and_then(|file| std::path::absolute(file).ok())
            .or_else(|| find_on_path(&program.file))
    };
    if !program.runners.is_empty() {
        let (runner, options) = runner(program.runners, &folders_on_path());
        let script = located
            .unwrap_or_else(|| program.located(file))
            .into_os_string();
        let options = options.iter().map(OsString::from);
        return [runner]
            .into_iter()
            .chain(options)
            .chain([script])
            .collect();
    }
    vec![located.map_or_else(|| program.file.clone(), PathBuf::into_os_string)]
}

/// Returns the path of the program that the command `file` runs, as the system looks for it, under
/// another name if it has one here; `None` if it is not on the PATH. A path is returned as it is,
/// whether or not there is a file.
#[must_use]
pub fn find_on_path(file: &OsStr) -> Option<PathBuf> {
    let path = Path::new(file);
    if path.components().count() > 1 {
        return Some(with_its_ending(path).unwrap_or_else(|| path.to_owned()));
    }
    let mut names = vec![path];
    for (name, others) in OTHER_NAMES {
        if path == Path::new(name) {
            names.extend(others.iter().map(Path::new));
        }
    }
    first_found(&folders_on_path(), &names).map(|(_, found)| found)
}

/// Returns the first of these commands whose program is installed, by its path, and its options;
/// the first of all if none is.
fn runner(
    commands: &'static [&'static [&'static str]],
    folders: &[PathBuf],
) -> (OsString, &'static [&'static str]) {
    let names: Vec<_> = commands
        .iter()
        .map(|command| Path::new(command[0]))
        .collect();
    let found = first_found(folders, &names);
    let (at, program) = found.unwrap_or_else(|| (0, names[0].to_owned()));
    (program.into_os_string(), &commands[at][1..])
}

/// Returns the first of these programs that is in one of these folders: its index, and its path.
/// One that is itself there comes before one that only stands for another, under whatever name.
fn first_found(folders: &[PathBuf], names: &[&Path]) -> Option<(usize, PathBuf)> {
    [false, true].iter().find_map(|standing_for| {
        names
            .iter()
            .enumerate()
            .find_map(|(at, name)| found_in(folders, name, *standing_for).map(|found| (at, found)))
    })
}

fn folders_on_path() -> Vec<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).collect()
}

/// Returns the program `name` in the first of these folders that has it: one that is itself there,
/// or one that stands for a program of the system's shop. The latter may be installed, or else says
/// where it can be had.
fn found_in(folders: &[PathBuf], name: &Path, standing_for: bool) -> Option<PathBuf> {
    folders.iter().find_map(|folder| {
        let found = with_its_ending(&folder.join(name))?;
        let is_shop = folder.ends_with(Path::new("Microsoft").join("WindowsApps"));
        let is_empty = std::fs::symlink_metadata(&found).is_ok_and(|metadata| metadata.len() == 0);
        ((is_shop && is_empty) == standing_for).then_some(found)
    })
}

/// Returns whether there is a file, or what stands for a program: that cannot be opened, so its
/// target is unknown.
fn is_there(path: &Path) -> bool {
    path.is_file() || std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Returns the file at `path`, or with an ending that programs have, if it has none.
fn with_its_ending(path: &Path) -> Option<PathBuf> {
    if is_there(path) && path.extension().is_some() {
        return Some(path.to_owned());
    }
    PROGRAMS.iter().find_map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        let file = PathBuf::from(name);
        is_there(&file).then_some(file)
    })
}

/// Returns the reason why `program` could not be started, with advice.
pub(crate) fn advice(program: &BotProgram, error: &io::Error) -> String {
    let path = Path::new(&program.file);
    let shown = crate::text::shown(program.file.as_encoded_bytes());
    if program.located(path).is_dir() {
        format!("\"{shown}\" is a folder")
    } else if error.kind() != io::ErrorKind::NotFound {
        format!("\"{shown}\" could not be started")
    } else if path.components().count() > 1 {
        format!("there is no program \"{shown}\"")
    } else {
        format!("no program \"{shown}\" is on the PATH")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JAVA: &[&[&str]] = &[&["java", "-jar"]];

    fn program(folder: &Path, file: &str) -> BotProgram {
        BotProgram {
            file: file.into(),
            arguments: Vec::new(),
            folder: Some(folder.to_owned()),
            command_line: file.to_owned(),
            ..BotProgram::default()
        }
    }

    #[test]
    fn a_program_is_found_without_its_ending() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.v2.exe");
        std::fs::write(&path, "").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "").unwrap();
        for typed in ["bot.v2.exe", "bot.v2", r".\bot.v2", "./bot.v2.exe"] {
            let words = words(&program(folder.path(), typed));
            assert_eq!(words.len(), 1, "{typed}: {words:?}");
            let found = Path::new(&words[0]).canonicalize().unwrap();
            assert_eq!(found, path.canonicalize().unwrap(), "{typed}");
        }
        assert_eq!(words(&program(folder.path(), "notes.txt")), ["notes.txt"]);
        assert_eq!(words(&program(folder.path(), "none")), ["none"]);
    }

    #[test]
    fn scripts_are_given_to_what_runs_them() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bot.jar"), "").unwrap();
        let words = words(&BotProgram {
            runners: JAVA,
            ..program(folder.path(), "bot.jar")
        });
        let (script, before) = words.split_last().unwrap();
        assert_eq!(before, ["java", "-jar"]);
        assert_eq!(Path::new(script), folder.path().join("bot.jar"));
    }

    #[test]
    fn a_program_comes_before_its_placeholder() {
        let folder = tempfile::tempdir().unwrap();
        let shop = folder.path().join(r"Microsoft\WindowsApps");
        let real = folder.path().join("Python");
        for (folder, files) in [(&shop, &["python.exe", "python3.exe"][..]), (&real, &[])] {
            std::fs::create_dir_all(folder).unwrap();
            for file in files {
                std::fs::write(folder.join(file), "").unwrap();
            }
        }
        let folders = [shop.clone(), real.clone()];
        let python = || runner(&[&["py", "-3"], &["python"], &["python3"]], &folders);
        // A program that is installed from the shop is available by no other way.
        assert_eq!(
            python(),
            (shop.join("python.exe").into_os_string(), &[][..])
        );
        std::fs::write(real.join("python3.exe"), "MZ").unwrap();
        assert_eq!(
            python(),
            (real.join("python3.exe").into_os_string(), &[][..])
        );
        std::fs::write(real.join("py.exe"), "MZ").unwrap();
        assert_eq!(
            python(),
            (real.join("py.exe").into_os_string(), &["-3"][..])
        );
        assert_eq!(runner(JAVA, &folders), ("java".into(), &["-jar"][..]));
    }
}
