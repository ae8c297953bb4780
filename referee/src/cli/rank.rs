use std::io::{self, Write};
use std::path::PathBuf;

use clap::Parser;

use super::plan::Misuse;
use super::{complain, exit};
use crate::contest::{AnchorArgument, Choice, Pool, Ranking};
use crate::report::{ranking, standings_csv};
use league::statistics::bradley_terry::Anchor;

#[derive(Debug, Parser)]
pub(super) struct RankArguments {
    /// Records: of matches and tournaments or parts of them, and of single games (play --record)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Count ratings from this player, who gets this rating [default: their mean is 0; without ELO: 0]
    #[arg(long, value_name = "NAME[=ELO]", allow_hyphen_values = true)]
    anchor: Option<AnchorArgument>,
    /// Count only the games among these players
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', allow_hyphen_values = true)]
    only: Vec<String>,
    /// Do not count the games of these players
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', allow_hyphen_values = true)]
    without: Vec<String>,
    /// Print the ranking as JSON
    #[arg(long)]
    json: bool,
    /// Print the ranking as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub(super) const SAME: &str = "\
Players are the same if they have the same name. A series that is in two of the files is an error;
games that do not count in a contest, since nobody is to blame for their end, do not count here.";

/// Ranks the players of some records; returns the exit code.
pub(super) fn run(arguments: &RankArguments) -> anyhow::Result<u8> {
    let (only, without) = (arguments.only.clone(), arguments.without.clone());
    let mut pool = Pool::new(Choice { only, without });
    for file in &arguments.files {
        pool.add_file(file).map_err(Misuse::new)?;
    }
    for warning in pool.warnings() {
        complain(warning);
    }
    if let Some(name) = pool.missing() {
        let what = format!("--only, --without: nobody in these records is called {name:?}");
        return Err(Misuse::new(what).into());
    }
    if pool.tally().games == 0 {
        return Err(Misuse::new("these records have no games to rank anybody by").into());
    }
    let names: Vec<String> = pool.entrants().iter().map(|player| player.name.clone()).collect();
    let anchor = match &arguments.anchor {
        Some(anchor) => anchor.among(&names).map_err(Misuse::new)?,
        None => Anchor::Mean,
    };
    let found = Ranking::new(&pool, anchor)?;
    print(arguments, &found)?;
    Ok(exit::DONE)
}

fn print(arguments: &RankArguments, found: &Ranking) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, found)?;
        writeln!(out)
    } else if arguments.csv {
        out.write_all(&standings_csv(&found.players))
    } else {
        out.write_all(ranking(found).as_bytes())
    }
}
