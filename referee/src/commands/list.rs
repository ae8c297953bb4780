//! `referee list`: the games of records, a line each.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::CommandArgs;
use crate::World;
use crate::exit::Failure;
use crate::help::Group;
use crate::note;
use arena::explain::{GameDigest, GameFilter, NamesSeen, TopGames};
use arena::game::EndedBy;
use arena::record::{GameLine, RecordReader};
use battleship::game_reader::READERS;
use bothost::text;
use pages::game_line;

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Records: of matches and tournaments, and of single games (play --record)
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// Only the games of this player
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    player: Option<String>,
    /// Only the games against this player
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    against: Option<String>,
    /// Only the games that ended so, as timeout; may be given more than once
    #[arg(long, value_name = "REASON", value_parser = reason)]
    ended_by: Vec<EndedBy>,
    /// Only the games that --player lost
    #[arg(long, requires = "player", conflicts_with = "won")]
    lost: bool,
    /// Only the games that --player won
    #[arg(long, requires = "player")]
    won: bool,
    /// Only the N worst lost games, the worst first: forfeits, then the quickest losses
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    worst: Option<u32>,
    /// Print each game as a line of JSON
    #[arg(long)]
    json: bool,
}

impl CommandArgs for ListArguments {
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List the games of records, a line each: who won, and how";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
The number at the beginning of a line is what --game of replay, check and
explain takes.

Examples:
  referee list cup.jsonl --player mybot --lost
  referee list cup.jsonl --ended-by timeout --ended-by crashed
  referee list cup.jsonl --player mybot --worst 3";

    fn run(self, _: &World) -> Result<(), Failure> {
        run(&self)
    }
}

/// A line of JSON.
#[derive(Serialize)]
pub(crate) struct Listed<'g> {
    record: &'g str,
    #[serde(flatten)]
    game: &'g GameDigest,
}

/// Returns the reason that is called `word`.
fn reason(word: &str) -> Result<EndedBy, String> {
    let found = EndedBy::all().find(|reason| reason.word() == word);
    found.ok_or_else(|| {
        let words: Vec<_> = EndedBy::all().map(EndedBy::word).collect();
        format!("the reasons are {}", words.join(", "))
    })
}

/// Lists the games of some records.
fn run(arguments: &ListArguments) -> Result<(), Failure> {
    let ListArguments {
        records,
        player,
        against,
        ended_by,
        ..
    } = arguments;
    let won = arguments
        .won
        .then_some(true)
        .or(arguments.lost.then_some(false));
    let (player, against) = (
        player.as_deref().map(text::name),
        against.as_deref().map(text::name),
    );
    let filter = GameFilter {
        player,
        against,
        ended_by: ended_by.clone(),
        won,
    };
    let mut names = NamesSeen::default();
    let mut worst = arguments.worst.map(|most| TopGames::new(most as usize));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut listed = 0_u64;
    for path in records {
        games_of(path, &mut |game, _| {
            names.see(&game);
            if !filter.takes(&game) {
                return Ok(());
            }
            if let Some(worst) = &mut worst {
                if let Some(badness) = filter.badness(&game) {
                    worst.add_with(badness, || (path, game));
                }
                return Ok(());
            }
            listed += 1;
            print(arguments, path, &game, &mut out)
        })?;
    }
    for (path, game) in worst.into_iter().flat_map(TopGames::into_games) {
        listed += 1;
        print(arguments, path, &game, &mut out)?;
    }
    out.flush()?;
    for (option, name) in [("--player", &filter.player), ("--against", &filter.against)] {
        if let Some(name) = name {
            known(option, name, &names)?;
        }
    }
    if listed == 0 {
        note(if names.some().is_empty() {
            "there are no games"
        } else {
            "no game is as wanted"
        });
    }
    Ok(())
}

/// Checks that a player called `name` turned up.
pub(super) fn known(option: &str, name: &str, names: &NamesSeen) -> Result<(), Failure> {
    if names.has(name) {
        return Ok(());
    }
    let there = names.some();
    Err(Failure::misuse(if there.is_empty() {
        format!("{option} {name}: there are no games")
    } else {
        format!("{option} {name}: no player has that name; there are {there}")
    }))
}

/// Calls `hear` with each game of the record at `path`, in order.
///
/// # Errors
/// If the record cannot be read, or if `hear` fails.
pub(super) fn games_of(
    path: &Path,
    hear: &mut dyn FnMut(GameDigest, &GameLine) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut reader = RecordReader::open(path, READERS).map_err(Failure::misuse)?;
    let mut number = 0;
    while let Some(chunk) = reader.next_chunk().map_err(Failure::misuse)? {
        for game in &chunk.games {
            number += 1;
            let finished = chunk.end.is_some() || game.contest.is_none();
            hear(GameDigest::new(number, game, finished), game)?;
        }
    }
    reader.remarks().iter().for_each(|remark| note(remark));
    Ok(())
}

fn print(
    arguments: &ListArguments,
    path: &Path,
    game: &GameDigest,
    out: &mut dyn Write,
) -> io::Result<()> {
    let record = text::shown(path.as_os_str().as_encoded_bytes());
    if arguments.json {
        serde_json::to_writer(
            &mut *out,
            &Listed {
                record: &record,
                game,
            },
        )?;
        return writeln!(out);
    }
    if arguments.records.len() > 1 {
        write!(out, "{record}:")?;
    }
    writeln!(out, "{}", game_line(game))
}
