//! The sandbox: what a bot in it can still do, what it cannot, and that it is tried before it is trusted.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU64, Ordering};

use predicates::str::{contains, ends_with, starts_with};
use serde_json::Value;
use testkit::list::Tests;
use testkit::modes::{DEEDS, Deed, LEVELS, Mode, Targets, python};
use testkit::programs::{misbehaving, play, project_file, referee, referee_in, text_of};
use testkit::tools::is_root;
use testkit::tools::{LANDLOCK, NAMESPACES, PYTHON, SETPRIV, SYSTEM_PYTHON, UNIX, UNSHARE};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(tests, the_record_of_a_game_outside_names_no_sandbox);
        rows!(tests, LEVELS, the_shipped_players_play_as_they_do_outside);
        rows!(tests, LEVELS, the_record_says_what_an_attacker_was_refused);
        rows!(
            tests,
            LEVELS,
            files_called_like_the_referees_commands_are_ignored
        );
        rows!(
            tests,
            LEVELS,
            a_program_that_is_not_there_is_named_as_outside
        );
    });
    tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
        rows!(tests, LEVELS, a_bot_in_python_plays_as_it_does_outside);
        rows!(tests, LEVELS, the_seed_is_not_to_be_found);
        rows!(
            tests,
            LEVELS,
            a_bot_has_a_fresh_folder_to_itself_that_is_gone_afterwards
        );
        rows!(
            tests,
            LEVELS,
            a_bot_does_not_see_the_script_of_another_in_its_folder
        );
        rows!(tests, LEVELS, of_a_home_a_bot_sees_its_own_files_only);
    });
    tests.needing(&[UNIX, LANDLOCK, NAMESPACES, SYSTEM_PYTHON], |tests| {
        rows!(tests, DEEDS, a_bot_tries_to);
    });
    tests.needing(&[UNIX, LANDLOCK, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            a_folder_that_is_allowed_can_be_read_and_not_written,
            files_that_the_command_names_can_be_read,
            a_process_gets_no_more_memory_than_its_bot_may_have,
            a_fault_in_the_sandbox_is_judged_as_outside
        );
        rows!(tests, FOLDERS, a_folder_is_gone_whatever_is_in_it);
        rows!(tests, GREEDY, a_bot_that_uses_too_much_is_ended);
    });
    tests.needing(&[UNIX, LANDLOCK, NAMESPACES], |tests| {
        add!(
            tests,
            the_referee_may_be_in_the_users_home,
            what_a_basic_sandbox_does_not_do_is_said_once_at_the_start
        );
        rows!(tests, SETTINGS, the_sandbox_holds_whatever_is_set);
        rows!(tests, LEVELS, files_may_have_names_that_are_not_text);
    });
    tests.needing(&[UNIX, LANDLOCK, NAMESPACES, PYTHON], |tests| {
        add!(
            tests,
            whatever_signals_its_parent_has_blocked_the_referee_and_its_bots_hear_them
        );
    });
    tests.needing(&[UNIX, NAMESPACES, UNSHARE], |tests| {
        add!(tests, where_proc_shows_other_processes_the_referee_says_so);
    });
    tests.needing(&[UNIX, LANDLOCK, NAMESPACES, UNSHARE], |tests| {
        rows!(
            tests,
            LEVELS,
            the_number_of_the_referees_process_may_be_one_of_the_first
        );
    });
    tests.needing(&[UNIX, LANDLOCK, SETPRIV, UNSHARE], |tests| {
        add!(
            tests,
            a_world_that_cannot_be_made_is_an_error_that_names_the_way
        );
    });
}

/// Plays in a world.
fn sandboxed(players: [&str; 2], options: &[&str]) -> Value {
    sandboxed_at(LEVELS[0], players, options)
}

fn sandboxed_at(level: Mode, players: [&str; 2], options: &[&str]) -> Value {
    play(
        players,
        &[level.options, &["--seed", "1", "--limit", "60s"], options].concat(),
    )
    .0
}

