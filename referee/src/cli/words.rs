//! A file of settings, which is read as words in front of the typed ones. Its keys are the names of long options. The
//! settings of a machine may stand in sections, and `referee.toml` in the current folder may have these alone.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Args, Command, Parser};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::exit::Failure;
use super::note;
use super::options::{BotOptions, ClusterSettings, headings};
use super::player;
use arena::system::quoted;

/// The file in the current folder that is read if no other is named.
const USUAL: &str = "referee.toml";

/// The key of the players.
const PLAYER: &str = "player";

/// The keys of a player.
const PLAYER_KEYS: [&str; 5] = ["name", "command", "dir", "limit", "start-limit"];

/// On a path of Windows, which TOML takes for something else.
const BACKSLASH: &str = "between quotation marks a backslash begins a code, as \\n; write the text between apostrophes, as in 'C:\\bots\\bot.exe', or with / in place of it";

const NOT_A_PLAYER: &str =
    "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";

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
    /// The number of players that it names.
    pub(super) players: usize,
    words: Vec<Word>,
}

/// A word that a file puts on the command line.
#[derive(Clone, Debug)]
struct Word {
    /// The option's name; `None` for a player.
    option: Option<String>,
    /// The value of the option, or the player.
    value: Option<String>,
    line: usize,
    /// Whether the word is a setting of a sandbox, and so only of use with one.
    needs_sandbox: bool,
}

/// A fault in a file, at a byte of its text.
struct Fault {
    at: usize,
    what: String,
}

impl Fault {
    fn new(at: usize, what: impl Display) -> Fault {
        Fault {
            at,
            what: what.to_string(),
        }
    }
}

impl Word {
    fn has_value(&self, value: Option<&str>) -> bool {
        value.is_none() || self.value.as_deref() == value
    }

    fn typed(&self) -> OsString {
        match (&self.option, &self.value) {
            (Some(option), Some(value)) => format!("--{option}={value}").into(),
            (Some(option), None) => format!("--{option}").into(),
            (None, value) => value.clone().unwrap_or_default().into(),
        }
    }
}

impl SettingsFile {
    /// Reads the file that `typed` names with `--config`, or else the usual one, if there is one. `grammar` is that of the
    /// command.
    ///
    /// # Errors
    /// If the file cannot be read, or has a key that it may not have.
    pub fn find(typed: &[OsString], grammar: &Command) -> Result<Option<SettingsFile>, Failure> {
        if !grammar.get_arguments().any(|arg| arg.get_id() == "config") {
            return Ok(None);
        }
        if let Some(path) = value_of(typed, "--config") {
            let named = Path::new(&path);
            return SettingsFile::read(named, &named.display().to_string(), Some(grammar))
                .map(Some);
        }
        if !Path::new(USUAL).is_file() {
            return Ok(None);
        }
        // A file that came with something else must not start programs or write files, and nothing unseen.
        let file = SettingsFile::read(Path::new(USUAL), USUAL, None)?;
        // Also of settings that this command does not have.
        let words = file.words.iter().map(Word::typed);
        if let Err(error) = machine().no_binary_name(true).try_get_matches_from(words)
            && let Some(word) = file.word_at_fault(&error)
        {
            return Err(file.about(word, first_sentence(&error)));
        }
        let mut keys: Vec<&str> = file
            .words
            .iter()
            .filter_map(|word| word.option.as_deref())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        if !keys.is_empty() {
            note(&format!("{USUAL} sets {}", keys.join(", ")));
        }
        Ok(Some(file))
    }

    /// Reads a file with the options of `grammar`; one without a grammar has sections alone.
    fn read(path: &Path, name: &str, grammar: Option<&Command>) -> Result<SettingsFile, Failure> {
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::misuse(format!("--config {name}: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::misuse(format!("--config {name}: the file is not UTF-8 text")))?;
        // TOML has no byte order mark, which some editors of Windows write.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let words = words(text, grammar).map_err(|Fault { at, what }| {
            Failure::misuse(format!("{name}, line {}: {what}", line_of(text, at)))
        })?;
        Ok(SettingsFile {
            path: path.to_owned(),
            players: words.iter().filter(|word| word.option.is_none()).count(),
            words,
        })
    }

