//! Files that are written: nothing is replaced unasked, nothing that a run reads, and what cannot
//! be written is named.

use std::fs;

use testkit::list::Tests;
use testkit::run::{Dir, Done};
use testkit::text::lacks;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, READING, a_run_does_not_write_what_it_reads, 4);
    tests.needing(&[UNIX], |tests| {
        rows!(tests, OUTPUTS, an_output_is_replaced_only_by_force, 2);
        rows!(
            tests,
            REPLACING,
            a_bot_that_cannot_start_replaces_nothing,
            3
        );
        rows!(tests, WRITING, a_standard_stream_is_not_an_output, 2);
        rows!(tests, TOUCHED, a_touched_record_ends_the_contest);
        add!(
            tests,
            a_game_is_appended_to_single_games_only,
            an_unbegun_contest_leaves_no_record,
            a_game_without_fleets_replaces_nothing,
            a_record_that_others_wrote_is_not_replaced,
            a_last_line_counts_without_its_end,
            an_unwatched_program_is_warned_of,
            the_latest_version_began_last
        );
        rows!(tests, NAMED, a_given_name_stays, 2);
    });
}

/// Two contests, a page, a single game, another file, a bot's sources and settings.
fn folder() -> Dir {
    let dir = Dir::new();
    dir.ran("match awful mediocre --games 2 --seed 2 -q --out whole")
        .ran("match awful mediocre --games 2 --seed 1 -q --out cup --report page.html")
        .ran("play awful mediocre --seed 1 --json --out games");
    dir.file("old.txt", "an old file\n")
        .file("bot.py", "import strategy\n");
    dir.file("strategy.py", "x = 1\n")
        .file("bot.toml", "limit = \"4s\"\n");
    dir
}

/// A command is refused with this sentence, and leaves the file as it is.
#[track_caller]
fn keeps(dir: &Dir, words: &str, file: &str, sentence: &str) -> Done {
    let before = fs::read(dir.path(file)).unwrap();
    let done = dir.run(words).ends();
    done.warns(sentence);
    if !matches!(done.code, Some(2 | 4)) || fs::read(dir.path(file)).unwrap() != before {
        done.fail("it was not refused, or has changed the file");
    }
    done
}

/// Commands that replace a file if they may. `BOT` is a bot.
const REPLACING: [(&str, &str); 12] = [
    ("play awful 'BOT' --json --force --out games", "games"),
    ("match awful 'BOT' --games 2 --force --out cup", "cup"),
    (
        "tune 'BOT' --against awful --param a=1:5 --games 4 --force --out cup",
        "cup",
    ),
    ("play awful 'BOT' --json --force --out old.txt", "old.txt"),
    (
        "play awful 'BOT' --json --force --transcript old.txt",
        "old.txt",
    ),
    (
        "play awful 'BOT' --json --force --report old.txt",
        "old.txt",
    ),
    ("play awful 'BOT' --json --report page.html", "page.html"),
    (
        "play awful 'BOT' --json --force --rules twist --log old.txt",
        "old.txt",
    ),
    (
        "match awful 'BOT' --games 2 --force --report old.txt",
        "old.txt",
    ),
    (
        "match awful 'BOT' --games 2 --report page.html",
        "page.html",
    ),
    ("tournament awful 'BOT' --games 2 --force --out cup", "cup"),
    (
        "tournament awful 'BOT' --games 2 --force --report old.txt",
        "old.txt",
    ),
];

fn a_bot_that_cannot_start_replaces_nothing((words, file): (&str, &str)) {
    let dir = folder();
    for bot in ["./nosuch", "sh -c \"exit 3\""] {
        keeps(&dir, &words.replace("BOT", bot), file, "");
        for file in fs::read_dir(dir.path("")).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            lacks(&name, ".part");
        }
    }
}

fn a_game_without_fleets_replaces_nothing() {
    let dir = folder();
    dir.file("bot.sh", "read -r line; echo ready");
    let before = dir.text("games");
    let play = "play awful 'sh bot.sh' --seed 1 --json";
    let done = dir.run(format!("{play} --force --out games")).ends();
    done.warns("--out games is left as it was");
    assert_eq!(dir.text("games"), before);
    dir.run(format!(
        "{play} --rules twist --out twist --report twist.html"
    ))
    .ends()
    .lacks("panicked");
    assert_eq!(dir.text("twist").lines().count(), 1);
}

fn a_record_that_others_wrote_is_not_replaced() {
    let dir = folder();
    let bot = |record: &str| {
        let other = "referee play awful mediocre --seed 2 --json --out";
        dir.file(
            "bot.sh",
            format!("{other} {record} > other; exec awful-bot"),
        );
    };
    bot("new");
    dir.run("play awful 'sh bot.sh' --seed 1 --json --force --out new")
        .succeeds();
    assert_eq!(dir.text("new").lines().count(), 2);
    bot("games");
    let run = dir.run("match awful 'sh bot.sh' --games 2 --seed 1 --force --out games");
    run.fails(1, "games was deleted, replaced, cut short or appended to");
}

