//! Submissions whose commands and folders try to reach what is not theirs.

use std::fs;

use super::submissions::Desk;
use super::{Class, SETTINGS};

/// What a bot prints on standard error at its start: which of its arguments it can read, and whether it finds the class.
const READER: &str = "
import os, sys
def reads(path):
    try:
        if os.path.isdir(path):
            # The folders that lead to its own are there, with nothing else in them.
            return set(os.listdir(path)) - set(os.getcwd().split('/'))
        return open(path, 'rb').read(1)
    except OSError:
        return None
class_folder = os.path.dirname(os.path.dirname(os.getcwd()))
tried = sys.argv[1:] + [class_folder + name for name in ['/class.db', '/class.secret', '/roster.csv', '/submissions', '/class.toml']]
found = [path for path in tried if reads(path)]
others = [name for name in os.listdir('/proc') if name.isdigit() and int(name) > 60]
if found or others:
    print('ESCAPED', found, others, file=sys.stderr)
    sys.exit(1)
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    elif word == 'place': print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', flush=True)
    elif word == 'attack': print('attack 0 0', flush=True)
";

/// What a command names besides its bot, `PRIVATE` a file of the teacher.
const WORDS: [&str; 2] = [
    "../.. .. ../../submissions PRIVATE --x=../.. -I/root \"\" -- ~ $HOME * /nowhere",
    "/proc/self/cwd /proc/self /proc/self/fd /tmp /home /dev/shm /proc /proc/1 /run /sys/fs /dev/pts /proc/31722 /proc/4194303",
];

#[test]
#[needs(NAMESPACES, SYSTEM_PYTHON)]
fn the_words_of_a_submission_open_nothing() {
    let students = ["ada", "bob"];
    let (class, desk) = (Class::new(SETTINGS, &students.map(|id| (id, "", ""))), Desk::new());
    let private = desk.path("private file");
    fs::write(&private, "secret").unwrap();
    for (id, words) in students.into_iter().zip(WORDS) {
        let words = words.replace("PRIVATE", &format!("{:?}", private.to_str().unwrap()));
        let run = format!("run = '''/usr/bin/python3 bot.py {words}'''\n");
        // A word for the host's /proc is a word like any other to the bot: it may read its own.
        let reader = READER.replace(
            "sys.argv[1:] +",
            "[w for w in sys.argv[1:] if 'private' in w or '..' in w] +",
        );
        let folder = desk.folder(id, &[("bot.toml", &run), ("bot.py", &reader)]);
        class.succeeds(&["add", id, folder.to_str().unwrap(), "--at", "2026-11-30T10-00-00"]);
    }
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("2 built"), "{said}");
    let said = class.succeeds(&["check"]);
    assert!(said.contains("2 checked") && !said.contains("ESCAPED"), "{said}");
    assert!(!said.contains("unfit  "), "{said}");
    // The night plays all of them, and ends.
    class.plays();
}

#[test]
#[needs(NAMESPACES)]
fn a_build_whose_name_is_a_folder_reaches_no_shell_and_no_file() {
    let (class, desk) = (Class::new(SETTINGS, &[("eve", "", "")]), Desk::new());
    let build = "submissions/eve/2026-11-30T10-00-00/a;sh evil.sh #/../../../..";
    let evil = "cat \"$1\"/class.db ../../../../roster.csv /proc/1/cmdline && echo ESCAPED; ls -R / | grep roster.csv; false\n";
    let files = [
        ("bot.toml", &*format!("run = './bot'\nbuild = \"{build}\"\n")),
        ("evil.sh", evil),
        ("a;sh evil.sh #/x", ""),
    ];
    let folder = desk.folder("eve", &files);
    class.succeeds(&["add", "eve", folder.to_str().unwrap(), "--at", "2026-11-30T10-00-00"]);
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("0 built, 1 not built"), "{said}");
    // Its log is what the student sees.
    let output = class.output(&["check", "eve"]);
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(log.contains("sh: 1: submissions/eve"), "{log}");
    assert!(!log.lines().any(|line| ["ESCAPED", "roster.csv"].contains(&line)), "{log}");
}

/// Commands that start a player of the referee's own, or a program that is neither the student's nor an interpreter.
const NOT_THEIRS: [&str; 6] =
    ["good", "good-bot", "referee bot good", "env python3 bot.py", "/usr/bin/env", "../../bots"];

#[test]
#[needs(NAMESPACES)]
fn the_referees_own_players_and_other_programs_are_refused() {
    let students: Vec<String> = (0..=NOT_THEIRS.len()).map(|number| format!("s{number}")).collect();
    let roster: Vec<_> = students.iter().map(|id| (id.as_str(), "", "")).collect();
    let (class, desk) = (Class::new(SETTINGS, &roster), Desk::new());
    let at = ["--at", "2026-11-30T10-00-00"];
    for (id, command) in students.iter().zip(NOT_THEIRS) {
        let folder = desk.folder(id, &[("bot.toml", &format!("run = '{command}'\n"))]);
        class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    }
    // A copy under another name, which a script would start.
    let id = students.last().unwrap();
    let folder = desk
        .folder(id, &[("bot.toml", "run = 'sh bot.sh'\n"), ("bot.sh", "exec ./data/model.bin\n")]);
    fs::create_dir(folder.join("data")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_good-bot"), folder.join("data/model.bin")).unwrap();
    class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("0 built, 0 not built, 7 refused"), "{said}");
    assert!(said.contains("\"good\" is a player that comes with the referee"), "{said}");
    assert!(said.contains("is a copy of good-bot"), "{said}");
}

/// With a seed that everybody knows a student computed the fleets of the staff's bots and sank them in 17 attacks.
#[test]
fn a_class_has_a_secret_of_its_own_and_its_files_are_private() {
    use std::os::unix::fs::PermissionsExt;

    let class = Class::new(SETTINGS, &[("ada", "", "")]);
    class.succeeds(&["status"]);
    let secret = |class: &Class| fs::read_to_string(class.path("class.secret")).unwrap();
    assert_eq!(secret(&class).trim().len(), 32);
    assert_ne!(secret(&class), secret(&Class::new(SETTINGS, &[])));
    for file in ["class.secret", "class.db"] {
        let mode = fs::metadata(class.path(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    // Without it the class plays as before, and the teacher is told.
    fs::remove_file(class.path("class.secret")).unwrap();
    let said = String::from_utf8(class.output(&["play"]).stderr).unwrap();
    assert!(said.contains("students can compute the seeds"), "{said}");
    fs::write(class.path("class.secret"), "12").unwrap();
    let refused = class.output(&["status"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}
