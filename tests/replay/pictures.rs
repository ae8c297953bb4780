//! Recorded games as pictures: `referee replay --svg`.

use std::process::Command;

use predicates::str::contains;

use testkit::list::Tests;
use testkit::programs::{Folder, PLACEMENT, project_file, referee, scripted, text_of};
use testkit::tools::PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_picture_shows_a_position_of_a_game,
        a_picture_that_moves_shows_all_turns_and_stays_at_the_end,
        a_whole_game_that_moves_is_a_small_file,
        a_twist_game_has_four_grids,
        a_log_of_the_original_has_pictures_too,
        what_cannot_be_drawn_is_said,
        a_record_with_impossible_sizes_or_a_very_long_reason_is_no_trouble
    );
    tests.needing(&[PYTHON], |tests| {
        add!(
            tests,
            pictures_are_well_formed_whatever_the_players_are_called
        );
    });
}

/// Records a game of these players in `folder`; returns the path of the record.
fn recorded(folder: &Folder, players: [&str; 2], options: &[&str]) -> String {
    let path = folder.path("games.jsonl");
    let mut command = referee();
    command
        .arg("play")
        .args(players)
        .args(["--seed", "1", "--no-pause", "--record", &path]);
    command.args(options).output().unwrap();
    path
}

/// A game of eleven turns, in which one sinks its opponent's patrol boat with its last two attacks and gives up.
fn short_game(folder: &Folder) -> String {
    let attacks = [
        "attack 9 9",
        "attack 9 9",
        "attack 0 0",
        "attack 4 0",
        "attack 4 1",
        "resign",
    ];
    let one = scripted("one", &[&[PLACEMENT], &attacks[..]].concat());
    let two = scripted(
        "two",
        &[PLACEMENT, "attack 1 1", "attack 7 7", "attack -3 99"],
    );
    recorded(folder, [&one, &two], &[])
}

fn draw(file: &str, options: &[&str]) -> String {
    let out = format!("{file}.svg");
    let mut command = referee();
    command
        .args(["replay", file, "--force", "--svg", &out])
        .args(options)
        .assert()
        .success();
    text_of(out)
}

/// Returns the number of marks of this kind in a picture: m for a miss, h for a hit, s for a part of a sunk ship, y for what
/// sonar saw, l for the last turn.
fn marks(picture: &str, kind: char) -> usize {
    picture.matches(&format!("href=\"#{kind}\"")).count()
}

fn all_marks(picture: &str) -> [usize; 4] {
    ['m', 'h', 's', 'l'].map(|kind| marks(picture, kind))
}

fn a_picture_shows_a_position_of_a_game() {
    let folder = Folder::new();
    let path = short_game(&folder);
    let end = draw(&path, &[]);
    assert!(
        end.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""),
        "{end}"
    );
    // One has missed once, wasted an attack, hit, and sunk a ship of two; two has hit once and missed once.
    assert_eq!(all_marks(&end), [2, 2, 2, 0], "{end}");
    for said in [
        "<title id=\"title\">Game 1: one against two</title>",
        "After 10 of 10 turns: two wasted a shot at (-3,99). ",
        "two, attacked 5 times: afloat aircraft carrier, battleship, destroyer, submarine; sunk patrol boat. ",
        "10x10, ships of 5, 4, 3, 3, 2 · one resigned</desc>",
        ">attacked 5 times</text>",
        "class=\"gone\"",
        ">turn 10 of 10</text>",
        "@media (prefers-color-scheme:dark)",
    ] {
        assert!(end.contains(said), "{said}: {end}");
    }
    for never in [
        "<script",
        "http://www.w3.org/1999",
        "@keyframes",
        "<image",
        "url(",
    ] {
        assert!(!end.contains(never), "{never}: {end}");
    }
    for (shot, marks, said) in [
        (
            "0",
            [0, 0, 0, 0],
            "After 0 of 10 turns: one, attacked 0 times",
        ),
        ("1", [1, 0, 0, 1], "one missed at (9,9)."),
        ("3", [1, 1, 0, 1], "one wasted a shot at (9,9)."),
        ("7", [2, 3, 0, 1], "one hit something at (4,0)."),
        (
            "9",
            [2, 2, 2, 1],
            "one sank two&#39;s patrol boat at (4,1).",
        ),
    ] {
        let picture = draw(&path, &["--shot", shot]);
        assert_eq!(all_marks(&picture), marks, "{shot}: {picture}");
        assert!(picture.contains(said), "{said}: {picture}");
    }
    // By the name of the game, too.
    assert!(draw(&path, &["--game", "1", "--shot", "7"]).contains("turn 7 of 10"));
}