/// Commands whose output is a file that they read.
const READING: [(&str, &str); 11] = [
    (
        "tournament 'python3 bot.py' awful --games 2 --force --report bot.py",
        "bot.py",
    ),
    (
        "match 'X@.=python3 bot.py' awful --games 2 --force --out strategy.py",
        "strategy.py",
    ),
    (
        "match awful mediocre --config bot.toml --games 2 --force --out bot.toml",
        "bot.toml",
    ),
    ("report cup --force --out cup", "cup"),
    (
        "match 'python3 bot.py' awful --games 2 --force --out bot.py",
        "bot.py",
    ),
    (
        "match 'python3 bot.py' awful --games 2 --force --out strategy.py",
        "strategy.py",
    ),
    ("play 'python3 bot.py' awful --force --out bot.py", "bot.py"),
    (
        "play 'python3 bot.py' awful --force --transcript ./bot.py",
        "bot.py",
    ),
    (
        "play awful awful --config bot.toml --force --report bot.toml",
        "bot.toml",
    ),
    (
        "tune 'python3 bot.py' --against awful --param a=1:5 --games 4 --force --out bot.py",
        "bot.py",
    ),
    ("report cup --game 1 --force --out cup", "cup"),
];

fn a_run_does_not_write_what_it_reads((words, file): (&str, &str)) {
    let sentence = format!("{file} is a file that this command reads; name another one");
    keeps(&folder(), words, file, &sentence).prints_all("");
}

/// Commands that write `cup`.
const WRITING: [&str; 8] = [
    "match awful mediocre --games 4 --seed 1 --out cup --resume",
    "match awful mediocre --games 4 --force --out cup",
    "match awful mediocre --games 4 --force --report cup",
    "play awful mediocre --force --out cup",
    "play awful mediocre --force --transcript cup",
    "report games --force --out cup",
    "report games --game 1 --force --out cup",
    "merge whole --force --out cup",
];

fn a_standard_stream_is_not_an_output(words: &str) {
    let dir = folder();
    let before = dir.text("cup");
    let mixed = "cup is also the standard input or output of this command";
    let shell = |stream: &str| {
        dir.program("sh", "-c")
            .arg(format!("referee {words} {stream} cup"))
    };
    shell(">>").fails(2, mixed);
    assert_eq!(dir.text("cup"), before);
    // The message itself goes there.
    shell("2>>").fails(2, "");
    let after = dir.text("cup");
    assert!(
        after.starts_with(&before) && after.contains(mixed),
        "{after}"
    );
}

/// What another program does to a record while games are played.
const TOUCHED: [&str; 3] = ["rm cup", ": > cup", "mv cup moved; echo > cup"];

fn a_touched_record_ends_the_contest(command: &str) {
    let dir = Dir::new();
    dir.file("bot.sh", format!("{command}; exec awful-bot"));
    let run = dir.run("match 'sh bot.sh' awful --games 20 --series 2 --jobs 1 --out cup");
    run.fails(1, "cup was deleted, replaced, cut short or appended to");
}

/// Commands that write `new`, and the option that names it.
const OUTPUTS: [(&str, &str); 6] = [
    (
        "match awful mediocre --games 40 --seed 1 -q --out new",
        "--out",
    ),
    (
        "play awful mediocre --no-pause --seed 1 --transcript new",
        "--transcript",
    ),
    ("play awful mediocre --no-pause --seed 1 --out new", "--out"),
    (
        "play awful mediocre --rules twist --seed 1 --json --log new",
        "--log",
    ),
    ("report cup --game 1 --out new", "--out"),
    ("merge cup --out new", "--out"),
];

/// The referee was once ended by the signal of a file that is too long, without a word.
fn an_output_is_replaced_only_by_force((words, option): (&str, &str)) {
    let dir = Dir::new();
    dir.ran("match awful mediocre --games 2 --seed 1 -q --out cup")
        .file("new", "mine");
    let exists = if words.starts_with("play") {
        format!("{option} new exists")
    } else {
        "new exists".to_owned()
    };
    keeps(&dir, words, "new", &exists).warns("--force");
    let writes = |words: &str| {
        // A twist game between these players has no winner.
        let code = if option == "--log" { 3 } else { 0 };
        dir.run(words).ends().exits(code);
        assert!(!["", "mine"].contains(&&*dir.text("new")));
    };
    writes(&format!("{words} --force"));
    // An empty file has nothing to lose.
    dir.file("new", "");
    writes(words);
    dir.program("mkfifo", "pipe").succeeds();
    dir.file("folder/file", "");
    for (file, kind) in [
        ("pipe", "a named pipe"),
        ("folder", "a folder"),
        ("/dev/zero", "a device"),
    ] {
        let sentence = format!("{option} {file} is {kind}, not a file; name a file");
        dir.run(words.replace("new", file)).fails(2, &sentence);
    }
    let limited = format!("ulimit -f 1; exec referee {}", words.replace("new", "long"));
    dir.program("sh", "-c")
        .arg(limited)
        .fails(1, "File too large")
        .warns("(ulimit -f)");
}

