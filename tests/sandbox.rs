//! The sandbox: what a bot in it can still do, what it cannot, and that it is tried before it is trusted.

#![cfg(target_os = "linux")]

use crate::common::{misbehaving, play, project_file, referee};
use crate::harness::Label;
use crate::harness::needs::{self, Need};
use predicates::str::contains;
use serde_json::Value;

/// A bot in Python that plays legally, and runs `deed` instead of its first attack. Debian's own Python, whose
/// installation is the system's.
fn python(deed: &str) -> String {
    let script = "import sys, os, time\n\
        for line in sys.stdin:\n  \
          word = line.split()[0]\n  \
          if word == \"battleship\": print(\"ready\", flush=True)\n  \
          elif word == \"place\": print(\"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\", flush=True)\n  \
          elif word == \"attack\":\n    DEED\n    break\n";
    format!("rogue=/usr/bin/python3 -c '{}'", script.replace("DEED", deed))
}

fn sandboxed(players: [&str; 2], options: &[&str]) -> Value {
    play(players, &[&["--sandbox", "--seed", "1", "--limit", "60s"], options].concat()).0
}

/// A level of the sandbox, as the record calls it and as the option that asks for it.
#[derive(Clone, Copy)]
struct Level {
    name: &'static str,
    option: &'static str,
}

impl Label for Level {
    fn label(&self) -> &str {
        self.name
    }

    fn needs(&self) -> &'static [&'static Need] {
        static STRICT: [&Need; 1] = [&needs::BWRAP];
        if self.name == "strict" { &STRICT } else { &[] }
    }
}

const LEVELS: [Level; 2] = [
    Level { name: "on", option: "--sandbox" },
    Level { name: "strict", option: "--sandbox=strict" },
];

/// Plays the same game outside and inside the sandbox.
fn plays_as_outside(players: [&str; 2], level: Level) {
    let shots = |record: &Value| -> Vec<Value> {
        let shots = record["shots"].as_array().unwrap().iter();
        shots.map(|shot| serde_json::json!([shot[1], shot[2]])).collect()
    };
    let (outside, _) = play(players, &["--seed", "1"]);
    let (inside, code) = play(players, &["--seed", "1", level.option]);
    assert_eq!((inside["ended_by"].as_str(), code), (Some("fleet_sunk"), 0), "{inside}");
    assert_eq!(shots(&inside), shots(&outside));
}

