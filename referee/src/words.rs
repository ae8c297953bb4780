//! A file of settings, which is read as words in front of the typed ones. Its keys are the names of long options, and
//! `[[player]]` tables are players. `referee.toml` in the current folder may have the sections of a machine alone.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Args, Command, Parser};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::exit::Failure;
use super::options::{BotOptions, ClusterSettings, headings};
use super::{note, player};
use arena::system::quoted;

/// The file in the current folder that is read if no other is named.
const USUAL: &str = "referee.toml";

/// The sections of a machine's settings.
const SECTIONS: [&str; 4] = ["limits", "sandbox", "bots", "cluster"];

/// The keys of a player.
const PLAYER_KEYS: [&str; 5] = ["name", "command", "dir", "limit", "start-limit"];

/// On a path of Windows, which TOML takes for something else.
const BACKSLASH: &str = "between quotation marks a backslash begins a code, as \\n; write the text between apostrophes, as in 'C:\\bots\\bot.exe', or with / in place of it";

const NOT_A_PLAYER: &str =
    "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";

const KEYS: &str = "its keys are the names of long options";

const PLAYERS_TWICE: &str =
    "there are players on the command line and in the file of --config: name them in one place";

/// The option of every command that reads settings.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgument {
    /// Read settings from this file, and not from referee.toml
    ///
    /// It is TOML with the names of long options as keys; [limits], [sandbox], [bots] and [cluster] may be sections. The
    /// command line overrides it.
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
    /// The name of the option; `None` for a player.
    option: Option<String>,
    /// The value of the option, or the player; `None` for an option that is switched on.
    value: Option<String>,
    line: usize,
}

/// A fault in a file.
struct Fault {
    line: usize,
    what: String,
}

impl Word {
    /// Returns the word as it is typed in a command of `grammar`.
    fn typed(&self, grammar: &Command) -> OsString {
        let value = self.value.as_deref();
        let Some(option) = &self.option else {
            return value.unwrap_or_default().into();
        };
        let takes_value = option_of(grammar, option)
            .is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set());
        match value {
            Some(value) => format!("--{option}={value}").into(),
            None if takes_value => format!("--{option}=true").into(),
            None => format!("--{option}").into(),
        }
    }
}

impl SettingsFile {
    /// Reads the file that `typed` names with `--config`, or else the usual one, if there is one. `grammar` is that of the
    /// command.
    ///
    /// # Errors
    /// If the file cannot be read, or has what it may not have.
    pub fn find(typed: &[OsString], grammar: &Command) -> Result<Option<SettingsFile>, Failure> {
        if option_of(grammar, "config").is_none() {
            return Ok(None);
        }
        if let Some(path) = values_of(typed, "--config").first() {
            return SettingsFile::read(Path::new(path), false).map(Some);
        }
        if !Path::new(USUAL).is_file() {
            return Ok(None);
        }
        // A file that came with something else must not start programs or write files, and do nothing unseen.
        let file = SettingsFile::read(Path::new(USUAL), true)?;
        let machine = machine().no_binary_name(true);
        let words = file.words.iter().map(|word| word.typed(&machine));
        let words: Vec<OsString> = words.collect();
        if let Err(error) = machine.try_get_matches_from(words) {
            let failure = file.failure(&error);
            return Err(failure.unwrap_or_else(|| Failure::misuse(sentence(&error))));
        }
        let keys = file.words.iter().filter_map(|word| word.option.as_deref());
        let mut keys: Vec<&str> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        if !keys.is_empty() {
            note(&format!("{USUAL} sets {}", keys.join(", ")));
        }
        Ok(Some(file))
    }

