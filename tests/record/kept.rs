//! What is there is kept: files that a run reads or cannot replace, records that another program touches, and every whole line.

use std::fs::{self, File};

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::contest::{packed, text_of_record};
use crate::common::{Folder, program, referee, text_of};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_last_line_counts_without_its_end_and_a_contest_continues_behind_it,
        a_file_in_another_format_is_named_with_the_way_out,
        a_game_that_is_in_two_records_counts_once
    );
    rows!(tests, REPLACING, a_file_is_kept_if_a_bot_cannot_start);
    rows!(tests, READING, what_a_run_reads_is_not_its_output);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_bot_that_ends_before_its_fleet_lies_replaces_nothing_and_is_recorded,
            a_record_that_others_wrote_meanwhile_is_not_replaced,
            a_command_that_starts_what_is_not_watched_is_said_to,
            the_latest_version_is_that_of_the_contest_that_began_last
        );
        rows!(tests, WRITING, a_standard_stream_is_not_an_output);
        rows!(tests, TOUCHED, a_record_that_is_touched_ends_the_contest);
        rows!(tests, NAMED, names_that_the_user_gave_stay);
    });
}

/// A contest of two games, its page, another file, a bot's sources and settings.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("old.txt", "an old file\n");
    let whole = "match awful mediocre --games 2 --seed 2 -q --out whole.jsonl";
    run(&folder, whole).code(0);
    folder.file("bot.py", "import strategy\n");
    folder.file("strategy.py", "x = 1\n");
    folder.file("bot.toml", "limit = \"4s\"\n");
    let cup = "match awful mediocre --games 2 --seed 1 -q --out cup.jsonl --report page.html";
    run(&folder, cup).code(0);
    run(
        &folder,
        "play awful mediocre --seed 1 --json --record games.jsonl",
    )
    .code(0);
    folder
}

/// Runs the command with these words; a bot with blanks in its command is in quotation marks.
fn run(folder: &Folder, words: &str) -> Assert {
    let words = shlex::split(words).unwrap();
    let mut command = referee();
    command.args(words).current_dir(folder.path("")).assert()
}

/// Bots that cannot start.
const CANNOT_START: [&str; 3] = ["python3 typo.py", "./nosuch", "sh -c \"exit 3\""];

/// Commands that replace a file, and the file. `BOT` is a bot.
const REPLACING: [(&str, &str); 12] = [
    (
        "play awful 'BOT' --json --force --record old.txt",
        "old.txt",
    ),
    (
        "play awful 'BOT' --json --force --record games.jsonl",
        "games.jsonl",
    ),
    (
        "play awful 'BOT' --json --force --transcript old.txt",
        "old.txt",
    ),
    ("play awful 'BOT' --json --force --html old.txt", "old.txt"),
    ("play awful 'BOT' --json --html page.html", "page.html"),
    (
        "play awful 'BOT' --json --force --rules twist --log old.txt",
        "old.txt",
    ),
    (
        "match awful 'BOT' --games 2 --force --out cup.jsonl",
        "cup.jsonl",
    ),
    (
        "match awful 'BOT' --games 2 --force --report old.txt",
        "old.txt",
    ),
    (
        "match awful 'BOT' --games 2 --report page.html",
        "page.html",
    ),
    (
        "tournament awful 'BOT' --games 2 --force --out cup.jsonl",
        "cup.jsonl",
    ),
    (
        "tournament awful 'BOT' --games 2 --force --report old.txt",
        "old.txt",
    ),
    (
        "tune 'BOT' --against awful --param a=1:5 --games 4 --force --out cup.jsonl",
        "cup.jsonl",
    ),
];

fn a_file_is_kept_if_a_bot_cannot_start((words, file): (&str, &str)) {
    let folder = folder();
    let before = fs::read(folder.path(file)).unwrap();
    for bot in CANNOT_START {
        let failed = run(&folder, &words.replace("BOT", bot));
        failed.code(predicate::in_iter([2, 4]));
        assert_eq!(fs::read(folder.path(file)).unwrap(), before, "{bot}");
        let left = fs::read_dir(folder.path("")).unwrap().flatten();
        let is_part = |name: std::ffi::OsString| name.to_string_lossy().ends_with(".part");
        assert!(!left.map(|entry| entry.file_name()).any(is_part));
    }
}

