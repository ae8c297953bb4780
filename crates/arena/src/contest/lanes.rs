//! The lanes: how many series are played at the same time, and on which cores. Series come from a
//! source and go to a sink.
//!
//! A contest, a class's night, a verification and a check are the same to them: what they play is
//! their source, what becomes of the results is their sink.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use bothost::{Interrupt, TooManyPairs, ensure_capacity, pin};
use league::schedule::Series;
use thiserror::Error;

use super::ContestSetup;
use super::event::GameOver;
use super::series::{PlayedSeries, SeriesReferee};
use crate::parallel::on_threads;
use wire::game::Table;

/// Time between two ticks of a sink.
const TICK: Duration = Duration::from_millis(100);

/// Number of series for each lane that may be ahead of the oldest one that is not delivered.
/// Results behind it wait in memory and are not in the record yet, so a slow series must not let
/// the others run away; four keep the lanes busy.
const AHEAD: usize = 4;

/// The number of games that are played at the same time, and where.
#[derive(Clone, Debug)]
pub struct Lanes {
    count: usize,
    cores: Vec<usize>,
}

/// The series that lanes play. It is asked whenever a lane is free.
pub trait Source: Send {
    /// Returns the next task of a lane.
    fn next(&mut self) -> Next;
}

/// The answer of [`Source::next`].
#[derive(Debug)]
pub enum Next {
    /// It plays a series.
    Play(Series),
    /// It passes on a series that is known already.
    Known(Box<PlayedSeries>),
    /// It waits: there is none now, but there may be one later.
    Later,
    /// It ends.
    End,
}

/// The order in which results are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// That of the source: a result waits for those before it, and lanes do not run far ahead of
    /// the oldest series.
    InOrder,
    /// That in which they are done.
    AsDone,
}

/// A series that a lane is done with.
#[derive(Debug)]
pub struct Done {
    /// The series.
    pub series: Series,
    /// Its games, fewer than it has if it was stopped on the way; an error if the referee or its
    /// machine failed in it.
    pub played: io::Result<PlayedSeries>,
}

/// The receiver of results. All of it runs on the thread that called [`Lanes::play`].
pub trait Sink {
    /// The reason why it cannot continue.
    type Error: From<io::Error>;

    /// Receives a game that is over, on any lane.
    ///
    /// # Errors
    /// If the lanes are to end because of it.
    fn on_game(&mut self, _game: GameOver) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Takes series that are done.
    ///
    /// # Errors
    /// If the lanes are to end because of it.
    fn accept(&mut self, done: Vec<Done>) -> Result<(), Self::Error>;

    /// Is called ten times a second while nothing else happens.
    ///
    /// # Errors
    /// If the lanes are to end because of it.
    fn tick(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The limits of the machine allow fewer lanes.
#[derive(Debug, Error)]
#[error(
    "--jobs {lanes}: the limits of this machine do not allow the bots of that many games at once: {none}; {}",
    match .none.pairs {
        0 => "raise that limit".to_owned(),
        pairs => format!("--jobs {pairs} would fit"),
    }
)]
pub struct TooManyLanes {
    lanes: usize,
    none: TooManyPairs,
}

impl Lanes {
    /// Returns `count` lanes, at least one; as many as there are cores if `None`. Each is bound to
    /// a core of its own, if they are to be `pinned`.
    #[must_use]
    pub fn new(count: Option<usize>, pinned: bool) -> Lanes {
        let cores = pin::cores();
        let available = match cores.len() {
            // The cores are unknown; their number may be known.
            0 => pin::parallelism(),
            cores => cores,
        };
        let count = count.unwrap_or(available).max(1);
        Lanes {
            count,
            cores: if pinned { cores } else { Vec::new() },
        }
    }

    /// Returns the same lanes as the ones of part `index` of several, which may be played on one
    /// machine: they begin at other cores than those of its neighbours.
    #[must_use]
    pub fn of_part(mut self, index: usize) -> Lanes {
        let cores = self.cores.len().max(1);
        self.cores
            .rotate_left((index % cores) * (self.count % cores) % cores);
        self
    }

    /// Returns the number of lanes.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns whether some lanes share a core: games take longer there, and bots may be late
    /// because of it.
    #[must_use]
    pub fn too_many(&self) -> bool {
        self.count > pin::parallelism()
    }

