//! The record of a contest: the header with its configuration, and the line that ends each series.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use bothost::text;
use league::schedule::{Format, Plan, PlanError, Schedule};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{RecordError, Shard};
use crate::game::player_word;
use crate::terms::GameTerms;

/// The name of the format in the first line of a contest's record.
pub(super) const CONTEST_FORMAT: &str = "battleship-contest";

/// The version of that line. Contests of earlier versions are read, and not continued: they have
/// options that are gone.
pub(super) const CONTEST_VERSION: u32 = 4;

/// The version that 1.0.0 wrote, the oldest that is read.
pub(super) const OLDEST_CONTEST: u32 = 3;

/// The most files that a message names.
const MOST_NAMED: usize = 6;

/// The format of the line that ends a series.
pub const SERIES_FORMAT: &str = "battleship-series";

/// The first line of a contest's record: what is played. A contest that is asked for more games
/// than it has played gets another such line; the last one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestHeader {
    /// `battleship-contest`.
    pub format: String,
    /// The version of such a line.
    pub version: u32,
    /// The version of the referee that wrote it.
    pub referee: String,
    /// The contest: the first 16 hexadecimal digits of the SHA-256 of the version and the
    /// configuration. Records of one id are of one contest; it stays when players are added.
    pub id: String,
    /// The number of games of an encounter of two players.
    pub games: u32,
    /// The part of the series in this record, as `1/3`; `None` if it has all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The numbers of players that it had before others were added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<usize>,
    /// The sequential test that was chosen before the first game, as `--sprt` takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<String>,
    /// When this line was written, in seconds since the beginning of 1970 (UTC); `None` in records
    /// of 1.0.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Everything that the games depend on.
    pub config: ContestConfig,
}

impl ContestHeader {
    /// Returns the header of a contest of `config`, with `games` games an encounter.
    #[must_use]
    pub fn new(config: ContestConfig, games: u32, shard: Option<String>) -> ContestHeader {
        ContestHeader {
            format: CONTEST_FORMAT.to_owned(),
            version: CONTEST_VERSION,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            id: config.id(),
            games,
            shard,
            grown: Vec::new(),
            sprt: None,
            time: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .ok()
                .map(|since| since.as_secs()),
            config,
        }
    }

    /// Returns this header as one that continues the contest of `recorded`. The contest keeps its
    /// id when players are added at the end of the list, since no game so far depends on them.
    #[must_use]
    pub fn after(mut self, recorded: &ContestHeader) -> ContestHeader {
        let config = self.config_of(recorded);
        if self.version != recorded.version
            || config.players.len() != recorded.config.players.len()
            || !config.differences(&recorded.config).is_empty()
            || !config.changed_programs(&recorded.config).is_empty()
        {
            return self;
        }
        self.id.clone_from(&recorded.id);
        self.sprt.clone_from(&recorded.sprt);
        self.grown.clone_from(&recorded.grown);
        if self.config.players.len() > config.players.len() {
            self.grown.push(config.players.len());
        }
        self
    }

    /// Returns the configuration of this contest without the players that may have been added to
    /// that of `recorded`. Only where no pairing depends on results can there be some, and not in a
    /// part of it.
    #[must_use]
    pub fn config_of(&self, recorded: &ContestHeader) -> ContestConfig {
        let mut config = self.config.clone();
        let can_grow = match config.schedule {
            Format::RoundRobin | Format::Gauntlet => {
                self.shard.is_none() && recorded.shard.is_none()
            }
            Format::Swiss { .. } | Format::Knockout => false,
        };
        if can_grow {
            config.players.truncate(recorded.config.players.len());
        }
        config
    }

    /// Returns the schedule of the whole contest.
    ///
    /// # Errors
    /// If the contest cannot be played so.
    pub fn schedule(&self) -> Result<Schedule, PlanError> {
        let plan = Plan {
            format: self.config.schedule,
            players: self.config.players.len(),
            games: self.games,
            series: self.config.series,
        };
        Schedule::grown(plan, &self.grown)
    }

    /// Returns the part of the contest that the record is of; `None` if it is of all.
    #[must_use]
    pub fn part(&self) -> Option<Shard> {
        self.shard.as_ref()?.parse().ok()
    }

    /// Checks that the contest in the record at `path` can be continued and merged.
    ///
    /// # Errors
    /// If it is of an earlier version.
    pub fn check_is_current(&self, path: &Path) -> Result<(), RecordError> {
        if self.version == CONTEST_VERSION {
            return Ok(());
        }
        let path = path.to_owned();
        let version = self.version;
        let referee = self.referee.clone();
        Err(RecordError::Earlier {
            path,
            version,
            referee,
        })
    }

    /// Returns the header as a line of a record, with its line feed.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("its maps have text for keys");
        line.push(b'\n');
        line
    }
}

