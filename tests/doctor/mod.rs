//! Tests of the report of `referee doctor` on a machine.

use assert_cmd::Command;
use serde_json::Value;

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

/// The report as text, and as JSON.
fn reports(change: impl Fn(&mut Command)) -> (String, Value) {
    let folder = Folder::new();
    let mut text = doctor(&folder);
    change(&mut text);
    let text = text
        .assert()
        .success()
        .stderr("")
        .get_output()
        .stdout
        .clone();
    let mut json = doctor(&folder);
    change(json.arg("--json"));
    let json = json
        .assert()
        .success()
        .stderr("")
        .get_output()
        .stdout
        .clone();
    let left = std::fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(left, 0, "no file is left behind");
    (
        String::from_utf8(text).unwrap(),
        serde_json::from_slice(&json).unwrap(),
    )
}

fn finding<'r>(report: &'r Value, name: &str) -> &'r Value {
    let mut findings = report["findings"].as_array().unwrap().iter();
    findings
        .find(|finding| finding["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {report}"))
}

/// The text without its line breaks, and without what differs from run to run.
fn facts(text: &str) -> String {
    let words = text
        .split_whitespace()
        .filter(|word| word.parse::<f64>().is_err());
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_report_fits_80_columns_and_the_json_has_the_same_facts() {
    let (text, json) = reports(|_| {});
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(text.lines().count() <= 60, "{text}");
    let first = text.lines().next().unwrap();
    assert!(
        first.ends_with(": games can be played") && json["playable"] == true,
        "{text}"
    );
    let known = [
        "game", "sandbox", "cgroups", "cores", "clock", "limits", "folder", "terminal", "browser",
    ];
    for name in known.into_iter().chain(TOOLS) {
        let finding = finding(&json, name);
        let state = finding["state"].as_str().unwrap();
        let row = text
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(name));
        let row = row.unwrap_or_else(|| panic!("{name}: {text}"));
        // The load of the machine may change between the two.
        if !["cores", "folder"].contains(&name) {
            assert_eq!(row.split_whitespace().next(), Some(state), "{row}");
            let found = facts(finding["found"].as_str().unwrap());
            // A path may be broken where a line ends.
            let packed = |text: &str| text.replace(' ', "");
            assert!(
                packed(&facts(&text)).contains(&packed(&found)),
                "{found}\n{text}"
            );
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_path_every_tool_is_missing_and_the_package_that_has_it_is_named() {
    let (text, json) = reports(|command| {
        command.env("PATH", "");
    });
    for tool in TOOLS {
        let finding = finding(&json, tool);
        assert_eq!(
            (&finding["state"], &finding["found"]),
            (&"missing".into(), &"not on the PATH".into())
        );
        let hint = finding["hint"].as_str().unwrap();
        // Debian's Rust is too old.
        let is_rust = ["rustc", "cargo"].contains(&tool);
        let begin = if is_rust {
            "https://rustup.rs"
        } else {
            "Debian: apt install "
        };
        assert!(hint.starts_with(begin), "{hint}");
        let row = format!("  missing  {tool:9}not on the PATH; {hint}\n");
        assert!(text.contains(&row), "{row}\n{text}");
    }
    assert_eq!(finding(&json, "browser")["state"], "missing");
    // The shipped bots need nothing.
    assert_eq!(finding(&json, "game")["state"], "ok");
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
    let (_, json) = reports(|command| {
        command.env("PATH", tools.path(""));
    });
    let (ruby, go) = (finding(&json, "ruby"), finding(&json, "go"));
    assert_eq!(ruby["state"], "note", "{ruby}");
    let said = format!("{} does not work: no such shim", tools.path("ruby"));
    assert_eq!(ruby["found"], said);
    assert_eq!(go["state"], "ok", "{go}");
    assert_eq!(go["found"], format!("1.99.5, {}", tools.path("go")));
}

#[test]
#[cfg(target_os = "linux")]
#[needs(NAMESPACES)]
fn the_sandbox_that_holds_is_named() {
    let (_, json) = reports(|_| {});
    let sandbox = finding(&json, "sandbox");
    assert_eq!(sandbox["state"], "ok", "{sandbox}");
    assert!(
        sandbox["found"]
            .as_str()
            .unwrap()
            .starts_with("--sandbox holds"),
        "{sandbox}"
    );
}

/// As root a folder that may not be written to can be.
#[test]
#[cfg(unix)]
fn a_folder_in_which_no_file_can_be_made_is_noted() {
    let mut command = referee();
    command.args(["doctor", "--json"]).current_dir("/proc");
    let output = command.assert().success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    let folder = finding(&report, "folder");
    if cfg!(target_os = "linux") {
        assert_eq!(folder["state"], "note", "{folder}");
        assert!(
            folder["found"]
                .as_str()
                .unwrap()
                .contains("cannot be written here"),
            "{folder}"
        );
    }
}
