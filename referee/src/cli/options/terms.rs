//! The options that say what a game depends on: typed, or in a file.

use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use battleship::{Game, GameError, Rules, Ruleset};
use bothost::text;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use super::headings;
use super::house::HouseRules;
use arena::game::Game as _;
use arena::terms::{GameClock, GameTerms, SandboxLevel};

/// Options of `play`, `match` and `tournament`. One that is `None` or empty was not given.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct TermsOptions {
    #[command(flatten)]
    #[serde(flatten)]
    pub house: HouseRules,
    /// Rows of a board, 1 to 10 [default: 10]
    #[arg(long, help_heading = headings::GAME, value_name = "N")]
    #[serde(deserialize_with = "number_or_text")]
    pub rows: Option<i32>,
    /// Columns of a board, 1 to 10 [default: 10]
    #[arg(long, help_heading = headings::GAME, value_name = "N")]
    #[serde(deserialize_with = "number_or_text")]
    pub cols: Option<i32>,
    /// A ship, e.g. '3 S submarine'; replaces the usual fleet
    ///
    /// The option is repeated for each ship. A ship has a length, a symbol and a name.
    #[arg(long, help_heading = headings::GAME, value_name = "SHIP", allow_hyphen_values = true)]
    #[serde(deserialize_with = "one_or_many")]
    pub ship: Vec<String>,
    /// End without a winner after this many turns of each player [default: ten times the cells of a board; twist: 100]
    #[arg(long, help_heading = headings::GAME, value_name = "N", value_parser = positive, hide_short_help = true)]
    #[serde(deserialize_with = "positive_in_file")]
    pub max_turns: Option<NonZeroU32>,
    /// Time of a bot for all replies of a game together, e.g. 60s, or 60s+100ms if each reply adds some; replaces --limit
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = game_clock, conflicts_with = "limit", hide_short_help = true)]
    #[serde(deserialize_with = "clock_from_text")]
    pub clock: Option<GameClock>,
    #[command(flatten)]
    #[serde(flatten)]
    pub time: TimeOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub launch: LaunchOptions,
}

/// The time that bots may take.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct TimeOptions {
    /// Time limit of a bot for each reply [default: 5s]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = time_limit)]
    #[serde(deserialize_with = "duration_from_text")]
    pub limit: Option<Duration>,
    /// Time limit of a bot to get ready [default: 10s]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = time_limit, hide_short_help = true)]
    #[serde(deserialize_with = "duration_from_text")]
    pub start_limit: Option<Duration>,
    /// Fuel of a bot.wasm for a reply, in millions; it has no other limit [default: 1000]
    ///
    /// A unit is about an instruction of the module. A million is a millisecond of its clock, on any machine.
    #[arg(long, help_heading = headings::LIMITS, value_name = "N", value_parser = positive, hide_short_help = true)]
    #[serde(deserialize_with = "positive_in_file")]
    pub fuel: Option<NonZeroU32>,
    /// Time in which a bot has to quit before it is ended [default: 500ms]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = time_limit, hide_short_help = true)]
    #[serde(deserialize_with = "duration_from_text")]
    pub grace: Option<Duration>,
}