fn a_bot_that_ends_before_its_fleet_lies_replaces_nothing_and_is_recorded() {
    let folder = folder();
    folder.file("bot.sh", "read -r line; echo ready");
    let before = fs::read(folder.path("games.jsonl")).unwrap();
    let play = "play awful 'sh bot.sh' --seed 1 --json";
    run(&folder, &format!("{play} --force --record games.jsonl"))
        .stderr(contains("--record games.jsonl is left as it was"));
    assert_eq!(fs::read(folder.path("games.jsonl")).unwrap(), before);
    let twist = format!("{play} --rules twist --record twist.jsonl --html twist.html");
    run(&folder, &twist).stderr(contains("panicked").not());
    assert_eq!(text_of(folder.path("twist.jsonl")).lines().count(), 1);
}

fn a_record_that_others_wrote_meanwhile_is_not_replaced() {
    let folder = folder();
    let other = "play awful mediocre --seed 2 --json --record";
    let referee = crate::common::built("referee");
    let script = format!(
        "{referee} {other} new.jsonl > other; exec {}",
        crate::common::built("awful-bot")
    );
    folder.file("bot.sh", &script);
    run(
        &folder,
        "play awful 'sh bot.sh' --seed 1 --json --force --record new.jsonl",
    )
    .code(0);
    assert_eq!(text_of(folder.path("new.jsonl")).lines().count(), 2);
    let script = format!(
        "{referee} {other} games.jsonl > other; exec {}",
        crate::common::built("awful-bot")
    );
    folder.file("bot.sh", &script);
    run(
        &folder,
        "match awful 'sh bot.sh' --games 2 --seed 1 --force --out games.jsonl",
    )
    .code(1)
    .stderr(contains(
        "games.jsonl was deleted, replaced, cut short or appended to",
    ));
}

/// Commands whose output is a file that they read.
const READING: [(&str, &str); 12] = [
    (
        "match 'python3 bot.py' awful --games 2 --force --out bot.py",
        "bot.py",
    ),
    (
        "match 'python3 bot.py' awful --games 2 --force --out strategy.py",
        "strategy.py",
    ),
    (
        "match 'X@.=python3 bot.py' awful --games 2 --force --out strategy.py",
        "strategy.py",
    ),
    (
        "tournament 'python3 bot.py' awful --games 2 --force --report bot.py",
        "bot.py",
    ),
    (
        "match awful mediocre --config bot.toml --games 2 --force --out bot.toml",
        "bot.toml",
    ),
    (
        "play 'python3 bot.py' awful --force --record bot.py",
        "bot.py",
    ),
    (
        "play 'python3 bot.py' awful --force --transcript ./bot.py",
        "bot.py",
    ),
    (
        "play awful awful --config bot.toml --force --html bot.toml",
        "bot.toml",
    ),
    (
        "tune 'python3 bot.py' --against awful --param a=1:5 --games 4 --force --out bot.py",
        "bot.py",
    ),
    ("report cup.jsonl --force --out cup.jsonl", "cup.jsonl"),
    (
        "replay cup.jsonl --game 1 --force --svg cup.jsonl",
        "cup.jsonl",
    ),
    (
        "replay cup.jsonl --game 1 --force --to cup.jsonl",
        "cup.jsonl",
    ),
];

fn what_a_run_reads_is_not_its_output((words, file): (&str, &str)) {
    let folder = folder();
    let before = fs::read(folder.path(file)).unwrap();
    run(&folder, words)
        .code(2)
        .stdout(is_empty())
        .stderr(contains(format!(
            "{file} is a file that this command reads; name another one"
        )));
    assert_eq!(fs::read(folder.path(file)).unwrap(), before);
}

/// Commands that write `cup.jsonl`.
const WRITING: [&str; 8] = [
    "match awful mediocre --games 4 --seed 1 --out cup.jsonl --resume",
    "match awful mediocre --games 4 --force --out cup.jsonl",
    "match awful mediocre --games 4 --force --report cup.jsonl",
    "play awful mediocre --force --record cup.jsonl",
    "play awful mediocre --force --transcript cup.jsonl",
    "report games.jsonl --force --out cup.jsonl",
    "replay games.jsonl --game 1 --force --to cup.jsonl",
    "merge whole.jsonl --force --out cup.jsonl",
];

