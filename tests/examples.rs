//! The example bots in other languages play whole games.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use common::{cpp, play, project_file, python, text_of};

/// Both games of `bot` against `opponent`, either moving first, are won by somebody without a wasted shot of the
/// bot, which is called `name`; and the same seed gives the same game.
fn plays_well_formed_games(bot: &str, name: &str, opponent: &str) {
    for (index, players) in [[bot, opponent], [opponent, bot]].into_iter().enumerate() {
        let (record, code) = play(players, &["--seed", "3"]);
        assert_eq!((record["ended_by"].as_str(), code), (Some("fleet_sunk"), 0), "{record}");
        assert_eq!(record["players"][index]["name"], name);
        let shots = record["shots"].as_array().unwrap();
        let wasted = shots.iter().filter(|shot| shot[0] == index && shot[3] == "wasted");
        assert_eq!(wasted.count(), 0);
        let (again, _) = play(players, &["--seed", "3"]);
        let course = |record: &serde_json::Value| -> Vec<_> {
            let shots = record["shots"].as_array().unwrap().iter();
            shots.map(|shot| (shot[1].clone(), shot[2].clone())).collect()
        };
        assert_eq!(course(&record), course(&again));
    }
}

#[test]
fn python_plays_against_good() {
    plays_well_formed_games(&python(), "Pythonista", "good");
}

#[test]
fn cpp_plays_against_mediocre() {
    let folder = tempfile::tempdir().unwrap();
    plays_well_formed_games(&cpp(&folder), "Seaplusplus", "mediocre");
}

#[test]
fn both_play_against_each_other_on_a_board_that_is_not_square() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        ["--rows", "3", "--cols", "7", "--ship", "5 A ark", "--ship", "1 B buoy", "--seed", "2"];
    let (record, code) = play([&python(), &cpp(&folder)], &options);
    assert_eq!((record["ended_by"].as_str(), code), (Some("fleet_sunk"), 0), "{record}");
}

#[test]
fn both_say_so_when_their_ships_cannot_be_placed() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--rows", "1", "--cols", "2", "--ship", "2 A ark", "--ship", "1 B buoy"];
    for bot in [python(), cpp(&folder)] {
        let (record, code) = play([&bot, "awful"], &options);
        assert_eq!((record["ended_by"].as_str(), code), (Some("cannot_place"), 3), "{record}");
    }
}

#[test]
fn an_example_can_be_read_at_one_sitting() {
    for path in ["examples/python/bot.py", "examples/cpp/bot.cpp"] {
        assert!(text_of(project_file(path)).lines().count() < 80, "{path}");
    }
}