/// Everything that the games of a contest depend on, except how many they are and on which machine
/// they are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestConfig {
    /// The pairings.
    #[serde(flatten, with = "schedule")]
    pub schedule: Format,
    /// The games of an encounter where later rounds depend on it, so that it cannot be changed on
    /// the way.
    pub games: Option<u32>,
    /// The number of games that two bots play with each other before both are restarted.
    pub series: u32,
    /// Whether both are started again for each game.
    pub restart: bool,
    /// The seed from which the seeds of all games come.
    pub seed: u64,
    /// The terms of each game.
    #[serde(flatten)]
    pub terms: GameTerms,
    /// The game: its name in `rules`, and its other settings.
    #[serde(flatten)]
    pub game: Map<String, Value>,
    /// The share of a player's games that it may spoil by its own fault before it is disqualified.
    pub max_faults: Option<f64>,
    /// The players. Pairings refer to them by their place in this list, from 0.
    pub players: Vec<ListedPlayer>,
}

/// The schedule as two fields: its name, and the rounds of a Swiss tournament.
mod schedule {
    use league::schedule::Format;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    pub(super) struct Schedule {
        schedule: String,
        rounds: Option<usize>,
    }

    pub(super) fn serialize<S: Serializer>(format: &Format, to: S) -> Result<S::Ok, S::Error> {
        let rounds = match format {
            Format::Swiss { rounds } => Some(*rounds),
            Format::RoundRobin | Format::Gauntlet | Format::Knockout => None,
        };
        Schedule {
            schedule: format.name().to_owned(),
            rounds,
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Format, D::Error> {
        let Schedule { schedule, rounds } = Schedule::deserialize(from)?;
        Format::from_name(&schedule, rounds).ok_or_else(|| {
            D::Error::custom(format!(
                "no schedule {schedule:?} is known, or it lacks its rounds"
            ))
        })
    }
}

/// A file of a player, or a folder that stands for what is in it: what it is called, and the first
/// digits of its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest(pub String, pub String);

/// A player of a contest, as its record has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPlayer {
    /// Its name; no two players of a contest have the same name.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The SHA-256 of what its program consists of, in hexadecimal: see `docs/record.md`.
    pub program: Option<String>,
    /// Whether the command was handed in, so that it is data for the person who plays the contest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub submission: bool,
    /// Whether it failed the check before the first game, so that it is in no game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cannot_play: bool,
    /// The files of which that is the digest; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileDigest>>,
    /// The folder that it is started in, as it was typed; `None` for the referee's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// The time that it has for a reply, in milliseconds, if that is not the one of the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
    /// The time that it has to get ready, in milliseconds, if that is not the one of the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_limit_ms: Option<u64>,
}

impl ListedPlayer {
    /// Returns the player as the word that names it on a command line.
    #[must_use]
    pub fn word(&self) -> String {
        if self.name == self.command && self.dir.is_none() {
            return self.command.clone();
        }
        // Signs that end a name on the command line. A name is not part of a game.
        let name = self.name.replace(['=', '@', '/'], "_");
        player_word(Some(&name), self.dir.as_deref(), &self.command)
    }

    /// Returns in words how its program differs from what it was as `there`; `None` if it does not.
    #[must_use]
    pub fn changes_since(&self, recorded: &ListedPlayer) -> Option<String> {
        if self.program == recorded.program {
            return None;
        }
        let [files, files_before] =
            [self, recorded].map(|player| player.files.as_deref().unwrap_or_default());
        // Of many files there is no list.
        if files.is_empty() || files_before.is_empty() {
            return Some(format!(
                "{}: its program ({}) has changed",
                self.name, self.command
            ));
        }
        let [files, files_before] = [files, files_before].map(|files| {
            let entries = files
                .iter()
                .map(|FileDigest(name, digest)| (&**name, digest));
            entries.collect::<BTreeMap<_, _>>()
        });
        let changed = files
            .keys()
            .copied()
            .filter(|name| {
                files_before
                    .get(name)
                    .is_some_and(|digest| *digest != files[name])
            })
            .collect();
        let added = files
            .keys()
            .copied()
            .filter(|name| !files_before.contains_key(name))
            .collect();
        let removed = files_before
            .keys()
            .copied()
            .filter(|name| !files.contains_key(name))
            .collect();
        let mut changes = Vec::new();
        for (what, mut names) in [
            ("changed", changed),
            ("been added", added),
            ("been removed", removed),
        ] {
            let names: &mut Vec<&str> = &mut names;
            let have = if names.len() == 1 { "has" } else { "have" };
            let more = names.split_off(names.len().min(MOST_NAMED)).len();
            let list = names.join(", ");
            match more {
                0 if list.is_empty() => {}
                0 => changes.push(format!("{list} {have} {what}")),
                more => changes.push(format!("{list} and {more} more {have} {what}")),
            }
        }
        if changes.is_empty() {
            // In a record of 1.0.0 a name may stand for several files.
            changes.push("its files have changed".to_owned());
        }
        Some(format!("{}: {}", self.name, changes.join(", ")))
    }