    /// Returns `typed`, the names of program and command first, with the words of the file before the typed ones. An option
    /// that is typed too, or excludes a typed one, is left out.
    #[must_use]
    pub fn before(&self, typed: &[OsString], grammar: &Command) -> Vec<OsString> {
        let given = given_options(typed, grammar);
        let is_given = |name: &str| given.iter().any(|arg| arg.get_long() == Some(name));
        let has_limit =
            value_of(typed, "--limit").is_some_and(|limit| !limit.to_string_lossy().contains('='));
        let has_sandbox = is_given("sandbox")
            || self
                .words
                .iter()
                .any(|word| word.option.as_deref() == Some("sandbox"));
        let is_used = |word: &&Word| {
            let Some(name) = word.option.as_deref() else {
                return true;
            };
            // A file of the machine sets what other commands have, too.
            let Some(arg) = option_of(grammar, name) else {
                return false;
            };
            let is_for_all = word
                .value
                .as_ref()
                .is_some_and(|value| !value.contains('='));
            match name {
                _ if word.needs_sandbox && !has_sandbox => false,
                // Limits of single players add up.
                "limit" => !(is_for_all && (has_limit || is_given("clock"))),
                "clock" => !has_limit && !is_given(name),
                _ => !given.iter().any(|other| excludes(grammar, arg, other)),
            }
        };
        let own = self.words.iter().filter(is_used).map(Word::typed);
        let (command, rest) = typed.split_at(typed.len().min(2));
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
            return Some(self.about(word, first_sentence(error)));
        }
        if error.kind() == ErrorKind::UnknownArgument && self.players > 0 {
            return Some(Failure::misuse(
                "there are players on the command line and in the file of --config: name them in one place",
            ));
        }
        None
    }

    /// Returns the word of the file that an error is about.
    fn word_at_fault(&self, error: &clap::Error) -> Option<&Word> {
        let context = |kind| error.get(kind).map(ToString::to_string);
        let invalid = context(ContextKind::InvalidArg)?;
        let value = context(ContextKind::InvalidValue);
        let option = invalid.strip_prefix("--")?;
        let option = option.split([' ', '=', '[']).next()?;
        self.words
            .iter()
            .find(|word| word.option.as_deref() == Some(option) && word.has_value(value.as_deref()))
    }

    /// Returns `failure` with the line of the file if the option or the player that its message begins with is in it.
    #[must_use]
    pub fn located(&self, failure: Failure) -> Failure {
        let Failure::Misuse(what) = &failure else {
            return failure;
        };
        let begins = |word: &&Word| match (&word.option, &word.value) {
            (Some(option), _) => what
                .strip_prefix("--")
                .and_then(|what| what.strip_prefix(option.as_str()))
                .is_some_and(|rest| rest.starts_with([' ', ':', ','])),
            (None, value) => value.as_ref().is_some_and(|value| {
                what.starts_with(value.as_str()) || what.starts_with(&format!("{value:?}"))
            }),
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
    let located = |fault: Fault| format!("line {}: {}", line_of(text, fault.at), fault.what);
    let table = parse(text).map_err(located)?;
    let mut words = Vec::new();
    if let Some(section) = table
        .get_ref()
        .get(section)
        .and_then(|value| value.get_ref().as_table())
    {
        for (key, value) in in_order(section) {
            words.extend(words_of_key(text, key, value, &grammar).map_err(located)?);
        }
    }
    let file = SettingsFile {
        path: PathBuf::new(),
        players: 0,
        words,
    };
    let matches = grammar.try_get_matches_from(file.words.iter().map(Word::typed));
    matches
        .and_then(|matches| A::from_arg_matches(&matches))
        .map_err(|error| match file.word_at_fault(&error) {
            Some(word) => format!("line {}: {}", word.line, first_sentence(&error)),
            None => first_sentence(&error),
        })
}

/// Reads the words of a program whose commands have settings, the program's own name first; ends the program if they are wrong.
///
/// # Errors
/// If the file of settings is wrong.
pub fn parse_with_settings<P: Parser>(typed: Vec<OsString>) -> Result<P, Failure> {
    let mut grammar = P::command();
    grammar.build();
    let command = typed
        .get(1)
        .and_then(|name| grammar.find_subcommand(name))
        .cloned();
    let mut words = typed;
    let mut settings = None;
    if let Some(command) = command {
        settings = SettingsFile::find(&words, &command)?;
        if let Some(file) = &settings {
            words = file.before(&words, &command);
        }
    }
    match P::try_parse_from(words) {
        Ok(arguments) => Ok(arguments),
        Err(error) => match settings.and_then(|file| file.failure(&error)) {
            Some(failure) => Err(failure),
            None => error.exit(),
        },
    }
}

/// Returns the value of an option in typed words.
fn value_of(typed: &[OsString], option: &str) -> Option<OsString> {
    let mut words = typed.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == option {
            return words.next().cloned();
        }
        let text = word.to_string_lossy();
        if let Some(value) = text
            .strip_prefix(option)
            .and_then(|rest| rest.strip_prefix('='))
        {
            return Some(value.to_owned().into());
        }
    }
    None
}

