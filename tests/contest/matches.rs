//! Matches: `referee match` from outside.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::arena::until;
use crate::common::contest::{lines_in, without_times};
use crate::common::{Folder, PLACEMENT, SMALL, misbehaving, program, referee, scripted, text_of};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            mediocre_wins_most_of_a_hundred_games_against_awful,
            a_player_against_itself_wins_one_game_of_each_pair,
            the_record_is_the_same_on_one_lane_and_on_two,
            a_game_of_a_match_is_played_again_from_its_seed,
            a_finished_match_can_be_extended,
            the_seed_of_a_match_that_continues_is_the_one_in_its_record,
            a_fault_costs_one_game,
            a_player_that_stops_starting_in_mid_match_loses_the_rest,
            a_player_that_cannot_play_is_named_before_the_first_game,
            a_sequential_test_stops_at_the_same_game_on_any_number_of_lanes,
            a_test_stops_after_the_decisive_pair_with_any_number_of_lanes_and_after_resume,
            pairs_that_are_all_alike_have_an_interval_of_the_score_and_none_of_normalized_elo,
            verify_finds_a_bot_that_ignores_its_seed,
            the_summary_names_the_winner_and_the_worst_game,
            memory_does_not_grow_with_the_number_of_games,
            more_games_at_once_than_cores_are_warned_of
        );
        rows!(tests, SENTENCES, a_match_ends_with_what_it_shows);
    });
}

/// A short match with its record in `file`.
pub(super) fn small_match(file: &Path, options: &[&str]) -> assert_cmd::Command {
    let mut command = referee();
    command.args([
        "match", "awful", "mediocre", "--quiet", "--games", "60", "--series", "4",
    ]);
    command.args(SMALL).arg("--out").arg(file).args(options);
    command
}

/// The JSON summary of a match.
fn summary(players: [&str; 2], options: &[&str]) -> Value {
    let mut command = referee();
    command
        .args(["match", "--json", "--quiet"])
        .args(players)
        .args(options);
    let output = command.assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn mediocre_wins_most_of_a_hundred_games_against_awful() {
    let summary = summary(["awful", "mediocre"], &["--games", "100", "--seed", "1"]);
    assert_eq!(
        (summary["games"].as_u64(), summary["series"].as_u64()),
        (Some(100), Some(5))
    );
    let [awful, mediocre] = [0, 1].map(|player| &summary["players"][player]);
    let wins = |player: &Value, results: &str| player[results]["wins"].as_u64().unwrap();
    assert!((90..=98).contains(&wins(mediocre, "results")), "{mediocre}");
    assert_eq!(wins(awful, "results") + wins(mediocre, "results"), 100);
    for player in [awful, mediocre] {
        assert_eq!(
            wins(player, "results"),
            wins(player, "moving_first") + wins(player, "moving_second")
        );
        assert_eq!(player["faults"], serde_json::json!({}));
        assert_eq!(player["wasted"], 0);
    }
    let pairs = &summary["pairings"][0]["pairs"];
    let counts: Vec<f64> = serde_json::from_value(pairs["counts"].clone()).unwrap();
    assert!((counts.iter().sum::<f64>() - 50.0).abs() < 1e-9);
    let points: f64 = [0.0, 0.5, 1.0, 1.5, 2.0]
        .iter()
        .zip(&counts)
        .map(|(p, n)| p * n)
        .sum();
    assert!((points / 100.0 - pairs["score"].as_f64().unwrap()).abs() < 1e-9);
}

/// The first mover gets the first of two seeds, so between equals each wins one game of a pair.
fn a_player_against_itself_wins_one_game_of_each_pair() {
    let summary = summary(["awful", "awful"], &["--games", "20", "--seed", "5"]);
    assert_eq!(
        summary["pairings"][0]["pairs"]["counts"],
        serde_json::json!([0, 0, 10, 0, 0])
    );
    assert_eq!(summary["players"][1]["name"], "awful 2");
}

fn the_record_is_the_same_on_one_lane_and_on_two() {
    let folder = tempfile::tempdir().unwrap();
    let records = ["1", "2"].map(|jobs| {
        let file = folder.path().join(jobs);
        small_match(&file, &["--jobs", jobs]).assert().success();
        without_times(&text_of(&file))
    });
    assert_eq!(records[0].len(), 1 + 60 + 15);
    assert_eq!(records[0], records[1]);
}

/// The record says how to play each game again, and the shipped players do not remember the games before.
fn a_game_of_a_match_is_played_again_from_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match");
    small_match(&file, &[]).assert().success();
    let lines = without_times(&text_of(&file));
    for game in lines
        .iter()
        .filter(|line| line["format"] == "battleship-game")
        .skip(20)
        .take(2)
    {
        let (mut movers, mut seats) = (["awful", "mediocre"], [0, 1]);
        if game["first"] == 1 {
            movers.reverse();
            seats.reverse();
        }
        let seed = game["seed"].to_string();
        let mut options = SMALL.to_vec();
        options.truncate(6);
        options.extend(["--seed", &seed]);
        let (again, _) = crate::common::play(movers, &options);
        assert_eq!(again["winner"], game["winner"]);
        assert_eq!(
            seats.map(|seat| &again["fleets"][seat]),
            [0, 1].map(|seat| &game["fleets"][seat])
        );
        let cells = |game: &Value| -> Vec<Value> {
            let shots = game["shots"].as_array().unwrap().iter();
            shots
                .map(|shot| serde_json::json!([shot[1], shot[2], shot[3]]))
                .collect()
        };
        assert_eq!(cells(&again), cells(game));
    }
}