    /// Returns a player of whom only the name and the command are known.
    #[must_use]
    pub fn called(name: String, command: String) -> ListedPlayer {
        ListedPlayer {
            name,
            command,
            program: None,
            submission: false,
            cannot_play: false,
            files: None,
            dir: None,
            limit_ms: None,
            start_limit_ms: None,
        }
    }
}

impl ContestConfig {
    /// Returns the identity of this contest: see [`ContestHeader::id`].
    #[must_use]
    pub fn id(&self) -> String {
        // With the version: contests of one configuration and different versions are played with
        // different seeds.
        let text = serde_json::to_string(&(CONTEST_VERSION, self));
        let text = text.expect("its maps have text for keys");
        let mut id = hexadecimal(&Sha256::digest(text));
        id.truncate(16);
        id
    }

    /// Returns the name of the game.
    #[must_use]
    pub fn rules(&self) -> &str {
        let rules = self.game.get("rules");
        rules.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the differences from `recorded` but for programs, in words: the value there and the
    /// value here.
    #[must_use]
    pub fn differences(&self, recorded: &ContestConfig) -> Vec<String> {
        let value = |config: &ContestConfig| {
            let mut config = config.clone();
            for player in &mut config.players {
                // Said in words of their own.
                (player.program, player.files) = (None, None);
            }
            serde_json::to_value(config).expect("its maps have text for keys")
        };
        let mut found = Vec::new();
        differences(&value(self), &value(recorded), "", &mut found);
        found
    }

    /// Returns the differences between programs and those `recorded`, in words; nothing if the
    /// players are others.
    #[must_use]
    pub fn changed_programs(&self, recorded: &ContestConfig) -> Vec<String> {
        let both = self.players.iter().zip(&recorded.players);
        let same_number = self.players.len() == recorded.players.len();
        both.filter(|_| same_number)
            .filter_map(|(requested, recorded)| requested.changes_since(recorded))
            .collect()
    }
}

fn differences(requested: &Value, recorded: &Value, at: &str, found: &mut Vec<String>) {
    match (requested, recorded) {
        (Value::Object(requested), Value::Object(recorded)) => {
            // A field that one of them lacks has no value there.
            let only_there = recorded.keys().filter(|key| !requested.contains_key(*key));
            for key in requested.keys().chain(only_there) {
                let at = if at.is_empty() {
                    key.clone()
                } else {
                    format!("{at}: {key}")
                };
                let value = |map: &Map<_, _>| map.get(key).cloned().unwrap_or_default();
                differences(&value(requested), &value(recorded), &at, found);
            }
        }
        (Value::Array(requested), Value::Array(recorded))
            if requested.len() == recorded.len() && requested.iter().any(Value::is_object) =>
        {
            for (number, (requested, recorded)) in (1..).zip(requested.iter().zip(recorded)) {
                differences(requested, recorded, &format!("{at} {number}"), found);
            }
        }
        // Lists of objects are long: ships, players.
        (Value::Array(requested), Value::Array(recorded))
            if requested.iter().chain(recorded).any(Value::is_object) =>
        {
            found.push(format!(
                "{at}: {} there, {} here",
                recorded.len(),
                requested.len()
            ));
        }
        _ if requested != recorded => {
            let [requested, recorded] =
                [requested, recorded].map(|value| text::shortened(&value.to_string()));
            found.push(format!("{at}: {recorded} there, {requested} here"));
        }
        _ => {}
    }
}

/// Returns `bytes` as two hexadecimal digits each.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string takes everything");
    }
    text
}

/// The line after the games of a series: the series is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// `battleship-series`.
    pub format: String,
    /// The version of such a line.
    pub version: u32,
    /// The id of the contest, as in the header.
    pub contest: String,
    /// The number of the series, from 1.
    pub series: usize,
    /// The round of the contest that it belongs to, from 1.
    pub round: usize,
    /// The players, as their places in the list of players, from 0.
    pub players: [usize; 2],
    /// The number of games.
    pub games: u32,
    /// The amount that each of them has computed, in milliseconds, where that is known.
    pub cpu_ms: [Option<u64>; 2],
    /// The oddities of each, in a sentence each.
    pub warnings: [Vec<String>; 2],
    /// Duration, in milliseconds.
    pub took_ms: u64,
    /// The ends of the dialogues of its first forfeits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<LastSaid>,
}

/// The end of the dialogue of a game that a player lost by its own fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSaid {
    /// Its number among the games between the two players, from 1.
    pub game: u32,
    /// The last lines to and from the player that forfeited, as transcripts have them.
    pub lines: Vec<String>,
}

#[cfg(test)]
mod tests {
    use crate::tests::config;

    #[test]
    fn contests_differ_in_what_their_games_depend_on() {
        let mut other = config();
        assert_eq!(other.id(), config().id());
        assert!(config().differences(&other).is_empty());
        other.terms.max_turns = 8;
        other.players[1].command = "./good".to_owned();
        assert_ne!(other.id(), config().id());
        assert_eq!(
            config().differences(&other),
            [
                "max_turns: 8 there, 1000 here",
                "players 2: command: \"./good\" there, \"good\" here"
            ]
        );
        other = config();
        other.players.pop();
        assert_eq!(config().differences(&other), ["players: 1 there, 2 here"]);
    }

    #[test]
    fn ids_of_contests_stay_in_every_release() {
        // With other threads than bots usually have.
        let mut config = config();
        config.terms.max_threads = 256;
        assert_eq!(config.id(), "6759c321e393d465");
    }
}