/// Plays the same game outside and inside the sandbox.
fn plays_as_outside(players: [&str; 2], level: Mode) {
    let shots = |record: &Value| -> Vec<Value> {
        let shots = record["shots"].as_array().unwrap().iter();
        shots
            .map(|shot| serde_json::json!([shot[1], shot[2]]))
            .collect()
    };
    let (outside, _) = play(players, &["--seed", "1"]);
    let (inside, code) = play(players, &[&["--seed", "1"], level.options].concat());
    assert_eq!(
        (inside["ended_by"].as_str(), code),
        (Some("fleet_sunk"), 0),
        "{inside}"
    );
    assert_eq!(shots(&inside), shots(&outside));
}

fn the_shipped_players_play_as_they_do_outside(level: Mode) {
    plays_as_outside(["mediocre", "good"], level);
}

fn a_bot_in_python_plays_as_it_does_outside(level: Mode) {
    let bot = project_file("examples/python/bot.py");
    plays_as_outside(
        [&format!("/usr/bin/python3 '{}'", bot.display()), "awful"],
        level,
    );
}

fn the_record_says_what_an_attacker_was_refused(level: Mode) {
    let (record, _) = play(
        ["awful", "awful"],
        &[&["--seed", "1"], level.options].concat(),
    );
    assert_eq!(record["sandbox"]["level"], level.name);
    let refused = record["sandbox"]["refused"].as_array().unwrap();
    for deed in [
        "signal the referee",
        "read a file outside",
        "connect by TCP",
        "send by UDP",
    ] {
        assert!(
            refused.iter().any(|refused| refused == deed),
            "{deed}: {refused:?}"
        );
    }
    assert_eq!(
        refused.iter().any(|deed| deed == "see the referee"),
        level.name == "world"
    );
}

fn the_record_of_a_game_outside_names_no_sandbox() {
    let (record, _) = play(["awful", "awful"], &["--seed", "1"]);
    assert_eq!(record["sandbox"], Value::Null);
}

fn a_bot_tries_to((_, deed, errors): Deed) {
    for (level, error) in LEVELS.iter().zip(errors) {
        let targets = Targets::new();
        let metadata = || {
            let metadata = std::fs::metadata(&targets.secret).unwrap();
            (metadata.permissions(), metadata.modified().unwrap())
        };
        let before = metadata();
        let record = sandboxed_at(*level, [&python(&targets.fill(deed)), "awful"], &[]);
        let reason = record["reason"].as_str().unwrap();
        assert_eq!(record["ended_by"], "exited", "{}: {reason}", level.name);
        // Without an error it ends as if it had done its work.
        assert!(
            reason.contains(error.unwrap_or("status 0")),
            "{}: {reason}",
            level.name
        );
        assert_eq!(text_of(&targets.secret), "the record of another");
        assert_eq!(metadata(), before);
    }
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
        if found: print('# found in', os.path.basename(file), '= 1')
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
    // A secret for each: the referee of another test that runs at this moment begins with its own on its command line.
    static SPIES: AtomicU64 = AtomicU64::new(77_001_234_567);
    let secret = SPIES.fetch_add(1, Ordering::Relaxed).to_string();
    let options = options
        .iter()
        .map(|option| option.replace("SECRET", &secret));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("beside.py"), "").unwrap();
    std::fs::write(path("spy.py"), SPY.replace("SECRET", &secret)).unwrap();
    std::fs::write(path("cup.toml"), format!("seed = {secret}\n")).unwrap();
    let mut referee = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    referee
        .args([command])
        .args(["spy=/usr/bin/python3 spy.py", "awful"])
        .args(options);
    referee.args(["--limit", "60s"]).current_dir(folder.path());
    let output = std::fs::File::create(path("output")).unwrap();
    let status = referee
        .stdout(output)
        .stdin(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    // What it says are figures of its games.
    let record = std::fs::read_to_string(path("record")).unwrap();
    let lines = record
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let figures = lines
        .filter_map(|line| line["figures"].as_array().cloned())
        .flatten();
    figures
        .map(|figure| figure["name"].as_str().unwrap().to_owned())
        .collect()
}

