//! The seeds that players of a contest receive.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::common::contest::without_times;
use crate::common::{Folder, SMALL, referee, test_bot, text_of};

/// Returns the games of the record in `file`.
fn games(file: &str) -> Vec<Value> {
    let lines = without_times(&text_of(Path::new(file)));
    lines
        .into_iter()
        .filter(|line| line["format"] == "battleship-game")
        .collect()
}

/// A pair is for who moves first. The seeds are new in every game, for both players.
#[test]
fn every_player_of_every_game_has_a_seed_of_its_own() {
    let folder = Folder::new();
    let file = folder.path("match.jsonl");
    let mut games_of_match = referee();
    games_of_match.args([
        "match", "awful", "mediocre", "--games", "60", "--series", "4", "-q",
    ]);
    games_of_match
        .args(SMALL)
        .args(["--out", &file])
        .assert()
        .success();
    let games = games(&file);
    assert_eq!(games.len(), 60);
    let mut seen = HashSet::new();
    for (number, pair) in games.chunks(2).enumerate() {
        let [one, two] = pair else {
            panic!("half a pair")
        };
        assert_eq!((&one["first"], &two["first"]), (&0.into(), &1.into()));
        assert_eq!(one["contest"]["game"], 2 * number + 1);
        assert_eq!(one["contest"]["series"], number / 2 + 1);
        for game in pair {
            seen.insert(game["seed"].to_string());
            seen.extend([0, 1].map(|player| game["players"][player]["seed"].to_string()));
        }
    }
    assert_eq!(seen.len(), 3 * 60);
}

/// With the seeds of both players exchanged in the second game of a pair, it sank the whole fleet in 17 attacks, 20 of
/// 20 times.
#[test]
fn the_seed_of_an_earlier_game_does_not_tell_where_the_opponent_s_ships_are() {
    let folder = Folder::new();
    let file = folder.path("match.jsonl");
    let cheat = format!(
        "Cheat={} cheat '{} bot mediocre'",
        test_bot(),
        env!("CARGO_BIN_EXE_referee")
    );
    let mut games_of_match = referee();
    games_of_match.args([
        "match", &cheat, "mediocre", "--games", "40", "--seed", "99", "-q",
    ]);
    games_of_match.args(["--out", &file]).assert().success();
    for game in games(&file) {
        let shots = game["shots"].as_array().unwrap();
        let hits = shots.iter().filter(|shot| shot[0] == 0).take(17);
        let hits = hits.filter(|shot| shot[3] != "miss").count();
        // By chance it hits with 17 of 100 attacks on 17 of 100 cells: three times; more than ten times with a
        // probability of one in ten thousand.
        assert!(hits <= 10, "{hits} of 17 attacks hit: {}", game["contest"]);
    }
}
