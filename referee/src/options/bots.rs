//! The options that say how bots are started, timed and confined.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::headings;
use super::values::{TimeFor, game_clock, positive, time_limit};
use crate::exit::Failure;
use arena::game::Entrant;
use arena::terms::{GameClock, GameTerms, SandboxLevel};

/// The times, the sandbox and the start of bots. An option that is `None` or empty was not given.
#[derive(Args, Clone, Debug, Default)]
pub struct BotOptions {
    /// Time for each reply; NAME=TIME for one [default: 5s]
    ///
    /// The option is repeated for each player that has a limit of its own. NAME may be the player's
    /// number.
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME")]
    limit: Vec<TimeFor>,
    /// Time of a bot for a whole game, as 60s or 60s+100ms
    ///
    /// It takes the place of --limit. The time behind + is what each reply adds.
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = game_clock, allow_hyphen_values = true)]
    clock: Option<GameClock>,
    /// Refuse this many replies of a player in a game, and ask again; the next one loses [default:
    /// 0]
    ///
    /// A reply that cannot be read or breaks the rules is answered by a line `again REASON`. The
    /// record and the summary count them.
    #[arg(long, help_heading = headings::LIMITS, value_name = "N", hide_short_help = true)]
    retries: Option<u32>,
    /// Time of a bot to get ready; NAME=TIME for one player [default: 10s]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", hide_short_help = true)]
    start_limit: Vec<TimeFor>,
    /// Fuel of a bot.wasm for a reply, in millions; it has no other limit [default: 1000]
    ///
    /// A unit is about an instruction of the module. A million is a millisecond of its clock, on
    /// any machine.
    #[arg(long, help_heading = headings::LIMITS, value_name = "N", value_parser = positive, hide_short_help = true)]
    fuel: Option<NonZeroU32>,
    /// Time in which a bot has to quit before it is ended [default: 500ms]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = time_limit, hide_short_help = true)]
    grace: Option<Duration>,
    /// Confine bots to a world of their own, without other files, other processes or a network;
    /// =basic confines less
    ///
    /// In its world a bot reads the system's programs and its own folders, writes files that are
    /// gone afterwards, and has limited memory and threads. =basic is for systems without
    /// namespaces for users: rules confine the bot, and it sees command lines of other processes
    /// and which files there are. The record lists what the sandbox refused to a test.
    #[arg(long, help_heading = headings::SANDBOX, value_parser = levels(), value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "world", hide_short_help = true)]
    pub(super) sandbox: Option<SandboxLevel>,
    /// Let sandboxed bots read this folder too
    #[arg(long, help_heading = headings::SANDBOX, value_name = "DIR", hide_short_help = true)]
    allow: Vec<PathBuf>,
    /// Memory that a sandboxed bot may use in all its processes together, in MiB [default: 1024]
    ///
    /// If possible, the kernel holds the limit, and the record names it in `hard_limits`; otherwise
    /// the referee counts, 20 times a second.
    #[arg(long, help_heading = headings::SANDBOX, value_name = "MIB", value_parser = positive, hide_short_help = true)]
    max_memory: Option<NonZeroU32>,
    /// Threads and processes that a sandboxed bot may have [default: 64]
    ///
    /// The record names it in `hard_limits` as `pids` if the kernel holds it, as for --max-memory.
    #[arg(long, help_heading = headings::SANDBOX, value_name = "N", value_parser = positive, hide_short_help = true)]
    max_threads: Option<NonZeroU32>,
    /// Give bots this variable of the environment too; they get only the usual ones
    #[arg(long, help_heading = headings::BOTS, value_name = "NAME", hide_short_help = true)]
    env: Vec<String>,
    /// Do not keep the referee and both bots on one core: for bots that think with several threads
    #[arg(long, help_heading = headings::BOTS, hide_short_help = true)]
    no_pin: bool,
    /// Let bots think in their opponents' time. Without it, one that does is stopped until its next
    /// request
    #[arg(long, help_heading = headings::BOTS, hide_short_help = true)]
    ponder: bool,
}

impl BotOptions {
    /// Returns the options of games in the debugger, where bots have no limits and no sandbox.
    pub(crate) fn in_debugger(retries: Option<u32>, env: Vec<String>) -> BotOptions {
        BotOptions {
            retries,
            env,
            ..BotOptions::default()
        }
    }

