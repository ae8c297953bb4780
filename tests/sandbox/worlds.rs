//! How a sandbox is made, on machines and under settings of all kinds, and what is said of one that
//! is weak or cannot be made.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use testkit::arena::Mode;
use testkit::list::{Row, Tests};
use testkit::programs::referee_in;
use testkit::run::{Dir, Run};
use testkit::tools::{LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON, UNSHARE, is_root};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, Mode::SANDBOXES, the_record_says_what_was_refused);
    tests.needing(&[LANDLOCK, NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            the_referee_may_be_in_a_home,
            a_basic_sandbox_is_described_once
        );
        rows!(tests, SETTINGS, the_sandbox_holds_under, 3);
        rows!(
            tests,
            Mode::SANDBOXES,
            files_may_have_names_that_are_no_text
        );
    });
    tests.needing(&[LANDLOCK, NAMESPACES, SETPRIV, UNSHARE], |tests| {
        add!(
            tests,
            a_foreign_proc_is_refused,
            a_world_that_cannot_be_made_is_explained
        );
        rows!(tests, Mode::SANDBOXES, the_referee_may_be_a_first_process);
    });
}

/// Before a game an attacker is tried in the sandbox.
fn the_record_says_what_was_refused(mode: Mode) {
    let play = |option: &str| {
        Dir::new()
            .run("play awful awful --json")
            .args(option)
            .succeeds()
            .json()
    };
    assert!(play("")["sandbox"].is_null());
    let sandbox = &play(mode.option())["sandbox"];
    assert_eq!(sandbox["level"], mode.name());
    let refused = sandbox["refused"].to_string();
    for deed in [
        "signal the referee",
        "read a file outside",
        "connect by TCP",
        "send by UDP",
    ] {
        assert!(refused.contains(deed), "{deed}: {refused}");
    }
    assert_eq!(refused.contains("see the referee"), mode == Mode::World);
}

/// As `cargo install` puts it, or a build in a folder of one's own; and with a folder there that a
/// bot may read.
fn the_referee_may_be_in_a_home() {
    let dir = Dir::new();
    let referee = referee_in(&dir.file("data/file", "").path(""));
    for words in ["", "--allow data"] {
        dir.program(referee.to_str().unwrap(), "play awful mediocre --sandbox")
            .args(words)
            .env("HOME", dir.path(""))
            .succeeds();
    }
}

/// What a shell, an administrator or another program may have set, and the commands that set it.
const SETTINGS: [(&str, &str); 8] = [
    // The referee and its bots hear them nevertheless, as otherwise they might not hear what ends
    // them.
    (
        "blocked signals",
        "exec /usr/bin/python3 -c 'if True:
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
            os.execvp(sys.argv[1], sys.argv[1:])' referee check awful --sandbox --grace 60s",
    ),
    ("files for the user only", "umask 077; exec \"$@\""),
    ("few open files", "ulimit -n 250; exec \"$@\""),
    ("files for the group only", "umask 027; exec \"$@\""),
    ("folders that no one enters", "umask 0177; exec \"$@\""),
    (
        "a long name of the temporary folder",
        "TMPDIR=$PWD/$(printf %0150d) && mkdir $TMPDIR && export TMPDIR && exec \"$@\"",
    ),
    ("no name of the temporary folder", "TMPDIR= exec \"$@\""),
    ("small files", "ulimit -f 1000; exec \"$@\""),
];

fn the_sandbox_holds_under((_, set): (&str, &str)) {
    Dir::new()
        .program("sh", "-c")
        .arg(set)
        .args("sh referee play awful mediocre --sandbox")
        .succeeds();
}

/// Names are bytes, of which not all are text.
fn files_may_have_names_that_are_no_text(mode: Mode) {
    let dir = Dir::new();
    let strange = dir.path("").join(OsStr::from_bytes(b"\xff\xfe"));
    std::fs::create_dir(&strange).unwrap();
    dir.run("match awful mediocre --games 2 -q")
        .args(mode.option())
        .arg("--out")
        .arg(strange.join("record"))
        .succeeds();
}

/// Runs this as the first process of a namespace.
fn unshared<'d>(dir: &'d Dir, words: &str) -> Run<'d> {
    let user = if is_root() {
        ""
    } else {
        "--user --map-root-user"
    };
    dir.program("unshare", format!("{user} --pid --fork {words}"))
}

/// Processes are looked up by their numbers, so numbers of others would mean strangers.
fn a_foreign_proc_is_refused() {
    unshared(&Dir::new(), "referee play awful mediocre")
        .fails(1, "/proc: it shows the processes of another namespace");
}

/// As in a container: in a world a process has the same number.
fn the_referee_may_be_a_first_process(mode: Mode) {
    // The shell is the first, and does not become the referee: something is left to do.
    let script = "echo $$; referee play awful mediocre --seed 1 --no-pause $0 && echo played";
    unshared(&Dir::new(), "--mount-proc sh -c")
        .arg(script)
        .arg(mode.option())
        .succeeds()
        .prints("1\n")
        .prints("mediocre wins!\nplayed\n");
}

/// In a namespace for users that may have none below it: what is missing is named, how to get it,
/// and what there is instead.
fn a_world_that_cannot_be_made_is_explained() {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && \
         exec setpriv --inh-caps=-all --ambient-caps=-all referee play awful awful --sandbox";
    let done = Dir::new()
        .program("unshare", "--user --map-current-user --keep-caps sh -c")
        .arg(script)
        .fails(4, "namespaces for users");
    done.warns("sysctl -w user.max_user_namespaces")
        .warns("--sandbox=basic")
        .lacks("the test of it");
    assert_eq!(done.stderr.matches("the sandbox is unavailable").count(), 1);
}

/// Once a run, however many games it has; `true` in a file means a world.
fn a_basic_sandbox_is_described_once() {
    let dir = Dir::new();
    dir.file("basic.toml", "sandbox = \"basic\"\n")
        .file("world.toml", "sandbox = true\n");
    let many = "awful awful --games 4 --series 2 -q";
    for (words, count) in [
        ("play awful awful --sandbox=basic", 1),
        (&*format!("match {many} --sandbox=basic"), 1),
        (&format!("tournament {many} --config basic.toml"), 1),
        (&format!("tournament {many} --config world.toml"), 0),
        ("play awful awful", 0),
    ] {
        let done = dir.run(words).succeeds();
        let lines = done.stderr.lines();
        let about: Vec<_> = lines
            .filter(|line| line.starts_with("referee: --sandbox=basic: "))
            .collect();
        assert_eq!(about.len(), count, "{words}: {about:?}");
        for line in about {
            assert!(
                line.contains("command lines of other processes")
                    && line.contains("docs/hostile-bots.md"),
                "{line}"
            );
        }
    }
}