/// A game that was appended to the record of a contest once kept the contest from continuing.
fn a_game_is_appended_to_single_games_only() {
    let dir = folder();
    let play = "play awful mediocre --no-pause --out";
    keeps(
        &dir,
        &format!("{play} cup"),
        "cup",
        "--out cup is the record of a contest",
    );
    // Parts of such a record are not others.
    let record = dir.text("cup");
    dir.file("part", record.split_once('\n').unwrap().1);
    keeps(
        &dir,
        &format!("{play} part"),
        "part",
        "is the record of a contest",
    );
    dir.run(format!("{play} games")).succeeds();
    assert_eq!(dir.text("games").lines().count(), 2);
    dir.run(format!("{play} games --force")).succeeds();
    assert_eq!(dir.text("games").lines().count(), 1);
}

fn an_unbegun_contest_leaves_no_record() {
    let dir = Dir::new();
    dir.file("empty", "");
    for out in ["new", "empty"] {
        dir.run(format!(
            "match awful 'bad=sh -c \"exit 3\"' --games 2 -q --out {out}"
        ))
        .fails(4, "");
        assert_eq!(dir.path(out).exists(), out == "empty");
    }
}

fn a_last_line_counts_without_its_end() {
    let dir = Dir::new();
    let play = "match awful mediocre --seed 1 --series 2 --jobs 1 -q --games";
    dir.run(format!("{play} 4 --out cut")).succeeds();
    let text = format!(
        "\u{feff}{}",
        dir.text("cut").trim_end().replace('\n', "\r\n\n")
    );
    dir.file("cut", &text)
        .file("cut.gz", testkit::record::packed(&text));
    for file in ["cut", "cut.gz"] {
        let rank = |games: &str| {
            dir.run(format!("rank {file}"))
                .succeeds()
                .prints(games)
                .exits(0)
                .code
        };
        rank("4 games in 2 series");
        dir.run(format!("{play} 8 --out {file} --resume"))
            .succeeds();
        rank("8 games in 4 series");
        let continued = testkit::record::unpacked(fs::read(dir.path(file)).unwrap());
        assert!(continued.starts_with(&format!("{text}\n{{")), "{continued}");
    }
}

fn an_unwatched_program_is_warned_of() {
    let dir = Dir::new();
    let bot = "exec awful-bot";
    dir.file("bot.sh", bot)
        .file("v1/bot.sh", bot)
        .file("bot", format!("#!/usr/bin/env sh\n{bot}"));
    let words = format!(
        "tournament 'sh v1/bot.sh' 'X=sh bot' 'Y=sh -c \"exec awful-bot\"' Z={} 'V@.=sh bot.sh' mediocre --games 2 -q",
        testkit::programs::built("awful-bot")
    );
    dir.run(&words).succeeds().lacks("watched");
    let sentence = "v1, X, Y: what the command starts is not watched as a whole, so --resume may not notice a change; name a folder of its own, as in v1@DIR=COMMAND\n";
    dir.run(format!("{words} --out r"))
        .succeeds()
        .warns(sentence);
}

fn the_latest_version_began_last() {
    let dir = Dir::new();
    // The second file is newer, but its contest is older.
    for (number, time) in [(1, 2000), (2, 1000)] {
        dir.file("bot.sh", format!("exec awful-bot # {number}\n"));
        let words = format!(
            "match 'sh bot.sh' awful --games {} --seed {number} -q --out {number}",
            2 * number
        );
        dir.run(&words).succeeds();
        let file = number.to_string();
        let before = format!("\"time\":{}", dir.record(&file).lines[0]["time"]);
        dir.file(
            &file,
            dir.text(&file)
                .replacen(&before, &format!("\"time\":{time}"), 1),
        );
    }
    assert_eq!(
        dir.run("rank --latest 1 2 --json").succeeds().json()["games"],
        2
    );
}

/// Players, and the names that they have.
const NAMED: [(&str, [&str; 2]); 5] = [
    ("'sh olive/bot.sh' olive=mediocre", ["olive 2", "olive"]),
    ("ﬁsh=awful fish=mediocre", ["ﬁsh", "fish 2"]),
    ("olive=mediocre 'sh olive/bot.sh'", ["olive", "olive 2"]),
    ("good 'good=sh olive/bot.sh'", ["good 2", "good"]),
    (
        "Caf\u{e9}=awful Cafe\u{301}=mediocre",
        ["Caf\u{e9}", "Cafe\u{301} 2"],
    ),
];

fn a_given_name_stays((players, names): (&str, [&str; 2])) {
    let dir = Dir::new();
    dir.file("olive/bot.sh", "exec awful-bot");
    dir.run(format!("match {players} --games 2 -q --out cup"))
        .succeeds();
    let players = &dir.record("cup").lines[0]["config"]["players"];
    assert_eq!([&players[0]["name"], &players[1]["name"]], names);
}
