//! Rankings by all games of some records.

use std::path::Path;

use crate::common::{good, program, referee, text_of};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            the_ratings_of_a_record_are_those_of_its_tournament,
            the_records_of_the_shards_come_to_what_the_whole_comes_to,
            a_series_in_two_files_counts_once,
            games_can_be_chosen_by_their_players,
            single_games_count_too,
            a_record_that_was_cut_short_counts_with_a_warning,
            a_damaged_line_is_named,
            a_file_that_is_missing_or_has_no_games_is_an_error,
            a_reader_may_leave_before_the_end_of_a_table,
            one_name_for_two_programs_is_two_versions,
            a_group_that_loses_to_the_rest_is_named_as_one
        );
    });
    #[cfg(unix)]
    {
        tests.needing(&[UNIX], |tests| {
            add!(tests, a_record_that_is_a_pipe_counts_with_a_warning);
        });
    }
}

/// Plays a tournament whose record is `name` in `folder`; returns its summary and where the record is.
fn tournament(folder: &Path, name: &str, options: &[&str]) -> (Value, String) {
    let path = folder.join(name).to_str().unwrap().to_owned();
    let players = ["awful", "mediocre", &good()];
    let mut referee = referee();
    referee
        .args(["tournament", "--json", "-q", "--seed", "5", "--out", &path])
        .args(players);
    let output = referee
        .args(["--games", "20", "--series", "10"])
        .args(options)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    (serde_json::from_slice(&output.stdout).unwrap(), path)
}

fn rank(files: &[&str], options: &[&str]) -> Value {
    let output = referee()
        .args(["rank", "--json"])
        .args(files)
        .args(options)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn ratings(summary: &Value) -> (Vec<&Value>, &Value) {
    let players = summary["players"].as_array().unwrap();
    (
        players.iter().map(|player| &player["rating"]).collect(),
        &summary["ratings"],
    )
}

fn the_ratings_of_a_record_are_those_of_its_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--anchor", "awful=1000"];
    let (summary, path) = tournament(folder.path(), "cup.jsonl", &options);
    let ranking = rank(&[&path], &options);
    assert_eq!(ratings(&ranking), ratings(&summary));
    assert_eq!(ranking["pairings"], summary["pairings"]);
    assert_eq!(
        (&ranking["games"], &ranking["series"]),
        (&60.into(), &6.into())
    );
    let table = referee()
        .args(["rank", &path])
        .assert()
        .code(0)
        .stderr(is_empty());
    table.stdout(contains("3 players, 60 games in 6 series\n").and(contains("\n 1  good ")));
    let csv = referee().args(["rank", &path, "--csv"]).assert().code(0);
    csv.stdout(contains("\n1,good,").and(contains("\n3,awful,awful,")));
}

fn the_records_of_the_shards_come_to_what_the_whole_comes_to() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, _) = tournament(folder.path(), "whole.jsonl", &[]);
    let [one, two] = ["1/2", "2/2"]
        .map(|shard| tournament(folder.path(), &shard.replace('/', "-"), &["--shard", shard]).1);
    let ranking = rank(&[&one, &two], &[]);
    assert_eq!(ratings(&ranking), ratings(&whole));
    assert_eq!(ranking["games"], 60);
}

fn a_series_in_two_files_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, path) = tournament(folder.path(), "cup.jsonl", &[]);
    let copy = folder.path().join("copy.jsonl");
    std::fs::copy(&path, &copy).unwrap();
    let ranking = rank(&[&path, copy.to_str().unwrap()], &[]);
    assert_eq!(ratings(&ranking), ratings(&whole));
    assert_eq!(ranking["games"], 60);
    let said =
        "copy.jsonl: 60 games with the same players, seed and turns came before and count once";
    referee()
        .args(["rank", &path])
        .arg(&copy)
        .assert()
        .code(0)
        .stderr(contains(said));
}

fn games_can_be_chosen_by_their_players() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = tournament(folder.path(), "cup.jsonl", &[]);
    for options in [&["--only", "good,awful"][..], &["--without", "mediocre"]] {
        let ranking = rank(&[&path], options);
        let names: Vec<_> = ranking["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| &player["name"])
            .collect();
        assert_eq!(names, ["awful", "good"]);
        assert_eq!(ranking["games"], 20);
    }
    let unknown = referee()
        .args(["rank", &path, "--only", "good", "--only", "Popeye"])
        .assert();
    unknown.code(2).stderr(contains("Popeye"));
}

fn single_games_count_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    for seed in ["1", "2"] {
        let players = [
            "play",
            &good(),
            "awful",
            "--json",
            "--record",
            path,
            "--seed",
            seed,
        ];
        referee().args(players).assert().code(0);
    }
    let ranking = rank(&[path], &[]);
    assert_eq!(
        (&ranking["games"], &ranking["series"]),
        (&2.into(), &0.into())
    );
    assert_eq!(ranking["players"][0]["name"], "good");
    let (_, cup) = tournament(folder.path(), "cup.jsonl", &[]);
    let ranking = rank(&[path, &cup], &[]);
    assert_eq!(
        (&ranking["games"], &ranking["players"][0]["games"]),
        (&62.into(), &42.into())
    );
}

