//! `referee class add`: a submission, by hand or from a file that was dropped somewhere.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use class::archive::{self, Limits};
use class::{Student, shown_time, time_in_name};
use jiff::{Span, Timestamp};

use super::{Class, make_folder, say};
use crate::cli::exit::Failure;

/// Puts `source` among the submissions of the student `id`, as handed in at `at` or now.
pub(in crate::cli) fn run(
    folder: &Path,
    id: &str,
    source: &Path,
    at: Option<&str>,
) -> Result<(), Failure> {
    let class = Class::open(folder)?;
    let at = match at {
        Some(at) => time_in_name(at).map_err(|error| Failure::misuse(format!("--at: {error}")))?,
        None => Timestamp::now(),
    };
    let student = class.roster.student(id).ok_or_else(|| unknown(&class, id))?;
    let there = put(&class, student, source, at)?;
    say(class.relative(&there))
}

fn unknown(class: &Class, id: &str) -> Failure {
    let file = class.folder.roster();
    Failure::misuse(format!(
        "no student of {} has the id {id:?}; add a line for it",
        file.display()
    ))
}

/// Copies `source` to the student's folder. Returns where it is.
fn put(class: &Class, student: &Student, source: &Path, at: Timestamp) -> Result<PathBuf, Failure> {
    let about =
        |what: &dyn std::fmt::Display| Failure::misuse(format!("{}: {what}", source.display()));
    let is_folder = fs::metadata(source).map_err(|error| about(&error))?.is_dir();
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let ending = &name[archive::without_ending(&name).len()..];
    if !is_folder && ending.is_empty() {
        return Err(about(&"this is no folder and no .zip, .tar, .tar.gz or .tgz file"));
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