    /// Returns the terms of a game in which each player has `max_turns` turns.
    ///
    /// # Errors
    /// If the options contradict each other, or name something that does not exist.
    pub fn terms(&self, max_turns: u32) -> Result<GameTerms, Failure> {
        let limit = for_all(&self.limit);
        if self.clock.is_some() && limit.is_some() {
            return Err(Failure::misuse(
                "--clock: a bot has a clock for the game or a limit for each reply; leave --limit or --clock out",
            ));
        }
        if self.sandbox.is_some() && !cfg!(target_os = "linux") {
            let what = "--sandbox: the sandbox needs Linux and a supervisor";
            return Err(Failure::misuse(what));
        }
        for (option, is_given) in [
            ("--allow", !self.allow.is_empty()),
            ("--max-memory", self.max_memory.is_some()),
            ("--max-threads", self.max_threads.is_some()),
        ] {
            if is_given && self.sandbox.is_none() {
                let what = format!("{option} works only with --sandbox; add it");
                return Err(Failure::misuse(what));
            }
        }
        // One that begins with a hyphen could not be typed again as it is.
        let is_variable =
            |name: &str| !name.is_empty() && !name.starts_with('-') && !name.contains(['=', '\0']);
        if let Some(name) = self.env.iter().find(|name| !is_variable(name)) {
            let what = format!("--env {name}: give the name of a variable, without its value");
            return Err(Failure::misuse(what));
        }
        let mut allow = Vec::new();
        for typed in &self.allow {
            allow.push(folder(typed)?);
        }
        let usual = GameTerms::usual(max_turns);
        Ok(GameTerms {
            limit: limit.unwrap_or(usual.limit),
            clock: self.clock,
            start_limit: for_all(&self.start_limit).unwrap_or(usual.start_limit),
            fuel: self.fuel.map_or(usual.fuel, NonZeroU32::get),
            sandbox: self.sandbox,
            allow,
            max_memory: self.max_memory.map_or(usual.max_memory, NonZeroU32::get),
            max_threads: self.max_threads.map_or(usual.max_threads, NonZeroU32::get),
            grace: self.grace.unwrap_or(usual.grace),
            env: self.env.clone(),
            pin: !self.no_pin,
            ponder: self.ponder,
            retries: self.retries.unwrap_or(usual.retries),
            ..usual
        })
    }

    /// Gives the players their limits of their own: a player is named, or has a number, from 1.
    ///
    /// # Errors
    /// If an option names no player.
    pub fn limit_players(&self, players: &mut [Entrant]) -> Result<(), Failure> {
        for (option, times) in [("limit", &self.limit), ("start-limit", &self.start_limit)] {
            for TimeFor { player, time } in times {
                let Some(wanted) = player else { continue };
                let named = players.iter().position(|player| player.name == *wanted);
                let numbered = wanted.parse::<usize>().ok();
                let numbered = numbered.and_then(|number| number.checked_sub(1));
                let place = named.or(numbered).filter(|place| *place < players.len());
                let Some(place) = place else {
                    let names: Vec<&str> = players.iter().map(|player| &*player.name).collect();
                    return Err(Failure::misuse(format!(
                        "--{option} {wanted}: no player has that name; there are {}",
                        names.join(", ")
                    )));
                };
                let limits = &mut players[place].limits;
                match option {
                    "limit" => limits.limit = Some(*time),
                    _ => limits.start_limit = Some(*time),
                }
            }
        }
        Ok(())
    }
}

/// Returns the time for all players, the last one if there are several: those of a file precede
/// those that were typed.
fn for_all(times: &[TimeFor]) -> Option<Duration> {
    let time = times.iter().rfind(|time| time.player.is_none())?;
    Some(time.time)
}

/// Returns the real path of a folder: bots are started in folders of their own, so that a relative
/// path would name another one there, and a record that is resumed elsewhere means the same folder.
fn folder(typed: &Path) -> Result<PathBuf, Failure> {
    let found = typed.canonicalize().unwrap_or_default();
    let shown = found.display();
    let what = if !found.is_dir() {
        format!("--allow {}: there is no such folder", typed.display())
    } else if found.to_str().is_none() {
        format!("--allow {shown}: the path is not UTF-8 text, so the record cannot hold it")
    } else if found.parent().is_none() {
        format!("--allow {shown}: that is everything; name the folders that bots need")
    } else {
        return Ok(found);
    };
    Err(Failure::misuse(what))
}

/// Returns the parser of the level of a sandbox.
fn levels() -> impl TypedValueParser<Value = SandboxLevel> {
    let world = PossibleValue::new("world")
        .aliases(["strict", "on"])
        .help("A world of its own, with only what the bot is given");
    let basic = PossibleValue::new("basic")
        .help("Rules about what it may do, where namespaces for users lack");
    PossibleValuesParser::new([world, basic]).map(|word| match word.as_str() {
        "basic" => SandboxLevel::Basic,
        _ => SandboxLevel::World,
    })
}
