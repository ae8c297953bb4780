//! Playing one game.

use crate::common::{SMALL, cut_off, misbehaving, play, program, referee, text_of};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        awful_against_awful_takes_199_attacks_and_the_first_mover_wins,
        each_attack_but_the_winning_one_waits_for_enter_if_asked_to,
        without_a_terminal_nothing_waits_for_enter,
        the_same_seed_plays_the_same_game_and_another_seed_another_one,
        a_seed_is_drawn_and_reported_if_none_is_given,
        a_record_says_everything_about_a_game,
        the_dialogue_of_both_bots_is_written_down_on_request,
        a_bot_that_cannot_place_its_ships_ends_the_game,
        a_game_without_a_winner_ends_at_the_turn_cap,
        attacks_outside_the_board_or_repeated_are_wasted_but_legal,
        a_file_called_like_a_shipped_player_is_ignored
    );
    rows!(tests, WRONG_ARGUMENTS, wrong_arguments_say_what_is_wrong);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            the_transcript_is_the_sample_programs,
            what_a_bot_began_to_say_and_did_not_end_is_written_down_too,
            a_reader_may_leave_before_the_end_of_the_transcript,
            a_file_that_cannot_be_written_is_an_error_before_the_game,
            a_full_disk_is_reported_with_the_files_name,
            a_record_goes_wherever_something_can_be_written,
            a_recorded_game_continues_when_the_reader_leaves,
            a_player_that_cannot_be_started_is_named_with_what_to_try,
            what_a_bot_calls_itself_stands_beside_its_name
        );
    });
}

fn awful_against_awful_takes_199_attacks_and_the_first_mover_wins() {
    let output = referee()
        .args(["play", "awful", "awful", "--seed", "1", "--no-pause"])
        .assert()
        .code(0)
        .stderr(is_empty())
        .get_output()
        .clone();
    let transcript = String::from_utf8(output.stdout).unwrap();
    assert_eq!(transcript.matches(" attacked (").count(), 199);
    assert!(transcript.ends_with("9 oooooooooo\nawful wins!\n"));
}

/// The whole of a small game, in the words, the spacing and the order of the sample program.
fn the_transcript_is_the_sample_programs() {
    let expected = "\
awful's turn.  Board for Bluto:
  012
0 RR.
1 ...
awful attacked (1,2) and missed, resulting in:
  012
0 RR.
1 ..o
Bluto's turn.  Board for awful:
  012
0 RR.
1 ...
Bluto attacked (0,0) and hit something, resulting in:
  012
0 XR.
1 ...
awful's turn.  Board for Bluto:
  012
0 RR.
1 ..o
awful attacked (1,1) and missed, resulting in:
  012
0 RR.
1 .oo
Bluto's turn.  Board for awful:
  012
0 XR.
1 ...
Bluto wasted a shot at (0,0).
awful's turn.  Board for Bluto:
  012
0 RR.
1 .oo
awful attacked (1,0) and missed, resulting in:
  012
0 RR.
1 ooo
Bluto's turn.  Board for awful:
  012
0 XR.
1 ...
Bluto attacked (0,1) and destroyed the rowboat, resulting in:
  012
0 XX.
1 ...
Bluto wins!
";
    let script = "while read -r word rest; do case $word in \
        battleship) echo ready;; place) echo place 0 0 h;; quit) exit;; \
        attack) n=$((n + 1)); case $n in 1|2) echo attack 0 0;; *) echo attack 0 1;; esac;; esac; done";
    let bluto = format!("Bluto=sh -c '{script}'");
    referee()
        .args(["play", "awful", &bluto, "--no-pause"])
        .args(SMALL)
        .assert()
        .code(0)
        .stdout(expected);
}

fn each_attack_but_the_winning_one_waits_for_enter_if_asked_to() {
    let output = referee()
        .args(["play", "awful", "awful", "--pause"])
        .args(SMALL)
        .write_stdin("\n".repeat(10))
        .assert()
        .code(0)
        .get_output()
        .clone();
    let transcript = String::from_utf8(output.stdout).unwrap();
    // On 2x3 cells awful sinks the rowboat at (0,0) with its sixth attack: eleven attacks in all.
    assert_eq!(transcript.matches("Press enter to continue: ").count(), 10);
    assert!(
        transcript.contains("1 ..o\nPress enter to continue: awful 2's turn.  Board for awful:\n")
    );
    assert!(transcript.ends_with("0 XXo\n1 ooo\nawful wins!\n"));
}

fn without_a_terminal_nothing_waits_for_enter() {
    referee()
        .args(["play", "awful", "awful"])
        .args(SMALL)
        .assert()
        .code(0)
        .stdout(contains("Press enter").not());
}

