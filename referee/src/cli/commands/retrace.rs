//! A recorded game that is told to a bot again: which one, and the result.

use std::io;
use std::path::{Path, PathBuf};

use battleship::BySide;
use battleship::game_reader::BattleshipReader;
use bothost::{BotPair, BotProgram, Clock, Side, text};
use clap::Args;

use super::debug::{BOT, Bench, Console, OneSide};
use super::replay;
use crate::cli::exit::Failure;
use arena::game::{
    DialogueLine, EndedBy, GameReader, Speaker, Stop, Stopped, put_greeting, receive_greeting,
};
use arena::record::{Dialogue, GameChoice, GameLine};

/// A recorded game, as one of its players heard it.
#[derive(Clone, Debug, Args)]
pub(super) struct PastArguments {
    /// Tell the bot a game of this record again, as one of its players
    #[arg(long, value_name = "RECORD", conflicts_with = "RuleArgs")]
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

/// The dialogue with one player of a recorded game.
#[derive(Debug)]
pub(super) struct RecordedDialogue {
    /// The name of the game.
    pub(super) game: String,
    /// How the game ended.
    reason: String,
    lines: Vec<DialogueLine>,
}

/// A reply of the bot beside the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Compared {
    /// The player's own turn, from 1; 0 for its placement.
    turn: u32,
    /// The reply of the bot, quoted.
    now: String,
    /// The recorded one.
    then: String,
}

/// The result of telling a bot a recorded game.
#[derive(Clone, Debug, Default)]
struct Retraced {
    /// The first reply that is another one.
    first_difference: Option<Compared>,
    /// The last reply.
    last: Option<Compared>,
    /// The reply, quoted, where the recorded player failed or the game ended before its reply.
    at_end: Option<String>,
}

impl PastArguments {
    /// Returns the dialogue with the player that is meant, if a game is named.
    ///
    /// # Errors
    /// If the record has no such game or player.
    pub(super) fn read(&self) -> Result<Option<RecordedDialogue>, Failure> {
        let Some(file) = &self.from else {
            return Ok(None);
        };
        let line = replay::find(file, self.game.as_ref().unwrap_or(&GameChoice::Number(1)))?;
        let side = side_of(&line, self.player.as_deref())?;
        let lines = BattleshipReader.dialogue(&line.json);
        let mut lines =
            lines.map_err(|error| Failure::misuse(format!("{}: {error}", file.display())))?;
        lines.retain(|line| line.side == side);
        Ok(Some(RecordedDialogue {
            game: line.rules,
            reason: line.reason,
            lines,
        }))
    }
}

/// Returns the side of the player called `wanted`; without a name, of the one that failed, or the first.
fn side_of(line: &GameLine, wanted: Option<&str>) -> Result<Side, Failure> {
    let Some(wanted) = wanted else {
        let failed = line.by.filter(|_| line.ended_by.is_fault());
        return Ok(failed.unwrap_or(Side::One));
    };
    let BySide { one, two } = line.players.as_ref().map(|player| &player.name);
    match wanted {
        _ if wanted == one => Ok(Side::One),
        _ if wanted == two => Ok(Side::Two),
        "1" => Ok(Side::One),
        "2" => Ok(Side::Two),
        _ => Err(Failure::misuse(format!(
            "--player {wanted}: the players of this game are {one} (1) and {two} (2)"
        ))),
    }
}

