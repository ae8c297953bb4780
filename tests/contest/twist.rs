//! Matches of the 12x12 game, between bots that the tests write.

use crate::common::contest::without_times;
use crate::common::twist::{self, timeless, turns};
use crate::common::{Folder, referee, text_of};
use predicates::str::contains;
use serde_json::{Value, json};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_match_has_the_same_record_on_any_number_of_lanes,
            the_command_that_repeats_a_game_of_a_match_plays_it_again,
            a_match_that_is_verified_notices_other_orders
        );
    });
}

/// A match of twist games between two players that draw from their seeds.
fn twist_match(players: &[String; 2], games: &str) -> assert_cmd::Command {
    let mut command = referee();
    command
        .arg("match")
        .args(players)
        .args(["--rules", "twist", "--seed", "1", "--quiet"]);
    command.args(["--games", games, "--max-turns", "40"]);
    command
}

fn a_match_has_the_same_record_on_any_number_of_lanes() {
    let folder = Folder::new();
    let players = [twist::random("A"), twist::random("B")];
    let [one, two] = ["1", "2"].map(|jobs| {
        let file = folder.path(jobs);
        let mut command = twist_match(&players, "100");
        command
            .args(["--jobs", jobs, "--out", &file])
            .assert()
            .success();
        without_times(&text_of(&file))
    });
    assert_eq!(one, two);
    let games: Vec<_> = one
        .iter()
        .filter(|line| line["format"] == "battleship-game")
        .collect();
    assert_eq!(games.len(), 100);
    for player in [0, 1] {
        assert_eq!(
            games.iter().filter(|game| game["first"] == player).count(),
            50
        );
    }
    assert!(games.iter().all(|game| turns(game)[0][0] == game["first"]));
}

fn the_command_that_repeats_a_game_of_a_match_plays_it_again() {
    let folder = Folder::new();
    let players = [twist::random("A"), twist::random("B the second")];
    let players = [
        players[0].clone(),
        // The name has spaces, so it is one word with the program.
        players[1].replacen("B the second=", "'B the second='", 1),
    ];
    let file = folder.path("match");
    let mut command = twist_match(&players, "6");
    let output = command
        .args(["--json", "--out", &file])
        .assert()
        .success()
        .get_output()
        .clone();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let worst = &summary["players"][1]["worst_game"];
    let why = worst["why"].as_str().unwrap();
    assert!(why.ends_with("shots that hit"), "{why}");
    let repeat = worst["repeat"].as_str().unwrap();
    let repeat = repeat.strip_prefix("referee ").unwrap();
    let script = format!("{} {repeat} --json", env!("CARGO_BIN_EXE_referee"));
    let again = assert_cmd::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    let is_it =
        |line: &&Value| line["format"] == "battleship-game" && line["seed"] == again["seed"];
    let games = without_times(&text_of(&file));
    let game = games.iter().find(is_it).unwrap();
    let by_name = |game: &Value| -> Vec<Value> {
        let turn = |turn: &Value| {
            let player = usize::try_from(turn[0].as_u64().unwrap()).unwrap();
            json!([
                game["players"][player]["name"],
                &turn.as_array().unwrap()[1..]
            ])
        };
        turns(game).iter().map(turn).collect()
    };
    assert_eq!(by_name(&timeless(&again)), by_name(game));
}

/// Once only the attacks of classic games were compared, so that any two twist games of one length were the same.
fn a_match_that_is_verified_notices_other_orders() {
    let players = [twist::random("A"), twist::random("B")];
    twist_match(&players, "4")
        .arg("--verify")
        .assert()
        .success()
        .stderr("referee: 4 games were played twice: the same happened both times\n");
    let players = [twist::moody("A"), twist::random("B")];
    twist_match(&players, "4")
        .arg("--verify")
        .assert()
        .code(4)
        .stderr(contains("series 1, game 1: turn "));
}
