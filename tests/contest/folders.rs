//! Players that start in a folder of their own, and have limits of their own.

use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::{Folder, referee, text_of};
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            a_bot_finds_files_beside_itself_where_it_is_started,
            folders_and_limits_of_players_are_recorded_compared_and_repeated
        );
    });
    tests.needing(&[UNIX, PYTHON, LANDLOCK], |tests| {
        add!(tests, a_bot_finds_files_beside_itself_in_the_sandbox);
    });
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_folder_that_is_none_is_named);
    });
}

/// A bot that plays only if it finds a file beside itself by a relative name.
const BOT: &str = "import os\nreferee = open('weights.bin').read()\nos.execv(referee, ['referee', 'bot', 'awful'])\n";

fn bot() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("my bots/one")).unwrap();
    folder.file("my bots/one/bot.py", BOT);
    folder.file("my bots/one/weights.bin", env!("CARGO_BIN_EXE_referee"));
    folder
}

const NAMED: &str = "'Popeye the Sailor@my bots/one=python3' bot.py";

fn plays_in_its_folder(options: &[&str]) {
    let folder = bot();
    for player in [NAMED, "'@my bots/one=python3' bot.py"] {
        let mut play = referee();
        play.current_dir(folder.path(""))
            .args(["play", player, "mediocre", "--json", "--seed", "1"]);
        let output = play.args(options).assert().code(0).get_output().clone();
        let game: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(game["ended_by"], "fleet_sunk");
        assert_eq!(game["players"][0]["command"], "python3 bot.py");
    }
}

fn a_bot_finds_files_beside_itself_where_it_is_started() {
    plays_in_its_folder(&[]);
    plays_in_its_folder(&["--portable"]);
}

fn a_bot_finds_files_beside_itself_in_the_sandbox() {
    // The bot becomes a player of the referee's, which is in no world by itself.
    let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    plays_in_its_folder(&["--sandbox", "--allow", programs.to_str().unwrap()]);
}

fn a_folder_that_is_none_is_named() {
    let says = contains("there is no folder \"no/such\"");
    referee()
        .args(["play", "Popeye@no/such=./bot", "awful"])
        .assert()
        .code(2)
        .stderr(says);
}

fn folders_and_limits_of_players_are_recorded_compared_and_repeated() {
    let folder = bot();
    let cup = |limit: &str, dir: &str| {
        let players = format!(
            "[[player]]\nname = 'Popeye'\ncommand = 'python3 bot.py'\ndir = '{dir}'\nlimit = '{limit}'\n\
             start-limit = '30s'\n[[player]]\ncommand = 'mediocre'\n"
        );
        folder.file(
            "cup.toml",
            &format!("games = 2\nseed = 1\nquiet = true\nlimit = '20s'\n{players}"),
        );
        let mut cup = referee();
        cup.current_dir(folder.path("")).args([
            "tournament",
            "--config",
            "cup.toml",
            "--out",
            "cup.jsonl",
        ]);
        cup
    };
    let summary = cup("9s", "my bots/one")
        .arg("--json")
        .assert()
        .code(0)
        .get_output()
        .stdout
        .clone();
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    let repeat = summary["players"][0]["worst_game"]["repeat"]
        .as_str()
        .unwrap();
    assert!(
        repeat.contains("--limit 20000ms --limits 9000ms:20000ms"),
        "{repeat}"
    );
    let words = repeat.strip_prefix("referee ").unwrap();
    let script = format!("exec '{}' {words} --json", env!("CARGO_BIN_EXE_referee"));
    let again = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .output();
    let again: Value = serde_json::from_slice(&again.unwrap().stdout).unwrap();
    let record = text_of(folder.path("cup.jsonl"));
    let lines: Vec<Value> = record
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let player = &lines[0]["config"]["players"][0];
    assert_eq!(
        (&player["dir"], &player["limit_ms"]),
        (&"my bots/one".into(), &9000.into())
    );
    assert_eq!(lines[1]["players"][0]["limit_ms"], 9000);
    assert_eq!(lines[1]["players"][1]["limit_ms"], 20000);
    assert!(
        lines
            .iter()
            .any(|game| game["fleets"] == again["fleets"] && game["seed"] == again["seed"])
    );
    for (limit, dir, differs) in [
        (
            "8s",
            "my bots/one",
            "players 1: limit_ms: 9000 there, 8000 here",
        ),
        ("9s", "./my bots/one", "players 1: dir: "),
    ] {
        let says = contains("is of another contest; what differs: ").and(contains(differs));
        cup(limit, dir)
            .arg("--resume")
            .assert()
            .code(2)
            .stderr(says);
    }
}
