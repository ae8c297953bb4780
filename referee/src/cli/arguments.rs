use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::check::{self, CheckArguments};
use super::new::NewArguments;
use super::plan::Choice;
use super::player::BUILT_IN;
use super::rank::{self, RankArguments};
use super::replay::{self, ReplayArguments};
use super::tournament::{self, TournamentArguments};
use crate::contest::ShardArgument;
use bothost::Sandbox;
use league::statistics::sprt::Sprt;

/// Plays Battleship between programs and judges them.
#[derive(Debug, Parser)]
#[command(name = "referee", version, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done (play: somebody won), 1 a fault of the referee, 2 wrong arguments,
3 a game without a winner, 4 a player could not be started or failed its check,
130 interrupted.";

const PLAYERS: &str = "\
A player is awful, mediocre, good or human, which come with the referee, or the command line
of any program that speaks the protocol. NAME= before it gives it a name:
  referee play mediocre good
  referee play human good
  referee play 'python3 my_bot.py' mediocre
  referee play 'Popeye=python3 my_bot.py' Bluto=./bluto
A name with spaces needs quotation marks of its own: \"'Popeye the Sailor=python3' my_bot.py\".";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play one game
    #[command(after_help = PLAYERS)]
    Play(PlayArguments),
    /// Play many games between two players, and say who is better and how surely
    #[command(after_help = PLAYERS)]
    Match(MatchArguments),
    /// Play a tournament of many players: round robin, gauntlet, swiss or knockout
    #[command(after_help = format!("{PLAYERS}\n\n{}", tournament::CONFIG))]
    Tournament(Box<TournamentArguments>),
    /// Check whether a bot keeps to the protocol, and say what is wrong with it
    #[command(after_help = check::EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Show a game once more, from a record or from a log of the original twist program
    #[command(after_help = replay::KEYS)]
    Replay(ReplayArguments),
    /// Say how strong players are by all games of some records
    #[command(after_help = rank::SAME)]
    Rank(RankArguments),
    /// Put the records of the shards of one contest together, or of its interrupted parts
    Merge(MergeArguments),
    /// Make a folder with a bot to start from, in a language of your choice
    New(NewArguments),
    /// Play what the course's sample program plays
    Demo(DemoArguments),
    /// Be one of the shipped bots, on standard input and output
    Bot(BotArguments),
    /// Watch over a bot
    #[command(hide = true)]
    Supervise(SuperviseArguments),
    /// Become a bot in a sandbox
    #[command(hide = true)]
    Confine(ConfineArguments),
    /// Try what a sandbox refuses
    #[command(hide = true)]
    Probe(ProbeArguments),
}

#[derive(Debug, Parser)]
pub(super) struct PlayArguments {
    /// The player who moves first
    #[arg(value_name = "P1")]
    pub(super) one: String,
    /// The other player
    #[arg(value_name = "P2")]
    pub(super) two: String,
    #[command(flatten)]
    pub(super) terms: TermsArguments,
    /// Repeats the game that was played with this seed [default: one is drawn and reported]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) seed: Option<u64>,
    /// Which player moves first, 1 or 2 [default: 1; twist: drawn from the seed]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(super) first: Option<u8>,
    /// How long a human may take [default: as long as it takes]
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    pub(super) human_limit: Option<Duration>,
    #[command(flatten)]
    pub(super) pause: PauseArguments,
    /// Append the game to this file, as one line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Write a twist game to this file too, as a log that the original program can replay
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Print the game as one line of JSON instead of showing it
    #[arg(long)]
    pub(super) json: bool,
    /// Write the dialogue with both bots to this file
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: Option<PathBuf>,
}

