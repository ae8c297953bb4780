//! A file of settings, which is read as words in front of the typed ones. Its keys are the names of
//! long options, and `[[player]]` tables are players. `referee.toml` in the current folder may have
//! the sections of a machine alone.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ErrorKind as ClapErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::exit::Failure;
use super::options::{BotOptions, headings};
use super::{note, player, tips};
use arena::system::quoted;

/// The file in the current folder that is read if no other is named.
const USUAL: &str = "referee.toml";

/// The sections of a machine's settings.
const SECTIONS: [&str; 3] = ["limits", "sandbox", "bots"];

/// The keys of a player, and what is expected behind each.
const PLAYER_KEYS: [(&str, &str); 5] = [
    ("name", "text"),
    ("command", "a command as text, or as a list of its words"),
    ("dir", "text"),
    ("limit", TIME),
    ("start-limit", TIME),
];

const TIME: &str = "a time in quotation marks, as \"5s\"";

/// On a path of Windows, which TOML takes for something else.
const BACKSLASH: &str = "between quotation marks a backslash begins a code, as \\n; write the text between apostrophes, as in 'C:\\bots\\bot.exe', or with / in place of it";

const NOT_A_PLAYER: &str =
    "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";

const KEYS: &str = "its keys are the names of long options";

const PLAYERS_TWICE: &str =
    "there are players on the command line and in the file of --config: name them in one place";

/// The option of every command that reads settings.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ConfigArgument {
    /// Read settings from this file, and not from referee.toml
    ///
    /// It is TOML with the names of long options as keys; [limits], [sandbox] and [bots] may be
    /// sections. The command line overrides it.
    #[arg(long, value_name = "FILE", help_heading = headings::MORE)]
    config: Option<PathBuf>,
}

/// A file of settings.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    pub(super) path: PathBuf,
    words: Vec<Word>,
}

/// A word that a file puts on the command line.
#[derive(Clone, Debug)]
struct Word {
    line: usize,
    /// The name of the option; empty for a player.
    option: String,
    /// The value of the option, or the player; "true" for an option that is switched on.
    value: String,
}

/// The line or the byte of a fault in a file, and the fault.
type Fault = (usize, String);

/// Reads the words of a command behind those of its file of settings. `typed` begins with the name
/// of the program and that of the command, which is one of `grammar`. Ends the program if help is
/// asked for, or if typed words are wrong.
///
/// # Errors
/// If the file is wrong.
pub(super) fn parse(
    mut grammar: Command,
    typed: &[OsString],
) -> Result<(ArgMatches, Option<SettingsFile>), Failure> {
    let mut words = typed.to_vec();
    let mut file = None;
    if let Some(command) = typed.get(1).and_then(|name| grammar.find_subcommand(name)) {
        file = SettingsFile::find(typed, command)?;
        if let Some(file) = &mut file {
            words = file.before(typed, command);
        }
    }
    match grammar.try_get_matches_from_mut(words) {
        Ok(matches) => Ok((matches, file)),
        Err(error) => {
            let command = typed.get(1).and_then(|name| grammar.find_subcommand(name));
            let error = tips::with_tips(error, command.unwrap_or(&grammar), typed);
            match file.and_then(|file| file.failure(&error)) {
                Some(failure) => Err(failure),
                None => error.exit(),
            }
        }
    }
}

impl SettingsFile {
    /// Reads the file that `typed` names with `--config`, or else the usual one, if there is one.
    /// `grammar` is that of the command.
    fn find(typed: &[OsString], grammar: &Command) -> Result<Option<SettingsFile>, Failure> {
        if option_of(grammar, "config").is_none() {
            return Ok(None);
        }
        let Some(given) = given(typed, grammar) else {
            return Ok(None);
        };
        let read = given.get_raw("config").and_then(|mut paths| paths.next());
        if let Some(path) = read.or_else(|| config_in(typed)) {
            return SettingsFile::read(Path::new(path), false).map(Some);
        }
        // A link that leads nowhere and a folder have the name of the file, so settings are lost.
        if std::fs::symlink_metadata(USUAL).is_err_and(|error| error.kind() == ErrorKind::NotFound)
        {
            return Ok(None);
        }
        // A file that came with something else must not start programs or write files, and do
        // nothing unseen.
        let file = SettingsFile::read(Path::new(USUAL), true)?;
        let machine = machine().no_binary_name(true);
        let words = file.typed(&machine);
        if let Err(error) = machine.try_get_matches_from(words) {
            let failure = file.failure(&error);
            return Err(failure.unwrap_or_else(|| Failure::misuse(sentence(&error))));
        }
        let mut keys: Vec<&str> = file.words.iter().map(|word| &*word.option).collect();
        keys.sort_unstable();
        keys.dedup();
        if !keys.is_empty() {
            note(&format!("{USUAL} sets {}", keys.join(", ")));
        }
        Ok(Some(file))
    }