    fn read(path: &Path, has_sections_alone: bool) -> Result<SettingsFile, Failure> {
        let shown = path.display();
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::misuse(format!("--config {shown}: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::misuse(format!("{shown}: the file is not UTF-8 text")))?;
        let words = words(&text, has_sections_alone).map_err(|Fault { line, what }| {
            Failure::misuse(format!("{shown}, line {line}: {what}"))
        })?;
        let path = path.to_owned();
        Ok(SettingsFile { path, words })
    }

    /// Returns the number of players that the file names.
    pub(super) fn players(&self) -> usize {
        self.words
            .iter()
            .filter(|word| word.option.is_none())
            .count()
    }

    /// Returns `typed`, the names of program and command first, with the words of the file before the typed ones. An option
    /// that is typed too, or excludes a typed one, is dropped from the file: a fault of the typed one is not the file's.
    #[must_use]
    pub fn before(&mut self, typed: &[OsString], grammar: &Command) -> Vec<OsString> {
        let given = given_options(typed, grammar);
        let machine = machine();
        let own = self.words.iter().filter_map(|word| word.option.as_deref());
        let mut options = own.chain(given.iter().filter_map(|arg| arg.get_long()));
        let has_sandbox = options.any(|option| option == "sandbox");
        let mut limits = values_of(typed, "--limit").into_iter();
        let has_limit = limits.any(|limit| !limit.to_string_lossy().contains('='));
        let has_clock = given.iter().any(|arg| arg.get_long() == Some("clock"));
        self.words.retain(|word| {
            let name = word.option.as_deref().unwrap_or_default();
            let is_for_all = !word.value.as_ref().is_some_and(|value| value.contains('='));
            match option_of(grammar, name) {
                // A file of the machine sets what other commands have, too.
                None => name.is_empty() || option_of(&machine, name).is_none(),
                Some(arg) if arg.get_help_heading() == Some(headings::SANDBOX) && !has_sandbox => {
                    false
                }
                // Limits of single players add up.
                Some(_) if name == "limit" => !is_for_all || !(has_limit || has_clock),
                Some(_) if name == "clock" && has_limit => false,
                Some(arg) => !given.iter().any(|other| excludes(grammar, arg, other)),
            }
        });
        let (command, rest) = typed.split_at(typed.len().min(2));
        let own = self.words.iter().map(|word| word.typed(grammar));
        command
            .iter()
            .cloned()
            .chain(own)
            .chain(rest.iter().cloned())
            .collect()
    }

    /// Returns the failure for an error of words that were partly read from this file; `None` if the words at fault were
    /// typed.
    #[must_use]
    pub fn failure(&self, error: &clap::Error) -> Option<Failure> {
        if let Some(word) = self.word_at_fault(error) {
            return Some(self.about(word, sentence(error)));
        }
        let has_too_many = error.kind() == ErrorKind::UnknownArgument && self.players() > 0;
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
            word.option.as_deref() == Some(option)
                && (value.is_none() || word.value.is_none() || word.value == value)
        })
    }

    /// Returns `failure` with the line of the file if the option or the player that its message begins with is in it.
    #[must_use]
    pub fn located(&self, failure: Failure) -> Failure {
        let Failure::Misuse(what) = &failure else {
            return failure;
        };
        let begins = |word: &&Word| match (&word.option, &word.value) {
            (Some(option), _) => {
                let rest = what.strip_prefix(&format!("--{option}"));
                rest.is_some_and(|rest| rest.starts_with([' ', ':', ',']))
            }
            (None, Some(player)) => what.starts_with(&format!("{player:?}")),
            (None, None) => false,
        };
        match self.words.iter().find(begins) {
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
    let located = |fault: Fault| format!("line {}: {}", fault.line, fault.what);
    let table = parse(text).map_err(located)?;
    let mut words = Vec::new();
    let section = table.get_ref().get(section).map(Spanned::get_ref);
    for (key, value) in section.and_then(DeValue::as_table).into_iter().flatten() {
        words.extend(words_of_key(text, key.get_ref(), value).map_err(located)?);
    }
    let typed: Vec<OsString> = words.iter().map(|word| word.typed(&grammar)).collect();
    let path = PathBuf::new();
    let file = SettingsFile { path, words };
    let matches = grammar.try_get_matches_from(typed);
    matches
        .and_then(|matches| A::from_arg_matches(&matches))
        .map_err(|error| match file.word_at_fault(&error) {
            Some(word) => format!("line {}: {}", word.line, sentence(&error)),
            None => sentence(&error),
        })
}

/// Reads the words of a program whose commands have settings, the program's own name first; ends the program if they are wrong.
///
/// # Errors
/// If the file of settings is wrong.
pub fn parse_with_settings<P: Parser>(typed: Vec<OsString>) -> Result<P, Failure> {
    let grammar = P::command();
    let command = typed.get(1).and_then(|name| grammar.find_subcommand(name));
    let mut file = match command {
        Some(command) => SettingsFile::find(&typed, command)?,
        None => None,
    };
    let words = match (&mut file, command) {
        (Some(file), Some(command)) => file.before(&typed, command),
        _ => typed,
    };
    P::try_parse_from(words).map_err(|error| match file.and_then(|file| file.failure(&error)) {
        Some(failure) => failure,
        None => error.exit(),
    })
}

/// Returns the values that are typed for `option`, in order.
fn values_of(typed: &[OsString], option: &str) -> Vec<OsString> {
    let mut values = Vec::new();
    let mut words = typed.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == option {
            values.extend(words.next().cloned());
            continue;
        }
        let word = word.to_string_lossy();
        let rest = word.strip_prefix(option);
        let value = rest.and_then(|rest| rest.strip_prefix('='));
        values.extend(value.map(OsString::from));
    }
    values
}

/// Returns the options of `grammar` that are typed.
fn given_options<'g>(typed: &[OsString], grammar: &'g Command) -> Vec<&'g Arg> {
    let typed = typed.iter().take_while(|word| *word != "--");
    let given = typed.filter_map(|word| {
        let word = word.to_string_lossy();
        if let Some(long) = word.strip_prefix("--") {
            return option_of(grammar, long.split('=').next().unwrap_or(long));
        }
        let short = word.strip_prefix('-')?.chars().next()?;
        grammar
            .get_arguments()
            .find(|arg| arg.get_short() == Some(short))
    });
    given.collect()
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
    BotOptions::augment_args(ClusterSettings::augment_args(Command::new("")))
}

