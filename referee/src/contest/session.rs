//! The record, the display and the page of a run of many games: opened in one place before a bot
//! starts, and closed in one place.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use battleship::Rules;
use bothost::Interrupt;
use clap::Args;
use league::statistics::bradley_terry::Anchor;
use screen::live::{LiveContest, OnStage, Stage};
use screen::{Device, Fit, Look};

use crate::exit::Failure;
use crate::options::headings;
use crate::play::has_screen;
use crate::{note, unless_closed};
use arena::contest::{ContestEvent, ContestListener, Verifier};
use arena::game::{Listener, Stop};
use arena::result::Summary;
use pages::{LivePage, Pace, Progress, STOPPING, disqualified};

/// Time between two updates of the standings.
const BETWEEN: Duration = Duration::from_millis(100);

/// The options for following a run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = headings::OUTPUT)]
pub(crate) struct FollowOptions {
    /// Write a page, and rewrite it while games are played
    ///
    /// It is rewritten every few seconds; see `referee report`.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Watch on a screen: a game, the standings and results
    #[arg(long, conflicts_with = "quiet")]
    pub watch: bool,
    /// Draw the screen of --watch with ASCII characters only
    #[arg(long, requires = "watch", hide_short_help = true)]
    ascii: bool,
    /// Print nothing on the way
    #[arg(long, short)]
    pub quiet: bool,
}

/// A run that is followed.
#[derive(Debug)]
pub(crate) struct Run<'r> {
    /// The rules of Battleship, if that is played.
    pub rules: Option<&'r Rules>,
    /// The names of the players.
    pub names: Vec<String>,
    /// The file of the record, if there is one.
    pub record: Option<&'r Path>,
    /// The reference of the ratings.
    pub anchor: Anchor,
    /// Whether progress is printed as lines where there is no terminal.
    pub prints_lines: bool,
    /// The consequence of leaving the screen, as a sentence.
    pub leaves: &'r str,
}

/// The display and the page of a run, and the games that are to be played again.
#[derive(Debug)]
pub(crate) struct Session {
    screen: Option<ContestScreen>,
    /// The progress in lines, if no screen shows it.
    progress: Option<Progress>,
    page: Option<LivePage>,
    /// The file of the page, if it is to be named at the end.
    named_page: Option<PathBuf>,
    pub(super) verifier: Option<Verifier>,
    /// The failure of the display or the page, which is reported after the summary.
    failure: Option<Failure>,
}

impl FollowOptions {
    /// Checks that what these options ask for is possible here.
    ///
    /// # Errors
    /// If there is no screen.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.watch && !has_screen() {
            return Err(Failure::misuse(
                "--watch needs a terminal; --report FILE writes a page that follows the contest anywhere",
            ));
        }
        Ok(())
    }

    /// Opens the display and the page of `run`. `force` replaces a page that exists.
    ///
    /// # Errors
    /// If the page cannot be written, or there is no terminal, or the person has left it.
    pub(crate) fn open(
        &self,
        run: &Run<'_>,
        force: bool,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Session, Failure> {
        let screen = match run.rules.filter(|_| self.watch) {
            Some(rules) => {
                ContestScreen::open(Look::of_environment(self.ascii), run, rules, interrupt)?
            }
            None => None,
        };
        let is_seen = run.prints_lines || io::stderr().is_terminal();
        let has_lines = screen.is_none() && !self.quiet && is_seen;
        let page = match &self.report {
            Some(path) => {
                let page = LivePage::new(path, force, run.record, run.anchor, note);
                Some(page.map_err(Failure::misuse)?)
            }
            None => None,
        };
        Ok(Session {
            screen,
            progress: has_lines.then(|| Progress::new(run.names.clone())),
            page,
            named_page: self.report.clone().filter(|_| !self.quiet),
            verifier: None,
            failure: None,
        })
    }
}

impl Session {
    /// Returns the state that a person watches, if one does.
    #[must_use]
    pub(crate) fn watched(&self) -> Option<Arc<LiveContest>> {
        let screen = self.screen.as_ref()?;
        Some(screen.contest.clone())
    }

