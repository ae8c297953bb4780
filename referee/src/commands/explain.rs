//! `referee explain`: why a player lost.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandArgs;
use super::list::{games_of, known};
use crate::World;
use crate::exit::Failure;
use crate::help::Group;
use crate::{print_json, say};
use arena::explain::{GameDigest, Losses, NamesSeen, TopGames};
use arena::record::{GameChoice, GameLine, RecordReader};
use arena::result::{FAILED_CHECK, GivenFigures};
use battleship::game_reader::{READERS, RecordedGame};
use bothost::{BySide, Side, text};
use check::{RecordedFault, recorded_fault};
use pages::{
    Duel, Explanation, GameExplanation, PlayerSummary, SkillSample, explanation, review_attacks,
};

/// The number of worst games that are named.
const WORST: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A record of a match or a tournament, or of single games (play --record)
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// The player whose losses are explained
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    player: String,
    /// Only this game: its number in `referee list`, from 1, or its name, as red-vs-blue-game-13 [default: all games, and
    /// the worst one of them in detail]
    #[arg(long, value_name = "GAME", allow_hyphen_values = true)]
    game: Option<GameChoice>,
    /// Print the explanation as one line of JSON
    #[arg(long)]
    json: bool,
}

impl CommandArgs for ExplainArguments {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain why a player lost: faults, worst games, weakest attacks";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
Examples:
  referee explain cup.jsonl --player mybot
  referee explain cup.jsonl --player mybot --game 13";

    fn run(self, _: &World) -> Result<(), Failure> {
        run(&self)
    }
}

/// A game of the record that is explained.
type Found = (GameDigest, GameLine);

/// Explains what a player lost.
fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let name = text::name(&arguments.player);
    let (summary, found) = if let Some(choice) = &arguments.game {
        (None, Some(one_game(arguments, choice, &name)?))
    } else {
        let (summary, worst) = all_games(arguments, &name)?;
        (Some(summary), worst)
    };
    let game = found.map(|(game, record)| explain(arguments, game, &record, &name));
    let record = text::shown(arguments.record.as_os_str().as_encoded_bytes());
    let found = Explanation {
        record,
        player: name,
        summary,
        game: game.transpose()?,
    };
    if arguments.json {
        print_json(&found)?;
    } else {
        say(&explanation(&found))?;
    }
    Ok(())
}

/// Returns the chosen game, in which `name` has to be a player.
fn one_game(
    arguments: &ExplainArguments,
    choice: &GameChoice,
    name: &str,
) -> Result<Found, Failure> {
    let (number, record) = choice
        .find(&arguments.record, READERS)
        .map_err(Failure::misuse)?;
    let game = GameDigest::new(number, &record, true);
    if game.side_of(name).is_none() {
        let BySide { one, two } = &game.players;
        let what = format!("--player {name}: the players of game {number} are {one} and {two}");
        return Err(Failure::misuse(what));
    }
    Ok((game, record))
}

/// Returns what the player lost in all its games, and the worst of these.
fn all_games(
    arguments: &ExplainArguments,
    name: &str,
) -> Result<(PlayerSummary, Option<Found>), Failure> {
    let (mut losses, mut names) = (Losses::default(), NamesSeen::default());
    let (mut worst, mut sample) = (TopGames::new(WORST), SkillSample::default());
    let mut duel = Duel::default();
    let mut figures = GivenFigures::default();
    let mut unfinished = 0;
    let mut causes = Vec::new();
    games_of(&arguments.record, &mut |game, record| {
        names.see(&game);
        let Some(side) = game.side_of(name) else {
            return Ok(());
        };
        unfinished += u64::from(!game.finished);
        if let Ok(recorded) = RecordedGame::read(&record.json) {
            sample.add(game.number, &recorded, side);
        }
        duel.add(&game, record, side);
        figures.add(record, side);
        if losses.add(&game, side) {
            let cause = fault_of(record, side).map(|fault| fault.cause);
            causes.push((game.number, cause));
        }
        if let Some(badness) = game.badness(side) {
            worst.add_with(badness, || (game, record.clone()));
        }
        Ok(())
    })?;
    if !names.has(name) && could_not_play(&arguments.record, name) {
        let what = format!("--player {name}: {FAILED_CHECK}, and is in no game");
        return Err(Failure::misuse(what));
    }
    known("--player", name, &names)?;
    let losses = losses.summary();
    let cause_of = |number: u64| {
        let cause = causes.iter().find(|(of, _)| *of == number);
        cause.and_then(|(_, cause)| cause.clone())
    };
    let causes = losses
        .reasons
        .iter()
        .map(|lost| cause_of(lost.example.number))
        .collect();
    let mut worst: Vec<Found> = worst.into_games().collect();
    let digests = worst.iter().map(|(game, _)| game.clone()).collect();
    let summary = PlayerSummary {
        losses,
        duel: duel.summary(),
        skill: sample.skill(),
        figures,
        causes,
        worst: digests,
        unfinished,
    };
    Ok((summary, (!worst.is_empty()).then(|| worst.swap_remove(0))))
}

