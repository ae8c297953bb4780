//! One game without a time limit, with the dialogue of one bot as it happens. The game stops where
//! the author of the bot wants to look, and is played again as often as wanted. In place of a new
//! game, the bot can be told a recorded one.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::game::{
    Bots, DialogueLine, EndedBy, Ending, Entrant, Game, GameReader, Pair, Round, Speaker, Stop,
    Stopped, put_greeting, receive_greeting,
};
use arena::record::{Dialogue, GameChoice, GameLine};
use battleship::game_reader::{BattleshipReader, READERS};
use battleship::protocol::Request;
use bothost::{
    Answer, BotPair, BotProgram, BySide, Clock, Interrupt, Launch, Side, Spoken, Wiretap, text,
};
use tempfile::TempDir;
use wire::game::told;

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
    print(''.join(traceback.format_exception(kind, error, trace)), file=tty[1], flush=True)
    if trace is not None and issubclass(kind, Exception):
        debugger = pdb.Pdb()
        debugger.reset()
        debugger.interaction(None, trace)
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
    pub output: Output,
    /// Prints a remark that is not part of the output.
    pub note: fn(&str),
}

/// An output that is opened for each piece.
#[derive(Clone, Copy, Debug)]
pub struct Output(pub fn() -> Box<dyn Write>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.0)().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (self.0)().flush()
    }
}

/// The dialogue with one player of a recorded game.
#[derive(Debug)]
pub struct Recording {
    /// The name of the game.
    pub game: String,
    /// The reason why the game ended.
    reason: String,
    lines: Vec<DialogueLine>,
}

impl Recording {
    /// Reads a game of the record `file`, and the dialogue with the player that is called `player`
    /// or has that number. The default is the first game, and the player that failed or the first.
    ///
    /// # Errors
    /// If the record has no such game or player.
    pub fn read(
        file: &Path,
        choice: Option<&GameChoice>,
        player: Option<&str>,
    ) -> Result<Recording, LabError> {
        let choice = choice.unwrap_or(&GameChoice::Number(1));
        let (_, line) = match choice.find(file, READERS) {
            Ok(found) => found,
            Err(error) => return Err(LabError::Misuse(error.to_string())),
        };
        let side = side_of(&line, player)?;
        let mut lines = BattleshipReader
            .dialogue(&line.json)
            .map_err(|error| LabError::Misuse(format!("{}: {error}", file.display())))?;
        lines.retain(|line| line.side == side);
        Ok(Recording {
            game: line.rules,
            reason: line.reason,
            lines,
        })
    }
}

fn side_of(line: &GameLine, player: Option<&str>) -> Result<Side, LabError> {
    let Some(player) = player else {
        let failed = line.by.filter(|_| line.ended_by.is_fault());
        return Ok(failed.unwrap_or(Side::One));
    };
    let BySide { one, two } = line.players.as_ref().map(|player| &player.name);
    match player {
        _ if player == one => Ok(Side::One),
        _ if player == two => Ok(Side::Two),
        "1" => Ok(Side::One),
        "2" => Ok(Side::Two),
        _ => Err(LabError::Misuse(format!(
            "--player {player}: the players of this game are {one} (1) and {two} (2)"
        ))),
    }
}

/// The result of telling a bot a recorded game.
#[derive(Debug, Default)]
struct Retraced {
    /// The first reply that differs from the recorded one.
    first_difference: Option<Compared>,
    last: Option<Compared>,
    /// The reply, quoted, where the recorded player failed or the game ended before its reply.
    at_end: Option<String>,
}

