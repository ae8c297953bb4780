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
            // The operating system does not say which there are, but may say how many.
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            cores => cores,
        };
        let count = count.unwrap_or(available).max(1);
        Lanes { count, cores: if pinned { cores } else { Vec::new() } }
    }

    /// How many.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// How many lanes have to share a core with another: games there take longer, and bots may be late for it.
    pub(crate) fn too_many(&self) -> bool {
        self.count > std::thread::available_parallelism().map_or(usize::MAX, usize::from)
    }

    /// Binds the calling thread to the core of its lane, and all that it starts.
    pub(super) fn take(&self, lane: usize) {
        if let Some(core) = self.cores.get(lane % self.cores.len().max(1)) {
            // One that cannot be bound plays all the same, only slower.
            let _ = pin::to_core(*core);
        }
    }
}
