//! The report of a contest that is still played: written anew every few seconds.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::data::Live;
use super::{Collector, PastGame, Report, Source, report_page};
use crate::contest::{ContestEvent, Reporter, Scoreboard};
use crate::record::{OutputError, page_output, write_page};
use league::statistics::bradley_terry::Anchor;

/// A page is not written more often than this.
const PAUSE: Duration = Duration::from_secs(5);

/// Nor more often than this times the time that it took: a large contest must not spend its time on its page.
const SHARE: u32 = 20;

/// The option that asks for it.
const OPTION: &str = "--report";

/// Writes the report of a contest while it is played.
#[derive(Debug)]
pub(crate) struct LivePage {
    path: PathBuf,
    force: bool,
    /// The record, by which the page calls it.
    record: PathBuf,
    /// What ratings are counted from.
    anchor: Anchor,
    board: Option<Scoreboard>,
    collector: Collector,
    /// Games in the record so far.
    number: u64,
    /// When the page may be written again.
    next: Instant,
    stamp: u64,
    /// The first error of writing it; the contest goes on.
    failed: Option<OutputError>,
}

impl LivePage {
    /// Writes to `path`, where only such a page may be unless `force` says so. `record` is the file of the record, if there
    /// is one.
    ///
    /// # Errors
    /// If there is another file, or none can be written.
    pub(crate) fn new(
        path: &Path,
        force: bool,
        record: Option<&Path>,
        anchor: Anchor,
    ) -> Result<LivePage, OutputError> {
        page_output(OPTION, path, force).check()?;
        Ok(LivePage {
            path: path.to_owned(),
            force,
            record: record.unwrap_or(Path::new("no record")).to_owned(),
            anchor,
            board: None,
            collector: Collector::default(),
            number: 0,
            next: Instant::now(),
            stamp: 0,
            failed: None,
        })
    }

    /// Writes the page for the last time. `decided` says whether a sequential test has ended the contest.
    ///
    /// # Errors
    /// If it cannot be written, or could not be before.
    pub(crate) fn finish(mut self, decided: bool) -> Result<(), OutputError> {
        if let Some(board) = self.board.as_mut().filter(|_| decided) {
            board.decide();
        }
        self.failed = None;
        self.write(false);
        self.failed.map_or(Ok(()), Err)
    }

    fn write(&mut self, is_live: bool) {
        let Some(board) = &self.board else { return };
        let begun = Instant::now();
        self.stamp += 1;
        let (done, of) = board.games();
        let live = Live { finished: board.is_finished(), done, of, stamp: self.stamp };
        let page = board.summary(self.anchor).map_err(io::Error::other).and_then(|summary| {
            report_page(&Report {
                source: &Source::contest(summary, board.header().clone()),
                collector: &self.collector,
                records: &[(self.record.clone(), self.number)],
                live: is_live.then_some(live),
            })
        });
        let written = match page {
            Ok(page) => write_page(OPTION, &self.path, self.force, &page),
            Err(error) => Err(page_output(OPTION, &self.path, self.force).failed(error)),
        };
        self.failed = self.failed.take().or(written.err());
        self.next = Instant::now() + PAUSE.max(SHARE * begun.elapsed());
    }
}

impl Reporter for LivePage {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        match event {
            ContestEvent::Started { header, .. } => {
                let board = Scoreboard::new((*header).clone()).map_err(io::Error::other)?;
                self.board = Some(board);
                self.write(true);
            }
            ContestEvent::SeriesOver { series, games, end, .. } => {
                for game in *games {
                    self.number += 1;
                    if end.is_some() {
                        let (number, players) = (self.number, series.players);
                        self.collector.hear(PastGame { number, players, game, finished: true });
                    }
                }
                if let (Some(board), Some(end)) = (&mut self.board, end) {
                    board.add(games, end);
                }
            }
            ContestEvent::Tick | ContestEvent::GameOver(_) => {}
            ContestEvent::Disqualified { .. } | ContestEvent::Stopping => return Ok(()),
        }
        if Instant::now() >= self.next {
            self.write(true);
        }
        Ok(())
    }
}