fn a_standard_stream_is_not_an_output(words: &str) {
    let folder = folder();
    let before = fs::read(folder.path("cup.jsonl")).unwrap();
    let stream = || {
        File::options()
            .append(true)
            .open(folder.path("cup.jsonl"))
            .unwrap()
    };
    let command = || {
        let mut command = program("referee");
        command
            .args(shlex::split(words).unwrap())
            .current_dir(folder.path(""));
        command
    };
    let mixed = "cup.jsonl is also the standard input or output of this command";
    let output = command().stdout(stream()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(mixed),
        "{output:?}"
    );
    assert_eq!(fs::read(folder.path("cup.jsonl")).unwrap(), before);
    // The message itself goes there.
    assert_eq!(command().stderr(stream()).status().unwrap().code(), Some(2));
    let after = text_of(folder.path("cup.jsonl"));
    assert!(after.as_bytes().starts_with(&before) && after.contains(mixed));
}

/// What another program does to a record while games are played.
const TOUCHED: [&str; 3] = [
    "rm cup.jsonl",
    ": > cup.jsonl",
    "mv cup.jsonl moved.jsonl; echo > cup.jsonl",
];

fn a_record_that_is_touched_ends_the_contest(what: &str) {
    let folder = Folder::new();
    let bot = format!("{what}; exec {}", crate::common::built("awful-bot"));
    folder.file("bot.sh", &bot);
    run(
        &folder,
        "match 'sh bot.sh' awful --games 20 --series 2 --jobs 1 --out cup.jsonl",
    )
    .code(1)
    .stderr(contains(
        "cup.jsonl was deleted, replaced, cut short or appended to",
    ));
}

fn a_last_line_counts_without_its_end_and_a_contest_continues_behind_it() {
    let folder = Folder::new();
    let play = "match awful mediocre --seed 1 --series 2 --jobs 1 -q --games";
    run(&folder, &format!("{play} 4 --out cut.jsonl")).code(0);
    let text = text_of(folder.path("cut.jsonl"));
    let text = format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n\n"));
    folder.file("cut.jsonl", &text);
    fs::write(folder.path("cut.jsonl.gz"), packed(&text)).unwrap();
    for file in ["cut.jsonl", "cut.jsonl.gz"] {
        let rank = |games: &str| {
            run(&folder, &format!("rank {file}"))
                .code(0)
                .stdout(contains(games))
        };
        rank("4 games in 2 series");
        run(&folder, &format!("{play} 8 --out {file} --resume")).code(0);
        rank("8 games in 4 series");
        let continued = text_of_record(folder.path(file));
        assert!(continued.starts_with(&format!("{text}\n{{")), "{continued}");
    }
}

/// How files in other formats begin, and what turns them into one that is read.
const FOREIGN: [(&[u8], &str); 6] = [
    (
        b"\x28\xb5\x2f\xfd rest",
        "compressed by zstd; make a plain file of it first: `zstd -d",
    ),
    (
        b"\xfd7zXZ\0 rest",
        "compressed by xz; make a plain file of it first: `xz -d",
    ),
    (
        b"BZh91AY",
        "compressed by bzip2; make a plain file of it first: `bzip2 -d",
    ),
    (
        b"PK\x03\x04 rest",
        "a zip archive; make a plain file of it first: `unzip",
    ),
    (
        b"\xff\xfe{\0\"\0",
        "in UTF-16; make a plain file of it first: `iconv -f UTF-16",
    ),
    (
        b"{\0\"\0f\0",
        "in UTF-16; make a plain file of it first: `iconv -f UTF-16",
    ),
];

fn a_file_in_another_format_is_named_with_the_way_out() {
    let folder = Folder::new();
    for (bytes, words) in FOREIGN {
        fs::write(folder.path("cup.jsonl"), bytes).unwrap();
        for command in [
            "list cup.jsonl",
            "rank cup.jsonl",
            "report cup.jsonl",
            "merge cup.jsonl --out all.jsonl",
        ] {
            run(&folder, command)
                .code(2)
                .stderr(contains(format!("cup.jsonl is {words}")));
        }
    }
}

