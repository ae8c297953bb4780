//! The games that were played, why they were lost, and what is kept of bad ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::contest::match_in_tens;
use crate::common::{
    Folder, SMALL, cut_off, misbehaving, misbehaving_bot, program, referee, text_of,
};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

/// Plays ten games of `rogue`, which exits in long ones, against awful; the record and the bundles are in `folder`.
fn bad_match(folder: &Path, rogue: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = referee();
    command.args([
        "match", rogue, "awful", "--quiet", "--seed", "1", "--jobs", "1",
    ]);
    command
        .args(["--out", "match.jsonl", "--bundle", "bad"])
        .args(options);
    command.current_dir(folder).assert()
}

/// A player that exits after this many requests, called `name`.
fn quitter(name: &str) -> String {
    format!(
        "'{name}={}' --after 100 --stderr 'I give up' exit 3",
        misbehaving_bot()
    )
}

fn bundles_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder.join("bad"))
        .unwrap()
        .map(Result::unwrap);
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
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

#[test]
fn bundles_are_called_by_what_happened_and_the_index_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let played = bad_match(
        folder,
        &misbehaving("--after 100 exit 3"),
        &["--games", "10"],
    );
    let bundles = bundles_in(folder);
    let count = bundles.len();
    assert!(count > 2, "{bundles:?}");
    played.success().stderr(contains(format!(
        "{count} bad games are in bad; bad/index.txt lists them"
    )));
    let index = text_of(folder.join("bad/index.txt"));
    assert_eq!(index.lines().count(), 1 + count);
    for name in &bundles {
        let number = name.strip_prefix("rogue-vs-awful-game-").unwrap();
        let number = number.strip_suffix("-exited").unwrap();
        assert!(index.contains(&format!(
            "\n{name}: rogue against awful: rogue forfeits: exited"
        )));
        // The number is that of the game, and the name serves where a record is read.
        let game: Value =
            serde_json::from_str(&text_of(folder.join(format!("bad/{name}/game.json")))).unwrap();
        assert_eq!(game["contest"]["game"].to_string(), number);
        let bundle = format!("bad/{name}/");
        let replay = ["replay", "match.jsonl", "--delay", "1ms", "--game", &bundle];
        let by_name = printed(folder, &replay);
        assert_eq!(
            by_name,
            printed(
                folder,
                &["replay", "--delay", "1ms", &format!("{bundle}game.json")]
            )
        );
    }
}

#[test]
fn bundles_are_counted_and_listed_across_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rogue = misbehaving("--after 100 exit 3");
    bad_match(folder, &rogue, &["--games", "10", "--series", "2"]).success();
    let before = bundles_in(folder);
    let played = bad_match(
        folder,
        &rogue,
        &["--games", "20", "--series", "2", "--resume"],
    );
    let after = bundles_in(folder);
    assert!(
        before.is_subset(&after) && before.len() < after.len(),
        "{before:?} {after:?}"
    );
    let (count, new) = (after.len(), after.len() - before.len());
    let said = format!("{count} bad games are in bad, {new} of them from this run");
    played.success().stderr(contains(said));
    let index = text_of(folder.join("bad/index.txt"));
    let listed: BTreeSet<_> = index
        .lines()
        .skip(1)
        .map(|line| line.split_once(": ").unwrap().0.to_owned())
        .collect();
    assert_eq!(listed, after);
}

#[test]
fn an_index_of_something_else_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bad")).unwrap();
    let index = folder.path().join("bad/index.txt");
    std::fs::write(&index, "my notes\n").unwrap();
    bad_match(folder.path(), "mediocre", &["--games", "2"])
        .code(2)
        .stderr(contains("the folder bad is not empty"));
    assert_eq!(text_of(index), "my notes\n");
}

const NAMES: [(&str, &str); 4] = [
    ("a path", "../../up"),
    ("spaces and signs", "a b;$(touch x)"),
    ("an option", "--help"),
    ("no letter at all", "鯨"),
];