/// What games are played under.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch that can be typed")]
pub(super) struct TermsArguments {
    /// The game: classic, or twist, the one on 12x12 with moving, repairing and sonar
    #[arg(long, value_enum, value_name = "RULES", default_value = "classic")]
    pub(super) rules: RulesArgument,
    /// Rows of a classic board, 1 to 10 [default: 10]
    #[arg(long, value_name = "N")]
    pub(super) rows: Option<i32>,
    /// Columns of a classic board, 1 to 10 [default: 10]
    #[arg(long, value_name = "N")]
    pub(super) cols: Option<i32>,
    /// A ship, e.g. '3 S submarine'; once for each ship. They replace the standard fleet
    #[arg(long, value_name = "LEN SYMBOL NAME", allow_hyphen_values = true)]
    pub(super) ship: Vec<String>,
    /// How long a bot may take for a reply
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time_limit)]
    pub(super) limit: Duration,
    /// How long a bot may take to get ready
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_limit)]
    pub(super) start_limit: Duration,
    /// Let a bot forfeit for what is merely odd: answers before it is asked, a last line without a line feed
    #[arg(long)]
    pub(super) strict: bool,
    /// How long a bot may take to quit before it is ended
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = time_limit)]
    pub(super) grace: Duration,
    /// End without a winner after so many turns of each player [default: ten times the cells of a board; twist: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_turns: Option<u32>,
    #[command(flatten)]
    pub(super) launch: LaunchArguments,
}

/// How bots are started.
#[derive(Debug, Args)]
pub(super) struct LaunchArguments {
    /// Confine bots: they read the system's folders and their own, write in a fresh one, have no network, and limits.
    /// With =strict also namespaces of their own, by bubblewrap
    #[arg(long, value_enum, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub(super) sandbox: Option<SandboxLevel>,
    /// Let sandboxed bots read this folder too
    #[arg(long, value_name = "DIR", requires = "sandbox")]
    pub(super) allow: Vec<PathBuf>,
    /// Memory that a sandboxed bot may use, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", requires = "sandbox", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_memory: Option<u32>,
    /// Threads and processes that a sandboxed bot may have [default: 256]
    #[arg(long, value_name = "N", requires = "sandbox", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_threads: Option<u32>,
    /// Give bots this variable of the environment too; they get only the usual ones
    #[arg(long, value_name = "NAME")]
    pub(super) env: Vec<OsString>,
    /// Do not keep the referee and both bots on one core: for bots that think with several threads
    #[arg(long)]
    pub(super) no_pin: bool,
    /// Start and read bots in the way that works on every operating system
    #[arg(long, hide = true)]
    pub(super) portable: bool,
}

/// What a match and a tournament have in common.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch that can be typed")]
pub(super) struct ContestArguments {
    #[command(flatten)]
    pub(super) terms: TermsArguments,
    /// Games that two players play whenever they meet, an even number [default: 100]
    #[arg(long, value_name = "N")]
    pub(super) games: Option<u32>,
    /// Games of a series: so many are played by the same two processes, which may learn [default: 20]
    #[arg(long, value_name = "N")]
    pub(super) series: Option<u32>,
    /// Start both bots anew for each game
    #[arg(long)]
    pub(super) restart: bool,
    /// Repeats the contest that was played with this seed [default: one is drawn and reported]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) seed: Option<u64>,
    /// Games that are played at the same time [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Write the record of the contest to this file
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Go on with the contest in that file, wherever it was interrupted; with more --games, extend it
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
    /// Play only this part of the series: K/N, or auto (in a job array of Slurm) or auto/N (in one of Kubernetes or
    /// `HyperQueue`). referee merge puts the records together
    #[arg(long, value_name = "K/N", requires = "out")]
    pub(super) shard: Option<ShardArgument>,
    /// Leave a folder for each bad game there: its dialogue, standard error, record, and the command to repeat it
    #[arg(long, value_name = "DIR")]
    pub(super) bundle: Option<PathBuf>,
    /// Print what happens as a stream of JSON, a line for each event, instead of the summary
    #[arg(long, conflicts_with = "json")]
    pub(super) events: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Parser)]
pub(super) struct MatchArguments {
    /// One player
    #[arg(value_name = "P1")]
    pub(super) one: String,
    /// The other player
    #[arg(value_name = "P2")]
    pub(super) two: String,
    #[command(flatten)]
    pub(super) contest: ContestArguments,
    /// Stop as soon as it is decided whether P1 is elo0 or elo1 better than P2 (sequential probability ratio test)
    #[arg(long, value_name = "elo0=0,elo1=20,alpha=0.05,beta=0.05", conflicts_with = "shard")]
    pub(super) sprt: Option<Sprt>,
    /// Play some of the series twice, and say whether both times the same happened
    #[arg(long)]
    pub(super) verify: bool,
}

