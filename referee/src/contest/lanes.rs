//! How many games are played at the same time, and on which cores.

use bothost::pin;

/// How many games are played at the same time, and where.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    count: usize,
    cores: Vec<usize>,
}

impl Lanes {
    /// Returns `count` lanes, at least one; as many as there are cores if `None`. Each is bound to a core of its
    /// own, if they are to be `pinned`.
    pub(crate) fn new(count: Option<usize>, pinned: bool) -> Lanes {
        let cores = pin::cores();
        let available = match cores.len() {
            // Which cores there are is unknown; their number may be known.
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            cores => cores,
        };
        let count = count.unwrap_or(available).max(1);
        Lanes { count, cores: if pinned { cores } else { Vec::new() } }
    }

    /// Returns the number of lanes.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Returns whether some lanes share a core: games take longer there, and bots may be late because of it.
    pub(crate) fn too_many(&self) -> bool {
        self.count > std::thread::available_parallelism().map_or(usize::MAX, usize::from)
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
