//! Referees that are killed in the middle of a contest. `KILLS=1000` in the environment kills that many in the thorough tier.

#![cfg(target_os = "linux")]

use crate::common::kills;
use testkit::list::{Tests, Tier};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_contest_that_is_killed_becomes_the_one_that_was_not,
            what_a_killed_referee_leaves_would_be_found
        );
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[UNIX], |tests| {
            add!(
                tests,
                a_contest_that_is_killed_at_any_moment_becomes_the_one_that_was_not
            );
        })
    });
}

fn a_contest_that_is_killed_becomes_the_one_that_was_not() {
    survives(3);
}

fn a_contest_that_is_killed_at_any_moment_becomes_the_one_that_was_not() {
    let kills = std::env::var("KILLS").map_or(50, |kills| kills.parse().expect("a number"));
    survives(kills);
}

fn survives(kills: usize) {
    let report = kills::run(kills, 1, 3);
    assert!(report.faults.is_empty(), "{report}");
    // Those that come too late are not counted, and on a busy machine there are more of them.
    assert!(report.kills() >= kills / 2, "{report}");
}

fn what_a_killed_referee_leaves_would_be_found() {
    kills::what_is_left_is_found();
}
