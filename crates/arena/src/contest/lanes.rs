//! The number of games that are played at the same time, and on which cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use bothost::{TooManyPairs, make_room, pin};
use thiserror::Error;

/// The number of games that are played at the same time, and where.
#[derive(Clone, Debug)]
pub struct Lanes {
    count: usize,
    cores: Vec<usize>,
}

/// The machine has no room for this many lanes.
#[derive(Debug, Error)]
#[error(
    "--jobs {lanes}: there is no room for the bots of that many games at once: {none}; {}",
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
    /// Returns `count` lanes, at least one; as many as there are cores if `None`. Each is bound to a core of its
    /// own, if they are to be `pinned`.
    pub fn new(count: Option<usize>, pinned: bool) -> Lanes {
        let cores = pin::cores();
        let available = match cores.len() {
            // The cores are unknown; their number may be known.
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            cores => cores,
        };
        let count = count.unwrap_or(available).max(1);
        Lanes {
            count,
            cores: if pinned { cores } else { Vec::new() },
        }
    }

    /// Returns the same lanes as the ones of part `index` of several, which may be played on one machine: they begin at
    /// other cores than those of its neighbours.
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

    /// Returns whether some lanes share a core: games take longer there, and bots may be late because of it.
    pub fn too_many(&self) -> bool {
        self.count > std::thread::available_parallelism().map_or(usize::MAX, usize::from)
    }

    /// Sees to it that the machine has room for the bots of all lanes.
    ///
    /// # Errors
    /// If it has not, with what to do about it.
    pub fn make_room(&self) -> Result<(), TooManyLanes> {
        let lanes = self.count;
        make_room(lanes).map_err(|none| TooManyLanes { lanes, none })
    }

    /// Binds the calling thread to the core of its lane, and all that it starts.
    pub(super) fn take(&self, lane: usize) {
        // More lanes than cores share them in turn. Without cores there is nothing to bind to.
        if let Some(core) = self.cores.get(lane % self.cores.len().max(1)) {
            // A lane that cannot be bound plays as well, only slower.
            let _ = pin::to_core(*core);
        }
    }
}

/// Returns the results of `work` for `items`, in their order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(items.len());
    let (next, done) = (
        AtomicUsize::new(0),
        Mutex::new(Vec::with_capacity(items.len())),
    );
    let run = || {
        // Relaxed: the number is all that the threads share.
        while let Some((place, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            let result = work(item);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((place, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without a thread to spare, the calling one does all of the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}
