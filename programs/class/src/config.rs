//! The rules of a class: `class.toml`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use toml::value::Datetime;

use crate::time::WITH_ZONE;
use kits::Asked;

/// The game of a class, its deadline, its limits, and the requirements for a pass. `G` is the type
/// of the options of the game, in the words of the referee.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    bound = "G: DeserializeOwned + Default"
)]
pub(crate) struct Config<G> {
    /// The name of the class on its pages.
    pub name: String,
    /// Until when submissions count; `None` for always.
    #[serde(default, deserialize_with = "moment")]
    pub deadline: Option<Timestamp>,
    /// The time after the deadline in which a submission still counts, for clocks that differ and
    /// slow networks.
    #[serde(default = "grace", deserialize_with = "duration")]
    pub grace: Duration,
    /// Whether public pages call all bots by names that only their students know, or students
    /// without a team by their ids; by itself those without a team have a pseudonym.
    pub pseudonyms: Option<bool>,
    /// The game.
    #[serde(default)]
    pub game: G,
    /// The programs and files that submissions are built with.
    #[serde(default)]
    pub build: Build,
    /// The amount of play.
    #[serde(default)]
    pub play: Play,
    /// The bots of the staff, against which everyone plays.
    #[serde(default)]
    pub staff: Vec<Staff>,
    /// The requirements that a bot has to meet.
    #[serde(default)]
    pub grade: Vec<Requirement>,
}

/// The programs and files that submissions are built with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Build {
    /// Folders that builds may read besides those of the system: where compilers are that are
    /// installed elsewhere.
    pub allow: Vec<PathBuf>,
    /// The folder with the files that the course hands out, below that of the class.
    pub skeleton: Option<PathBuf>,
    /// The type of player that is asked of the course's classes.
    #[serde(rename = "type")]
    pub player: String,
    /// Options of the compiler for these classes.
    pub flags: Option<String>,
}

impl Default for Build {
    fn default() -> Build {
        Build {
            allow: Vec::new(),
            skeleton: None,
            player: "good".to_owned(),
            flags: None,
        }
    }
}

impl Build {
    /// Returns what is asked of submissions.
    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked {
            player: &self.player,
            flags: self.flags.as_deref(),
            has_skeleton: self.skeleton.is_some(),
        }
    }
}

/// The amount of play.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Play {
    /// The games of a series: this many are played by the same two processes, which may learn.
    pub series: u32,
    /// Whether each game is played by new processes; if not given, the games of those bots that are
    /// built of the course's classes.
    pub restart: Option<bool>,
    /// A bot with fewer games has no place yet.
    pub provisional: u32,
    /// The games of each bot against each bot of the staff, at least.
    pub staff_games: u32,
    /// The games against a bot of the staff after which it is left open whether that is a pass.
    pub most_staff_games: u32,
    /// Nothing more is played once every rating is known this well: half of its interval of 95%, in
    /// Elo.
    pub interval: f64,
    /// Games at the same time; as many as there are cores if it is not given.
    pub jobs: Option<u16>,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            series: 10,
            restart: None,
            provisional: 100,
            staff_games: 20,
            most_staff_games: 200,
            interval: 40.0,
            jobs: None,
        }
    }
}

/// A bot of the staff.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Staff {
    /// Its name.
    pub name: String,
    /// The command that starts it: a shipped player, or a command line.
    pub command: String,
    /// Its rating, from which all others are counted: of the first that has one; of the first of
    /// all it is 0 if none has.
    pub rating: Option<f64>,
}

/// A bot has to win a share of its games against a bot of the staff.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Requirement {
    /// The bot of the staff.
    pub against: String,
    /// The share of points that the lower end of the interval has to be above, from 0 to 1.
    pub above: f64,
    /// Its points.
    pub points: f64,
    /// Whether students see it only when the grades are published.
    #[serde(default)]
    pub hidden: bool,
}

/// The reason why a file is not a configuration.
#[derive(Debug, Error)]
pub(crate) enum ConfigError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// It says something else.
    #[error("{file}{place}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// Its line, if that is known.
        place: String,
        /// The fault there, and how to fix it.
        what: String,
    },
}

