//! How much a bot has computed.

use std::time::Duration;

use rustix::process::Pid;

use super::descendants;

/// The processor time that all processes below `supervisor` have used so far, with those that they have waited
/// for; as far as `/proc` says.
pub(super) fn of_descendants(supervisor: Pid) -> Duration {
    descendants::roughly_of(supervisor).into_iter().filter_map(of_process).sum()
}

fn of_process(pid: Pid) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let (own, waited_for) = ticks_in(&stat)?;
    // Ticks are a hundredth of a second, which is a whole game; the scheduler counts nanoseconds, but only those of
    // threads that live.
    let of_threads = descendants::tasks(pid).filter_map(|task| {
        let line = std::fs::read_to_string(task.join("schedstat")).ok()?;
        line.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    });
    Some(in_time(own).max(of_threads.sum()) + in_time(waited_for))
}

fn in_time(ticks: u64) -> Duration {
    // Only a machine of which nothing is known has none.
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(1000 * ticks / a_second)
}

/// The 14th and 15th word of a line of `/proc/PID/stat`, user and system time of the process, and the two after them:
/// of those it has waited for.
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
