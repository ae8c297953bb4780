//! Moments of recorded games as tests: `referee position`, `check --positions` and its formats.

use std::path::Path;

use crate::common::referee;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// A folder with a record of two games of awful, which replies as it did.
fn recorded(rules: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut played = referee();
    played.args([
        "match", "awful", "mediocre", "--games", "2", "--seed", "3", "--quiet",
    ]);
    played
        .args(["--rules", rules, "--out", "m.jsonl"])
        .current_dir(&folder)
        .assert()
        .success();
    folder
}

/// Returns the output of `referee position`.
fn position(folder: &Path, options: &[&str]) -> String {
    let mut command = referee();
    command
        .args(["position", "m.jsonl", "--player", "awful"])
        .args(options)
        .current_dir(folder);
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

fn check(folder: &Path, options: &[&str]) -> assert_cmd::assert::Assert {
    referee()
        .args(["check", "awful", "--positions"])
        .args(options)
        .current_dir(folder)
        .assert()
}

const BOTH: [&str; 2] = ["classic", "twist"];

#[test]
#[rows(BOTH)]
fn a_bot_that_replies_as_it_did_is_at_the_position(rules: &str) {
    let folder = recorded(rules);
    let folder = folder.path();
    std::fs::create_dir(folder.join("positions")).unwrap();
    for turn in ["0", "1", "9"] {
        let text = position(folder, &["--game", "2", "--turn", turn]);
        assert!(text.contains("\nexpect legal\n"), "{text}");
        std::fs::write(
            folder.join("positions").join(format!("turn-{turn}.txt")),
            text,
        )
        .unwrap();
    }
    // Only positions are read.
    std::fs::write(folder.join("positions/README.md"), "not a position").unwrap();
    let checked = check(folder, &["positions"]).success();
    let end = "awful replies as its positions expect: 3 positions, all well.";
    checked.stdout(contains(end).and(contains("turn-9.txt: replied \"")));
}

#[test]
fn what_is_expected_is_compared_with_the_next_reply() {
    let folder = recorded("classic");
    let folder = folder.path();
    let text = position(folder, &["--turn", "2"]);
    let reply = text
        .split_once("# It replied: attack ")
        .unwrap()
        .1
        .split_once(',')
        .unwrap()
        .0;
    let expect = |what: &str, code: i32| {
        let text = position(folder, &["--turn", "2", "--expect", what]);
        std::fs::write(folder.join("one.txt"), text).unwrap();
        check(folder, &["one.txt"]).code(code)
    };
    expect(&format!("attack among 9 9, {reply}"), 0);
    expect(&format!("attack not among {reply}"), 4)
        .stdout(contains("expected  attack not among ("));
    expect("chance at least 0", 0);
    expect("chance at least 1", 4).stdout(contains(" likely to hit; ("));
    expect("within 600000 ms", 0);
    expect("within 0 ms", 4).stdout(contains(" after "));
}

#[test]
fn a_bot_that_replied_otherwise_before_is_told_so() {
    let folder = recorded("classic");
    let folder = folder.path();
    let text = position(folder, &["--turn", "9", "--expect", "attack among 99 99"]);
    std::fs::write(folder.join("one.txt"), text).unwrap();
    let mut other = referee();
    let other = other
        .args(["check", "mediocre", "--positions", "one.txt"])
        .current_dir(folder);
    other
        .assert()
        .code(4)
        .stdout(contains("Its replies differ from turn "));
    check(folder, &["one.txt"])
        .code(4)
        .stdout(contains("are those of the position"));
}

const WRONG: [(&str, &str, &str); 8] = [
    (
        "no_dialogue",
        "hello\u{1b}\n",
        "line 1: expected \"<- ...\"",
    ),
    (
        "no_game",
        "<- attack\nexpect legal\n",
        "line 1: no line \"<- game ...\" stands before",
    ),
    (
        "no_request",
        "<- fire 1 2\n",
        "line 1: \"<- fire 1 2\" is not a request: ",
    ),
    (
        "no_reply",
        "<- game classic 3 3\n<- place\n<- attack\n",
        "line 3: the request place has no reply",
    ),
    (
        "no_end",
        "<- game classic 3 3\n",
        "end it with \"<- attack\"",
    ),
    (
        "nothing_expected",
        "<- game classic 3 3\n<- attack\n",
        "add e.g. \"expect legal\"",
    ),
    (
        "another_request",
        "<- game classic 3 3\n<- place\nexpect attack among 1 1\n",
        "does not fit the request place",
    ),
    (
        "a_contradiction",
        "<- game classic 3 3\n<- result 1 1 hit\n<- result 1 1 miss\n",
        "line 3: the result contradicts",
    ),
];

#[test]
#[rows(WRONG)]
fn a_wrong_position_is_named_with_its_line((_, text, message): (&str, &str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.txt"), text).unwrap();
    let refused = check(folder.path(), &["one.txt"]).code(2);
    refused.stderr(contains("--positions one.txt: ").and(contains(message)));
}

#[test]
fn what_is_not_there_is_named() {
    let folder = recorded("classic");
    let folder = folder.path();
    check(folder, &["nowhere"])
        .code(2)
        .stderr(contains("--positions nowhere: "));
    std::fs::create_dir(folder.join("empty")).unwrap();
    check(folder, &["empty"])
        .code(2)
        .stderr(contains("no position there"));
    let refused = |options: &[&str], message: &'static str| {
        let mut command = referee();
        let command = command
            .args(["position", "m.jsonl"])
            .args(options)
            .current_dir(folder);
        command.assert().code(2).stderr(contains(message));
    };
    refused(
        &["--turn", "500", "--player", "awful"],
        "awful had no such turn in this game",
    );
    refused(
        &["--turn", "1", "--player", "popeye"],
        "the players of this game are ",
    );
    refused(
        &["--turn", "1", "--expect", "luck"],
        "expected one of: legal; attack among",
    );
}

#[test]
fn a_bot_that_failed_is_tested_where_it_failed() {
    let folder = tempfile::tempdir().unwrap();
    let bot = crate::common::misbehaving("--after 6 exit 3");
    let mut played = referee();
    played.args([
        "play",
        &bot,
        "awful",
        "--seed",
        "1",
        "--no-pause",
        "--record",
        "m.jsonl",
    ]);
    played.current_dir(&folder).assert().success();
    let position = |turn: u32| {
        let mut command = referee();
        command
            .args(["position", "m.jsonl", "--turn", &turn.to_string()])
            .current_dir(&folder);
        command.output().unwrap()
    };
    // The turn that is not recorded is the one at which it failed.
    let texts = (1..)
        .map(position)
        .take_while(|found| found.status.success());
    let last = String::from_utf8(texts.last().unwrap().stdout).unwrap();
    assert!(last.ends_with("<- attack\nexpect legal\n"), "{last}");
    std::fs::write(folder.path().join("one.txt"), &last).unwrap();
    let mut again = referee();
    again
        .args(["check", &bot, "--positions", "one.txt"])
        .current_dir(&folder)
        .assert()
        .code(4);
    check(folder.path(), &["one.txt"]).success();
}

#[test]
fn services_get_a_check_in_their_format() {
    let folder = tempfile::tempdir().unwrap();
    let said = |format: &str| {
        let mut command = referee();
        command
            .args(["check", "'a<b=false'", "--format", format])
            .current_dir(&folder);
        String::from_utf8(command.assert().code(4).get_output().stdout.clone()).unwrap()
    };
    let github = said("github");
    assert!(
        github.lines().all(|line| line.starts_with("::")),
        "{github}"
    );
    assert!(
        github.starts_with("::error title=answers the greeting::seen: "),
        "{github}"
    );
    assert!(github.contains("%0Aexpected: "), "{github}");
    let junit = said("junit");
    assert!(
        junit.contains("<testsuite name=\"a&lt;b\" tests=\"20\" failures=\"1\" "),
        "{junit}"
    );
    assert!(
        junit.contains("<skipped message=\"step 1 failed\"/>"),
        "{junit}"
    );
    assert!(said("json").starts_with("{\"format\":\"battleship-check\""));
    let both = referee()
        .args(["check", "awful", "--json", "--format", "text"])
        .assert()
        .code(2);
    both.stderr(contains("cannot be used with"));
}
