//! A file of options: its keys are the long options of a command, and it has a table for each player.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::exit::Failure;
use engine::system::quoted;
use engine::terms::{duration_from_text, names_in_file, unknown_in_file};

/// A player as a file names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct NamedPlayer {
    /// What the referee calls it, if that is not for the bot to say.
    pub(super) name: Option<String>,
    /// The command that starts it, as it would be typed; in a file it may be a list of its words, too.
    #[serde(deserialize_with = "command")]
    pub(super) command: String,
    /// The folder that it starts in, instead of the referee's.
    pub(super) dir: Option<String>,
    /// How long it may take for a reply, instead of what the others may.
    #[serde(default, deserialize_with = "duration_from_text")]
    pub(super) limit: Option<Duration>,
    /// How long it may take to get ready, instead of what the others may.
    #[serde(default, deserialize_with = "duration_from_text")]
    pub(super) start_limit: Option<Duration>,
    /// The line of the file where it is.
    #[serde(skip)]
    pub(super) line: usize,
}

/// A command as text, or as a list of words, none of which needs quotation marks.
fn command<'d, D: Deserializer<'d>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a command as text, or as a list of its words")]
    enum Command {
        Text(String),
        Words(Vec<String>),
    }
    Ok(match Command::deserialize(from)? {
        Command::Text(text) => text,
        Command::Words(words) => quoted(&words),
    })
}

/// The key of the players.
const PLAYER: &str = "player";

/// What is wrong with a file, and from which byte of it on.
struct Wrong {
    at: usize,
    what: String,
}

/// Reads the file at `path`: its options and its players.
///
/// # Errors
/// If it cannot be read, or says something else; the message names the line.
pub(super) fn read<O>(path: &Path) -> Result<(O, Vec<NamedPlayer>), Failure>
where
    O: Args + DeserializeOwned,
{
    let shown = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::misuse(format!("--config {shown}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::misuse(format!("--config {shown}: the file is not UTF-8 text")))?;
    from_text(&text, &shown)
}

/// Reads `text`, which messages call `shown`.
///
/// # Errors
/// As [`read`].
pub(super) fn from_text<O>(
    text: &str,
    shown: &dyn Display,
) -> Result<(O, Vec<NamedPlayer>), Failure>
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

fn parse<O: Args + DeserializeOwned>(text: &str) -> Result<(O, Vec<NamedPlayer>), Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let what = format!("this is not TOML: {}", in_one_line(&error));
        Wrong { at: error.span().unwrap_or_default().start, what }
    })?;
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    // The first error in the file is the first to be mended.
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut players = Vec::new();
    for (key, value) in entries {
        let name = key.get_ref().as_ref();
        if name == PLAYER {
            players = named_players(text, value)?;
        } else if !names_in_file::<O>().any(|option| option == name) {
            return Err(Wrong { at: key.span().start, what: unknown_in_file::<O>(name) });
        } else {
            // Each option by itself, so that the message can name its line: the options together are read into
            // buffers that have forgotten where they come from.
            let alone = DeTable::from_iter([(key.clone(), value.clone())]);
            options::<O>(alone).map_err(|error| {
                let what = format!("{name}: {}", in_one_line(&error));
                Wrong { at: value.span().start, what }
            })?;
        }
    }
    let all =
        options(table.into_inner()).map_err(|error| Wrong { at: 0, what: in_one_line(&error) })?;
    Ok((all, players))
}

fn options<O: DeserializeOwned>(table: DeTable<'_>) -> Result<O, toml::de::Error> {
    O::deserialize(toml::de::Deserializer::from(Spanned::new(0..0, table)))
}

fn named_players(text: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<NamedPlayer>, Wrong> {
    let wrong = |at: usize| {
        let what =
            "each player is a table: [[player]] and below it command = \"python3 my_bot.py\"";
        Wrong { at, what: what.to_owned() }
    };
    let tables = value.get_ref().as_array().ok_or_else(|| wrong(value.span().start))?;
    let player = |table: &Spanned<DeValue<'_>>| {
        let at = table.span().start;
        let keys = table.get_ref().as_table().ok_or_else(|| wrong(at))?.clone();
        // The command is what may be wrong with a player that can be read.
        let line = line_of(text, keys.get("command").map_or(at, |command| command.span().start));
        let player =
            NamedPlayer::deserialize(toml::de::Deserializer::from(Spanned::new(0..0, keys)));
        player.map(|player| NamedPlayer { line, ..player }).map_err(|error| {
            let at = error.span().map_or(at, |span| span.start);
            Wrong { at, what: format!("player: {}", in_one_line(&error)) }
        })
    };
    tables.iter().map(player).collect()
}

fn in_one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', ", ")
}
