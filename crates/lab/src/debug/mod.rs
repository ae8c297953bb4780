//! One game without a time limit, with the dialogue of one bot as it happens. The game stops where
//! the author of the bot wants to look, and is played again as often as wanted. In place of a new
//! game, the bot can be told a recorded one.

mod console;
mod recording;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::game::{EndedBy, Ending, Entrant, Game, Pair, Round, Stop, Stopped};
use arena::record::Dialogue;
use bothost::{
    BotPair, BotProgram, BySide, Clock, DialogueListener, Interrupt, Launch, LineKind, Side, text,
};
use tempfile::TempDir;

use self::console::{Console, Wish};
pub use self::recording::Recording;
use self::recording::Retraced;
use crate::LabError;

/// As good as no limit; a deadline can still be computed from it.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The side of the bot that is debugged.
const BOT: Side = Side::One;

/// The code that Python loads at its start: its debugger reads and writes the terminal, since
/// standard input is the protocol, and it opens at an uncaught exception.
const PYTHON_START: &str = "\
import pdb, sys, traceback
tty = open('/dev/tty', 'r'), open('/dev/tty', 'w')
pdb.Pdb.__init__.__defaults__ = ('tab',) + tty + pdb.Pdb.__init__.__defaults__[3:]
def look(kind, error, trace):
    traceback.print_exception(kind, error, trace, file=tty[1])
    tty[1].flush()
    if trace is not None and issubclass(kind, Exception):
        pdb.post_mortem(trace)
    sys.exit(1)
sys.excepthook = look
";

/// A bot that is debugged, and where its game stops.
#[allow(missing_debug_implementations, reason = "closures have no text")]
pub struct Debugging<'d> {
    /// The bot, and its opponent as the second.
    pub players: BySide<Entrant>,
    /// The settings for starting bots. Here they run without a sandbox or a supervisor.
    pub launch: Launch,
    /// The game.
    pub game: &'d dyn Game,
    /// The settings of the game; its clocks are not used.
    pub round: Round,
    /// The game that the bot is told in place of a new one.
    pub recording: Option<Recording>,
    /// The rest of the time for the game that both bots are told before each request.
    pub clock: Option<Duration>,
    /// Whether the game stops before each turn of the bot.
    pub step: bool,
    /// The turn before which the game stops, and at which a recorded game ends.
    pub turn: Option<u32>,
    /// Whether the game begins when a debugger is attached.
    pub wait: bool,
    /// The port of the debugger, if it is not the usual one.
    pub port: Option<u16>,
    /// The interrupt that ends everything.
    pub interrupt: Arc<Interrupt>,
    /// Reads a line that the author types, `None` at the end; without a terminal nothing is asked.
    pub keyboard: Option<&'d dyn Fn() -> Result<Option<String>, Stop>>,
    /// The output for the dialogue, the prompts and the results.
    pub output: fn() -> io::Stdout,
    /// Prints a remark that is not part of the output.
    pub note: fn(&str),
}