    fn read(path: &Path, is_found: bool) -> Result<SettingsFile, Failure> {
        let shown = path.display();
        let cannot_read = |why: &dyn Display| {
            let (option, advice) = if is_found {
                ("", "; repair or remove it: its settings would be ignored")
            } else {
                ("--config ", "")
            };
            Failure::misuse(format!("{option}{shown}: {why}{advice}"))
        };
        // A pipe that --config names may be read, and a usual one may have no writer.
        if is_found && std::fs::metadata(path).is_ok_and(|file| !file.is_file()) {
            return Err(cannot_read(&"this is not a file"));
        }
        let bytes = std::fs::read(path).map_err(|error| cannot_read(&error))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::misuse(format!("{shown}: the file is not UTF-8 text")))?;
        let words = words(&text, None, is_found)
            .map_err(|(line, what)| Failure::misuse(format!("{shown}, line {line}: {what}")))?;
        let path = path.to_owned();
        Ok(SettingsFile { path, words })
    }

    /// Returns the number of players that the file names.
    pub(super) fn players(&self) -> usize {
        let players = self.words.iter().filter(|word| word.option.is_empty());
        players.count()
    }

    /// Returns the words as they are typed in a command of `grammar`.
    fn typed(&self, grammar: &Command) -> Vec<OsString> {
        let mut typed = Vec::new();
        for Word { option, value, .. } in &self.words {
            let has_value = option_of(grammar, option)
                .is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set());
            typed.push(match (&**option, &**value) {
                ("", player) => player.into(),
                (option, "true") if !has_value => format!("--{option}").into(),
                (option, value) => format!("--{option}={value}").into(),
            });
        }
        typed
    }

    /// Returns `typed`, the names of program and command first, with the words of the file before
    /// the typed ones. An option that is typed too, or excludes a typed one, is dropped from the
    /// file: a fault of the typed one is not the file's.
    fn before(&mut self, typed: &[OsString], grammar: &Command) -> Vec<OsString> {
        let given = given(typed, grammar).unwrap_or_default();
        let is_typed =
            |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let typed_args: Vec<&Arg> = grammar
            .get_arguments()
            .filter(|arg| is_typed(arg))
            .collect();
        let has = |name: &str| typed_args.iter().any(|arg| arg.get_long() == Some(name));
        let has_sandbox = has("sandbox") || self.words.iter().any(|word| word.option == "sandbox");
        let has_limit = has("limit")
            && given
                .get_raw("limit")
                .into_iter()
                .flatten()
                .any(|limit| !limit.to_string_lossy().contains('='));
        let has_clock = has("clock");
        let machine = machine();
        self.words.retain(|word| {
            let Some(arg) = option_of(grammar, &word.option) else {
                // A file of the machine sets what other commands have, too.
                return option_of(&machine, &word.option).is_none();
            };
            match &*word.option {
                // Limits of single players add up.
                "limit" => word.value.contains('=') || !(has_limit || has_clock),
                "clock" if has_limit => false,
                _ if arg.get_help_heading() == Some(headings::SANDBOX) && !has_sandbox => false,
                _ => !typed_args.iter().any(|other| excludes(grammar, arg, other)),
            }
        });
        let (command, rest) = typed.split_at(typed.len().min(2));
        [command, &self.typed(grammar), rest].concat()
    }

    /// Returns the failure for an error of words that were partly read from this file; `None` if
    /// the words at fault were typed.
    fn failure(&self, error: &clap::Error) -> Option<Failure> {
        if let Some(word) = self.word_at_fault(error) {
            return Some(self.about(word, sentence(error)));
        }
        let has_too_many = error.kind() == ClapErrorKind::UnknownArgument && self.players() > 0;
        has_too_many.then(|| Failure::misuse(PLAYERS_TWICE))
    }

    /// Returns the word of the file that an error is about.
    fn word_at_fault(&self, error: &clap::Error) -> Option<&Word> {
        let invalid = error.get(ContextKind::InvalidArg)?.to_string();
        let value = error
            .get(ContextKind::InvalidValue)
            .map(ToString::to_string);
        let option = invalid.strip_prefix("--")?.split([' ', '=', '[']).next()?;
        self.words.iter().find(|word| {
            word.option == option && value.as_ref().is_none_or(|value| *value == word.value)
        })
    }

    /// Returns `failure` with the line of the file if the option or the player that its message
    /// begins with is in it.
    #[must_use]
    pub fn located(&self, failure: Failure) -> Failure {
        let Failure::Misuse(what) = &failure else {
            return failure;
        };
        let word = self.words.iter().find(|Word { option, value, .. }| {
            if option.is_empty() {
                return what.starts_with(&format!("{value:?}"));
            }
            let rest = what.strip_prefix(&format!("--{option}"));
            rest.is_some_and(|rest| rest.starts_with([' ', ':', ',']))
        });
        match word {
            Some(word) => self.about(word, what),
            None => failure,
        }
    }

    fn about(&self, word: &Word, what: impl Display) -> Failure {
        let path = self.path.display();
        Failure::misuse(format!("{path}, line {}: {what}", word.line))
    }
}