/// Returns the options of `grammar` that are typed.
fn given_options<'g>(typed: &[OsString], grammar: &'g Command) -> Vec<&'g Arg> {
    let typed = typed.iter().take_while(|word| *word != "--");
    let given = typed.filter_map(|word| {
        let word = word.to_string_lossy();
        if let Some(long) = word.strip_prefix("--") {
            return option_of(grammar, long.split('=').next().unwrap_or(long));
        }
        let short = word.strip_prefix('-')?.chars().next();
        grammar
            .get_arguments()
            .find(|arg| short.is_some() && arg.get_short() == short)
    });
    given.collect()
}

fn option_of<'g>(grammar: &'g Command, name: &str) -> Option<&'g Arg> {
    grammar
        .get_arguments()
        .find(|arg| arg.get_long() == Some(name))
}

/// Returns whether two options cannot both be given.
fn excludes(grammar: &Command, one: &Arg, other: &Arg) -> bool {
    let conflicts = |one: &Arg, other: &Arg| {
        let conflicts = grammar.get_arg_conflicts_with(one);
        conflicts.iter().any(|arg| arg.get_id() == other.get_id())
    };
    one.get_id() == other.get_id() || conflicts(one, other) || conflicts(other, one)
}

/// Returns the line of the byte `at`, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or(text).matches('\n').count()
}

/// Returns what an error says, without the advice to ask for help.
fn first_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    sentence.trim_start_matches("error: ").replace("\n  ", " ")
}

type Key<'t> = Spanned<DeString<'t>>;
type Value<'t> = Spanned<DeValue<'t>>;

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Fault> {
    DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or_default().start;
        let line = text.lines().nth(line_of(text, at) - 1).unwrap_or_default();
        let what = if error.message() == "duplicate key" {
            "this is there twice"
        } else if line.contains('\\') {
            BACKSLASH
        } else {
            "this is not TOML: a line is KEY = VALUE, [SECTION] or [[player]], and text has quotation marks, as in command = \"./bot\""
        };
        Fault::new(at, what)
    })
}

