//! File systems without locks or without a way to wait for the disk, as some network file systems.

use testkit::list::Tests;
use testkit::run::{Dir, Done};
use testkit::tools::STRACE;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[STRACE], |tests| {
        add!(
            tests,
            contest_is_played_without_locks,
            records_are_merged_without_locks,
            contest_is_played_without_sync
        );
    });
}

/// Runs the referee with a system call that fails.
fn with_fault(dir: &Dir, call: &str, error: &str, command: &str) -> Done {
    let fault = format!(
        "-f -qq -o trace.txt -e trace={call} -e inject={call}:error={error} referee {command}"
    );
    let done = dir.program("strace", fault).ends();
    assert!(dir.text("trace.txt").contains("INJECTED"), "{call}");
    done
}

const MATCH: &str = "match awful mediocre --rows 2 --cols 3 --ship '2 R rowboat' --games 4 --series 2 --seed 1 -q --out";

fn contest_is_played_without_locks() {
    let dir = Dir::new();
    let done = with_fault(&dir, "flock", "ENOLCK", &format!("{MATCH} m"));
    done.exits(0)
        .warns("m: this file system has no locks")
        .prints("(4 games, 2 series, seed 1)");
    let resume = format!("{MATCH} m --resume");
    with_fault(&dir, "flock", "ENOLCK", &resume).exits(0);
}

fn records_are_merged_without_locks() {
    let dir = Dir::new();
    dir.run(format!("{MATCH} m")).succeeds();
    with_fault(&dir, "flock", "ENOLCK", "merge m --out merged").exits(0);
    assert_eq!(dir.text("merged"), dir.text("m"));
}

fn contest_is_played_without_sync() {
    let dir = Dir::new();
    for name in ["m", "m.gz"] {
        let command = format!("{MATCH} {name}");
        with_fault(&dir, "fdatasync", "EINVAL", &command)
            .exits(0)
            .prints("(4 games, 2 series, seed 1)");
    }
}
