//! The cost of a reply, in calls of the system: a count does not depend on how busy the machine is.

use std::process::Command;
use testkit::list::Tests;
use testkit::tools::STRACE;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[STRACE], |tests| {
        add!(tests, a_reply_takes_a_request_a_wait_and_the_reply_itself);
    });
}

/// The calls by which lines are exchanged, but for those that read: the referee reads whole programs too.
const CALLS: &str = "trace=write,poll,ppoll,epoll_wait,epoll_pwait,epoll_pwait2,sched_yield";

const GAMES: u32 = 20;

/// Each attacks a hundred cells in the same order.
const REPLIES: u32 = 200 * GAMES;

fn a_reply_takes_a_request_a_wait_and_the_reply_itself() {
    let folder = tempfile::tempdir().unwrap();
    let counts = folder.path().join("counts");
    let status = Command::new("strace")
        .args(["-f", "-c", "-e", CALLS, "-o"])
        .arg(&counts)
        .arg(env!("CARGO_BIN_EXE_referee"))
        .args([
            "match",
            "awful",
            "awful",
            "--games",
            &GAMES.to_string(),
            "--jobs",
            "1",
            "-q",
        ])
        .status()
        .unwrap();
    assert!(status.success());
    let counts = std::fs::read_to_string(counts).unwrap();
    let total = counts
        .lines()
        .find(|line| line.ends_with(" total"))
        .expect("strace adds up");
    // Percent, seconds, microseconds a call, calls.
    let total: u32 = total.split_whitespace().nth(3).unwrap().parse().unwrap();
    // The starts of the programs take some hundreds more.
    assert!(
        (3 * REPLIES..3 * REPLIES + REPLIES / 4).contains(&total),
        "{counts}"
    );
}