    /// Gives the terminal back, and writes the page for the last time. `is_decided` tells whether a
    /// sequential test has ended the run. A failure here is an error of [`Session::publish`]: how
    /// the run ended comes first.
    pub(crate) fn close(&mut self, is_decided: bool) {
        self.progress = None;
        if let Some(mut screen) = self.screen.take()
            && let Err(error) = screen.close()
        {
            self.failure = Some(error.into());
        }
        if let Some(page) = &mut self.page
            && let Err(error) = page.finish(is_decided)
        {
            self.failure.get_or_insert(Failure::Fault(error.into()));
        }
    }

    /// Has `summary` printed, and names the page. A reader that has closed the output gets no
    /// summary, which changes nothing else.
    ///
    /// # Errors
    /// If printing fails, or anything failed when this was closed.
    pub(crate) fn publish(
        self,
        summary: &Summary,
        print: impl FnOnce(&Summary) -> io::Result<()>,
    ) -> Result<(), Failure> {
        unless_closed(print(summary))?;
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let Some(path) = self.named_page {
            note(&format!("the report is in {}", path.display()));
        }
        Ok(())
    }
}

impl Listener<ContestEvent<'_>> for Session {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        if let Some(verifier) = &mut self.verifier {
            (verifier as &mut ContestListener<'_>).on_event(event)?;
        }
        if let Some(page) = &mut self.page {
            page.on_event(event)?;
        }
        if let Some(progress) = &mut self.progress {
            progress.on_event(event)?;
        }
        if let Some(screen) = &mut self.screen {
            screen.on_event(event)?;
        }
        Ok(())
    }
}

/// A screen on which a person watches a contest. When it is dropped the terminal is as it was.
#[derive(Debug)]
struct ContestScreen {
    stage: Option<Stage>,
    contest: Arc<LiveContest>,
    pace: Pace,
    /// The time of the next update of the standings.
    next: Instant,
}

impl ContestScreen {
    /// Takes the terminal. Returns `None` if it is too small and the person prefers the usual
    /// progress.
    fn open(
        look: Look,
        run: &Run<'_>,
        rules: &Rules,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<ContestScreen>, Failure> {
        let mut device = Device::take(look)?;
        match screen::wait_until_fits(&mut device, &|| interrupt.is_noted())? {
            Fit::Enough => {}
            Fit::Plain => return Ok(None),
            Fit::Left => {
                drop(device);
                let what = "interrupted before the first game";
                return Err(Failure::Interrupted(what.to_owned()));
            }
        }
        let loss = run.leaves.to_owned();
        let contest = Arc::new(LiveContest::new(rules.clone()));
        let pace = Pace::new(run.names.clone());
        contest.update(String::new(), pace.standings());
        let shown = contest.clone();
        let stage = Stage::open(interrupt, move |stage: OnStage| {
            let left = screen::watch_contest(&mut device, &shown, &loss, &|| stage.is_closing())?;
            // The terminal is free before the contest reports that it stops.
            drop(device);
            Ok(stage.left(left))
        })?;
        Ok(Some(ContestScreen {
            stage: Some(stage),
            contest,
            pace,
            next: Instant::now(),
        }))
    }

    /// Gives the terminal back.
    fn close(&mut self) -> io::Result<()> {
        match self.stage.take() {
            Some(stage) => stage.close(),
            None => Ok(()),
        }
    }
}

impl Listener<ContestEvent<'_>> for ContestScreen {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        self.pace.hear(event);
        if Instant::now() >= self.next {
            let pace = &self.pace;
            let progress = format!(
                "{} of {} games, {}{}",
                pace.games(),
                pace.total(),
                pace.speed(),
                pace.left()
            );
            let begun = Instant::now();
            self.contest.update(progress, pace.standings());
            // The scores of many players take time, which the record must not wait for.
            self.next = begun + BETWEEN.max(20 * begun.elapsed());
        }
        if let ContestEvent::Disqualified {
            player,
            faults,
            games,
        } = event
        {
            let what = disqualified(self.pace.name(*player), *faults, *games);
            self.contest.add_result(what);
        }
        if let ContestEvent::Stopping = event {
            let closed = self.close();
            note(STOPPING);
            closed?;
        }
        Ok(())
    }
}
