//! The number of pairs of bots that the limits of this process allow.

use thiserror::Error;

use super::system::{raise_file_limit, tasks_left};

/// The descriptors of this process that a pair of bots takes: for each bot its three pipes, one for
/// its exit and one for its supervisor's report; and while a bot is being started, the other ends
/// of its pipes and std's own.
const FILES_OF_PAIR: u64 = 16;

/// Descriptors for everything else: streams, records, libraries.
const FILES_BESIDES: u64 = 32;

/// The processes and threads that a pair of bots takes: two bots with their supervisors, the thread
/// that plays, and one that starts a bot. What the bots start themselves is not known.
const TASKS_OF_PAIR: u64 = 6;

/// Processes and threads for everything else.
const TASKS_BESIDES: u64 = 4;

/// More pairs are requested than the limits of this process allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct TooManyPairs {
    /// The scarce resource and its amount.
    why: String,
    /// The number of pairs that all examined limits allow.
    pub pairs: usize,
}

/// Prepares this process for `pairs` pairs of bots at the same time: raises the soft limit of open
/// files if it is too low.
///
/// # Errors
/// If the hard limit of open files, or the limit of processes, allows fewer pairs. Other programs of
/// the user count for the second limit, so later starts can fail without this error.
pub fn ensure_capacity(pairs: usize) -> Result<(), TooManyPairs> {
    let pairs = pairs as u64;
    let files = raise_file_limit(FILES_BESIDES + pairs * FILES_OF_PAIR).unwrap_or(u64::MAX);
    let tasks = tasks_left().unwrap_or(u64::MAX);
    let by_files = files.saturating_sub(FILES_BESIDES) / FILES_OF_PAIR;
    let by_tasks = tasks.saturating_sub(TASKS_BESIDES) / TASKS_OF_PAIR;
    let fitting = by_files.min(by_tasks);
    if fitting >= pairs {
        return Ok(());
    }
    let why = if by_files <= by_tasks {
        format!("a process may have {files} open files (ulimit -Hn)")
    } else {
        format!("this user may start {tasks} more processes and threads (ulimit -u)")
    };
    Err(TooManyPairs {
        why,
        pairs: usize::try_from(fitting).unwrap_or(usize::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_pairs_exceed_the_limits() {
        assert_eq!(ensure_capacity(1), Ok(()));
        if let Err(none) = ensure_capacity(1_000_000) {
            assert!(none.pairs >= 1 && none.pairs < 1_000_000, "{none:?}");
            assert!(none.to_string().contains("ulimit"), "{none}");
        }
    }
}
