//! `referee replay`, and the program `replay`: a recorded game, turn by turn.

use battleship::BySide;
use std::cell::RefCell;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use battleship::twist::{self, Log, LogFault};
use clap::Args;
use screen::{Device, Left, Look, Room};

use crate::cli::play::has_screen;

use crate::cli::exit::{self, Failure};
use crate::cli::listen;
use crate::cli::options::time_limit;
use crate::cli::outputs::Outputs;
use arena::game::{Event, Listener, Stop};
use arena::record::{GameChoice, GameLine, Output, RecordError, Text, write_page};
use battleship::game_reader::{READERS, RecordedGame, ReplayError};
use bothost::Interrupt;
use pages::{NoPicture, Shown, Transcript, game_page, picture, picture_of_log, show_slides};
use screen::live::recorded_story;

/// Longer files are not logs.
const LONGEST_LOG: u64 = 16 << 20;

/// The time that each turn is shown: one to read, and one of a picture that moves.
const DELAY: Duration = Duration::from_secs(1);
const DELAY_OF_PICTURE: Duration = Duration::from_millis(400);

// An option that requires another one has to name, too, the options that conflict with that one: clap waives a requirement that
// conflicts.
#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A record, or a log of the original twist program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game of a record: its number in `referee list`, from 1, or name, e.g. red-vs-blue-game-13 [default: 1]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    game: Option<GameChoice>,
    /// The time to show each turn [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = time_limit, conflicts_with_all = ["to", "html"])]
    delay: Option<Duration>,
    /// Write everything to this file instead of showing it
    #[arg(long, value_name = "OUT")]
    to: Option<PathBuf>,
    /// Write a picture of one position to this file, as SVG
    #[arg(long, value_name = "OUT", conflicts_with_all = ["to", "html"])]
    svg: Option<PathBuf>,
    /// The position of the picture: after this many turns [default: the last]
    #[arg(long, value_name = "N", requires = "svg", conflicts_with_all = ["animate", "to", "html"])]
    shot: Option<usize>,
    /// Show all turns in the picture, one after the other, each for --delay [default: 400ms]
    #[arg(long, requires = "svg", conflicts_with_all = ["to", "html"])]
    animate: bool,
    /// Write a page of the game to this file, to open in a browser, instead of showing it here
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    html: Option<PathBuf>,
    /// Show the game in plain words, turn by turn, on a terminal too
    #[arg(long, conflicts_with_all = ["to", "html", "svg"])]
    plain: bool,
    /// Draw the screen with ASCII characters only
    #[arg(long, conflicts_with_all = ["to", "html", "svg"])]
    ascii: bool,
    /// Replace the file that is written, if it exists
    #[arg(long)]
    force: bool,
}

pub(crate) const EXAMPLES: &str = "\
On a terminal space pauses, the left and right arrow keys step, q leaves, and
? shows all keys.
Logs of the original are played as the original plays them: with its quirks,
player 2 first. Logs of play --log, which begin with 21 or 22, show the game
that was played.

Examples:
  referee replay cup.jsonl --game 17
  referee replay cup.jsonl --game 17 --html game.html
  referee replay cup.jsonl --game 17 --svg game.svg --animate";

/// Shows a recorded game.
pub(crate) fn run(arguments: &ReplayArguments) -> Result<(), Failure> {
    Outputs {
        files: vec![
            ("--svg", arguments.svg.as_deref()),
            ("--html", arguments.html.as_deref()),
            ("--to", arguments.to.as_deref()),
        ],
        force: arguments.force,
        inputs: vec![&arguments.file],
        players: Vec::new(),
    }
    .check()?;
    if let Some(path) = &arguments.svg {
        return draw(
            arguments,
            Output {
                option: "--svg",
                path,
                force: arguments.force,
            },
        );
    }
    if let Some(path) = &arguments.html {
        return write_html(arguments, path);
    }
    let interrupt = listen()?;
    if arguments.to.is_none()
        && !arguments.plain
        && has_screen()
        && let Recorded::Game(_, game) = read(&arguments.file, arguments.game.as_ref())?
    {
        let look = Look::of_environment(arguments.ascii);
        return on_screen(arguments, &game, look, &interrupt);
    }
    let pictures = pictures(&arguments.file, arguments.game.as_ref())?;
    match &arguments.to {
        Some(path) => {
            let output = Output {
                option: "--to",
                path,
                force: arguments.force,
            };
            Ok(output.write(pictures.concat().as_bytes())?)
        }
        None => show(&pictures, arguments.delay.unwrap_or(DELAY), &interrupt),
    }
}

