//! Checks of bots that leave much to chance: the same bot gets the same verdict every time.

use testkit::list::{Tests, Tier};
use testkit::report::{PATIENT, Report};
use testkit::run::Dir;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, giving_up_at_times_is_warned_of);
    tests.tier(Tier::Thorough, |tests| {
        rows!(tests, BOTS, a_bot_of_chance_gets_one_verdict);
        add!(
            tests,
            a_check_is_deterministic,
            a_cause_is_one_that_the_attacks_show,
            a_bot_that_wastes_nothing_is_not_accused
        );
    });
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

fn check(flags: &str) -> Report {
    Report::of(
        &Dir::new(),
        &format!("bot=test-bot chance {flags}"),
        PATIENT,
    )
}

/// As often as the environment asks for: `CHECKS_OF_EACH_BOT=20` takes a minute.
fn a_bot_of_chance_gets_one_verdict((flags, fails): (&str, Option<&str>)) {
    let checks = std::env::var("CHECKS_OF_EACH_BOT").map_or(2, |checks| checks.parse().unwrap());
    for _ in 0..checks {
        let report = check(flags);
        report.exits(if fails.is_some() { 4 } else { 0 });
        assert_eq!(report.steps_that("fail"), Vec::from_iter(fails));
    }
}

fn giving_up_at_times_is_warned_of() {
    let report = check("--gives-up 2");
    report.finds("placements", "warn", "could not place its ships in ");
    let what = report.finding("placements", "what");
    let (all, boards) = what.split_once(" games: ").unwrap();
    let numbers = |text: &str| -> Vec<u32> {
        text.split(' ')
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let [some, of] = numbers(all)[..] else {
        panic!("{what}")
    };
    assert!(0 < some && some < of && of > 20, "{what}");
    assert_eq!(
        boards
            .split(", ")
            .map(|board| numbers(board)[0])
            .sum::<u32>(),
        some,
        "{what}"
    );
    check("").finds("placements", "pass", "");
}

/// A column too far now and then is outside of a narrow board. Row and column are in order, and
/// each game by itself shows the same.
fn a_cause_is_one_that_the_attacks_show() {
    for flags in ["--slips", "--wastes 3", "--random --wastes 2"] {
        let report = check(flags);
        for wrong in ["wrong way round", "counts from 1", "earlier game"] {
            report.lacks(wrong);
        }
    }
}

/// A miss in the first attack of a cell is a miss, whatever the check would like to try.
fn a_bot_that_wastes_nothing_is_not_accused() {
    assert_eq!(check("--shuffles --objects").exits(0).code, Some(0));
    assert_eq!(
        check("--shuffles --objects").remark("results"),
        "miss, hit, sunk"
    );
    assert_eq!(
        check("--wastes 2").remark("results"),
        "miss, hit, sunk, wasted"
    );
}

fn a_check_is_deterministic() {
    let outcomes = || {
        let report = Report::of(&Dir::new(), "awful", PATIENT);
        ["pass", "warn", "note", "fail"].map(|outcome| report.steps_that(outcome).join(" "))
    };
    assert_eq!(outcomes(), outcomes());
}
