//! A recorded game that is told to a bot again: which one, and the result.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use battleship::BySide;
use bothost::{BotPair, BotProgram, Clock};
use clap::Args;

use super::debug::{BOT, Bench, Console, OneSide};
use super::replay;
use crate::cli::exit::Failure;
use engine::check::{Compared, Past, Retraced, retrace};
use engine::game::{EndedBy, Stop, Stopped};
use engine::record::{Dialogue, GameChoice, GameRecord};

/// A recorded game, as one of its players heard it.
#[derive(Clone, Debug, Args)]
pub(super) struct PastArguments {
    /// Tell the bot a game of this record again, as one of its players
    #[arg(long, value_name = "RECORD", conflicts_with = "HouseRules")]
    from: Option<PathBuf>,
    /// The game of the record: its number in `referee list`, from 1, or name, e.g. red-vs-blue-game-13 [default: 1]
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

impl PastArguments {
    /// Returns the game, if one is named.
    ///
    /// # Errors
    /// If the record has no such game or player.
    pub(super) fn read(&self) -> Result<Option<Past>, Failure> {
        let Some(file) = &self.from else {
            return Ok(None);
        };
        let game = self.game.as_ref().unwrap_or(&GameChoice::Number(1));
        past_of(file, game, self.player.as_deref()).map(Some)
    }
}

/// Returns a game of the record in `file`, as the player called `player` heard it; without a name, as the one that failed did, or
/// the first.
///
/// # Errors
/// If the record has no such game or player.
pub(super) fn past_of(
    file: &Path,
    game: &GameChoice,
    player: Option<&str>,
) -> Result<Past, Failure> {
    let record = replay::find(file, game)?;
    let seat = seat(&record, player)?;
    let about = |error| Failure::misuse(format!("{}: {error}", file.display()));
    Past::new(record, seat).map_err(about)
}

/// The place of the player called `wanted`.
fn seat(record: &GameRecord, wanted: Option<&str>) -> Result<usize, Failure> {
    let by_name = |name: &str| record.players.iter().position(|player| player.name == name);
    let seat = match wanted {
        None => Some(
            record
                .by
                .filter(|by| *by < 2 && record.ended_by.is_fault())
                .unwrap_or(0),
        ),
        Some(wanted) => by_name(wanted).or(match wanted {
            "1" => Some(0),
            "2" => Some(1),
            _ => None,
        }),
    };
    seat.ok_or_else(|| {
        let [one, two] = record.players.each_ref().map(|player| &player.name);
        let wanted = wanted.unwrap_or_default();
        Failure::misuse(format!(
            "--player {wanted}: the players of this game are {one} (1) and {two} (2)"
        ))
    })
}

/// Tells the bot a recorded game, up to its turn `until`, and says how its replies differ from the recorded ones.
pub(super) fn again(
    bench: &Bench,
    past: &Past,
    until: Option<u32>,
    console: &mut Console,
) -> Result<(), Failure> {
    let names = bench.players.as_ref().map(|player| player.name.clone());
    let tap = OneSide(Dialogue::new(
        io::stdout(),
        Path::new("standard output"),
        names,
    ));
    bench.announce();
    let Bench {
        players,
        launch,
        interrupt,
        ..
    } = bench;
    let program = &players[BOT].program;
    let bots = BotPair::alone(program, launch, interrupt.clone(), Some(Box::new(tap)));
    let mut bots = bots.map_err(|error| Failure::misuse(error.to_string()))?;
    bots.set_clocks(
        players
            .as_ref()
            .map(|player| launch.clock_for(&player.program, Clock::None)),
    );
    let process = bots.process(BOT);
    let mut is_first = true;
    let told = retrace(&mut bots, past, until, &mut |bots| {
        if std::mem::take(&mut is_first) {
            bench.wait(process)?;
        }
        console.before_turn(bots)
    });
    let (text, process) = match told {
        Ok(retraced) => (in_words(bench, past, &retraced)?, None),
        Err(Stopped::Failed(error)) => return Err(error.into()),
        Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
            (String::new(), None)
        }
        Err(Stopped::Ended(ending)) => {
            let is_gone = matches!(ending.ended_by, EndedBy::Exited | EndedBy::Crashed);
            let text = format!(
                "{} fails: {}{}",
                players[BOT].name,
                ending.what,
                bench.advice()
            );
            (text, (!is_gone).then_some(process))
        }
    };
    let asked = console.end(&text, process);
    bots.end(BySide::default())?;
    match asked {
        Ok(()) | Err(Stop::Interrupted) => Ok(()),
        Err(Stop::Io(error)) => Err(error.into()),
    }
}

/// Returns the result, in words.
fn in_words(bench: &Bench, past: &Past, retraced: &Retraced) -> Result<String, Failure> {
    let Some(first) = &retraced.first_difference else {
        let same = "It says what is recorded, turn by turn.";
        return Ok(match &retraced.at_fault {
            Some(said) => format!("{same} Where the recorded player failed, it says {said}."),
            None => same.to_owned(),
        });
    };
    let reply = |compared: &Compared| match compared.turn {
        0 => "its placement".to_owned(),
        turn => format!("turn {turn}"),
    };
    let mut text = Vec::new();
    writeln!(
        text,
        "First other reply at {}: {}, recorded \"{}\".",
        reply(first),
        first.now,
        first.then
    )?;
    if let Some(last) = retraced.last.as_ref().filter(|last| *last != first) {
        writeln!(
            text,
            "At {}: {}, recorded \"{}\".",
            reply(last),
            last.now,
            last.then
        )?;
    }
    let why = if says_the_same(bench, past, first)? {
        "The same again in a second run: the bot has changed since, or had learned from games before this one."
    } else {
        "Another reply again in a second run: it leaves this to chance that does not come from the seed line."
    };
    write!(text, "{why}")?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns whether the bot gives the same reply in a second run.
fn says_the_same(bench: &Bench, past: &Past, first: &Compared) -> Result<bool, Failure> {
    let program = BotProgram {
        on_terminal: false,
        ..bench.players[BOT].program.clone()
    };
    let bots = BotPair::alone(&program, &bench.launch, bench.interrupt.clone(), None);
    let mut bots = bots.map_err(|error| Failure::misuse(error.to_string()))?;
    let again = retrace(&mut bots, past, Some(first.turn.max(1)), &mut |_| Ok(()));
    bots.end(BySide::default())?;
    Ok(again.is_ok_and(|again| again.first_difference.as_ref() == Some(first)))
}