/// A name is a bot's own choice, and a bundle stays in its folder whatever that is.
#[test]
#[rows(NAMES)]
fn no_name_leads_out_of_the_folder_of_bundles((_, name): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("one/two");
    std::fs::create_dir_all(&inner).unwrap();
    let rogue = format!(
        "{} --at greeting say 'name {name}\\nready\\n'",
        misbehaving_bot()
    );
    let played = bad_match(&inner, &rogue, &["--games", "2", "--max-turns", "1"]);
    played.success();
    let bundles = bundles_in(&inner);
    assert!(!bundles.is_empty());
    for bundle in bundles {
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        assert!(
            bundle.chars().all(is_safe) && !bundle.starts_with('-'),
            "{bundle}"
        );
    }
    let outside = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(outside, 1);
}

#[test]
fn players_whose_names_look_alike_have_bundles_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = |name: &str| format!("'{name}={}' --after 100 exit 3", misbehaving_bot());
    let mut command = referee();
    command.args([
        "tournament",
        &bot("a b"),
        &bot("a;b"),
        "awful",
        "--games",
        "2",
        "--quiet",
        "--seed",
        "1",
    ]);
    command.args(["--max-turns", "1", "--out", "cup.jsonl", "--bundle", "bad"]);
    command.current_dir(folder).assert().success();
    let bundles = bundles_in(folder);
    assert_eq!(bundles.len(), 6, "{bundles:?}");
    for name in [
        "a_b-vs-awful-game-1-turn_cap",
        "a_b-vs-awful-game-1-turn_cap-2",
    ] {
        assert!(bundles.contains(name), "{bundles:?}");
    }
    // Both may be meant.
    referee()
        .args(["replay", "cup.jsonl", "--game", "a_b-vs-awful-game-1"])
        .current_dir(folder)
        .assert()
        .code(2)
        .stderr(contains(
            "more than one game of that name; choose by number, of ",
        ));
}

#[cfg(unix)]
#[test]
fn the_script_of_a_bundle_works_from_any_folder_and_says_if_that_of_the_contest_is_gone() {
    let outer = tempfile::tempdir().unwrap();
    let played_in = outer.path().join("it's here");
    std::fs::create_dir(&played_in).unwrap();
    // A script that only works from this folder.
    let bot = format!("#!/bin/sh\nexec {} --after 20 exit 3\n", misbehaving_bot());
    std::fs::write(played_in.join("bot.sh"), bot).unwrap();
    bad_match(
        &played_in,
        "rogue=sh bot.sh",
        &["--games", "2", "--restart"],
    )
    .success();
    let bundles = bundles_in(&played_in);
    let script = played_in
        .join("bad")
        .join(bundles.first().unwrap())
        .join("repeat.sh");
    let run = |script: &Path| {
        let output = Command::new(script)
            .args(["--json"])
            .current_dir("/")
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            output.stderr,
        )
    };
    let (code, game, _) = run(&script);
    let game: Value = serde_json::from_str(&game).unwrap();
    assert_eq!((code, &game["ended_by"]), (0, &"exited".into()), "{game}");
    let moved = outer.path().join("moved");
    std::fs::rename(&played_in, &moved).unwrap();
    let script = moved
        .join("bad")
        .join(bundles.first().unwrap())
        .join("repeat.sh");
    let (code, _, said) = run(&script);
    let said = String::from_utf8(said).unwrap();
    assert_eq!(code, 1);
    assert!(
        said.contains("the folder in which the contest was played is gone: ")
            && said.contains("it's here")
    );
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
    let text = printed(
        here,
        &[
            "explain",
            "match.jsonl",
            "--player",
            "rogue",
            "--bundle",
            "bad",
        ],
    );
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
        "    <- attack\n  expected: one line in answer to attack: \"attack ROW COL\"",
        "  Standard error:\n    I give up\n",
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
