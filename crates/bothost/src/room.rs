//! The number of pairs of bots for which this machine has room, before the first one is started.

use thiserror::Error;

use super::system::{make_room_for_files, tasks_left};

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

/// The reason why a number of pairs has no room.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct TooManyPairs {
    /// The scarce resource and its amount.
    why: String,
    /// The number of pairs that have room, of all the resources that were looked at.
    pub pairs: usize,
}

/// Makes room for this many `pairs` of bots at the same time: raises the soft limit of open files
/// to the hard one if it is too low.
///
/// # Errors
/// If the limits of this process leave less room. That there is room now does not say that there
/// will be: other programs of the user count as well.
pub fn make_room(pairs: usize) -> Result<(), TooManyPairs> {
    let pairs = pairs as u64;
    let files = make_room_for_files(FILES_BESIDES + pairs * FILES_OF_PAIR).unwrap_or(u64::MAX);
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
    fn a_million_pairs_have_no_room() {
        assert_eq!(make_room(1), Ok(()));
        if let Err(none) = make_room(1_000_000) {
            assert!(none.pairs >= 1 && none.pairs < 1_000_000, "{none:?}");
            assert!(none.to_string().contains("ulimit"), "{none}");
        }
    }
}
