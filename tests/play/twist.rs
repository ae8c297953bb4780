//! The 12x12 game: `referee --rules twist` from outside, between bots that the tests write.

use crate::common::twist::{self, AT_THE_LEFT, INTO_THE_WATER, STARTING, timeless, turns};
use crate::common::{Folder, misbehaving, play, referee, text_of};
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};
use serde_json::{Value, json};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_first_to_sink_all_units_wins,
        the_same_seed_plays_the_same_game_and_another_seed_another_one,
        who_starts_is_drawn_from_the_seed_unless_it_is_said,
        each_turn_is_shown_with_the_grids_of_the_mover,
        a_game_without_hits_ends_at_the_turn_cap,
        a_player_may_resign,
        a_support_ship_repairs_and_a_submarine_searches,
        a_reply_that_is_not_a_placement_forfeits,
        a_bot_that_gives_up_placing_ends_the_game_without_a_winner,
        a_bot_that_does_not_play_twist_could_not_start,
        a_player_hears_of_its_opponents_shots_and_of_nothing_else,
        a_game_can_be_logged_as_the_original_does,
        the_log_of_a_game_shows_the_game_that_was_played,
        a_twist_game_has_moves_and_a_classic_one_has_shots_even_if_it_ends_before_the_first,
        a_game_that_such_a_log_has_no_words_for_gets_none
    );
    rows!(tests, NO_ORDERS, a_reply_that_is_not_an_order_forfeits);
    rows!(
        tests,
        REFUSED,
        an_impossible_order_is_refused_and_the_turn_is_lost
    );
    rows!(
        tests,
        ILLEGAL,
        an_illegal_placement_forfeits_and_each_fault_is_named
    );
    rows!(tests, NO_SENSE, options_that_make_no_sense_are_refused);
}

/// Plays a game in which the first of these players starts.
fn play_twist(players: [&str; 2], options: &[&str]) -> (Value, i32) {
    play(players, &[&STARTING, options].concat())
}

fn the_first_to_sink_all_units_wins() {
    let players = [twist::hunter("Ahab"), twist::harmless("Moby")];
    let (record, code) = play_twist([&players[0], &players[1]], &[]);
    assert_eq!(
        (code, &record["winner"], &record["ended_by"]),
        (0, &json!("Ahab"), &json!("fleet_sunk"))
    );
    assert_eq!(record["reason"], "Ahab sank the whole fleet of Moby");
    assert_eq!(record["rules"], "twist");
    assert_eq!((&record["rows"], &record["cols"]), (&json!(12), &json!(12)));
    assert_eq!(
        (&record["max_turns"], &record["first"]),
        (&json!(100), &json!(0))
    );
    let units: Vec<_> = record["ships"].as_array().unwrap().iter().collect();
    assert_eq!(units.len(), 8);
    assert_eq!(
        units[0],
        &json!({"length": 5, "symbol": "C", "name": "battleship"})
    );
    assert_eq!(
        units[3],
        &json!({"length": 3, "symbol": "S", "name": "support ship"})
    );
    assert_eq!(
        units[7],
        &json!({"length": 1, "symbol": "E", "name": "exploration submarine"})
    );
    for fleet in [0, 1] {
        let fleet = record["fleets"][fleet].as_array().unwrap();
        assert_eq!(fleet.len(), 8);
        assert_eq!(fleet[5], json!({"row": 5, "col": 0, "direction": "h"}));
    }
    assert_eq!(record.get("shots"), None);
    // Twenty-six cells, and between every two of its shots a turn of the other's.
    assert_eq!(turns(&record).len(), 26 + 25);
    let timeless = timeless(&record);
    assert_eq!(turns(&timeless)[0], json!([0, 0, 2, 0, 0, "hit", null]));
    assert_eq!(turns(&timeless)[1], json!([1, 0, 2, 11, 11, "miss", null]));
    assert_eq!(turns(&timeless)[50], json!([0, 0, 2, 7, 0, "hit", null]));
    assert!(
        turns(&record)
            .iter()
            .all(|turn| turn[6].as_u64().unwrap() < 5_000_000)
    );
}

