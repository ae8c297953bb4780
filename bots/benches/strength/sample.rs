//! Means with their errors, and work on all cores.

use std::fmt;
use std::sync::Mutex;
use std::thread;

/// The mean of some numbers.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
}

impl Sample {
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Sample {
        let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for value in values {
            n += 1.0;
            sum += value;
            squares += value * value;
        }
        let mean: f64 = sum / n;
        let variance: f64 = (squares - n * mean * mean) / (n - 1.0);
        Sample {
            mean,
            standard_error: (variance.max(0.0) / n).sqrt(),
        }
    }

    /// The share of the values that hold, in percent.
    pub(crate) fn percent(values: impl IntoIterator<Item = bool>) -> Sample {
        Sample::of(
            values
                .into_iter()
                .map(|holds| 100.0 * f64::from(u8::from(holds))),
        )
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6.2} +- {:.2}", self.mean, self.standard_error)
    }
}

/// Returns the results of `work` for each item, in order. All cores work, each on the next item that is not begun.
pub(crate) fn on_all_cores<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || {
        queue
            .lock()
            .expect("no worker panics with the queue in hand")
            .next()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let worker = || {
            let mut results = Vec::new();
            while let Some((number, item)) = next() {
                results.push((number, work(item)));
            }
            results
        };
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no worker panics"))
            .collect()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
