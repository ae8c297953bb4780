//! Scripts, whose first line names what runs them.

use std::io::Read;
use std::path::Path;

use super::{find_on_path, in_shell};
use crate::program::BotProgram;

/// Returns the name of the interpreter of the script that `program` is.
pub(crate) fn interpreter_of_script(program: &BotProgram) -> Option<String> {
    let mut beginning = Vec::new();
    let file = std::fs::File::open(program.located(Path::new(&program.file))).ok()?;
    file.take(256).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    let words = text.lines().next()?.strip_prefix("#!")?;
    interpreter_in(words).map(str::to_owned)
}

/// Returns the name of the interpreter in a first line, without the path; `None` if it has options,
/// which a command line would have to repeat.
fn interpreter_in(words: &str) -> Option<&str> {
    let mut words = words.split_ascii_whitespace();
    let mut name = words.next()?;
    if Path::new(name).file_name()? == "env" {
        name = words.next()?;
    }
    let is_alone = words.next().is_none() && !name.starts_with('-');
    Path::new(name).file_name()?.to_str().filter(|_| is_alone)
}

/// Returns the fault of the script that `program` is. Its first line names its interpreter, and is
/// read byte for byte; the system says no more than that there is no such file.
pub(crate) fn fault_of_script(program: &BotProgram) -> Option<String> {
    let script = Path::new(&program.file);
    let path = program.located(script);
    // A program on the PATH works for others too, and a pipe may have no end.
    if script.components().count() < 2 || !path.is_file() {
        return None;
    }
    let mut beginning = Vec::new();
    let file = std::fs::File::open(&path).ok()?;
    file.take(256).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    let line = text.split('\n').next()?;
    let script = script.display();
    let path = path.to_string_lossy();
    let path = if path.contains(['"', '$', '`', '\\', '!', '\n']) {
        in_shell(&path).into_owned()
    } else {
        format!("\"{path}\"")
    };
    if line.starts_with("\u{feff}#!") {
        return Some(format!(
            "\"{script}\" begins with a byte order mark, so its first line names no interpreter; sed -i '1s/^\\xEF\\xBB\\xBF//' {path} removes it"
        ));
    }
    let words = line.strip_prefix("#!")?;
    if words.ends_with('\r') {
        // A shell takes the carriage return for a part of a word, and other interpreters do not.
        let as_it_is = interpreter_in(words.trim_end())
            .filter(|name| !name.ends_with("sh"))
            .map(|name| format!(", and \"{name} {script}\" runs it as it is"));
        return Some(format!(
            "the lines of \"{script}\" end with a carriage return, as on Windows, and the interpreter's name seems to end with it; sed -i 's/\\r$//' {path} fixes that{}",
            as_it_is.unwrap_or_default()
        ));
    }
    let mut words = words.split_ascii_whitespace();
    let first = Path::new(words.next()?);
    // A word of another option, of a variable or in quotation marks does not name it.
    let name = words
        .find(|word| !["-S", "-i", "-v"].contains(word))
        .filter(|word| !word.starts_with('-') && !word.contains(['=', '"', '\'', '$', '\\']));
    let (name, lack) = match name.filter(|_| first.ends_with("env")) {
        Some(name) if find_on_path(name.as_ref()).is_none() => (name, "program on the PATH"),
        None if first.is_absolute() && !first.exists() => (first.to_str()?, "file"),
        Some(_) | None => return None,
    };
    Some(format!(
        "the first line of \"{script}\" names the interpreter {name:?}, and there is no such {lack}"
    ))
}