const PLAY: [&str; 5] = ["--seed", "SECRET", "--json", "--record", "record"];

/// The bot's folder is also the user's current one, as in the README.
fn the_seed_is_not_to_be_found(level: Mode) {
    let outside = seen_by_a_spy("play", &PLAY);
    assert_eq!(outside, ["found in cup.toml", "found in spy.py"]);
    let inside = seen_by_a_spy("play", &[&PLAY[..], level.options].concat());
    assert_eq!(inside, ["found in cup.toml", "found in spy.py"]);
    let contest = [
        "--config",
        "cup.toml",
        "--games",
        "2",
        "--max-turns",
        "1",
        "--quiet",
    ];
    let files = ["--out", "record"];
    let inside = seen_by_a_spy(
        "tournament",
        &[&contest[..], &files, level.options].concat(),
    );
    assert_eq!(inside, ["found in spy.py"; 2]);
    let outside = seen_by_a_spy("tournament", &[&contest[..], &files].concat());
    assert!(
        outside.contains(&"found in record".to_owned()),
        "{outside:?}"
    );
}

fn a_folder_that_is_allowed_can_be_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("opening.txt"), "attack 5 5").unwrap();
    let path = folder.path().display().to_string();
    let read = python(&format!(
        "print(open(\"{path}/opening.txt\").read(), flush=True); time.sleep(0)"
    ));
    let record = sandboxed([&read, "awful"], &["--allow", &path]);
    assert_eq!(record["shots"][0][1], 5, "{}", record["reason"]);
    let write = python(&format!("open(\"{path}/mine\", \"w\")"));
    for (level, error) in LEVELS
        .iter()
        .zip(["Read-only file system", "PermissionError"])
    {
        let record = sandboxed_at(*level, [&write, "awful"], &["--allow", &path]);
        assert!(
            record["reason"].as_str().unwrap().contains(error),
            "{}",
            record["reason"]
        );
    }
}

fn files_that_the_command_names_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("books")).unwrap();
    std::fs::write(folder.path().join("books/opening.txt"), "attack 5 5").unwrap();
    for name in ["bot.py", "strategy.py"] {
        let file = project_file("examples/python").join(name);
        std::fs::copy(file, folder.path().join(name)).unwrap();
    }
    let deed = "print(open(sys.argv[1] + \"/opening.txt\").read(), flush=True)";
    for player in [
        "/usr/bin/python3 bot.py".to_owned(),
        python(deed) + " books",
    ] {
        let output = referee()
            .current_dir(folder.path())
            .args([
                "play",
                &player,
                "awful",
                "--sandbox",
                "--seed",
                "1",
                "--json",
            ])
            .output()
            .unwrap();
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_ne!(record["shots"][0], Value::Null, "{}", record["reason"]);
    }
}

fn files_called_like_the_referees_commands_are_ignored(level: Mode) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bot", "good", "awful", "probe", "confine"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    referee()
        .current_dir(folder.path())
        .args(["play", "good", "awful", "--seed", "1"])
        .args(level.options)
        .assert()
        .code(0);
}

/// As `cargo install` puts it, or a build in a folder of one's own; and with a folder there that a bot may read.
fn the_referee_may_be_in_the_users_home() {
    let home = std::env::home_dir().unwrap();
    let folder = tempfile::Builder::new()
        .prefix("referee-")
        .tempdir_in(home)
        .unwrap();
    let (copy, data) = (referee_in(folder.path()), folder.path().join("data"));
    std::fs::create_dir(&data).unwrap();
    for more in [&[][..], &["--allow", data.to_str().unwrap()]] {
        let mut play = assert_cmd::Command::new(&copy);
        let game = [
            "play",
            "awful",
            "mediocre",
            "--seed",
            "1",
            "--no-pause",
            "--sandbox",
        ];
        play.args(game)
            .args(more)
            .current_dir(&folder)
            .assert()
            .code(0);
    }
}