impl Debugging<'_> {
    /// Plays the game, or tells the bot the recorded one, as often as the author of the bot wants.
    ///
    /// # Errors
    /// If a player does not get ready, if the user interrupts, or if the machine fails.
    pub fn run(mut self) -> Result<(), LabError> {
        self.launch = Launch {
            supervisor: None,
            sandbox: None,
            ponder: true,
            ..self.launch
        };
        let BotProgram {
            file,
            arguments,
            on_terminal,
            ..
        } = &mut self.players[BOT].program;
        // The author talks to the debugger of the bot there.
        *on_terminal = true;
        let stem = Path::new(file).file_stem().unwrap_or_default();
        let language = kits::interpreted_by(&stem.to_string_lossy());
        let mut connect = None;
        let mut advice = String::new();
        let mut _python = None;
        if let Some(debugger) = language.and_then(|language| language.debugger)
            && self.wait
        {
            let port = self.port.unwrap_or(debugger.port).to_string();
            let words = debugger.words.iter();
            arguments.splice(0..0, words.map(|word| word.replace("PORT", &port).into()));
            connect = Some(debugger.connect.replace("PORT", &port));
            if !debugger.install.is_empty() {
                let install = debugger.install;
                advice = format!("; it was started under a debugger, which needs {install}");
            }
            self.wait = false;
        } else if language.is_some_and(|language| language.name == "Python")
            && self.keyboard.is_some()
        {
            let (folder, variable) = python_start()?;
            _python = Some(folder);
            let python = std::mem::replace(file, "env".into());
            arguments.splice(0..0, [variable, python]);
        }
        let mut stop_at = match self.turn {
            Some(turn) => turn,
            None if self.step => 1,
            None => u32::MAX,
        };
        loop {
            if let Some(connect) = &connect {
                let name = &self.players[BOT].name;
                (self.note)(&format!("{name} waits for its debugger: {connect}"));
            }
            let wish = match &self.recording {
                Some(recording) => self.retrace(recording, stop_at, &advice)?,
                None => self.play(stop_at, &advice)?,
            };
            match wish {
                Some(Wish::Again(turn)) => stop_at = turn,
                _ if self.interrupt.is_noted() => return Err(LabError::Interrupted),
                Some(Wish::Leave) | None => return Ok(()),
            }
        }
    }

    /// Returns no clock, but a module cannot run without fuel.
    fn clocks(&self) -> BySide<Clock> {
        let players = self.players.as_ref();
        players.map(|player| self.launch.clock_for(&player.program, Clock::None))
    }

    fn tap(&self) -> Box<dyn DialogueListener> {
        let names = self.players.as_ref().map(|player| player.name.clone());
        let dialogue = Dialogue::new((self.output)(), Path::new("standard output"), names);
        Box::new(OneSide(dialogue))
    }

    /// Waits until a debugger is attached to the process, or Enter is pressed.
    fn wait(&self, process: u32) -> Result<(), LabError> {
        if !self.wait {
            return Ok(());
        }
        let bot = &self.players[BOT].name;
        (self.note)(&format!("{bot} is process {process}: {}", attach(process)));
        (self.note)("the game begins when a debugger is attached");
        while !is_traced(process) {
            if !self.interrupt.wait(Some(Duration::from_millis(100)))? {
                return Err(LabError::Interrupted);
            }
        }
        Ok(())
    }

    fn play(&self, stop_at: u32, advice: &str) -> Result<Option<Wish>, LabError> {
        let names = self.players.as_ref().map(|player| &player.name);
        let started = Pair::start(
            &self.players,
            &self.launch,
            self.game.name(),
            FOREVER,
            &self.interrupt,
            Some(self.tap()),
        );
        let mut pair = match started {
            Ok(pair) => pair,
            Err(Stopped::Failed(error)) => return Err(error.into()),
            Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
                return Err(LabError::Interrupted);
            }
            Err(Stopped::Ended(ending)) => {
                writeln!((self.output)(), "{}{advice}", ending.reason(names))?;
                return Err(LabError::Rejected);
            }
        };
        self.wait(pair.process(BOT))?;
        let clocks = self.clocks();
        let mut console = Console::new(self, pair.bots(clocks), stop_at);
        let round = Round {
            clocks,
            ..self.round.clone()
        };
        let played = self.game.table()?.play(&mut console, &round, &mut ())?;
        let ending = played.ending;
        let fails = ending.ended_by.is_fault() && ending.by == Some(BOT);
        let wish = console.end(&ending.reason(names), fails && still_runs(&ending));
        pair.end(&ending)?;
        Ok(wish?)
    }

    /// Tells the bot a recorded game, and reports the differences of its replies.
    fn retrace(
        &self,
        recording: &Recording,
        stop_at: u32,
        advice: &str,
    ) -> Result<Option<Wish>, LabError> {
        let bot = &self.players[BOT];
        let mut bots = self.alone(&bot.program, Some(self.tap()))?;
        self.wait(bots.process(BOT))?;
        let mut console = Console::new(self, &mut bots, stop_at);
        let mut process_is_left = false;
        let text = match recording.tell(&mut console, self.turn) {
            Ok(retraced) => self.in_words(recording, &retraced)?,
            Err(Stopped::Failed(error)) => return Err(error.into()),
            Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => String::new(),
            Err(Stopped::Ended(ending)) => {
                process_is_left = still_runs(&ending);
                format!("{} fails: {}{advice}", bot.name, ending.what)
            }
        };
        let wish = console.end(&text, process_is_left);
        bots.end(BySide::default())?;
        Ok(wish?)
    }

    fn alone(
        &self,
        program: &BotProgram,
        tap: Option<Box<dyn DialogueListener>>,
    ) -> Result<BotPair, LabError> {
        let mut bots = BotPair::alone(program, &self.launch, self.interrupt.clone(), tap)
            .map_err(|error| LabError::Misuse(error.to_string()))?;
        bots.set_clocks(self.clocks());
        Ok(bots)
    }

    fn in_words(&self, recording: &Recording, retraced: &Retraced) -> Result<String, LabError> {
        let Some(first) = &retraced.first_difference else {
            let same = "It says what is recorded, turn by turn.";
            return Ok(match &retraced.at_end {
                Some(reply) => format!(
                    "{same} At the recorded end it says {reply}; that game ended since {}.",
                    text::shown(recording.reason.as_bytes())
                ),
                None => same.to_owned(),
            });
        };
        let last = match &retraced.last {
            Some(last) if last != first => format!("At {last}"),
            Some(_) | None => String::new(),
        };
        // A second run shows whether chance is at work.
        let program = BotProgram {
            on_terminal: false,
            ..self.players[BOT].program.clone()
        };
        let mut bots = self.alone(&program, None)?;
        let mut console = Console::new(self, &mut bots, u32::MAX);
        let again = recording.tell(&mut console, Some(first.turn.max(1)));
        bots.end(BySide::default())?;
        let is_same = again.is_ok_and(|again| again.first_difference.as_ref() == Some(first));
        let why = if is_same {
            "The same again in a second run: the bot has changed since, or had learned from games before this one."
        } else {
            "Another reply again in a second run: it leaves this to chance that does not come from the seed line."
        };
        Ok(format!("First other reply at {first}{last}{why}"))
    }
}

