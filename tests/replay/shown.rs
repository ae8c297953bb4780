//! Recorded games: `referee replay`, and the program `replay` with the arguments of the original.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::{Value, json};
use testkit::list::Tests;
use testkit::programs::{
    Folder, SMALL, cut_off, misbehaving, program, project_file, referee, text_of,
};
use testkit::tools::UNIX;
use testkit::twist::{self, STARTING};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_log_of_the_original_is_shown_as_the_original_shows_it,
        replay_v_shows_what_replay_f_writes,
        line_ends_of_other_systems_make_no_difference,
        wrong_arguments_are_answered_with_the_usage,
        no_game_can_be_picked_from_a_log,
        a_recorded_game_is_shown_as_it_was_when_it_was_played,
        a_game_of_a_match_can_be_shown,
        a_game_that_ended_before_the_first_turn_is_not_shown,
        a_classic_record_against_the_rules_is_refused,
        a_twist_record_against_the_rules_is_refused,
        ctrl_c_ends_a_replay_into_a_pipe_and_the_exit_code_says_so
    );
    rows!(tests, WRONG_LOGS, a_wrong_log_is_refused_with_its_line);
    rows!(tests, NO_GAMES, a_file_without_games_is_refused);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            what_cannot_be_read_or_written_is_named,
            a_reader_may_leave_before_the_end_of_a_replay
        );
    });
}

/// A file of the samples of the original twist program.
fn sample(name: &str) -> String {
    project_file("crates/battleship/tests/data/twist")
        .join(name)
        .to_str()
        .unwrap()
        .to_owned()
}

/// The program `replay`.
fn replay(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_replay"));
    command.args(arguments);
    command
}

/// The sample log with `new` in place of the line with this number.
fn log_with(folder: &Folder, line: usize, new: &str) -> String {
    let log = text_of(sample("probe-log.txt"));
    let mut lines: Vec<_> = log.lines().collect();
    lines[line - 1] = new;
    folder.file("log", &lines.join("\n"))
}

/// Returns the output of `referee replay` for the game in `file`.
fn replayed(file: &str, options: &[&str]) -> String {
    let out = format!("{file}.shown");
    let mut command = referee();
    command
        .args(["replay", file, "--force", "--to", &out])
        .args(options);
    command
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
    text_of(out)
}

fn a_log_of_the_original_is_shown_as_the_original_shows_it() {
    let folder = Folder::new();
    let (log, out) = (sample("probe-log.txt"), folder.path("out"));
    let expected = text_of(sample("probe-replay.txt"));
    replay(&["f", &log, &out])
        .assert()
        .code(0)
        .stdout(is_empty())
        .stderr(is_empty());
    assert_eq!(text_of(&out), expected);
    std::fs::remove_file(&out).unwrap();
    referee()
        .args(["replay", &log, "--to", &out])
        .assert()
        .code(0)
        .stdout(is_empty());
    assert_eq!(text_of(&out), expected);
    referee()
        .args(["replay", &log, "--delay", "1ms"])
        .assert()
        .code(0)
        .stdout(expected);
}

fn replay_v_shows_what_replay_f_writes() {
    let folder = Folder::new();
    let log = text_of(sample("probe-log.txt"));
    let one_move = folder.file("log", &log.lines().take(24).collect::<Vec<_>>().join("\n"));
    replay(&["f", &one_move, &folder.path("out")])
        .assert()
        .code(0);
    let expected = text_of(folder.path("out"));
    assert!(
        expected.contains("Player 2") && !expected.contains("Player 1"),
        "{expected}"
    );
    replay(&["v", &one_move])
        .assert()
        .code(0)
        .stdout(expected.clone());
    let patient = ["replay", &one_move, "--delay", "1year"];
    referee().args(patient).assert().code(0).stdout(expected);
}

fn line_ends_of_other_systems_make_no_difference() {
    let folder = Folder::new();
    let (log, expected) = (
        text_of(sample("probe-log.txt")),
        text_of(sample("probe-replay.txt")),
    );
    for text in [
        format!("{log}\n"),
        log.replace('\n', "\r\n"),
        log.replace('\n', "\r\n") + "\r\n",
    ] {
        replay(&["f", &folder.file("log", &text), &folder.path("out")])
            .assert()
            .code(0);
        assert_eq!(text_of(folder.path("out")), expected);
    }
}

