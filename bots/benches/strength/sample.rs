//! Means with their errors, and work on all cores.

use std::fmt;
use std::sync::Mutex;
use std::thread;

/// The mean of some numbers.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) mean: f64,
    standard_error: f64,
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
                .map(|holds| if holds { 100.0 } else { 0.0 }),
        )
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6.2} +- {:.2}", self.mean, self.standard_error)
    }
}

/// Returns the results of `work` for the numbers below `count`, in order. All cores work, each on
/// the next number.
pub(crate) fn on_all_cores<R: Send>(count: u64, work: impl Fn(u64) -> R + Sync) -> Vec<R> {
    let (numbers, results) = (Mutex::new(0..count), Mutex::new(Vec::new()));
    let next = || numbers.lock().expect("no worker panics with it").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(number) = next() {
                    let result = work(number);
                    let mut results = results.lock().expect("no worker panics with it");
                    results.push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics with it");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
