//! `referee debug`: one game without a clock, with the dialogue as it happens, and a stop wherever the bot's author wants one.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use battleship::protocol::Request;
use battleship::{BySide, Ruleset, Side};
use bothost::{Answer, BotPair, BotProgram, Clock, Interrupt, Launch, Spoken, Wiretap};
use clap::Args;

use super::retrace::{self, PastArguments};
use crate::cli::exit::{self, Failure};
use crate::cli::options::{GameOptions, RuleArgs, seed};
use crate::cli::play::PlayPlan;
use crate::cli::seed::Seed;
use crate::cli::{listen, note};
use arena::game::{Bots, EndedBy, Ending, Entrant, Game as _, Pair, Stop, Stopped};
use arena::record::Dialogue;
use pages::Keyboard;
use tempfile::TempDir;

/// As good as no limit; a deadline can still be computed from it.
pub(super) const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The side of the bot that is looked at.
pub(super) const BOT: Side = Side::One;

/// The code that Python loads at its start: its debugger reads and writes the terminal, since standard input is the protocol,
/// and it opens at an uncaught exception.
const PYTHON_START: &str = "\
import pdb, sys, traceback
tty = open('/dev/tty', 'r'), open('/dev/tty', 'w')
pdb.Pdb.__init__.__defaults__ = ('tab',) + tty + pdb.Pdb.__init__.__defaults__[3:]
def look(kind, error, trace):
    print(''.join(traceback.format_exception(kind, error, trace)), file=tty[1], flush=True)
    if trace is not None and issubclass(kind, Exception):
        debugger = pdb.Pdb()
        debugger.reset()
        debugger.interaction(None, trace)
    sys.exit(1)
sys.excepthook = look
";

#[derive(Debug, Args)]
pub(crate) struct DebugArguments {
    /// The bot: the command line of a program
    #[arg(value_name = "BOT")]
    bot: String,
    /// Its opponent
    #[arg(value_name = "OPPONENT", default_value = "mediocre")]
    opponent: String,
    #[command(flatten)]
    rules: RuleArgs,
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
    #[command(flatten)]
    past: PastArguments,
}

pub(crate) const EXAMPLES: &str = "\
The bot has no time limit, and is not stopped between its turns.
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

/// The author's next wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// The game again from its beginning, to this turn.
    Again(u32),
    Leave,
}

/// A terminal at which the bot's author says where to continue.
#[derive(Debug)]
pub(super) struct Console {
    /// The turn at which the game stops next.
    stop_at: u32,
    /// Turns of the bot so far.
    turn: u32,
    pub(super) wish: Option<Wish>,
    keyboard: Option<Keyboard>,
}

impl Console {
    fn new(stop_at: u32, interrupt: &Arc<Interrupt>) -> Console {
        let keyboard = io::stdin()
            .is_terminal()
            .then(|| Keyboard::new(interrupt.clone()));
        Console {
            stop_at,
            turn: 0,
            wish: None,
            keyboard,
        }
    }

    /// Stops before the next turn of the bot, if its author wants to look.
    ///
    /// # Errors
    /// If the game is not to continue.
    pub(super) fn before_turn(&mut self, bots: &mut BotPair) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn < self.stop_at || self.keyboard.is_none() {
            return Ok(());
        }
        loop {
            let Some(typed) =
                self.ask(&format!("before turn {}; Enter, c, e REQUEST", self.turn))?
            else {
                return Ok(());
            };
            if let Some(line) = typed.strip_prefix("e ") {
                Console::send(bots, line)?;
            } else {
                return if self.wish.is_some() {
                    Err(Stop::Interrupted)
                } else {
                    Ok(())
                };
            }
        }
    }

    /// Asks until something is typed that means something: one of the keys in `prompt`, or one of those that always do.
    /// Returns `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Stop> {
        let Some(keyboard) = self.keyboard.clone() else {
            return Ok(None);
        };
        loop {
            write!(io::stdout(), "({prompt}, b N, r, q) ")?;
            io::stdout().flush()?;
            let Some(typed) = keyboard.read()? else {
                self.keyboard = None;
                return Ok(None);
            };
            let typed = typed.trim();
            let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
            match (word, rest.trim().parse::<u32>()) {
                ("", _) => self.stop_at = self.turn + 1,
                ("c", _) => self.stop_at = u32::MAX,
                ("b", back) => {
                    let back = back.unwrap_or(1);
                    self.wish = Some(Wish::Again(self.turn.saturating_sub(back).max(1)));
                }
                ("r", _) => self.wish = Some(Wish::Again(1)),
                ("q", _) => self.wish = Some(Wish::Leave),
                ("e", _) if !rest.is_empty() && prompt.contains("e REQUEST") => {}
                (_, _) => {
                    writeln!(io::stdout(), "unknown command {typed:?}")?;
                    continue;
                }
            }
            return Ok(Some(typed.to_owned()));
        }
    }

    /// Sends the bot a line that the game does not ask; its answer is shown with the rest of the dialogue.
    fn send(bots: &mut BotPair, line: &str) -> Result<(), Stop> {
        match Request::parse(line.as_bytes()) {
            Ok(request @ (Request::Place | Request::Attack | Request::Salvo(_) | Request::Act)) => {
                match bots.ask(BOT, format_args!("{request}")) {
                    Ok(_) => Ok(()),
                    Err(error) => match error.of(BOT) {
                        Stopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => {
                            Err(Stop::Interrupted)
                        }
                        Stopped::Ended(ending) => Ok(writeln!(io::stdout(), "{}", ending.what)?),
                        Stopped::Failed(error) => Err(error.into()),
                    },
                }
            }
            Ok(request) => Ok(bots.tell(BOT, format_args!("{request}"))?),
            Err(error) => Ok(writeln!(
                io::stdout(),
                "{line:?} is not a request: {error}"
            )?),
        }
    }

    /// Says how the game ended, while the process of a bot that has failed is still there, and asks what is next.
    pub(super) fn end(&mut self, ending: &str, process: Option<u32>) -> Result<(), Stop> {
        if self.wish.is_some() {
            return Ok(());
        }
        writeln!(io::stdout(), "{ending}")?;
        if let Some(process) = process {
            writeln!(
                io::stdout(),
                "It still runs as process {process}: {}",
                attach(process)
            )?;
        }
        self.ask("the end; Enter")?;
        Ok(())
    }
}

