//! Tests of the report of `referee doctor` on a machine.

use assert_cmd::Command;

use testkit::list::Tests;
use testkit::programs::referee;
use testkit::tools::{NAMESPACES, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, the_report_has_a_line_for_each_part);
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            add!(
                tests,
                without_a_path_every_tool_is_missing_and_the_package_that_has_it_is_named
            );
        });
    }
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[NAMESPACES], |tests| {
            add!(tests, the_sandbox_that_holds_is_named);
        });
    }
}

/// The report: its first line, and what is said of each part.
fn report(change: impl Fn(&mut Command)) -> (String, Vec<(String, String)>) {
    let mut command = referee();
    command.arg("doctor");
    change(&mut command);
    let output = command.assert().success().stderr("").get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert!(
        lines.clone().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let first = lines.next().unwrap().to_owned();
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in lines.skip(1) {
        let (name, found) = line.split_at(12);
        match parts.last_mut() {
            Some((_, whole)) if name.trim().is_empty() => {
                whole.push(' ');
                whole.push_str(found);
            }
            _ => parts.push((name.trim().to_owned(), found.to_owned())),
        }
    }
    (first, parts)
}

fn the_report_has_a_line_for_each_part() {
    let (first, parts) = report(|_| {});
    assert!(first.ends_with(": games can be played"), "{first}");
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let known = ["game", "sandbox", "memory", "cores", "tools", "programs"];
    assert_eq!(names, known);
    assert!(
        parts.iter().all(|(_, found)| !found.is_empty()),
        "{parts:?}"
    );
}

#[cfg(target_os = "linux")]
fn without_a_path_every_tool_is_missing_and_the_package_that_has_it_is_named() {
    let (_, parts) = report(|command| {
        command.env("PATH", "");
    });
    let (game, tools) = (&parts[0].1, &parts[4].1);
    // The shipped bots need nothing.
    assert_eq!(game, "two shipped bots played one");
    assert!(
        tools.starts_with("not on the PATH: python3 (apt install python3)"),
        "{tools}"
    );
    // Debian's Rust is too old.
    assert!(tools.contains("cargo (https://rustup.rs)"), "{tools}");
}

#[cfg(target_os = "linux")]
fn the_sandbox_that_holds_is_named() {
    let (_, parts) = report(|_| {});
    assert!(parts[1].1.starts_with("--sandbox holds: "), "{parts:?}");
}
