//! The programs for Windows do what those for Linux do. Wine runs them, whose processes are
//! processes of this machine.

mod console;

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use testkit::arena::until;
use testkit::list::{Tests, Tier};
use testkit::programs::{project_file, text_of};
use testkit::record::lines_in;
use testkit::run::Dir;
use testkit::tools::{MINGW, UNIX, WINDOWS_PROGRAMS, WINE};
use testkit::wine::{built, windows_path};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[UNIX, MINGW, WINDOWS_PROGRAMS, WINE], |tests| {
            add!(
                tests,
                a_killed_contest_becomes_the_one_of_linux,
                commands_with_spaces_and_backslashes_start,
                an_absent_program_is_named,
                a_crash_is_told_from_an_exit,
                a_bot_is_checked_a_kit_made
            );
            rows!(tests, GAMES, a_game_is_the_same_as_on_linux);
            console::tests(tests);
        });
    });
}

/// Held by a test that kills or interrupts a contest: beside another one Wine has left a contest
/// waiting for ever.
fn one_contest_at_a_time() -> MutexGuard<'static, ()> {
    static CONTEST: Mutex<()> = Mutex::new(());
    CONTEST.lock().unwrap_or_else(PoisonError::into_inner)
}

static GAMES: [&str; 3] = [
    "play mediocre good --seed 1 --no-pause",
    "play awful mediocre --seed 2 --no-pause --rows 8",
    "play good mediocre --seed 3 --no-pause --rules twist",
];

fn a_game_is_the_same_as_on_linux(words: &str) {
    let dir = Dir::new();
    let here = dir.run(words).succeeds();
    dir.on_windows(words).succeeds().prints_all(&here.stdout);
}

/// The lines of a record, without what tells contests and machines apart: the contest's name,
/// times, and the digests of the programs.
fn lines(dir: &Dir, record: &str) -> Vec<Value> {
    let mut lines = dir.record(record).without_times();
    for line in &mut lines {
        for field in ["/id", "/contest/id"] {
            line.pointer_mut(field).map(Value::take);
        }
        if line["contest"].is_string() {
            line["contest"].take();
        }
        for player in line["config"]["players"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            assert!(player["program"].is_string(), "{player}");
            player["program"].take();
            player["files"].take();
        }
    }
    lines
}

fn a_killed_contest_becomes_the_one_of_linux() {
    const MATCH: &str = "match awful mediocre --games 150 --series 10 --seed 7 --quiet --out";
    let _alone = one_contest_at_a_time();
    let dir = Dir::new();
    let play = || dir.on_windows(&format!("{MATCH} windows.jsonl"));
    let mark = dir.path("").display().to_string();
    play()
        .env("KILLED_MARK", &mark)
        .killed(|| lines_in(dir.path("windows.jsonl")) > 30);
    // The bots are in jobs that end with the referee.
    until("no bot is left", || !is_marked("KILLED_MARK", &mark));
    play().arg("--resume").succeeds();
    dir.run(format!("{MATCH} linux.jsonl")).succeeds();
    assert_eq!(lines(&dir, "windows.jsonl"), lines(&dir, "linux.jsonl"));
    let here = dir.run("rank windows.jsonl --csv").succeeds();
    let there = dir.on_windows("rank windows.jsonl --csv").succeeds();
    there.prints_all(&here.stdout);
}

/// Whether a process has this variable.
fn is_marked(name: &str, value: &str) -> bool {
    let wanted = format!("{name}={value}");
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    })
}

fn commands_with_spaces_and_backslashes_start() {
    let dir = Dir::new();
    let awful = fs::read(built("awful-bot")).unwrap();
    for program in ["my bots/awful-bot.exe", "my bots/shooter.exe", "lone.exe"] {
        dir.file(program, &awful);
    }
    dir.file("my bots/bot.bat", "@\"%~dp0awful-bot.exe\" %*\r\n");
    dir.file("script.bat", "@\"%~dp0lone.exe\" %*\r\n");
    let whole = windows_path(&dir.path("my bots\\awful-bot.exe"));
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
        let run = dir
            .on_windows("match mediocre --games 2 --seed 1")
            .arg(player);
        run.succeeds().lacks("forfeit");
    }
}

fn an_absent_program_is_named() {
    let dir = Dir::new();
    let run = dir.on_windows(r"play 'bots\none.exe' awful");
    run.fails(4, "there is no program");
}

fn a_crash_is_told_from_an_exit() {
    let dir = Dir::new();
    let bot = windows_path(&built("examples/test-bot"));
    for (deed, ended_by, words) in [
        ("crash", "crashed", "crashed with code 0xC0000409 (abort: "),
        ("exit -1", "exited", "exited with status -1;"),
    ] {
        let run = dir.on_windows("play awful --json");
        let game = run
            .arg(format!("bot=\"{bot}\" act {deed}"))
            .succeeds()
            .game();
        assert_eq!(game.text("ended_by"), ended_by);
        assert!(
            game.text("reason").contains(words),
            "{}",
            game.text("reason")
        );
    }
}

fn a_bot_is_checked_a_kit_made() {
    let dir = Dir::new();
    let bot = windows_path(&built("mediocre-bot"));
    dir.on_windows("check").arg(bot).succeeds();
    let made = dir.on_windows("new python 'my bot'").succeeds();
    made.prints("my bot has a bot in Python");
    let kit = text_of(project_file("examples/python/bot.py"));
    assert_eq!(dir.text("my bot/bot.py"), kit.replace("\r\n", "\n"));
}