/// Shows a game on the screen.
fn on_screen(
    arguments: &ReplayArguments,
    game: &GameLine,
    look: Look,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let story = recorded_of(game)
        .and_then(|game| recorded_story(&game))
        .map_err(|error| about(&arguments.file, error))?;
    let mut device = Device::take(look)?;
    let closes = || interrupt.is_noted();
    match screen::wait_for_room(&mut device, &closes)? {
        Room::Enough => {
            let delay = arguments.delay.unwrap_or(DELAY);
            match screen::watch(&mut device, story, None, delay, &closes)? {
                Left::Willingly | Left::For(_) => Ok(()),
                Left::Interrupted => Err(Failure::Reported(exit::INTERRUPTED)),
            }
        }
        Room::Plain => {
            drop(device);
            show(
                &pictures(&arguments.file, arguments.game.as_ref())?,
                arguments.delay.unwrap_or(DELAY),
                interrupt,
            )
        }
        Room::Left => Err(Failure::Reported(exit::INTERRUPTED)),
    }
}

/// Writes the page of the chosen game to `path`.
fn write_html(arguments: &ReplayArguments, path: &Path) -> Result<(), Failure> {
    let choice = arguments.game.clone().unwrap_or(GameChoice::Number(1));
    let (number, game) = choice
        .find(&arguments.file, READERS)
        .map_err(Failure::misuse)?;
    let page = game_page(&game, number, None, true).map_err(|error| {
        Failure::misuse(format!(
            "{}, game {number}: {error}",
            arguments.file.display()
        ))
    })?;
    write_page("--html", path, arguments.force, &page).map_err(Failure::misuse)
}

/// The program `replay`, which takes the arguments of the original's: `v LOG` or `f LOG OUT`.
pub(in crate::cli) fn run_as_original(words: &[String]) -> Result<(), Failure> {
    match words {
        [mode, log] if mode == "v" => {
            let pictures = pictures(Path::new(log), None)?;
            show(&pictures, DELAY, &*listen()?)
        }
        [mode, log, out] if mode == "f" => {
            // As the original does, which overwrites.
            let output = Output {
                option: "",
                path: Path::new(out),
                force: true,
            };
            Ok(output.write(pictures(Path::new(log), None)?.concat().as_bytes())?)
        }
        _ => {
            let usage = "usage: replay v LOG       shows the game, a second a turn\n               replay f LOG OUT   writes it to the file OUT";
            Err(Failure::misuse(usage))
        }
    }
}

fn show(pictures: &[String], delay: Duration, interrupt: &Interrupt) -> Result<(), Failure> {
    match show_slides(pictures, delay, interrupt) {
        Ok(()) => Ok(()),
        Err(Stop::Interrupted) => Err(Failure::Reported(exit::INTERRUPTED)),
        Err(Stop::Io(error)) => Err(error.into()),
    }
}

/// Draws the picture that is asked for.
fn draw(arguments: &ReplayArguments, output: Output<'_>) -> Result<(), Failure> {
    let file = &arguments.file;
    output.check()?;
    let shown = if arguments.animate {
        Shown::Moving(arguments.delay.unwrap_or(DELAY_OF_PICTURE))
    } else if arguments.delay.is_some() {
        let why =
            "--delay: the picture of --svg shows one position; add --animate to show all turns";
        return Err(Failure::misuse(why));
    } else {
        Shown::Still(arguments.shot)
    };
    let drawn = match read(file, arguments.game.as_ref())? {
        Recorded::Game(number, game) => picture(&game, number, shown),
        Recorded::Log(log) => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            picture_of_log(&log, &name, shown)
        }
    };
    let drawn = drawn.map_err(|why| match why {
        // The options are wrong, and not the file.
        NoPicture::NoShot { .. } | NoPicture::TooLong(_) => Failure::misuse(why),
        NoPicture::Replay(_) | NoPicture::Log(_) => about(file, why),
    })?;
    Ok(output.write(drawn.as_bytes())?)
}

/// The content of a file.
enum Recorded {
    /// A game of a record, and its number there.
    Game(u64, Box<GameLine>),
    /// A log of the original twist program.
    Log(Box<Log>),
}

fn about(file: &Path, what: impl Display) -> Failure {
    Failure::misuse(format!("{}: {what}", file.display()))
}

