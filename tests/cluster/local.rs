//! Shards as processes of this machine.

use std::fs;

use rustix::process::Signal;

use super::{
    SHARDS, attempts, is_over, is_that_of_one_run, output, signal, signal_one, tournament, until,
};
use crate::common::contest::without_times;
use crate::common::{Folder, misbehaving, referee, text_of};

#[test]
#[ignore = "thorough"]
fn a_contest_on_this_machine_survives_killed_tasks_and_ctrl_c() {
    let folder = Folder::new();
    let command = || {
        let mut command = tournament(&folder, "cup.jsonl");
        command.args(["--on", "local", "--shards", SHARDS, "--jobs", "2"]);
        command
    };
    let mut running = command().spawn().unwrap();
    let (shard, _) = signal_one(&folder, "cup.jsonl", &["1", "2"], Signal::KILL);
    has_series(&folder, "3");
    signal(running.id().cast_signed(), Signal::INT);
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert!(!fs::exists(folder.path("cup.jsonl")).unwrap());

    let second = output(&mut command());
    assert!(second.status.success(), "{second:?}");
    is_that_of_one_run(&folder, "cup.jsonl");
    assert_eq!(
        attempts(&folder, "cup.jsonl", &shard).len(),
        2,
        "it continued in a file of its own"
    );
    is_over(&mut command(), &folder.path("cup.jsonl"));
}

#[test]
fn more_games_extend_the_shards_and_the_one_record() {
    let folder = Folder::new();
    let play = |games: &str, more: &[&str]| {
        let mut referee = referee();
        referee.args(["match", "awful", "mediocre", "--series", "4", "--seed", "3"]);
        referee
            .args(["--games", games])
            .args(more)
            .current_dir(folder.path(""));
        let output = referee.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let on = ["--on", "local", "--shards", "4", "--out", "cup.jsonl"];
    play("12", &on);
    // Some shards get no more series by that.
    play("20", &on);
    play("20", &["--out", "one.jsonl"]);
    // One run has a header at the place from which on there are more games.
    let games = |name: &str| {
        let lines = without_times(&text_of(folder.path(name)));
        lines
            .into_iter()
            .filter(|line| line["format"] != "battleship-contest")
            .collect::<Vec<_>>()
    };
    assert_eq!(games("cup.jsonl").len(), 20 + 5);
    assert_eq!(games("cup.jsonl"), games("one.jsonl"));
    let mut fewer = referee();
    fewer.args([
        "match", "awful", "mediocre", "--series", "4", "--seed", "3", "--games", "8",
    ]);
    let fewer = fewer
        .args(on)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert_eq!(fewer.status.code(), Some(2), "{fewer:?}");
}

#[test]
fn a_player_is_disqualified_by_the_games_of_all_shards() {
    let folder = Folder::new();
    // It attacks a few times, and then exits: enough for the check before the first game.
    let rogue = misbehaving("--after 5 exit 3");
    let play = |more: &[&str]| {
        let mut referee = referee();
        referee.args(["tournament", "awful", "mediocre", &rogue, "M=mediocre"]);
        referee.args(["--games", "40", "--series", "4", "--seed", "3"]);
        let output = referee
            .args(more)
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = play(&[
        "--on",
        "local",
        "--shards",
        "5",
        "--out",
        "cup.jsonl",
        "--markdown",
    ]);
    assert!(text.contains("disqualified"), "{text}");
    play(&["--out", "one.jsonl"]);
    let record = |name: &str| without_times(&text_of(folder.path(name)));
    assert_eq!(record("cup.jsonl"), record("one.jsonl"));
}

#[test]
#[ignore = "thorough"]
fn two_copies_of_a_shard_at_once_count_once() {
    let folder = Folder::new();
    let command = || {
        let mut command = tournament(&folder, "cup.jsonl");
        command.args([
            "--on", "local", "--shards", SHARDS, "--jobs", "2", "--quiet",
        ]);
        command
    };
    let mut first = command().spawn().unwrap();
    has_series(&folder, "1");
    // The second knows nothing of the first, as if on a node that is cut off.
    let mut second = command().spawn().unwrap();
    until("both play the same shard", || {
        attempts(&folder, "cup.jsonl", "1").len() == 2
    });
    assert!(first.wait().unwrap().success());
    assert!(second.wait().unwrap().success());
    is_that_of_one_run(&folder, "cup.jsonl");
}

#[test]
fn shards_of_other_terms_or_programs_are_refused() {
    let folder = Folder::new();
    let bot = folder.file(
        "bot.sh",
        &format!("exec {}\n", env!("CARGO_BIN_EXE_awful-bot")),
    );
    let play = |more: &[&str]| {
        let mut referee = referee();
        referee.args(["match", "mediocre", &format!("A=sh {bot}"), "--games", "40"]);
        referee
            .args(["--on", "local", "--shards", "4", "--out", "cup.jsonl"])
            .args(more);
        let output = referee.current_dir(folder.path("")).output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(play(&[]).0, 0);
    for shard in attempts_of_four(&folder, "2") {
        fs::remove_file(shard).unwrap();
    }
    let whole = text_of(folder.path("cup.jsonl"));
    fs::remove_file(folder.path("cup.jsonl")).unwrap();
    let (code, said) = play(&["--limit", "3s"]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("is of another contest") && said.contains("limit"),
        "{said}"
    );
    assert!(!fs::exists(folder.path("cup.jsonl")).unwrap());

    for shard in attempts_of_four(&folder, "2") {
        fs::remove_file(shard).unwrap();
    }
    folder.file(
        "bot.sh",
        &format!("exec {} # new\n", env!("CARGO_BIN_EXE_awful-bot")),
    );
    let (code, said) = play(&[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("is of another contest") && said.contains("bot.sh has changed"),
        "{said}"
    );

    // A record that was there before is not touched either.
    folder.file("cup.jsonl", &whole.replace("\"seed\":", "\"seed\": "));
    let (code, said) = play(&["--seed", "1"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--seed"), "{said}");
}

fn attempts_of_four(folder: &Folder, shard: &str) -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(folder.path("cup.jsonl.shards")).unwrap();
    let names = files.map(|file| file.unwrap().path());
    let begin = format!("shard-{shard}-of-4.");
    names
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(&begin)
        })
        .collect()
}

#[test]
fn a_player_that_cannot_play_stops_its_shards_and_is_named() {
    let folder = Folder::new();
    let mut referee = referee();
    referee.args(["tournament", "awful", "mediocre", "X=false", "--games", "4"]);
    referee.args(["--on", "local", "--shards", "2", "--out", "cup.jsonl"]);
    let output = referee.current_dir(folder.path("")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("not complete") && said.contains("X cannot play"),
        "{said}"
    );
    assert!(!fs::exists(folder.path("cup.jsonl")).unwrap());
}

/// Waits until a shard of `cup.jsonl` has a whole series.
fn has_series(folder: &Folder, shard: &str) {
    until("a shard has a whole series", || {
        let attempts = attempts(folder, "cup.jsonl", shard);
        attempts
            .iter()
            .any(|path| text_of(path).contains("battleship-series"))
    });
}
