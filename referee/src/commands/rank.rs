//! `referee rank`: ratings by the games of any records.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::CommandArgs;
use crate::exit::Failure;
use crate::help::Group;
use crate::{World, note, print_json, say};
use arena::record::GameLine;
use arena::result::{AnchorArgument, Choice, Ranking, RecordPool};
use battleship::game_reader::READERS;
use league::statistics::bradley_terry::Anchor;
use pages::{Width, ranking, standings_csv};

#[derive(Debug, Args)]
pub(crate) struct RankArguments {
    /// Records: of matches and tournaments or parts of them, and of single games (play --out)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pool: PoolArguments,
    /// Print the ranking as JSON
    #[arg(long)]
    json: bool,
    /// Print the ranking as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl CommandArgs for RankArguments {
    const NAME: &'static str = "rank";
    const ABOUT: &'static str = "Rate players by all games of some records";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
Players are the same if they have the same name, program, command and folder.
Different programs of one name are versions of it, each with a row of its own:
six digits in brackets tell them apart. A game that is in two of the files
counts once. Games that do not count in a contest, because neither player is to
blame for their end, do not count here.

Examples:
  referee rank monday.jsonl tuesday.jsonl
  referee rank cup.jsonl --latest --anchor good=2000";

    fn run(self, _: &World) -> Result<(), Failure> {
        let found = self.pool.rank(&self.files, |_, _, _, _| {})?;
        if self.json {
            print_json(&found)?;
        } else if self.csv {
            io::stdout().write_all(&standings_csv(&found.players))?;
        } else {
            say(&ranking(&found, Width::of_output()))?;
        }
        Ok(())
    }
}

/// The players of some records that count, and the reference of their ratings.
#[derive(Debug, Default, Args)]
pub(super) struct PoolArguments {
    /// Count ratings from this player, who gets this rating [default: their mean is 0; without ELO:
    /// 0]
    #[arg(long, value_name = "NAME[=ELO]", allow_hyphen_values = true)]
    anchor: Option<AnchorArgument>,
    /// Count only the games among these players
    #[arg(
        long,
        value_name = "NAME,NAME",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    only: Vec<String>,
    /// Do not count the games of these players
    #[arg(
        long,
        value_name = "NAME,NAME",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    without: Vec<String>,
    /// Of players with one name and different programs, count only the newest: that of the contest
    /// that began last
    #[arg(long)]
    latest: bool,
}

impl PoolArguments {
    /// Returns whether nothing was typed, so that all players count as they are.
    pub(super) fn is_usual(&self) -> bool {
        self.only.is_empty() && self.without.is_empty() && !self.latest
    }

    /// Returns the reference of the ratings of players of these names.
    pub(super) fn anchor(&self, names: &[String]) -> Result<Anchor, Failure> {
        match &self.anchor {
            Some(anchor) => anchor.among(names).map_err(Failure::misuse),
            None => Ok(Anchor::Mean),
        }
    }

    /// Ranks the players of the records `files`. `on_game` hears of each game: the number of its
    /// record, the numbers of its players if it counts, the game, and whether it is of a series
    /// that was not played to its end.
    pub(super) fn rank(
        &self,
        files: &[PathBuf],
        mut on_game: impl FnMut(usize, Option<[usize; 2]>, &GameLine, bool),
    ) -> Result<Ranking, Failure> {
        let choice = Choice {
            only: self.only.clone(),
            without: self.without.clone(),
        };
        let mut pool = RecordPool::new(choice, READERS);
        if self.latest {
            pool.only_latest(files).map_err(Failure::misuse)?;
        }
        for (number, file) in files.iter().enumerate() {
            pool.add_file(file, &mut |seats, game, unfinished| {
                on_game(number, seats, game, unfinished);
            })
            .map_err(Failure::misuse)?;
        }
        pool.name_versions();
        for warning in pool.warnings() {
            note(warning);
        }
        if let Some(name) = pool.missing() {
            let what = format!(
                "--only, --without: no player in these records is called {name:?}; there are {}",
                pool.names().join(", ")
            );
            return Err(Failure::misuse(what));
        }
        if pool.tally().games == 0 {
            return Err(Failure::misuse(
                if self.only.is_empty() && self.without.is_empty() {
                    "these records have no games to rate players by"
                } else {
                    "--only, --without: no games are left among the players that they leave; at least two are needed \
                     that have met"
                },
            ));
        }
        let entrants = pool.entrants().iter();
        let names: Vec<String> = entrants.map(|player| player.name.clone()).collect();
        Ok(Ranking::new(&pool, self.anchor(&names)?))
    }
}