fn the_same_seed_plays_the_same_game_and_another_seed_another_one() {
    let players = [twist::random("A"), twist::random("B")];
    let game = |seed| {
        let options = ["--rules", "twist", "--max-turns", "40", "--seed", seed];
        timeless(&play([&players[0], &players[1]], &options).0)
    };
    let (seven, eight) = (game("7"), game("8"));
    assert_eq!(seven, game("7"));
    assert_ne!(seven["moves"], eight["moves"]);
}

fn who_starts_is_drawn_from_the_seed_unless_it_is_said() {
    let players = [twist::harmless("A"), twist::harmless("B")];
    let starter = |options: &[&str]| {
        let options = [&["--rules", "twist", "--max-turns", "1"], options].concat();
        let (record, _) = play([&players[0], &players[1]], &options);
        assert_eq!(turns(&record)[0][0], record["first"]);
        record["first"].as_u64().unwrap()
    };
    let drawn: Vec<_> = (1..=8)
        .map(|seed| starter(&["--seed", &seed.to_string()]))
        .collect();
    assert!(drawn.contains(&0) && drawn.contains(&1), "{drawn:?}");
    for (said, first) in [("1", 0), ("2", 1)] {
        for seed in ["1", "2", "3"] {
            assert_eq!(starter(&["--first", said, "--seed", seed]), first);
        }
    }
    // The starter gets the first of the two seeds.
    let seeds = |first| {
        let options = [
            "--rules",
            "twist",
            "--max-turns",
            "1",
            "--seed",
            "1",
            "--first",
            first,
        ];
        let (record, _) = play([&players[0], &players[1]], &options);
        [0, 1].map(|player| record["players"][player]["seed"].as_u64().unwrap())
    };
    let [one, two] = seeds("1");
    assert_eq!(seeds("2"), [two, one]);
}

const SECOND_TURN: &str = "\
Moby fires from A3 at N12: miss
                                    Player 2
             Defence board                           Attack board
  1  2  3  4  5  6  7  8  9  10 11 12\t  1  2  3  4  5  6  7  8  9  10 11 12
A c  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\tA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A
";

fn each_turn_is_shown_with_the_grids_of_the_mover() {
    let output = referee()
        .args([
            "play",
            &twist::hunter("Ahab"),
            &twist::harmless("Moby"),
            "--no-pause",
        ])
        .args(STARTING)
        .assert()
        .code(0)
        .stderr(
            starts_with("referee: Moby: 21 of its 25 turns were wasted; referee check ")
                .and(ends_with(" --rules twist says why\n")),
        )
        .stdout(starts_with("Ahab fires from A3 at A1: hit\n").and(contains(SECOND_TURN)))
        .stdout(ends_with("Ahab wins!\n"))
        .get_output()
        .clone();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(shown.matches("   Player 1\n").count(), 26);
    assert_eq!(shown.matches("   Player 2\n").count(), 25);
}

