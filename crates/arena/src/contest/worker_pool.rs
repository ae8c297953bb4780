//! Work on several lanes at once, whose results come in order if that matters.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Time between two ticks of the listener.
const TICK: Duration = Duration::from_millis(100);

/// Number of jobs for each lane that may be ahead of the oldest one that is not done. Results behind it wait in memory and are
/// not in the record yet, so a slow series must not let the others run away; four keep the lanes busy.
const AHEAD: usize = 4;

/// An event from the lanes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PoolEvent<P, R> {
    /// Something on the way to a result, as it happens.
    Progress(P),
    /// The next results, in the order of their jobs.
    Done(Vec<R>),
    /// Time has passed without another event.
    Tick,
}

/// The order in which results are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the jobs: a result waits for those before it, and lanes do not run far ahead of the oldest job.
    OfJobs,
    /// That in which they are done.
    AsDone,
}

/// The answer of [`Jobs::next_job`].
#[derive(Debug)]
pub enum Next<J> {
    /// The next job.
    Job(J),
    /// None now; there may be one later.
    Later,
    /// None any more.
    End,
}

/// The source of jobs. It is asked whenever a lane is free.
pub trait Jobs: Send {
    /// The data of a job.
    type Job;

    /// Returns the next job.
    fn next_job(&mut self) -> Next<Self::Job>;
}

impl<I: Iterator + Send> Jobs for I {
    type Job = I::Item;

    fn next_job(&mut self) -> Next<I::Item> {
        self.next().map_or(Next::End, Next::Job)
    }
}

/// Runs `work` on each of `jobs`, on this many `lanes`. `work` gets the number of its lane and may report progress.
/// `hear` gets the results in this `order`, on the calling thread. Once `stop` is set, no job is started; the results of
/// those that are running or done still come.
///
/// # Errors
/// Returns the first error of `hear`, after which no job is started and no result is delivered; or why a lane could not
/// be started.
#[cfg(not(target_os = "wasi"))]
pub(super) fn work_on<S: Jobs, P: Send, R: Send, E: From<io::Error>>(
    jobs: S,
    lanes: usize,
    order: Order,
    stop: &AtomicBool,
    work: impl Fn(usize, S::Job, &mut dyn FnMut(P)) -> R + Sync,
    mut hear: impl FnMut(PoolEvent<P, R>) -> Result<(), E>,
) -> Result<(), E> {
    enum Message<P, R> {
        Progress(P),
        Done(usize, R),
    }
    let at = At {
        jobs,
        next: 0,
        done: 0,
    };
    let window = match order {
        Order::OfJobs => AHEAD * lanes,
        Order::AsDone => usize::MAX,
    };
    let queue = JobQueue {
        at: Mutex::new(at),
        moved: Condvar::new(),
        window,
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for lane in 0..lanes {
            let (sender, work, queue) = (sender.clone(), &work, &queue);
            let run = move || {
                let _guard = StopOnPanic(stop);
                while let Some((index, job)) = queue.next(stop) {
                    // Sending fails only if the listener has failed; its error is on its way to the caller.
                    let mut progress = |event| drop(sender.send(Message::Progress(event)));
                    let result = work(lane, job, &mut progress);
                    drop(sender.send(Message::Done(index, result)));
                }
            };
            // No panic if the machine has no thread to spare. The lanes that run by then end after their jobs.
            if let Err(error) = Builder::new().spawn_scoped(scope, run) {
                stop.store(true, Ordering::Relaxed);
                let what = format!("lane {} of {lanes} could not be started: {error}", lane + 1);
                return Err(io::Error::new(error.kind(), what).into());
            }
        }
        drop(sender);
        // Only the lanes hold senders now, so the channel is closed when the last of them ends.
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let outcome = loop {
            let heard = match receiver.recv_timeout(TICK) {
                Ok(first) => {
                    // All that is there at once: with a fast game the results of many jobs then go to the
                    // disk in one write.
                    std::iter::once(first)
                        .chain(receiver.try_iter())
                        .try_for_each(|message| match message {
                            Message::Progress(event) => hear(PoolEvent::Progress(event)),
                            Message::Done(index, result) => {
                                waiting.insert(index, result);
                                Ok(())
                            }
                        })
                }
                Err(RecvTimeoutError::Timeout) => hear(PoolEvent::Tick),
                Err(RecvTimeoutError::Disconnected) => {
                    // All lanes have ended. After a stop the jobs before these may never have been started, so the rest
                    // comes with gaps, but in order.
                    let rest: Vec<_> = std::mem::take(&mut waiting).into_values().collect();
                    break if rest.is_empty() {
                        Ok(())
                    } else {
                        hear(PoolEvent::Done(rest))
                    };
                }
            };
            let ready: Vec<_> = match order {
                Order::AsDone => std::mem::take(&mut waiting).into_values().collect(),
                // Up to the first that is missing.
                Order::OfJobs => std::iter::from_fn(|| {
                    let result = waiting.remove(&next)?;
                    next += 1;
                    Some(result)
                })
                .collect(),
            };
            let heard = heard.and_then(|()| {
                if ready.is_empty() {
                    Ok(())
                } else {
                    hear(PoolEvent::Done(ready))
                }
            });
            queue.done_until(next);
            // The window moves before the loop is left, or lanes that wait for it would sleep until their
            // timeout.
            if heard.is_err() {
                break heard;
            }
        };
        // The lanes end after their current jobs, and the scope waits for them. Their results are dropped.
        if outcome.is_err() {
            stop.store(true, Ordering::Relaxed);
            queue.done_until(next);
        }
        outcome
    })
}