/// Returns how a debugger is attached to a process.
fn attach(process: u32) -> String {
    format!("gdb -p {process} (or lldb -p {process}; for Go: dlv attach {process})")
}

/// Shows what one bot hears and says.
#[derive(Debug)]
pub(super) struct OneSide(pub(super) Dialogue<io::Stdout>);

impl Wiretap for OneSide {
    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()> {
        if side == BOT {
            self.0.hear(side, spoken, line, after)
        } else {
            Ok(())
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }
}

/// The parameters to start the bot, again and again.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) players: BySide<Entrant>,
    pub(super) launch: Launch,
    pub(super) interrupt: Arc<Interrupt>,
    /// The way to connect to the debugger that the bot is started under.
    connect: Option<String>,
    install: &'static str,
    /// Whether the bot is waited for, if it is not started under a debugger.
    waits: bool,
    /// The folder with the code that Python loads.
    _python: Option<TempDir>,
}

impl Bench {
    fn new(
        plan: &PlayPlan,
        arguments: &DebugArguments,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Bench, Failure> {
        let mut players = plan.players.clone();
        if let Some(player) = players
            .iter()
            .map(|(_, player)| player)
            .find(|player| player.human)
        {
            let what = "a person cannot be debugged; name programs, or awful, mediocre or good";
            return Err(Failure::misuse(format!("{}: {what}", player.name)));
        }
        let program = &mut players[BOT].program;
        // It keeps the terminal: its author talks to its debugger there.
        program.on_terminal = true;
        let name = Path::new(&program.file)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let language = kits::interpreted_by(&name);
        let (mut connect, mut install) = (None, "");
        let debugger = language
            .and_then(|language| language.debugger)
            .filter(|_| arguments.wait);
        if let Some(debugger) = debugger {
            let port = arguments.port.unwrap_or(debugger.port).to_string();
            let words = debugger
                .words
                .iter()
                .map(|word| word.replace("PORT", &port).into());
            program.arguments.splice(0..0, words);
            connect = Some(debugger.connect.replace("PORT", &port));
            install = debugger.install;
        }
        let is_python = language.is_some_and(|language| language.name == "Python");
        let python = (is_python && connect.is_none() && io::stdin().is_terminal())
            .then(|| python_start(program))
            .transpose()?;
        let launch = Launch {
            supervisor: None,
            sandbox: None,
            ponder: true,
            ..plan.launch.clone()
        };
        let waits = arguments.wait && connect.is_none();
        let interrupt = interrupt.clone();
        Ok(Bench {
            players,
            launch,
            interrupt,
            connect,
            install,
            waits,
            _python: python,
        })
    }

    /// Says how a debugger is connected to a bot that is about to be started under one.
    pub(super) fn announce(&self) {
        if let Some(connect) = &self.connect {
            note(&format!(
                "{} waits for its debugger: {connect}",
                self.players[BOT].name
            ));
        }
    }

    /// Waits until a debugger is attached to the process, or Enter is pressed.
    pub(super) fn wait(&self, process: u32) -> Result<(), Stop> {
        if !self.waits {
            return Ok(());
        }
        let name = &self.players[BOT].name;
        note(&format!("{name} is process {process}: {}", attach(process)));
        note("the game begins when a debugger is attached");
        while !is_traced(process) {
            if !self.interrupt.wait(Some(Duration::from_millis(100)))? {
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    /// Returns what to do about a bot that did not start.
    pub(super) fn advice(&self) -> String {
        if self.install.is_empty() {
            String::new()
        } else {
            format!(
                "; it was started under a debugger, which needs {}",
                self.install
            )
        }
    }
}

/// Returns whether a debugger is attached to a process. Where that is not known, it is.
fn is_traced(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/status")).map_or(true, |status| {
        status
            .lines()
            .any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"))
    })
}

/// Has Python load what makes its debugger use the terminal. Returns the folder that has it.
fn python_start(program: &mut BotProgram) -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("sitecustomize.py"), PYTHON_START)?;
    let mut path = folder.path().as_os_str().to_owned();
    if let Some(others) = std::env::var_os("PYTHONPATH") {
        path.push(":");
        path.push(others);
    }
    let mut variable = std::ffi::OsString::from("PYTHONPATH=");
    variable.push(path);
    let file = std::mem::replace(&mut program.file, "env".into());
    program.arguments.splice(0..0, [variable, file]);
    Ok(folder)
}