/// The settings that a shell or an administrator may have made, and the commands that make them.
const SETTINGS: [(&str, &str); 7] = [
    ("files for the group only", "umask 027"),
    ("files for the user only", "umask 077"),
    ("folders that no one enters", "umask 0177"),
    (
        "a long name of the temporary folder",
        "export TMPDIR=\"$LONG\"",
    ),
    ("no name of the temporary folder", "export TMPDIR="),
    ("few open files", "ulimit -n 250"),
    ("small files", "ulimit -f 1000"),
];

fn the_sandbox_holds_whatever_is_set((_, set): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("x".repeat(150));
    std::fs::create_dir(&long).unwrap();
    let mut shell = assert_cmd::Command::new("sh");
    shell.arg("-c").arg(format!(
        "{set}; exec \"$0\" play awful mediocre --seed 1 --no-pause --sandbox"
    ));
    shell.arg(env!("CARGO_BIN_EXE_referee")).env("LONG", long);
    shell.assert().code(0).stdout(ends_with("mediocre wins!\n"));
}

/// Those that another program has started may not hear what ends them.
fn whatever_signals_its_parent_has_blocked_the_referee_and_its_bots_hear_them() {
    let block = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); \
                 os.execv(sys.argv[1], sys.argv[1:])";
    let mut check = assert_cmd::Command::new("python3");
    check.args([
        "-c",
        block,
        env!("CARGO_BIN_EXE_referee"),
        "check",
        "awful",
        "--sandbox",
    ]);
    check.args(["--grace", "60s"]).assert().code(0);
}

/// Names are bytes, of which not all are text.
fn files_may_have_names_that_are_not_text(level: Mode) {
    let folder = tempfile::tempdir().unwrap();
    let strange = folder.path().join(OsStr::from_bytes(b"\xff\xfe"));
    std::fs::create_dir(&strange).unwrap();
    let mut command = referee();
    command
        .args(["match", "awful", "mediocre", "--games", "2", "--quiet"])
        .args(level.options);
    command.arg("--out").arg(strange.join("m.jsonl"));
    command.current_dir(&strange).assert().code(0);
}

/// `unshare`, for what follows as the first process of a namespace.
fn unshared() -> assert_cmd::Command {
    let mut unshare = assert_cmd::Command::new("unshare");
    if !is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    unshare.args(["--pid", "--fork"]);
    unshare
}

/// Processes are looked up by their numbers, so numbers of others would mean strangers.
fn where_proc_shows_other_processes_the_referee_says_so() {
    let mut unshare = unshared();
    unshare.args([env!("CARGO_BIN_EXE_referee"), "play", "awful", "mediocre"]);
    unshare.assert().code(1).stderr(contains(
        "/proc: it shows the processes of another namespace",
    ));
}

/// As in a container: in a world a process has the same number.
fn the_number_of_the_referees_process_may_be_one_of_the_first(level: Mode) {
    let mut unshare = unshared();
    unshare.args(["--mount-proc", "sh", "-c"]);
    // The shell is the first, and does not become the referee: something is left to do.
    unshare.arg("echo $$; \"$0\" play awful mediocre --seed 1 --no-pause $1 && echo played");
    unshare
        .arg(env!("CARGO_BIN_EXE_referee"))
        .args(level.options);
    let played = unshare.assert().code(0);
    played
        .stdout(starts_with("1\n"))
        .stdout(ends_with("mediocre wins!\nplayed\n"));
}

fn a_bot_has_a_fresh_folder_to_itself_that_is_gone_afterwards(level: Mode) {
    let deed = "assert os.listdir(\".\") == []; open(\"notes\", \"w\").write(\"x\"); \
        sys.exit(os.getcwd() + \" \" + os.environ[\"HOME\"])";
    // Twice: what the first one has written is not there the second time.
    for _ in 0..2 {
        let record = sandboxed_at(level, [&python(deed), "awful"], &[]);
        let reason = record["reason"].as_str().unwrap();
        let said = reason.rsplit_once(": \"").unwrap().1.trim_end_matches('"');
        let (folder, home) = said.split_once(' ').unwrap();
        assert_eq!(folder, home, "{reason}");
        let expected = if level.name == "world" {
            "/home/bot"
        } else {
            "battleship-bot-"
        };
        assert!(
            folder.contains(expected) && !std::path::Path::new(folder).exists(),
            "{folder}"
        );
    }
}

