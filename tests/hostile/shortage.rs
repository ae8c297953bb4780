//! A machine that has too little of something: processes, or open files. No bot loses for that, and no game is
//! recorded that would have been another one elsewhere.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use testkit::list::Tests;
use testkit::programs::{SMALL, referee_in};
use testkit::tools::{ROOT, SETPRIV, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, ROOT, SETPRIV], |tests| {
        add!(
            tests,
            a_bot_is_not_blamed_for_processes_that_the_machine_lacks,
            more_games_at_once_than_there_may_be_processes_are_refused_at_the_start
        );
    });
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            more_games_at_once_than_there_may_be_files_are_refused_and_a_soft_limit_is_raised,
            a_stack_that_is_too_small_is_named_and_a_soft_limit_is_raised,
            output_that_does_not_fit_is_a_failure
        );
    });
}

/// A user without any process, by its number.
const LONELY: &str = "471138";

/// Runs the referee as a user that may have this many processes and threads, which it alone uses.
fn with_processes(count: usize, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let referee = referee_in(folder.path());
    let (user, group) = (format!("--reuid={LONELY}"), format!("--regid={LONELY}"));
    let mut command = Command::new("prlimit");
    command.args([
        &format!("--nproc={count}"),
        "setpriv",
        &user,
        &group,
        "--clear-groups",
    ]);
    command
        .arg(&referee)
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn a_bot_is_not_blamed_for_processes_that_the_machine_lacks() {
    let mut failures = 0;
    for count in 4..=10 {
        let mut arguments = vec!["play", "awful", "awful", "--json"];
        arguments.extend(SMALL);
        let output = with_processes(count, &arguments);
        let [out, said] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        if output.status.success() {
            assert!(
                out.contains("\"ended_by\":\"fleet_sunk\""),
                "{count}: {out}"
            );
            continue;
        }
        assert_eq!(
            (output.status.code(), &*out),
            (Some(1), ""),
            "{count}: {said}"
        );
        assert!(
            said.ends_with(": Resource temporarily unavailable\n"),
            "{count}: {said}"
        );
        assert!(!said.contains("panicked"), "{count}: {said}");
        failures += 1;
    }
    assert!(failures > 0);
}

fn more_games_at_once_than_there_may_be_processes_are_refused_at_the_start() {
    let mut arguments = vec![
        "match", "awful", "mediocre", "--games", "40", "--jobs", "20",
    ];
    arguments.extend(SMALL);
    let output = with_processes(30, &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let words =
        "--jobs 20: there is no room for the bots of that many games at once: this user may start ";
    assert!(said.contains(words), "{said}");
    assert!(
        said.ends_with("more processes and threads (ulimit -u); --jobs 3 would fit\n"),
        "{said}"
    );
}

fn more_games_at_once_than_there_may_be_files_are_refused_and_a_soft_limit_is_raised() {
    let run = |limit: &str| {
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_referee")]);
        command.args([
            "match", "awful", "mediocre", "--games", "40", "--series", "2", "-q",
        ]);
        command
            .args(SMALL)
            .args(["--jobs", "20", "--json"])
            .output()
            .unwrap()
    };
    let refused = run("-n 100");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.ends_with("open files (ulimit -Hn); --jobs 4 would fit\n"),
        "{said}"
    );
    let raised = run("-Sn 100");
    let summary: serde_json::Value = serde_json::from_slice(&raised.stdout).unwrap();
    assert_eq!(summary["games"], 40);
    assert!(
        !String::from_utf8_lossy(&raised.stdout).contains("could_not_start"),
        "{summary}"
    );
}

fn a_stack_that_is_too_small_is_named_and_a_soft_limit_is_raised() {
    let run = |limit: &str| {
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args([
            "-c",
            &script,
            env!("CARGO_BIN_EXE_referee"),
            "match",
            "awful",
            "awful",
        ]);
        command
            .args(SMALL)
            .args(["--games", "2", "--json"])
            .output()
            .unwrap()
    };
    let refused = run("-s 64");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(
        said.starts_with("referee: the stack may have 64 KiB (ulimit -s), and "),
        "{said}"
    );
    let raised = run("-Ss 64");
    assert!(raised.status.success(), "{raised:?}");
}

/// Whichever command prints, what does not fit is a failure and no mistake of the user's.
fn output_that_does_not_fit_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("g.jsonl");
    let command = || Command::new(env!("CARGO_BIN_EXE_referee"));
    let mut play = command();
    play.args(["play", "awful", "awful", "--seed", "1", "--record"])
        .arg(&record);
    assert!(play.output().unwrap().status.success());
    for words in ["replay", "list", "rank"] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = command()
            .arg(words)
            .arg(&record)
            .stdout(full)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert!(
            said.ends_with("No space left on device\n"),
            "{words}: {said}"
        );
    }
}
