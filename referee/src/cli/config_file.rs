//! A file of settings and options: its keys are the names of long options. The settings of a machine stand in sections, and are
//! read from `referee.toml` in the current folder too. Above these stand the other options of a command, and below them the
//! players, a table each.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::complain;
use super::exit::Failure;
use super::help::MoreHelp;
use crate::cli::options::{
    LaunchOptions, TimeOptions, duration_from_text, headings, names_in_file, names_under,
    number_as_typed, unknown_in_file,
};
use arena::system::quoted;
use arena::words::unreadable;

/// The file in the current folder that is read if no other is named.
const USUAL: &str = "referee.toml";

/// Options that every command with settings has.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ConfigArguments {
    /// Read settings from this file, and not from referee.toml
    ///
    /// It is TOML with a section for each of limits, sandbox, bots and cluster. The command line overrides it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    more_help: MoreHelp,
}

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Config<O> {
    /// Its place; `None` if there is none.
    pub(super) file: Option<PathBuf>,
    /// The options of the command.
    pub(super) options: O,
    /// The settings of the machine.
    pub(super) settings: Settings,
    /// The names of those that it sets.
    set: Vec<String>,
    /// The players.
    pub(super) players: Vec<NamedPlayer>,
}

/// The settings of a machine.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// The time that bots may take.
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) time: TimeOptions,
    /// The options to start and confine bots.
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) launch: LaunchOptions,
    /// The settings for the use of a cluster.
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) cluster: ClusterSettings,
}

/// The settings for the use of a cluster, which `referee-cluster` reads.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ClusterSettings {
    /// Divide a contest into this many shards
    #[arg(long, help_heading = headings::CLUSTER, value_parser = shards)]
    #[serde(deserialize_with = "shards_in_file")]
    pub shards: Option<usize>,
    /// More options for the scheduler
    #[arg(long, help_heading = headings::CLUSTER)]
    pub scheduler_options: Option<String>,
}

/// More shards than this are less than one series each in anything that is worth a cluster.
const MOST_SHARDS: usize = 100_000;

/// Reads a number of shards.
///
/// # Errors
/// If it is none, or too many.
pub fn shards(text: &str) -> Result<usize, String> {
    let shards = text
        .parse()
        .ok()
        .filter(|shards| (1..=MOST_SHARDS).contains(shards));
    shards.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHARDS}"))
}

fn shards_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<usize>, D::Error> {
    number_as_typed::<_, i64, _>(from, shards)
}

/// No options besides the settings of the machine.
#[derive(Args, Clone, Debug, Default, Deserialize)]
pub(super) struct NoOptions {}

impl ConfigArguments {
    /// Reads the file that is named, or else the usual one, if it is there. That has settings alone: whatever its author wanted, it says
    /// nothing of what is played.
    ///
    /// # Errors
    /// If the file cannot be read, or says something else; the message names the line.
    pub(super) fn read<O>(&self) -> Result<Config<O>, Failure>
    where
        O: Args + Default + DeserializeOwned,
    {
        if let Some(file) = &self.config {
            return read(file);
        }
        let usual = Path::new(USUAL);
        if !usual.is_file() {
            return Ok(Config::default());
        }
        let Config {
            file,
            settings,
            set,
            ..
        } = read::<NoOptions>(usual)?.without_players()?;
        // A file that came with something else must not open a sandbox unseen.
        if !set.is_empty() {
            complain(&format!("{USUAL} sets {}", set.join(", ")));
        }
        Ok(Config {
            file,
            settings,
            set,
            ..Config::default()
        })
    }
}

impl<O> Config<O> {
    /// Returns the same, for a command whose players are typed.
    ///
    /// # Errors
    /// If it names players.
    pub(super) fn without_players(self) -> Result<Config<O>, Failure> {
        match (&self.file, self.players.first()) {
            (Some(file), Some(NamedPlayer { line, .. })) => Err(Failure::misuse(format!(
                "{}, line {line}: only a tournament takes players from a file, that of its --config",
                file.display()
            ))),
            (None, _) | (_, None) => Ok(self),
        }
    }
}

