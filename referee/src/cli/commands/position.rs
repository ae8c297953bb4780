//! `referee position`: a moment of a recorded game as a test of a bot.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::retrace::past_of;
use crate::cli::completion::values;
use crate::cli::exit::Failure;
use crate::cli::say;
use battleship_bots::HitChance;
use bothost::text;
use engine::check::{Expected, Position};
use engine::record::GameChoice;

/// The largest file that is read as a position, in bytes.
const LARGEST: u64 = 1 << 20;

#[derive(Debug, Args)]
pub(crate) struct PositionArguments {
    /// A record of a match or a tournament, or of single games (play --record)
    #[arg(value_name = "RECORD", add = values::records())]
    record: PathBuf,
    /// The game of the record: its number in `referee list`, from 1, or name, e.g. red-vs-blue-game-13
    #[arg(
        long,
        value_name = "GAME",
        default_value = "1",
        allow_hyphen_values = true
    )]
    game: GameChoice,
    /// The player of that game, by name or as 1 or 2 [default: the one that failed, or the first]
    #[arg(long, value_name = "P")]
    player: Option<String>,
    /// The reply to this turn of its own is tested, from 1; 0 for its placement
    #[arg(long, value_name = "N")]
    turn: u32,
    /// Expectation of the reply, several times for several things [default: legal]
    #[arg(long, value_name = "WHAT")]
    expect: Vec<Expected>,
}

pub(crate) const EXAMPLES: &str = "\
WHAT is one of these; cells are rows and columns from 0:
  legal                        nothing is wasted, and nothing is refused
  attack among (0,3) (0,4)     it attacks one of these cells
  attack not among (0,3)       it attacks another cell
  within 100 ms                it replies in that time
  chance at least 0.2          its attack hits with this probability

`referee check BOT --positions FOLDER` checks a bot's replies in positions.

Examples:
  referee position m.jsonl --game 8 --turn 23 > positions/late-edge.txt
  referee position m.jsonl --turn 9 --expect 'attack not among (0,3)'";

/// Prints the position.
pub(crate) fn run(arguments: &PositionArguments) -> Result<(), Failure> {
    let PositionArguments {
        record,
        game,
        player,
        turn,
        expect,
    } = arguments;
    let past = past_of(record, game, player.as_deref())?;
    let name = text::name(past.player());
    let Some((lines, reply)) = past.up_to(*turn) else {
        let what = format!("--turn {turn}: {name} had no such turn in this game");
        return Err(Failure::misuse(what));
    };
    let file = text::shown(record.as_os_str().as_encoded_bytes());
    let mut text = format!("# {name} in {file}, game {}, turn {turn}\n", named(game));
    text.extend(lines.iter().flat_map(|line| [line, "\n"]));
    let expected = if expect.is_empty() {
        &[Expected::Legal][..]
    } else {
        expect
    };
    let expected: Vec<_> = expected
        .iter()
        .map(|what| format!("expect {what}\n"))
        .collect();
    let expected = expected.concat();
    let position = (text.clone() + &expected).parse::<Position>();
    let position =
        position.map_err(|why| Failure::misuse(format!("{}: {why}", record.display())))?;
    let mut advice = String::new();
    if let Some(reply) = reply {
        write!(text, "# It replied: {reply}").expect(TAKES_ALL);
        let found = position.chance(&reply);
        if let Some(HitChance {
            chance,
            best: Some(best),
            best_chance,
        }) = found
        {
            write!(
                text,
                ", {chance:.2} likely to hit; {best} was {best_chance:.2}"
            )
            .expect(TAKES_ALL);
            if expect.is_empty() {
                // The chances are estimates, and other cells may be nearly as good.
                let least = (75.0 * best_chance).floor() / 100.0;
                advice = format!("# {}\n", format_args!("expect {}", Expected::Chance(least)));
            }
        }
        text.push('\n');
    }
    Ok(say(&(text + &expected + &advice))?)
}

const TAKES_ALL: &str = "a string takes everything";

fn named(game: &GameChoice) -> String {
    match game {
        GameChoice::Number(number) => number.to_string(),
        GameChoice::Name(name) => name.clone(),
    }
}

/// Reads the position in a file, or those in the files `.txt` of a folder, by their names. Returns them with the paths.
///
/// # Errors
/// If one cannot be read or understood.
pub(super) fn read_positions(path: &Path) -> Result<Vec<(String, Position)>, Failure> {
    let about = |path: &Path, what: &dyn std::fmt::Display| {
        Failure::misuse(format!("--positions {}: {what}", path.display()))
    };
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| about(path, &error))?;
        files = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
        files.sort();
    }
    let read = |file: PathBuf| {
        let metadata = std::fs::metadata(&file).map_err(|error| about(&file, &error))?;
        // Opening a pipe would wait for its writer.
        if !metadata.is_file() {
            return Err(about(&file, &"not a file"));
        }
        let mut text = String::new();
        let opened = std::fs::File::open(&file).map_err(|error| about(&file, &error))?;
        let size = opened.take(LARGEST + 1).read_to_string(&mut text);
        if size.map_err(|error| about(&file, &error))? as u64 > LARGEST {
            return Err(about(&file, &"larger than 1 MiB, and no position"));
        }
        let position = text.parse().map_err(|why| about(&file, &why))?;
        Ok((text::shown(file.as_os_str().as_encoded_bytes()), position))
    };
    files.into_iter().map(read).collect()
}
