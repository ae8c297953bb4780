//! The permissions of the files of a class: what other users of the machine can read and change.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::class::{AT, PLAIN, SH};
use testkit::list::Tests;
use testkit::programs::built;
use testkit::run::{Dir, Done};
use testkit::tools::{NAMESPACES, ROOT, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES], |tests| {
        rows!(tests, UMASKS, other_users_read_pages_alone, 2);
        add!(tests, a_class_of_an_earlier_version_becomes_private);
    });
    tests.needing(&[NAMESPACES, ROOT, SETPRIV, SYSTEM_PYTHON], |tests| {
        add!(tests, nobody_opens_pages_alone);
    });
}

const UMASKS: [&str; 2] = ["000", "022"];

/// The files and folders of a complete class with the permissions that each may have at most. `*`
/// stands for a name that is made up.
const FILES: [(&str, u32); 32] = [
    ("", 0o755),
    (".check.lock", 0o600),
    (".import.lock", 0o600),
    (".intake.lock", 0o600),
    (".lock", 0o600),
    (".night.lock", 0o600),
    (".site.lock", 0o600),
    ("bots", 0o700),
    ("bots/*", 0o755),
    ("bots/*/bot.sh", 0o644),
    ("bots/*/bot.toml", 0o644),
    ("class.db", 0o600),
    ("class.db-shm", 0o600),
    ("class.db-wal", 0o600),
    ("class.secret", 0o600),
    ("class.toml", 0o600),
    ("games", 0o700),
    ("games/*", 0o777),
    ("games/*/*", 0o777),
    ("games/*/*/*", 0o600),
    ("grades.csv", 0o600),
    ("private", 0o711),
    ("private/*", 0o644),
    ("private/pages.csv", 0o600),
    ("results", 0o700),
    ("results/ada", 0o700),
    ("results/ada/results.json", 0o600),
    ("roster.csv", 0o600),
    ("site", 0o755),
    ("site/index.html", 0o644),
    ("submissions", 0o700),
    // Below a folder that only its owner enters.
    ("submissions/ada", 0o777),
];

/// Runs the commands of `script` with this umask. `$class` runs a step.
#[track_caller]
fn run(dir: &Dir, umask: &str, script: &str) -> Done {
    let program =
        format!("set -e; umask {umask}; class() {{ \"$referee\" class -C class \"$@\"; }}\n");
    let sh = dir.program("sh", "-c").arg(program + script);
    sh.env("referee", built("referee")).succeeds()
}

/// A class with a student, all its steps done under this umask.
fn complete_class(umask: &str) -> Dir {
    let dir = Dir::new();
    run(&dir, umask, "class init 'CS 32'");
    dir.file("class/class.toml", include_str!("class.toml"));
    dir.file("class/roster.csv", "id,name\nada,Ada Lovelace\n");
    dir.file("ada/bot.toml", SH);
    dir.file("ada/bot.sh", PLAIN);
    let add = format!("class add ada ada --at {AT}\n");
    let steps = "for step in intake check play site; do class $step; done\n\
        class grade --csv class/grades.csv --gradescope class/results\n";
    run(&dir, umask, &(add + steps));
    dir
}

/// Returns the permissions of everything below `folder`, except what students handed in.
fn modes(folder: &Path) -> BTreeMap<String, u32> {
    let mut modes = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        modes.insert(name.to_owned(), metadata.permissions().mode() & 0o777);
        if metadata.is_dir() && name != "submissions/ada" {
            folders.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    modes
}

/// Returns the entry of [`FILES`] for a name.
fn entry_of(name: &str) -> Option<&'static (&'static str, u32)> {
    let is_of = |pattern: &str| {
        let parts = pattern.split('/');
        parts.clone().count() == name.split('/').count()
            && parts
                .zip(name.split('/'))
                .all(|(part, of_name)| part == "*" || part == of_name)
    };
    let exact = FILES.iter().find(|(pattern, _)| *pattern == name);
    exact.or_else(|| FILES.iter().find(|(pattern, _)| is_of(pattern)))
}

/// Checks that each file of the class has the permissions of the list.
#[track_caller]
fn is_private(dir: &Dir) {
    let class = dir.path("class");
    let is_root = fs::metadata(&class).unwrap().uid() == 0;
    let modes = modes(&class);
    for (name, mode) in &modes {
        let (pattern, most) = entry_of(name).unwrap_or_else(|| panic!("{name} {mode:o} is new"));
        // Bots of root are another user in a sandbox.
        let most = if pattern.starts_with("bots/") && !is_root {
            most & 0o700
        } else {
            *most
        };
        assert_eq!(mode & !most, 0, "{name} has {mode:o}, at most {most:o}");
    }
    for name in [
        "bots",
        "games",
        "grades.csv",
        "private/pages.csv",
        "results",
        "site/index.html",
    ] {
        assert!(modes.contains_key(name), "{name}: {modes:?}");
    }
    assert!(
        modes.keys().any(|name| name.ends_with("/bot.sh")),
        "{modes:?}"
    );
    // A web server of another user serves these.
    for (name, mode) in [
        ("site/index.html", 0o644),
        ("site", 0o755),
        ("private", 0o711),
    ] {
        assert_eq!(modes[name], mode, "{name}");
    }
}

fn other_users_read_pages_alone(umask: &str) {
    let dir = complete_class(umask);
    is_private(&dir);
    // A table that others could read is replaced by one that they cannot.
    let table = dir.path("grades.csv");
    fs::write(&table, "old\n").unwrap();
    fs::set_permissions(&table, PermissionsExt::from_mode(0o666)).unwrap();
    run(&dir, umask, "class grade --force --csv grades.csv");
    let mode = fs::metadata(&table).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
}

/// Every file was for all users there.
fn a_class_of_an_earlier_version_becomes_private() {
    let dir = complete_class("022");
    // Records were always for their owner alone.
    let modes = modes(&dir.path("class")).into_keys();
    for name in modes.filter(|name| !name.ends_with(".jsonl.gz")) {
        let path = dir.path("class").join(name);
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }
    fs::set_permissions(dir.path("class/private"), PermissionsExt::from_mode(0o711)).unwrap();
    run(&dir, "022", "class status");
    is_private(&dir);
    // The bots still start.
    run(&dir, "022", "class dispute ada awful:1");
}

/// Opens each file of the list on its standard input; prints those that can be read, or changed by
/// a new file beside them.
const OPENER: &str = "
import os, sys
for name in sys.stdin.read().split('\\0'):
    if os.access(name, os.W_OK) or os.access(name, os.R_OK): print(name)
";

/// Another user knows all names, and opens the pages and nothing else.
fn nobody_opens_pages_alone() {
    let dir = complete_class("000");
    let names: Vec<String> = modes(&dir.path("class"))
        .into_keys()
        .map(|name| format!("class/{name}"))
        .collect();
    let words = "--reuid=65534 --regid=65534 --clear-groups /usr/bin/python3 -c";
    let done = dir
        .program("setpriv", words)
        .arg(OPENER)
        .types(&names.join("\0"));
    let mut opened: Vec<&str> = done.stdout.lines().collect();
    opened.sort_unstable();
    let [folder, page, site, index] = opened[..] else {
        panic!("{opened:?}")
    };
    assert_eq!(
        [folder, site, index],
        ["class/", "class/site", "class/site/index.html"]
    );
    assert!(page.starts_with("class/private/"), "{page}");
    assert_ne!(page, "class/private/pages.csv");
}
