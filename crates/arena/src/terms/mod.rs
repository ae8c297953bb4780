//! The terms of a game: everything that it depends on besides its players, its seeds and its rules.
//!
//! A [`GameTerms`] is made from options, which are typed or read from a file, and is turned back
//! into arguments by [`GameTerms::to_args`]. The header of a contest's record stores it, `--resume`
//! compares it, and the commands that replay a game are printed from it.

mod args;

use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use bothost::{Clock, Launch, Sandbox, SandboxKind, WasmRunner};
use serde::{Deserialize, Serialize};

/// The time limit of a bot for each reply.
pub const LIMIT: Duration = Duration::from_secs(5);

/// The time limit of a bot to get ready.
pub const START_LIMIT: Duration = Duration::from_secs(10);

/// The time that a bot may take to quit.
pub const GRACE: Duration = bothost::GRACE;

/// The fuel of a WebAssembly module for a reply, in millions.
pub const FUEL: u32 = 1000;

/// The memory that a sandboxed bot may use, in MiB.
pub const MAX_MEMORY: u32 = bothost::Sandbox::MEBIBYTES;

/// The threads and processes that a sandboxed bot may have.
pub const MAX_THREADS: u32 = bothost::Sandbox::THREADS;

/// Everything that a game depends on besides its players and its seeds.
///
/// As JSON it is a part of the header of a contest's record; see `docs/record.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTerms {
    /// The number of turns that each player has before the game ends without a winner.
    pub max_turns: u32,
    /// The time limit of a bot for each reply.
    #[serde(rename = "limit_ms", with = "milliseconds")]
    pub limit: Duration,
    /// The time of a bot for a whole game, instead of a limit for each reply. Headers name it only
    /// if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<GameClock>,
    /// The time limit of a bot to get ready.
    #[serde(rename = "start_limit_ms", with = "milliseconds")]
    pub start_limit: Duration,
    /// The fuel that a bot has for a reply if it is a WebAssembly module, in millions. Headers name
    /// it only if it is not the usual one.
    #[serde(
        rename = "fuel_millions",
        default = "usual_fuel",
        skip_serializing_if = "is_usual_fuel"
    )]
    pub fuel: u32,
    /// The sandbox, if there is one.
    pub sandbox: Option<SandboxLevel>,
    /// Folders that a sandboxed bot may read besides the system's and its own.
    pub allow: Vec<PathBuf>,
    /// The memory that a sandboxed bot may use, in MiB.
    #[serde(rename = "max_memory_mib")]
    pub max_memory: u32,
    /// The threads and processes that a sandboxed bot may have.
    pub max_threads: u32,
    /// The time in which a bot has to quit before it is ended.
    #[serde(rename = "grace_ms", with = "milliseconds")]
    pub grace: Duration,
    /// Variables of the environment that bots get besides the usual ones.
    pub env: Vec<String>,
    /// Whether the referee and both bots of a game stay on one core.
    pub pin: bool,
    /// Whether bots may think in their opponents' time. Headers name it only if they may.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// The number of replies of a player that may be refused in a game, and are asked for again.
    /// Headers name it only if there are some.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
}

/// The time of a bot for all its replies of a game together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameClock {
    /// The time at the beginning of the game.
    #[serde(rename = "total_ms", with = "milliseconds")]
    pub total: Duration,
    /// The time that each reply adds.
    #[serde(rename = "increment_ms", with = "milliseconds")]
    pub increment: Duration,
}

/// As the option `--clock` is typed.
impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.total.as_millis())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}ms", self.increment.as_millis())?;
        }
        Ok(())
    }
}

/// The limits of one player, if they are not those of the terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// The time that it may take for a reply.
    pub limit: Option<Duration>,
    /// The time that it may take to get ready.
    pub start_limit: Option<Duration>,
}

/// The amount that a sandbox takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxLevel {
    /// A world of its own, with only what the bot is given
    World,
    /// Rules about what it may do, where namespaces for users lack
    Basic,
}

impl GameTerms {
    /// Returns the terms of a game in which each player has that many turns, when no option says
    /// otherwise.
    #[must_use]
    pub fn usual(max_turns: u32) -> GameTerms {
        GameTerms {
            max_turns,
            limit: LIMIT,
            clock: None,
            start_limit: START_LIMIT,
            fuel: FUEL,
            sandbox: None,
            allow: Vec::new(),
            max_memory: MAX_MEMORY,
            max_threads: MAX_THREADS,
            grace: GRACE,
            env: Vec::new(),
            pin: true,
            ponder: false,
            retries: 0,
        }
    }

    /// Returns the clock of a bot that has this limit of its own, if it has one.
    #[must_use]
    pub fn clock(&self, own_limit: Option<Duration>) -> Clock {
        match (own_limit, self.clock) {
            (Some(limit), _) => Clock::Wall(limit),
            (None, Some(GameClock { total, increment })) => Clock::Game { total, increment },
            (None, None) => Clock::Wall(self.limit),
        }
    }

    /// Returns the settings for starting bots under these terms; `referee` is the referee's own
    /// executable.
    pub fn launch(&self, referee: PathBuf) -> Launch {
        let wasm_host = WasmRunner {
            // Beside the referee's own file alone: its verdicts are believed.
            program: referee.with_file_name(format!("referee-wasm{EXE_SUFFIX}")),
            fuel: self.fuel,
        };
        Launch {
            wasm: Some(wasm_host),
            pinned: self.pin,
            ponder: self.ponder,
            grace: self.grace,
            environment: self.env.iter().map(Into::into).collect(),
            sandbox: self.policy(),
            ..Launch::supervised_by(referee)
        }
    }

    /// Returns the limits of the sandbox, if there is one.
    fn policy(&self) -> Option<Sandbox> {
        let level = self.sandbox?;
        Some(Sandbox {
            kind: match level {
                SandboxLevel::World => SandboxKind::Namespaces,
                SandboxLevel::Basic => SandboxKind::LandlockOnly,
            },
            allow: self.allow.clone(),
            memory: u64::from(self.max_memory) << 20,
            threads: self.max_threads.into(),
            ..Sandbox::default()
        })
    }
}

const fn usual_fuel() -> u32 {
    FUEL
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
pub(crate) const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_usual_fuel(fuel: &u32) -> bool {
    *fuel == FUEL
}

/// A duration as a whole number of milliseconds.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        // A limit is at most a year, which is far from the end of 64 bits.
        u64::try_from(time.as_millis())
            .unwrap_or(u64::MAX)
            .serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}