    /// Raises the limit of open files to what the bots of all lanes need.
    ///
    /// # Errors
    /// If it has not, with what to do about it.
    pub fn ensure_capacity(&self) -> Result<(), TooManyLanes> {
        let lanes = self.count;
        ensure_capacity(lanes).map_err(|none| TooManyLanes { lanes, none })
    }

    /// Lets `referee` play what `source` gives, and delivers the results to `sink`. Once the
    /// referee is stopped, no series is begun; those that are running or done are still delivered.
    ///
    /// # Errors
    /// The first error of the sink, after which nothing is begun or delivered; or why a lane could
    /// not be started.
    #[cfg(not(target_os = "wasi"))]
    pub fn play<S: Sink>(
        &self,
        referee: &SeriesReferee<'_>,
        delivery: Delivery,
        source: impl Source,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        let lanes = self.count;
        let queue = Queue {
            state: Mutex::new(QueueState {
                source,
                given: 0,
                delivered: 0,
            }),
            moved: Condvar::new(),
            window: match delivery {
                Delivery::InOrder => AHEAD * lanes,
                Delivery::AsDone => usize::MAX,
            },
        };
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            // The scope waits for the lanes also if the sink panics.
            let _guard = StopOnPanic(referee.stop);
            for lane in 0..lanes {
                let sender = sender.clone();
                let queue = &queue;
                let run = move || {
                    self.bind(lane);
                    // Sending fails only if the sink has failed; its error is on its way to the
                    // caller.
                    let mut table = None;
                    while let (place, next) = queue.next(referee.stop)
                        && let Some(done) = done(next, referee, lane, &mut table, &mut |game| {
                            drop(sender.send(Message::Game(game)));
                        })
                    {
                        drop(sender.send(Message::Done(place, Box::new(done))));
                    }
                };
                // No panic if the machine has no thread to spare. The lanes that run by then end
                // after their series.
                if let Err(error) = Builder::new().spawn_scoped(scope, run) {
                    referee.stop.store(true, Ordering::Relaxed);
                    let lane = lane + 1;
                    let what = format!("lane {lane} of {lanes} could not be started: {error}");
                    return Err(io::Error::new(error.kind(), what).into());
                }
            }
            // Only the lanes hold senders now, so the channel is closed when the last of them ends.
            drop(sender);
            let outcome = deliver(&receiver, &queue, delivery, sink);
            if outcome.is_err() {
                referee.stop.store(true, Ordering::Relaxed);
                queue.moved.notify_all();
            }
            outcome
        })
    }

    /// Plays all series on the thread of the sink, on a system without threads.
    ///
    /// # Errors
    /// If the sink refuses a series, or the referee or its machine fails.
    #[cfg(target_os = "wasi")]
    pub fn play<S: Sink>(
        &self,
        referee: &SeriesReferee<'_>,
        _delivery: Delivery,
        mut source: impl Source,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        let mut table = None;
        while !referee.stop.load(Ordering::Relaxed) {
            let mut outcome = Ok(());
            let Some(done) = done(source.next(), referee, 0, &mut table, &mut |game| {
                if outcome.is_ok() {
                    outcome = sink.on_game(game);
                }
            }) else {
                break;
            };
            outcome?;
            sink.accept(vec![done])?;
        }
        Ok(())
    }

    /// Returns the results of `work` for `items`, in their order.
    pub fn each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        on_threads(self.count, items, |lane| self.bind(lane), work)
    }

    /// Binds the calling thread to the core of its lane, and all that it starts.
    fn bind(&self, lane: usize) {
        // More lanes than cores share them in turn. Without cores there is nothing to bind to.
        if let Some(core) = self.cores.get(lane % self.cores.len().max(1)) {
            // A lane that cannot be bound plays as well, only slower.
            let _ = pin::to_core(*core);
        }
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
    let played = play_until(setup, lanes, series, &Arc::new(Interrupt::never()?))?;
    Ok(played.expect("nothing interrupts it"))
}