fn the_same_seed_plays_the_same_game_and_another_seed_another_one() {
    let game = |seed: &str| {
        let arguments = ["play", "mediocre", "good", "--no-pause", "--seed", seed];
        referee()
            .args(arguments)
            .assert()
            .code(0)
            .get_output()
            .stdout
            .clone()
    };
    assert!(game("7") == game("7"));
    assert!(game("7") != game("8"));
}

fn a_seed_is_drawn_and_reported_if_none_is_given() {
    let output = referee()
        .args(["play", "mediocre", "mediocre"])
        .output()
        .unwrap();
    let report = String::from_utf8(output.stderr).unwrap();
    let seed = report.trim_end().rsplit_once("--seed ").unwrap().1;
    let seed = seed.strip_suffix(" repeats this").unwrap();
    let again = referee()
        .args(["play", "mediocre", "mediocre", "--seed", seed])
        .output()
        .unwrap();
    assert!(output.stdout == again.stdout);
}

fn a_record_says_everything_about_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    for (number, players) in [(1, ["awful", "awful"]), (2, ["Popeye=good", "mediocre"])] {
        let (printed, code) = play(
            players,
            &["--seed", "5", "--record", path.to_str().unwrap()],
        );
        assert_eq!(code, 0);
        let lines = text_of(&path);
        assert_eq!(
            lines.lines().count(),
            number,
            "a line is appended for each game"
        );
        assert_eq!(
            lines
                .lines()
                .last()
                .unwrap()
                .parse::<serde_json::Value>()
                .unwrap(),
            printed
        );
    }
    let (record, _) = play(["awful", "awful"], &["--seed", "5"]);
    assert_eq!(record["players"][0]["name"], "awful");
    assert_eq!(record["players"][1]["name"], "awful 2");
    assert_eq!(record["winner"], "awful");
    assert_eq!(record["ended_by"], "fleet_sunk");
    assert_eq!(record["reason"], "awful sank the whole fleet of awful 2");
    assert_eq!(record["seed"], 5);
    assert_eq!(
        record["fleets"][1][4],
        serde_json::json!({"row": 4, "col": 0, "direction": "h"})
    );
    let shots = record["shots"].as_array().unwrap();
    assert_eq!(shots.len(), 199);
    let first = &shots[0];
    let said = [0, 1, 2].map(|part| first[part].as_u64().unwrap());
    assert_eq!((said, first[3].as_str().unwrap()), ([0, 9, 9], "miss"));
    assert!(first[4].as_u64().unwrap() < 5_000_000);
    let last = &shots[198];
    assert_eq!(last[3], "sunk 0");
}

fn the_dialogue_of_both_bots_is_written_down_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.txt");
    let rogue = misbehaving("--at place --stderr 'I am here' nothing");
    referee()
        .args([
            "play",
            &rogue,
            "awful",
            "--seed",
            "1",
            "--transcript",
            path.to_str().unwrap(),
        ])
        .assert()
        .code(0);
    let dialogue = text_of(&path);
    let lines: Vec<_> = dialogue.lines().map(|line| line[11..].to_owned()).collect();
    assert!(
        dialogue
            .lines()
            .all(|line| line[..10].trim().parse::<f64>().is_ok()),
        "{dialogue}"
    );
    let position = |text: &str| {
        lines
            .iter()
            .position(|line| line == text)
            .unwrap_or_else(|| panic!("no {text}:\n{dialogue}"))
    };
    assert_eq!(position("rogue <- battleship 1"), 0);
    assert!(position("rogue -> ready") < position("rogue <- game classic 10 10"));
    assert!(position("rogue <- ship 0 5 A aircraft carrier") < position("rogue <- place"));
    assert!(position("rogue <- place") < position("rogue -> place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h"));
    assert!(position("rogue -> attack 0 0") < position("rogue <- result 0 0 hit"));
    assert!(position("rogue <- result 0 0 hit") < position("awful <- opponent 0 0"));
    assert!(position("rogue <- end won fleet_sunk") < position("rogue <- quit"));
    assert!(position("awful <- end lost fleet_sunk") < position("awful <- quit"));
    position("rogue !! I am here");
}

fn what_a_bot_began_to_say_and_did_not_end_is_written_down_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.txt");
    let rogue = "rogue=sh -c 'echo ready; printf \"no newline\" >&2; printf plac; sleep 30'";
    let options = [
        "--limit",
        "2s",
        "--seed",
        "1",
        "--transcript",
        path.to_str().unwrap(),
    ];
    let (record, _) = play([rogue, "awful"], &options);
    assert_eq!(record["ended_by"], "timeout");
    let dialogue = text_of(&path);
    assert!(dialogue.contains(" rogue -| plac\n"), "{dialogue}");
    assert!(dialogue.contains(" rogue !! no newline\n"), "{dialogue}");
}

