//! A contest is resumed only under the terms with which it began.

use std::collections::BTreeSet;

use testkit::list::Tests;
use testkit::run::{Dir, Done};
use testkit::tools::{LANDLOCK, NAMESPACES};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        every_term_is_compared_on_resume,
        a_term_that_is_left_out_is_compared,
        a_bound_that_is_left_out_stays
    );
    tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
        add!(tests, a_sandbox_is_compared_on_resume);
    });
}

/// A Swiss tournament that has a value for every term.
const SWISS: &str = "--format swiss --rounds 1 --games 2 --series 2 --seed 1 --rows 3 --cols 3 --ship '2 R rowboat' c=awful";

/// The same with another value of each term, but for those of another game and another format.
const CHANGED: &str = "--format swiss --rounds 2 --games 4 --series 4 --seed 2 --rows 4 --cols 4 --ship '2 S ship' c=mediocre \
     --restart --max-turns 9 --limit 6s --start-limit 11s --grace 600ms --env SECRET_OF_THE_TEST --no-pin --max-faults 0.5";

const TERMS: [&str; 18] = [
    "cols",
    "env",
    "games",
    "grace_ms",
    "limit_ms",
    "max_faults",
    "max_turns",
    "pin",
    "players 3",
    "restart",
    "rounds",
    "rows",
    "seed",
    "series",
    "ships 1",
    "start_limit_ms",
    "rules",
    "schedule",
];

/// What only a contest in a sandbox can change.
const OF_SANDBOX: [&str; 4] = ["allow", "max_memory_mib", "max_threads", "sandbox"];

fn play(dir: &Dir, options: &str) -> Done {
    dir.run("tournament a=awful b=mediocre -q --out swiss")
        .args(options)
        .env("SECRET_OF_THE_TEST", "1")
        .ends()
}

/// A folder with the record of a tournament by these options.
fn played(options: &str) -> Dir {
    let dir = Dir::new();
    play(&dir, options).exits(0).is_quiet();
    dir
}

/// The tournament is not continued by these options, since these terms differ.
#[track_caller]
fn refuses(dir: &Dir, options: &str, terms: &[&str]) {
    let done = play(dir, &format!("{options} --resume"));
    done.exits(2)
        .warns("is of another contest; what differs: ")
        .prints_all("");
    for term in terms {
        done.warns(&format!(" {term}: "));
    }
}

fn terms_in(dir: &Dir) -> BTreeSet<String> {
    let record = dir.record("swiss");
    let config = record.lines[0]["config"].as_object().unwrap();
    config.keys().cloned().collect()
}

fn every_term_is_compared_on_resume() {
    let dir = played(SWISS);
    refuses(&dir, CHANGED, &TERMS[..16]);
    refuses(&dir, "--seed 1 --rules twist c=awful", &TERMS[16..]);
    let known = TERMS.iter().chain(&OF_SANDBOX);
    let known = known.map(|term| term.split(' ').next().unwrap().to_owned());
    assert_eq!(terms_in(&dir), known.collect(), "every term is here");
}

/// It stands in a record only if it is not as usual.
fn a_term_that_is_left_out_is_compared() {
    let terms = ["ponder", "clock"];
    let usual = played(SWISS);
    refuses(&usual, &format!("{SWISS} --ponder --clock 9s"), &terms);
    let unusual = played(&format!("{SWISS} --ponder --clock 9s"));
    refuses(&unusual, &format!("{SWISS} --clock 9s+1ms"), &terms);
    for term in terms {
        assert!(!terms_in(&usual).contains(term) && terms_in(&unusual).contains(term));
    }
}

/// Its usual value is another one.
fn a_bound_that_is_left_out_stays() {
    let words = "--games 2 --series 2 --seed 1";
    let dir = played(&format!("{words} --max-faults 0.5"));
    play(&dir, &format!("{words} --resume")).exits(0);
}

fn a_sandbox_is_compared_on_resume() {
    let dir = played(&format!("{SWISS} --sandbox"));
    let bounds = "--sandbox --allow /usr/share --max-memory 512 --max-threads 32";
    refuses(&dir, &format!("{SWISS} {bounds}"), &OF_SANDBOX[..3]);
    refuses(&dir, SWISS, &OF_SANDBOX[3..]);
}