/// Reads the game in `file`.
fn read(file: &Path, game: Option<&GameChoice>) -> Result<Recorded, Failure> {
    let mut reader = File::open(file)
        .map(Text::new)
        .map_err(|error| about(file, error))?;
    let beginning = reader
        .fill_buf()
        .map_err(|error| Failure::misuse(RecordError::unreadable(file, error).to_string()))?;
    if beginning.trim_ascii_start().starts_with(b"{") {
        let choice = game.unwrap_or(&GameChoice::Number(1));
        let (number, game) = choice.find(file, READERS).map_err(Failure::misuse)?;
        return Ok(Recorded::Game(number, Box::new(game)));
    }
    if game.is_some() {
        return Err(about(
            file,
            "--game: a log of the original has one game only",
        ));
    }
    let mut bytes = Vec::new();
    reader
        .take(LONGEST_LOG)
        .read_to_end(&mut bytes)
        .map_err(|error| about(file, error))?;
    let log = Log::parse(&bytes).map_err(|error| {
        // A file that does not even begin as a log is most likely none.
        let none = matches!(error.fault, LogFault::Starter(_));
        let none = if none {
            "; this is neither a record of this referee nor a log of the original program"
        } else {
            ""
        };
        about(file, format_args!("{error}{none}"))
    })?;
    Ok(Recorded::Log(Box::new(log)))
}

/// The view of the game in `file`, turn by turn.
fn pictures(file: &Path, game: Option<&GameChoice>) -> Result<Vec<String>, Failure> {
    match read(file, game)? {
        Recorded::Game(_, game) => pictures_of(&game).map_err(|error| about(file, error)),
        Recorded::Log(log) => twist::replay(&log, log.rules.quirks())
            .map(|grids| grids.map_err(|error| about(file, error)))
            .collect(),
    }
}

/// The chosen game of a record.
pub(crate) fn find(file: &Path, choice: &GameChoice) -> Result<GameLine, Failure> {
    choice
        .find(file, READERS)
        .map(|(_, game)| game)
        .map_err(Failure::misuse)
}

/// A recorded game as it was shown when it was played, turn by turn.
fn pictures_of(line: &GameLine) -> Result<Vec<String>, ReplayError> {
    let game = recorded_of(line)?;
    let buffer = SharedBuffer::default();
    let transcript = Transcript::new(buffer.clone(), game.names(), BySide::default());
    let mut splitter = TurnSplitter {
        buffer,
        transcript,
        pictures: Vec::new(),
    };
    game.replay(&mut splitter)?;
    Ok(splitter.pictures)
}

fn recorded_of(line: &GameLine) -> Result<RecordedGame, ReplayError> {
    RecordedGame::read(&line.json).map_err(|error| ReplayError::Wrong(error.to_string()))
}

/// Cuts a transcript into turns.
struct TurnSplitter {
    buffer: SharedBuffer,
    transcript: Transcript<SharedBuffer>,
    pictures: Vec<String>,
}

impl Listener<Event<'_>> for TurnSplitter {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.transcript.on_event(event)?;
        let is_turn = matches!(event, Event::Played { .. } | Event::Ended { .. });
        if is_turn {
            let picture = std::mem::take(&mut *self.buffer.0.borrow_mut());
            let picture = String::from_utf8_lossy(&picture).into_owned();
            match (event, self.pictures.last_mut()) {
                // The end belongs to the last turn.
                (Event::Ended { .. }, Some(last)) => last.push_str(&picture),
                _ => self.pictures.push(picture),
            }
        }
        Ok(())
    }
}

/// The bytes that have been written and not yet been cut off.
#[derive(Clone, Debug, Default)]
struct SharedBuffer(Rc<RefCell<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the grammar of the program `replay`, which has the original's command line and reads it without clap.
pub(in crate::cli) fn replay_grammar() -> clap::Command {
    let mode = clap::Arg::new("mode")
        .value_parser(["v", "f"])
        .required(true);
    let log = clap::Arg::new("log")
        .required(true)
        .help("A log, or a record of games");
    let out = clap::Arg::new("out")
        .help("The file to write")
        .value_hint(clap::ValueHint::FilePath);
    clap::Command::new("replay")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Show a log of the twist game")
        .long_about("Shows a log of the twist game as the original program shows it. referee replay does more.")
        .override_usage("replay v LOG\nreplay f LOG OUT")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(mode.value_name("MODE").help("v shows the game, a second a turn; f writes it to the file OUT"))
        .arg(log.value_name("LOG"))
        .arg(out.value_name("OUT"))
}