/// A reply of the bot beside the recorded one.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    /// The player's own turn, from 1; 0 for its placement.
    turn: u32,
    /// The reply of the bot, quoted.
    now: String,
    /// The recorded one.
    then: String,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            0 => f.write_str("its placement")?,
            turn => write!(f, "turn {turn}")?,
        }
        writeln!(f, ": {}, recorded \"{}\".", self.now, self.then)
    }
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
            let mut console = self.console();
            console.stop_at = stop_at;
            match &self.recording {
                Some(recording) => self.retrace(recording, &mut console, &advice)?,
                None => self.play(&mut console, &advice)?,
            }
            match console.wish {
                Some(Wish::Again(turn)) => stop_at = turn,
                _ if self.interrupt.is_noted() => return Err(LabError::Interrupted),
                Some(Wish::Leave) | None => return Ok(()),
            }
        }
    }

    fn console(&self) -> Console<'_> {
        Console {
            stop_at: u32::MAX,
            turn: 0,
            wish: None,
            times: self
                .clocks()
                .map(|clock| self.clock.filter(|_| clock == Clock::None)),
            keyboard: self.keyboard,
            output: self.output,
        }
    }

    /// Returns no clock, but a module cannot run without fuel.
    fn clocks(&self) -> BySide<Clock> {
        let players = self.players.as_ref();
        players.map(|player| self.launch.clock_for(&player.program, Clock::None))
    }

    fn tap(&self) -> Box<dyn Wiretap> {
        let names = self.players.as_ref().map(|player| player.name.clone());
        let output = Path::new("standard output");
        Box::new(OneSide(Dialogue::new(self.output, output, names)))
    }

    /// Waits until a debugger is attached to the process, or Enter is pressed.
    fn wait(&self, process: u32) -> Result<(), LabError> {
        if !self.wait {
            return Ok(());
        }
        let name = &self.players[BOT].name;
        (self.note)(&format!("{name} is process {process}: {}", attach(process)));
        (self.note)("the game begins when a debugger is attached");
        while !is_traced(process) {
            if !self.interrupt.wait(Some(Duration::from_millis(100)))? {
                return Err(LabError::Interrupted);
            }
        }
        Ok(())
    }

    fn play(&self, console: &mut Console<'_>, advice: &str) -> Result<(), LabError> {
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
                console.end(&(ending.reason(names) + advice), None)?;
                return Err(LabError::Rejected);
            }
        };
        let process = pair.process(BOT);
        self.wait(process)?;
        let clocks = self.clocks();
        let bots = pair.bots(clocks);
        let round = Round {
            clocks,
            ..self.round.clone()
        };
        let mut table = self.game.table()?;
        let played = table.play(&mut Stepping { bots, console }, &round, &mut ())?;
        let ending = played.ending;
        let is_failure = ending.ended_by.is_fault() && ending.by == Some(BOT);
        let process = Some(process).filter(|_| is_failure && still_runs(&ending));
        let asked = console.end(&ending.reason(names), process);
        pair.end(&ending)?;
        Ok(asked?)
    }

    /// Tells the bot a recorded game, and reports the differences of its replies.
    fn retrace(
        &self,
        recording: &Recording,
        console: &mut Console<'_>,
        advice: &str,
    ) -> Result<(), LabError> {
        let bot = &self.players[BOT];
        let mut bots = self.alone(&bot.program, Some(self.tap()))?;
        let process = bots.process(BOT);
        self.wait(process)?;
        let (text, process) = match recording.tell(&mut bots, console, self.turn) {
            Ok(retraced) => (self.in_words(recording, &retraced)?, None),
            Err(Stopped::Failed(error)) => return Err(error.into()),
            Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
                (String::new(), None)
            }
            Err(Stopped::Ended(ending)) => (
                format!("{} fails: {}{advice}", bot.name, ending.what),
                Some(process).filter(|_| still_runs(&ending)),
            ),
        };
        let asked = console.end(&text, process);
        bots.end(BySide::default())?;
        Ok(asked?)
    }

    fn alone(
        &self,
        program: &BotProgram,
        tap: Option<Box<dyn Wiretap>>,
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
        let mut console = self.console();
        console.keyboard = None;
        let again = recording.tell(&mut bots, &mut console, Some(first.turn.max(1)));
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

impl Recording {
    /// Greets the one bot of `bots` and tells it this game, up to its turn `until` or to the end:
    /// it is asked what the recorded player was asked, and told what that player was told,
    /// whatever it replies.
    fn tell(
        &self,
        bots: &mut BotPair,
        console: &mut Console<'_>,
        until: Option<u32>,
    ) -> Result<Retraced, Stopped> {
        let mut greeting = put_greeting(bots, BOT)?;
        receive_greeting(bots, BOT, &self.game, &mut greeting)?;
        let mut bots = Stepping { bots, console };
        let mut retraced = Retraced::default();
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            if line.from == Speaker::Notice {
                bots.tell(BOT, format_args!("{}", line.text))?;
                continue;
            }
            let reply = bots.ask(BOT, format_args!("{}", line.text))?.line.to_vec();
            let now = text::excerpt(&reply);
            let Some(recorded) = lines.next_if(|next| next.from == Speaker::Reply) else {
                retraced.at_end = Some(now);
                break;
            };
            let turn = bots.console.turn;
            let then = recorded.text.clone();
            let is_other = reply != then.as_bytes();
            let compared = Compared { turn, now, then };
            if is_other && retraced.first_difference.is_none() {
                retraced.first_difference = Some(compared.clone());
            }
            retraced.last = Some(compared);
            if until == Some(turn) {
                break;
            }
        }
        Ok(retraced)
    }
}

/// The author's next wish.
#[derive(Debug)]
enum Wish {
    /// The game again from its beginning, to this turn.
    Again(u32),
    Leave,
}

/// The terminal at which the author says where to continue, during one game.
struct Console<'c> {
    /// The turn at which the game stops next.
    stop_at: u32,
    /// Turns of the bot so far.
    turn: u32,
    wish: Option<Wish>,
    /// The times that the bots are told before each request.
    times: BySide<Option<Duration>>,
    keyboard: Option<&'c dyn Fn() -> Result<Option<String>, Stop>>,
    output: Output,
}