fn a_record_that_was_cut_short_counts_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = tournament(folder.path(), "cup.jsonl", &[]);
    let text = text_of(&path);
    // Without the end of the last series, and with a piece of its last game.
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..lines.len() - 2].join("\n") + "\n" + &lines[lines.len() - 2][..50];
    std::fs::write(&path, cut).unwrap();
    let says = contains("line 66 was cut short and does not count").and(contains(
        "series 6 was not played to its end; its 9 games count",
    ));
    let assert = referee()
        .args(["rank", &path])
        .assert()
        .code(0)
        .stderr(says);
    assert.stdout(contains(
        "3 players, 59 games in 5 series and 1 unfinished\n",
    ));
}

/// A disqualification is known only after a record has been read, and a pipe is read once.
#[cfg(unix)]
fn a_record_that_is_a_pipe_counts_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = tournament(folder.path(), "cup.jsonl", &[]);
    let mut rank = referee();
    rank.args(["rank", "/dev/stdin"])
        .write_stdin(text_of(&path));
    rank.assert().code(0).stderr(contains(
        "/dev/stdin: this is not a file and can be read only once",
    ));
    referee()
        .args(["rank", &path])
        .assert()
        .code(0)
        .stderr(is_empty());
}

fn a_damaged_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = tournament(folder.path(), "cup.jsonl", &[]);
    let text = text_of(&path);
    let refuse = |text: String, what: &str| {
        std::fs::write(&path, text).unwrap();
        let says = contains(format!("{path}, line 3: ")).and(contains(what));
        referee()
            .args(["rank", &path])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(says);
    };
    let with_line_3 = |change: &dyn Fn(&str) -> String| -> String {
        let lines = text.lines().enumerate();
        lines.map(|(n, line)| if n == 2 { change(line) } else { line.to_owned() } + "\n").collect()
    };
    refuse(
        with_line_3(&|line| line[..100].to_owned()),
        "this is not a line of a record",
    );
    let same_names = |line: &str| line.replace("\"name\":\"good\"", "\"name\":\"mediocre\"");
    refuse(
        with_line_3(&same_names),
        "both players of this game have the same name",
    );
    let stranger = |line: &str| {
        let winner = line.find("\"winner\":\"").unwrap() + 10;
        format!("{}x{}", &line[..winner], &line[winner..])
    };
    refuse(
        with_line_3(&stranger),
        "the winner of this game did not play it",
    );
    let third = |line: &str| line.replace("\"first\":1", "\"first\":2");
    refuse(with_line_3(&third), "a game has players 0 and 1 only");
}

fn a_file_that_is_missing_or_has_no_games_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.jsonl");
    let path = path.to_str().unwrap();
    referee()
        .args(["rank", path])
        .assert()
        .code(2)
        .stderr(contains(path));
    std::fs::write(path, "").unwrap();
    referee()
        .args(["rank", path])
        .assert()
        .code(2)
        .stderr(contains("have no games"));
}

/// This was once reported as a fault of the referee.
fn a_reader_may_leave_before_the_end_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = tournament(folder.path(), "cup.jsonl", &[]);
    for output in ["--csv", "--json"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut rank = program("referee");
        let status = rank
            .args(["rank", &path, output])
            .stdout(writer)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0));
    }
}

fn one_name_for_two_programs_is_two_versions() {
    let folder = tempfile::tempdir().unwrap();
    let record = |name: &str, player: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let players = [
            "match", player, "awful", "--games", "2", "--seed", name, "-q",
        ];
        referee()
            .args(players)
            .args(["--out", &path])
            .assert()
            .code(0);
        path
    };
    let (one, two) = (record("1", "Popeye=awful"), record("2", "Popeye=mediocre"));
    let says = contains("Popeye has 2 versions: Popeye [");
    let assert = referee()
        .args(["rank", &one, &two])
        .assert()
        .code(0)
        .stderr(says);
    assert.stdout(contains("3 players, 4 games in 2 series\n").and(contains(" Popeye [")));
}

/// Nobody won or lost everything, and the ratings are regularized all the same.
fn a_group_that_loses_to_the_rest_is_named_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut cup = referee();
    let players = ["A=decent", "B=decent", "C=awful", "D=awful"];
    cup.arg("tournament").args(players).current_dir(&folder);
    cup.args(["--games", "2", "--seed", "5", "-q", "--out", "cup.jsonl"]);
    cup.assert().code(0);
    let mut rank = referee();
    rank.args(["rank", "cup.jsonl"]).current_dir(&folder);
    let groups = "A player, or a group of players, won or lost everything against the";
    rank.assert().code(0).stdout(contains(groups));
}
