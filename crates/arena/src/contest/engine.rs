//! The engine: plays series on lanes. They come from a source and go to a sink, whole or not at all.
//!
//! A contest, a class night, a part of one on a cluster, a verification and a check are the same to it: what they play is
//! their source, what becomes of the results is their sink.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bothost::Interrupt;
use league::schedule::Series;

use super::ContestSetup;
use super::event::GameOver;
use super::event::LaneListeners;
use super::lanes::Lanes;
use super::series::{PlayedSeries, SeriesReferee};
use super::worker_pool::{Jobs, Order, PoolEvent, work_on};

/// Plays series on lanes.
#[derive(Debug)]
pub struct Engine<'e> {
    /// The settings of the games.
    pub setup: &'e ContestSetup,
    /// The number of games that are played at once.
    pub lanes: &'e Lanes,
    /// Whether results are delivered in the order of the series, or as soon as they are there.
    pub order: Order,
    /// Set to begin no other game.
    pub stop: &'e AtomicBool,
    /// The interrupt that breaks off running games; `None` if all are played to their end.
    pub breaks_off: Option<&'e Arc<Interrupt>>,
    /// What hears the games of all lanes, if people watch them.
    pub watched: Option<&'e dyn LaneListeners>,
}

/// A series that a source gives to the engine.
#[derive(Debug)]
pub enum Task {
    /// To be played.
    Play(Series),
    /// Known already: it only waits for its turn.
    Known(Box<PlayedSeries>),
}

/// The result of a series on its lane; an error if the referee or its machine failed in it.
#[derive(Debug)]
pub struct Done {
    /// The series.
    pub series: Series,
    /// Its games. They are fewer than the series has if it was stopped on the way.
    pub played: io::Result<PlayedSeries>,
}

/// The receiver of results. Everything happens on the thread that runs the engine.
pub trait Sink {
    /// The reason why it cannot continue.
    type Error: From<io::Error>;

    /// Hears of a game that is over, on any lane.
    ///
    /// # Errors
    /// If the run is to end because of it.
    fn hear(&mut self, _game: GameOver) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Takes what has been played.
    ///
    /// # Errors
    /// If the run is to end because of it.
    fn accept(&mut self, done: Vec<Done>) -> Result<(), Self::Error>;

    /// Hears ten times a second that time passes.
    ///
    /// # Errors
    /// If the run is to end because of it.
    fn tick(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl Engine<'_> {
    /// Plays what `source` gives, and gives the results to `sink`.
    ///
    /// # Errors
    /// The first error of the sink, or why a lane could not be started.
    pub fn play<S: Sink>(
        &self,
        source: impl Jobs<Job = Task>,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        // A game is played to its end even after Ctrl-C: half a game cannot be recorded.
        let deaf = Arc::new(Interrupt::never()?);
        let Engine {
            setup,
            stop,
            watched,
            breaks_off,
            ..
        } = *self;
        let interrupt = breaks_off.unwrap_or(&deaf);
        let referee = SeriesReferee {
            setup,
            stop,
            interrupt,
            watched,
        };
        let play = |lane: usize, task: Task, over: &mut dyn FnMut(GameOver)| match task {
            Task::Known(played) => Done {
                series: played.series,
                played: Ok(*played),
            },
            Task::Play(series) => {
                // For each series and not once a lane: binding a thread is one system call, and the pool knows no cores.
                self.lanes.take(lane);
                let played = catch_unwind(AssertUnwindSafe(|| referee.play(&series, lane, over)))
                    .unwrap_or_else(|_| {
                        let number = series.number + 1;
                        let what = format!("the referee itself has failed in series {number}");
                        Err(io::Error::other(what))
                    });
                Done { series, played }
            }
        };
        work_on(
            source,
            self.lanes.count(),
            self.order,
            stop,
            play,
            |event| match event {
                PoolEvent::Progress(game) => sink.hear(game),
                PoolEvent::Done(done) => sink.accept(done),
                PoolEvent::Tick => sink.tick(),
            },
        )
    }
}

/// Plays `series` under the terms of `setup` and returns them, in order.
///
/// # Errors
/// If the referee or its machine fails.
pub fn play_all(
    setup: &ContestSetup,
    lanes: &Lanes,
    series: &[Series],
) -> io::Result<Vec<PlayedSeries>> {
    let played = play_until(setup, lanes, series, &Interrupt::never()?)?;
    Ok(played.expect("nothing interrupts it"))
}

/// The same until `interrupt` is noted: `None` then.
///
/// # Errors
/// If the referee or its machine fails.
pub fn play_until(
    setup: &ContestSetup,
    lanes: &Lanes,
    series: &[Series],
    interrupt: &Interrupt,
) -> io::Result<Option<Vec<PlayedSeries>>> {
    struct All<'i> {
        played: Vec<PlayedSeries>,
        interrupt: &'i Interrupt,
        stop: &'i AtomicBool,
    }
    impl Sink for All<'_> {
        type Error = io::Error;

        fn hear(&mut self, _game: GameOver) -> io::Result<()> {
            self.tick()
        }

        fn accept(&mut self, done: Vec<Done>) -> io::Result<()> {
            for one in done {
                self.played.push(one.played?);
            }
            Ok(())
        }

        fn tick(&mut self) -> io::Result<()> {
            self.stop
                .fetch_or(self.interrupt.is_noted(), Ordering::Relaxed);
            Ok(())
        }
    }
    let stop = &AtomicBool::new(false);
    let order = Order::OfJobs;
    let breaks_off = None;
    let engine = Engine {
        setup,
        lanes,
        order,
        stop,
        breaks_off,
        watched: None,
    };
    let mut all = All {
        played: Vec::with_capacity(series.len()),
        interrupt,
        stop,
    };
    engine.play(series.iter().map(|series| Task::Play(*series)), &mut all)?;
    // A series may be cut short.
    Ok((!stop.load(Ordering::Relaxed)).then_some(all.played))
}