fn a_picture_that_moves_shows_all_turns_and_stays_at_the_end() {
    let folder = Folder::new();
    let path = short_game(&folder);
    let (still, moving) = (draw(&path, &[]), draw(&path, &["--animate"]));
    for said in [
        "--turn:0.4s",
        "@media (prefers-reduced-motion:reduce)",
        "All 10 turns, one after the other",
        ">turn 0 of 10</text>",
        ">one missed at (9,9).</text>",
        ">turn 10 of 10</text>",
        // The first miss comes with the first turn, and its outline goes with the second.
        "<g class=\"i\" style=\"--t:1\"><use href=\"#m\"",
        "<g class=\"o\" style=\"--t:1;--u:2\"><use href=\"#l\"",
    ] {
        assert!(moving.contains(said), "{said}: {moving}");
    }
    assert!(
        !moving.contains("<script") && !moving.contains("<animate"),
        "{moving}"
    );
    // The parts that never disappear are those of a still of the end.
    let stays: String = moving
        .lines()
        .filter(|line| !line.contains("class=\"o\"") && !line.contains("class=\"x\""))
        .collect::<Vec<_>>()
        .concat();
    assert_eq!(all_marks(&stays), all_marks(&still));
    assert!(draw(&path, &["--animate", "--delay", "1500ms"]).contains("--turn:1.5s"));
}

fn a_whole_game_that_moves_is_a_small_file() {
    let folder = Folder::new();
    let path = recorded(&folder, ["awful", "awful"], &[]);
    let picture = draw(&path, &["--animate"]);
    assert!(picture.len() < 150_000, "{}", picture.len());
}

fn a_twist_game_has_four_grids() {
    let folder = Folder::new();
    let path = recorded(&folder, ["mediocre", "awful"], &["--rules", "twist"]);
    let end = draw(&path, &[]);
    for said in [
        ">What mediocre knows of awful</text>",
        ">What awful knows of mediocre</text>",
        "12x12 with a twist",
        "units afloat",
        ">support ship</text>",
        ">L</text>",
    ] {
        assert!(end.contains(said), "{said}: {end}");
    }
    let first = draw(&path, &["--shot", "0"]);
    assert_eq!((all_marks(&first), marks(&first, 'y')), ([0; 4], 0));
    assert_eq!(first.matches(">8 of 8 units afloat</text>").count(), 2);
    assert_eq!(first.matches("class=\"kind\"").count(), 16);
    assert!(draw(&path, &["--animate"]).contains("--turn:0.4s"));
}

fn a_log_of_the_original_has_pictures_too() {
    let log = project_file("crates/battleship/tests/data/twist/probe-log.txt");
    let folder = Folder::new();
    let log = folder.file("probe-log.txt", &text_of(log));
    let picture = draw(&log, &["--shot", "3"]);
    assert!(picture.contains(">probe-log.txt</title>"), "{picture}");
    assert!(
        picture.contains("What Player 1 knows of Player 2"),
        "{picture}"
    );
    assert!(picture.contains("turn 3 of "), "{picture}");
    assert!(draw(&log, &["--animate"]).contains("All "));
}

