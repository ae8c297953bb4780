//! The report of a running contest: rewritten every few seconds.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::data::Live;
use super::{Collector, PastGame, Report, Source, report_page};
use arena::contest::ContestEvent;
use arena::game::{Listener, Stop};
use arena::record::{OutputError, page_output, write_page};
use arena::result::Scoreboard;
use league::statistics::bradley_terry::Anchor;

/// A page is not written more often than this.
const PAUSE: Duration = Duration::from_secs(5);

/// The minimum pause, as a multiple of the time that the last page took: a large contest must not
/// spend its time on its page.
const SHARE: u32 = 20;

/// The option that asks for it.
const OPTION: &str = "--report";

/// Writes the report of a contest while it is played.
#[derive(Debug)]
pub struct LivePage {
    path: PathBuf,
    force: bool,
    /// The record, as the page names it.
    record: PathBuf,
    /// The reference of the ratings.
    anchor: Anchor,
    board: Option<Scoreboard>,
    collector: Collector,
    /// Games in the record so far.
    number: u64,
    /// Those of them whose series was not played to its end.
    left_out: u64,
    /// The time from which the page may be written again.
    next: Instant,
    stamp: u64,
    /// Says that it could not be written, while the contest continues.
    complain: fn(&str),
    /// Whether that was said.
    has_complained: bool,
}

impl LivePage {
    /// Writes to `path`, where only such a page may be unless `force` says so. `record` is the file
    /// of the record, if there is one. Errors on the way go to `complain`, the first of them.
    ///
    /// # Errors
    /// If there is another file, or none can be written.
    pub fn new(
        path: &Path,
        force: bool,
        record: Option<&Path>,
        anchor: Anchor,
        complain: fn(&str),
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
            left_out: 0,
            next: Instant::now(),
            stamp: 0,
            complain,
            has_complained: false,
        })
    }

    /// Writes the page for the last time. `decided` says whether a sequential test has ended the
    /// contest.
    ///
    /// # Errors
    /// If it cannot be written now.
    pub fn finish(&mut self, decided: bool) -> Result<(), OutputError> {
        if let Some(board) = self.board.as_mut().filter(|_| decided) {
            board.decide();
        }
        self.write(false)
    }

    fn write_or_complain(&mut self) {
        if let Err(error) = self.write(true) {
            if !self.has_complained {
                (self.complain)(&format!("{error}; the contest continues"));
            }
            self.has_complained = true;
        }
    }

    fn write(&mut self, is_live: bool) -> Result<(), OutputError> {
        let Some(board) = &self.board else {
            return Ok(());
        };
        let begun = Instant::now();
        self.stamp += 1;
        let (done, of) = board.games();
        let live = Live {
            finished: board.is_finished(),
            done,
            of,
            stamp: self.stamp,
        };
        let page = report_page(&Report {
            source: &Source::contest(board.summary(self.anchor), board.header().clone()),
            collector: &self.collector,
            records: &[(self.record.clone(), self.number)],
            left_out: self.left_out,
            live: is_live.then_some(live),
            supplement: None,
        });
        let written = write_page(OPTION, &self.path, self.force, &page);
        self.next = Instant::now() + PAUSE.max(SHARE * begun.elapsed());
        written
    }
}

impl Listener<ContestEvent<'_>> for LivePage {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        match event {
            ContestEvent::Started { header, game, .. } => {
                let board = Scoreboard::new((*header).clone(), (*game).clone())
                    .map_err(io::Error::other)?;
                self.board = Some(board);
                self.write_or_complain();
            }
            ContestEvent::SeriesOver {
                series, games, end, ..
            } => {
                for game in *games {
                    self.number += 1;
                    if end.is_none() {
                        self.left_out += 1;
                    } else {
                        let number = self.number;
                        let players = series.players;
                        self.collector.hear(PastGame {
                            number,
                            players,
                            game,
                            finished: true,
                        });
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
            self.write_or_complain();
        }
        Ok(())
    }
}