/// Reads the options in a section of a TOML file, as `A` has them.
///
/// # Errors
/// The fault, as a message with its line.
pub fn options_of_section<A: Args>(text: &str, section: &str) -> Result<A, String> {
    let grammar = A::augment_args(Command::new("").no_binary_name(true));
    let words = words(text, Some(section), false);
    let file = SettingsFile {
        path: PathBuf::new(),
        words: words.map_err(|(line, what)| format!("line {line}: {what}"))?,
    };
    let typed = file.typed(&grammar);
    let matches = grammar.try_get_matches_from(typed);
    matches
        .and_then(|matches| A::from_arg_matches(&matches))
        .map_err(|error| match file.word_at_fault(&error) {
            Some(word) => format!("line {}: {}", word.line, sentence(&error)),
            None => sentence(&error),
        })
}

/// Returns the names and values of the options in a file, for fuzz targets.
#[cfg(feature = "fuzzing")]
pub(super) fn options(text: &str, is_found: bool) -> Result<Vec<(String, String)>, Fault> {
    let path = PathBuf::new();
    let words = words(text, None, is_found)?;
    let file = SettingsFile { path, words };
    if is_found {
        let grammar = machine().no_binary_name(true);
        let typed = file.typed(&grammar);
        if let Err(error) = grammar.try_get_matches_from(typed) {
            let _ = file.failure(&error);
        }
    }
    let words = file.words.into_iter();
    Ok(words.map(|word| (word.option, word.value)).collect())
}

/// Returns the typed options of a command, as far as they can be read; `None` if help is asked for.
fn given(typed: &[OsString], grammar: &Command) -> Option<ArgMatches> {
    let grammar = grammar.clone().ignore_errors(true);
    grammar.try_get_matches_from(&typed[1..]).ok()
}

/// Returns the path behind a typed `--config` that no grammar has read, since a mistake before it
/// ended the reading.
fn config_in(typed: &[OsString]) -> Option<&OsStr> {
    let mut words = typed.iter();
    let word = words.find(|word| word.as_encoded_bytes().starts_with(b"--config"))?;
    match word.to_str()?.strip_prefix("--config=") {
        Some(path) => Some(path.as_ref()),
        None => words
            .next()
            .filter(|_| word == "--config")
            .map(|path| &**path),
    }
}

fn option_of<'g>(grammar: &'g Command, name: &str) -> Option<&'g Arg> {
    let mut all = grammar.get_arguments();
    all.find(|arg| arg.get_long() == Some(name))
}

/// Returns whether two options cannot both be given.
fn excludes(grammar: &Command, one: &Arg, other: &Arg) -> bool {
    one.get_id() == other.get_id()
        || grammar.get_arg_conflicts_with(one).contains(&other)
        || grammar.get_arg_conflicts_with(other).contains(&one)
}

/// Returns the options that a machine may set, in sections.
fn machine() -> Command {
    BotOptions::augment_args(Command::new(""))
}

