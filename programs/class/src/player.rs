//! Bots of a class as players. The teacher's commands are typed; a submission's are data.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bothost::{BotProgram, View, find_on_path, text};

use crate::class::Host;
use crate::error::TaskError;
use crate::folder::ClassFolder;
use crate::{Bot, BotKey, Class, ClassError};
use arena::game::Entrant;
use arena::system::{is_path, split_words};
use arena::terms::OwnLimits;
use bots::{MARK, SHIPPED, Shipped};
use referee::recognized;

/// Folders of the system's programs.
const INSTALLED: [&str; 5] = ["/usr", "/bin", "/opt", "/nix/store", "/gnu/store"];

/// Returns a bot of the staff as a player.
///
/// # Errors
/// If its command starts no program of its own.
pub(crate) fn staff_entrant(
    name: &str,
    command: &str,
    folder: &ClassFolder,
    host: &Host,
) -> Result<Entrant, ClassError> {
    let mut staff = (host.player)(name, command, &host.program).map_err(ClassError::Misuse)?;
    if !staff.shipped {
        // Wherever the command of the class is typed.
        staff.program.find_files_in(folder.path());
    }
    Ok(staff)
}

impl Class {
    /// Returns a bot as a player, under the name that records have.
    ///
    /// # Errors
    /// If its command starts no program of its own.
    pub(crate) fn entrant(&self, bot: &Bot) -> Result<Entrant, ClassError> {
        if bot.key.is_staff() {
            return staff_entrant(&bot.key.name, &bot.command, &self.folder, &self.host);
        }
        let player = self
            .student_entrant(&bot.key, &bot.command)
            .map_err(ClassError::misuse)?;
        is_installed(&player.program)?;
        Ok(Entrant {
            one_game: self.plays_one_game(bot),
            ..player
        })
    }

    /// Returns whether each game of a bot is played by new processes.
    pub(crate) fn plays_one_game(&self, bot: &Bot) -> bool {
        !bot.key.is_staff() && self.config.play.restart.unwrap_or(bot.of_course)
    }

    /// Returns what a student has handed in as a player.
    ///
    /// # Errors
    /// If `command` starts neither a file of the submission nor an interpreter.
    pub(crate) fn student_entrant(&self, key: &BotKey, command: &str) -> Result<Entrant, String> {
        let folder = self.bot_folder(&key.digest);
        let mut program = handed_in(command, &folder)?;
        // No script of theirs can start one either. A module starts nothing, and is run by the
        // referee.
        if !program.is_wasm() {
            program.view.hide(shipped_programs(&self.host.program));
        }
        // Wherever it is: worlds show all of /usr and /opt.
        program.view.hide([self.folder.path().to_owned()]);
        Ok(Entrant {
            name: text::name(&key.student),
            named: true,
            shipped: false,
            human: false,
            program,
            // As records and messages show it, and commands that replay a game: below the folder of
            // the class.
            dir: Some(self.relative(&folder)),
            typed_folder: None,
            limits: OwnLimits::default(),
            one_game: false,
        })
    }

    /// Checks that no file in `folder`, which a student has handed in or built, is one of the
    /// programs of the referee.
    ///
    /// # Errors
    /// If one is; the message names it.
    pub(crate) fn refuse_shipped(&self, folder: &Path) -> Result<(), TaskError> {
        let shipped = shipped_programs(&self.host.program);
        let Some((copy, original)) = copy_in(folder, &shipped)? else {
            return Ok(());
        };
        let copy = copy.strip_prefix(folder).unwrap_or(&copy);
        let what = match original {
            Some(original) => format!(
                "is a copy of {}, which comes with the referee",
                original.file_name().unwrap_or_default().display()
            ),
            None => "contains a player that comes with the referee".to_owned(),
        };
        Err(TaskError::student(format!(
            "{:?} {what}; hand in a program of your own",
            text::shown(copy.as_os_str().as_encoded_bytes()),
        )))
    }
}

