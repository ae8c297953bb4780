//! The files of the programs of a contest, watched while the contest is played: one record must not
//! have games of two programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bothost::{BotProgram, text};

use super::identity::{Origin, ProgramFiles};

/// Time between two searches for files that were added. Known files are looked at for each series.
const BETWEEN_SEARCHES: Duration = Duration::from_secs(1);

/// The files of each program as they were when the contest began.
#[derive(Debug)]
pub struct FileWatch {
    /// `None` for a shipped player, which is the referee itself.
    programs: Vec<Option<Arc<WatchedProgram>>>,
    /// The files of the referee's command, which belong to no program.
    own: Vec<PathBuf>,
    /// Prints a note for the user.
    note: fn(&str),
}

/// The files of a program as they were at one time.
#[derive(Debug)]
pub(crate) struct WatchedProgram {
    /// The name of the player, or the judge.
    name: String,
    program: BotProgram,
    files: BTreeMap<PathBuf, WatchedFile>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct WatchedFile {
    name: String,
    origin: Origin,
    stamp: Option<Stamp>,
}

#[derive(Debug)]
struct State {
    searched: Instant,
    /// The data files whose changes were noted.
    noted: BTreeSet<PathBuf>,
}

/// The length and the time of the last change of a file.
type Stamp = (u64, Option<SystemTime>);

impl FileWatch {
    /// Watches the files of `programs`; `None` has no files to watch. `note` prints a note.
    pub(crate) fn new(
        programs: Vec<Option<Arc<WatchedProgram>>>,
        own: &[PathBuf],
        note: fn(&str),
    ) -> FileWatch {
        FileWatch {
            programs,
            own: own.to_vec(),
            note,
        }
    }

    /// Checks that the program with this number is the one with which the contest began. A changed
    /// data file in the folder of a bot, such as a log, is noted once.
    ///
    /// # Errors
    /// If a file of the program has changed, was removed or was added.
    pub fn check(&self, number: usize) -> io::Result<()> {
        let Some(Some(watched)) = self.programs.get(number) else {
            return Ok(());
        };
        for (path, file) in &watched.files {
            if stamp(path) != file.stamp {
                self.report(watched, path, file, "has changed")?;
            }
        }
        let mut state = watched.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.searched.elapsed() < BETWEEN_SEARCHES {
            return Ok(());
        }
        state.searched = Instant::now();
        drop(state);
        for (path, file) in files_of(&watched.program, &self.own) {
            if !watched.files.contains_key(&path) {
                self.report(watched, &path, &file, "was added")?;
            }
        }
        Ok(())
    }

    fn report(
        &self,
        watched: &WatchedProgram,
        path: &Path,
        file: &WatchedFile,
        what: &str,
    ) -> io::Result<()> {
        let name = text::shown(watched.name.as_bytes());
        let is_data = file.origin == Origin::Folder && kits::kind_of_file(path).is_none();
        if !is_data {
            return Err(io::Error::other(format!(
                "{name}: {} {what} since the contest began, and a record has games of one program; put it back, or begin again in \
                 another file",
                file.name
            )));
        }
        let mut state = watched.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.noted.insert(path.to_owned()) {
            (self.note)(&format!(
                "{name}: {} {what} since the contest began; if the bot writes it, --resume will refuse the contest: let it write \
                 outside of its folder",
                file.name
            ));
        }
        Ok(())
    }
}

impl WatchedProgram {
    /// Begins to watch the files of `program`, which is called `name`. Those in `own` belong to no
    /// program.
    pub(crate) fn new(name: &str, program: &BotProgram, own: &[PathBuf]) -> WatchedProgram {
        WatchedProgram {
            name: name.to_owned(),
            program: program.clone(),
            files: files_of(program, own),
            state: Mutex::new(State {
                searched: Instant::now(),
                noted: BTreeSet::new(),
            }),
        }
    }
}

fn files_of(program: &BotProgram, own: &[PathBuf]) -> BTreeMap<PathBuf, WatchedFile> {
    let files = ProgramFiles::of(program, own).files.into_iter();
    files
        .map(|(path, (name, origin))| {
            let stamp = stamp(&path);
            let file = WatchedFile {
                name,
                origin,
                stamp,
            };
            (path, file)
        })
        .collect()
}

/// Returns the stamp of a file; `None` if there is none.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    // The time of a folder changes with the files in it.
    metadata
        .is_file()
        .then(|| (metadata.len(), metadata.modified().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(folder: &Path, command: &[&str]) -> FileWatch {
        let program = BotProgram {
            file: command[0].into(),
            arguments: command[1..].iter().map(Into::into).collect(),
            folder: Some(folder.to_owned()),
            ..BotProgram::default()
        };
        let watched = WatchedProgram::new("bot", &program, &[]);
        FileWatch::new(vec![Some(Arc::new(watched)), None], &[], |_| {})
    }

    #[test]
    fn changed_program_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("bot.py");
        fs::write(&bot, "old").unwrap();
        fs::write(folder.path().join("log.txt"), "").unwrap();
        let watch = watch(folder.path(), &["python3", "bot.py"]);
        watch.check(0).unwrap();
        // A bot may write data into its folder.
        fs::write(folder.path().join("log.txt"), "more").unwrap();
        watch.check(0).unwrap();
        let watched = watch.programs[0].as_ref().unwrap();
        assert_eq!(watched.state.lock().unwrap().noted.len(), 1);
        fs::write(&bot, "changed").unwrap();
        let error = watch.check(0).unwrap_err().to_string();
        assert!(error.starts_with("bot: bot.py has changed"), "{error}");
        fs::remove_file(&bot).unwrap();
        assert!(watch.check(0).is_err());
        // A shipped player, and no judge.
        watch.check(1).unwrap();
        watch.check(2).unwrap();
    }
}