/// The same where there are no threads: one lane, on the thread that hears of it.
#[cfg(target_os = "wasi")]
pub(super) fn work_on<S: Jobs, P: Send, R: Send, E: From<io::Error>>(
    mut jobs: S,
    _lanes: usize,
    _order: Order,
    stop: &AtomicBool,
    work: impl Fn(usize, S::Job, &mut dyn FnMut(P)) -> R + Sync,
    mut hear: impl FnMut(PoolEvent<P, R>) -> Result<(), E>,
) -> Result<(), E> {
    while !stop.load(Ordering::Relaxed)
        && let Next::Job(job) = jobs.next_job()
    {
        let mut heard = Ok(());
        let result = work(0, job, &mut |event| {
            if heard.is_ok() {
                heard = hear(PoolEvent::Progress(event));
            }
        });
        heard?;
        hear(PoolEvent::Done(vec![result]))?;
    }
    Ok(())
}

/// Stops the other lanes when one panics. Its job is never done, so they would wait for the window to move, and the
/// scope, which joins all lanes before it passes the panic on, would wait for them.
struct StopOnPanic<'s>(&'s AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The source of the next job.
struct JobQueue<S> {
    at: Mutex<At<S>>,
    moved: Condvar,
    window: usize,
}

struct At<S> {
    jobs: S,
    next: usize,
    done: usize,
}

