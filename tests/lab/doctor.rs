//! The report of `referee doctor` on a machine.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{NAMESPACES, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, a_report_has_a_line_for_each_part);
    #[cfg(target_os = "linux")]
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_missing_tool_is_named_with_its_package);
    });
    #[cfg(target_os = "linux")]
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, the_sandbox_that_holds_is_named);
    });
}

fn a_report_has_a_line_for_each_part() {
    let done = Dir::new().run("doctor").succeeds();
    let lines = done.is_quiet().stdout.lines();
    let names: Vec<_> = lines.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        names,
        ["game", "sandbox", "memory", "cores", "tools", "programs"]
    );
}

#[cfg(target_os = "linux")]
fn a_missing_tool_is_named_with_its_package() {
    let done = Dir::new().run("doctor").env("PATH", "").succeeds();
    // The shipped bots need nothing, and Debian's Rust is too old.
    done.prints("two shipped bots played one")
        .prints("not on the PATH: python3 (apt install python3)")
        .prints("cargo (https://rustup.rs)");
}

#[cfg(target_os = "linux")]
fn the_sandbox_that_holds_is_named() {
    Dir::new()
        .run("doctor")
        .succeeds()
        .prints("--sandbox holds: ");
}