/// A player as a file names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct NamedPlayer {
    /// The referee's name for it, if that is not for the bot to say.
    pub(super) name: Option<String>,
    /// The command that starts it, as it would be typed; in a file it may be a list of its words, too.
    #[serde(deserialize_with = "command")]
    pub(super) command: String,
    /// The folder that it starts in, instead of the referee's.
    pub(super) dir: Option<String>,
    /// The time that it may take for a reply, instead of what the others may.
    #[serde(default, deserialize_with = "duration_from_text")]
    pub(super) limit: Option<Duration>,
    /// The time that it may take to get ready, instead of what the others may.
    #[serde(default, deserialize_with = "duration_from_text")]
    pub(super) start_limit: Option<Duration>,
    /// The line of the file where it is.
    #[serde(skip)]
    pub(super) line: usize,
}

/// A command as text, or as a list of words, none of which needs quotation marks.
fn command<'d, D: Deserializer<'d>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected a command as text, or as a list of its words"
    )]
    enum Command {
        Text(String),
        Words(Vec<String>),
    }
    let command = match Command::deserialize(from)? {
        Command::Text(text) => text,
        Command::Words(words) => quoted(&words),
    };
    if command.contains(char::is_control) {
        return Err(serde::de::Error::custom(BACKSLASH));
    }
    Ok(command)
}

/// On a path of Windows, which TOML takes for something else.
const BACKSLASH: &str = "between quotation marks a backslash begins a code, as \\n; write the text between apostrophes, as in 'C:\\bots\\bot.exe', or with / in place of it";

/// The key of the players.
const PLAYER: &str = "player";

/// Options that are for one run, and so in no section.
const TYPED: [&str; 2] = ["on", "dry-run"];

/// The fault in a file, and from which byte of it on.
struct Wrong {
    at: usize,
    what: String,
}

impl Wrong {
    fn new(at: usize, what: impl Display) -> Wrong {
        Wrong {
            at,
            what: what.to_string(),
        }
    }
}

/// Reads the file at `path`.
fn read<O>(path: &Path) -> Result<Config<O>, Failure>
where
    O: Args + DeserializeOwned,
{
    let shown = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::misuse(format!("--config {shown}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::misuse(format!("--config {shown}: the file is not UTF-8 text")))?;
    let config = from_text(&text, &shown)?;
    Ok(Config {
        file: Some(path.to_owned()),
        ..config
    })
}

/// Reads `text`, which messages call `shown`.
///
/// # Errors
/// If it cannot be read, or says something else; the message names the line.
pub(super) fn from_text<O>(text: &str, shown: &dyn Display) -> Result<Config<O>, Failure>
where
    O: Args + DeserializeOwned,
{
    parse(text).map_err(|Wrong { at, what }| {
        Failure::misuse(format!("{shown}, line {}: {what}", line_of(text, at)))
    })
}

/// Returns the line of the byte `at`, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or(text).matches('\n').count()
}

fn parse<O: Args + DeserializeOwned>(text: &str) -> Result<Config<O>, Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or_default().start;
        let line = text.lines().nth(line_of(text, at) - 1).unwrap_or_default();
        let what = if error.message() == "duplicate key" {
            "this is there twice"
        } else if line.contains('\\') {
            BACKSLASH
        } else {
            "this is not TOML: a line is KEY = VALUE, [SECTION] or [[player]], and text has quotation marks, as in command = \"./bot\""
        };
        Wrong::new(at, what)
    })?;
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    // The first error in the file is the first to be fixed.
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut players = Vec::new();
    let (mut own, mut settings) = (DeTable::new(), DeTable::new());
    for (key, value) in entries {
        let name = key.get_ref().as_ref();
        let section = headings::OF_MACHINE
            .into_iter()
            .find(|heading| heading.to_lowercase() == name);
        if name == PLAYER {
            players = named_players(text, value)?;
        } else if let (Some(heading), Some(section)) = (section, value.get_ref().as_table()) {
            read_section(heading, section, &mut settings)?;
        } else if name == "players" {
            let what = "there is no \"players\"; each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";
            return Err(Wrong::new(key.span().start, what));
        } else if names_in_file::<O>().any(|option| option == name) {
            read_alone::<O>(key, value)?;
            own.insert(key.clone(), value.clone());
        } else {
            let others =
                headings::OF_MACHINE.map(|heading| format!("[{}]", heading.to_lowercase()));
            let what = unknown_in_file(name, names_in_file::<O>(), &others);
            return Err(Wrong::new(key.span().start, what));
        }
    }
    if let Some((key, _)) = settings.iter().find(|(key, _)| own.contains_key(*key)) {
        return Err(Wrong::new(
            key.span().start,
            format_args!("{} stands above the sections too", key.get_ref()),
        ));
    }
    let set = settings
        .keys()
        .map(|key| key.get_ref().to_string())
        .collect();
    let whole = |error: toml::de::Error| Wrong::new(0, in_one_line(&error));
    let (options, settings) = (
        options(own).map_err(whole)?,
        options(settings).map_err(whole)?,
    );
    Ok(Config {
        file: None,
        options,
        settings,
        set,
        players,
    })
}