/// Returns whether `name` is a player of the contest whose record is at `path` that could not play.
fn could_not_play(path: &Path, name: &str) -> bool {
    let header = RecordReader::open(path, READERS)
        .and_then(|mut reader| reader.last_header())
        .ok()
        .flatten();
    let mut players = header.into_iter().flat_map(|header| header.config.players);
    players.any(|player| player.name == name && player.cannot_play)
}

fn explain(
    arguments: &ExplainArguments,
    game: GameDigest,
    record: &GameLine,
    name: &str,
) -> Result<GameExplanation, Failure> {
    let side = side_of(&game, name);
    let fault = fault_of(record, side);
    let said = match &fault {
        Some(_) => last_said(&arguments.record, record)?,
        None => Vec::new(),
    };
    // A forfeit has a cause that matters more; and without ships there was nothing to hit.
    let has_fleets = |game: &RecordedGame| game.fleets.iter().all(|(_, fleet)| fleet.is_some());
    let recorded = RecordedGame::read(&record.json).ok();
    let review = match recorded.filter(|game| fault.is_none() && has_fleets(game)) {
        Some(recorded) => {
            review_attacks(&recorded, side).map_err(|error| about(arguments, &game, &error))?
        }
        None => None,
    };
    let command = text::shown(record.players[side].command.as_bytes());
    Ok(GameExplanation {
        game,
        side,
        command,
        submission: record.players[side].submission,
        rules: record.rules.clone(),
        fault,
        said,
        review,
    })
}

/// Returns the fault of the player on `side` with which `game` ended, if it did.
fn fault_of(game: &GameLine, side: Side) -> Option<RecordedFault> {
    recorded_fault(game, game.reader(READERS)?, side)
}

fn side_of(game: &GameDigest, name: &str) -> Side {
    game.side_of(name)
        .expect("only games of the player are explained")
}

fn about(arguments: &ExplainArguments, game: &GameDigest, what: &dyn std::fmt::Display) -> Failure {
    Failure::misuse(format!(
        "{}, game {}: {what}",
        arguments.record.display(),
        game.number
    ))
}

/// Returns the last lines that were said with the player that lost `game` by its fault, as the end of
/// the series in the record at `path` has them.
fn last_said(path: &Path, game: &GameLine) -> Result<Vec<String>, Failure> {
    // A pipe can be read only once.
    let Some(place) = game.contest.as_ref().filter(|_| path.is_file()) else {
        return Ok(Vec::new());
    };
    let mut reader = RecordReader::open(path, READERS).map_err(Failure::misuse)?;
    while let Some(chunk) = reader.next_chunk().map_err(Failure::misuse)? {
        let end = chunk.end.into_iter();
        let said = end
            .filter(|end| end.contest == place.id && end.series == place.series)
            .flat_map(|end| end.said)
            .find(|said| said.game == place.game);
        if let Some(said) = said {
            return Ok(said.lines);
        }
    }
    Ok(Vec::new())
}
