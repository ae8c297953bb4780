//! A contest on a screen: the games of all lanes, and the score.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bothost::Interrupt;
use screen::{Device, Look, Room, Sample};

use super::complain;
use super::exit::{self, Failure};
use super::session::Followed;
use arena::contest::ContestEvent;
use arena::game::{Listener, Stop};
use pages::{Pace, STOPPING, disqualified};
use screen::live::{Gallery, OnStage, Stage};

/// A screen that shows a contest. When this is dropped the terminal is as it was.
#[derive(Debug)]
pub(super) struct Watched {
    stage: Option<Stage>,
    gallery: Arc<Gallery>,
    pace: Arc<Mutex<Pace>>,
}

impl Watched {
    /// Takes the terminal to show a run. Returns `None` if it is too small and the person prefers the usual progress.
    ///
    /// # Errors
    /// If there is no terminal, or the person has left.
    pub(super) fn begin(
        look: Look,
        run: &Followed<'_>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<Watched>, Failure> {
        let mut device = Device::take(look)?;
        match screen::wait_for_room(&mut device, &|| interrupt.is_noted())? {
            Room::Enough => {}
            Room::Plain => return Ok(None),
            Room::Left => {
                drop(device);
                complain("interrupted before the first game");
                return Err(Failure::Said(exit::INTERRUPTED));
            }
        }
        let loses = run.leaves.to_owned();
        let gallery = Arc::new(Gallery::new(run.lanes, run.rules.clone()));
        let pace = Arc::new(Mutex::new(Pace::new(run.names.clone())));
        let (seen, known) = (gallery.clone(), pace.clone());
        let stage = Stage::open(interrupt, move |stage: OnStage| {
            let mut sample = || sample(&seen, &known);
            let is_over = || stage.is_closing();
            let left = screen::watch_lanes(&mut device, &loses, &mut sample, &is_over)?;
            // The terminal is free before the contest says that it stops.
            drop(device);
            Ok(stage.left(left))
        })?;
        Ok(Some(Watched {
            stage: Some(stage),
            gallery,
            pace,
        }))
    }

    /// Returns where the lanes show their games.
    pub(super) fn gallery(&self) -> Arc<Gallery> {
        self.gallery.clone()
    }

    /// Gives the terminal back.
    ///
    /// # Errors
    /// If the contest could not be shown to its end.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.stage.take().map_or(Ok(()), Stage::close)
    }
}

/// Returns what there is to see now.
fn sample(gallery: &Gallery, pace: &Mutex<Pace>) -> Sample {
    let pace = pace.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Sample {
        score: pace.wins().unwrap_or_else(|| pace.leaders()),
        interval: pace.score().unwrap_or_default(),
        pace: format!(", {}{}", pace.speed(), pace.left()),
        done: pace.games(),
        planned: pace.total(),
        lanes: gallery.lanes(),
        finished: gallery.ended(),
    }
}

impl Listener<ContestEvent<'_>> for Watched {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.hear(event);
        match event {
            ContestEvent::Disqualified {
                player,
                faults,
                games,
            } => {
                self.gallery
                    .say(&disqualified(pace.name(*player), *faults, *games));
            }
            ContestEvent::Stopping => {
                // The screen takes this lock.
                drop(pace);
                let closed = self.close();
                complain(STOPPING);
                return Ok(closed?);
            }
            ContestEvent::Started { .. }
            | ContestEvent::GameOver(_)
            | ContestEvent::SeriesOver { .. }
            | ContestEvent::Tick => {}
        }
        Ok(())
    }
}