/// Plays a game, or retraces a recorded one, as often as the bot's author wants.
pub(crate) fn run(arguments: &DebugArguments) -> Result<(), Failure> {
    let interrupt = listen()?;
    let past = arguments.past.read()?;
    let seed = Seed::given_or_drawn(arguments.seed)?;
    let mut rules = arguments.rules;
    if let Some(past) = &past {
        rules.rules = Ruleset::parse(&past.game);
    }
    let options = GameOptions {
        rules,
        ..GameOptions::default()
    };
    let plan = PlayPlan::new([&arguments.bot, &arguments.opponent], &options, seed)?;
    let bench = Bench::new(&plan, arguments, &interrupt)?;
    if past.is_none() {
        plan.seed.report();
    }
    let mut stop_at = match arguments.turn {
        Some(turn) => turn,
        None if arguments.step => 1,
        None => u32::MAX,
    };
    loop {
        let mut console = Console::new(stop_at, &interrupt);
        match &past {
            Some(past) => retrace::again(&bench, past, arguments.turn, &mut console)?,
            None => play(&bench, &plan, &mut console)?,
        }
        match console.wish {
            Some(Wish::Again(turn)) => stop_at = turn,
            _ if interrupt.is_noted() => return Err(Failure::Reported(exit::INTERRUPTED)),
            Some(Wish::Leave) | None => return Ok(()),
        }
    }
}

/// Two bots, one of which is stopped before its turns where its author wants.
struct Stepping<'c> {
    bots: &'c mut BotPair,
    console: &'c mut Console,
}

impl Bots for Stepping<'_> {
    fn tell(&mut self, to: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        Bots::tell(self.bots, to, line)
    }

    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        if of == BOT && line.to_string() != "place" {
            self.console.before_turn(self.bots)?;
        }
        Bots::ask(self.bots, of, line)
    }

    fn comments(&mut self, of: Side) -> Vec<u8> {
        Bots::comments(self.bots, of)
    }
}

fn play(bench: &Bench, plan: &PlayPlan, console: &mut Console) -> Result<(), Failure> {
    let tap = OneSide(Dialogue::new(
        io::stdout(),
        Path::new("standard output"),
        plan.names(),
    ));
    let Bench {
        players,
        launch,
        interrupt,
        ..
    } = bench;
    let rules = plan.rules.name();
    bench.announce();
    let pair = Pair::start(
        players,
        launch,
        rules,
        FOREVER,
        interrupt,
        Some(Box::new(tap)),
    );
    let mut pair = match pair {
        Ok(pair) => pair,
        Err(Stopped::Failed(error)) => return Err(error.into()),
        Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => return Ok(()),
        Err(Stopped::Ended(ending)) => {
            return Err(console
                .end(&(said(&ending, plan) + &bench.advice()), None)
                .map_or_else(
                    |error| anyhow::Error::from(error).into(),
                    |()| Failure::Reported(exit::NOT_STARTED),
                ));
        }
    };
    let process = pair.process(BOT);
    match bench.wait(process) {
        Ok(()) => {}
        Err(Stop::Interrupted) => return Ok(()),
        Err(Stop::Io(error)) => return Err(error.into()),
    }
    let clocks = players
        .as_ref()
        .map(|player| launch.clock_for(&player.program, Clock::None));
    let mut bots = Stepping {
        bots: pair.bots(clocks),
        console,
    };
    let mut table = plan.rules.table()?;
    let ending = table.play(&mut bots, &plan.round(clocks), &mut ())?.ending;
    let is_gone = matches!(ending.ended_by, EndedBy::Exited | EndedBy::Crashed);
    let is_failure = ending.ended_by.is_fault() && ending.by == Some(BOT);
    let asked = console.end(
        &said(&ending, plan),
        (is_failure && !is_gone).then_some(process),
    );
    pair.end(&ending)?;
    match asked {
        Ok(()) | Err(Stop::Interrupted) => Ok(()),
        Err(Stop::Io(error)) => Err(error.into()),
    }
}

/// Returns how a game ended, as a sentence.
fn said(ending: &Ending, plan: &PlayPlan) -> String {
    let names = plan.names();
    ending.reason(names.as_ref())
}