fn a_game_without_hits_ends_at_the_turn_cap() {
    let players = [twist::harmless("A"), twist::harmless("B")];
    for (options, cap) in [(&[][..], 100), (&["--max-turns", "3"], 3)] {
        let (record, code) = play_twist([&players[0], &players[1]], options);
        assert_eq!((code, &record["ended_by"]), (3, &json!("turn_cap")));
        let reason = record["reason"].as_str().unwrap();
        assert!(reason.ends_with(&format!("{cap} turns each")), "{reason}");
        assert_eq!(
            (&record["winner"], &record["by"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(turns(&record).len(), 2 * cap);
    }
}

const NO_ORDERS: [(&str, &str, &str); 7] = [
    ("half an order", "act 0 2", "\"act 0 2\""),
    ("a word too many", "act 0 2 1 1 1", "\"act 0 2 1 1 1\""),
    ("another word", "attack 0 2", "\"attack 0 2\""),
    ("ready", "ready", "\"ready\""),
    (
        "letters",
        "act A3 B4",
        "\"act A3 B4\" (\"A3\" is not a plain whole number of 32 bits)",
    ),
    (
        "a space too many",
        "act 0 2 1 1 ",
        "\"act 0 2 1 1 \" (a space too many)",
    ),
    (
        "a large number",
        "act 0 2 1 4294967296",
        "\"act 0 2 1 4294967296\" (\"4294967296\" is not a plain whole number of 32 bits)",
    ),
];

fn a_reply_that_is_not_an_order_forfeits((_, said, quoted): (&str, &str, &str)) {
    let players = [twist::one_that_says("rogue", said), twist::harmless("B")];
    let (record, code) = play_twist([&players[0], &players[1]], &[]);
    let reason = format!("rogue forfeits: expected \"act ROW COL ROW COL\", got {quoted}");
    assert_eq!(record["reason"], reason);
    assert_eq!((code, &record["ended_by"]), (0, &json!("bad_reply")));
    assert_eq!((&record["winner"], &record["by"]), (&json!("B"), &json!(0)));
}

fn a_player_may_resign() {
    let players = [twist::one_that_says("A", "resign"), twist::harmless("B")];
    let (record, _) = play_twist([&players[0], &players[1]], &[]);
    assert_eq!(
        (&record["ended_by"], &record["reason"]),
        (&json!("resigned"), &json!("A resigned"))
    );
}

const REFUSED: [(&str, &str, &str); 7] = [
    (
        "a target off the grid",
        "0 2 12 0",
        "(0,2) and (12,0) are not both on the grid",
    ),
    (
        "an origin off the grid",
        "-1 2 0 0",
        "(-1,2) and (0,0) are not both on the grid",
    ),
    ("no unit", "9 9 0 0", "there is no unit at (9,9)"),
    (
        "not the centre",
        "0 0 9 9",
        "unit 0 is ordered by its centre, (0,2)",
    ),
    (
        "no room",
        "3 1 3 11",
        "unit 3 does not fit on the grid at (3,11)",
    ),
    (
        "a unit in the way",
        "3 1 4 1",
        "unit 3 cannot move to (4,1): unit 4 is at (4,0)",
    ),
    (
        "a submarine in the way",
        "6 0 7 0",
        "unit 6 cannot move to (7,0): unit 7 is at (7,0)",
    ),
];

fn an_impossible_order_is_refused_and_the_turn_is_lost((_, order, why): (&str, &str, &str)) {
    let folder = Folder::new();
    let dialogue = folder.path("dialogue");
    let rogue = twist::one_that_says("rogue", &format!("act {order}"));
    let options = ["--max-turns", "2", "--transcript", &dialogue];
    let (record, code) = play_twist([&rogue, &twist::harmless("B")], &options);
    assert_eq!(
        (code, &record["ended_by"]),
        (3, &json!("turn_cap")),
        "{record}"
    );
    assert_eq!(turns(&record).len(), 4);
    assert_eq!(turns(&record)[0][5], format!("refused {why}"));
    let said = text_of(&dialogue);
    assert!(
        said.contains(&format!(" rogue <- result {order} refused {why}\n")),
        "{said}"
    );
    assert!(!said.contains(" B <- opponent"), "{said}");
}

fn a_support_ship_repairs_and_a_submarine_searches() {
    let orders = ["act 4 1 4 1", "act 6 0 9 9", "act 9 9 4 4"].map(str::to_owned);
    let busy = twist::player("busy", AT_THE_LEFT, &orders);
    // Its shots hit a support ship beside the one that repairs.
    let other = twist::one_that_says("other", "act 0 2 3 1");
    let (record, _) = play_twist([&other, &busy], &["--max-turns", "3"]);
    let results: Vec<_> = turns(&record)
        .iter()
        .map(|turn| turn[5].as_str().unwrap())
        .collect();
    // In the 5x5 cells around (4,4) are the ends of a battleship and of three support ships.
    let found = "found 2 2 y 2 3 y 2 4 y 3 2 y 4 2 y 5 2 y";
    assert_eq!(results, ["hit", "repaired 3", "hit", "found", "hit", found]);
}

const ILLEGAL: [(&str, &str, &str); 4] = [
    (
        "over another unit",
        "place 0 0 h 0 3 h 2 0 h 3 10 v 4 11 h 5 0 h 6 0 h 7 0 h",
        "placed battleship 1 over battleship 0 at (0,3); \
         placed support ship 4 partly outside the grid from (4,11)",
    ),
    (
        "outside the grid",
        "place -1 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 17 0 v",
        "placed battleship 0 outside the grid at (-1,0); placed submarine 7 outside the grid at (17,0)",
    ),
    ("too few", "place 0 0 h", "placed 1 unit instead of 8"),
    (
        "too many",
        "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h 8 0 h",
        "placed 9 units instead of 8",
    ),
];

fn an_illegal_placement_forfeits_and_each_fault_is_named(row: (&str, &str, &str)) {
    let (_, placement, faults) = row;
    let rogue = twist::player("rogue", placement, &[]);
    let (record, code) = play_twist([&twist::harmless("A"), &rogue], &[]);
    assert_eq!(record["reason"], format!("rogue forfeits: {faults}"));
    assert_eq!(
        (code, &record["ended_by"]),
        (0, &json!("illegal_placement"))
    );
    assert_eq!(
        (&record["winner"], &record["fleets"][1]),
        (&json!("A"), &Value::Null)
    );
}

fn a_reply_that_is_not_a_placement_forfeits() {
    let rogue = twist::player("rogue", "place here", &[]);
    let (record, _) = play_twist([&rogue, &twist::harmless("B")], &[]);
    let expected = "rogue forfeits: expected \"place ROW COL h|v ...\" (8 units) or \"place none\", got \"place here\"";
    assert!(
        record["reason"].as_str().unwrap().starts_with(expected),
        "{record}"
    );
}

fn a_bot_that_gives_up_placing_ends_the_game_without_a_winner() {
    let (record, code) = play_twist(
        [
            &twist::player("A", "place none", &[]),
            &twist::harmless("B"),
        ],
        &[],
    );
    assert_eq!((code, &record["ended_by"]), (3, &json!("cannot_place")));
    assert_eq!(record["reason"], "A could not place its units");
}

fn a_bot_that_does_not_play_twist_could_not_start() {
    for greeting in ["ready", "plays classic\\nready"] {
        let classic = misbehaving(&format!("--at greeting say '{greeting}\\n'"));
        let (record, code) = play_twist([&twist::harmless("A"), &classic], &[]);
        assert_eq!((code, &record["ended_by"]), (4, &json!("could_not_start")));
        assert_eq!(
            record["reason"],
            "rogue could not start: it does not play twist"
        );
    }
}

fn a_player_hears_of_its_opponents_shots_and_of_nothing_else() {
    let folder = Folder::new();
    let dialogue = folder.path("dialogue");
    let orders = [
        "act 4 1 4 1",
        "act 6 0 9 9",
        "act 0 2 0 0",
        "act 5 5 5 5",
        "act 0 2 11 11",
    ]
    .map(str::to_owned);
    let mover = twist::player("mover", AT_THE_LEFT, &orders);
    let options = ["--max-turns", "5", "--transcript", &dialogue];
    play_twist([&mover, &twist::harmless("other")], &options);
    let dialogue = text_of(&dialogue);
    let told: Vec<_> = dialogue
        .lines()
        .filter_map(|line| line.split_once(" other <- "))
        .collect();
    let told: Vec<_> = told
        .into_iter()
        .map(|(_, told)| told)
        .filter(|told| *told != "act")
        .collect();
    assert_eq!(told[0], "battleship 1");
    assert_eq!(told[1], "game twist 12 12");
    assert_eq!(told[2], "ship 0 5 C battleship");
    assert!(
        told[10].starts_with("seed ") && told[11] == "limit 5000",
        "{told:?}"
    );
    assert_eq!(told[12], "place");
    let own = "result 0 2 11 11 miss";
    let during = [own, own, "opponent 0 0", own, own, "opponent 11 11", own];
    assert_eq!(told[13..20], during);
    assert_eq!(told[20..], ["end void turn_cap", "quit"]);
}

const NO_SENSE: [(&[&str], &str); 10] = [
    (
        &["play", "--rules", "twist", "--rows", "12"],
        "the boards of the game twist are always 12x12",
    ),
    (
        &["match", "--rules", "twist", "--cols", "12"],
        "the boards of the game twist are always 12x12",
    ),
    (
        &["tournament", "--rules", "twist", "--rows", "5"],
        "the boards of the game twist are always 12x12",
    ),
    (
        &["play", "--rules", "twist", "--ship", "3 S sub"],
        "the fleet of the game twist is always the same",
    ),
    (
        &["play", "--log", "log"],
        "only twist games have such a log; add --rules twist",
    ),
    (&["play", "--rules", "twist", "--first", "3"], "--first"),
    (&["play", "--rules", "twisted"], "classic, salvo, twist"),
    (
        &[
            "play",
            "--rules",
            "twist",
            "--log",
            "/nosuch/file",
            "--record",
            "/nosuch/file",
        ],
        "--record and --log both name /nosuch/file",
    ),
    (
        &["play", "--rules", "twist", "--log", "/nosuch/file"],
        "--log /nosuch/file: ",
    ),
    (&["match", "--rules", "twist", "--log", "log"], "--log"),
];

fn options_that_make_no_sense_are_refused((arguments, why): (&[&str], &str)) {
    let assert = referee().args(arguments).args(["awful", "awful"]).assert();
    assert.code(2).stdout(is_empty()).stderr(contains(why));
}

fn a_game_can_be_logged_as_the_original_does() {
    let folder = Folder::new();
    let log = folder.path("log");
    let right = "place 0 7 h 1 7 h 2 7 h 3 9 h 4 9 h 5 9 h 6 11 h 7 11 v";
    let orders = ["act 0 9 0 0", "act 3 10 8 1"].map(str::to_owned);
    let players = [
        twist::player("A", AT_THE_LEFT, &[INTO_THE_WATER.to_owned()]),
        twist::player("B", right, &orders),
    ];
    let expected = "22\n\n\n\
        A1 A5 5\nB1 B5 5\nC1 C5 5\nD1 D3 3\nE1 E3 3\nF1 F3 3\nG1 G1 1\nH1 H1 1\n\n\n\
        A8 A12 5\nB8 B12 5\nC8 C12 5\nD10 D12 3\nE10 E12 3\nF10 F12 3\nG12 G12 1\nH12 H12 1\n\n\n\
        A10 A1\nA3 N12\nD11 I2\nA3 N12";
    let options = [
        "--rules",
        "twist",
        "--first",
        "2",
        "--seed",
        "1",
        "--max-turns",
        "2",
        "--log",
        &log,
    ];
    let (record, code) = play([&players[0], &players[1]], &options);
    assert_eq!((code, &record["first"]), (3, &json!(1)));
    assert_eq!(text_of(&log), expected);
    let output = referee()
        .args(["replay", &log, "--delay", "1ms"])
        .assert()
        .success();
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let movers: Vec<_> = shown
        .lines()
        .filter(|line| line.contains("Player"))
        .map(str::trim)
        .collect();
    assert_eq!(movers, ["Player 2", "Player 1", "Player 2", "Player 1"]);
}

/// Returns the grids in a replay of a twist game, without the words about each turn, which a log does not have.
fn grids(shown: &str) -> Vec<&str> {
    let is_words = |line: &&str| {
        let words = [" fires ", " moves ", " wins!", " searches ", " repairs "];
        words.iter().any(|word| line.contains(word))
    };
    shown
        .lines()
        .filter(|line| !line.is_empty() && !is_words(line))
        .collect()
}

/// The number of games that are logged: 10, or as many as `TWIST_LOGS` says.
fn logged_games() -> usize {
    std::env::var("TWIST_LOGS").map_or(10, |games| games.parse().unwrap())
}

/// Logs were replayed with the quirks of the original, so that most showed other grids and some could not be replayed.
fn the_log_of_a_game_shows_the_game_that_was_played() {
    let folder = Folder::new();
    let (log, record) = (folder.path("log"), folder.path("record"));
    let (shown, original) = (folder.path("shown"), folder.path("original"));
    let mut others = 0;
    for seed in 100..100 + logged_games() {
        let players = match seed % 100 {
            // It thinks, so it plays in few of many games only.
            99 => ["good", "mediocre"],
            other => [
                ["mediocre", "awful"],
                ["mediocre", "mediocre"],
                ["awful", "awful"],
            ][other % 3],
        };
        let _ = std::fs::remove_file(&record);
        let output = referee()
            .args([
                "play",
                players[0],
                players[1],
                "--rules",
                "twist",
                "--no-pause",
            ])
            .args([
                "--seed",
                &seed.to_string(),
                "--force",
                "--log",
                &log,
                "--record",
                &record,
            ])
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        referee()
            .args(["replay", &record, "--force", "--to", &shown])
            .assert()
            .success();
        let expected = text_of(&shown);
        referee()
            .args(["replay", &log, "--force", "--to", &shown])
            .assert()
            .success();
        assert_eq!(
            grids(&text_of(&shown)),
            grids(&expected),
            "seed {seed}: {said}"
        );
        Command::new(env!("CARGO_BIN_EXE_replay"))
            .args(["f", &log, &original])
            .assert()
            .success();
        assert_eq!(text_of(&original), text_of(&shown));
        // The original reads any number in the first line, and would show this.
        let unmarked = text_of(&log)
            .replacen("21\n", "2\n", 1)
            .replacen("22\n", "2\n", 1);
        let unmarked = folder.file("unmarked", &unmarked);
        let stops = !referee()
            .args(["replay", &unmarked, "--force", "--to", &original])
            .output()
            .unwrap()
            .status
            .success();
        let swapped = text_of(&shown)
            .replace("Player 1", "Player x")
            .replace("Player 2", "Player 1");
        let swapped = swapped.replace("Player x", "Player 2");
        let same = !stops && [text_of(&shown), swapped].contains(&text_of(&original));
        others += u32::from(!same);
        assert_eq!(
            said.contains(": the original program "),
            !same,
            "seed {seed}: {said}"
        );
    }
    assert!(others > 0);
}

fn a_twist_game_has_moves_and_a_classic_one_has_shots_even_if_it_ends_before_the_first() {
    let quits = twist::one_that_says("A", "resign");
    let (record, _) = play_twist([&quits, &twist::harmless("B")], &[]);
    assert_eq!((&record["moves"], record.get("shots")), (&json!([]), None));
    let quits = misbehaving("--at attack say 'resign\\n'");
    let (record, _) = play([&quits, "awful"], &["--seed", "1"]);
    assert_eq!((&record["shots"], record.get("moves")), (&json!([]), None));
}

fn a_game_that_such_a_log_has_no_words_for_gets_none() {
    let folder = Folder::new();
    let log = folder.path("log");
    std::fs::write(&log, "an old log").unwrap();
    let refused = twist::one_that_says("A", "act 9 9 0 0");
    let unplaced = twist::player("A", "place none", &[]);
    for (player, why) in [
        (
            refused,
            "turn 1 was refused, and such a log has only orders that were carried out",
        ),
        (
            unplaced,
            "the game ended before both players had placed their units",
        ),
    ] {
        referee()
            .args([
                "play",
                &player,
                &twist::harmless("B"),
                "--max-turns",
                "1",
                "--force",
                "--log",
                &log,
            ])
            .args(STARTING)
            .assert()
            .code(3)
            .stderr(starts_with(format!(
                "referee: --log {log} is not written: {why}\n"
            )));
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "an old log");
    }
}
