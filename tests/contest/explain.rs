//! The games that were played, and why they were lost.

use std::path::{Path, PathBuf};

use crate::common::contest::match_in_tens;
use crate::common::{Folder, SMALL, cut_off, misbehaving_bot, program, referee, text_of};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

/// Plays ten games of `rogue`, which exits in long ones, against awful, with its record in `folder`.
fn bad_match(folder: &Path, rogue: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = referee();
    command.args([
        "match", rogue, "awful", "--quiet", "--seed", "1", "--jobs", "1",
    ]);
    command.args(["--out", "match.jsonl"]).args(options);
    command.current_dir(folder).assert()
}

/// A player that exits after this many requests, called `name`.
fn quitter(name: &str) -> String {
    format!(
        "'{name}='{} --after 100 --stderr 'I give up' exit 3",
        misbehaving_bot()
    )
}

/// Returns the output of a command about a record, which has to succeed.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let assert = referee()
        .args(arguments)
        .current_dir(folder)
        .assert()
        .success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A record of a match in which rogue fails in long games, and the folder where it is.
fn lost_games() -> Folder {
    let folder = Folder::new();
    let bad = PathBuf::from(folder.path(""));
    bad_match(&bad, &quitter("rogue"), &["--games", "10"]).success();
    folder
}

#[test]
fn a_list_has_a_line_for_each_game_with_the_number_that_other_commands_take() {
    let folder = lost_games();
    let record = folder.path("match.jsonl");
    let here = Path::new("/");
    let lines = printed(here, &["list", &record]);
    assert_eq!(lines.lines().count(), 10);
    let games = json_lines(&printed(here, &["list", &record, "--json"]));
    for (number, game) in (1..).zip(&games) {
        assert_eq!(game["number"], number);
        assert_eq!(game["name"], format!("rogue-vs-awful-game-{number}"));
        assert!(
            lines.contains(&format!("{number:>6}  rogue - awful, ")),
            "{lines}"
        );
    }
    let has = |options: &[&str], wanted: &dyn Fn(&Value) -> bool| {
        let arguments = [&["list", &record, "--json"], options].concat();
        let found = json_lines(&printed(here, &arguments));
        let expected: Vec<_> = games.iter().filter(|game| wanted(game)).cloned().collect();
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{options:?}");
    };
    has(&["--player", "rogue", "--lost"], &|game| {
        game["winner"] == 1
    });
    has(
        &["--player", "rogue", "--won", "--against", "awful"],
        &|game| game["winner"] == 0,
    );
    has(&["--ended-by", "exited"], &|game| {
        game["ended_by"] == "exited"
    });
    has(
        &["--ended-by", "exited", "--ended-by", "fleet_sunk"],
        &|_| true,
    );
    let worst = json_lines(&printed(
        here,
        &[
            "list", &record, "--json", "--player", "rogue", "--worst", "2",
        ],
    ));
    let turns = |game: &Value| game["turns"][0].as_u64().unwrap();
    let of_faults = games
        .iter()
        .filter(|game| game["ended_by"] == "exited")
        .map(turns);
    assert_eq!(worst.len(), 2);
    assert_eq!(Some(turns(&worst[0])), of_faults.min());
    assert!(turns(&worst[0]) <= turns(&worst[1]));
}

const WRONG: [(&str, &[&str], &str); 5] = [
    (
        "a player",
        &["--player", "nobody"],
        "--player nobody: no player has that name; there are awful, rogue",
    ),
    (
        "an opponent",
        &["--against", "x"],
        "--against x: no player has that name; there are awful, rogue",
    ),
    (
        "a reason",
        &["--ended-by", "bored"],
        "the reasons are fleet_sunk, resigned, timeout,",
    ),
    ("no player", &["--lost"], "--player"),
    ("none of the worst", &["--worst", "0"], "--worst"),
];

#[test]
#[rows(WRONG)]
fn a_wrong_filter_says_what_there_is((_, options, message): (&str, &[&str], &str)) {
    let folder = lost_games();
    let record = folder.path("match.jsonl");
    referee()
        .args(["list", &record])
        .args(options)
        .assert()
        .code(2)
        .stderr(contains(message));
}

#[test]
fn a_list_may_be_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    // More than a pipe holds.
    let mut command = match_in_tens("1000", &out);
    command.args(&SMALL[..6]);
    assert!(command.output().unwrap().status.success());
    let mut list = program("referee");
    let (line, code) = cut_off(list.arg("list").arg(&out));
    assert!(
        line.starts_with("     1  awful - mediocre, awful first: "),
        "{line}"
    );
    assert_eq!(code, 0);
}