/// The settings for starting bots.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct LaunchOptions {
    /// Confine bots to a world of their own, without other files, other processes or a network; =basic confines less
    ///
    /// In its world a bot reads the system's programs and its own folders, writes files that are gone afterwards, and has
    /// limited memory and threads. =basic is for systems without namespaces for users: rules confine the bot, and it sees
    /// command lines of other processes and which files there are. The record lists what the sandbox refused to a test.
    #[arg(long, help_heading = headings::SANDBOX, value_parser = levels(), value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "world", hide_short_help = true)]
    #[serde(deserialize_with = "sandbox_from_word_or_switch")]
    pub sandbox: Option<SandboxLevel>,
    /// Let sandboxed bots read this folder too
    #[arg(long, help_heading = headings::SANDBOX, value_name = "DIR", hide_short_help = true)]
    #[serde(deserialize_with = "one_or_many")]
    pub allow: Vec<PathBuf>,
    /// Memory that a sandboxed bot may use in all its processes together, in MiB [default: 1024]
    ///
    /// If possible, the kernel holds the limit, and the record names it in `hard_limits`; otherwise the referee counts, 20
    /// times a second.
    #[arg(long, help_heading = headings::SANDBOX, value_name = "MIB", value_parser = positive, hide_short_help = true)]
    #[serde(deserialize_with = "positive_in_file")]
    pub max_memory: Option<NonZeroU32>,
    /// Threads and processes that a sandboxed bot may have [default: 64]
    ///
    /// The record names it in `hard_limits` as `pids` if the kernel holds it, as for --max-memory.
    #[arg(long, help_heading = headings::SANDBOX, value_name = "N", value_parser = positive, hide_short_help = true)]
    #[serde(deserialize_with = "positive_in_file")]
    pub max_threads: Option<NonZeroU32>,
    /// Give bots this variable of the environment too; they get only the usual ones
    #[arg(long, help_heading = headings::BOTS, value_name = "NAME", hide_short_help = true)]
    #[serde(deserialize_with = "one_or_many")]
    pub env: Vec<String>,
    /// Do not keep the referee and both bots on one core: for bots that think with several threads
    #[arg(long, help_heading = headings::BOTS, hide_short_help = true)]
    pub no_pin: bool,
    /// Let bots think in their opponents' time. Without it, one that does is stopped until its next request
    #[arg(long, help_heading = headings::BOTS, hide_short_help = true)]
    pub ponder: bool,
}

/// The reason why options are not those of a game. Every message names the option and says how to fix it.
#[derive(Debug, Error)]
pub enum TermsError {
    #[error("--rows, --cols: the boards of the game {name} are always {rows}x{cols}")]
    FixedBoard { name: Ruleset, rows: i32, cols: i32 },
    #[error("--ship: the fleet of the game {name} is always the same")]
    FixedFleet { name: Ruleset },
    #[error("--rules {name}: this game has no {option}")]
    NoSuchOption { name: Ruleset, option: &'static str },
    #[error("--rows {rows} --cols {cols}: {error}")]
    Board {
        rows: i32,
        cols: i32,
        error: GameError,
    },
    #[error(
        "the standard fleet does not fit a board of {rows}x{cols}: {error}; name the ships with --ship, e.g. --ship \"2 R rowboat\""
    )]
    StandardFleet {
        rows: i32,
        cols: i32,
        error: GameError,
    },
    #[error("--ship \"{typed}\": {why}; write LEN SYMBOL NAME, e.g. --ship \"3 S submarine\"")]
    Ship { typed: String, why: ShipError },
    #[error(
        "limit, clock: a bot has a limit for each reply or a clock for the game; leave one of them out"
    )]
    LimitAndClock,
    #[error("--sandbox: the sandbox needs Linux and a supervisor")]
    NoSandbox,
    #[error("{0} works only with --sandbox; add it")]
    OnlyWithSandbox(&'static str),
    #[error("--allow {}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    #[error("--allow /: that is everything; name the folders that bots need")]
    Everything,
    #[error("--allow {}: the path is not UTF-8 text, so the record cannot hold it", .0.display())]
    NotText(PathBuf),
    #[error("--env {0}: give the name of a variable, without its value")]
    NoVariable(String),
}

/// The reason why text does not describe a ship.
#[derive(Debug, Error)]
pub enum ShipError {
    #[error("expected a length, a symbol and a name")]
    Words,
    #[error("{0:?} is not a length")]
    Length(String),
    #[error("{0:?} is not one character")]
    Symbol(String),
    #[error("the name has invisible characters")]
    Name,
    #[error(transparent)]
    Rule(#[from] GameError),
}

impl TermsOptions {
    /// Returns these options, completed by those of `below`: typed options replace those of a file.
    #[must_use]
    pub fn over(self, mut below: TermsOptions) -> TermsOptions {
        if self.clock.is_some() {
            below.time.limit = None;
        } else if self.time.limit.is_some() {
            below.clock = None;
        }
        TermsOptions {
            clock: self.clock.or(below.clock),
            house: self.house.over(below.house),
            rows: self.rows.or(below.rows),
            cols: self.cols.or(below.cols),
            ship: or(self.ship, below.ship),
            max_turns: self.max_turns.or(below.max_turns),
            time: self.time.over(below.time),
            launch: self.launch.over(below.launch),
        }
    }

