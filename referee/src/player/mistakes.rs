//! Words that are probably a mistake, and the words to type instead.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use bothost::{BotProgram, Flushing, find_on_path};
use bots::{SHIPPED, Shipped};
use clap::{Command, ValueHint};
use kits::FileKind;

use crate::exit::Failure;
use arena::system::{quoted, quoted_word, split_words};

/// Checks that no player in `typed` is a bare interpreter before the file that it should run.
/// `command` is the grammar of the command.
///
/// # Errors
/// If there is one; the message has the command line with quotation marks.
pub(crate) fn refuse_unquoted(typed: &[OsString], command: &Command) -> Result<(), Failure> {
    let mut players = command.get_positionals().map(clap::Arg::get_value_hint);
    if !players.any(|hint| hint == ValueHint::CommandString) {
        return Ok(());
    }
    let words: Vec<String> = typed
        .iter()
        .skip(2)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    for start in 0..words.len() {
        let Some(end) = end_of_command(&words, start) else {
            continue;
        };
        let player = words[start..end].join(" ");
        let right = [&words[..start], &[player], &words[end..]].concat();
        return Err(Failure::misuse(format!(
            "a command of several words is one player in quotation marks only; write: referee {} {}",
            command.get_name(),
            quoted(&right)
        )));
    }
    Ok(())
}

/// Returns the end of the command that begins with the word `start`, if that is a bare interpreter
/// and its file follows, perhaps behind options.
fn end_of_command(words: &[String], start: usize) -> Option<usize> {
    let program = words[start]
        .split_once('=')
        .map_or(words[start].as_str(), |(_, program)| program);
    let name = Path::new(program).file_name()?.to_str()?;
    let language = kits::interpreted_by(name)?;
    let mut end = start + 1;
    while let Some(word) = words
        .get(end)
        .filter(|word| word.starts_with('-') && !word.starts_with("--"))
    {
        // A class path is another word.
        end += if language.class_path.contains(&word.as_str()) {
            2
        } else {
            1
        };
    }
    let file = words.get(end)?;
    let is_class = !language.class_path.is_empty()
        && (end > start + 1 || Path::new(&format!("{file}.class")).is_file());
    let file_path = Path::new(file);
    let is_file = file_path.is_file() || kits::kind_of_file(file_path).is_some();
    (is_class || is_file).then_some(end + 1)
}

/// Returns the sentence about the `words` of a player that are probably meant otherwise; `name` is
/// the name that it was given.
pub(super) fn mistake(name: Option<&str>, has_prefix: bool, words: &[String]) -> Option<String> {
    let (file, arguments) = words.split_first()?;
    // A player has any name; one of capitals before what is not a program, and then a program, is a
    // variable.
    if let Some(variable) = name
        && !variable.contains(char::is_lowercase)
        && find_on_path(file.as_ref()).is_none()
        && arguments.first().is_some_and(|word| is_program(word))
    {
        return Some(format!(
            "{variable}={file}: what is before = is the player's name, not a variable; set the variable for the referee \
             and pass it on: {variable}={file} referee ... --env {variable}"
        ));
    }
    let tilde = words
        .iter()
        .find(|word| word.starts_with("~/") && !Path::new(word).exists());
    if let Some(word) = tilde {
        return Some(tilde_of(word));
    }
    if let Some((name, dir)) = file.split_once('@')
        && Path::new(dir).is_dir()
        && !has_prefix
        && !Path::new(file).exists()
    {
        return Some(format!(
            "{name}@{dir} has no command; write {name}@{dir}=COMMAND"
        ));
    }
    if !is_missing(file) {
        return None;
    }
    if let Some(kind) = meant(file) {
        return Some(format!(
            "no program {file:?} is on the PATH; did you mean {kind}? The shipped players are awful, mediocre, fair, decent, \
             good and human"
        ));
    }
    // An interpreter alone is no bot.
    arguments.first()?;
    let interpreter = meant_interpreter(file)?;
    let right = quoted(&[&[interpreter.to_owned()], arguments].concat());
    Some(format!(
        "no program {file:?} is on the PATH; did you mean {right:?}?"
    ))
}