/// Returns the entries of a table as they stand in the file: the first fault is the first to be fixed.
fn in_order<'t, 'd>(table: &'t DeTable<'d>) -> Vec<(&'t Key<'d>, &'t Value<'d>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Returns the options that a machine may set, in sections.
fn machine() -> Command {
    BotOptions::augment_args(ClusterSettings::augment_args(Command::new("")))
}

/// Returns the words of a file with the options of `grammar`; without a grammar it has sections alone.
fn words(text: &str, grammar: Option<&Command>) -> Result<Vec<Word>, Fault> {
    let machine = machine();
    let sections = headings::OF_MACHINE.map(|heading| (heading, heading.to_lowercase()));
    let mut words = Vec::new();
    for (key, value) in in_order(parse(text)?.get_ref()) {
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        let section = sections.iter().find(|(_, section)| section == name);
        if let (Some((heading, _)), Some(table)) = (section, value.get_ref().as_table()) {
            let known = machine
                .get_arguments()
                .filter(|arg| arg.get_help_heading() == Some(heading));
            let known = Command::new("").args(known.cloned());
            for (key, value) in in_order(table) {
                let name = Some(key.get_ref().as_ref());
                if words
                    .iter()
                    .any(|word: &Word| word.option.as_deref() == name)
                {
                    let what = format_args!("{} stands above the sections too", key.get_ref());
                    return Err(Fault::new(key.span().start, what));
                }
                words.extend(words_of_key(text, key, value, &known)?);
            }
            continue;
        }
        let Some(grammar) = grammar else {
            let sections = sections.iter().map(|(_, section)| format!("[{section}]"));
            let sections: Vec<String> = sections.collect();
            let what = match nearest(name, &sections) {
                Some(section) => format!("there is no {name:?}; did you mean {section}?"),
                None => format!(
                    "{USUAL} may have {} alone; a file that --config names may have {name}",
                    sections.join(", ")
                ),
            };
            return Err(Fault::new(at, what));
        };
        if name == PLAYER {
            words.extend(words_of_players(text, value)?);
        } else if name == "players" {
            return Err(Fault::new(
                at,
                format_args!("there is no \"players\"; {NOT_A_PLAYER}"),
            ));
        } else {
            words.extend(words_of_key(text, key, value, grammar)?);
        }
    }
    Ok(words)
}

/// Returns the words of a key, which `grammar` has as an option.
fn words_of_key(
    text: &str,
    key: &Key<'_>,
    value: &Value<'_>,
    grammar: &Command,
) -> Result<Vec<Word>, Fault> {
    let name = key.get_ref().as_ref();
    let is_key = |arg: &&Arg| !arg.is_hide_set() && arg.get_help_heading() != Some(headings::MORE);
    if let Some(arg) = option_of(grammar, name).filter(is_key) {
        return words_of_option(text, arg, value);
    }
    let known = grammar.get_arguments().filter(is_key);
    let known = known.filter_map(|arg| arg.get_long().map(str::to_owned));
    Err(Fault::new(key.span().start, unknown(name, known.collect())))
}

/// Returns the words of a key: one for each element of a list, and none for a switch that is off.
fn words_of_option(text: &str, arg: &Arg, value: &Value<'_>) -> Result<Vec<Word>, Fault> {
    let name = arg.get_long().unwrap_or_default();
    let word = |value: Option<String>, at: usize| Word {
        option: Some(name.to_owned()),
        value,
        line: line_of(text, at),
        needs_sandbox: arg.get_help_heading() == Some(headings::SANDBOX) && name != "sandbox",
    };
    let at = value.span().start;
    let wrong = |at: usize, what: &str| Fault::new(at, format_args!("{name}: {what}"));
    let takes_value = arg.get_action().takes_values();
    match value.get_ref() {
        DeValue::Boolean(is_on) => {
            let is_switch = !takes_value || arg.is_require_equals_set();
            match (is_switch, is_on) {
                (true, true) => Ok(vec![word(None, at)]),
                (true, false) => Ok(Vec::new()),
                (false, _) => Err(wrong(at, "expected a value, not true or false")),
            }
        }
        _ if !takes_value => Err(wrong(at, "expected true or false")),
        DeValue::Array(values) => {
            let values = values.iter().map(|value| {
                let at = value.span().start;
                match text_of(value.get_ref()) {
                    Some(value) => Ok(word(Some(value), at)),
                    None => Err(wrong(at, "expected text or a list of texts")),
                }
            });
            values.collect()
        }
        single => match text_of(single) {
            Some(value) if value.contains(char::is_control) => Err(wrong(at, BACKSLASH)),
            Some(value) => Ok(vec![word(Some(value), at)]),
            None => Err(wrong(at, "expected text, a number, or a list of texts")),
        },
    }
}

/// Returns text or a number as it would be typed.
fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(|number| number.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// Returns the words of the players: each as it is typed, and options for limits of their own.
fn words_of_players(text: &str, value: &Value<'_>) -> Result<Vec<Word>, Fault> {
    let Some(tables) = value.get_ref().as_array() else {
        return Err(Fault::new(value.span().start, NOT_A_PLAYER));
    };
    let mut words = Vec::new();
    for (place, table) in tables.iter().enumerate() {
        let at = table.span().start;
        let Some(keys) = table.get_ref().as_table() else {
            return Err(Fault::new(at, NOT_A_PLAYER));
        };
        let mut fields = [const { None }; PLAYER_KEYS.len()];
        let mut command_at = at;
        for (key, value) in keys {
            let name = key.get_ref().as_ref();
            let Some(field) = PLAYER_KEYS.iter().position(|known| *known == name) else {
                let known = PLAYER_KEYS.map(|key| format!("`{key}`")).join(", ");
                let what = format!("player: there is no `{name}`; there are {known}");
                return Err(Fault::new(key.span().start, what));
            };
            let at = value.span().start;
            if name == "command" {
                command_at = at;
            }
            let value = match value.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                DeValue::Array(values) if name == "command" => {
                    let words: Option<Vec<String>> =
                        values.iter().map(|word| text_of(word.get_ref())).collect();
                    words.map(|words| quoted(&words))
                }
                _ => None,
            };
            let Some(value) = value else {
                let expected = match name {
                    "command" => "a command as text, or as a list of its words",
                    "limit" | "start-limit" => "a time in quotation marks, as \"5s\" or \"250ms\"",
                    _ => "text",
                };
                return Err(Fault::new(
                    at,
                    format_args!("player: {name}: expected {expected}"),
                ));
            };
            if value.contains(char::is_control) {
                return Err(Fault::new(at, BACKSLASH));
            }
            fields[field] = Some(value);
        }
        let [name, command, dir, limit, start_limit] = fields;
        let Some(command) = command else {
            return Err(Fault::new(at, "player: `command` is missing"));
        };
        let typed = player::word(name.as_deref(), dir.as_deref(), &command)
            .map_err(|error| Fault::new(command_at, error))?;
        let line = line_of(text, command_at);
        words.push(Word {
            option: None,
            value: Some(typed),
            line,
            needs_sandbox: false,
        });
        for (option, time) in [("limit", limit), ("start-limit", start_limit)] {
            words.extend(time.map(|time| Word {
                option: Some(option.to_owned()),
                value: Some(format!("{}={time}", place + 1)),
                line,
                needs_sandbox: false,
            }));
        }
    }
    Ok(words)
}

/// Returns the message for a key that is none of `known`: the nearest one, or all.
fn unknown(name: &str, mut known: Vec<String>) -> String {
    let dashed = name.replace('_', "-");
    if known.contains(&dashed) {
        return format!("there is no {name:?}; write {dashed}");
    }
    if let Some(nearest) = nearest(&dashed, &known) {
        return format!("there is no {name:?}; did you mean {nearest}?");
    }
    known.sort_unstable();
    format!("there is no {name:?}; there are {}", known.join(", "))
}

/// Returns the one of `known` that `name` was probably meant to be.
fn nearest<'k>(name: &str, known: &'k [String]) -> Option<&'k String> {
    let mistakes = |known: &str| strsim::damerau_levenshtein(name, known);
    let nearest = known.iter().min_by_key(|known| mistakes(known))?;
    // Of a short name every second letter could be a mistake.
    (mistakes(nearest) <= 1 + nearest.len() / 5).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;
    use crate::cli::commands::grammar;

    /// A tournament with most of the settings that a file can have.
    const CUP: &str = include_str!("../../tests/corpus/cup.toml");

    /// Mistaken values of a setting.
    const VALUES: [&str; 14] = [
        "",
        "0",
        "-1",
        "1e400",
        "nan",
        "18446744073709551616",
        "true",
        "{}",
        "[]",
        "[[",
        "\"",
        "\n",
        "=",
        "\u{202e}",
    ];

    /// Returns the words in front of `typed`, or the failure.
    fn merged(text: &str, typed: &str) -> Result<Vec<String>, Failure> {
        let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let mut whole = grammar(|name| typed[1] == name);
        let command = whole.find_subcommand(&typed[1]).unwrap();
        let words = words(text, Some(command)).map_err(|fault| Failure::misuse(fault.what))?;
        let file = SettingsFile {
            path: "cup.toml".into(),
            players: words.iter().filter(|word| word.option.is_none()).count(),
            words,
        };
        let words = file.before(&typed, command);
        if let Err(error) = whole.try_get_matches_from_mut(&words) {
            return Err(file.failure(&error).unwrap_or(Failure::misuse(error)));
        }
        let words = words.iter().skip(2);
        Ok(words
            .map(|word| word.to_string_lossy().into_owned())
            .collect())
    }

    #[test]
    fn typed_words_replace_those_of_a_file() {
        for (text, typed, expected) in [
            ("games = 4", "", "--games=4 P P"),
            ("games = 4", "--games 2", "P P --games 2"),
            ("seed = 0x10", "", "--seed=16 P P"),
            (
                "ship = ['2 R r', '3 S s']",
                "",
                "--ship=2 R r --ship=3 S s P P",
            ),
            ("ship = ['2 R r', '3 S s']", "--ship=1", "P P --ship=1"),
            ("limit = '5s'", "--limit 2s", "P P --limit 2s"),
            (
                "limit = '5s'",
                "--limit 2=2s",
                "--limit=5s P P --limit 2=2s",
            ),
            (
                "limit = ['5s', '1=4s']",
                "--clock 9s",
                "--limit=1=4s P P --clock 9s",
            ),
            ("clock = '9s'", "--limit 2s", "P P --limit 2s"),
            ("clock = '9s'", "--clock=8s", "P P --clock=8s"),
            ("force = true", "--resume", "P P --resume"),
            ("resume = true", "--force", "P P --force"),
            ("quiet = true", "--watch", "P P --watch"),
            ("quiet = true", "-q", "P P -q"),
            ("jobs = 2", "-j3", "P P -j3"),
            ("ponder = true\nrestart = false", "", "--ponder P P"),
            ("[sandbox]\nmax-memory = 5", "", "P P"),
            (
                "[sandbox]\nmax-memory = 5",
                "--sandbox",
                "--max-memory=5 P P --sandbox",
            ),
            ("[sandbox]\nsandbox = 'basic'", "", "--sandbox=basic P P"),
        ] {
            let typed = format!("referee match P P {typed}");
            let words = merged(text, typed.trim_end()).unwrap();
            assert_eq!(words.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn players_of_a_file_are_words() {
        let words = merged(CUP, "referee tournament").unwrap();
        let players: Vec<_> = words
            .iter()
            .filter(|word| !word.starts_with("--"))
            .collect();
        assert_eq!(
            players.len(),
            CUP.matches("[[player]]").count(),
            "{words:?}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn files_nearly_right_become_words_or_errors(
            changes in prop::collection::vec((any::<Index>(), 0..3_usize, select(&VALUES[..])), 1..4),
        ) {
            let mut words: Vec<&str> = CUP.split_inclusive([' ', '\n', '"']).collect();
            for (place, removed, value) in changes {
                let start = place.index(words.len());
                let end = (start + removed).min(words.len());
                words.splice(start..end, [value]);
            }
            if let Err(failure) = merged(&words.concat(), "referee tournament") {
                prop_assert!(!failure.to_string().is_empty());
            }
        }
    }
}
