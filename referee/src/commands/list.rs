//! `referee list`: the games of records, a line each.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::CommandArgs;
use crate::exit::Failure;
use crate::help::Group;
use crate::{World, note};
use arena::explain::{GameDigest, GameFilter, NamesSeen, RecordedGames, TopGames};
use arena::game::EndedBy;
use battleship::game_reader::READERS;
use bothost::text;
use pages::game_line;

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Records: of matches and tournaments, and of single games (play --out)
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
The number at the beginning of a line is what --game of replay, report,
explain and debug takes.

Examples:
  referee list cup.jsonl --player mybot --lost
  referee list cup.jsonl --ended-by timeout --ended-by crashed
  referee list cup.jsonl --player mybot --worst 3";

    fn run(self, _: &World) -> Result<(), Failure> {
        let filter = GameFilter {
            player: self.player.as_deref().map(text::name),
            against: self.against.as_deref().map(text::name),
            won: (self.won || self.lost).then_some(self.won),
            ended_by: self.ended_by,
        };
        let mut names = NamesSeen::default();
        let mut worst = TopGames::new(self.worst.unwrap_or(0) as usize);
        let mut lines = Lines {
            has_records: self.records.len() > 1,
            json: self.json,
            out: BufWriter::new(io::stdout().lock()),
            listed: 0,
        };
        for path in &self.records {
            let record = text::shown(path.as_os_str().as_encoded_bytes());
            let mut games = RecordedGames::open(path, READERS).map_err(Failure::misuse)?;
            while let Some((game, _)) = games.read().map_err(Failure::misuse)? {
                names.see(&game);
                if !filter.takes(&game) {
                    continue;
                }
                if self.worst.is_none() {
                    lines.print(&record, &game)?;
                } else if let Some(badness) = filter.badness(&game) {
                    worst.add_with(badness, || (record.clone(), game));
                }
            }
            games.remarks().iter().for_each(|remark| note(remark));
        }
        for (record, game) in worst.games() {
            lines.print(record, game)?;
        }
        lines.out.flush()?;
        for (option, name) in [("--player", &filter.player), ("--against", &filter.against)] {
            if let Some(name) = name {
                known(option, name, &names)?;
            }
        }
        if lines.listed == 0 {
            note(if names.some().is_empty() {
                "there are no games"
            } else {
                "no game is as wanted"
            });
        }
        Ok(())
    }
}

/// The lines of the list.
struct Lines<W: Write> {
    /// Whether each begins with its record.
    has_records: bool,
    json: bool,
    out: W,
    listed: u64,
}

/// A line of JSON.
#[derive(Serialize)]
struct Listed<'g> {
    record: &'g str,
    #[serde(flatten)]
    game: &'g GameDigest,
}

impl<W: Write> Lines<W> {
    fn print(&mut self, record: &str, game: &GameDigest) -> io::Result<()> {
        self.listed += 1;
        if self.json {
            serde_json::to_writer(&mut self.out, &Listed { record, game })?;
            return writeln!(self.out);
        }
        if self.has_records {
            write!(self.out, "{record}:")?;
        }
        writeln!(self.out, "{}", game_line(game))
    }
}

/// Returns the reason that is called `word`.
fn reason(word: &str) -> Result<EndedBy, String> {
    let found = EndedBy::all().find(|reason| reason.word() == word);
    found.ok_or_else(|| {
        let words: Vec<_> = EndedBy::all().map(EndedBy::word).collect();
        format!("the reasons are {}", words.join(", "))
    })
}

/// Checks that a player called `name` turned up.
pub(super) fn known(option: &str, name: &str, names: &NamesSeen) -> Result<(), Failure> {
    if names.has(name) {
        return Ok(());
    }
    let known = names.some();
    Err(Failure::misuse(if known.is_empty() {
        format!("{option} {name}: there are no games")
    } else {
        format!("{option} {name}: no player has that name; there are {known}")
    }))
}
