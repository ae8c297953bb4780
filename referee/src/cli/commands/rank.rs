//! `referee rank`: ratings by the games of any records.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::complain;
use crate::cli::exit::Failure;
use crate::contest::{AnchorArgument, Choice, Ranking, RecordPool};
use crate::report::{Standings, Width, ranking, standings_csv};
use league::statistics::bradley_terry::Anchor;

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch that can be typed")]
pub(crate) struct RankArguments {
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
    /// Of players with one name and different programs, count only the newest: that of the record that was changed last
    #[arg(long, conflicts_with = "by_name")]
    latest: bool,
    /// Count players with one name as one player, though their programs differ
    #[arg(long)]
    by_name: bool,
    /// Print the ranking as JSON
    #[arg(long)]
    json: bool,
    /// Print the ranking as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print the ranking as Markdown, for a wiki or a forum
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    markdown: bool,
    /// Print whole tables, however wide [default: what fits the terminal; 80 columns if the output is none]
    #[arg(long, conflicts_with_all = ["json", "csv", "markdown"])]
    wide: bool,
}

pub(crate) const SAME: &str = "\
Players are the same if they have the same name, program, command and folder. Different programs of one
name are versions of it, each with a row of its own: six digits in brackets tell them apart. A series that
is in two of the files is an error; games that do not count in a contest, because neither player is to blame for their end, do not count here.";

/// Ranks the players of some records.
pub(crate) fn run(arguments: &RankArguments) -> Result<(), Failure> {
    let RankArguments { files, anchor, only, without, .. } = arguments;
    let together = arguments.by_name;
    let mut pool =
        RecordPool::new(Choice { only: only.clone(), without: without.clone(), together });
    if arguments.latest {
        pool.only_latest(files).map_err(Failure::misuse)?;
    }
    for file in files {
        pool.add_file(file).map_err(Failure::misuse)?;
    }
    pool.name_versions();
    for warning in pool.warnings() {
        complain(warning);
    }
    if let Some(name) = pool.missing() {
        let what = format!(
            "--only, --without: no player in these records is called {name:?}; there are {}",
            pool.names().join(", ")
        );
        return Err(Failure::misuse(what));
    }
    if pool.tally().games == 0 && !(only.is_empty() && without.is_empty()) {
        let what = "--only, --without: no games are left among the players that they leave; at least two are needed \
                    that have met";
        return Err(Failure::misuse(what));
    }
    if pool.tally().games == 0 {
        return Err(Failure::misuse("these records have no games to rate players by"));
    }
    let names: Vec<String> = pool.entrants().iter().map(|player| player.name.clone()).collect();
    let anchor = match anchor {
        Some(anchor) => anchor.among(&names).map_err(Failure::misuse)?,
        None => Anchor::Mean,
    };
    let found = Ranking::new(&pool, anchor).map_err(anyhow::Error::from)?;
    print(arguments, &found)?;
    Ok(())
}

fn print(arguments: &RankArguments, found: &Ranking) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, found)?;
        writeln!(out)
    } else if arguments.csv {
        out.write_all(&standings_csv(&found.players))
    } else if arguments.markdown {
        out.write_all(Standings::of_ranking(found).markdown().as_bytes())
    } else {
        out.write_all(ranking(found, Width::of_output(arguments.wide)).as_bytes())
    }
}