#[test]
#[needs(LANDLOCK)]
#[rows(LEVELS)]
fn the_shipped_players_play_as_they_do_outside(level: Level) {
    plays_as_outside(["mediocre", "good"], level);
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
#[rows(LEVELS)]
fn a_bot_in_python_plays_as_it_does_outside(level: Level) {
    let bot = project_file("examples/python/bot.py");
    plays_as_outside([&format!("/usr/bin/python3 '{}'", bot.display()), "awful"], level);
}

#[test]
#[needs(LANDLOCK)]
#[rows(LEVELS)]
fn the_record_says_what_an_attacker_was_refused(level: Level) {
    let (record, _) = play(["awful", "awful"], &["--seed", "1", level.option]);
    assert_eq!(record["sandbox"]["level"], level.name);
    let refused = record["sandbox"]["refused"].as_array().unwrap();
    for deed in ["signal the referee", "read a file outside", "connect by TCP", "send by UDP"] {
        assert!(refused.iter().any(|refused| refused == deed), "{deed}: {refused:?}");
    }
    assert_eq!(refused.iter().any(|deed| deed == "see the referee"), level.name == "strict");
}

#[test]
fn the_record_of_a_game_outside_names_no_sandbox() {
    let (record, _) = play(["awful", "awful"], &["--seed", "1"]);
    assert_eq!(record["sandbox"], Value::Null);
}

/// What a bot tries, where SECRET is a file of the user's and FOLDER the folder of it; and the error that it gets.
const DEEDS: [(&str, &str, &str); 9] = [
    ("read a file", "open(\"SECRET\")", "PermissionError"),
    ("write a file", "open(\"SECRET\", \"w\")", "PermissionError"),
    ("remove a file", "os.remove(\"SECRET\")", "PermissionError"),
    ("list a folder", "os.listdir(\"FOLDER\")", "PermissionError"),
    ("open the terminal", "open(\"/dev/tty\")", "PermissionError"),
    ("share memory", "open(\"/dev/shm/x\", \"w\")", "PermissionError"),
    (
        "connect by TCP",
        "import socket; socket.create_connection((\"127.0.0.1\", 9))",
        "PermissionError",
    ),
    (
        "send by UDP",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "PermissionError",
    ),
    // In a user namespace a bot would be root.
    (
        "make a user namespace",
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
        "AssertionError",
    ),
];

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
#[rows(DEEDS)]
fn a_bot_cannot((_, deed, error): (&str, &str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "the record of another").unwrap();
    let deed = deed.replace("SECRET", secret.to_str().unwrap());
    let deed = deed.replace("FOLDER", folder.path().to_str().unwrap());
    let record = sandboxed([&python(&deed), "awful"], &[]);
    let reason = record["reason"].as_str().unwrap();
    assert_eq!(record["ended_by"], "exited", "{reason}");
    assert!(reason.contains(error), "{reason}");
    assert_eq!(crate::common::text_of(secret), "the record of another");
}

/// Looks for SECRET in all files of its folder, and in the command lines and environments of all processes. Needs a
/// module from beside it, which is found by listing the folder.
const SPY: &str = "
import os, sys
import beside
def look():
    here = os.path.dirname(os.path.abspath(__file__))
    files = [os.path.join(at, name) for at, _, names in os.walk(here) for name in names]
    for process in filter(str.isdigit, os.listdir('/proc')):
        files += [f'/proc/{process}/cmdline', f'/proc/{process}/environ']
    for file in files:
        try:
            found = b'SECRET' in open(file, 'rb').read()
        except OSError:
            continue
        if found: print('# found in', os.path.basename(file))
cell = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready')
    elif word == 'place':
        look()
        print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h')
    elif word == 'attack':
        print('attack', cell // 10 % 10, cell % 10)
        cell += 1
    sys.stdout.flush()
";

/// Returns the comments of a spy in whose folder the referee writes the files of `options` and its output, and is given
/// a configuration. The secret is the seed.
fn seen_by_a_spy(command: &str, options: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("beside.py"), "").unwrap();
    std::fs::write(path("spy.py"), SPY.replace("SECRET", "77001234567")).unwrap();
    std::fs::write(path("cup.toml"), "seed = 77001234567\n").unwrap();
    let mut referee = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    referee.args([command]).args(["spy=/usr/bin/python3 spy.py", "awful"]).args(options);
    referee.args(["--limit", "60s"]).current_dir(folder.path());
    let output = std::fs::File::create(path("output")).unwrap();
    let status = referee.stdout(output).stdin(std::process::Stdio::null()).status().unwrap();
    assert!(status.success(), "{status}");
    // The dialogue of a game, or of those of a contest's games that were void.
    let said = std::fs::read_to_string(path("said")).unwrap_or_default();
    let bundles = std::fs::read_dir(path("bad")).into_iter().flatten().flatten();
    let said = bundles.fold(said, |said, bundle| {
        said + &std::fs::read_to_string(bundle.path().join("dialogue.txt")).unwrap_or_default()
    });
    said.lines()
        .filter_map(|line| line.split_once("-> # ").map(|(_, found)| found.to_owned()))
        .collect()
}

const PLAY: [&str; 7] =
    ["--seed", "77001234567", "--json", "--record", "record", "--transcript", "said"];

/// The bot's folder is also the user's current one, as in the README.
#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
#[rows(LEVELS)]
fn the_seed_is_not_to_be_found(level: Level) {
    let outside = seen_by_a_spy("play", &PLAY);
    assert_eq!(outside, ["found in cup.toml", "found in spy.py"]);
    let inside = seen_by_a_spy("play", &[&PLAY[..], &[level.option]].concat());
    assert_eq!(inside, ["found in cup.toml", "found in spy.py"]);
    // A game without a winner is kept.
    let contest = ["--config", "cup.toml", "--games", "2", "--max-turns", "1", "--events"];
    let files = ["--out", "record", "--bundle", "bad", level.option];
    let inside = seen_by_a_spy("tournament", &[&contest[..], &files].concat());
    assert_eq!(inside, ["found in spy.py"; 2]);
    let outside = seen_by_a_spy("tournament", &[&contest[..], &files[..4]].concat());
    assert!(outside.contains(&"found in record".to_owned()), "{outside:?}");
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn a_folder_that_is_allowed_can_be_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("opening.txt"), "attack 5 5").unwrap();
    let path = folder.path().display().to_string();
    let read =
        python(&format!("print(open(\"{path}/opening.txt\").read(), flush=True); time.sleep(0)"));
    let record = sandboxed([&read, "awful"], &["--allow", &path]);
    assert_eq!(record["shots"][0][1], 5, "{}", record["reason"]);
    let write = python(&format!("open(\"{path}/mine\", \"w\")"));
    let record = sandboxed([&write, "awful"], &["--allow", &path]);
    assert!(record["reason"].as_str().unwrap().contains("PermissionError"), "{}", record["reason"]);
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn files_that_the_command_names_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("books")).unwrap();
    std::fs::write(folder.path().join("books/opening.txt"), "attack 5 5").unwrap();
    for name in ["bot.py", "strategy.py"] {
        let file = project_file("examples/python").join(name);
        std::fs::copy(file, folder.path().join(name)).unwrap();
    }
    let deed = "print(open(sys.argv[1] + \"/opening.txt\").read(), flush=True)";
    for player in ["/usr/bin/python3 bot.py".to_owned(), python(deed) + " books"] {
        let output = referee()
            .current_dir(folder.path())
            .args(["play", &player, "awful", "--sandbox", "--seed", "1", "--json"])
            .output()
            .unwrap();
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_ne!(record["shots"][0], Value::Null, "{}", record["reason"]);
    }
}

