//! Bots that are WebAssembly modules: they play, lose and are checked as others, and the same each time.

use serde_json::Value;

use testkit::contest::without_times;
use testkit::list::{Tests, Tier};
use testkit::tools::{LANDLOCK, MINGW, NAMESPACES, WASM_TARGET, WINDOWS_PROGRAMS, WINE};
use testkit::{
    programs::{Folder, built, play, referee},
    wine,
};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_module_plays_as_a_program_does,
        a_module_loses_by_what_it_does,
        what_is_not_a_module_is_a_sentence,
        check_debug_and_a_contest_take_a_module
    );
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
            add!(tests, a_module_plays_the_same_in_a_sandbox);
        });
    }
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[WASM_TARGET], |tests| {
            add!(
                tests,
                the_shipped_player_as_a_module_plays_the_games_of_the_program
            );
        })
    });
    #[cfg(target_os = "linux")]
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[MINGW, WINDOWS_PROGRAMS, WINE], |tests| {
            add!(tests, a_match_on_windows_is_that_on_linux);
        });
    });
}

/// A bot without a language, which does `MORE` before each attack.
const BOT: &str = include_str!("bot.wat");

/// Writes the bot that does `more` before each attack; returns its path.
fn bot(folder: &Folder, name: &str, more: &str) -> String {
    let path = folder.path(name);
    std::fs::write(&path, wat::parse_str(BOT.replace("MORE", more)).unwrap()).unwrap();
    path
}

/// Returns the winner, the reason and the sentence of a game of the bot that does `more` against `awful`.
fn ending(more: &str, options: &[&str]) -> [String; 3] {
    let folder = Folder::new();
    let player = format!("m={}", bot(&folder, "bot.wasm", more));
    let (game, _) = play([&player, "awful"], &[&["--seed", "3"], options].concat());
    let text = |key: &str| game[key].as_str().unwrap().to_owned();
    ["winner", "ended_by", "reason"].map(text)
}

fn a_module_plays_as_a_program_does() {
    let [_, ended_by, _] = ending("", &[]);
    assert_eq!(ended_by, "fleet_sunk");
    assert_eq!(ending("", &[]), ending("", &["--portable"]));
}

fn a_module_loses_by_what_it_does() {
    for (more, ended_by, what) in [
        (
            "(loop $l (br $l))",
            "timeout",
            "m forfeits: no reply to attack within its fuel of 20 million",
        ),
        (
            "unreachable",
            "crashed",
            "m forfeits: gave up (unreachable) (",
        ),
        (
            "(drop (memory.grow (i32.const 1)))(loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable",
            "crashed",
            "gave up",
        ),
        (
            "(drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))",
            "timeout",
            "no reply to attack within 20 ms",
        ),
        (
            "(call $say (i32.const 200) (i32.const 60000))",
            "line_too_long",
            "said a line of more than 4096 bytes",
        ),
    ] {
        for way in [&["--fuel", "20"][..], &["--fuel", "20", "--portable"]] {
            let [winner, by, reason] = ending(more, way);
            assert_eq!((&*winner, &*by), ("awful", ended_by), "{reason}");
            assert!(reason.contains(what), "{reason}");
        }
    }
}

fn what_is_not_a_module_is_a_sentence() {
    let folder = Folder::new();
    let text = folder.file("text.wasm", "#!/bin/sh\n");
    let missing = folder.path("missing.wasm");
    for (player, what) in [
        (text, "it is not a WebAssembly module"),
        (missing, "the module cannot be read: "),
    ] {
        let output = referee()
            .args(["play", &format!("m={player}"), "awful"])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(what), "{error}");
    }
}

fn check_debug_and_a_contest_take_a_module() {
    let folder = Folder::new();
    let path = bot(&folder, "bot.wasm", "");
    let check = referee().args(["check", &path]).output().unwrap();
    let report = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(
        report.contains("ok     1  answers the greeting"),
        "{report}"
    );
    let debug = referee()
        .args(["debug", &path, "awful", "--seed", "3"])
        .output()
        .unwrap();
    let dialogue = String::from_utf8_lossy(&debug.stdout).into_owned();
    assert!(dialogue.contains("-> attack 9 9"), "{dialogue}");
    let record = folder.path("games.jsonl");
    let player = format!("m={path}");
    let words = [
        "match", &player, "awful", "--games", "2", "--fuel", "40", "--out", &record,
    ];
    assert!(referee().args(words).output().unwrap().status.success());
    let header = std::fs::read_to_string(&record).unwrap();
    assert!(
        header.contains("\"fuel_millions\":40") && header.contains("\"limit_ms\":40"),
        "{header}"
    );
}

#[cfg(target_os = "linux")]
fn a_module_plays_the_same_in_a_sandbox() {
    assert_eq!(ending("", &[]), ending("", &["--sandbox"]));
    let grow = "(drop (memory.grow (i32.const 90))) (drop (i32.load (i32.const 4000000)))";
    let [_, ended_by, reason] = ending(grow, &["--sandbox", "--max-memory", "2"]);
    assert_eq!(ended_by, "used_too_much");
    assert!(
        reason.contains("asked for 6 MiB of memory, and may have 2"),
        "{reason}"
    );
}

/// Plays a match with `referee` and returns its games without times and without what names the contest.
fn games_of(mut referee: std::process::Command, folder: &Folder, players: [&str; 2]) -> Vec<Value> {
    let record = "games.jsonl";
    let path = folder.path(record);
    let words = ["--games", "10", "--seed", "36", "--quiet", "--out", record];
    let output = referee
        .current_dir(folder.path("."))
        .arg("match")
        .args(players)
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut games = without_times(&std::fs::read_to_string(&path).unwrap());
    std::fs::remove_file(path).unwrap();
    // The header names programs, which are not the same.
    games.retain(|line| line["format"] == "battleship-game");
    for game in &mut games {
        game.as_object_mut()
            .unwrap()
            .retain(|key, _| !["contest", "players"].contains(&key.as_str()));
    }
    games
}

/// The programs for Windows are built for the tests of `windows`.
#[cfg(target_os = "linux")]
fn a_match_on_windows_is_that_on_linux() {
    let folder = Folder::new();
    bot(&folder, "bot.wasm", "");
    let players = ["m=bot.wasm", "awful"];
    let linux = games_of(
        std::process::Command::new(built("referee")),
        &folder,
        players,
    );
    assert_eq!(linux.len(), 10);
    assert_eq!(games_of(wine::command("referee"), &folder, players), linux);
}

fn the_shipped_player_as_a_module_plays_the_games_of_the_program() {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let mut build = std::process::Command::new(env!("CARGO"));
    build.args([
        "build",
        "--release",
        "--target",
        "wasm32-wasip1",
        "--package",
        "battleship-bots",
    ]);
    build
        .args(["--example", "good", "--target-dir"])
        .arg(&target);
    assert!(build.output().unwrap().status.success());
    let folder = Folder::new();
    let module = target.join("wasm32-wasip1/release/examples/good.wasm");
    std::fs::copy(module, folder.path("good.wasm")).unwrap();
    let games = |player| {
        games_of(
            testkit::programs::program("referee"),
            &folder,
            [player, "mediocre"],
        )
    };
    assert_eq!(games("g=good.wasm"), games("g=good"));
}