/// Returns the sentence of an error, without the advice to ask for help.
fn sentence(error: &clap::Error) -> String {
    if error.kind() == ClapErrorKind::UnknownArgument
        && let Some(name) = error.get(ContextKind::InvalidArg)
    {
        let name = name.to_string();
        let name = name.trim_start_matches("--");
        return match error.get(ContextKind::SuggestedArg) {
            Some(near) => {
                let near = near.to_string().replace("--", "").replace(", ", " or ");
                format!("there is no {name:?}; did you mean {near}?")
            }
            None => format!("there is no {name:?}; {KEYS}"),
        };
    }
    if error.kind() == ClapErrorKind::TooManyValues
        && let Some(name) = error.get(ContextKind::InvalidArg)
    {
        return format!("{name} is on or off: write true or false");
    }
    let text = error.to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    sentence.trim_start_matches("error: ").replace("\n  ", " ")
}

/// Returns the words of a file, in the order of their lines: those of one section, if there is a
/// `wanted` one. A file that was `found` may have sections alone.
fn words(text: &str, wanted: Option<&str>, is_found: bool) -> Result<Vec<Word>, Fault> {
    // TOML has no byte order mark, which some editors of Windows write.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let found = Vec::new();
    let mut found = Found { text, found };
    for (key, value) in found.table()?.get_ref() {
        let name = key.get_ref().as_ref();
        if wanted.is_some_and(|wanted| wanted != name) {
            continue;
        }
        let section = value.get_ref().as_table();
        match section.filter(|_| wanted.is_some() || SECTIONS.contains(&name)) {
            Some(section) => {
                for (key, value) in section {
                    found.add_option(key.get_ref(), value);
                }
            }
            None if is_meant_as_player(name, value.get_ref()) => {
                let what = format!("there is no {name:?}; did you mean [[player]]? {NOT_A_PLAYER}");
                found.add(key.span().start, name, Err(what));
            }
            None if section.is_some() && name != "player" => {
                let sections = sections();
                let what = format!("there is no section [{name}]; the sections are {sections}");
                found.add(key.span().start, name, Err(what));
            }
            None if is_found => {
                let sections = sections();
                let what = format!(
                    "{USUAL} may have {sections} alone; a file that --config names may have {name}"
                );
                found.add(key.span().start, name, Err(what));
            }
            None if name == "player" => found.add_players(value),
            None => found.add_option(name, value),
        }
    }
    found.found.sort_by_key(|(line, _)| *line);
    // The first fault in the file is the first to be fixed.
    let words = found.found.into_iter();
    words
        .map(|(line, word)| word.map_err(|what| (line, what)))
        .collect()
}

/// Returns whether a key is not `player` and was meant so: it is nearly called so, or has a list of
/// tables.
fn is_meant_as_player(name: &str, value: &DeValue<'_>) -> bool {
    let mut tables = value.as_array().into_iter().flat_map(|list| list.iter());
    name != "player"
        && (strsim::damerau_levenshtein(&name.to_lowercase(), "player") <= 1
            || tables.any(|table| table.get_ref().is_table()))
}

fn sections() -> String {
    SECTIONS.map(|section| format!("[{section}]")).join(", ")
}

/// What was found in a file.
struct Found<'t> {
    text: &'t str,
    /// The words and the faults, with their lines.
    found: Vec<(usize, Result<Word, String>)>,
}

impl<'t> Found<'t> {
    fn line_of(&self, at: usize) -> usize {
        1 + self
            .text
            .get(..at)
            .unwrap_or(self.text)
            .matches('\n')
            .count()
    }