/// The same until `interrupt` is noted, which breaks off what is played: `None` then.
///
/// # Errors
/// If the referee or its machine fails.
pub fn play_until(
    setup: &ContestSetup,
    lanes: &Lanes,
    series: &[Series],
    interrupt: &Arc<Interrupt>,
) -> io::Result<Option<Vec<PlayedSeries>>> {
    struct All<'i> {
        played: Vec<PlayedSeries>,
        interrupt: &'i Interrupt,
        stop: &'i AtomicBool,
    }
    impl Sink for All<'_> {
        type Error = io::Error;

        fn on_game(&mut self, _game: GameOver) -> io::Result<()> {
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
    let referee = SeriesReferee {
        setup,
        stop,
        interrupt,
        watched: None,
    };
    let mut all = All {
        played: Vec::with_capacity(series.len()),
        interrupt,
        stop,
    };
    let source = Listed(series.iter().map(|series| Next::Play(*series)));
    lanes.play(&referee, Delivery::InOrder, source, &mut all)?;
    // A series may be cut short.
    Ok((!stop.load(Ordering::Relaxed)).then_some(all.played))
}

/// A source of what is known before.
pub(super) struct Listed<I>(pub(super) I);

impl<I: Iterator<Item = Next> + Send> Source for Listed<I> {
    fn next(&mut self) -> Next {
        self.0.next().unwrap_or(Next::End)
    }
}

/// Does what a source has given to `lane`, at whose `table` one game after the other is played.
/// Returns `None` at the end.
fn done(
    next: Next,
    referee: &SeriesReferee<'_>,
    lane: usize,
    table: &mut Option<Box<dyn Table>>,
    on_game: &mut dyn FnMut(GameOver),
) -> Option<Done> {
    match next {
        Next::Play(series) => {
            let play = AssertUnwindSafe(|| referee.play(&series, lane, table, on_game));
            let played = catch_unwind(play).unwrap_or_else(|_| {
                let number = series.number + 1;
                let what = format!("the referee itself has failed in series {number}");
                Err(io::Error::other(what))
            });
            Some(Done { series, played })
        }
        Next::Known(played) => Some(Done {
            series: played.series,
            played: Ok(*played),
        }),
        Next::Later | Next::End => None,
    }
}

/// A message of a lane.
enum Message {
    Game(GameOver),
    /// What the source gave at this place is done.
    Done(usize, Box<Done>),
}

/// Passes to `sink` what comes from the lanes, until all of them have ended.
fn deliver<S: Sink>(
    receiver: &Receiver<Message>,
    queue: &Queue<impl Source>,
    delivery: Delivery,
    sink: &mut S,
) -> Result<(), S::Error> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        let mut have_ended = false;
        match receiver.recv_timeout(TICK) {
            // All that is there at once: with a fast game the results of many series then go to the
            // disk in one write.
            Ok(first) => {
                for message in std::iter::once(first).chain(receiver.try_iter()) {
                    match message {
                        Message::Game(game) => sink.on_game(game)?,
                        Message::Done(place, done) => {
                            waiting.insert(place, *done);
                        }
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) => sink.tick()?,
            Err(RecvTimeoutError::Disconnected) => have_ended = true,
        }
        let mut ready = Vec::new();
        if delivery == Delivery::InOrder {
            while let Some(done) = waiting.remove(&next) {
                ready.push(done);
                next += 1;
            }
        }
        // After a stop some may never have been begun, so the rest comes with gaps, but in order.
        if delivery == Delivery::AsDone || have_ended {
            ready.extend(std::mem::take(&mut waiting).into_values());
        }
        if !ready.is_empty() {
            sink.accept(ready)?;
        }
        if have_ended {
            return Ok(());
        }
        queue.move_to(next);
    }
}

/// Ends the lanes when the sink panics.
struct StopOnPanic<'s>(&'s AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(thread::panicking(), Ordering::Relaxed);
    }
}

/// What the lanes share.
struct Queue<S> {
    state: Mutex<QueueState<S>>,
    moved: Condvar,
    window: usize,
}

struct QueueState<S> {
    source: S,
    /// The number of series that it has given.
    given: usize,
    /// The place of the oldest series that has not been delivered, not the number of results: order
    /// matters, not throughput.
    delivered: usize,
}

