//! `referee check` of bots that leave much to chance: the same bot gets the same verdict every time.

use std::collections::BTreeSet;

use serde_json::Value;

use testkit::check::{PATIENT, check, step, steps};
use testkit::list::Tests;
use testkit::programs::{broken, chancy, referee};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        giving_up_now_and_then_is_a_warning_that_says_how_often,
        no_cause_is_named_that_the_attacks_do_not_show,
        a_bot_that_wastes_nothing_is_not_told_that_it_did,
        what_a_bot_keeps_of_an_earlier_game_is_shown_by_playing_that_game_alone,
        the_check_is_deterministic_for_a_bot_that_is
    );
    rows!(
        tests,
        BOTS,
        a_bot_that_leaves_much_to_chance_gets_one_verdict,
        6
    );
}

/// The bots by their flags, and the step that each of them fails, if it fails one.
const BOTS: [(&str, Option<&str>); 20] = [
    ("", None),
    ("--gives-up 2", None),
    ("--gives-up 3", None),
    ("--gives-up 10", None),
    ("--gives-up 1", Some("places")),
    ("--random", None),
    ("--random --gives-up 3", None),
    ("--shuffles", None),
    ("--shuffles --gives-up 10", None),
    ("--shuffles --objects", None),
    ("--wastes 2", None),
    ("--wastes 5", None),
    ("--wastes 20", None),
    ("--wastes 20 --shuffles --gives-up 3", None),
    ("--random --wastes 3", None),
    ("--slips", None),
    ("--slips --shuffles", None),
    ("--slips --wastes 10 --gives-up 10", None),
    ("--forgets 3", None),
    ("--slow 1 --shuffles --gives-up 3", None),
];

/// The exit code, and the steps that failed.
fn verdict(flags: &str) -> (i32, Vec<String>, Value) {
    let (report, code) = check(&chancy(flags), &PATIENT);
    let failed = steps(&report)
        .iter()
        .filter(|step| step["outcome"] == "fail");
    let failed = failed
        .map(|step| step["step"].as_str().unwrap().to_owned())
        .collect();
    (code, failed, report)
}

fn gets_one_verdict(flags: &str, fails: Option<&str>, checks: u32) {
    for number in 1..=checks {
        let (code, failed, report) = verdict(flags);
        let expected = if fails.is_some() { 4 } else { 0 };
        assert_eq!(
            (code, failed.first().map(String::as_str)),
            (expected, fails),
            "{report:#}"
        );
        assert!(failed.len() <= 1, "check {number} of {flags}: {report:#}");
    }
}

/// As often as the environment asks for: `CHECKS_OF_EACH_BOT=20` takes a minute.
fn checks_of_each() -> u32 {
    std::env::var("CHECKS_OF_EACH_BOT").map_or(2, |checks| checks.parse().unwrap())
}

fn a_bot_that_leaves_much_to_chance_gets_one_verdict((flags, fails): (&str, Option<&str>)) {
    gets_one_verdict(flags, fails, checks_of_each());
}

fn giving_up_now_and_then_is_a_warning_that_says_how_often() {
    let (code, _, report) = verdict("--gives-up 2");
    let warned = step(&report, "placements");
    assert_eq!(
        (code, &warned["outcome"]),
        (0, &Value::from("warn")),
        "{report:#}"
    );
    let what = warned["finding"]["what"].as_str().unwrap();
    let (all, boards) = what.split_once(" games: ").unwrap();
    assert!(all.starts_with("could not place its ships in "), "{what}");
    let numbers = |text: &str| -> [u32; 2] {
        let numbers: Vec<u32> = text
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        numbers.try_into().unwrap()
    };
    let [some, of] = numbers(all);
    assert!(0 < some && some < of && of > 20, "{what}");
    let on_boards: u32 = boards.split(", ").map(|board| numbers(board)[0]).sum();
    assert_eq!(on_boards, some, "{what}");
    let (_, _, report) = verdict("");
    assert_eq!(step(&report, "placements")["outcome"], "pass");
}

/// A column too far now and then is outside of a narrow board. Row and column are in order, and each game by itself shows
/// the same.
fn no_cause_is_named_that_the_attacks_do_not_show() {
    for flags in ["--slips", "--wastes 3", "--random --wastes 2"] {
        let (_, _, report) = verdict(flags);
        let mut causes = steps(&report)
            .iter()
            .filter_map(|step| step["finding"]["cause"].as_str());
        let wrong = ["wrong way round", "counts from 1", "earlier game"];
        assert!(
            !causes.any(|cause| wrong.iter().any(|wrong| cause.contains(wrong))),
            "{report:#}"
        );
    }
}

/// A miss in the first attack of a cell is a miss, whatever the check would like to try.
fn a_bot_that_wastes_nothing_is_not_told_that_it_did() {
    let (code, _, report) = verdict("--shuffles --objects");
    let results = step(&report, "results");
    assert_eq!(
        (code, results["said"].as_str()),
        (0, Some("miss, hit, sunk")),
        "{report:#}"
    );
    let (_, _, report) = verdict("--wastes 2");
    assert_eq!(
        step(&report, "results")["said"],
        "miss, hit, sunk, wasted",
        "{report:#}"
    );
}

/// The usual cause in the step that shows it is that of bots that fail there for certain.
fn what_a_bot_keeps_of_an_earlier_game_is_shown_by_playing_that_game_alone() {
    let (report, _) = check(&broken("keeps-shots"), &PATIENT);
    let cause = step(&report, "games")["finding"]["cause"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        cause.contains("it plays this very game well in a process of its own"),
        "{cause}"
    );
}

fn the_check_is_deterministic_for_a_bot_that_is() {
    let outcomes = || {
        let output = referee()
            .args(["check", "awful", "--json"])
            .args(PATIENT)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let outcome = |step: &Value| format!("{} {}", step["step"], step["outcome"]);
        steps(&report).iter().map(outcome).collect::<Vec<_>>()
    };
    let different: BTreeSet<_> = [outcomes(), outcomes()].into();
    assert_eq!(different.len(), 1, "{different:#?}");
}
