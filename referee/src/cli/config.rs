//! A file of options: `key = value` is what `--key=value` is on the command line, so that both have one meaning.

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::plan::Misuse;

/// What a file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Configured {
    /// Its options, as they are typed.
    pub(super) words: Vec<OsString>,
    /// Its players.
    pub(super) players: Vec<Named>,
}

/// A player as a file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: Option<String>,
    pub(super) command: String,
}

/// Of these only one can be asked for, so that one that is typed replaces any in the file.
const OUTPUTS: [&str; 3] = ["json", "events", "csv"];

/// The key of the players.
const PLAYER: &str = "player";

/// Reads the file at `path`, whose keys are the long options of `command`. Options that are in `typed` are left out:
/// what is typed counts.
pub(super) fn read(
    path: &Path,
    command: &Command,
    typed: &ArgMatches,
) -> Result<Configured, Misuse> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| Misuse::new(format!("--config {shown}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Misuse::new(format!("--config {shown}: it is not UTF-8 text")))?;
    parse(&text, command, typed).map_err(|Wrong { at, what }| {
        let before = text.get(..at.start).unwrap_or(&text);
        let line = 1 + before.matches('\n').count();
        Misuse::new(format!("{shown}, line {line}: {what}"))
    })
}

/// What is wrong with a file, and where.
struct Wrong {
    at: Range<usize>,
    what: String,
}

impl Wrong {
    fn new(at: Range<usize>, what: impl Into<String>) -> Wrong {
        Wrong { at, what: what.into() }
    }
}

fn parse(text: &str, command: &Command, typed: &ArgMatches) -> Result<Configured, Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let what = error.message().replace('\n', ", ");
        Wrong::new(error.span().unwrap_or_default(), format!("this is not TOML: {what}"))
    })?;
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    // The first error in the file is the first to be mended.
    entries.sort_by_key(|(key, _)| key.span().start);
    let is_typed = |id: &str| typed.value_source(id) == Some(ValueSource::CommandLine);
    let mut configured = Configured::default();
    for (key, value) in entries {
        let name = key.get_ref().as_ref();
        if name == PLAYER {
            configured.players = players(value)?;
            continue;
        }
        let option = options(command).find(|option| option.get_long() == Some(name));
        let option = option.ok_or_else(|| Wrong::new(key.span(), unknown(name, command)))?;
        let words = words(name, option, value)?;
        try_alone(command, &words)
            .map_err(|what| Wrong::new(value.span(), format!("{name}: {what}")))?;
        let replaced = is_typed(option.get_id().as_str())
            || OUTPUTS.contains(&name) && OUTPUTS.into_iter().any(is_typed);
        if !replaced {
            configured.words.extend(words.into_iter().map(OsString::from));
        }
    }
    Ok(configured)
}

/// The options that a file can have.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|option| {
        let long = option.get_long();
        !option.is_hide_set() && long.is_some_and(|long| !["config", "help"].contains(&long))
    })
}

fn unknown(name: &str, command: &Command) -> String {
    let dashed = name.replace('_', "-");
    let mut names: Vec<&str> = options(command).filter_map(Arg::get_long).collect();
    if names.contains(&&dashed[..]) {
        return format!("there is no {name:?}; write {dashed}");
    }
    names.sort_unstable();
    let names = names.join(", ");
    format!(
        "there is no {name:?}; there are [[player]] tables, and the names of the options: {names}"
    )
}

/// `name = value` as it is typed.
fn words(name: &str, option: &Arg, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Wrong> {
    let wrong = |value: &Spanned<DeValue<'_>>, expected: &str| {
        let found = value.get_ref().type_str();
        Wrong::new(value.span(), format!("{name}: expected {expected}, found {found}"))
    };
    let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
    let needs_no_value =
        is_switch || option.get_num_args().is_some_and(|range| range.min_values() == 0);
    let typed = |one: &Spanned<DeValue<'_>>| {
        let text = scalar(one.get_ref()).ok_or_else(|| wrong(one, "text or a number"))?;
        Ok(format!("--{name}={text}"))
    };
    if let Some(on) = value.get_ref().as_bool().filter(|_| needs_no_value) {
        return Ok(if on { vec![format!("--{name}")] } else { Vec::new() });
    }
    if is_switch {
        return Err(wrong(value, "true or false"));
    }
    match value.get_ref().as_array() {
        Some(all) if matches!(option.get_action(), ArgAction::Append) => {
            all.iter().map(typed).collect()
        }
        Some(_) | None => Ok(vec![typed(value)?]),
    }
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => {
            let number = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(number.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// Whether these words are fine by themselves, so that whatever is wrong is said of its own line. What they need
/// besides may be typed.
fn try_alone(command: &Command, words: &[String]) -> Result<(), String> {
    match command.clone().try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
        Err(error) => Err(in_short(&error)),
    }
}

/// The first paragraph of what is said to whoever types, on one line.
pub(super) fn in_short(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn players(value: &Spanned<DeValue<'_>>) -> Result<Vec<Named>, Wrong> {
    let wrong = |at: Range<usize>| {
        let what =
            "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";
        Wrong::new(at, what)
    };
    let tables = value.get_ref().as_array().ok_or_else(|| wrong(value.span()))?;
    let player = |table: &Spanned<DeValue<'_>>| {
        let at = table.span();
        player(at.clone(), table.get_ref().as_table().ok_or_else(|| wrong(at))?)
    };
    tables.iter().map(player).collect()
}

fn player(at: Range<usize>, table: &DeTable<'_>) -> Result<Named, Wrong> {
    let (mut name, mut command) = (None, None);
    for (key, value) in table {
        let field = match key.get_ref().as_ref() {
            "name" => &mut name,
            "command" => &mut command,
            other => {
                let what = format!("a player has a command and a name, and no {other:?}");
                return Err(Wrong::new(key.span(), what));
            }
        };
        let text = value.get_ref().as_str().ok_or_else(|| {
            let found = value.get_ref().type_str();
            Wrong::new(value.span(), format!("{}: expected text, found {found}", key.get_ref()))
        })?;
        *field = Some(text.to_owned());
    }
    let command = command.ok_or_else(|| {
        Wrong::new(at, "this player has no command; write command = \"python3 my_bot.py\"")
    })?;
    Ok(Named { name, command })
}
