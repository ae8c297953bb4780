//! `referee report`: a page with the standings and all games of some records.

use std::path::PathBuf;

use clap::Args;

use crate::cli::complain;
use crate::cli::exit::Failure;
use crate::contest::{Choice, Ranking, RecordPool, read_contest};
use crate::record::write_page;
use crate::report::{Collector, PastGame, Report, Standings, report_page};
use league::statistics::bradley_terry::Anchor;

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Records: of matches and tournaments or parts of them, and of single games (play --record)
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// The page; one that the referee has made before is replaced
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Replace the file of --out, whatever it is
    #[arg(long)]
    force: bool,
}

/// What was read of the records.
struct Read {
    standings: Standings,
    collector: Collector,
    /// The records, with the number of their games.
    records: Vec<(PathBuf, u64)>,
}

/// Writes a report on some records.
pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let Read { standings, collector, records } = read(&arguments.records)?;
    let report = Report { standings: &standings, collector: &collector, records: &records };
    let page = report_page(&report).map_err(anyhow::Error::from)?;
    write_page("--out", &arguments.out, arguments.force, &page).map_err(Failure::misuse)?;
    complain(&format!("the report is in {}", arguments.out.display()));
    Ok(())
}

fn read(paths: &[PathBuf]) -> Result<Read, Failure> {
    let mut collector = Collector::default();
    if let [path] = paths
        && path.is_file()
    {
        let about =
            |error: &dyn std::fmt::Display| Failure::misuse(format!("{}: {error}", path.display()));
        let mut hear = |number, players, game: &_| {
            collector.hear(PastGame { number, players, game, finished: true });
        };
        if let Some(board) = read_contest(path, &mut hear).map_err(|error| about(&error))? {
            let summary = board.summary(Anchor::Mean).map_err(anyhow::Error::from)?;
            let records = vec![(path.clone(), collector.heard())];
            let standings = Standings::of_contest(summary, board.header().clone());
            return Ok(Read { standings, collector, records });
        }
    }
    read_pool(paths)
}

fn read_pool(paths: &[PathBuf]) -> Result<Read, Failure> {
    let mut collector = Collector::default();
    let mut pool = RecordPool::new(Choice::default());
    let (mut records, mut number) = (Vec::new(), 0);
    for path in paths {
        let before = number;
        let mut hear = |seats: Option<[usize; 2]>, game: &_, unfinished: bool| {
            number += 1;
            if let Some(players) = seats {
                collector.hear(PastGame { number, players, game, finished: !unfinished });
            }
        };
        pool.add_file_and(path, &mut hear).map_err(Failure::misuse)?;
        records.push((path.clone(), number - before));
    }
    pool.name_versions();
    for warning in pool.warnings() {
        complain(warning);
    }
    let ranking = Ranking::new(&pool, Anchor::Mean).map_err(anyhow::Error::from)?;
    Ok(Read { standings: Standings::of_records(ranking), collector, records })
}
