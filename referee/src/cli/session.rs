//! The listeners of a run of many games, whatever it is: the progress, a screen, a page.

use battleship::Rules;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bothost::Interrupt;
use clap::Args;
use league::statistics::bradley_terry::Anchor;
use screen::Look;
use serde::Deserialize;

use super::commands::show::has_screen;
use super::complain;
use super::exit::Failure;
use super::watched::Watched;
use crate::cli::options::headings;
use arena::contest::{ContestEvent, ContestListener};
use arena::game::{Listener, Stop};
use arena::result::Summary;
use pages::{LivePage, Progress};
use screen::live::Gallery;

/// Options of what follows a run. One that is `None` was not given.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ListenerOptions {
    /// Write a page, and rewrite it while games are played
    ///
    /// It is rewritten every few seconds; see `referee report`.
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Watch on a screen: the games of all lanes, and the score
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "quiet")]
    #[serde(skip)]
    pub(super) watch: bool,
    /// Draw the screen of --watch with ASCII characters only
    #[arg(long, help_heading = headings::OUTPUT, requires = "watch", hide_short_help = true)]
    #[serde(skip)]
    pub(super) ascii: bool,
    /// Print nothing on the way
    #[arg(long, help_heading = headings::OUTPUT, short)]
    pub(super) quiet: bool,
}

/// The listeners of a run, checked as far as possible without opening anything.
#[derive(Clone, Debug)]
pub struct ListenerPlan {
    pub(super) report: Option<PathBuf>,
    /// Whether files that are there are replaced.
    pub(super) force: bool,
    pub(super) quiet: bool,
    /// The look of the screen on which people watch, if they do.
    pub(super) watch: Option<Look>,
}

/// The run that is followed.
#[derive(Debug)]
pub struct Followed<'f> {
    /// The game, which people may watch.
    pub rules: &'f Rules,
    /// The names of its players.
    pub names: Vec<String>,
    /// The number of its lanes.
    pub lanes: usize,
    /// The file of its record, if there is one.
    pub record: Option<&'f Path>,
    /// The reference of the ratings.
    pub anchor: Anchor,
    /// Whether progress is shown as lines where there is no terminal.
    pub lines: bool,
    /// The effect of leaving the screen of --watch, as a sentence.
    pub leaves: &'f str,
}

/// All that follows a run: what shows it and what is kept of it, closed in one place.
#[derive(Debug)]
pub struct Session {
    page: Option<(LivePage, PathBuf)>,
    progress: Option<Progress>,
    watched: Option<Watched>,
    quiet: bool,
    /// The result of closing this.
    closed: Result<(), Failure>,
}

impl ListenerOptions {
    /// Returns these options with those of `below` where this has none.
    #[must_use]
    pub fn over(self, below: ListenerOptions) -> ListenerOptions {
        ListenerOptions {
            report: self.report.or(below.report),
            watch: self.watch,
            ascii: self.ascii,
            quiet: self.quiet || below.quiet,
        }
    }

    /// Returns the plan of these options.
    ///
    /// # Errors
    /// If they ask for a screen where there is none.
    pub fn plan(&self, force: bool) -> Result<ListenerPlan, Failure> {
        let ListenerOptions {
            report,
            watch,
            ascii,
            quiet,
        } = self.clone();
        let watch = match watch {
            false => None,
            // This may be in a file.
            true if quiet => {
                return Err(Failure::misuse(
                    "--watch shows what happens on a screen; leave quiet out",
                ));
            }
            true if !has_screen() => {
                return Err(Failure::misuse(
                    "--watch needs a terminal; --report FILE writes a page that follows the contest anywhere",
                ));
            }
            true => Some(Look::of_environment(ascii)),
        };
        Ok(ListenerPlan {
            report,
            force,
            quiet,
            watch,
        })
    }
}

impl ListenerPlan {
    /// Opens all that is asked for.
    ///
    /// # Errors
    /// If one of the files cannot be written, or there is no terminal, or the person has left it.
    pub fn open(&self, run: &Followed<'_>, interrupt: &Arc<Interrupt>) -> Result<Session, Failure> {
        let watched = match self.watch {
            Some(look) => Watched::begin(look, run, interrupt)?,
            None => None,
        };
        let is_seen = run.lines || io::stderr().is_terminal();
        let progress =
            (!self.quiet && watched.is_none() && is_seen).then(|| Progress::new(run.names.clone()));
        let page = self.report.as_ref().map(|path| {
            let page = LivePage::new(path, self.force, run.record, run.anchor, complain);
            Ok::<_, Failure>((page.map_err(Failure::misuse)?, path.clone()))
        });
        Ok(Session {
            page: page.transpose()?,
            progress,
            watched,
            quiet: self.quiet,
            closed: Ok(()),
        })
    }
}

impl Session {
    /// Returns where the lanes show their games, if people watch.
    pub fn gallery(&self) -> Option<Arc<Gallery>> {
        self.watched.as_ref().map(Watched::gallery)
    }

    /// Gives the terminal back, and writes the page for the last time. `is_decided` says whether a sequential test has ended
    /// the run. What fails is an error of [`Session::publish`]: how the run ended comes first.
    pub fn close(&mut self, is_decided: bool) {
        self.progress = None;
        let seen = self.watched.as_mut().map_or(Ok(()), Watched::close);
        let written = self
            .page
            .as_mut()
            .map_or(Ok(()), |(page, _)| page.finish(is_decided));
        self.closed = seen
            .map_err(Failure::from)
            .and(written.map_err(|error| Failure::Fault(error.into())));
    }

    /// Has `summary` printed, and says which page there is.
    ///
    /// # Errors
    /// If that fails, or anything failed when this was closed.
    pub fn publish(
        self,
        summary: &Summary,
        print: impl FnOnce(&Summary) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Session {
            page,
            closed,
            quiet,
            ..
        } = self;
        print(summary)?;
        closed?;
        if let Some((_, path)) = page.filter(|_| !quiet) {
            complain(&format!("the report is in {}", path.display()));
        }
        Ok(())
    }
}

impl Listener<ContestEvent<'_>> for Session {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        let Session {
            page,
            progress,
            watched,
            ..
        } = self;
        let all: [Option<&mut ContestListener<'_>>; 3] = [
            page.as_mut().map(|(page, _)| page as _),
            progress.as_mut().map(|progress| progress as _),
            watched.as_mut().map(|watched| watched as _),
        ];
        all.into_iter()
            .flatten()
            .try_for_each(|listener| listener.on_event(event))
    }
}