/// Returns the sentence about a `~` that no shell has replaced.
pub(super) fn tilde_of(word: &str) -> String {
    let home = std::env::home_dir().unwrap_or_else(|| "/home/NAME".into());
    format!(
        "{word:?}: only a shell replaces ~, and only outside quotation marks; write {}",
        home.join(&word[2..]).display()
    )
}

/// Returns whether a word names a program on the PATH, or a file.
pub(super) fn is_program(word: &str) -> bool {
    find_on_path(word.as_ref()).is_some_and(|file| file.is_file())
}

/// Returns whether `file` names neither a shipped player nor a program.
fn is_missing(file: &str) -> bool {
    Shipped::named(file).is_none()
        && !Path::new(file).is_file()
        && find_on_path(file.as_ref()).is_none()
}

/// Returns the interpreter on the PATH that `file`, which is missing, was probably meant to name.
fn meant_interpreter(file: &str) -> Option<&'static str> {
    let lower = file.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, name);
    kits::interpreters()
        .filter(|name| distance(name) * 3 <= name.len() && is_program(name))
        .min_by_key(|name| distance(name))
}

/// Returns the shipped player that `file`, which is missing, was probably meant to name.
fn meant(file: &str) -> Option<&'static str> {
    let lower = file.to_lowercase();
    let lower = lower.trim_end_matches("-bot").trim_end_matches("_bot");
    SHIPPED.iter().map(|shipped| shipped.name).find(|name| {
        let mistakes = if name.len() > 5 { 2 } else { 1 };
        strsim::damerau_levenshtein(lower, name) <= mistakes
    })
}

/// The signs that a shell takes for itself; the last two at the end of a word, and `&&`.
const SIGNS: [char; 6] = ['|', '<', '>', '`', '&', ';'];

/// Returns the first word of `command`, which is split into `words`, that is for a shell, and the
/// player to type instead: a shell that runs the command, or, of `cd DIR && ...`, what runs in that
/// folder. `prefix` is what precedes the command, as `NAME=`.
pub(super) fn for_a_shell(
    words: &[String],
    command: &str,
    prefix: &str,
) -> Option<(String, String)> {
    // What precedes a place in quotation marks lacks their end.
    let is_quoted = |at: usize| split_words(&command[..at]).is_none();
    let mut start = 0;
    let spaces = command.match_indices(char::is_whitespace);
    let mut typed = spaces
        .map(|(at, _)| at)
        .filter(|at| !is_quoted(*at))
        .chain([command.len()])
        .map(|end| std::mem::replace(&mut start, end)..end)
        .filter(|word| {
            let mut signs = command[word.clone()].match_indices(SIGNS);
            signs.any(|(at, sign)| {
                let rest = &command[word.start + at + 1..word.end];
                let is_sign =
                    !matches!(sign, "&" | ";") || rest.is_empty() || rest.starts_with('&');
                is_sign && !is_quoted(word.start + at)
            })
        })
        .map(|word| command[word].trim())
        // A file may have such a name.
        .filter(|word| !Path::new(word).exists());
    let word = typed.next()?.to_owned();
    let name = prefix.trim_end_matches('=');
    let player = match words {
        [cd, dir, and, program, ..]
            if cd == "cd"
                && and == "&&"
                && typed.next().is_none()
                && !program.contains('=')
                && !prefix.contains('@')
                && Path::new(dir).is_dir() =>
        {
            let rest = quoted(&words[3..]);
            format!("{}={rest}", quoted_word(&format!("{name}@{dir}")))
        }
        _ => {
            let [shell, option] = if cfg!(windows) {
                ["cmd", "/c"]
            } else {
                ["sh", "-c"]
            };
            quoted(&[&format!("{prefix}{shell}"), option, command.trim()].map(str::to_owned))
        }
    };
    Some((word, quoted_word(&player)))
}