#[derive(Debug, Args)]
pub(super) struct MergeArguments {
    /// The records, in any order
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Write the one record to this file
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Do without the series that are missing, and take the first of those that are there twice; match or tournament
    /// go on with the one record by --resume
    #[arg(long)]
    pub(super) partial: bool,
}

#[derive(Debug, Args)]
pub(super) struct PauseArguments {
    /// Wait for enter after each attack [default: if standard input is a terminal]
    #[arg(long, overrides_with = "no_pause")]
    pause: bool,
    /// Do not wait for enter
    #[arg(long, overrides_with = "pause")]
    no_pause: bool,
}

impl PauseArguments {
    /// Whether to pause, if that was asked for either way.
    pub(super) fn choice(&self) -> Option<bool> {
        (self.pause || self.no_pause).then_some(self.pause)
    }
}

#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    /// 1: a mini-game between two mediocre players; 2: a mediocre player against a human player; 3: a match
    /// between a mediocre and an awful player; pc: a human player against a mediocre one in the twist game; cc: two
    /// mediocre ones in the twist game [default: a menu asks for 1, 2 or 3]
    #[arg(value_parser = Choice::from_word)]
    pub(super) choice: Option<Choice>,
    /// Games of the match, which is choice 3
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) games: u32,
    /// Repeats what was played with this seed [default: one is drawn and reported]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) pause: PauseArguments,
}

#[derive(Debug, Args)]
pub(super) struct BotArguments {
    /// Which bot
    #[arg(value_parser = PossibleValuesParser::new(BUILT_IN))]
    pub(super) kind: String,
    /// What it calls itself
    #[arg(long, value_name = "TEXT")]
    pub(super) name: Option<String>,
}

/// A game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RulesArgument {
    /// Boards up to 10x10, any fleet
    Classic,
    /// 12x12, eight units that fire, move and repair, or move and search
    Twist,
}

/// How much a sandbox takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SandboxLevel {
    /// Files, network, other processes, and limits
    On,
    /// Namespaces of its own as well
    Strict,
}

#[derive(Debug, Args)]
pub(super) struct ConfineArguments {
    /// What the bot may use
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    pub(super) sandbox: Sandbox,
    /// Its working folder
    #[arg(long, value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// The bot's program and its arguments
    #[arg(last = true, required = true)]
    pub(super) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct ProbeArguments {
    #[arg(long)]
    pub(super) referee: i32,
    #[arg(long)]
    pub(super) secret: PathBuf,
    #[arg(long)]
    pub(super) port: u16,
    #[arg(long)]
    pub(super) socket: String,
    #[arg(long, value_parser = Sandbox::from_argument)]
    pub(super) sandbox: Sandbox,
}

#[derive(Debug, Args)]
pub(super) struct SuperviseArguments {
    /// The referee's process id
    #[arg(long, value_name = "PID")]
    pub(super) referee: i32,
    /// The bot needs the terminal
    #[arg(long)]
    pub(super) on_terminal: bool,
    /// Say on standard error which processes the bot leaves behind
    #[arg(long)]
    pub(super) tell_who_is_left: bool,
    /// What the bot may use
    #[arg(long, value_name = "JSON", value_parser = Sandbox::from_argument)]
    pub(super) sandbox: Option<Sandbox>,
    /// The bot's program and its arguments
    #[arg(last = true, required = true)]
    pub(super) command: Vec<OsString>,
}

const MILLISECOND: Duration = Duration::from_millis(1);

/// Clocks end somewhere; nobody waits for that.
const A_YEAR: Duration = Duration::from_secs(366 * 24 * 60 * 60);

pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time > A_YEAR => Err("a time limit is at most a year".to_owned()),
        Ok(time) if time >= MILLISECOND && time.subsec_nanos() % 1_000_000 == 0 => Ok(time),
        Ok(_) => Err("a time limit is in whole milliseconds, at least one".to_owned()),
        Err(error) => Err(format!("{error}; write e.g. 5s or 250ms")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