impl Console<'_> {
    /// Stops before the next turn of the bot, if its author wants to look there.
    fn before_turn(&mut self, bots: &mut BotPair) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn < self.stop_at {
            return Ok(());
        }
        let prompt = format!("before turn {}; Enter, c, e REQUEST", self.turn);
        while let Some(request) = self.ask(&prompt, true)? {
            self.send(bots, &request)?;
        }
        match self.wish {
            Some(_) => Err(Stop::Interrupted),
            None => Ok(()),
        }
    }

    /// Asks where to continue. Returns a request that the bot is to be sent before that.
    fn ask(&mut self, prompt: &str, sends: bool) -> Result<Option<String>, Stop> {
        while let Some(keyboard) = self.keyboard {
            write!(self.output, "({prompt}, b N, r, q) ")?;
            self.output.flush()?;
            let Some(typed) = keyboard()? else {
                self.keyboard = None;
                break;
            };
            let typed = typed.trim();
            let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
            match word {
                "" => self.stop_at = self.turn + 1,
                "c" => self.stop_at = u32::MAX,
                "b" => {
                    let back = rest.trim().parse().unwrap_or(1);
                    self.wish = Some(Wish::Again(self.turn.saturating_sub(back).max(1)));
                }
                "r" => self.wish = Some(Wish::Again(1)),
                "q" => self.wish = Some(Wish::Leave),
                "e" if sends && !rest.is_empty() => return Ok(Some(rest.to_owned())),
                _ => {
                    writeln!(self.output, "unknown command {typed:?}")?;
                    continue;
                }
            }
            break;
        }
        Ok(None)
    }

    /// Sends the bot a line that the game does not ask; the dialogue shows the answer.
    fn send(&mut self, bots: &mut BotPair, line: &str) -> Result<(), Stop> {
        match Request::parse(line.as_bytes()) {
            Ok(request @ (Request::Place | Request::Attack | Request::Salvo(_) | Request::Act)) => {
                match self.request(bots, BOT, format_args!("{request}")) {
                    Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
                        return Err(Stop::Interrupted);
                    }
                    Err(Stopped::Ended(ending)) => writeln!(self.output, "{}", ending.what)?,
                    Err(Stopped::Failed(error)) => return Err(error.into()),
                    Ok(_) => {}
                }
            }
            Ok(request) => bots.tell(BOT, format_args!("{request}"))?,
            Err(error) => writeln!(self.output, "{line:?} is not a request: {error}")?,
        }
        Ok(())
    }

    /// Sends a bot a request, under a clock behind the time.
    fn request<'b>(
        &self,
        bots: &'b mut BotPair,
        of: Side,
        line: fmt::Arguments<'_>,
    ) -> Result<Answer<'b>, Stopped> {
        if let Some(time) = self.times[of] {
            bots.tell(of, format_args!("clock {}", told(time)))?;
        }
        Bots::ask(bots, of, line)
    }

    /// Says how the game ended, while the process of a bot that has failed still runs, and asks
    /// where to continue.
    fn end(&mut self, ending: &str, process: Option<u32>) -> Result<(), Stop> {
        if self.wish.is_some() {
            return Ok(());
        }
        writeln!(self.output, "{ending}")?;
        if let Some(process) = process {
            let attach = attach(process);
            writeln!(self.output, "It still runs as process {process}: {attach}")?;
        }
        self.ask("the end; Enter", false)?;
        Ok(())
    }
}

/// Two bots, the first of which is stopped before its turns where its author wants.
struct Stepping<'s, 'c> {
    bots: &'s mut BotPair,
    console: &'s mut Console<'c>,
}

impl Bots for Stepping<'_, '_> {
    fn tell(&mut self, to: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        Bots::tell(self.bots, to, line)
    }

    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        if of == BOT && line.to_string() != "place" {
            self.console.before_turn(self.bots)?;
        }
        self.console.request(self.bots, of, line)
    }

    fn comments(&mut self, of: Side) -> Vec<u8> {
        Bots::comments(self.bots, of)
    }
}

/// Writes down the lines to and from the bot that is debugged.
#[derive(Debug)]
struct OneSide(Dialogue<Output>);

impl Wiretap for OneSide {
    fn hear(&mut self, side: Side, spoken: Spoken, line: &[u8], after: Duration) -> io::Result<()> {
        if side == BOT {
            self.0.hear(side, spoken, line, after)?;
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

/// Returns how a debugger is attached to a process.
fn attach(process: u32) -> String {
    format!("gdb -p {process} (or lldb -p {process}; for Go: dlv attach {process})")
}

/// Returns whether a debugger is attached to a process. Where that is not known, it is.
fn is_traced(process: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{process}/status")) {
        Ok(status) => status
            .lines()
            .any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0")),
        Err(_) => true,
    }
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