fn wrong_arguments_are_answered_with_the_usage() {
    let log = sample("probe-log.txt");
    for arguments in [
        &[][..],
        &["v"],
        &["f", &log],
        &["v", &log, "more"],
        &["f", &log, "out", "more"],
        &["x", &log],
        &[&log],
        &["--help"],
    ] {
        let assert = replay(arguments).assert().code(1).stdout(is_empty());
        assert.stderr(contains("usage: replay v LOG").and(contains("replay f LOG OUT")));
    }
}

fn what_cannot_be_read_or_written_is_named() {
    let (log, missing) = (sample("probe-log.txt"), "/nosuch/file");
    for arguments in [
        &["v", missing][..],
        &["f", missing, "out"],
        &["f", &log, missing],
    ] {
        let assert = replay(arguments).assert().code(1).stdout(is_empty());
        assert.stderr(starts_with(
            "replay: /nosuch/file: No such file or directory",
        ));
    }
    for arguments in [&["replay", missing][..], &["replay", &log, "--to", missing]] {
        let assert = referee()
            .args(arguments)
            .assert()
            .code(2)
            .stdout(is_empty());
        assert.stderr(predicates::str::contains(
            "/nosuch/file: No such file or directory",
        ));
    }
    referee()
        .args(["replay", "/"])
        .assert()
        .code(2)
        .stderr(contains("Is a directory"));
}

/// The message about the sample log if the line of this number is replaced.
const WRONG_LOGS: [(&str, usize, &str); 7] = [
    (
        "line 1: the log is of a player against the computer",
        1,
        "0",
    ),
    (
        "line 1: expected the number of the player that starts, 1 or 2",
        1,
        "battleship",
    ),
    (
        "line 4: battleship 0: A1 to A4 is 4 cells long",
        4,
        "A1 A4 5",
    ),
    ("line 12: expected an empty line", 12, "I5 I5 1"),
    ("line 25: an order is two cells", 25, "A3"),
    ("line 30: the origin: no column \"A\"", 30, "AA AA"),
    ("line 26: L1 E2: there is no unit at L1", 26, "L1 E2"),
];

fn a_wrong_log_is_refused_with_its_line((message, line, new): (&str, usize, &str)) {
    let folder = Folder::new();
    let (log, out) = (log_with(&folder, line, new), folder.path("out"));
    let expected = format!("{log}: {message}");
    let of_replay = starts_with(format!("replay: {expected}"));
    replay(&["f", &log, &out])
        .assert()
        .code(1)
        .stderr(of_replay);
    assert!(!Path::new(&out).exists());
    referee()
        .args(["replay", &log])
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(starts_with(format!("referee: {expected}")));
}

const NO_GAMES: [(&str, &str, &str); 5] = [
    (
        "an empty file",
        "",
        "line 1: expected the number of the player that starts",
    ),
    (
        "a text",
        "Dear diary\n",
        "line 1: expected the number of the player that starts",
    ),
    ("bytes", "\u{0}\u{1}\u{2}", "line 1: "),
    ("JSON", "{\"a\":1}\n", "this is not a line of a record"),
    (
        "half a line",
        "{\"format\":\"battleship-game\"",
        "has no games",
    ),
];

fn a_file_without_games_is_refused((_, text, message): (&str, &str, &str)) {
    let folder = Folder::new();
    let file = folder.file("file", text);
    let assert = referee()
        .args(["replay", &file])
        .assert()
        .code(2)
        .stdout(is_empty());
    assert.stderr(contains(message).and(contains(&file)));
    replay(&["v", &file])
        .assert()
        .code(1)
        .stderr(contains(message));
}

fn no_game_can_be_picked_from_a_log() {
    let log = sample("probe-log.txt");
    let assert = referee()
        .args(["replay", &log, "--game", "1"])
        .assert()
        .code(2);
    assert.stderr(contains("--game: a log of the original has one game only"));
}

