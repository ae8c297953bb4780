//! `referee replay`, and the program `replay`: a recorded game on the terminal, turn by turn.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::record::{GameChoice, Output};
use clap::Args;
use pages::{RecordedFile, show_slides};
use screen::{Device, Fit, Left, Look};

use super::CommandArgs;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::time_limit;
use crate::play::has_screen;
use crate::{World, listen};

/// The time to show each turn; as the original does, the program `replay` always takes it.
const DELAY: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A record, or a log of the original twist program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The game of a record: its number in `referee list`, from 1, or name, e.g.
    /// red-vs-blue-game-13 [default: 1]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    game: Option<GameChoice>,
    /// The time to show each turn; 0ms for none [default: 1s on a terminal, else none]
    #[arg(long, value_name = "TIME", value_parser = delay)]
    delay: Option<Duration>,
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
        let recorded =
            RecordedFile::read(&self.file, self.game.as_ref()).map_err(Failure::misuse)?;
        let about =
            |what: &dyn Display| Failure::misuse(format!("{}: {what}", self.file.display()));
        if !self.plain
            && has_screen()
            && let Some(story) = recorded.story().map_err(|error| about(&error))?
        {
            let mut device = Device::take(Look::of_environment(self.ascii))?;
            let closes = || interrupt.is_noted();
            let left = match screen::wait_until_fits(&mut device, &closes)? {
                Fit::Enough => Some(screen::watch(
                    &mut device,
                    story,
                    None,
                    self.delay.unwrap_or(DELAY).max(Duration::from_millis(1)),
                    &closes,
                )?),
                Fit::Left => Some(Left::Interrupted),
                Fit::Plain => None,
            };
            match left {
                Some(Left::Interrupted) => return Err(Failure::Reported(exit::INTERRUPTED)),
                Some(Left::Willingly | Left::For(_)) => return Ok(()),
                None => {}
            }
        }
        let turns = recorded.in_words().map_err(|error| about(&error))?;
        // Only a person needs the time to look.
        let usual = if io::stdout().is_terminal() {
            DELAY
        } else {
            Duration::ZERO
        };
        let delay = self.delay.unwrap_or(usual);
        Ok(show_slides(&turns, delay, &interrupt)?)
    }
}

/// Reads the time to show a turn, which may be none.
fn delay(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Ok(Duration::ZERO),
        Ok(_) | Err(_) => time_limit(text),
    }
}

/// The program `replay`, which takes the arguments of the original's: `v LOG` or `f LOG OUT`.
pub(crate) fn run_as_original(words: &[String]) -> Result<(), Failure> {
    match words {
        [mode, log] if mode == "v" => {
            let turns = in_words(log)?;
            Ok(show_slides(&turns, DELAY, &*listen()?)?)
        }
        [mode, log, out] if mode == "f" => {
            // As the original does, which overwrites.
            let output = Output {
                option: "",
                path: Path::new(out),
                force: true,
            };
            let turns = in_words(log)?;
            Ok(output.write(turns.concat().as_bytes())?)
        }
        _ => Err(Failure::misuse(
            "usage: replay v LOG       shows the game, a second a turn\n               \
             replay f LOG OUT   writes it to the file OUT",
        )),
    }
}

/// Returns the first game in `file` in words, turn by turn.
fn in_words(file: &str) -> Result<Vec<String>, Failure> {
    let recorded = RecordedFile::read(Path::new(file), None).map_err(Failure::misuse)?;
    let turns = recorded.in_words();
    turns.map_err(|error| Failure::misuse(format!("{file}: {error}")))
}

/// Returns the grammar of the program `replay`, which has the original's command line and reads it
/// without clap.
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