fn a_bot_that_cannot_place_its_ships_ends_the_game() {
    referee()
        .args([
            "play",
            "good",
            "awful",
            "--rows",
            "4",
            "--no-pause",
            "--seed",
            "1",
        ])
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr("referee: awful could not place its ships\n");
    let (record, code) = play(["good", "awful"], &["--rows", "4"]);
    assert_eq!(code, 3);
    assert_eq!(record["winner"], serde_json::Value::Null);
    assert_eq!(record["ended_by"], "cannot_place");
    assert_eq!(record["fleets"][0].as_array().unwrap().len(), 5);
    assert_eq!(record["fleets"][1], serde_json::Value::Null);
}

fn a_game_without_a_winner_ends_at_the_turn_cap() {
    let wasteful = misbehaving("--at attack --after 0 say 'attack 0 0\\n'");
    let (record, code) = play([&wasteful, "awful"], &["--max-turns", "3", "--seed", "1"]);
    assert_eq!(
        (code, record["ended_by"].as_str().unwrap()),
        (3, "turn_cap")
    );
    let reason = record["reason"].as_str().unwrap();
    assert!(reason.ends_with("3 attacks each"), "{reason}");
    assert_eq!(record["shots"].as_array().unwrap().len(), 6);
}

fn attacks_outside_the_board_or_repeated_are_wasted_but_legal() {
    let wasteful = misbehaving("--at attack say 'attack -1 99\\n'");
    let (record, code) = play([&wasteful, "awful"], &["--seed", "1"]);
    assert_eq!(code, 0);
    let first = &record["shots"][0];
    assert_eq!(
        (first[1].as_i64(), first[2].as_i64(), first[3].as_str()),
        (Some(-1), Some(99), Some("wasted"))
    );
}

fn a_reader_may_leave_before_the_end_of_the_transcript() {
    let mut game = program("referee");
    game.args(["play", "awful", "awful", "--seed", "1"]);
    assert_eq!(
        cut_off(&mut game),
        ("awful's turn.  Board for awful 2:\n".to_owned(), 0)
    );
}

const WRONG_ARGUMENTS: [(&[&str], &str); 21] = [
    (&["awful"], "<P2>"),
    (&["awful", ""], "\"\" names no program"),
    (&["awful", "'good"], "a quotation mark is not closed"),
    (
        &["awful", "good", "--rows", "11"],
        "Number of rows must be >= 1 and <= 10",
    ),
    (
        &["awful", "good", "--rows", "3", "--cols", "3"],
        "name the ships with --ship",
    ),
    (&["awful", "good", "--ship", "3 S"], "write LEN SYMBOL NAME"),
    (
        &["awful", "good", "--ship", "x S sub"],
        "\"x\" is not a length",
    ),
    (
        &["awful", "good", "--ship", "3 SS sub"],
        "\"SS\" is not one character",
    ),
    (
        &["awful", "good", "--ship", "0 S sub"],
        "Bad ship length 0; it must be >= 1",
    ),
    (
        &["awful", "good", "--ship", "3 X sub"],
        "Character X must not be used",
    ),
    (&["awful", "good", "--limit", "5"], "write e.g. 5s or 250ms"),
    (
        &["awful", "good", "--limit", "0s"],
        "whole milliseconds, at least one",
    ),
    (
        &["awful", "good", "--limit", "500us"],
        "whole milliseconds, at least one",
    ),
    (
        &["awful", "good", "--grace", "500000000000years"],
        "at most a year",
    ),
    (
        &["awful --fast", "good"],
        "the player awful takes no arguments",
    ),
    (
        &["Popeye the Sailor=awful", "good"],
        "needs quotation marks of its own",
    ),
    (
        &["awful", "good", "--ship", "-3 S sub"],
        "Bad ship length -3; it must be >= 1",
    ),
    (
        &["awful", "good", "--ship", "3 S s\u{202e}b"],
        "invisible characters",
    ),
    (
        &["awful", "good", "--max-turns", "0"],
        "a whole number from 1",
    ),
    (
        &["awful", "good", "--seed", "x"],
        "is not a number from 0 to 18446744073709551615",
    ),
    (
        &["awful", "good", "--seed", "-1"],
        "invalid value '-1' for '--seed <N>'",
    ),
];

fn wrong_arguments_say_what_is_wrong((arguments, message): (&[&str], &str)) {
    let assert = referee().arg("play").args(arguments).assert();
    assert.code(2).stdout(is_empty()).stderr(contains(message));
}