/// Writes down the lines to and from the bot that is debugged.
#[derive(Debug)]
struct OneSide(Dialogue<io::Stdout>);

impl DialogueListener for OneSide {
    fn on_line(
        &mut self,
        side: Side,
        kind: LineKind,
        line: &[u8],
        after: Duration,
    ) -> io::Result<()> {
        if side == BOT {
            self.0.on_line(side, kind, line, after)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }
}

fn still_runs(ending: &Ending) -> bool {
    !matches!(ending.ended_by, EndedBy::Exited | EndedBy::Crashed)
}

/// Returns the commands that attach a debugger to a process.
fn attach(process: u32) -> String {
    format!("gdb -p {process} (or lldb -p {process}; for Go: dlv attach {process})")
}

/// Returns whether a debugger is attached to a process. Where that is not known, it is.
fn is_traced(process: u32) -> bool {
    // The process chooses the name in the file, which need not be UTF-8.
    let status = std::fs::read(format!("/proc/{process}/status")).unwrap_or_default();
    !String::from_utf8_lossy(&status).contains("TracerPid:\t0\n")
}

/// Makes a folder with the code that Python loads. Returns it, and the variable that names it.
fn python_start() -> io::Result<(TempDir, OsString)> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("sitecustomize.py"), PYTHON_START)?;
    let mut variable = OsString::from("PYTHONPATH=");
    variable.push(folder.path());
    if let Some(others) = std::env::var_os("PYTHONPATH") {
        variable.push(":");
        variable.push(others);
    }
    Ok((folder, variable))
}
