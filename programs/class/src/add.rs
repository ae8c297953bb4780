//! The teacher's commands for one student: adding a submission, and giving more time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::archive::{self, Limits};
use jiff::{Span, Timestamp};

use crate::class::make_folder;
use crate::error::TaskError;
use crate::scratch::Scratch;
use crate::{Class, ClassError, Student, roster, shown_time};

impl Class {
    /// Copies `source` to the submissions of the student `id`, as handed in at `at`. Returns where
    /// it is, below the folder of the class.
    ///
    /// # Errors
    /// If there is no such student, or `source` cannot be copied.
    pub fn add(&self, id: &str, source: &Path, at: Timestamp) -> Result<String, ClassError> {
        self.known(id)?;
        let there = put(self, id, source, at)?;
        Ok(self.relative(&there))
    }

    /// Lets the student `id`, and the team, hand in until `until`.
    ///
    /// # Errors
    /// If there is no such student, if the class has no deadline or a later one, or if the roster
    /// cannot be written.
    pub fn extend(&self, id: &str, until: Timestamp) -> Result<(), ClassError> {
        self.known(id)?;
        let about = |what: String| {
            ClassError::misuse(format!("{}: {what}", self.folder.config().display()))
        };
        match self.config.deadline {
            None => Err(about(
                "there is no deadline, so no student needs more time".to_owned(),
            )),
            Some(deadline) if until <= deadline => Err(about(format!(
                "the deadline of all is {deadline}, which is not before {until}"
            ))),
            Some(_) => {
                let _lock = self.lock("import", true)?;
                roster::extend(&self.folder.roster(), id, until)
            }
        }
    }

    fn known(&self, id: &str) -> Result<&Student, ClassError> {
        self.roster.student(id).ok_or_else(|| unknown(self, id))
    }
}

fn unknown(class: &Class, id: &str) -> ClassError {
    let file = class.folder.roster();
    ClassError::misuse(format!(
        "no student of {} has the id {id:?}; add a line for it",
        file.display()
    ))
}

/// Copies `source` to the folder of the student `id`. Returns where it is.
fn put(class: &Class, id: &str, source: &Path, at: Timestamp) -> Result<PathBuf, ClassError> {
    let about =
        |what: &dyn std::fmt::Display| ClassError::misuse(format!("{}: {what}", source.display()));
    let is_folder = fs::metadata(source)
        .map_err(|error| about(&error))?
        .is_dir();
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let ending = archive::ending_of(&name);
    if !is_folder && ending.is_empty() {
        return Err(about(&format_args!("this {}", archive::NO_KIND)));
    }
    let scratch = Scratch::new(class, "import", true)?;
    let folder = class.folder.submissions().join(id);
    make_folder(&folder)?;
    let ending = if is_folder { "" } else { ending };
    let path = free(&folder, at, ending);
    let part = scratch.path().join("hand-in");
    if is_folder {
        archive::unpack(source, &part, Limits::SUBMISSION)
            .map_err(|error| TaskError::from(error).of_teacher(source))?;
    } else {
        fs::copy(source, &part)
            .and_then(|_| File::open(&part)?.sync_all())
            .map_err(ClassError::about(source))?;
    }
    // Whole or not at all.
    fs::rename(&part, &path).map_err(ClassError::about(&path))?;
    Ok(path)
}

/// Returns a path in `folder` that is not there yet: the time, or the first second after it that is
/// free.
fn free(folder: &Path, at: Timestamp, ending: &str) -> PathBuf {
    let is_taken = |time: &str| {
        let beginning = fs::read_dir(folder).into_iter().flatten().flatten();
        beginning.into_iter().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            archive::without_ending(&name) == time
        })
    };
    let mut at = at;
    loop {
        let time = shown_time(at);
        match at.checked_add(Span::new().seconds(1)) {
            Ok(next) if is_taken(&time) => at = next,
            Ok(_) | Err(_) => return folder.join(format!("{time}{ending}")),
        }
    }
}
