//! `referee debug`: one game without a clock, with the dialogue as it happens, and a stop wherever
//! the bot's author wants one.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use battleship::{BySide, Ruleset};
use bothost::Clock;
use clap::Args;

use super::CommandArgs;
use crate::World;
use crate::exit::Failure;
use crate::help::Group;
use crate::options::{BoardOptions, BotOptions, GameOptions, RuleArgs, game_clock, seed};
use crate::play::PlayPlan;
use crate::seed::Seed;
use crate::{listen, note};
use arena::record::GameChoice;
use arena::terms::GameClock;
use lab::debug::{Debugging, Recording};
use pages::Keyboard;

#[derive(Debug, Args)]
pub(crate) struct DebugArguments {
    /// The bot: its folder, or the command line of a program
    #[arg(value_name = "BOT")]
    bot: String,
    /// Its opponent [default: mediocre; with --judge: the bot itself]
    #[arg(value_name = "OPPONENT")]
    opponent: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    board: BoardOptions,
    /// The seed of everything random in the game [default: drawn, and said]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = seed, conflicts_with = "from")]
    seed: Option<u64>,
    /// Stop before each of its turns
    #[arg(long)]
    step: bool,
    /// Stop before this turn of its own, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turn: Option<u32>,
    /// Wait until a debugger is attached; say how
    #[arg(long)]
    wait: bool,
    /// The port at which the debuggers of Python, Node.js and Java wait [default: their usual one]
    #[arg(long, value_name = "PORT", requires = "wait")]
    port: Option<u16>,
    /// Tell the bots a clock of a game: 60s, or 60s+100ms. It stands still
    #[arg(long, value_name = "TIME", value_parser = game_clock)]
    clock: Option<GameClock>,
    /// Refuse this many replies of a player in a game, and ask again [default: 0]
    #[arg(
        long,
        value_name = "N",
        hide_short_help = true,
        conflicts_with = "from"
    )]
    retries: Option<u32>,
    /// Give bots this variable of the environment too; they get only the usual ones
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    env: Vec<String>,
    /// Tell the bot a game of this record again, as one of its players
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["RuleArgs", "BoardOptions"])]
    from: Option<PathBuf>,
    /// The game of the record: its number in `referee list`, from 1, or name, e.g.
    /// red-vs-blue-game-13 [default: 1]
    #[arg(
        long,
        value_name = "GAME",
        requires = "from",
        allow_hyphen_values = true
    )]
    game: Option<GameChoice>,
    /// The player of that game, by name or as 1 or 2 [default: the one that failed, or the first]
    #[arg(long, value_name = "P", requires = "from")]
    player: Option<String>,
}

impl CommandArgs for DebugArguments {
    const NAME: &'static str = "debug";
    const ABOUT: &'static str = "Play one game without a clock, and stop where you want to look";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
The bot has no time limit, and is not stopped between its turns. With
--clock it is told the whole time before each request, as protocol.md says.
Python's breakpoint() and pdb talk to this terminal, and an uncaught
exception opens them.

Where the game stops:
  Enter      continue to its next turn  b 3  go back 3 turns
  c          continue to the end        r    begin again
  e REQUEST  send it another request    q    leave

Examples:
  referee debug \"python3 bot.py\" --step
  referee debug ./bot good --seed 4 --turn 12
  referee debug ./bot --wait
  referee debug \"python3 bot.py\" --from cup.jsonl --game 8 --turn 23";

    fn run(self, _: &World) -> Result<(), Failure> {
        let interrupt = listen()?;
        let mut rules = self.rules;
        let recording = match &self.from {
            Some(file) => {
                let player = self.player.as_deref();
                let recording = Recording::read(file, self.game.as_ref(), player)?;
                rules.rules = Ruleset::parse(&recording.game);
                Some(recording)
            }
            None => None,
        };
        let usual = match rules.judge {
            Some(_) => &self.bot,
            None => "mediocre",
        };
        let opponent = self.opponent.as_deref().unwrap_or(usual);
        let options = GameOptions {
            rules,
            board: self.board,
            bots: BotOptions::in_debugger(self.retries, self.env),
        };
        let seed = Seed::given_or_drawn(self.seed)?;
        let plan = PlayPlan::new([&self.bot, opponent], &options, seed)?;
        if let Some((_, player)) = plan.players.iter().find(|(_, player)| player.human) {
            let what = "a person cannot be debugged; name programs, or awful, mediocre or good";
            return Err(Failure::misuse(format!("{}: {what}", player.name)));
        }
        if recording.is_none() {
            seed.report();
        }
        let keyboard = Keyboard::new(interrupt.clone());
        let debugging = Debugging {
            round: plan.round(BySide::from_fn(|_| Clock::None)),
            players: plan.players,
            launch: plan.launch,
            game: &*plan.game.game,
            clock: match (self.clock, &recording) {
                (Some(clock), _) => Some(clock.total),
                (None, Some(recording)) => recording.clock,
                (None, None) => None,
            },
            recording,
            step: self.step,
            turn: self.turn,
            wait: self.wait,
            port: self.port,
            interrupt,
            keyboard: if io::stdin().is_terminal() {
                Some(&|| keyboard.read())
            } else {
                None
            },
            output: io::stdout,
            note,
        };
        Ok(debugging.run()?)
    }
}
