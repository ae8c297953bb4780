//! The programs for Windows do what those for Linux do. Wine runs them, whose processes are processes of this machine.

#[cfg(unix)]
mod console;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use testkit::arena::{until, until_within};
use testkit::contest::without_times;
use testkit::programs::{Folder, referee, text_of};
use testkit::wine::{self, windows_path};

use testkit::list::{Tests, Tier};
use testkit::tools::{MINGW, UNIX, WINDOWS_PROGRAMS, WINE};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[UNIX, MINGW, WINDOWS_PROGRAMS, WINE], |tests| {
            add!(
                tests,
                a_contest_survives_a_kill_and_its_record_is_the_one_of_linux,
                commands_with_spaces_and_backslashes_start,
                a_program_that_is_not_there_is_named,
                a_crash_is_told_from_an_exit,
                a_bot_is_checked_and_a_kit_is_made
            );
            rows!(tests, GAMES, a_game_is_the_same_as_on_linux);
        });
    });
    #[cfg(unix)]
    console::tests(tests);
}

/// The time that the first games may take: a busy machine needs minutes for what Wine does there.
const PATIENCE: Duration = Duration::from_secs(300);

/// Held by a test that kills or interrupts a contest: beside another one Wine has left a contest waiting for ever.
fn one_contest_at_a_time() -> MutexGuard<'static, ()> {
    static CONTEST: Mutex<()> = Mutex::new(());
    CONTEST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap()
}

/// Returns the standard output of a command, which has to succeed.
fn printed(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn on_windows(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = wine::command("referee");
    command.args(arguments).current_dir(folder.path(""));
    command
}

const GAMES: [(&str, &[&str]); 3] = [
    (
        "classic",
        &["play", "mediocre", "good", "--seed", "1", "--no-pause"],
    ),
    (
        "small",
        &[
            "play",
            "awful",
            "mediocre",
            "--seed",
            "2",
            "--no-pause",
            "--rows",
            "8",
        ],
    ),
    (
        "twist",
        &[
            "play",
            "good",
            "mediocre",
            "--seed",
            "3",
            "--no-pause",
            "--rules",
            "twist",
        ],
    ),
];

fn a_game_is_the_same_as_on_linux((_, arguments): (&str, &[&str])) {
    let folder = Folder::new();
    let mut here = Command::new(env!("CARGO_BIN_EXE_referee"));
    let here = printed(here.args(arguments).current_dir(folder.path("")));
    assert_eq!(printed(&mut on_windows(&folder, arguments)), here);
}

/// The lines of a record, without what tells contests and machines apart: the contest's name, times, and the digests of
/// the programs.
fn lines(path: &str) -> Vec<Value> {
    let mut lines = without_times(&text_of(path));
    for line in &mut lines {
        for field in ["id", "contest"] {
            if let Some(id) = line.get_mut(field).filter(|id| id.is_string()) {
                *id = Value::Null;
            }
        }
        if let Some(id) = line
            .get_mut("contest")
            .and_then(|contest| contest.get_mut("id"))
        {
            *id = Value::Null;
        }
        let players = line
            .get_mut("config")
            .and_then(|config| config["players"].as_array_mut());
        for player in players.into_iter().flatten() {
            assert!(player["program"].is_string(), "{player}");
            player["program"] = Value::Null;
            player["files"] = Value::Null;
        }
    }
    lines
}

const MATCH: [&str; 9] = [
    "match", "awful", "mediocre", "--games", "150", "--series", "10", "--seed", "7",
];

fn a_contest_survives_a_kill_and_its_record_is_the_one_of_linux() {
    let _alone = one_contest_at_a_time();
    let folder = Folder::new();
    let record = folder.path("windows.jsonl");
    let command = || {
        let mut command = on_windows(&folder, &MATCH);
        command.args(["--out", "windows.jsonl", "--quiet"]);
        command
    };
    let mut running = command()
        .env("KILLED_MARK", folder.path(""))
        .spawn()
        .unwrap();
    until_within(PATIENCE, "the record has some series", || {
        fs::read_to_string(&record).is_ok_and(|text| text.matches("battleship-series").count() > 2)
    });
    // The bots are in jobs that end with the referee.
    running.kill().unwrap();
    running.wait().unwrap();
    until("no bot is left", || {
        marked("KILLED_MARK", &folder.path("")).is_empty()
    });
    let again = output(command().arg("--resume"));
    assert!(again.status.success(), "{again:?}");

    let mut here = referee();
    here.args(MATCH)
        .args(["--out", "linux.jsonl", "--quiet"])
        .current_dir(folder.path(""));
    assert!(here.output().unwrap().status.success());
    assert_eq!(lines(&record), lines(&folder.path("linux.jsonl")));
    let ranked = |command: &mut Command| printed(command.args(["rank", "windows.jsonl", "--csv"]));
    let mut here = Command::new(env!("CARGO_BIN_EXE_referee"));
    assert_eq!(
        ranked(&mut on_windows(&folder, &[])),
        ranked(here.current_dir(folder.path("")))
    );
}

/// The processes that have this variable.
fn marked(name: &str, value: &str) -> Vec<String> {
    let wanted = format!("{name}={value}");
    let processes = fs::read_dir("/proc").unwrap().flatten().filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    });
    processes
        .map(|process| process.file_name().into_string().unwrap())
        .collect()
}