/// Plays a game into the record `file`; returns what was printed.
fn played(file: &str, players: [&str; 2], options: &[&str]) -> String {
    let mut command = referee();
    command
        .arg("play")
        .args(players)
        .args(["--no-pause", "--record", file])
        .args(options);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

fn a_recorded_game_is_shown_as_it_was_when_it_was_played() {
    let folder = Folder::new();
    let file = folder.path("games");
    let cap = [&STARTING[..], &["--max-turns", "30"]].concat();
    let says = |word: &str| misbehaving(&format!("--at attack --after 3 {word}"));
    let games: [([String; 2], &[&str]); 10] = [
        (["good".into(), "mediocre".into()], &["--seed", "1"]),
        (
            ["good".into(), "mediocre".into()],
            &["--seed", "1", "--first", "2"],
        ),
        (["awful".into(), "Popeye=awful".into()], &SMALL),
        (
            ["good".into(), "awful".into()],
            &["--seed", "1", "--max-turns", "3"],
        ),
        // The forfeits in mid-turn that replays once left without the board of that turn.
        (
            ["awful".into(), says("say 'fire 3 4\\n'")],
            &["--seed", "1"],
        ),
        ([says("say 'resign\\n'"), "good".into()], &["--seed", "1"]),
        ([twist::hunter("Ahab"), twist::harmless("Moby")], &STARTING),
        ([twist::random("A"), twist::random("B")], &cap),
        (
            [twist::hunter("A"), twist::one_that_says("B", "fire")],
            &STARTING,
        ),
        (
            [twist::one_that_says("A", "resign"), twist::harmless("B")],
            &STARTING,
        ),
    ];
    let printed = games.map(|([one, two], options)| played(&file, [&one, &two], options));
    for (number, printed) in (1..).zip(&printed) {
        assert!(!printed.is_empty());
        assert_eq!(
            &replayed(&file, &["--game", &number.to_string()]),
            printed,
            "game {number}"
        );
    }
    assert!(printed[4].ends_with(
        "rogue forfeits: expected \"attack ROW COL\", got \"fire 3 4\".\nawful wins!\n"
    ));
    // The first game is the one that is shown if none is picked, and a pipe is shown the same.
    let shown = referee()
        .args(["replay", &file, "--delay", "1ms"])
        .assert()
        .success();
    assert!(shown.get_output().stdout == printed[0].as_bytes());
    let assert = referee()
        .args(["replay", &file, "--game", "11"])
        .assert()
        .code(2);
    assert.stderr(format!("referee: --game 11: {file} has 10 games\n"));
    referee()
        .args(["replay", &file, "--game", "0"])
        .assert()
        .code(2)
        .stderr(contains("--game"));
}

fn a_game_of_a_match_can_be_shown() {
    let folder = Folder::new();
    let file = folder.path("match");
    let options = ["--games", "4", "--seed", "1", "--quiet", "--out", &file];
    referee()
        .args(["match", "awful", "mediocre"])
        .args(options)
        .args(&SMALL[..6])
        .assert()
        .success();
    for (game, first) in [("1", "awful's turn."), ("2", "mediocre's turn.")] {
        let shown = replayed(&file, &["--game", game]);
        assert!(
            shown.starts_with(first) && shown.ends_with(" wins!\n"),
            "{shown}"
        );
    }
}

fn a_game_that_ended_before_the_first_turn_is_not_shown() {
    let folder = Folder::new();
    let file = folder.path("games");
    let rogue = twist::player("rogue", "place 0 0 h", &[]);
    played(&file, [&rogue, &twist::harmless("B")], &STARTING);
    let why = "rogue forfeits: placed 1 unit instead of 8";
    referee()
        .args(["replay", &file])
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(format!(
            "referee: {file}: there is nothing to see of this game: {why}\n"
        ));
}

/// Changes a record and says what the replay says of it then.
fn complaint(folder: &Folder, record: &Value, change: impl Fn(&mut Value)) -> String {
    let mut record = record.clone();
    change(&mut record);
    let file = folder.file("changed", &format!("{record}\n"));
    let assert = referee()
        .args(["replay", &file])
        .assert()
        .code(2)
        .stdout(is_empty());
    let complaint = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let about = format!("referee: {file}: the record cannot be right: ");
    complaint
        .strip_prefix(&about)
        .unwrap_or_else(|| panic!("{complaint}"))
        .trim_end()
        .to_owned()
}

fn a_classic_record_against_the_rules_is_refused() {
    let folder = Folder::new();
    let (game, _) = testkit::programs::play(["awful", "awful"], &SMALL);
    let says = |change: &dyn Fn(&mut Value)| complaint(&folder, &game, change);
    assert_eq!(
        says(&|game| game["shots"][2][3] = json!("hit")),
        "turn 3: hit for attack 1 1, where the rules say miss"
    );
    assert_eq!(
        says(&|game| game["shots"][0][1] = json!(7)),
        "turn 1: miss for attack 7 2, where the rules say wasted"
    );
    assert_eq!(
        says(&|game| game["shots"][1][0] = json!(0)),
        "turn 2: it is not this player's turn"
    );
    assert_eq!(
        says(&|game| game["first"] = json!(1)),
        "turn 1: it is not this player's turn"
    );
    let after_the_end = |game: &mut Value| {
        game["shots"]
            .as_array_mut()
            .unwrap()
            .push(json!([1, 0, 0, "hit", 1]));
    };
    assert_eq!(says(&after_the_end), "turn 12: the game is over");
    let without_the_last = |game: &mut Value| {
        game["shots"].as_array_mut().unwrap().pop();
    };
    assert_eq!(says(&without_the_last), "no fleet has been sunk");
    assert!(!says(&|game| game["winner"] = json!("Bluto")).is_empty());
    let sunk = "a fleet has been sunk, and it ended in another way";
    assert_eq!(says(&|game| game["winner"] = json!("awful 2")), sunk);
    assert_eq!(says(&|game| game["ended_by"] = json!("turn_cap")), sunk);
    assert!(!says(&|game| game["fleets"][0][0]["col"] = json!(9)).is_empty());
}

fn a_twist_record_against_the_rules_is_refused() {
    let folder = Folder::new();
    let (game, _) =
        testkit::programs::play([&twist::hunter("A"), &twist::harmless("B")], &STARTING);
    let says = |change: &dyn Fn(&mut Value)| complaint(&folder, &game, change);
    assert_eq!(
        says(&|game| game["moves"][2][5] = json!("miss")),
        "turn 3: miss for act 0 2 0 1, where the rules say hit"
    );
    let refused = says(&|game| game["moves"][2][1] = json!(9));
    assert!(
        refused.ends_with("where the rules say refused there is no unit at (9,2)"),
        "{refused}"
    );
    let refused = says(&|game| game["moves"][2][3] = json!(12));
    assert!(
        refused.ends_with("refused (0,2) and (12,1) are not both on the grid"),
        "{refused}"
    );
    assert_eq!(
        says(&|game| game["moves"][2][0] = json!(1)),
        "turn 3: it is not this player's turn"
    );
    let after_the_end = |game: &mut Value| {
        game["moves"]
            .as_array_mut()
            .unwrap()
            .push(json!([1, 0, 2, 0, 0, "hit", 1]));
    };
    assert_eq!(says(&after_the_end), "turn 52: the game is over");
    let without_the_last = |game: &mut Value| {
        game["moves"].as_array_mut().unwrap().pop();
    };
    assert_eq!(says(&without_the_last), "no fleet has been sunk");
    assert_eq!(
        says(&|game| game["fleets"][0][7]["row"] = json!(6)),
        "placed submarine 7 over submarine 6 at (6,0)"
    );
}

fn ctrl_c_ends_a_replay_into_a_pipe_and_the_exit_code_says_so() {
    let mut child = program("referee")
        .args(["replay", &sample("probe-log.txt"), "--delay", "1h"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("Player 2"));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest = lines
        .map(Result::unwrap)
        .filter(|line| line.contains("Player"))
        .count();
    assert_eq!(rest, 0);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

fn a_reader_may_leave_before_the_end_of_a_replay() {
    let mut replay = program("referee");
    replay.args(["replay", &sample("probe-log.txt"), "--delay", "1ms"]);
    let (line, code) = cut_off(&mut replay);
    assert!(line.ends_with("Player 2\n"), "{line}");
    assert_eq!(code, 0);
}