/// The folders of a bot that are hard to remove, and the code that makes them.
const FOLDERS: [(&str, &str); 3] = [
    (
        "closed",
        "os.makedirs(\"a/b\"); open(\"a/b/f\", \"w\"); os.mkdir(\"c\", 0); os.umask(0o777); os.mkdir(\"d\")",
    ),
    (
        "deep",
        "[(os.mkdir(\"d\"), os.chdir(\"d\")) for i in range(3000)]",
    ),
    ("full", "[open(str(i), \"w\").close() for i in range(5000)]"),
];

fn a_folder_is_gone_whatever_is_in_it((_, deed): (&str, &str)) {
    let temporary = tempfile::tempdir().unwrap();
    let player = python(&format!("{deed}; sys.exit(\"done\")"));
    let output = referee()
        .env("TMPDIR", temporary.path())
        .args([
            "play",
            &player,
            "awful",
            "--sandbox=basic",
            "--seed",
            "1",
            "--limit",
            "60s",
            "--json",
        ])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        record["reason"].as_str().unwrap().contains("done"),
        "{}",
        record["reason"]
    );
    let left: Vec<_> = std::fs::read_dir(temporary.path())
        .unwrap()
        .flatten()
        .collect();
    assert!(left.is_empty(), "{left:?}");
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

fn a_bot_that_uses_too_much_is_ended(row: (&str, &str, [&str; 2], &str)) {
    let (_, program, options, reason) = row;
    let record = sandboxed([&python(program), "awful"], &options);
    assert_eq!(record["reason"], reason);
    assert_eq!(
        (&record["ended_by"], &record["winner"]),
        (&"used_too_much".into(), &"awful".into())
    );
}

fn a_process_gets_no_more_memory_than_its_bot_may_have() {
    let at_once = python("x = bytearray(100 << 20)");
    let record = sandboxed([&at_once, "awful"], &["--max-memory", "64"]);
    assert!(
        record["reason"].as_str().unwrap().contains("MemoryError"),
        "{}",
        record["reason"]
    );
}

fn a_fault_in_the_sandbox_is_judged_as_outside() {
    let rogue = misbehaving("--stderr oops exit 3");
    let reason = "rogue forfeits: exited with status 3; last words on stderr: \"oops\"";
    assert_eq!(sandboxed([&rogue, "awful"], &[])["reason"], reason);
    let rogue = misbehaving("crash");
    assert_eq!(sandboxed([&rogue, "awful"], &[])["ended_by"], "crashed");
    // Nor does a crash leave its folder behind.
    let deed =
        "open(\"folder\", \"w\"); sys.stderr.write(os.getcwd()); sys.stderr.flush(); os.abort()";
    let record = sandboxed_at(LEVELS[1], [&python(deed), "awful"], &[]);
    let reason = record["reason"].as_str().unwrap();
    let folder = reason.rsplit_once(": \"").unwrap().1.trim_end_matches('"');
    assert!(folder.contains("battleship-bot-"), "{reason}");
    assert!(!std::path::Path::new(folder).exists(), "{reason}");
}

fn a_program_that_is_not_there_is_named_as_outside(level: Mode) {
    referee()
        .args(["play", "awful", "no-such-program", "--seed", "1"])
        .args(level.options)
        .assert()
        .code(4)
        .stderr(contains("no program \"no-such-program\" is on the PATH"));
}

