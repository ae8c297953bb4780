//! Files of languages that are named in place of a program.

use std::io::Read;
use std::path::Path;

use bothost::{BotProgram, find_on_path};
use kits::FileKind;

/// Returns `program` with what its language says of its file: the commands that run it on Windows, and the message if it
/// cannot be started. Call it again if the folder of the program changes.
#[must_use]
pub fn recognized(program: BotProgram) -> BotProgram {
    let path = Path::new(&program.file);
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    BotProgram {
        runners: kits::kind_of_file(Path::new(&name)).map_or(&[], |(_, ending)| ending.on_windows),
        advice: advice(&program),
        ..program
    }
}

/// Returns what to write in place of a source file or script; `None` if the file is something else, or names its
/// interpreter in its first line.
fn advice(program: &BotProgram) -> Option<String> {
    let file = program.file.to_str()?;
    let path = Path::new(file);
    let (_, ending) = kits::kind_of_file(path)?;
    let located = program.located(path);
    if !located.is_file() {
        let is_name = path.components().count() < 2 && !file.contains(' ');
        let is_missing = is_name && !located.exists() && find_on_path(path.as_os_str()).is_none();
        let FileKind::Script(run) = ending.kind else {
            return None;
        };
        return is_missing.then(|| {
            let run = run.replace("FILE", file);
            format!("there is no file {file:?} in this folder; it would be started as \"{run}\"")
        });
    }
    let mut beginning = [0; 2];
    let read = std::fs::File::open(&located).and_then(|mut file| file.read(&mut beginning));
    if read.is_ok() && &beginning == b"#!" {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    let folder = match path.parent()?.to_str()? {
        "" => ".",
        folder => folder,
    };
    let out = format!("{folder}/{stem}");
    let with_names = |command: &str| {
        let words = command.split(' ').map(|word| match word {
            "FILE" => file,
            "STEM" => stem,
            "FOLDER" => folder,
            "OUT" => &out,
            word => word,
        });
        words.collect::<Vec<_>>().join(" ")
    };
    match ending.kind {
        FileKind::Script(run) => Some(format!(
            "{file:?} is a script; write \"{}\"",
            with_names(run)
        )),
        FileKind::Class(run) => Some(format!(
            "{file:?} is a class; write \"{}\"",
            with_names(run)
        )),
        FileKind::Source(build) => {
            let build = with_names(build);
            Some(format!(
                "{file:?} is source: build it first ({build}), then name {out}"
            ))
        }
        FileKind::ClassSource(build, run) => {
            let build = with_names(build);
            let run = with_names(run);
            Some(format!(
                "{file:?} is source: build it first ({build}), then write \"{run}\""
            ))
        }
        FileKind::Other => None,
    }
}
