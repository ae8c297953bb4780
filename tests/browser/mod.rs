//! Pages are looked at in a real browser. `run.mjs` has the checks; here each group of them is a
//! test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use testkit::list::{Tests, Tier};
use testkit::text::lacks;
use testkit::tools::{BROWSER_PACKAGES, CHROMIUM, NODE, PYTHON, UNIX, WASM_TARGET};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, BROWSER_PACKAGES, CHROMIUM, NODE, PYTHON], |tests| {
        rows!(tests, GROUPS, pages_hold_what_they_promise, 0);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(
            &[UNIX, BROWSER_PACKAGES, CHROMIUM, NODE, PYTHON, WASM_TARGET],
            |tests| {
                rows!(tests, SITE_CHECKS, the_site_holds_what_it_promises);
            },
        );
    });
}

/// The groups of checks: the files of `checks`. Those that take longest are in the thorough tier.
const GROUPS: &[&str] = &["overview", "decoder", "live", "play", "replay", "access"];

fn pages_hold_what_they_promise(group: &str) {
    let output = node("run.mjs", fixtures(), &[group]);
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(
        said.contains("ok "),
        "no check of {group} ran: {said}{errors}"
    );
}

/// Checks of the site: the script, and what it is told.
const SITE_CHECKS: &[(&str, &str, &str)] = &[
    ("pages", "run.mjs", "site"),
    ("games", "run.mjs", "site_games"),
    ("fifty_same_games", "same_games.mjs", "50"),
];

fn the_site_holds_what_it_promises((_, script, what): (&str, &str, &str)) {
    let (folder, each) = if script == "run.mjs" {
        (fixtures(), "ok ")
    } else {
        (site(), "same ")
    };
    let output = command(script, folder, &[what])
        .env("SITE", site())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains(each), "no check ran: {said}");
}

/// The folder with the site, which is made once, by the first check that asks.
fn site() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["run", "--package", "site", "--", "--quick"])
            .arg(&folder);
        let made = cargo.output().unwrap();
        let said = String::from_utf8_lossy(&made.stdout);
        assert!(
            made.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&made.stderr)
        );
        lacks(&said, "a plain editor");
        folder
    })
}

/// Runs a script of this folder on the files in `folder`.
fn node(script: &str, folder: &Path, arguments: &[&str]) -> Output {
    command(script, folder, arguments).output().unwrap()
}

fn command(script: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut node = Command::new("node");
    node.arg(Path::new("tests/browser").join(script))
        .arg(env!("CARGO_BIN_EXE_referee"));
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
        let made = node("run.mjs", &folder, &[]);
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        folder
    })
}