/// Tells the bot a recorded game, up to its turn `until`, and says how its replies differ from the recorded ones.
pub(super) fn again(
    bench: &Bench,
    recorded: &RecordedDialogue,
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
    let told = retrace(&mut bots, recorded, until, &mut |bots| {
        if std::mem::take(&mut is_first) {
            bench.wait(process)?;
        }
        console.before_turn(bots)
    });
    let (text, process) = match told {
        Ok(retraced) => (in_words(bench, recorded, &retraced)?, None),
        Err(Stopped::Failed(error)) => return Err(error.into()),
        Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
            (String::new(), None)
        }
        Err(Stopped::Ended(ending)) => {
            let is_gone = matches!(ending.ended_by, EndedBy::Exited | EndedBy::Crashed);
            let (name, what) = (&players[BOT].name, ending.what);
            let text = format!("{name} fails: {what}{}", bench.advice());
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

/// Tells the one bot of `bots` a recorded game, up to its turn `until` or to the end: it is asked what the recorded player was
/// asked, and told what that was told, whatever it replies. `before_turn` is called before each of its turns.
///
/// # Errors
/// If the bot fails, or the referee or its machine does.
fn retrace(
    bots: &mut BotPair,
    recorded: &RecordedDialogue,
    until: Option<u32>,
    before_turn: &mut dyn FnMut(&mut BotPair) -> Result<(), Stop>,
) -> Result<Retraced, Stopped> {
    let mut greeting = put_greeting(bots, BOT)?;
    receive_greeting(bots, BOT, &recorded.game, &mut greeting)?;
    let mut retraced = Retraced::default();
    let mut turn = 0;
    let mut lines = recorded.lines.iter().peekable();
    while let Some(line) = lines.next() {
        if line.from == Speaker::Notice {
            bots.tell(BOT, format_args!("{}", line.text))?;
            continue;
        }
        if line.text != "place" {
            turn += 1;
            before_turn(bots)?;
        }
        let answer = bots.ask(BOT, format_args!("{}", line.text));
        let reply = answer.map_err(|error| error.of(BOT))?.line;
        let now = text::excerpt(reply);
        let Some(then) = lines.next_if(|next| next.from == Speaker::Reply) else {
            retraced.at_end = Some(now);
            break;
        };
        let compared = Compared {
            turn,
            now,
            then: then.text.clone(),
        };
        if reply != then.text.as_bytes() {
            let first = &mut retraced.first_difference;
            first.get_or_insert_with(|| compared.clone());
        }
        retraced.last = Some(compared);
        if until == Some(turn) {
            break;
        }
    }
    Ok(retraced)
}

/// Returns the result, in words.
fn in_words(
    bench: &Bench,
    recorded: &RecordedDialogue,
    retraced: &Retraced,
) -> Result<String, Failure> {
    let Some(first) = &retraced.first_difference else {
        let same = "It says what is recorded, turn by turn.";
        return Ok(match &retraced.at_end {
            Some(reply) => format!(
                "{same} At the recorded end it says {reply}; that game ended since {}.",
                text::shown(recorded.reason.as_bytes())
            ),
            None => same.to_owned(),
        });
    };
    let beside = |compared: &Compared| {
        let Compared { turn, now, then } = compared;
        let place = match turn {
            0 => "its placement".to_owned(),
            turn => format!("turn {turn}"),
        };
        format!("{place}: {now}, recorded \"{then}\".\n")
    };
    let last = retraced.last.as_ref().filter(|last| *last != first);
    let last = last.map_or(String::new(), |last| format!("At {}", beside(last)));
    let why = if says_the_same(bench, recorded, first)? {
        "The same again in a second run: the bot has changed since, or had learned from games before this one."
    } else {
        "Another reply again in a second run: it leaves this to chance that does not come from the seed line."
    };
    Ok(format!("First other reply at {}{last}{why}", beside(first)))
}

/// Returns whether the bot gives the same reply in a second run.
fn says_the_same(
    bench: &Bench,
    recorded: &RecordedDialogue,
    first: &Compared,
) -> Result<bool, Failure> {
    let program = BotProgram {
        on_terminal: false,
        ..bench.players[BOT].program.clone()
    };
    let bots = BotPair::alone(&program, &bench.launch, bench.interrupt.clone(), None);
    let mut bots = bots.map_err(|error| Failure::misuse(error.to_string()))?;
    let until = Some(first.turn.max(1));
    let again = retrace(&mut bots, recorded, until, &mut |_| Ok(()));
    bots.end(BySide::default())?;
    Ok(again.is_ok_and(|again| again.first_difference.as_ref() == Some(first)))
}