    /// Returns these options, completed by the settings of the machine.
    #[must_use]
    pub fn over_settings(self, mut time: TimeOptions, launch: LaunchOptions) -> TermsOptions {
        if self.clock.is_some() {
            time.limit = None;
        }
        let (time, launch) = (self.time.over(time), self.launch.over_settings(launch));
        TermsOptions {
            time,
            launch,
            ..self
        }
    }

    /// Returns the game and the terms that these options say, with the usual values for what they leave open.
    ///
    /// # Errors
    /// If they contradict each other, or name something that does not exist.
    pub fn terms(&self) -> Result<(Rules, GameTerms), TermsError> {
        let rules = self.rules()?;
        if self.clock.is_some() && self.time.limit.is_some() {
            return Err(TermsError::LimitAndClock);
        }
        let terms = GameTerms::usual(rules.max_turns());
        let terms = GameTerms {
            clock: self.clock,
            max_turns: self.max_turns.map_or(terms.max_turns, NonZeroU32::get),
            ..self.launch.apply(&self.time.apply(terms))?
        };
        Ok((rules, terms))
    }

    fn rules(&self) -> Result<Rules, TermsError> {
        let rules = self.house.rules()?;
        if rules.game().is_some() {
            let options = rules.options();
            return Ok(Rules::on(rules.ruleset(), self.game()?, options));
        }
        // Every other game has a board and a fleet of its own.
        let name = rules.ruleset();
        let [rows, cols] = rules.size();
        if self.rows.is_some() || self.cols.is_some() {
            return Err(TermsError::FixedBoard { name, rows, cols });
        }
        if !self.ship.is_empty() {
            return Err(TermsError::FixedFleet { name });
        }
        Ok(rules)
    }

    fn game(&self) -> Result<Game, TermsError> {
        let usual = Game::standard();
        let rows = self.rows.unwrap_or(usual.rows());
        let cols = self.cols.unwrap_or(usual.cols());
        let mut game =
            Game::new(rows, cols).map_err(|error| TermsError::Board { rows, cols, error })?;
        if self.ship.is_empty() {
            let standard = game.add_standard_ships();
            standard.map_err(|error| TermsError::StandardFleet { rows, cols, error })?;
        }
        for typed in &self.ship {
            add_ship(&mut game, typed).map_err(|why| TermsError::Ship {
                typed: typed.clone(),
                why,
            })?;
        }
        Ok(game)
    }
}

impl TimeOptions {
    /// Returns these options, completed by those of `below`.
    #[must_use]
    pub fn over(self, below: TimeOptions) -> TimeOptions {
        TimeOptions {
            limit: self.limit.or(below.limit),
            start_limit: self.start_limit.or(below.start_limit),
            fuel: self.fuel.or(below.fuel),
            grace: self.grace.or(below.grace),
        }
    }

    /// Returns `terms` with these times, if they are given.
    #[must_use]
    pub fn apply(&self, terms: GameTerms) -> GameTerms {
        GameTerms {
            limit: self.limit.unwrap_or(terms.limit),
            start_limit: self.start_limit.unwrap_or(terms.start_limit),
            fuel: self.fuel.map_or(terms.fuel, NonZeroU32::get),
            grace: self.grace.unwrap_or(terms.grace),
            ..terms
        }
    }
}

impl LaunchOptions {
    fn over(self, below: LaunchOptions) -> LaunchOptions {
        LaunchOptions {
            sandbox: self.sandbox.or(below.sandbox),
            allow: or(self.allow, below.allow),
            max_memory: self.max_memory.or(below.max_memory),
            max_threads: self.max_threads.or(below.max_threads),
            env: or(self.env, below.env),
            no_pin: self.no_pin || below.no_pin,
            ponder: self.ponder || below.ponder,
        }
    }

    /// Returns these options, completed by the settings of the machine. Those of a sandbox hold if there is one.
    #[must_use]
    pub fn over_settings(self, mut below: LaunchOptions) -> LaunchOptions {
        if self.sandbox.or(below.sandbox).is_none() {
            (below.allow, below.max_memory, below.max_threads) = (Vec::new(), None, None);
        }
        self.over(below)
    }