#[test]
fn an_explanation_has_the_causes_of_faults_and_the_commands_to_see_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Bots that remember nothing, so that a game can be played again by itself.
    let rogue = format!(
        "rogue={} --after 20 --stderr 'I give up' exit 3",
        misbehaving_bot()
    );
    bad_match(here, &rogue, &["--games", "10", "--restart"]).success();
    let text = printed(here, &["explain", "match.jsonl", "--player", "rogue"]);
    let games = json_lines(&printed(
        here,
        &[
            "list",
            "match.jsonl",
            "--json",
            "--player",
            "rogue",
            "--lost",
        ],
    ));
    let lost = games.len();
    for part in [
        &*format!("{lost} games: rogue exited (exited)"),
        "usual cause: It ended by itself",
        "Against each opponent:\n  awful: 10 games",
        "rogue <- attack\n",
        "rogue !! I give up\n",
        "\n  expected: one line in answer to attack: \"attack ROW COL\"",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // The command that is shown does what it is for.
    let debug = text
        .lines()
        .find(|line| line.contains("referee debug"))
        .unwrap();
    let words = shlex::split(debug).unwrap();
    referee()
        .args(&words[1..])
        .current_dir(here)
        .assert()
        .success()
        .stdout(contains(" fails: exited"));
    let number = games[0]["number"].to_string();
    let one = [
        "explain",
        "match.jsonl",
        "--player",
        "rogue",
        "--game",
        &number,
    ];
    let json: Value =
        serde_json::from_str(&printed(here, &[&one[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["game"]["number"].to_string(), number);
    assert_eq!(
        json["game"]["fault"]["dialogue"]
            .as_array()
            .unwrap()
            .last()
            .unwrap(),
        "<- attack"
    );
}

/// awful attacks row by row: that it lost is the doing of its attacks.
#[test]
fn an_explanation_compares_attacks_with_the_most_likely_cells() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("m").display().to_string();
    let mut command = referee();
    command.args([
        "match", "awful", "mediocre", "--games", "4", "--seed", "1", "--quiet", "--out", &record,
    ]);
    command.assert().success();
    let arguments = ["explain", &record, "--player", "awful"];
    let text = printed(folder.path(), &arguments);
    assert!(text.contains("% likely to hit; ("), "{text}");
    assert!(text.contains("  expected hits lost: "), "{text}");
    let found: Value = serde_json::from_str(&printed(
        folder.path(),
        &[&arguments[..], &["--json"]].concat(),
    ))
    .unwrap();
    let review = &found["game"]["review"];
    let lost = review["expected_hits_lost"].as_f64().unwrap();
    assert!(lost > 2.0, "{review}");
    let worst = review["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 5);
    let [chance, best] = ["chance", "best_chance"].map(|field| worst[0][field].as_f64().unwrap());
    assert!(0.0 < chance && chance < best && best <= 1.0, "{review}");
    assert_eq!(found["summary"]["reasons"][0]["ended_by"], "fleet_sunk");
    assert_eq!(
        found["summary"]["worst"][0]["number"],
        found["game"]["number"]
    );
}

/// Every attack of it is on one cell, so all but the first are wasted.
#[test]
fn wasted_attacks_are_counted_and_cost_what_the_best_cell_was_worth() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("m").display().to_string();
    let stuck = crate::common::broken("stuck");
    let mut command = referee();
    command
        .args(["play", &stuck, "awful", "--no-pause", "--record", &record])
        .args(SMALL);
    command.assert().success();
    let explain = [
        "explain", &record, "--player", "bot", "--game", "1", "--json",
    ];
    let found: Value = serde_json::from_str(&printed(folder.path(), &explain)).unwrap();
    let review = &found["game"]["review"];
    let count = |field: &str| review[field].as_u64().unwrap();
    assert!(count("attacks") > 1);
    assert_eq!(
        (count("repeated"), count("outside")),
        (count("attacks") - 1, 0),
        "{review}"
    );
    assert!(review["lost_by_waste"].as_f64().unwrap() > 0.0, "{review}");
}

#[test]
fn an_explanation_of_twist_games_has_no_ratings_of_orders() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("m").display().to_string();
    let mut command = referee();
    command.args([
        "match", "awful", "mediocre", "--rules", "twist", "--games", "2", "--seed", "1",
    ]);
    command
        .args(["--quiet", "--out", &record])
        .assert()
        .success();
    let text = printed(
        folder.path(),
        &["explain", &record, "--player", "awful", "--game", "1"],
    );
    assert!(
        text.contains("The turns of twist games are not rated."),
        "{text}"
    );
    let text = printed(folder.path(), &["explain", &record, "--player", "awful"]);
    assert!(
        text.contains("Against each opponent:\n  mediocre: 2 games"),
        "{text}"
    );
}

#[test]
fn a_record_that_nobody_can_have_played_is_no_reason_to_panic() {
    let folder = Folder::new();
    let record = folder.path("m");
    let mut command = referee();
    command
        .args(["play", "awful", "awful", "--no-pause", "--record", &record])
        .args(SMALL);
    command.assert().success();
    let mut game: Value = serde_json::from_str(&text_of(&record)).unwrap();
    game["shots"][0][1] = 2_000_000_000.into();
    game["players"][0]["name"] = "\u{1b}[31mred".into();
    std::fs::write(&record, format!("{game}\n")).unwrap();
    let list = referee()
        .args(["list", &record])
        .assert()
        .success()
        .stdout(starts_with("     1  \\u{1b}[31mred"));
    list.stdout(contains("\u{1b}").not());
    let explain = ["explain", &record, "--player", "awful 2", "--game", "1"];
    referee()
        .args(explain)
        .assert()
        .code(2)
        .stderr(contains("game 1: the record cannot be right"));
    let explain = ["explain", &record, "--player", "nobody"];
    referee()
        .args(explain)
        .assert()
        .code(2)
        .stderr(contains("no player has that name; there are "));
}
