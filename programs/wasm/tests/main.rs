//! The black-box tests of bots that are WebAssembly modules: they play, lose and are checked as
//! others, and the same each time. The referee plays them with the `referee-wasm` that is built
//! beside it.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[macro_use]
extern crate testkit;

use std::path::Path;

use serde_json::Value;
use testkit::list::{Tests, Tier};
use testkit::run::{Dir, Game, Run};
use testkit::text::has;
use testkit::tools::{LANDLOCK, MINGW, NAMESPACES, WASM_TARGET, WINDOWS_PROGRAMS, WINE};
use testkit::wine;

fn list(tests: &mut Tests) {
    add!(
        tests,
        a_module_plays_everywhere_as_a_program,
        what_is_no_module_is_a_sentence,
        a_module_nested_too_deep_is_refused
    );
    rows!(tests, FAULTS, a_module_loses_by_its_faults);
    if cfg!(target_os = "linux") {
        tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
            add!(tests, a_module_plays_the_same_in_a_sandbox);
        });
        tests.tier(Tier::Release, |tests| {
            tests.needing(&[MINGW, WINDOWS_PROGRAMS, WINE], |tests| {
                add!(tests, a_match_on_windows_is_that_on_linux);
            });
        });
    }
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[WASM_TARGET], |tests| {
            add!(tests, a_module_of_good_plays_its_games);
        });
    });
}

/// A folder with a bot without a language, which does `more` before each attack.
fn bot(more: &str) -> Dir {
    let text = include_str!("bot.wat").replace("MORE", more);
    let dir = Dir::new();
    dir.file("m.wasm", wat::parse_str(text).unwrap());
    dir
}

/// A game of the bot that does `more` against `awful`.
fn game(more: &str, options: &str) -> Game {
    let dir = bot(more);
    let run = dir.run("play m=m.wasm awful --json --seed 3");
    run.args(options).ends().game()
}

fn a_module_plays_everywhere_as_a_program() {
    let played = game("", "");
    assert_eq!(played.text("ended_by"), "fleet_sunk");
    let dir = bot("");
    let check = dir.run("check m.wasm").ends();
    check.prints("ok     1  answers the greeting");
    let debug = dir.run("debug m.wasm awful --seed 3").ends();
    debug.prints("-> attack 9 9");
    let words = "match m.wasm awful --games 2 --fuel 40 --out games.jsonl";
    dir.run(words).succeeds();
    let record = dir.record("games.jsonl");
    assert_eq!(record.lines[0]["config"]["fuel_millions"], 40);
    assert_eq!(record.games()[0]["players"][0]["limit_ms"], 40);
}

/// What a module does before an attack, how that ends the game, and what is said.
const FAULTS: [(&str, &str, &str, &str); 5] = [
    (
        "endless",
        "(loop $l (br $l))",
        "timeout",
        "m forfeits: no reply to attack within its fuel of 20 million",
    ),
    (
        "crash",
        "unreachable",
        "crashed",
        "m forfeits: gave up (unreachable) (",
    ),
    (
        "memory",
        "(drop (memory.grow (i32.const 1)))(loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable",
        "crashed",
        "gave up",
    ),
    (
        "silence",
        "(drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))",
        "timeout",
        "no reply to attack within 20 ms",
    ),
    (
        "long line",
        "(call $say (i32.const 200) (i32.const 60000))",
        "line_too_long",
        "said a line of more than 4096 bytes",
    ),
];

fn a_module_loses_by_its_faults((_, more, ended_by, sentence): (&str, &str, &str, &str)) {
    let game = game(more, "--fuel 20");
    let reason = game.text("reason");
    assert_eq!(game.text("ended_by"), ended_by, "{reason}");
    assert_eq!(game.text("winner"), "awful", "{reason}");
    has(reason, sentence);
}