impl<S: Jobs> JobQueue<S> {
    /// Returns the next job and its place, as soon as the oldest one that is not done is near enough; `None` if there is
    /// none left, or if the work is to `stop`.
    fn next(&self, stop: &AtomicBool) -> Option<(usize, S::Job)> {
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            // `done` is the oldest job that has not been delivered, not the number of results: order matters,
            // not throughput.
            if at.next < at.done.saturating_add(self.window) {
                match at.jobs.next_job() {
                    Next::Job(job) => {
                        at.next += 1;
                        return Some((at.next - 1, job));
                    }
                    Next::Later => {}
                    Next::End => return None,
                }
            }
            // A timeout, because `stop` is set from outside and does not notify this condition, and what a source waits
            // for may happen elsewhere.
            at = self
                .moved
                .wait_timeout(at, TICK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn done_until(&self, done: usize) {
        self.at.lock().unwrap_or_else(PoisonError::into_inner).done = done;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_their_jobs() {
        let jobs: Vec<usize> = (0..1000).collect();
        // The lane with an even job waits for the one with an odd one, which so is done first.
        let meet = Barrier::new(2);
        let work = |_: usize, job: &usize, progress: &mut dyn FnMut(usize)| {
            progress(*job);
            meet.wait();
            if job.is_multiple_of(2) {
                std::thread::yield_now();
            }
            *job
        };
        let (mut results, mut seen) = (Vec::new(), 0);
        let outcome = work_on(
            jobs.iter(),
            2,
            Order::OfJobs,
            &AtomicBool::new(false),
            work,
            |event| {
                match event {
                    PoolEvent::Progress(_) => seen += 1,
                    PoolEvent::Done(done) => results.extend(done),
                    PoolEvent::Tick => {}
                }
                Ok::<_, io::Error>(())
            },
        );
        assert!(outcome.is_ok());
        assert_eq!((results, seen), (jobs, 1000));
    }

    #[test]
    fn a_lane_waits_for_the_oldest_job() {
        let jobs: Vec<usize> = (0..100).collect();
        let farthest = AtomicBool::new(false);
        let oldest_done = AtomicBool::new(false);
        let work = |_: usize, job: &usize, _: &mut dyn FnMut(())| {
            if *job == 0 {
                // Until the other lane can go no further.
                while !farthest.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
                oldest_done.store(true, Ordering::SeqCst);
            } else if *job == 2 * AHEAD - 1 {
                farthest.store(true, Ordering::SeqCst);
            } else if *job >= 2 * AHEAD {
                assert!(oldest_done.load(Ordering::SeqCst), "{job}");
            }
        };
        let outcome = work_on(
            jobs.iter(),
            2,
            Order::OfJobs,
            &AtomicBool::new(false),
            work,
            |_| Ok::<_, io::Error>(()),
        );
        assert!(outcome.is_ok());
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let jobs: Vec<usize> = (0..1000).collect();
        let stop = AtomicBool::new(false);
        let mut results = Vec::new();
        let outcome = work_on(
            jobs.iter(),
            2,
            Order::OfJobs,
            &stop,
            |_, job, _: &mut dyn FnMut(())| {
                if *job == 10 {
                    stop.store(true, Ordering::Relaxed);
                }
                *job
            },
            |event| {
                if let PoolEvent::Done(done) = event {
                    results.extend(done);
                }
                Ok::<_, io::Error>(())
            },
        );
        assert!(outcome.is_ok());
        assert!(
            results.len() >= 11 && results.len() < 1000 && results.is_sorted(),
            "{results:?}"
        );
    }

    /// It waited for ever for the result, with the other lanes.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_on_a_lane_ends_the_work() {
        let jobs: Vec<usize> = (0..1000).collect();
        let work = |_: usize, job: &usize, _: &mut dyn FnMut(())| assert_ne!(*job, 10);
        let stop = AtomicBool::new(false);
        let _ = work_on(jobs.iter(), 2, Order::OfJobs, &stop, work, |_| {
            Ok::<_, io::Error>(())
        });
    }

    #[derive(Debug, PartialEq)]
    struct DiskFull;

    impl From<io::Error> for DiskFull {
        fn from(_: io::Error) -> DiskFull {
            DiskFull
        }
    }

    #[test]
    fn an_error_of_the_listener_ends_the_work() {
        let jobs: Vec<usize> = (0..1000).collect();
        let work = |_: usize, job: &usize, _: &mut dyn FnMut(())| *job;
        let mut heard = 0;
        let outcome = work_on(
            jobs.iter(),
            2,
            Order::OfJobs,
            &AtomicBool::new(false),
            work,
            |event| {
                heard += usize::from(matches!(event, PoolEvent::Done(_)));
                if matches!(event, PoolEvent::Done(_)) {
                    Err(DiskFull)
                } else {
                    Ok(())
                }
            },
        );
        assert_eq!((outcome, heard), (Err(DiskFull), 1));
    }
}