    fn table(&self) -> Result<Spanned<DeTable<'t>>, Fault> {
        DeTable::parse(self.text).map_err(|error| {
            let line = self.line_of(error.span().unwrap_or_default().start);
            let what = error.message();
            let has_backslash = self
                .text
                .lines()
                .nth(line - 1)
                .unwrap_or_default()
                .contains('\\');
            let advice = if has_backslash {
                BACKSLASH
            } else {
                "a line is KEY = VALUE, [SECTION] or [[player]], and text has quotation marks, as in command = \"./bot\""
            };
            (line, format!("{what}; {advice}"))
        })
    }

    /// Adds what the file has at this byte: the value of an option, or a fault.
    fn add(&mut self, at: usize, option: &str, value: Result<String, String>) {
        let line = self.line_of(at);
        let option = option.to_owned();
        let word = value.map(|value| Word {
            line,
            option,
            value,
        });
        self.found.push((line, word));
    }

    /// Adds the words of an option: one for each element of a list, and none for a switch that is
    /// off.
    fn add_option(&mut self, name: &str, value: &Spanned<DeValue<'_>>) {
        // A key with other characters could become words that the file may not have, as `"out=FILE"
        // = true`.
        let what = match name {
            "config" | "help" | "help-all" => format!("there is no {name:?} in a file"),
            _ if name.is_empty()
                || !name
                    .chars()
                    .all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign)) =>
            {
                format!("there is no {name:?}; {KEYS}")
            }
            _ => String::new(),
        };
        if !what.is_empty() {
            return self.add(value.span().start, name, Err(what));
        }
        if let Some(is_on) = value.get_ref().as_bool() {
            if is_on {
                self.add(value.span().start, name, Ok("true".to_owned()));
            }
            return;
        }
        let values = match value.get_ref().as_array() {
            Some(values) => values.iter().collect(),
            None => vec![value],
        };
        for value in values {
            let text = text_of(
                value.get_ref(),
                "text, a number, true, false, or a list of texts",
            );
            let text = text.map_err(|what| format!("{name}: {what}"));
            self.add(value.span().start, name, text);
        }
    }

    /// Adds the words of the players: each as it is typed, and options for limits of their own.
    fn add_players(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(tables) = value.get_ref().as_array() else {
            return self.add(value.span().start, "", Err(NOT_A_PLAYER.to_owned()));
        };
        for (number, table) in (1..).zip(tables.iter()) {
            if let Err((at, what)) = self.add_player(number, table) {
                self.add(at, "", Err(what));
            }
        }
    }

    /// Adds the words of the player with this number.
    ///
    /// # Errors
    /// The byte of a fault, and the fault.
    fn add_player(&mut self, number: u32, table: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
        let start = table.span().start;
        let Some(table) = table.get_ref().as_table() else {
            return Err((start, NOT_A_PLAYER.to_owned()));
        };
        let mut name = None;
        let mut dir = None;
        let mut command = None;
        for (key, value) in table {
            let at = value.span().start;
            let key_name = key.get_ref().as_ref();
            let Some((_, expected)) = PLAYER_KEYS.iter().find(|(key, _)| *key == key_name) else {
                let keys = PLAYER_KEYS.map(|(key, _)| key).join(", ");
                let what = format!("player: there is no {key_name:?}; there are {keys}");
                return Err((key.span().start, what));
            };
            let words = value.get_ref().as_array().filter(|_| key_name == "command");
            let field = if let Some(words) = words {
                let words = words.iter().map(|word| text_of(word.get_ref(), expected));
                words
                    .collect::<Result<Vec<_>, _>>()
                    .map(|words| quoted(&words))
            } else if value.get_ref().is_str() {
                text_of(value.get_ref(), expected)
            } else {
                Err(format!("expected {expected}"))
            };
            let field = field.map_err(|what| (at, format!("player: {key_name}: {what}")))?;
            match key_name {
                "name" => name = Some(field),
                "dir" => dir = Some(field),
                "command" => command = Some((at, field)),
                limit => self.add(at, limit, Ok(format!("{number}={field}"))),
            }
        }
        let Some((at, command)) = command else {
            return Err((start, "player: command is missing".to_owned()));
        };
        let player = player::word(name.as_deref(), dir.as_deref(), &command);
        self.add(at, "", player);
        Ok(())
    }
}

/// Returns text or a number as it would be typed; if it is neither, the fault, with the kind of
/// value that is `expected`.
fn text_of(value: &DeValue<'_>, expected: &str) -> Result<String, String> {
    let text = if let Some(text) = value.as_str() {
        text.to_owned()
    } else if let Some(number) = value.as_integer() {
        let number = i128::from_str_radix(number.as_str(), number.radix());
        number.map_err(|error| error.to_string())?.to_string()
    } else if let Some(number) = value.as_float() {
        number.as_str().to_owned()
    } else {
        return Err(format!("expected {expected}"));
    };
    if text.contains(char::is_control) {
        return Err(BACKSLASH.to_owned());
    }
    Ok(text)
}