/// Returns `program` with what its language says of its file: the commands that run it on Windows,
/// and the message if it cannot be started. Call it again if the folder of the program changes.
#[must_use]
pub fn recognized(program: BotProgram) -> BotProgram {
    let path = Path::new(&program.file);
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    BotProgram {
        runners: kits::kind_of_file(Path::new(&name)).map_or(&[], |(_, ending)| ending.on_windows),
        advice: advice(&program),
        flushing: flushing(&program),
        ..program
    }
}

/// Returns the way to flush a line in the language of a program: that of its interpreter, which may
/// be named by a link, or in the first line of a script.
fn flushing(program: &BotProgram) -> Option<Flushing> {
    let name_of = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
    let path = Path::new(&program.file);
    let located = program.located(path);
    let name = if path.components().count() > 1 && located.is_file() {
        interpreter_in(&located).or_else(|| name_of(path))?
    } else {
        name_of(path)?
    };
    kits::interpreted_by(&name)?;
    // `awk` is another program on each system.
    let linked = find_on_path(name.as_ref()).and_then(|found| found.canonicalize().ok());
    let linked = linked.and_then(|found| name_of(&found));
    let way = linked.as_deref().and_then(kits::flushing_of);
    let way = way.or_else(|| kits::flushing_of(&name))?;
    Some(Flushing {
        how: way.how,
        is_needed: way.is_needed,
    })
}

/// Returns the name of the interpreter in the first line of a script.
fn interpreter_in(script: &Path) -> Option<String> {
    let mut beginning = Vec::new();
    let file = std::fs::File::open(script).ok()?;
    file.take(256).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    let line = text.lines().next()?.strip_prefix("#!")?.to_owned();
    let words = line.split_ascii_whitespace();
    let mut names = words.filter_map(|word| Path::new(word).file_name()?.to_str());
    names
        .find(|name| kits::interpreted_by(name).is_some())
        .map(str::to_owned)
}

