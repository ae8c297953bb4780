//! The seeds that players of a contest receive.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::common::contest::without_times;
use crate::common::{Folder, SMALL, built, referee, text_of};

/// Returns the games of the record in `file`.
fn games(file: &str) -> Vec<Value> {
    let lines = without_times(&text_of(Path::new(file)));
    lines.into_iter().filter(|line| line["format"] == "battleship-game").collect()
}

/// A pair is for who moves first. The seeds are new in every game, for both players.
#[test]
fn every_player_of_every_game_has_a_seed_of_its_own() {
    let folder = Folder::new();
    let file = folder.path("match.jsonl");
    let mut games_of_match = referee();
    games_of_match.args(["match", "awful", "mediocre", "--games", "60", "--series", "4", "-q"]);
    games_of_match.args(SMALL).args(["--out", &file]).assert().success();
    let games = games(&file);
    assert_eq!(games.len(), 60);
    let mut seen = HashSet::new();
    for (number, pair) in games.chunks(2).enumerate() {
        let [one, two] = pair else { panic!("half a pair") };
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
        "Cheat={} {} mediocre",
        built("examples/cheating-bot"),
        env!("CARGO_BIN_EXE_referee")
    );
    let mut games_of_match = referee();
    games_of_match.args(["match", &cheat, "mediocre", "--games", "40", "--seed", "99", "-q"]);
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

/// The seeds of the first two games of such a contest, and of their players, as version 0.1.0 recorded them.
const SEEDS_OF_VERSION_1: [(u64, [u64; 2]); 2] = [
    (103_008_504_988, [1_450_192_814, 1_506_885_932]),
    (103_008_504_988, [1_506_885_932, 1_450_192_814]),
];

/// A contest that version 0.1 began goes on with the seeds that it began with, and what it says of how to repeat a game
/// holds.
#[test]
fn a_contest_of_version_1_keeps_its_seeds() {
    let folder = Folder::new();
    let file = folder.path("match.jsonl");
    let mut small = referee();
    small.args(["match", "awful", "mediocre", "--games", "2", "-q"]).args(SMALL);
    small.args(["--out", &file]).assert().success();
    let text = text_of(Path::new(&file));
    // The header of version 1 ended its terms with the sandbox.
    let (header, _) = text.split_once('\n').unwrap();
    let (before, terms) = header.split_once("\"allow\"").unwrap();
    let (_, behind) = terms.split_once("\"max_faults\"").unwrap();
    let before = before.replacen("\"version\":3", "\"version\":1", 1);
    folder.file("match.jsonl", &format!("{before}\"max_faults\"{behind}\n"));
    let mut again = referee();
    again.args(["match", "awful", "mediocre", "--games", "2"]).args(SMALL);
    let output = again.args(["--out", &file, "--resume"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let games = games(&file);
    let seeds = games.iter().map(|game| {
        let seed = |player: usize| game["players"][player]["seed"].as_u64().unwrap();
        (game["seed"].as_u64().unwrap(), [seed(0), seed(1)])
    });
    assert_eq!(seeds.collect::<Vec<_>>(), SEEDS_OF_VERSION_1);
    let said = String::from_utf8(output.stdout).unwrap();
    let [one, two] = SEEDS_OF_VERSION_1[0].1;
    assert!(said.contains(&format!("--bot-seeds {one}:{two}")), "{said}");
}
