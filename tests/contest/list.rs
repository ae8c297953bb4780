//! The games of a record, and why they were lost.

use serde_json::Value;

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, cut_off};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_list_numbers_its_games,
        a_list_may_be_cut_off,
        an_explanation_has_causes_and_commands,
        learning_curve_counts_games_of_series,
        an_explanation_rates_attacks,
        wasted_attacks_cost_the_best_cells_worth,
        twist_orders_are_not_rated,
        an_impossible_record_is_refused
    );
}

/// A board on which attacks are rated quickly.
const BOARD: &str = "--rows 7 --cols 7 --ship '3 A ark' --ship '3 B boat'";

/// A folder with a match in which rogue exits after so many requests.
fn lost_games(requests: u32, options: &str) -> Dir {
    let dir = Dir::new();
    let rogue = format!("'rogue=test-bot act --after {requests} --stderr \"I give up\" exit 3'");
    dir.run(format!(
        "match {rogue} awful -q --seed 1 --jobs 1 --games 10 --out m {options}"
    ))
    .succeeds();
    dir
}

fn listed(dir: &Dir, options: &str) -> Vec<Value> {
    let done = dir.run(format!("list m --json {options}")).succeeds();
    done.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn a_list_numbers_its_games() {
    let dir = lost_games(100, "");
    let games = listed(&dir, "");
    assert_eq!(games.len(), 10);
    let text = dir.run("list m").succeeds();
    for (number, game) in (1..).zip(&games) {
        assert_eq!(game["number"], number);
        assert_eq!(game["name"], format!("rogue-vs-awful-game-{number}"));
        text.prints(&format!("{number:>6}  rogue - awful, "));
    }
    for (options, field, value) in [
        ("--player rogue --lost", "winner", Value::from(1)),
        ("--player awful --won --against rogue", "winner", 1.into()),
        ("--ended-by exited", "ended_by", "exited".into()),
    ] {
        let expected: Vec<_> = games
            .iter()
            .filter(|game| game[field] == value)
            .cloned()
            .collect();
        assert!(!expected.is_empty());
        assert_eq!(listed(&dir, options), expected, "{options}");
    }
    assert_eq!(
        listed(&dir, "--ended-by exited --ended-by fleet_sunk"),
        games
    );
    let turns = |game: &Value| game["turns"][0].as_u64().unwrap();
    let worst = listed(&dir, "--player rogue --worst 2");
    let faults = games.iter().filter(|game| game["ended_by"] == "exited");
    assert_eq!(worst.len(), 2);
    assert_eq!(Some(turns(&worst[0])), faults.map(turns).min());
    assert!(turns(&worst[0]) <= turns(&worst[1]));
}

fn a_list_may_be_cut_off() {
    let dir = Dir::new();
    dir.run("play awful mediocre --out m --first 1")
        .small()
        .succeeds();
    // More than a pipe holds.
    dir.file("m", dir.text("m").repeat(2000));
    let (line, code) = cut_off(dir.run("list m"));
    assert!(
        line.starts_with("     1  awful - mediocre, awful first: "),
        "{line}"
    );
    assert_eq!(code, 0);
}

fn an_explanation_has_causes_and_commands() {
    // A bot that remembers nothing, so that a game can be played again by itself.
    let dir = lost_games(8, &format!("--restart {BOARD}"));
    let done = dir.run("explain m --player rogue").succeeds();
    let lost = listed(&dir, "--player rogue --lost");
    for part in [
        &*format!("{} games: rogue exited (exited)", lost.len()),
        "usual cause: It ended by itself",
        "Against each opponent:\n  awful: 10 games",
        "rogue <- attack\n",
        "rogue !! I give up\n",
        "\n  expected: one line in answer to attack: \"attack ROW COL\"",
    ] {
        done.prints(part);
    }
    // The command that is shown does what it is for.
    let debug = done
        .stdout
        .lines()
        .find(|line| line.contains("referee debug"))
        .unwrap();
    dir.program("sh", "-c")
        .arg(debug)
        .succeeds()
        .prints(" fails: exited");
    let number = &lost[0]["number"];
    let found = dir
        .run(format!("explain m --player rogue --game {number} --json"))
        .succeeds()
        .json();
    assert_eq!(found["game"]["number"], *number);
    let dialogue = list(&found["game"]["fault"]["dialogue"]);
    assert_eq!(dialogue.last().unwrap(), "<- attack");
}

/// Bots are started anew for each series, so a game of the encounter says nothing about learning.
fn learning_curve_counts_games_of_series() {
    let dir = Dir::new();
    dir.ran("match awful mediocre --games 12 --series 4 --rows 2 --cols 3 --ship '2 R rowboat' --seed 1 -q --out m");
    let json = dir.run("explain m --player awful --json").succeeds().json();
    let places = list(&json["summary"]["duel"]["places"]);
    let counts: Vec<_> = places
        .iter()
        .map(|place| {
            [&place["first"], &place["last"], &place["games"]].map(|count| count.as_u64().unwrap())
        })
        .collect();
    assert_eq!(counts, [[1, 1, 3], [2, 3, 6], [4, 4, 3]]);
}

/// awful attacks row by row: that it lost is the doing of its attacks.
fn an_explanation_rates_attacks() {
    let dir = Dir::new();
    dir.run(format!(
        "match awful mediocre --games 4 --seed 1 -q --out m {BOARD}"
    ))
    .succeeds();
    let done = dir.run("explain m --player awful").succeeds();
    done.prints("% likely to hit; (")
        .prints("  expected hits lost: ");
    let found = dir.run("explain m --player awful --json").succeeds().json();
    let review = &found["game"]["review"];
    assert!(
        review["expected_hits_lost"].as_f64().unwrap() > 2.0,
        "{review}"
    );
    assert_eq!(list(&review["worst"]).len(), 5);
    let [chance, best] =
        ["chance", "best_chance"].map(|field| review["worst"][0][field].as_f64().unwrap());
    assert!(0.0 < chance && chance < best && best <= 1.0, "{review}");
    assert_eq!(found["summary"]["reasons"][0]["ended_by"], "fleet_sunk");
    assert_eq!(
        found["summary"]["worst"][0]["number"],
        found["game"]["number"]
    );
}

/// Every attack of it is on one cell, so all but the first are wasted.
fn wasted_attacks_cost_the_best_cells_worth() {
    let dir = Dir::new();
    dir.run("play 'bot=test-bot fault stuck' awful --no-pause --out m")
        .small()
        .succeeds();
    let found = dir
        .run("explain m --player bot --game 1 --json")
        .succeeds()
        .json();
    let review = &found["game"]["review"];
    let [attacks, repeated, outside] =
        ["attacks", "repeated", "outside"].map(|field| review[field].as_u64().unwrap());
    assert!(
        attacks > 1 && repeated == attacks - 1 && outside == 0,
        "{review}"
    );
    assert!(review["lost_by_waste"].as_f64().unwrap() > 0.0, "{review}");
}

fn twist_orders_are_not_rated() {
    let dir = Dir::new();
    dir.run("match awful mediocre --rules twist --games 2 --seed 1 -q --out m")
        .succeeds();
    let done = dir.run("explain m --player awful --game 1").succeeds();
    done.prints("The turns of twist games are not rated.");
    dir.run("explain m --player awful")
        .succeeds()
        .prints("Against each opponent:\n  mediocre: 2 games");
}

fn an_impossible_record_is_refused() {
    let dir = Dir::new();
    dir.run("play awful awful --no-pause --out m")
        .small()
        .succeeds();
    let mut game = dir.record("m").lines.remove(0);
    game["shots"][0][1] = 2_000_000_000.into();
    game["players"][0]["name"] = "\u{1b}[31mred".into();
    dir.file("m", format!("{game}\n"));
    dir.run("list m")
        .succeeds()
        .lacks("\u{1b}")
        .prints("     1  \\u{1b}[31mred");
    dir.run("explain m --player 'awful 2' --game 1")
        .fails(2, "game 1: the record cannot be right");
}