/// Checks that the folder of a built submission and its interpreter are on this machine.
///
/// # Errors
/// If they are not: no student is to blame for that.
pub(crate) fn is_installed(program: &BotProgram) -> Result<(), ClassError> {
    if let Some(folder) = program.folder.as_ref().filter(|folder| !folder.is_dir()) {
        let what = format!(
            "{} is gone; referee class intake builds it again",
            folder.display()
        );
        return Err(ClassError::fault(what));
    }
    let file = &program.file;
    let is_named = Path::new(file).components().count() == 1 && !program.is_wasm();
    if is_named && find_on_path(file).is_none() {
        return Err(ClassError::NotInstalled(file.display().to_string()));
    }
    Ok(())
}

/// Returns the program of a submission in `folder`. Its words go to it as they are, and open
/// nothing.
fn handed_in(command: &str, folder: &Path) -> Result<BotProgram, String> {
    let shown = text::long_excerpt(command.as_bytes());
    let words = split_words(command).ok_or(format!("{shown}: a quotation mark is not closed"))?;
    let (file, arguments) = words.split_first().ok_or("its command has no words")?;
    let program = |file: &str| {
        recognized(BotProgram {
            file: file.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            folder: Some(folder.to_owned()),
            command_line: text::shown(command.trim().as_bytes()),
            view: View::closed(),
            ..BotProgram::default()
        })
    };
    let name = Path::new(file)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let is_interpreter = kits::interpreted_by(name).is_some();
    if is_path(file) {
        let canonical = |path: &Path| path.canonicalize().ok();
        let path = canonical(&folder.join(file));
        let is_inside = canonical(folder)
            .zip(path.as_ref())
            .is_some_and(|(folder, path)| path.starts_with(folder) && path.is_file());
        if is_inside && Path::new(file).is_relative() {
            return Ok(program(file));
        }
        // One of the system's, which every world shows, or the one that its bare name would start.
        let found = find_on_path(name.as_ref());
        let is_installed = INSTALLED
            .iter()
            .any(|folder| Path::new(file).starts_with(folder))
            || found.and_then(|found| canonical(&found)) == path;
        if is_interpreter && path.is_some() && is_installed && !file.contains("..") {
            return Ok(program(file));
        }
    } else if is_interpreter {
        return Ok(program(name));
    }
    let why = if Shipped::named(file).is_some() {
        "is a player that comes with the referee"
    } else {
        "is neither a file of the submission nor an interpreter that the referee knows"
    };
    let file = text::long_excerpt(file.as_bytes());
    Err(format!(
        "{file} {why}; write ./FILE, or an interpreter and its file, as in python3 bot.py"
    ))
}

/// Returns the files of the programs that lie beside `own`, this program, and come with the
/// referee. The referee and each of those that it starts can be any shipped player.
fn shipped_programs(own: &Path) -> Vec<PathBuf> {
    let folder = own.parent().unwrap_or(Path::new("/"));
    let mut files = vec![own.to_owned()];
    for shipped in SHIPPED {
        files.push(folder.join(format!("{}-bot", shipped.name)));
    }
    for name in [
        "referee",
        "referee-class",
        "referee-wasm",
        "referee-web",
        "replay",
    ] {
        files.push(folder.join(name));
    }
    files.retain(|file| file.is_file());
    files
}

/// Returns a file in `folder`, at any depth, with the content of one of `originals`, and that one, or
/// a file with a changed copy of a player.
fn copy_in<'o>(
    folder: &Path,
    originals: &'o [PathBuf],
) -> io::Result<Option<(PathBuf, Option<&'o PathBuf>)>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let data = entry.metadata()?;
        if data.is_dir() {
            if let Some(found) = copy_in(&path, originals)? {
                return Ok(Some(found));
            }
        } else if data.is_file() {
            for original in originals {
                if fs::metadata(original)?.len() == data.len() && are_equal(&path, original)? {
                    return Ok(Some((path, Some(original))));
                }
            }
            if has_mark(&path)? {
                return Ok(Some((path, None)));
            }
        }
    }
    Ok(None)
}