fn a_command_that_starts_what_is_not_watched_is_said_to() {
    let folder = Folder::new();
    let bot = format!("exec {}", crate::common::built("awful-bot"));
    folder.file("bot.sh", &bot);
    fs::create_dir(folder.path("v1")).unwrap();
    folder.file("v1/bot.sh", &bot);
    folder.file("bot", &format!("#!/usr/bin/env sh\n{bot}"));
    let said = "what the command starts is not watched, so --resume would not notice a change; name its folder, as in ";
    let rows = [
        ("sh v1/bot.sh", Some("v1@DIR=COMMAND")),
        ("X=sh bot", Some("X@DIR=COMMAND")),
        (&format!("Y=sh -c '{bot}'"), Some("Y@DIR=COMMAND")),
        (&format!("Z={}", crate::common::built("awful-bot")), None),
        ("V@.=sh bot.sh", None),
        ("mediocre", None),
    ];
    for (player, form) in rows {
        let player = shlex::try_quote(player).unwrap();
        let recorded = run(
            &folder,
            &format!("match {player} awful --games 2 -q --force --out r.jsonl"),
        );
        match form {
            Some(form) => recorded.code(0).stderr(contains(format!("{said}{form}"))),
            None => recorded.code(0).stderr(contains("watched").not()),
        };
        let unrecorded = run(&folder, &format!("match {player} awful --games 2 -q"));
        unrecorded.code(0).stderr(contains("watched").not());
    }
}

fn a_game_that_is_in_two_records_counts_once() {
    let folder = folder();
    let rank = |files: &str| run(&folder, &format!("rank {files}")).code(0);
    rank("games.jsonl games.jsonl")
        .stdout(contains("2 players, 1 game"))
        .stderr(contains(
            "games.jsonl: 1 game with the same players, seed and turns came before and count once",
        ));
    // The same seed with another limit.
    run(
        &folder,
        "match awful mediocre --games 2 --seed 1 --limit 4s -q --out other.jsonl",
    )
    .code(0);
    rank("cup.jsonl other.jsonl").stdout(contains("2 players, 2 games"));
    run(
        &folder,
        "match awful mediocre --games 2 --seed 2 -q --out another.jsonl",
    )
    .code(0);
    rank("cup.jsonl another.jsonl").stdout(contains("2 players, 4 games"));
}

fn the_latest_version_is_that_of_the_contest_that_began_last() {
    let folder = Folder::new();
    let bot = format!(
        "#!/bin/sh\nexec {} \"$@\"\n",
        crate::common::built("awful-bot")
    );
    let file = |text: &str| folder.file("bot.sh", text);
    for (number, time) in [("1", 2000), ("2", 1000)] {
        file(&format!("{bot}# {number}\n"));
        run(
            &folder,
            &format!("match 'sh bot.sh' awful --games 2 --seed {number} -q --out {number}.jsonl"),
        )
        .code(0);
        let text = text_of(folder.path(&format!("{number}.jsonl")));
        let (begin, rest) = text.split_once("\"time\":").unwrap();
        let (_, end) = rest.split_once(',').unwrap();
        folder.file(
            &format!("{number}.jsonl"),
            &format!("{begin}\"time\":{time},{end}"),
        );
    }
    // The second file is newer, but its contest is older.
    let latest = run(&folder, "rank --latest 1.jsonl 2.jsonl --json").code(0);
    let first = run(&folder, "rank 1.jsonl --json").code(0);
    let program = |assert: &Assert| {
        let summary: serde_json::Value =
            serde_json::from_slice(&assert.get_output().stdout).unwrap();
        summary["games"].clone()
    };
    assert_eq!(program(&latest), program(&first));
}

/// Players, and the names that they have.
const NAMED: [(&str, [&str; 2]); 5] = [
    ("'sh olive/bot.sh' olive=mediocre", ["olive 2", "olive"]),
    ("olive=mediocre 'sh olive/bot.sh'", ["olive", "olive 2"]),
    ("good 'good=sh olive/bot.sh'", ["good 2", "good"]),
    (
        "Caf\u{e9}=awful Cafe\u{301}=mediocre",
        ["Caf\u{e9}", "Cafe\u{301} 2"],
    ),
    ("ﬁsh=awful fish=mediocre", ["ﬁsh", "fish 2"]),
];

fn names_that_the_user_gave_stay((players, names): (&str, [&str; 2])) {
    let folder = Folder::new();
    fs::create_dir(folder.path("olive")).unwrap();
    folder.file(
        "olive/bot.sh",
        &format!("exec {}", crate::common::built("awful-bot")),
    );
    run(
        &folder,
        &format!("match {players} --games 2 -q --out cup.jsonl"),
    )
    .code(0);
    let text = text_of(folder.path("cup.jsonl"));
    let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let players = &header["config"]["players"];
    assert_eq!([&players[0]["name"], &players[1]["name"]], names);
}
