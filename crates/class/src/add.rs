//! A submission that is added, by hand or from a file that was dropped somewhere.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::archive::{self, Limits};
use jiff::{Span, Timestamp};

use crate::class::make_folder;
use crate::{Class, ClassError, Student, shown_time};

impl Class {
    /// Copies `source` to the submissions of the student `id`, as handed in at `at`. Returns where it is, below the folder
    /// of the class.
    ///
    /// # Errors
    /// If there is no such student, or `source` cannot be copied.
    pub fn add(&self, id: &str, source: &Path, at: Timestamp) -> Result<String, ClassError> {
        let student = self.roster.student(id).ok_or_else(|| unknown(self, id))?;
        let there = put(self, student, source, at)?;
        Ok(self.relative(&there))
    }
}

fn unknown(class: &Class, id: &str) -> ClassError {
    let file = class.folder.roster();
    ClassError::misuse(format!(
        "no student of {} has the id {id:?}; add a line for it",
        file.display()
    ))
}

/// Copies `source` to the student's folder. Returns where it is.
fn put(
    class: &Class,
    student: &Student,
    source: &Path,
    at: Timestamp,
) -> Result<PathBuf, ClassError> {
    let about =
        |what: &dyn std::fmt::Display| ClassError::misuse(format!("{}: {what}", source.display()));
    let is_folder = fs::metadata(source).map_err(|error| about(&error))?.is_dir();
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let ending = &name[archive::without_ending(&name).len()..];
    if !is_folder && ending.is_empty() {
        return Err(about(&format_args!("this {}", archive::NO_KIND)));
    }
    let folder = class.folder.submissions().join(&student.id);
    make_folder(&folder)?;
    let ending = if is_folder { "" } else { ending };
    let path = free(&folder, at, ending);
    // Under a name that does not count until it is whole.
    let part = folder.join(format!(".{}.part", path.file_name().unwrap_or_default().display()));
    if is_folder {
        let build = &class.config.build;
        let limits = Limits { files: build.files, bytes: u64::from(build.size) << 20 };
        archive::unpack(source, &part, limits).map_err(|error| about(&error))?;
    } else {
        let copied = fs::copy(source, &part).and_then(|_| File::open(&part)?.sync_all());
        copied.map_err(|error| about(&error))?;
    }
    fs::rename(&part, &path).map_err(|error| about(&error))?;
    Ok(path)
}

/// Returns a path in `folder` that is not there yet: the time, or the first second after it that is free.
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
