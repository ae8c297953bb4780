//! Independent work on several threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use bothost::pin;

/// Returns the results of `work` for `items`, in their order, on all cores.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // The calling thread may be bound to one core, which its threads inherit.
    on_threads(pin::parallelism(), items, |_| pin::to_all_cores(), work)
}

/// The same on this many `threads`, each of which first calls `begin` with its number.
pub(crate) fn on_threads<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    begin: impl Fn(usize) + Sync,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let run = || {
        // Relaxed: the number is all that the threads share.
        while let place = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(place)
        {
            let result = work(item);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert(place, result);
        }
    };
    let run = &run;
    let begin = &begin;
    thread::scope(|scope| {
        for thread in 0..threads.min(items.len()) {
            let started = Builder::new().spawn_scoped(scope, move || {
                begin(thread);
                run();
            });
            // Without a thread to spare, the calling one does the work.
            if started.is_err() {
                return run();
            }
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let doubled = on_threads(3, &items, |_| (), |item| item * 2);
        assert!(doubled.into_iter().eq((0..1000).map(|item| item * 2)));
        assert!(in_parallel(&[(); 0], |()| ()).is_empty());
    }
}