/// Without namespaces for users: what is missing is named, how to get it, and what there is instead.
fn a_world_that_cannot_be_made_is_an_error_that_names_the_way() {
    // In a namespace for users that may have none below it.
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    let output = std::process::Command::new("unshare")
        .args([
            "--user",
            "--map-current-user",
            "--keep-caps",
            "sh",
            "-c",
            script,
            "sh",
        ])
        .args(["setpriv", "--inh-caps=-all", "--ambient-caps=-all"])
        .arg(env!("CARGO_BIN_EXE_referee"))
        .args(["play", "awful", "awful", "--seed", "1", "--sandbox"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    for expected in [
        "namespaces for users",
        "sysctl -w user.max_user_namespaces",
        "--sandbox=basic",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert_eq!(
        said.matches("the sandbox is unavailable").count(),
        1,
        "{said}"
    );
    assert!(!said.contains("the test of it"), "{said}");
}

/// Once a run, however many games it has; `true` in a file means a world.
fn what_a_basic_sandbox_does_not_do_is_said_once_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("basic.toml"), "sandbox = \"basic\"\n").unwrap();
    std::fs::write(folder.path().join("world.toml"), "sandbox = true\n").unwrap();
    let many = ["--games", "4", "--series", "2", "--quiet"];
    let said = |command: &str, options: &[&str]| {
        let mut referee = referee();
        referee
            .current_dir(folder.path())
            .args([command, "awful", "awful", "--seed", "1"]);
        let output = referee.args(options).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        let about = said
            .lines()
            .filter(|line| line.starts_with("referee: --sandbox=basic: "));
        about.map(str::to_owned).collect::<Vec<_>>()
    };
    let by_command = said("play", &["--sandbox=basic", "--json"]);
    assert_eq!(by_command.len(), 1, "{by_command:?}");
    for part in ["command lines of other processes", "docs/hostile-bots.md"] {
        assert!(by_command[0].contains(part), "{by_command:?}");
    }
    assert_eq!(
        said("match", &[&many[..], &["--sandbox=basic"]].concat()),
        by_command
    );
    let by_file = [&many[..], &["--config", "basic.toml"]].concat();
    assert_eq!(said("tournament", &by_file), by_command);
    let by_file = [&many[..], &["--config", "world.toml"]].concat();
    assert!(said("tournament", &by_file).is_empty());
    assert!(said("play", &["--json"]).is_empty());
}

/// Says which of the files in its folder it can read, and what is there besides.
const LOOKER: &str = "
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
seen = []
for name in sorted(os.listdir(here)):
    try:
        if open(os.path.join(here, name)).read(): seen.append(name)
    except OSError: pass
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    elif word == 'place': sys.exit(' '.join(seen))
";

/// Returns what a bot in `folder` sees there, which plays against another in the same folder.
fn seen_beside_another(level: Mode, folder: &std::path::Path, home: &std::path::Path) -> String {
    let other = format!("import other_strategy\n{LOOKER}");
    for (name, content) in [
        ("looker.py", LOOKER),
        ("other.py", &other),
        ("notes.txt", "x"),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    std::fs::write(folder.join("other_strategy.py"), "SECRET = 1").unwrap();
    let output = referee()
        .current_dir(folder)
        .env("HOME", home)
        .args([
            "play",
            "/usr/bin/python3 looker.py",
            "/usr/bin/python3 other.py",
        ])
        .args(level.options)
        .args(["--seed", "1", "--json", "--limit", "60s"])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    record["reason"].as_str().unwrap().to_owned()
}

fn a_bot_does_not_see_the_script_of_another_in_its_folder(level: Mode) {
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let seen = seen_beside_another(level, folder.path(), home.path());
    let scripts = "\"looker.py notes.txt other_strategy.py\"";
    assert!(seen.ends_with(scripts), "{seen}");
}

fn of_a_home_a_bot_sees_its_own_files_only(level: Mode) {
    let home = tempfile::tempdir().unwrap();
    let seen = seen_beside_another(level, home.path(), home.path());
    // By rules the names can be known, but nothing be listed or read.
    let expected = if level.name == "world" {
        "\"looker.py other_strategy.py\""
    } else {
        "PermissionError"
    };
    assert!(
        seen.contains(expected) && !seen.contains("notes.txt"),
        "{seen}"
    );
}