/// Returns whether a file has the mark of the shipped players.
fn has_mark(path: &Path) -> io::Result<bool> {
    let last = MARK.len() - 1;
    // The search of Horspool: a byte that is behind the place looked at says how far the next place
    // is.
    let mut steps = [MARK.len(); 256];
    for (place, byte) in MARK[..last].iter().enumerate() {
        steps[usize::from(*byte)] = last - place;
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    loop {
        let n_read = Read::take(&mut file, 1 << 20).read_to_end(&mut bytes)?;
        let mut end = last;
        while let Some(byte) = bytes.get(end) {
            if bytes[end - last..=end] == MARK {
                return Ok(true);
            }
            end += steps[usize::from(*byte)];
        }
        if n_read == 0 {
            return Ok(false);
        }
        // The mark may be in two parts.
        bytes.drain(..bytes.len().saturating_sub(last));
    }
}

/// Returns whether two files of the same length have the same content.
fn are_equal(one: &Path, other: &Path) -> io::Result<bool> {
    let mut one = File::open(one)?;
    let mut other = File::open(other)?;
    let mut of_one = Vec::new();
    let mut of_other = Vec::new();
    loop {
        of_one.clear();
        of_other.clear();
        Read::take(&mut one, 1 << 20).read_to_end(&mut of_one)?;
        Read::take(&mut other, 1 << 20).read_to_end(&mut of_other)?;
        if of_one != of_other || of_one.is_empty() {
            return Ok(of_one == of_other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_starts_its_own_files_and_interpreters_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        fs::write(folder.path().join("bot"), "").unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/my bot"), "").unwrap();
        let outside = outside.path().to_str().unwrap();
        for command in [
            "./bot",
            "'bin/my bot' --fast",
            "sh bot.sh ../.. /proc",
            "java -cp . Bot",
        ] {
            let program = handed_in(command, folder.path()).unwrap();
            assert!(program.view.is_closed(), "{command}");
            assert_eq!(program.folder.as_deref(), Some(folder.path()), "{command}");
        }
        // An interpreter by its path is the installed one.
        let sh = find_on_path("sh".as_ref()).unwrap();
        let program = handed_in(&format!("{} bot.sh", sh.display()), folder.path()).unwrap();
        assert_eq!(Path::new(&program.file), sh);
        let upwards = format!("../../../../../../../../..{outside}");
        for command in [
            "",
            "' ",
            "bot",
            "./none",
            "bin",
            "./bin",
            "good",
            "human",
            "good-bot",
            "cat",
            "env sh bot.sh",
            "/bin/cat",
            "/usr/../tmp/sh",
            outside,
            &upwards,
            "X=good",
            "X@/tmp=./bot",
            "../sh",
            "~/bot",
        ] {
            assert!(handed_in(command, folder.path()).is_err(), "{command}");
        }
    }

    #[test]
    fn a_copy_is_found_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let original = folder.path().join("good-bot");
        fs::write(&original, vec![7; 3 << 20]).unwrap();
        let mine = folder.path().join("mine");
        fs::create_dir_all(mine.join("deep")).unwrap();
        let mut content = vec![7; 3 << 20];
        content[2 << 20] = 8;
        fs::write(mine.join("deep/same length"), content).unwrap();
        let originals = [original.clone()];
        assert!(copy_in(&mine, &originals).unwrap().is_none());
        fs::copy(&original, mine.join("deep/bot.dat")).unwrap();
        let (copy, source) = copy_in(&mine, &originals).unwrap().unwrap();
        assert_eq!((copy, source), (mine.join("deep/bot.dat"), Some(&original)));
    }

    #[test]
    fn a_changed_copy_is_found_by_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot.dat");
        // Also at the border of what is read at once.
        for place in [0, 1, 1000, (1 << 20) - 20, (2 << 20) - 1, 3 << 20] {
            let mut content = vec![b'<'; place];
            content.extend(MARK);
            fs::write(&file, &content).unwrap();
            let (copy, source) = copy_in(folder.path(), &[]).unwrap().unwrap();
            assert_eq!((copy, source), (file.clone(), None), "{place}");
            content[place + 7] ^= 1;
            fs::write(&file, &content).unwrap();
            assert!(copy_in(folder.path(), &[]).unwrap().is_none(), "{place}");
        }
    }
}
