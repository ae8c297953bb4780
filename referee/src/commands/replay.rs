//! `referee replay`, and the program `replay`: a recorded game on the terminal, turn by turn.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::game::{Event, Listener, Stop};
use arena::record::{GameChoice, GameLine, Output, RecordError, Text};
use battleship::BySide;
use battleship::game_reader::{READERS, RecordedGame, ReplayError};
use battleship::twist::{self, Log, LogFault};
use clap::Args;
use pages::{Transcript, judged_in_words, show_slides};
use screen::live::recorded_story;
use screen::{Device, Left, Look, Room};

use super::CommandArgs;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::time_limit;
use crate::play::has_screen;
use crate::{World, listen};

/// Longer files are not logs.
const LONGEST_LOG: u64 = 16 << 20;

/// The time that the program `replay` shows each turn, as the original does.
const DELAY: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A record, or a log of the original twist program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game of a record: its number in `referee list`, from 1, or name, e.g. red-vs-blue-game-13 [default: 1]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    game: Option<GameChoice>,
    /// The time to show each turn
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "1s")]
    delay: Duration,
    /// Show the game in plain words, turn by turn, on a terminal too
    #[arg(long)]
    plain: bool,
    /// Draw the screen with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

impl CommandArgs for ReplayArguments {
    const NAME: &'static str = "replay";
    const ABOUT: &'static str = "Show a recorded game, or a log of the original twist program";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
On a terminal space pauses, the left and right arrow keys step, q leaves, and
? shows all keys. To write a game to a file: referee report --game.
Logs of the original are played as the original plays them: with its quirks,
player 2 first. Logs of play --log, which begin with 21 or 22, show the game
that was played.

Examples:
  referee replay cup.jsonl --game 17
  referee replay cup.jsonl --game 17 --plain";

    fn run(self, _: &World) -> Result<(), Failure> {
        let interrupt = listen()?;
        let shows_screen = !self.plain && has_screen();
        if shows_screen
            && let Content::Game(game) = read(&self.file, self.game.as_ref())?
            && !game.is_judged()
        {
            let story = read_game(&game)
                .and_then(|game| recorded_story(&game))
                .map_err(|error| about(&self.file, error))?;
            let mut device = Device::take(Look::of_environment(self.ascii))?;
            let closes = || interrupt.is_noted();
            let room = screen::wait_for_room(&mut device, &closes)?;
            if room != Room::Plain {
                let is_interrupted = room == Room::Left
                    || screen::watch(&mut device, story, None, self.delay, &closes)?
                        == Left::Interrupted;
                return if is_interrupted {
                    Err(Failure::Reported(exit::INTERRUPTED))
                } else {
                    Ok(())
                };
            }
        }
        let turns = in_words(&self.file, self.game.as_ref())?;
        Ok(show_slides(&turns, self.delay, &interrupt)?)
    }
}

/// The program `replay`, which takes the arguments of the original's: `v LOG` or `f LOG OUT`.
pub(crate) fn run_as_original(words: &[String]) -> Result<(), Failure> {
    match words {
        [mode, log] if mode == "v" => {
            let turns = in_words(Path::new(log), None)?;
            Ok(show_slides(&turns, DELAY, &*listen()?)?)
        }
        [mode, log, out] if mode == "f" => {
            // As the original does, which overwrites.
            let output = Output {
                option: "",
                path: Path::new(out),
                force: true,
            };
            let turns = in_words(Path::new(log), None)?;
            Ok(output.write(turns.concat().as_bytes())?)
        }
        _ => Err(Failure::misuse(
            "usage: replay v LOG       shows the game, a second a turn\n               \
             replay f LOG OUT   writes it to the file OUT",
        )),
    }
}

/// The content of a file.
enum Content {
    Game(GameLine),
    /// A log of the original twist program.
    Log(Log),
}

/// Reads the game in `file`.
fn read(file: &Path, choice: Option<&GameChoice>) -> Result<Content, Failure> {
    let mut reader = Text::new(File::open(file).map_err(|error| about(file, error))?);
    let beginning = reader
        .fill_buf()
        .map_err(|error| Failure::misuse(RecordError::unreadable(file, error)))?;
    if beginning.trim_ascii_start().starts_with(b"{") {
        let choice = choice.unwrap_or(&GameChoice::Number(1));
        let (_, game) = choice.find(file, READERS).map_err(Failure::misuse)?;
        return Ok(Content::Game(game));
    }
    if choice.is_some() {
        let what = "--game: a log of the original has one game only";
        return Err(about(file, what));
    }
    let mut bytes = Vec::new();
    reader
        .take(LONGEST_LOG)
        .read_to_end(&mut bytes)
        .map_err(|error| about(file, error))?;
    match Log::parse(&bytes) {
        Ok(log) => Ok(Content::Log(log)),
        Err(error) if matches!(error.fault, LogFault::Starter(_)) => {
            let what = format!(
                "{error}; this is neither a record of this referee nor a log of the original program"
            );
            Err(about(file, what))
        }
        Err(error) => Err(about(file, error)),
    }
}

fn about(file: &Path, what: impl Display) -> Failure {
    Failure::misuse(format!("{}: {what}", file.display()))
}

/// Returns the game in `file` in words, turn by turn.
fn in_words(file: &Path, choice: Option<&GameChoice>) -> Result<Vec<String>, Failure> {
    match read(file, choice)? {
        Content::Game(game) => game_in_words(&game).map_err(|error| about(file, error)),
        Content::Log(log) => twist::replay(&log, log.rules.quirks())
            .collect::<Result<_, _>>()
            .map_err(|error| about(file, error)),
    }
}

fn read_game(line: &GameLine) -> Result<RecordedGame, ReplayError> {
    RecordedGame::read(&line.json).map_err(|error| ReplayError::Wrong(error.to_string()))
}

/// Returns a recorded game as it was printed when it was played, turn by turn.
///
/// # Errors
/// If the record contradicts the rules, or the game has no turns.
pub(super) fn game_in_words(line: &GameLine) -> Result<Vec<String>, ReplayError> {
    if let Some(turns) = judged_in_words(line) {
        return Ok(turns);
    }
    let game = read_game(line)?;
    let mut splitter = TurnSplitter {
        names: game.names(),
        begun: String::new(),
        turns: Vec::new(),
    };
    game.replay(&mut splitter)?;
    Ok(splitter.turns)
}

/// Cuts a transcript into turns.
struct TurnSplitter {
    names: BySide<String>,
    /// The text behind the last whole turn.
    begun: String,
    turns: Vec<String>,
}

impl Listener<Event<'_>> for TurnSplitter {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        let mut printed = Vec::new();
        Transcript::new(&mut printed, self.names.clone(), BySide::default()).on_event(event)?;
        self.begun.push_str(&String::from_utf8_lossy(&printed));
        match (event, self.turns.last_mut()) {
            // The end belongs to the last turn.
            (Event::Ended { .. }, Some(last)) => last.push_str(&std::mem::take(&mut self.begun)),
            (Event::Ended { .. } | Event::Played { .. }, _) => {
                self.turns.push(std::mem::take(&mut self.begun));
            }
            (Event::Begun { .. } | Event::Comment { .. } | Event::Asked { .. }, _) => {}
        }
        Ok(())
    }
}

/// Returns the grammar of the program `replay`, which has the original's command line and reads it without clap.
pub(crate) fn replay_grammar() -> clap::Command {
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
