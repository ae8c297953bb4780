//! Pages are looked at in a real browser. `run.mjs` has the checks; here each group of them is a test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The groups of checks: the files of `checks`. Those that take longest are in the thorough tier.
const GROUPS: &[&str] = &["overview", "decoder", "live", "play", "replay", "access"];

#[test]
#[first(1)]
#[needs(BROWSER_PACKAGES, CHROMIUM, NODE, PYTHON)]
#[rows(GROUPS)]
fn pages_hold_what_they_promise(group: &str) {
    let output = node("run.mjs", fixtures(), &[group]);
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains("ok "), "no check of {group} ran: {said}{errors}");
}

#[test]
#[ignore = "thorough"]
#[needs(BROWSER_PACKAGES, CHROMIUM, NODE, PYTHON, WASM_TARGET)]
fn the_site_holds_what_it_promises() {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let mut cargo = Command::new(env!("CARGO"));
    let made =
        cargo.args(["run", "--package", "site", "--", "--quick"]).arg(&site).output().unwrap();
    let said = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success(), "{said}{}", String::from_utf8_lossy(&made.stderr));
    assert!(!said.contains("a plain editor"), "{said}");
    let checks = ["site", "site_games"].map(|group| command("run.mjs", fixtures(), &[group]));
    let same_games = command("same_games.mjs", &site, &["50"]);
    for (mut node, each) in checks.into_iter().chain([same_games]).zip(["ok ", "ok ", "same "]) {
        let output = node.env("SITE", &site).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(each), "no check ran: {said}");
    }
}

/// Runs a script of this folder on the files in `folder`.
fn node(script: &str, folder: &Path, arguments: &[&str]) -> Output {
    command(script, folder, arguments).output().unwrap()
}

fn command(script: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut node = Command::new("node");
    node.arg(Path::new("tests/browser").join(script)).arg(env!("CARGO_BIN_EXE_referee"));
    node.arg(folder).args(arguments);
    node
}

/// The folder with the records and pages, which are made once, by the first group that asks.
fn fixtures() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
        // Pages of an earlier run are those of an earlier referee.
        if folder.exists() {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        let made = node("make.mjs", &folder, &[]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        folder
    })
}