fn a_finished_match_can_be_extended() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, extended) = (folder.path().join("whole"), folder.path().join("extended"));
    small_match(&whole, &[]).assert().success();
    let options = |games: &'static str| ["--games", games];
    let mut command = referee();
    command
        .args(["match", "awful", "mediocre", "--quiet", "--series", "4"])
        .args(SMALL);
    command
        .args(options("38"))
        .arg("--out")
        .arg(&extended)
        .assert()
        .success();
    small_match(&extended, &["--resume"]).assert().success();
    let games = |file: &PathBuf| {
        let mut lines = without_times(&text_of(file));
        lines.retain(|line| line["format"] != "battleship-contest");
        lines
    };
    assert_eq!(games(&extended), games(&whole));
    // It remembers how far it is to go.
    let mut command = referee();
    command
        .args([
            "match", "awful", "mediocre", "--resume", "--json", "--series", "4",
        ])
        .args(SMALL);
    let output = command
        .arg("--out")
        .arg(&extended)
        .assert()
        .success()
        .get_output()
        .clone();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["games"], 60);
}

fn the_seed_of_a_match_that_continues_is_the_one_in_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match");
    let play = |options: &[&str]| {
        let mut command = referee();
        command
            .args(["match", "awful", "awful", "--quiet"])
            .args(&SMALL[..6])
            .args(options);
        command.arg("--out").arg(&file).assert().success()
    };
    play(&["--games", "2"]).stderr(contains("--seed"));
    play(&["--games", "40", "--resume"]).stderr("");
    let seeds: Vec<_> = without_times(&text_of(&file))
        .iter()
        .filter(|line| line["format"] == "battleship-contest")
        .map(|header| header["config"]["seed"].clone())
        .collect();
    assert_eq!(seeds.len(), 2);
    assert_eq!(seeds[0], seeds[1]);
}

fn a_fault_costs_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let rogue = misbehaving("--after 100 --stderr '\u{1b}[2JI give up' exit 3");
    let record = folder.path().join("match.jsonl");
    let mut command = referee();
    command.args([
        "match", &rogue, "awful", "--games", "20", "--seed", "1", "--json", "--quiet",
    ]);
    let assert = command.arg("--out").arg(&record).assert().success();
    let output = assert.get_output();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rogue = &summary["players"][0];
    let faults = rogue["faults"]["exited"].as_u64().unwrap();
    assert!(faults > 2 && faults < 20, "{rogue}");
    assert_eq!(rogue["games"], 20);
    assert!(
        rogue["worst_game"]["why"]
            .as_str()
            .unwrap()
            .contains("I give up")
    );

    let text = text_of(&record);
    let ends = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut said: Vec<Value> = ends
        .filter_map(|end| end["said"].as_array().cloned())
        .flatten()
        .collect();
    let lines = said.remove(0)["lines"].take();
    let lines: Vec<&str> = lines
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    // It is looked at on a terminal.
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("rogue !! \\u{1b}[2JI give up")),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.ends_with("rogue <- attack")),
        "{lines:?}"
    );
}

