//! Tests of the report of `referee doctor` on a machine.

use assert_cmd::Command;

use crate::common::{Folder, referee};

/// The tools that bots in other languages need.
const TOOLS: [&str; 12] = [
    "python3", "node", "java", "javac", "go", "ruby", "cc", "c++", "make", "rustc", "cargo", "mono",
];

fn doctor(folder: &Folder) -> Command {
    let mut command = referee();
    command.arg("doctor").current_dir(folder.path(""));
    command
}

/// The report.
fn report(change: impl Fn(&mut Command)) -> String {
    let folder = Folder::new();
    let mut command = doctor(&folder);
    change(&mut command);
    let output = command.assert().success().stderr("").get_output().clone();
    let left = std::fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(left, 0, "no file is left behind");
    String::from_utf8(output.stdout).unwrap()
}

/// The state and the text of a finding, whose lines begin in one column.
fn finding(report: &str, name: &str) -> (String, String) {
    let is_row = |line: &&str| line.split_whitespace().nth(1) == Some(name);
    let mut lines = report.lines().skip(2).skip_while(|line| !is_row(line));
    let row = lines.next().unwrap_or_else(|| panic!("{name}: {report}"));
    let (state, text) = row.trim_start().split_once(' ').unwrap();
    let text = text.trim_start().strip_prefix(name).unwrap().trim_start();
    let rest = lines.take_while(|line| line.starts_with("          "));
    let text = rest.fold(text.to_owned(), |text, line| text + " " + line.trim_start());
    (state.to_owned(), text)
}

#[test]
fn the_report_fits_80_columns_and_has_every_part() {
    let text = report(|_| {});
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(text.lines().count() <= 60, "{text}");
    let first = text.lines().next().unwrap();
    assert!(first.ends_with(": games can be played"), "{text}");
    let known = [
        "game", "sandbox", "cgroups", "cores", "clock", "limits", "folder", "terminal", "browser",
    ];
    for name in known.into_iter().chain(TOOLS) {
        let (state, found) = finding(&text, name);
        let is_state = ["ok", "note", "missing", "failed"].contains(&&*state);
        assert!(is_state && !found.is_empty(), "{name}: {text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_path_every_tool_is_missing_and_the_package_that_has_it_is_named() {
    let text = report(|command| {
        command.env("PATH", "");
    });
    for tool in TOOLS {
        let (state, found) = finding(&text, tool);
        assert_eq!(state, "missing", "{found}");
        let hint = found.strip_prefix("not on the PATH; ").unwrap();
        // Debian's Rust is too old.
        let is_rust = ["rustc", "cargo"].contains(&tool);
        let begin = if is_rust {
            "https://rustup.rs"
        } else {
            "Debian: apt install "
        };
        assert!(hint.starts_with(begin), "{hint}");
    }
    assert_eq!(finding(&text, "browser").0, "missing");
    // The shipped bots need nothing.
    assert_eq!(finding(&text, "game").0, "ok");
}

/// A tool that is there and does not run is not a tool.
#[test]
#[cfg(unix)]
fn a_tool_that_does_not_work_is_said_to_and_one_that_does_has_its_version_and_path() {
    use std::os::unix::fs::PermissionsExt;

    let tools = Folder::new();
    for (name, script) in [
        ("ruby", "#!/bin/sh\necho 'no such shim' >&2\nexit 1\n"),
        ("go", "#!/bin/sh\necho 'go version go1.99.5 linux/amd64'\n"),
    ] {
        let path = tools.file(name, script);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let text = report(|command| {
        command.env("PATH", tools.path(""));
    });
    let (state, found) = finding(&text, "ruby");
    assert_eq!(state, "note", "{found}");
    // A path may be broken where a line ends.
    let packed = |text: &str| text.replace(' ', "");
    let said = format!("{} does not work: no such shim", tools.path("ruby"));
    assert!(packed(&found).starts_with(&packed(&said)), "{found}");
    let (state, found) = finding(&text, "go");
    assert_eq!(state, "ok", "{found}");
    let said = format!("1.99.5, {}", tools.path("go"));
    assert_eq!(packed(&found), packed(&said));
}

#[test]
#[cfg(target_os = "linux")]
#[needs(NAMESPACES)]
fn the_sandbox_that_holds_is_named() {
    let text = report(|_| {});
    let (state, found) = finding(&text, "sandbox");
    assert_eq!(state, "ok", "{found}");
    assert!(found.starts_with("--sandbox holds"), "{found}");
}

/// As root a folder that may not be written to can be.
#[test]
#[cfg(unix)]
fn a_folder_in_which_no_file_can_be_made_is_noted() {
    let mut command = referee();
    command.arg("doctor").current_dir("/proc");
    let output = command.assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let (state, found) = finding(&text, "folder");
    if cfg!(target_os = "linux") {
        assert_eq!(state, "note", "{found}");
        assert!(found.contains("cannot be written here"), "{found}");
    }
}