/// Adds the settings of a section to `settings`, checked each by itself.
fn read_section<'t>(
    heading: &str,
    section: &DeTable<'t>,
    settings: &mut DeTable<'t>,
) -> Result<(), Wrong> {
    let mut entries: Vec<_> = section.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in entries {
        let known = || names_under::<Settings>(heading).filter(|name| !TYPED.contains(&&**name));
        let name = key.get_ref().as_ref();
        if !known().any(|known| known == name) {
            return Err(Wrong::new(
                key.span().start,
                unknown_in_file(name, known(), &[]),
            ));
        }
        let alone: Settings = read_alone(key, value)?;
        let at = |error: &dyn Display| Wrong::new(value.span().start, error);
        alone.launch.check_names().map_err(|error| at(&error))?;
        settings.insert(key.clone(), value.clone());
    }
    Ok(())
}

/// Reads an option by itself, so that the message can name its line: the options together are read into buffers that have
/// forgotten where they come from.
fn read_alone<O: DeserializeOwned>(
    key: &Spanned<toml::de::DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<O, Wrong> {
    options(DeTable::from_iter([(key.clone(), value.clone())])).map_err(|error| {
        Wrong::new(
            value.span().start,
            format_args!("{}: {}", key.get_ref(), in_one_line(&error)),
        )
    })
}

fn options<O: DeserializeOwned>(table: DeTable<'_>) -> Result<O, toml::de::Error> {
    O::deserialize(toml::de::Deserializer::from(Spanned::new(0..0, table)))
}

fn named_players(text: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<NamedPlayer>, Wrong> {
    let wrong = |at: usize| {
        let what =
            "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";
        Wrong {
            at,
            what: what.to_owned(),
        }
    };
    let tables = value
        .get_ref()
        .as_array()
        .ok_or_else(|| wrong(value.span().start))?;
    let player = |table: &Spanned<DeValue<'_>>| {
        let at = table.span().start;
        let keys = table.get_ref().as_table().ok_or_else(|| wrong(at))?.clone();
        // The command is what may be wrong with a player that can be read.
        let line = line_of(
            text,
            keys.get("command")
                .map_or(at, |command| command.span().start),
        );
        let player =
            NamedPlayer::deserialize(toml::de::Deserializer::from(Spanned::new(0..0, keys)));
        player
            .map(|player| NamedPlayer { line, ..player })
            .map_err(|error| {
                let at = error.span().map_or(at, |span| span.start);
                Wrong {
                    at,
                    what: format!("player: {}", in_one_line(&error)),
                }
            })
    };
    tables.iter().map(player).collect()
}

fn in_one_line(error: &toml::de::Error) -> String {
    unreadable(&error.message().replace('\n', ", "))
}