/// The match does not wait for such a bot again in every game.
fn a_player_that_stops_starting_in_mid_match_loses_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.sh");
    let limit = folder.path().join("starts");
    // The two of the check and one of the first series start; later ones do not.
    let script = format!(
        "#!/bin/sh\necho x >> '{0}'\n[ $(wc -l < '{0}') -le 3 ] || exit 9\nexec {1}\n",
        limit.display(),
        format_args!("{} --after 6 exit 1", crate::common::misbehaving_bot())
    );
    std::fs::write(&bot, script).unwrap();
    let player = format!("sh '{}'", bot.display());
    let summary = summary(
        [&player, "awful"],
        &["--games", "20", "--seed", "1", "--jobs", "1"],
    );
    let faults = &summary["players"][0]["faults"];
    assert_eq!(
        faults,
        &serde_json::json!({"exited": 1, "could_not_start": 19})
    );
    assert_eq!(
        std::fs::read_to_string(&limit).unwrap().lines().count(),
        2 + 1 + 2
    );
    assert_eq!(summary["players"][1]["results"]["wins"], 20);
}

fn a_player_that_cannot_play_is_named_before_the_first_game() {
    let crash = misbehaving("crash");
    referee()
        .args(["match", &crash, "nosuch-program", "--games", "2"])
        .assert()
        .code(4)
        .stderr(contains("rogue cannot play: was ended by signal 6"))
        .stderr(contains(
            "nosuch-program cannot play: could not start: no program",
        ));
}

fn a_sequential_test_stops_at_the_same_game_on_any_number_of_lanes() {
    let play = |jobs| {
        let options = [
            "--games",
            "2000",
            "--seed",
            "3",
            "--sprt",
            "elo0=0,elo1=50",
            "--jobs",
            jobs,
        ];
        let mut summary = summary(["mediocre", "awful"], &options);
        for player in summary["players"].as_array_mut().unwrap() {
            let player = player.as_object_mut().unwrap();
            player.remove("reply_us");
            player.remove("cpu_ms");
        }
        summary
    };
    let one = play("1");
    assert_eq!(
        (&one["finish"], &one["sprt"]["decision"]),
        (&"decided".into(), &"accept_h1".into())
    );
    assert!(one["games"].as_u64().unwrap() < 400);
    assert_eq!(play("2"), one);
}

