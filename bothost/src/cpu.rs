//! The processor time that a bot has used.

use std::time::Duration;

use rustix::process::Pid;

use super::descendants;

/// Returns the processor time that all descendants of `supervisor` have used so far, with the children they have waited
/// for, as far as `/proc` says. What an orphan used is lost when it ends.
pub(super) fn of_descendants(supervisor: Pid) -> Duration {
    descendants::roughly_of(supervisor).into_iter().filter_map(of_process).sum()
}

fn of_process(pid: Pid) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let (own, waited_for) = ticks_in(&stat)?;
    // Two sources, neither complete. `stat` counts in ticks of a hundredth of a second, in which a fast bot plays a
    // whole game, but has the threads that have ended. `schedstat` counts nanoseconds, but only of threads that live.
    // Both are at most the truth, so the greater is the better.
    let of_threads = descendants::tasks(pid).filter_map(|task| {
        let line = std::fs::read_to_string(task.join("schedstat")).ok()?;
        line.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    });
    Some(in_time(own).max(of_threads.sum()) + in_time(waited_for))
}

fn in_time(ticks: u64) -> Duration {
    // A division by 0 would need a system that does not know its clock.
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(1000 * ticks / a_second)
}

/// Returns the 14th and 15th word of a line of `/proc/PID/stat`, user and system time of the process, added up, and
/// so the two after them, of the children it has waited for.
fn ticks_in(stat: &str) -> Option<(u64, u64)> {
    let mut ticks =
        descendants::words_after_name(stat)?.skip(11).map(|word| word.parse::<u64>().ok());
    let mut next = || ticks.next().flatten();
    Some((next()? + next()?, next()? + next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_behind_any_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 3 4 5 6 20 0 1 0 900";
        assert_eq!(ticks_in(stat), Some((3 + 4, 5 + 6)));
        assert_eq!(ticks_in("42 (a"), None);
    }
}