impl<G: DeserializeOwned + Default> Config<G> {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or says something else.
    pub(crate) fn read(path: &Path) -> Result<Config<G>, ConfigError> {
        let file = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|error| ConfigError::Io(file.clone(), error))?;
        Config::parse(&text, &file)
    }

    fn parse(text: &str, file: &str) -> Result<Config<G>, ConfigError> {
        let wrong = |place: String, what: String| ConfigError::Wrong {
            file: file.to_owned(),
            place,
            what,
        };
        let config: Config<G> = toml::from_str(text).map_err(|error| {
            let place = kits::line_of(text, &error)
                .map_or_else(String::new, |line| format!(", line {line}"));
            wrong(place, error.message().to_owned())
        })?;
        config.check().map_err(|what| wrong(String::new(), what))?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        let Play {
            series,
            restart,
            interval,
            ..
        } = self.play;
        // The next series of the two has the other one begin.
        let is_single = series == 1 && restart == Some(true);
        if !is_single && (series == 0 || !series.is_multiple_of(2)) {
            return Err(format!(
                "series = {series}: write an even number, so that each bot begins in half of the games; series = 1 goes with restart = true"
            ));
        }
        if !(interval.is_finite() && interval > 0.0) {
            return Err(format!(
                "interval = {interval}: write a number of Elo points, e.g. 30"
            ));
        }
        let mut names = BTreeSet::new();
        for Staff { name, rating, .. } in &self.staff {
            if let Some(rating) = rating.filter(|rating| !rating.is_finite()) {
                return Err(format!(
                    "staff: the rating {rating} of {name} is not a number"
                ));
            }
            if name.is_empty() || !names.insert(name.as_str()) {
                return Err(format!("staff: the name {name:?} is empty or there twice"));
            }
        }
        for Requirement {
            against,
            above,
            points,
            ..
        } in &self.grade
        {
            if !names.contains(against.as_str()) {
                let staff = names.iter().copied().collect::<Vec<_>>().join(", ");
                return Err(format!(
                    "grade: {against:?} is not a bot of the staff; there are: {staff}"
                ));
            }
            let is_share = (0.0..1.0).contains(above);
            if !is_share || !points.is_finite() || *points < 0.0 {
                return Err(format!(
                    "grade against {against}: above = {above} is a share from 0 to 1, and points = {points} no less than 0"
                ));
            }
        }
        Ok(())
    }
}

fn grace() -> Duration {
    Duration::from_secs(60)
}

fn duration<'d, D: Deserializer<'d>>(from: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(from)?;
    humantime::parse_duration(&text).map_err(|error| {
        D::Error::custom(format!(
            "invalid duration {text:?}; write e.g. 90s: {error}"
        ))
    })
}

/// A date and a time of day with its offset: without one it would not be that of the students.
fn moment<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let at = Datetime::deserialize(from)?.to_string();
    let at = at
        .parse()
        .map_err(|_| D::Error::custom(format!("{at}: {WITH_ZONE}")))?;
    Ok(Some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config<toml::Table>, String> {
        Config::parse(text, "class.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_is_enough() {
        let config = parse("name = 'CS 32'").unwrap();
        assert_eq!(
            (config.deadline, config.grace),
            (None, Duration::from_secs(60))
        );
        assert_eq!(
            (config.play, config.build),
            (Play::default(), Build::default())
        );
    }

    #[test]
    fn everything_is_read() {
        let config = parse(
            "name = 'CS 32'\ndeadline = 2026-12-01T23:59:00+01:00\ngrace = '2m'\npseudonyms = true\n\
             [game]\nrules = 'twist'\n[build]\nallow = ['/opt/jdk']\n\
             [play]\nseries = 4\n[[staff]]\nname = 'awful'\ncommand = 'awful'\n\
             [[grade]]\nagainst = 'awful'\nabove = 0.5\npoints = 10\nhidden = true\n",
        );
        let config = config.unwrap();
        assert_eq!(config.deadline.unwrap().to_string(), "2026-12-01T22:59:00Z");
        assert_eq!(config.game["rules"].as_str(), Some("twist"));
        assert_eq!((config.play.series, config.play.provisional), (4, 100));
        assert_eq!(config.build.allow, [Path::new("/opt/jdk")]);
        assert!(config.grade[0].hidden);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, what) in [
            ("", "class.toml, line 1: missing field `name`"),
            ("name = 1", "line 1: invalid type"),
            (
                "name = ''\ndead-line = 1",
                "line 2: unknown field `dead-line`",
            ),
            (
                "name = ''\ngrace = 'soon'",
                "line 2: invalid duration \"soon\"; write e.g. 90s",
            ),
            (
                "name = ''\ndeadline = 2026-12-01",
                "line 2: 2026-12-01: write a date, a time and its zone",
            ),
            (
                "name = ''\ndeadline = 2026-12-01T23:59:00",
                "line 2: 2026-12-01T23:59:00: write a date, a time and its zone",
            ),
            (
                "name = ''\n[build]\ntarget = 'wasm'",
                "line 3: unknown field `target`, expected one of",
            ),
            (
                "name = ''\n[play]\nseries = 5",
                "series = 5: write an even number",
            ),
            ("name = ''\n[play]\ninterval = nan", "interval = NaN: write"),
            (
                "name = ''\n[[staff]]\nname = ''\ncommand = 'x'",
                "staff: the name \"\" is empty",
            ),
            (
                "name = ''\n[[grade]]\nagainst = 'x'\nabove = 0.5\npoints = 1",
                "grade: \"x\" is not a bot of the staff",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
