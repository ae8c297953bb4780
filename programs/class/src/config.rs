//! The rules of a class: `class.toml`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use league::statistics::Pentanomial;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use toml::value::Datetime;

use crate::Results;
use crate::choice::score;
use crate::time::WITH_ZONE;
use kits::Asked;

/// The most games of a requirement.
const MOST_GAMES: u32 = 10_000;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Play {
    #[serde(rename = "series")]
    series_length: Option<u32>,
    /// Whether each game is played by new processes; if not given, the games of those bots that are
    /// built of the course's classes.
    pub restart: Option<bool>,
    #[serde(rename = "games")]
    requirement_games: Option<u32>,
    /// Games at the same time; as many as there are cores if it is not given.
    pub jobs: Option<u16>,
    provisional: Option<Removed>,
    staff_games: Option<Removed>,
    most_staff_games: Option<Removed>,
    interval: Option<Removed>,
}

/// The value of a setting of an earlier version.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Removed;

impl<'d> Deserialize<'d> for Removed {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Removed, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Removed)
    }
}

impl Play {
    /// The games of a series: this many are played by the same two processes, which may learn.
    pub(crate) fn series(&self) -> u32 {
        self.series_length.unwrap_or(10)
    }

    /// The games of each program against each bot of the staff that decide the requirements.
    pub(crate) fn games(&self) -> u32 {
        // The default has to be whole series of any length.
        self.requirement_games
            .unwrap_or_else(|| 200_u32.next_multiple_of(self.series().max(1)))
    }

    /// The series of each program against each bot of the staff that decide the requirements.
    pub(crate) fn requirement_series(&self) -> u32 {
        self.games() / self.series()
    }

    /// The games of each bot against each bot of the staff, which rate it and which its page shows.
    pub(crate) fn staff_games(&self) -> u32 {
        self.games().min(20)
    }

    /// The games before a bot has a place.
    pub(crate) fn provisional(&self) -> u32 {
        (self.games() / 2).min(100)
    }

    /// The games after which no more are played to rate a bot.
    pub(crate) fn most_rating_games(&self) -> u32 {
        self.games().saturating_mul(2)
    }

    /// Returns the names of the settings of an earlier version that have a value.
    fn removed(&self) -> Vec<&'static str> {
        [
            ("provisional", self.provisional),
            ("staff-games", self.staff_games),
            ("most-staff-games", self.most_staff_games),
            ("interval", self.interval),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.map(|_| name))
        .collect()
    }

    fn check(&self) -> Result<(), String> {
        let series = self.series();
        // The next series of the two has the other one begin.
        let is_single = series == 1 && self.restart == Some(true);
        if !is_single && (series == 0 || !series.is_multiple_of(2)) {
            return Err(format!(
                "series = {series}: write an even number, so that each bot begins in half of the games; series = 1 goes with restart = true"
            ));
        }
        let games = self.games();
        let unit = series.max(2);
        if games == 0 || games > MOST_GAMES || !games.is_multiple_of(unit) {
            return Err(format!(
                "games = {games}: write a multiple of {unit}, at most {MOST_GAMES}, so that the games are whole series and each bot \
                 begins in half of them"
            ));
        }
        Ok(())
    }

    /// Returns the lower end of the interval of a bot that wins all games of a requirement.
    fn highest_low(&self) -> f64 {
        let games = u64::from(self.games());
        let mut results = Results {
            games,
            ..Results::default()
        };
        if self.series() == 1 {
            results.singles.wins = games;
        } else {
            results.pairs = Pentanomial::new([0, 0, 0, 0, games / 2]);
        }
        score(&results).map_or(0.0, |score| score.interval().low)
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
    /// The share of points that the lower end of the 95% interval has to be above, from 0 to 1.
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

    /// Returns what the teacher should know about settings that have no effect.
    pub(crate) fn notes(&self) -> Option<String> {
        let removed = self.play.removed();
        (!removed.is_empty()).then(|| {
            format!(
                "[play]: since version 1.1 these have no effect: {}; remove them: requirements are decided by games = {} against each bot of the \
                 staff, and the rest follows from that number",
                removed.join(", "),
                self.play.games()
            )
        })
    }

    fn check(&self) -> Result<(), String> {
        self.play.check()?;
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
                    "grade against {against}: above = {above} has to be a share of at least 0 and less than 1, and points = {points} at least 0"
                ));
            }
            let highest = self.play.highest_low();
            if *above >= highest {
                return Err(format!(
                    "grade against {against}: above = {above} cannot be passed: the 95% interval of a bot that wins all {games} games \
                     begins at {highest:.4}; write above = {possible:.2} or less, or a larger games below [play]",
                    games = self.play.games(),
                    possible = (100.0 * highest - 1.0).floor() / 100.0,
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
        assert_eq!((config.play.series(), config.play.games()), (4, 200));
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
            (
                "name = ''\n[play]\ngames = 25",
                "games = 25: write a multiple of 10",
            ),
            ("name = ''\n[play]\ngames = 0", "games = 0: write"),
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

    #[test]
    fn settings_of_an_earlier_version_are_noted() {
        let config = parse(
            "name = ''\n[play]\nprovisional = 100\nstaff-games = 20\nmost-staff-games = 200\ninterval = 40",
        );
        let note = config.unwrap().notes().unwrap();
        assert!(
            note.starts_with(
                "[play]: since version 1.1 these have no effect: provisional, staff-games, most-staff-games, interval;"
            ),
            "{note}"
        );
        assert_eq!(
            parse("name = ''\n[play]\ngames = 20").unwrap().notes(),
            None
        );
    }

    #[test]
    fn a_requirement_that_no_bot_can_pass_is_refused() {
        let text = |play: &str, above: f64| {
            format!(
                "name = ''\n[play]\n{play}\n[[staff]]\nname = 'x'\ncommand = 'x'\n[[grade]]\nagainst = 'x'\nabove = {above}\npoints = 1"
            )
        };
        for play in ["", "series = 1\nrestart = true", "games = 20"] {
            let error = parse(&text(play, 0.99)).unwrap_err();
            assert!(error.contains("above = 0.99 cannot be passed"), "{error}");
            let (_, remedy) = error.split_once("write above = ").unwrap();
            let possible = remedy.split(' ').next().unwrap().parse().unwrap();
            assert!(possible > 0.5, "{error}");
            parse(&text(play, possible)).unwrap();
        }
        parse(&text("games = 2000", 0.99)).unwrap();
    }
}