/// It was looked at the ends of series only, and longer matches were refused.
fn a_test_stops_after_the_decisive_pair_with_any_number_of_lanes_and_after_resume() {
    let folder = Folder::new();
    let run = |file: &str, jobs: &str, series: &str, more: &[&str]| {
        let mut command = referee();
        command.args([
            "match", "mediocre", "awful", "--games", "5000000", "--seed", "3", "--json",
        ]);
        command.args([
            "--sprt",
            "elo0=0,elo1=200",
            "--series",
            series,
            "--jobs",
            jobs,
            "--quiet",
        ]);
        let output = command
            .args(["--out", file])
            .args(more)
            .assert()
            .success()
            .get_output()
            .clone();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let counts = |summary: &Value| summary["pairings"][0]["pairs"]["counts"].clone();
    let (one, four) = (folder.path("one"), folder.path("four"));
    let first = run(&one, "1", "200", &[]);
    let games = first["games"].as_u64().unwrap();
    assert!((4..80).contains(&games), "{first}");
    assert_eq!((&first["finish"], games % 2), (&"decided".into(), 0));
    let record = without_times(&text_of(&one));
    // The header, the games and the end of the series, which was cut.
    assert_eq!(record.len() as u64, 1 + games + 1);
    assert_eq!(record.last().unwrap()["games"], games);
    run(&four, "4", "200", &[]);
    assert_eq!(without_times(&text_of(&four)), record);
    // The series are others where they are shorter, but the pairs and with them the decision are not.
    let short = run(&folder.path("short"), "2", "2", &[]);
    assert_eq!(
        (counts(&short), &short["games"]),
        (counts(&first), &first["games"])
    );
    // The record has the decision, so nothing is played again; cut off in the middle it is played to the same end.
    let before = text_of(&one);
    assert_eq!(
        counts(&run(&one, "2", "200", &["--resume"])),
        counts(&first)
    );
    assert_eq!(text_of(&one), before);
    let lines: Vec<_> = before.lines().collect();
    std::fs::write(&one, lines[..lines.len() - 3].join("\n")).unwrap();
    assert_eq!(
        counts(&run(&one, "2", "200", &["--resume"])),
        counts(&first)
    );
    assert_eq!(without_times(&text_of(&one)), record);
    // Another test continues from there, with whole series.
    referee()
        .args([
            "match", "mediocre", "awful", "--games", "5000000", "--seed", "3", "--quiet",
            "--resume",
        ])
        .args([
            "--sprt",
            "elo0=0,elo1=200,alpha=0.000001",
            "--series",
            "200",
            "--out",
            &one,
        ])
        .assert()
        .success()
        .stdout(contains(
            "the test is wrong in at most 0.0001% of such cases",
        ));
    assert!(without_times(&text_of(&one)).len() > record.len());
}

const SENTENCES: [(&str, [&str; 2], &str, &str); 3] = [
    (
        "decided",
        ["awful", "mediocre"],
        "100",
        "mediocre is the better one: 9",
    ),
    (
        "undecided",
        ["awful", "awful"],
        "20",
        "These 20 games do not decide which player is the better one: they are even so far.\n",
    ),
    (
        "two games",
        ["awful", "mediocre"],
        "2",
        "These 2 games do not decide which player is the better one; about ",
    ),
];

fn a_match_ends_with_what_it_shows(row: (&str, [&str; 2], &str, &str)) {
    let (_, players, games, sentence) = row;
    let output = referee()
        .args([
            "match", players[0], players[1], "--games", games, "--seed", "1", "--quiet",
        ])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    let last = text.lines().last().unwrap().to_owned() + "\n";
    assert!(last.starts_with(sentence), "{last}");
    if sentence.contains("better one: 9") {
        assert!(last.contains(" of 100, at least ") && last.ends_with("% with 95% confidence.\n"));
    }
}

/// One interval for each figure, and none where it would not hold.
fn pairs_that_are_all_alike_have_an_interval_of_the_score_and_none_of_normalized_elo() {
    let summary = summary(["awful", "awful"], &["--games", "20", "--seed", "5"]);
    let pairs = &summary["pairings"][0]["pairs"];
    let interval = &summary["players"][0]["score"]["wilson"];
    assert_eq!(interval, &pairs["interval"]);
    assert!(interval["low"].as_f64().unwrap() < 0.45 && interval["high"].as_f64().unwrap() > 0.55);
    assert_eq!(
        pairs["normalized_elo"],
        serde_json::json!({"elo": 0.0, "low": null, "high": null})
    );
    referee()
        .args([
            "match", "awful", "awful", "--games", "20", "--seed", "5", "--quiet",
        ])
        .assert()
        .stdout(contains(
            "normalized Elo +0 (no interval: too few pairs differ)",
        ));
}

fn verify_finds_a_bot_that_ignores_its_seed() {
    let verify = |player: &str| {
        let mut command = referee();
        command.args([
            "match", player, "awful", "--games", "40", "--seed", "1", "--verify", "--quiet",
        ]);
        command.assert()
    };
    verify("mediocre")
        .success()
        .stderr("referee: 40 games were played twice: the same happened both times\n");
    verify(&scripted("bot", &[PLACEMENT, "--moody"]))
        .code(4)
        .stderr(contains("series 1, game 1: turn ").and(contains(" was bot's attack ")));
}

fn the_summary_names_the_winner_and_the_worst_game() {
    referee()
        .args([
            "match", "awful", "mediocre", "--games", "20", "--seed", "1", "--quiet",
        ])
        .assert()
        .success()
        .stdout(starts_with("awful ").and(contains(" mediocre   (20 games, 1 series, seed 1)\n")))
        .stdout(contains("moving first").and(contains("likelihood of superiority")))
        .stdout(contains("Worst game of awful: game ").and(contains("  referee play ")))
        .stderr("");
}

/// The most memory that the process `pid` has had, in kB, if it lives.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

fn memory_does_not_grow_with_the_number_of_games() {
    let folder = Folder::new();
    let record = folder.path("match.jsonl");
    let mut child = program("referee")
        .args(["match", "awful", "awful", "--quiet", "--games", "4000"])
        .args(SMALL)
        .args(["--out", &record])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut at_first = None;
    let mut at_last = None;
    until("the match is over", || {
        at_last = peak_memory(child.id()).or(at_last);
        if at_first.is_none() && lines_in(&record) >= 1000 {
            at_first = at_last;
        }
        child.try_wait().unwrap().is_some()
    });
    assert!(child.wait().unwrap().success());
    // A header, and a line for each game and each series.
    assert_eq!(lines_in(&record), 1 + 4000 + 200);
    let (at_first, at_last) = (at_first.unwrap(), at_last.unwrap());
    assert!(
        at_last * 10 <= at_first * 12,
        "{at_first} kB after 1000 games, {at_last} kB at last"
    );
}

fn more_games_at_once_than_cores_are_warned_of() {
    referee()
        .args([
            "match", "awful", "awful", "--games", "2", "--seed", "1", "--jobs", "1000", "--quiet",
        ])
        .assert()
        .success()
        .stderr(contains(
            "1000 games at once are more than this machine has cores",
        ));
}