fn what_cannot_be_drawn_is_said() {
    let folder = Folder::new();
    let path = short_game(&folder);
    let out = folder.path("out.svg");
    let refused = |words: &[&str], says: &str| {
        let words = [&["replay", &path], words].concat();
        referee()
            .args(words)
            .assert()
            .code(2)
            .stderr(contains(says));
    };
    refused(
        &["--svg", &out, "--shot", "999"],
        "--shot 999: the game has 10 turns; name a number from 0 to 10",
    );
    assert!(!std::path::Path::new(&out).exists());
    draw(&path, &[]);
    let there = format!("{path}.svg");
    refused(&["--svg", &there], "exists, and files are not overwritten");
    refused(&["--svg", &out, "--to", &there], "cannot be used with");
    refused(&["--shot", "3"], "--svg <OUT>");
    refused(
        &["--svg", &out, "--animate", "--shot", "3"],
        "cannot be used with",
    );
    refused(
        &["--svg", &out, "--delay", "1s"],
        "add --animate to show all turns",
    );
    for ignored in [&["--delay", "1s"][..], &["--shot", "3"], &["--animate"]] {
        for output in ["--html", "--to"] {
            refused(&[&[output, &out], ignored].concat(), "cannot be used with");
        }
    }
    refused(&["--svg", &out, "--game", "7"], "7");
    let unplaced = recorded(&folder, [&scripted("one", &["place none"]), "awful"], &[]);
    let words = ["replay", &unplaced, "--game", "2", "--svg", &out];
    referee()
        .args(words)
        .assert()
        .code(2)
        .stderr(contains("there is nothing to see of this game"));
}

fn a_record_with_impossible_sizes_or_a_very_long_reason_is_no_trouble() {
    let folder = Folder::new();
    let game = text_of(short_game(&folder));
    let out = folder.path("out.svg");
    for size in ["0", "1000000000", "2147483647"] {
        let huge = game.replace("\"rows\":10", &format!("\"rows\":{size}"));
        let huge = folder.file("huge.jsonl", &huge);
        for options in [&["--shot", "0"][..], &["--animate"]] {
            let mut command = referee();
            command.args(["replay", &huge, "--svg", &out]).args(options);
            command
                .assert()
                .code(2)
                .stderr(contains("the record cannot be right"));
        }
    }
    let long = "no ".repeat(1_000_000);
    let long = game.replace("one resigned", &format!("one {long}"));
    let picture = draw(&folder.file("long.jsonl", &long), &[]);
    assert!(picture.len() < 100_000, "{}", picture.len());
}

fn pictures_are_well_formed_whatever_the_players_are_called() {
    let folder = Folder::new();
    let hostile = |rules: &[&str]| {
        let path = recorded(&folder, ["FIRST=awful", "SECOND=awful"], rules);
        let game = text_of(&path).lines().last().unwrap().to_owned();
        let game = game.replace("FIRST", "<script>alert(1)</script>");
        // As JSON has them.
        let game = game
            .replace("SECOND", r#"]]>&\"'鯨🚢\u001b\uffff"#)
            .replace("rowboat", "<b>&");
        folder.file(&format!("{}.jsonl", rules.len()), &(game + "\n"))
    };
    let classic = hostile(&["--rows", "3", "--cols", "4", "--ship", "2 R rowboat"]);
    let twist = hostile(&["--rules", "twist"]);
    for file in [&classic, &twist] {
        for options in [&[][..], &["--animate"], &["--shot", "0"]] {
            let picture = draw(file, options);
            assert!(
                !picture.contains("<script") && !picture.contains("<b>"),
                "{picture}"
            );
            let check = "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])";
            let svg = format!("{file}.svg");
            let parsed = Command::new("python3")
                .args(["-c", check, &svg])
                .output()
                .unwrap();
            assert!(parsed.status.success(), "{parsed:?}");
        }
    }
}