fn commands_with_spaces_and_backslashes_start() {
    let folder = Folder::new();
    fs::create_dir(folder.path("my bots")).unwrap();
    let bot = "awful-bot.exe";
    for name in [bot, "shooter.exe"] {
        fs::copy(
            wine::built("awful-bot"),
            folder.path(&format!("my bots/{name}")),
        )
        .unwrap();
    }
    fs::write(
        folder.path("my bots/bot.bat"),
        "@\"%~dp0awful-bot.exe\" %*\r\n",
    )
    .unwrap();
    fs::copy(wine::built("awful-bot"), folder.path("lone.exe")).unwrap();
    fs::write(folder.path("script.bat"), "@\"%~dp0lone.exe\" %*\r\n").unwrap();
    let whole = windows_path(Path::new(&folder.path("my bots\\awful-bot.exe")));
    for player in [
        r#"ann="my bots\awful-bot.exe""#,
        r"'my bots\awful-bot.exe'",
        r#""my bots/awful-bot.exe""#,
        // As at the prompt, the ending may be left out.
        r#""my bots\awful-bot""#,
        r#""my bots\bot.bat""#,
        r"ann@'my bots'=awful-bot.exe",
        r"ann@'my bots'=shooter",
        // A program in the current folder comes before the PATH, which has neither.
        "lone.exe",
        "ann=lone",
        "script",
        &format!("\"{whole}\""),
    ] {
        let arguments = ["match", player, "mediocre", "--games", "2", "--seed", "1"];
        let said = output(&mut on_windows(&folder, &arguments));
        assert!(said.status.success(), "{player}: {said:?}");
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(!text.contains("forfeit"), "{player}: {text}");
    }
}

fn a_program_that_is_not_there_is_named() {
    let folder = Folder::new();
    let said = output(&mut on_windows(
        &folder,
        &["play", r"bots\none.exe", "awful"],
    ));
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said.status.code(), Some(4), "{text}");
    assert!(text.contains(r"there is no program"), "{text}");
}

fn a_crash_is_told_from_an_exit() {
    let folder = Folder::new();
    let bot = windows_path(&wine::built("examples/test-bot"));
    for (deed, ended_by, words) in [
        ("crash", "crashed", "crashed with code 0xC0000409 (abort: "),
        ("exit -1", "exited", "exited with status -1;"),
    ] {
        let player = format!("bot=\"{bot}\" act {deed}");
        let played = printed(&mut on_windows(
            &folder,
            &["play", &player, "awful", "--json"],
        ));
        let record: Value = serde_json::from_str(&played).unwrap();
        assert_eq!(record["ended_by"], ended_by, "{record}");
        assert!(
            record["reason"].as_str().unwrap().contains(words),
            "{record}"
        );
    }
}

fn a_bot_is_checked_and_a_kit_is_made() {
    let folder = Folder::new();
    let bot = windows_path(&wine::built("mediocre-bot"));
    let checked = output(&mut on_windows(&folder, &["check", &bot]));
    assert!(checked.status.success(), "{checked:?}");
    let made = printed(&mut on_windows(&folder, &["new", "python", "my bot"]));
    assert!(made.contains("my bot has a bot in Python"), "{made}");
    assert_eq!(
        text_of(folder.path("my bot/bot.py")),
        text_of("examples/python/bot.py").replace("\r\n", "\n")
    );
}