fn a_file_that_cannot_be_written_is_an_error_before_the_game() {
    for option in ["--record", "--transcript"] {
        referee()
            .args([
                "play",
                "awful",
                "awful",
                "--seed",
                "1",
                option,
                "/no/such/folder/file",
            ])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(starts_with(format!(
                "referee: {option} /no/such/folder/file: No such file"
            )));
    }
    referee()
        .args([
            "play",
            "awful",
            "awful",
            "--record",
            "same",
            "--transcript",
            "same",
        ])
        .assert()
        .code(2)
        .stderr(contains("--record and --transcript both name same"));
}

fn a_full_disk_is_reported_with_the_files_name() {
    for (option, printed) in [
        ("--transcript", "awful wins!\n"),
        ("--record", "awful wins!\n"),
    ] {
        referee()
            .args(["play", "awful", "awful", option, "/dev/full"])
            .args(SMALL)
            .assert()
            .code(1)
            .stdout(contains(printed))
            .stderr(contains("/dev/full: No space left on device"));
    }
    let json = referee()
        .args(["play", "awful", "awful", "--json", "--record", "/dev/full"])
        .args(SMALL)
        .assert()
        .code(1);
    assert!(
        json.get_output().stdout.starts_with(b"{"),
        "the record is printed, though it could not be written"
    );
}

fn a_record_goes_wherever_something_can_be_written() {
    referee()
        .args(["play", "awful", "awful", "--record", "/dev/null"])
        .args(SMALL)
        .assert()
        .code(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, "{\"format\":\"battleship-ga").unwrap();
    let path = path.to_str().unwrap();
    referee()
        .args(["play", "awful", "awful", "--record", path])
        .args(SMALL)
        .assert()
        .code(0);
    let lines = text_of(path);
    assert_eq!(lines.lines().next(), Some("{\"format\":\"battleship-ga"));
    assert!(lines.lines().nth(1).unwrap().ends_with('}'));
}

fn a_recorded_game_continues_when_the_reader_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut game = program("referee");
    game.args(["play", "awful", "awful", "--seed", "1", "--record"])
        .arg(&path);
    assert_eq!(cut_off(&mut game).1, 0);
    let record: serde_json::Value = serde_json::from_str(&text_of(&path)).unwrap();
    assert_eq!(record["ended_by"], "fleet_sunk");
}

fn a_player_that_cannot_be_started_is_named_with_what_to_try() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.py");
    std::fs::write(&script, "#!/usr/bin/env sh\necho ready\n").unwrap();
    let script = script.to_str().unwrap();
    let not_executable = format!("chmod +x {script}");
    for (player, message) in [
        (
            "no-such-program",
            "no program \"no-such-program\" is on the PATH",
        ),
        ("./no-such-file", "there is no file \"./no-such-file\""),
        ("Cargo.toml", "to run the file here, write ./Cargo.toml"),
        (script, &not_executable),
    ] {
        referee()
            .args(["play", "awful", player, "--seed", "1"])
            .assert()
            .code(4)
            .stdout(is_empty())
            .stderr(contains(" could not start: ").and(contains(message)));
    }
    let (record, code) = play(["awful", "no-such-program"], &["--seed", "1"]);
    assert_eq!(
        (code, record["ended_by"].as_str()),
        (4, Some("could_not_start"))
    );
    assert_eq!(record["winner"], serde_json::Value::Null);
}

fn what_a_bot_calls_itself_stands_beside_its_name() {
    let bot = env!("CARGO_BIN_EXE_awful-bot");
    let (record, _) = play([bot, &format!("{bot} --name Olive")], &["--seed", "1"]);
    assert_eq!(record["players"][0]["name"], "awful-bot");
    let words = "it calls itself awful, which is another player's name";
    assert_eq!(record["players"][0]["warnings"], serde_json::json!([words]));
    assert_eq!(record["players"][0].get("calls_itself"), None);
    assert_eq!(record["players"][1]["name"], "awful-bot 2");
    assert_eq!(record["players"][1]["calls_itself"], "Olive");
    let (record, _) = play(
        [&format!("Popeye={bot} --name popeye"), bot],
        &["--seed", "1"],
    );
    assert_eq!(record["players"][0]["name"], "Popeye");
}

fn a_file_called_like_a_shipped_player_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["awful", "good"] {
        std::fs::write(folder.path().join(name), "#!/bin/sh\nexit 1\n").unwrap();
    }
    referee()
        .current_dir(folder.path())
        .args(["play", "awful", "good", "--seed", "1"])
        .assert()
        .code(0);
}
