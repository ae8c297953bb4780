//! How much a bot has computed.

use std::time::Duration;

use rustix::process::Pid;

use super::descendants;

/// The processor time that all processes below `supervisor` have used so far, with those that they have waited
/// for; as far as `/proc` says.
pub(super) fn of_descendants(supervisor: Pid) -> Duration {
    let ticks: u64 = descendants::of(supervisor).into_iter().filter_map(ticks).sum();
    // Only a machine of which nothing is known has none.
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(1000 * ticks / a_second)
}

fn ticks(pid: Pid) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    ticks_in(&stat)
}

/// The 14th to 17th word of a line of `/proc/PID/stat`: user and system time, of the process and of those it has
/// waited for.
fn ticks_in(stat: &str) -> Option<u64> {
    descendants::words_after_name(stat)?.skip(11).take(4).map(|word| word.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_found_behind_any_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 3 4 5 6 20 0 1 0 900";
        assert_eq!(ticks_in(stat), Some(3 + 4 + 5 + 6));
        assert_eq!(ticks_in("42 (a"), None);
    }
}