    /// Checks what these options name, each by itself.
    ///
    /// # Errors
    /// If it does not exist, or cannot be what it is named as.
    pub fn check_names(&self) -> Result<(), TermsError> {
        // One that begins with a hyphen could not be typed again as it is.
        let is_name = |name: &String| {
            !name.is_empty() && !name.starts_with('-') && !name.contains(['=', '\0'])
        };
        if let Some(name) = self.env.iter().find(|name| !is_name(name)) {
            return Err(TermsError::NoVariable(name.clone()));
        }
        self.allow
            .iter()
            .try_for_each(|typed| folder(typed).map(|_| ()))
    }

    /// Returns `terms` with these options, if they are given.
    ///
    /// # Errors
    /// If they contradict each other, or name something that does not exist.
    pub fn apply(&self, terms: &GameTerms) -> Result<GameTerms, TermsError> {
        if self.sandbox.is_some() && !cfg!(target_os = "linux") {
            return Err(TermsError::NoSandbox);
        }
        let only_with_sandbox = [
            ("--allow", !self.allow.is_empty()),
            ("--max-memory", self.max_memory.is_some()),
            ("--max-threads", self.max_threads.is_some()),
        ];
        if let (None, Some((option, _))) = (
            self.sandbox,
            only_with_sandbox.iter().find(|(_, given)| *given),
        ) {
            return Err(TermsError::OnlyWithSandbox(option));
        }
        self.check_names()?;
        Ok(GameTerms {
            sandbox: self.sandbox,
            allow: self
                .allow
                .iter()
                .map(|typed| folder(typed))
                .collect::<Result<_, _>>()?,
            max_memory: self.max_memory.map_or(terms.max_memory, NonZeroU32::get),
            max_threads: self.max_threads.map_or(terms.max_threads, NonZeroU32::get),
            env: self.env.clone(),
            pin: !self.no_pin,
            ponder: self.ponder,
            ..*terms
        })
    }
}

/// Returns `list`, or `below` if it is empty.
fn or<T>(list: Vec<T>, below: Vec<T>) -> Vec<T> {
    if list.is_empty() { below } else { list }
}

/// Returns where the folder really is: bots are started in folders of their own, so that a relative path would name
/// another one there, and a record that is resumed elsewhere means the same folder.
fn folder(typed: &Path) -> Result<PathBuf, TermsError> {
    let found = typed.canonicalize().ok().filter(|folder| folder.is_dir());
    let found = found.ok_or_else(|| TermsError::NoFolder(typed.to_owned()))?;
    if found.to_str().is_none() {
        return Err(TermsError::NotText(found));
    }
    if found.parent().is_none() {
        return Err(TermsError::Everything);
    }
    Ok(found)
}

fn add_ship(game: &mut Game, typed: &str) -> Result<(), ShipError> {
    let (length, rest) = typed
        .trim()
        .split_once(char::is_whitespace)
        .ok_or(ShipError::Words)?;
    let (symbol, name) = rest
        .trim()
        .split_once(char::is_whitespace)
        .ok_or(ShipError::Words)?;
    let length = length
        .parse()
        .map_err(|_| ShipError::Length(length.to_owned()))?;
    let mut characters = symbol.chars();
    let (Some(symbol), None) = (characters.next(), characters.next()) else {
        return Err(ShipError::Symbol(symbol.to_owned()));
    };
    if text::shown(name.as_bytes()) != name {
        return Err(ShipError::Name);
    }
    game.add_ship(length, symbol, name.trim())?;
    Ok(())
}

const MILLISECOND: Duration = Duration::from_millis(1);

/// The longest limit: the clocks of operating systems end somewhere, and no game needs more.
const A_YEAR: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Reads a time limit, like `5s` or `250ms`.
///
/// # Errors
/// The fault, as a message.
pub fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time > A_YEAR => Err("a time limit is at most a year".to_owned()),
        Ok(time) if time >= MILLISECOND && time.subsec_nanos() % 1_000_000 == 0 => Ok(time),
        Ok(_) => Err("a time limit is in whole milliseconds, at least one".to_owned()),
        Err(_) => Err("expected a number and its unit; write e.g. 5s or 250ms".to_owned()),
    }
}

/// Reads the clock of a game, like `60s` or `60s+100ms`.
///
/// # Errors
/// The fault, as a message.
fn game_clock(text: &str) -> Result<GameClock, String> {
    let (total, increment) = match text.split_once('+') {
        Some((total, increment)) => (total, time_limit(increment)?),
        None => (text, Duration::ZERO),
    };
    let total = time_limit(total)?;
    Ok(GameClock { total, increment })
}

