//! A contest is resumed only under the terms with which it began.

use std::collections::BTreeSet;

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{LANDLOCK, NAMESPACES, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            every_term_is_compared_on_resume,
            a_term_that_is_left_out_is_compared,
            a_bound_that_is_left_out_stays
        );
        tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
            add!(tests, a_sandbox_is_compared_on_resume);
        });
    });
}

/// A Swiss tournament that has a value for every term.
const SWISS: &str = "--format swiss --rounds 1 --games 2 --series 2 --seed 1 --rows 3 --cols 3 --ship '2 R rowboat'";

/// For each term, what takes the place of which words.
const CHANGES: [(&str, &str, &str); 18] = [
    ("schedule", "swiss --rounds 1", "round-robin"),
    ("rounds", "--rounds 1", "--rounds 2"),
    ("games", "--games 2", "--games 4"),
    ("series", "--series 2", "--series 4"),
    ("restart", "", "--restart"),
    ("seed", "--seed 1", "--seed 2"),
    (
        "rules",
        "--rows 3 --cols 3 --ship '2 R rowboat'",
        "--rules twist",
    ),
    ("rows", "--rows 3", "--rows 4"),
    ("cols", "--cols 3", "--cols 4"),
    ("ships 1", "2 R rowboat", "2 S ship"),
    ("max_turns", "", "--max-turns 9"),
    ("limit_ms", "", "--limit 6s"),
    ("start_limit_ms", "", "--start-limit 11s"),
    ("grace_ms", "", "--grace 600ms"),
    ("env", "", "--env SECRET_OF_THE_TEST"),
    ("pin", "", "--no-pin"),
    ("max_faults", "", "--max-faults 0.5"),
    ("players 3", "c=awful", "c=mediocre"),
];

/// What only a contest in a sandbox can change.
const OF_SANDBOX: [(&str, &str, &str); 4] = [
    ("sandbox", "--sandbox", ""),
    ("allow", "", "--allow /usr/share"),
    ("max_memory_mib", "", "--max-memory 512"),
    ("max_threads", "", "--max-threads 32"),
];

/// Plays a tournament with these options, and continues it under changed terms, which is refused. Returns the terms in its
/// record.
fn refuses(options: &str, changes: &[(&str, &str, &str)]) -> BTreeSet<String> {
    let dir = Dir::new();
    let words = format!("tournament a=awful b=mediocre c=awful {SWISS} {options} -q --out swiss");
    dir.run(&words).succeeds().is_quiet();
    for (term, from, to) in changes {
        assert!(words.contains(from), "{from}");
        let changed = if from.is_empty() {
            format!("{words} {to}")
        } else {
            words.replacen(from, to, 1)
        };
        let done = dir
            .run(&format!("{changed} --resume"))
            .env("SECRET_OF_THE_TEST", "1")
            .ends();
        done.exits(2)
            .warns("is of another contest; what differs: ")
            .warns(&format!("{term}: "))
            .prints_all("");
    }
    let record = dir.record("swiss");
    record.lines[0]["config"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

fn every_term_is_compared_on_resume() {
    let terms = refuses("", &CHANGES);
    let known = CHANGES
        .iter()
        .chain(&OF_SANDBOX)
        .map(|(term, ..)| term.split(' ').next().unwrap().to_owned());
    assert_eq!(
        terms,
        known.collect(),
        "every term in a record has its row here"
    );
}

/// It stands in a record only if it is not as usual.
fn a_term_that_is_left_out_is_compared() {
    assert!(!refuses("", &[("ponder", "", "--ponder")]).contains("ponder"));
    assert!(refuses("--ponder", &[("ponder", "--ponder", "")]).contains("ponder"));
    assert!(!refuses("", &[("clock", "", "--clock 9s")]).contains("clock"));
    assert!(refuses("--clock 9s", &[("clock", "9s", "9s+1ms")]).contains("clock"));
}

/// Its usual value is another one.
fn a_bound_that_is_left_out_stays() {
    let dir = Dir::new();
    let words = "tournament a=awful b=mediocre --games 2 --series 2 --seed 1 -q --out cup";
    dir.run(&format!("{words} --max-faults 0.5")).succeeds();
    dir.run(&format!("{words} --resume")).succeeds();
}

fn a_sandbox_is_compared_on_resume() {
    refuses("--sandbox", &OF_SANDBOX);
}