impl<S: Source> Queue<S> {
    /// Returns the next task of a lane, and its place, as soon as the oldest series that is not
    /// delivered is near enough; [`Next::End`] after a `stop`.
    fn next(&self, stop: &AtomicBool) -> (usize, Next) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !stop.load(Ordering::Relaxed) {
            if state.given < state.delivered.saturating_add(self.window) {
                let next = state.source.next();
                if !matches!(next, Next::Later) {
                    state.given += 1;
                    return (state.given - 1, next);
                }
            }
            // A timeout, because `stop` is set from outside and does not notify this condition, and
            // what a source waits for may happen elsewhere.
            let waited = self.moved.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (state.given, Next::End)
    }

    fn move_to(&self, delivered: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.delivered = delivered;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation_tests::setup_of_two;

    /// Takes what comes, and fails after some.
    #[derive(Debug, Default)]
    struct Taken {
        numbers: Vec<usize>,
        fails_after: Option<usize>,
        panics: bool,
    }

    impl Sink for Taken {
        type Error = io::Error;

        fn accept(&mut self, done: Vec<Done>) -> io::Result<()> {
            assert!(!self.panics, "the sink panics");
            self.numbers
                .extend(done.iter().map(|one| one.series.number));
            match self.fails_after {
                Some(bound) if self.numbers.len() > bound => Err(io::Error::other("disk full")),
                _ => Ok(()),
            }
        }
    }

    fn series(number: usize) -> Series {
        Series {
            number,
            round: 0,
            players: [0, 1],
            first_game: 0,
            games: 2,
        }
    }

    /// Plays 500 series on three lanes; `given` receives each before it is given, with the switch
    /// that stops it.
    fn play(
        sink: &mut Taken,
        delivery: Delivery,
        mut given: impl FnMut(usize, &AtomicBool) + Send,
    ) -> io::Result<()> {
        let stop = &AtomicBool::new(false);
        let referee = SeriesReferee {
            setup: &setup_of_two(),
            stop,
            interrupt: &Arc::new(Interrupt::never().unwrap()),
            watched: None,
        };
        let source = Listed((0..500).map(|number| {
            given(number, stop);
            Next::Play(series(number))
        }));
        Lanes::new(Some(3), false).play(&referee, delivery, source, sink)
    }

    #[test]
    fn results_come_in_the_order_of_the_source() {
        let mut taken = Taken::default();
        play(&mut taken, Delivery::InOrder, |_, _| ()).unwrap();
        assert!(taken.numbers.iter().copied().eq(0..500));
        let mut taken = Taken::default();
        play(&mut taken, Delivery::AsDone, |_, _| ()).unwrap();
        taken.numbers.sort_unstable();
        assert!(taken.numbers.into_iter().eq(0..500));
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let mut taken = Taken::default();
        let stop_at_ten = |number, stop: &AtomicBool| stop.store(number == 10, Ordering::Relaxed);
        play(&mut taken, Delivery::InOrder, stop_at_ten).unwrap();
        assert!(taken.numbers.iter().copied().eq(0..11), "{taken:?}");
    }

    #[test]
    fn an_error_of_the_sink_ends_the_lanes() {
        let mut taken = Taken {
            fails_after: Some(10),
            ..Taken::default()
        };
        let mut last = 0;
        let outcome = play(&mut taken, Delivery::InOrder, |number, _| last = number);
        assert_eq!(outcome.unwrap_err().to_string(), "disk full");
        // No lane was further ahead than it may be.
        assert!(last < taken.numbers.len() + 3 * AHEAD, "{last}: {taken:?}");
    }

    #[test]
    #[should_panic(expected = "the sink panics")]
    fn a_panic_of_the_sink_ends_the_lanes() {
        let mut taken = Taken {
            panics: true,
            ..Taken::default()
        };
        let _ = play(&mut taken, Delivery::InOrder, |_, _| ());
    }

    #[test]
    fn a_panic_in_a_series_is_a_failure_of_the_referee() {
        let setup = setup_of_two();
        let nobody = Series {
            players: [0, 9],
            ..series(4)
        };
        let outcome = play_all(&setup, &Lanes::new(Some(2), false), &[series(0), nobody]);
        assert_eq!(
            outcome.unwrap_err().to_string(),
            "the referee itself has failed in series 5"
        );
    }
}