fn what_is_no_module_is_a_sentence() {
    let dir = Dir::new();
    dir.file("text.wasm", "#!/bin/sh\n");
    for (name, sentence) in [
        ("text.wasm", "it is not a WebAssembly module"),
        ("missing.wasm", "the module cannot be read: "),
    ] {
        let words = format!("play m={name} awful");
        dir.run(&words).ends().warns(sentence);
    }
}

/// Returns a section of a module with `content`.
fn section(number: u8, content: &[u8]) -> Vec<u8> {
    let mut section = vec![number];
    let mut length = content.len();
    while length > 127 {
        section.push(length.to_le_bytes()[0] | 128);
        length >>= 7;
    }
    section.push(length.to_le_bytes()[0]);
    section.extend_from_slice(content);
    section
}

/// The interpreter took 1.8 GB for such a module, whatever `--max-memory` said.
fn a_module_nested_too_deep_is_refused() {
    const DEPTH: usize = 10_000_000;
    // No locals, blocks without a result, and the end of each and of the function.
    let body = [&[0][..], &[2, 0x40].repeat(DEPTH), &[0xb].repeat(DEPTH + 1)].concat();
    let body = section(1, &body);
    let module = [
        &b"\0asm\x01\0\0\0"[..],
        &section(1, b"\x01\x60\0\0"),
        &section(3, b"\x01\0"),
        &section(7, b"\x01\x06_start\0\0"),
        // One function; its length is before it, as that of a section.
        &section(10, &body),
    ]
    .concat();
    let dir = Dir::new();
    dir.file("m.wasm", module);
    dir.run("play m=m.wasm awful --json")
        .ends()
        .warns("made its interpreter take more than 256 MiB besides its memory");
}

fn a_module_plays_the_same_in_a_sandbox() {
    let confined = game("", "--sandbox");
    assert_eq!(confined.text("reason"), game("", "").text("reason"));
    let grow = "(drop (memory.grow (i32.const 90))) (drop (i32.load (i32.const 4000000)))";
    let game = game(grow, "--sandbox --max-memory 2");
    let reason = game.text("reason");
    assert_eq!(game.text("ended_by"), "used_too_much", "{reason}");
    let sentence = "asked for 6 MiB of memory, and may have 2";
    has(reason, sentence);
}

/// Plays a match by `referee` in this folder; returns its games without times and without what
/// names the contest and programs.
fn games(dir: &Dir, referee: Run, players: &str) -> Vec<Value> {
    let words = format!("match {players} --games 10 --seed 36 --quiet --out games.jsonl");
    referee.args(&words).succeeds();
    let mut games = dir.record("games.jsonl").without_times();
    std::fs::remove_file(dir.path("games.jsonl")).unwrap();
    games.retain(|line| line["format"] == "battleship-game");
    for game in &mut games {
        game["contest"] = Value::Null;
        game["players"] = Value::Null;
    }
    games
}

/// The programs for Windows are built for the tests of `windows`.
fn a_match_on_windows_is_that_on_linux() {
    let dir = bot("");
    let mut referee = dir.program("wine", "").arg(wine::built("referee"));
    for (name, value) in wine::environment() {
        referee = referee.env(name, value);
    }
    let windows = games(&dir, referee, "m=m.wasm awful");
    assert_eq!(windows.len(), 10);
    assert_eq!(windows, games(&dir, dir.run(""), "m=m.wasm awful"));
}

fn a_module_of_good_plays_its_games() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let dir = Dir::new();
    let words = "build --release --target wasm32-wasip1 --package referee-bots --example good";
    let mut build = std::process::Command::new(env!("CARGO"));
    build
        .args(words.split(' '))
        .arg("--target-dir")
        .arg(&target);
    assert!(build.output().unwrap().status.success());
    let module = target.join("wasm32-wasip1/release/examples/good.wasm");
    dir.file("good.wasm", std::fs::read(module).unwrap());
    let module = games(&dir, dir.run(""), "g=good.wasm mediocre");
    assert_eq!(module, games(&dir, dir.run(""), "g=good mediocre"));
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