/// Returns the sentence of an error, without the advice to ask for help.
fn sentence(error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(ToString::to_string);
    if let (ErrorKind::UnknownArgument, Some(name)) =
        (error.kind(), context(ContextKind::InvalidArg))
    {
        let name = name.trim_start_matches("--");
        return match context(ContextKind::SuggestedArg) {
            Some(near) => format!("there is no {name:?}; did you mean {}?", &near[2..]),
            None => format!("there is no {name:?}; {KEYS}"),
        };
    }
    let text = error.to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    sentence.trim_start_matches("error: ").replace("\n  ", " ")
}

/// Returns the line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or(text).matches('\n').count()
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Fault> {
    DeTable::parse(text).map_err(|error| {
        let line = line_of(text, error.span().unwrap_or_default().start);
        let what = if error.message() == "duplicate key" {
            "this is there twice"
        } else if text.lines().nth(line - 1).unwrap_or_default().contains('\\') {
            BACKSLASH
        } else {
            "this is not TOML: a line is KEY = VALUE, [SECTION] or [[player]], and text has quotation marks, as in command = \"./bot\""
        };
        let what = what.to_owned();
        Fault { line, what }
    })
}

/// Returns the words of a file, in the order of their lines.
fn words(text: &str, has_sections_alone: bool) -> Result<Vec<Word>, Fault> {
    // TOML has no byte order mark, which some editors of Windows write.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut words = Vec::new();
    let mut fault: Option<Fault> = None;
    let mut add = |found: Result<Vec<Word>, Fault>| match found {
        Ok(found) => words.extend(found),
        // The first fault in the file is the first to be fixed.
        Err(found) if fault.as_ref().is_none_or(|fault| found.line < fault.line) => {
            fault = Some(found);
        }
        Err(_) => {}
    };
    for (key, value) in parse(text)?.get_ref() {
        let name = key.get_ref().as_ref();
        let section = value.get_ref().as_table();
        match section.filter(|_| SECTIONS.contains(&name)) {
            Some(section) => {
                for (key, value) in section {
                    add(words_of_key(text, key.get_ref(), value));
                }
            }
            None if has_sections_alone => {
                let sections = SECTIONS.map(|section| format!("[{section}]")).join(", ");
                let what = format!(
                    "{USUAL} may have {sections} alone; a file that --config names may have {name}"
                );
                let line = line_of(text, key.span().start);
                add(Err(Fault { line, what }));
            }
            None if name == "player" => add(words_of_players(text, value)),
            None => add(words_of_key(text, name, value)),
        }
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    words.sort_by_key(|word| word.line);
    Ok(words)
}

/// Returns the words of an option: one for each element of a list, and none for a switch that is off.
fn words_of_key(text: &str, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Word>, Fault> {
    let line = line_of(text, value.span().start);
    let word = |value: Option<String>, line: usize| Word {
        option: Some(name.to_owned()),
        value,
        line,
    };
    // A key with other characters could become words that the file may not have, as `"out=FILE" = true`.
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
    let what = match name {
        "config" | "help" | "help-all" => format!("there is no {name:?} in a file"),
        _ if name.is_empty() || !name.chars().all(is_name) => {
            format!("there is no {name:?}; {KEYS}")
        }
        "players" => format!("there is no \"players\"; {NOT_A_PLAYER}"),
        _ => String::new(),
    };
    if !what.is_empty() {
        return Err(Fault { line, what });
    }
    if let DeValue::Boolean(is_on) = value.get_ref() {
        let switch = is_on.then(|| word(None, line));
        return Ok(switch.into_iter().collect());
    }
    let mut words = Vec::new();
    let values = match value.get_ref().as_array() {
        Some(values) => values.iter().collect(),
        None => vec![value],
    };
    for value in values {
        let line = line_of(text, value.span().start);
        let expected = "text, a number, true, false, or a list of texts";
        let value = text_of(value.get_ref(), expected);
        let value = value.map_err(|what| Fault {
            line,
            what: format!("{name}: {what}"),
        })?;
        words.push(word(Some(value), line));
    }
    Ok(words)
}

/// Returns text or a number as it would be typed; if it is neither, the fault, with the kind of value that is `expected`.
fn text_of(value: &DeValue<'_>, expected: &str) -> Result<String, String> {
    let text = if let DeValue::String(text) = value {
        text.to_string()
    } else if let DeValue::Integer(number) = value {
        let number = i128::from_str_radix(number.as_str(), number.radix());
        number.map_err(|error| error.to_string())?.to_string()
    } else if let DeValue::Float(number) = value {
        number.as_str().to_owned()
    } else {
        return Err(format!("expected {expected}"));
    };
    if text.contains(char::is_control) {
        return Err(BACKSLASH.to_owned());
    }
    Ok(text)
}

/// Returns the words of the players: each as it is typed, and options for limits of their own.
fn words_of_players(text: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Word>, Fault> {
    let fault = |at: usize, what: String| Fault {
        line: line_of(text, at),
        what,
    };
    let tables = value.get_ref().as_array();
    let tables = tables.ok_or_else(|| fault(value.span().start, NOT_A_PLAYER.to_owned()))?;
    let mut words = Vec::new();
    for (place, table) in tables.iter().enumerate() {
        let start = table.span().start;
        let Some(table) = table.get_ref().as_table() else {
            return Err(fault(start, NOT_A_PLAYER.to_owned()));
        };
        if let Some((key, _)) = table
            .iter()
            .find(|(key, _)| !PLAYER_KEYS.contains(&key.get_ref().as_ref()))
        {
            let what = format!(
                "player: there is no {:?}; there are {}",
                key.get_ref(),
                PLAYER_KEYS.join(", ")
            );
            return Err(fault(key.span().start, what));
        }
        let field = |name: &str, expected: &str| {
            let Some(value) = table.get(name) else {
                return Ok(None);
            };
            let at = value.span().start;
            let words = value.get_ref().as_array().filter(|_| name == "command");
            let field = if let Some(words) = words {
                let words = words.iter().map(|word| text_of(word.get_ref(), expected));
                let words: Result<Vec<String>, String> = words.collect();
                words.map(|words| quoted(&words))
            } else if value.get_ref().is_str() {
                text_of(value.get_ref(), expected)
            } else {
                Err(format!("expected {expected}"))
            };
            let field = field.map_err(|what| fault(at, format!("player: {name}: {what}")))?;
            Ok(Some((field, at)))
        };
        let name = field("name", "text")?;
        let dir = field("dir", "text")?;
        let command = field("command", "a command as text, or as a list of its words")?;
        let Some((command, at)) = command else {
            return Err(fault(start, "player: command is missing".to_owned()));
        };
        let name = name.as_ref().map(|(name, _)| name.as_str());
        let dir = dir.as_ref().map(|(dir, _)| dir.as_str());
        let typed = player::word(name, dir, &command).map_err(|what| fault(at, what))?;
        let word = |option: Option<&str>, value: String| Word {
            option: option.map(str::to_owned),
            value: Some(value),
            line: line_of(text, at),
        };
        words.push(word(None, typed));
        for option in ["limit", "start-limit"] {
            if let Some((time, _)) = field(option, "a time in quotation marks, as \"5s\"")? {
                words.push(word(Some(option), format!("{}={time}", place + 1)));
            }
        }
    }
    Ok(words)
}
