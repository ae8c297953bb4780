//! `referee report`: a page with the standings and all games of some records.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::rank::PoolArguments;
use crate::cli::exit::{self, Failure};
use crate::cli::outputs::Outputs;
use crate::cli::{browser, listen, note};
use arena::record::{GameLine, page_output, write_page};
use arena::result::{ReadContest, read_contest};
use battleship::game_reader::READERS;
use pages::{Collector, Live, PastGame, Report, Source, report_page};

/// A page is not written more often than this while a contest runs.
const PAUSE: Duration = Duration::from_secs(5);

/// The minimum pause, as a multiple of the time that the last page took: the contest needs the machine.
const SHARE: u32 = 10;

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Records: of matches and tournaments or parts of them, and of single games (play --record)
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// Write the page to this file; a page that the referee has made is replaced [default: report.html]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out, even if the referee has not made it
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    page: PageOptions,
    #[command(flatten)]
    pool: PoolArguments,
}

/// Actions on the page besides writing it.
#[derive(Clone, Copy, Debug, Args)]
struct PageOptions {
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Rewrite the page while the contest runs, at most every 5 seconds, until it ends or you press Ctrl-C
    #[arg(long, alias = "watch")]
    follow: bool,
    /// Show what good would have attacked in each player's worst games; takes up to a second a game
    #[arg(long)]
    with_good: bool,
}

pub(crate) const EXAMPLES: &str = "\
The page is one file that needs no network. Every game that counts is in it; of
more than 10000, a sample.

Examples:
  referee report cup.jsonl --open
  referee report cup.jsonl -o site/cup.html --follow
  referee report monday.jsonl tuesday.jsonl -o week.html --latest";

/// The content of the records.
struct Found {
    source: Source,
    collector: Collector,
    /// The records, with the number of their games.
    records: Vec<(PathBuf, u64)>,
    /// Games of series that were not played to their end, which do not count.
    left_out: u64,
    /// The progress of the contest, if it has not ended.
    live: Option<Live>,
}

impl Found {
    /// Returns the page, with how far the contest is if it is `live`.
    fn page(&self, live: Option<Live>) -> Result<String, Failure> {
        let Found {
            source,
            collector,
            records,
            left_out,
            ..
        } = self;
        let left_out = *left_out;
        let report = Report {
            source,
            collector,
            records,
            left_out,
            live,
            supplement: None,
        };
        Ok(report_page(&report).map_err(anyhow::Error::from)?)
    }
}

/// Writes a report on some records.
pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ReportArguments { out, force, .. } = arguments;
    let out = out.as_deref().unwrap_or(Path::new("report.html"));
    Outputs {
        files: vec![("--out", Some(out))],
        force: *force,
        inputs: arguments.records.iter().collect(),
        players: Vec::new(),
    }
    .check()?;
    // Before a long record is read.
    page_output("--out", out, *force)
        .check()
        .map_err(Failure::misuse)?;
    let interrupt = arguments.page.follow.then(listen).transpose()?;
    let mut stamp = 0;
    loop {
        let begun = Instant::now();
        let mut found = read_for(arguments)?;
        let live = found.live.take().filter(|_| interrupt.is_some());
        if arguments.page.with_good {
            found.collector.review();
        }
        stamp += 1;
        let live = live.map(|live| Live { stamp, ..live });
        let page = found.page(live)?;
        write_page("--out", out, *force, &page).map_err(Failure::misuse)?;
        if stamp == 1 {
            note(&format!("the report is in {}", out.display()));
            if arguments.page.open {
                browser::open(out);
            }
        }
        let (Some(interrupt), Some(live)) = (&interrupt, live) else {
            return Ok(());
        };
        if stamp == 1 {
            note(&format!(
                "{} of {} games so far; the page is written again until the contest ends or you press Ctrl-C",
                live.done, live.of
            ));
        }
        if !interrupt.wait(Some(PAUSE.max(SHARE * begun.elapsed())))? {
            return Err(Failure::Reported(exit::INTERRUPTED));
        }
    }
}

/// Reads the records that were named.
fn read_for(arguments: &ReportArguments) -> Result<Found, Failure> {
    let ReportArguments {
        records,
        pool,
        page,
        ..
    } = arguments;
    read(records, pool, page.follow)
}

/// Reads the records.
fn read(paths: &[PathBuf], pool: &PoolArguments, follow: bool) -> Result<Found, Failure> {
    let mut collector = Collector::default();
    // A pipe can be read only once.
    if let [path] = paths
        && path.is_file()
        && pool.is_usual()
    {
        let mut hear = |number, players, game: &GameLine| {
            collector.hear(PastGame {
                number,
                players,
                game,
                finished: true,
            });
        };
        let read = read_contest(path, READERS, &mut hear).map_err(Failure::misuse)?;
        if let Some(ReadContest {
            board,
            games,
            left_out,
        }) = read
        {
            let names: Vec<String> = board
                .header()
                .config
                .players
                .iter()
                .map(|player| player.name.clone())
                .collect();
            let summary = board.summary(pool.anchor(&names)?);
            let records = vec![(path.clone(), games)];
            let (done, of) = board.games();
            let live = Live {
                finished: false,
                done,
                of,
                stamp: 0,
            };
            let live = (!board.is_finished()).then_some(live);
            let source = Source::contest(summary, board.header().clone());
            return Ok(Found {
                source,
                collector,
                records,
                left_out,
                live,
            });
        }
    }
    if follow {
        let what = "--follow needs one contest: name the file of its record alone, without --only, --without \
                    and --latest";
        return Err(Failure::misuse(what));
    }
    let mut records: Vec<(PathBuf, u64)> = paths.iter().map(|path| (path.clone(), 0)).collect();
    let mut number = 0;
    let ranking = pool.rank(paths, &mut |record, seats, (game, unfinished)| {
        number += 1;
        records[record].1 += 1;
        let Some(players) = seats else { return };
        collector.hear(PastGame {
            number,
            players,
            game,
            finished: !unfinished,
        });
    })?;
    // Whether any of several records continues is unknown.
    let source = Source::records(ranking);
    Ok(Found {
        source,
        collector,
        records,
        left_out: 0,
        live: None,
    })
}