/// Returns the advice on a source file or script that is named as a command; `None` if the file is
/// something else, or names its interpreter in its first line.
fn advice(program: &BotProgram) -> Option<String> {
    let file = program.file.to_str()?;
    let path = Path::new(file);
    let is_word = path.components().count() == 1 && !file.contains([' ', '.']);
    if is_word
        && program.arguments.is_empty()
        && is_missing(file)
        && !program.located(path).exists()
    {
        return Some(format!(
            "no program {file:?} is on the PATH; the shipped players are awful, mediocre, fair, decent, good and human"
        ));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[cfg(not(windows))]
    #[test]
    fn shell_signs_are_found_outside_quotations() {
        let found_in =
            |command: &str, prefix: &str| for_a_shell(&split_words(command)?, command, prefix);
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        for (command, word, player) in [
            ("python3 b.py | tee said", "|", "python3 b.py | tee said'\""),
            ("./b 2>log", "2>log", "./b 2>log'\""),
            ("./b 2> log", "2>", "./b 2> log'\""),
            ("./b&&./c", "./b&&./c", "./b&&./c'\""),
            ("cd a; ./b", "a;", "cd a; ./b'\""),
            ("./b 2>\"my log\"", "2>\"my log\"", "my log"),
            ("./b 2>'log'", "2>'log'", "log"),
            ("cd 'my bots'&& ./b", "'my bots'&&", "'&& ./b"),
            (&format!("cd {dir} && F=1 ./b"), "&&", "F=1 ./b'\""),
            ("cd no/such && ./b", "&&", "cd no/such && ./b'\""),
            (
                &format!("cd {dir} && python3 'b c.py'"),
                "&&",
                &format!("A@{dir}=python3 'b c.py'\""),
            ),
        ] {
            let (found, typed) = found_in(command, "A=").unwrap();
            assert_eq!(found, word);
            assert!(typed.contains(player), "{typed}");
        }
        let (_, typed) = found_in(&format!("cd {dir} && ./b"), "A@my bots=").unwrap();
        assert!(typed.starts_with("\"'A@my bots=sh' -c "), "{typed}");
        for command in [
            "./b '|' \">x\" a\\;b",
            "./b \"a | b\" '|' '--re=^a|b$' \\>",
            "./b --x=1&y=2 $HOME",
            "java -cp lib/*:. B",
        ] {
            assert_eq!(found_in(command, ""), None, "{command}");
        }
    }

    #[test]
    fn the_way_to_flush_is_known_by_the_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("bot");
        for (file, first_line, how) in [
            ("perl", "", Some("in Perl by \"$| = 1;\" at the start")),
            (
                "/usr/bin/perl5.36",
                "",
                Some("in Perl by \"$| = 1;\" at the start"),
            ),
            (
                "lua5.4",
                "",
                Some("in Lua by io.stdout:setvbuf(\"line\") at the start"),
            ),
            (
                "mawk",
                "",
                Some("in mawk by its option: mawk -W interactive -f FILE"),
            ),
            ("gawk", "", Some("in awk by fflush() after each line")),
            ("python3", "", Some("in Python by print(line, flush=True)")),
            (
                "",
                "#!/usr/bin/env -S tclsh\n",
                Some("in Tcl by \"fconfigure stdout -buffering line\" at the start"),
            ),
            (
                "",
                "#!/opt/php -q\r\n",
                Some("in PHP by fflush(STDOUT) after each line"),
            ),
            ("", "puts ready\n", None),
            ("./bot", "", None),
            ("no-such-program", "", None),
        ] {
            std::fs::write(&script, first_line).unwrap();
            let file = if first_line.is_empty() {
                Path::new(file)
            } else {
                &script
            };
            let program = BotProgram {
                file: file.into(),
                ..BotProgram::default()
            };
            let found = recognized(program).flushing;
            assert_eq!(found.map(|way| way.how), how, "{file:?} {first_line}");
        }
    }

    fn refused(typed: &str) -> Option<String> {
        let typed: Vec<OsString> = split_words(typed)
            .unwrap()
            .into_iter()
            .map(OsString::from)
            .collect();
        let player = Arg::new("player").value_hint(ValueHint::CommandString);
        let name = typed[1].to_string_lossy().into_owned();
        let command = Command::new("")
            .name(clap::builder::Str::from(&*name.leak()))
            .arg(player);
        refuse_unquoted(&typed, &command)
            .err()
            .map(|failure| failure.to_string())
    }

    #[test]
    fn an_interpreter_and_its_file_need_quotes() {
        for (typed, right) in [
            (
                "referee check python3 no/bot.py",
                "referee check 'python3 no/bot.py'",
            ),
            (
                "referee play python3 bot.py mediocre --seed 1",
                "'python3 bot.py' mediocre --seed 1",
            ),
            (
                "referee match awful A=/usr/bin/python3.12 -u bot.py",
                "awful 'A=/usr/bin/python3.12 -u bot.py'",
            ),
            (
                "referee play java -cp folder Bot awful",
                "'java -cp folder Bot' awful",
            ),
            (
                "referee tournament awful node bot.js ruby bot.rb",
                "awful 'node bot.js' ruby bot.rb",
            ),
        ] {
            let what = refused(typed).unwrap();
            assert!(what.ends_with(right), "{what}");
        }
    }

    #[test]
    fn other_commands_are_left_alone() {
        for typed in [
            "referee play 'python3 bot.py' mediocre",
            "referee play python3 mediocre",
            "referee check python3",
            "referee play node",
        ] {
            assert_eq!(refused(typed), None, "{typed}");
        }
    }
}