#[test]
#[needs(LANDLOCK)]
#[rows(LEVELS)]
fn files_called_like_the_referees_commands_are_ignored(level: Level) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bot", "good", "awful", "probe", "confine"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    referee()
        .current_dir(folder.path())
        .args(["play", "good", "awful", "--seed", "1", level.option])
        .assert()
        .code(0);
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn a_bot_has_a_fresh_folder_to_itself_that_is_gone_afterwards() {
    let deed = "assert os.listdir(\".\") == []; open(\"notes\", \"w\").write(\"x\"); \
        sys.exit(os.getcwd() + \" \" + os.environ[\"HOME\"])";
    let record = sandboxed([&python(deed), "awful"], &[]);
    let reason = record["reason"].as_str().unwrap();
    let said = reason.rsplit_once(": \"").unwrap().1.trim_end_matches('"');
    let (folder, home) = said.split_once(' ').unwrap();
    assert_eq!(folder, home, "{reason}");
    assert!(
        folder.contains("battleship-bot-") && !std::path::Path::new(folder).exists(),
        "{folder}"
    );
}

/// Programs that are bounded in number and time even where nothing stops them.
const GREEDY: [(&str, &str, [&str; 2], &str); 3] = [
    (
        "processes",
        "[os.fork() or (time.sleep(20), os._exit(0)) for i in range(40)]; time.sleep(20)",
        ["--max-threads", "20"],
        "rogue forfeits: had more than 20 threads and processes",
    ),
    // Each of them stays within what a process may have; together they do not.
    (
        "memory",
        "[os.fork() or (bytearray(b\"x\") * (45 << 20), time.sleep(20), os._exit(0)) for i in range(3)]; \
         time.sleep(20)",
        ["--max-memory", "64"],
        "rogue forfeits: used more than 64 MiB of memory",
    ),
    // Orphans of it come and go all the time.
    (
        "restless processes",
        "[os.fork() or (time.sleep(20), os._exit(0)) for i in range(40)]; end = time.monotonic() + 20\n    \
         while time.monotonic() < end: os.fork() or (os.fork() or time.sleep(0.005), os._exit(0)); os.waitpid(-1, os.WNOHANG)",
        ["--max-threads", "20"],
        "rogue forfeits: had more than 20 threads and processes",
    ),
];

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
#[rows(GREEDY)]
fn a_bot_that_uses_too_much_is_ended(row: (&str, &str, [&str; 2], &str)) {
    let (_, program, options, reason) = row;
    let record = sandboxed([&python(program), "awful"], &options);
    assert_eq!(record["reason"], reason);
    assert_eq!(
        (&record["ended_by"], &record["winner"]),
        (&"used_too_much".into(), &"awful".into())
    );
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn a_process_gets_no_more_memory_than_its_bot_may_have() {
    let at_once = python("x = bytearray(100 << 20)");
    let record = sandboxed([&at_once, "awful"], &["--max-memory", "64"]);
    assert!(record["reason"].as_str().unwrap().contains("MemoryError"), "{}", record["reason"]);
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn a_bot_cannot_write_files_without_end_or_open_them() {
    for (deed, error) in [
        ("f = open(\"huge\", \"wb\"); f.truncate(1 << 30)", "File too large"),
        ("files = [open(\"/dev/null\") for i in range(1000)]", "Too many open files"),
    ] {
        let record = sandboxed([&python(deed), "awful"], &[]);
        assert!(record["reason"].as_str().unwrap().contains(error), "{}", record["reason"]);
    }
}

#[test]
#[needs(LANDLOCK, SYSTEM_PYTHON)]
fn a_fault_in_the_sandbox_is_judged_as_outside() {
    let rogue = misbehaving("--stderr oops exit 3");
    let reason = "rogue forfeits: exited with status 3; last words on stderr: \"oops\"";
    assert_eq!(sandboxed([&rogue, "awful"], &[])["reason"], reason);
    let rogue = misbehaving("crash");
    assert_eq!(sandboxed([&rogue, "awful"], &[])["ended_by"], "crashed");
    // Nor does a crash leave its folder behind.
    let deed =
        "open(\"folder\", \"w\"); sys.stderr.write(os.getcwd()); sys.stderr.flush(); os.abort()";
    let record = sandboxed([&python(deed), "awful"], &[]);
    let reason = record["reason"].as_str().unwrap();
    let folder = reason.rsplit_once(": \"").unwrap().1.trim_end_matches('"');
    assert!(folder.contains("battleship-bot-"), "{reason}");
    assert!(!std::path::Path::new(folder).exists(), "{reason}");
}

#[test]
#[needs(LANDLOCK)]
#[rows(LEVELS)]
fn a_program_that_is_not_there_is_named_as_outside(level: Level) {
    referee()
        .args(["play", "awful", "no-such-program", "--seed", "1", level.option])
        .assert()
        .code(4)
        .stderr(contains("no program \"no-such-program\" is on the PATH"));
}

#[test]
#[needs(LANDLOCK)]
fn a_strict_sandbox_without_bubblewrap_is_an_error() {
    let empty = tempfile::tempdir().unwrap();
    referee()
        .env("PATH", empty.path())
        .args(["play", "awful", "awful", "--seed", "1", "--sandbox=strict"])
        .assert()
        .code(4)
        .stderr(contains("Debian's package bubblewrap"));
}

const UNAVAILABLE: [(&[&str], &str); 4] = [
    (&["--sandbox", "--portable"], "the sandbox needs Linux"),
    (&["--sandbox", "--allow", "/no/such/folder"], "there is no such folder"),
    (&["--sandbox=loose"], "possible values: on, strict"),
    (&["--allow", "/usr"], "--sandbox"),
];

#[test]
#[rows(UNAVAILABLE)]
fn a_sandbox_that_is_unavailable_is_an_error((arguments, message): (&[&str], &str)) {
    let assert = referee().args(["play", "awful", "awful"]).args(arguments).assert();
    assert.code(2).stderr(contains(message));
}