/// The clock of a game in a file: text, as it is typed.
fn clock_from_text<'d, D: Deserializer<'d>>(from: D) -> Result<Option<GameClock>, D::Error> {
    let text = String::deserialize(from).map_err(|_| {
        serde::de::Error::custom("expected times in quotation marks, as \"60s\" or \"60s+100ms\"")
    })?;
    game_clock(&text)
        .map(Some)
        .map_err(serde::de::Error::custom)
}

/// A time limit in a file: text, as it is typed.
///
/// # Errors
/// If it is not a time.
pub fn duration_from_text<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(from).map_err(|_| {
        serde::de::Error::custom("expected a time in quotation marks, as \"5s\" or \"250ms\"")
    })?;
    time_limit(&text)
        .map(Some)
        .map_err(serde::de::Error::custom)
}

/// Returns what reads the level of a sandbox.
fn levels() -> impl TypedValueParser<Value = SandboxLevel> {
    let world = PossibleValue::new("world")
        .aliases(["strict", "on"])
        .help("A world of its own, with only what the bot is given");
    let basic = PossibleValue::new("basic")
        .help("Rules about what it may do, where namespaces for users lack");
    PossibleValuesParser::new([world, basic]).map(|word| {
        if word == "basic" {
            SandboxLevel::Basic
        } else {
            SandboxLevel::World
        }
    })
}

/// The sandbox in a file: its level, or `true` for the usual one.
fn sandbox_from_word_or_switch<'d, D: Deserializer<'d>>(
    from: D,
) -> Result<Option<SandboxLevel>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected true, false, \"world\" or \"basic\"")]
    enum Sandbox {
        Switch(bool),
        #[serde(deserialize_with = "level_as_typed")]
        Level(SandboxLevel),
    }
    fn level_as_typed<'d, D: Deserializer<'d>>(from: D) -> Result<SandboxLevel, D::Error> {
        let word = String::deserialize(from)?;
        let level = match word.as_str() {
            "world" | "strict" | "on" => SandboxLevel::World,
            "basic" => SandboxLevel::Basic,
            _ => return Err(serde::de::Error::custom(format!("invalid variant: {word}"))),
        };
        Ok(level)
    }
    Ok(match Sandbox::deserialize(from)? {
        Sandbox::Switch(on) => on.then_some(SandboxLevel::World),
        Sandbox::Level(level) => Some(level),
    })
}

/// Reads a whole number from 1.
///
/// # Errors
/// Returns the message that says what was expected.
pub fn positive(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "expected a whole number from 1".to_owned())
}

/// A whole number from 1 in a file.
fn positive_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<NonZeroU32>, D::Error> {
    number_as_typed::<_, i64, _>(from, positive)
}

/// A number in a file that `parse` reads as it is typed, so that both ways have one check and one message.
///
/// # Errors
/// If it is not such a number.
pub fn number_as_typed<'d, D, N, T>(
    from: D,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'d>,
    N: Deserialize<'d> + FromStr<Err: fmt::Display> + fmt::Display,
{
    let Some(number) = number_or_text::<D, N>(from)? else {
        return Ok(None);
    };
    parse(&number.to_string())
        .map(Some)
        .map_err(serde::de::Error::custom)
}

/// A number in a file, which may stand in quotation marks: options have been text there before.
///
/// # Errors
/// If it is not such a number.
pub fn number_or_text<'d, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'d>,
    T: Deserialize<'d> + FromStr<Err: fmt::Display>,
{
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected a number that this option allows; whole numbers have no point"
    )]
    enum NumberOrText<T> {
        Number(T),
        Text(String),
    }
    match NumberOrText::deserialize(from)? {
        NumberOrText::Number(number) => Ok(Some(number)),
        NumberOrText::Text(text) => text
            .parse()
            .map(Some)
            .map_err(|_| serde::de::Error::custom(format!("{text:?} is not a whole number"))),
    }
}

/// A list in a file, which may be a single value without brackets.
fn one_or_many<'d, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'d>,
    T: Deserialize<'d>,
{
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected text or a list of texts")]
    enum OneOrMany<T> {
        One(T),
        Many(Vec<T>),
    }
    Ok(match OneOrMany::deserialize(from)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}
