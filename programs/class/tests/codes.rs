//! The exit codes of `referee class`: they are promised, as those of the other commands.

use std::fs::File;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::arena::until;
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, each_step_ends_with_the_promised_code);
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON], |tests| {
            add!(tests, a_night_that_is_interrupted_ends_with_130);
        })
    });
}

/// The commands that end with a code, in a class with a sound bot, one that answers no request, and one that does not draw from
/// its seed; and the words after `referee class`, run one after the other.
const ENDS: [(&str, i32, &str); 18] = [
    ("a folder that is one already", 2, "init"),
    ("builds", 0, "intake"),
    ("checks, of which one fails", 0, "check"),
    ("the check of a sound bot", 0, "check sound"),
    ("the check of an unfit one", 4, "check mute"),
    ("the check of a stranger", 2, "check stranger"),
    ("a night", 0, "play"),
    ("a night with nothing to play", 0, "play"),
    ("a night until no time of day", 2, "play --until soon"),
    ("pages", 0, "site"),
    ("grades", 0, "grade"),
    ("what is odd", 0, "suspicious"),
    ("the state", 0, "status"),
    ("an option that is none", 2, "status --no-such-option"),
    ("a game that is the same again", 0, "dispute sound awful:1"),
    ("a game that is another one", 4, "dispute moody awful:1"),
    (
        "a game that was never played",
        2,
        "dispute sound awful:9999",
    ),
    ("a game against a stranger", 2, "dispute sound stranger:1"),
];

fn each_step_ends_with_the_promised_code() {
    let students = ["sound", "mute", "moody"];
    let (class, desk) = (
        Class::new(SETTINGS, &students.map(|id| (id, "", ""))),
        Desk::new(),
    );
    let folders = [
        desk.kit("python", "sound"),
        desk.folder(
            "mute",
            &[("bot.toml", "run = 'sh mute.sh'\n"), ("mute.sh", "cat\n")],
        ),
        desk.python_that("moody", "self.random = random.SystemRandom()"),
    ];
    for (id, folder) in students.iter().zip(folders) {
        let at = "2026-11-30T10-00-00";
        class.succeeds(&["add", id, folder.to_str().unwrap(), "--at", at]);
    }
    for (what, code, words) in ENDS {
        let output = class.output(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(code), "{what}: {output:?}");
    }
    let full = step(&class, "status")
        .stdout(File::create("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(full.status.code(), Some(1), "{full:?}");
}

/// Returns a command that is the process itself, which a signal reaches.
fn step(class: &Class, word: &str) -> Command {
    let mut command = Command::new(testkit::programs::built("referee"));
    command.args(["class", word, "-C"]).arg(class.path(""));
    command
}

fn a_night_that_is_interrupted_ends_with_130() {
    let many = SETTINGS.replace("staff-games = 4", "staff-games = 100000");
    let (class, desk) = (Class::new(&many, &[("sound", "", "")]), Desk::new());
    let kit = desk.kit("python", "sound");
    class.succeeds(&[
        "add",
        "sound",
        kit.to_str().unwrap(),
        "--at",
        "2026-11-30T10-00-00",
    ]);
    class.succeeds(&["intake"]);
    class.succeeds(&["check"]);
    let mut night = step(&class, "play").stdout(Stdio::null()).spawn().unwrap();
    until("a series is recorded", || {
        class.records().iter().any(|(_, bytes)| !bytes.is_empty())
    });
    kill_process(Pid::from_child(&night), Signal::INT).unwrap();
    assert_eq!(night.wait().unwrap().code(), Some(130));
}
