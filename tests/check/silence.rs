//! Bots that do not reply, or reply nonsense: which steps are tried, and how often they are asked.

use testkit::list::Tests;
use testkit::report::Report;
use testkit::run::Dir;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, SILENT, a_silent_bot_is_asked_twice);
        add!(
            tests,
            a_bot_silent_once_is_asked_once,
            a_slow_bot_is_not_called_silent,
            a_bot_of_comments_is_recognized,
            a_nonsensical_greeting_ends_the_check,
            a_games_clock_runs_in_a_check
        );
    });
}

/// A bot that writes down what it is asked for, and does not answer one of the requests.
fn silent_at(request: &str) -> String {
    let replies = [
        ("battleship", "ready"),
        ("place", "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h"),
    ];
    let arms = replies
        .iter()
        .filter(|(asked, _)| *asked != request)
        .map(|(asked, reply)| format!("{asked}) echo {asked} >> asked; echo {reply};; "));
    let arms: String = arms.collect();
    format!(
        "bot=sh -c 'while read -r word rest; do case $word in {arms}{request}) echo {request} >> asked;; quit) exit;; \
         esac; done'"
    )
}

/// The bot never answers, so no machine is too slow for these; it has all the time to start and to
/// leave.
const SHORT: &str = "--limit 500ms --start-limit 60s --grace 60s";

/// The request; the step that fails, which asks for it no more; and those that are not tried.
const SILENT: [(&str, &str, &[&str]); 2] = [
    (
        "place",
        "places",
        &[
            "boards",
            "only_placement",
            "no_placement",
            "attacks",
            "results",
            "notices",
            "unknown_commands",
            "more_words",
            "crlf",
            "games",
            "end",
            "seed",
            "times",
            "placements",
        ],
    ),
    (
        "attack",
        "attacks",
        &[
            "only_placement",
            "no_placement",
            "results",
            "notices",
            "unknown_commands",
            "more_words",
            "crlf",
            "games",
            "end",
            "seed",
        ],
    ),
];

/// With the line `limit` and without: a third time would show the same, after the whole time for a
/// reply.
fn a_silent_bot_is_asked_twice((request, fails, untried): (&str, &str, &[&str])) {
    let dir = Dir::new();
    let report = Report::of(&dir, &silent_at(request), SHORT);
    let requests = dir.text("asked");
    // A step that a busy machine keeps from telling is tried again, by a new process.
    let count = |word: &str| requests.lines().filter(|line| *line == word).count();
    let usual = if request == "place" { 6 } else { 10 };
    let again = count("battleship") - usual;
    assert!(
        (2..=2 + again).contains(&count(request)),
        "{again}: {requests}"
    );
    report.finds(
        fails,
        "fail",
        &format!("no reply to {request} within 500 ms"),
    );
    assert_eq!(report.steps_that("not_tried"), untried);
}

fn a_bot_silent_once_is_asked_once() {
    let dir = Dir::new();
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; game) board=$rest;; \
               place) if [ \"$board\" = \"classic 10 10\" ]; then echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h; \
               else echo $$ >> asked; fi;; attack|quit) exit;; esac; done'";
    Report::of(&dir, bot, SHORT).finds("boards", "fail", "");
    // A step that a busy machine keeps from telling is tried again, by a new process.
    let processes = dir.text("asked");
    let mut asked: Vec<_> = processes.lines().collect();
    asked.dedup();
    assert_eq!(asked.len(), processes.lines().count(), "{processes}");
}

/// Whether it is slow or silent is seen once, and reported where the bot fails.
fn a_slow_bot_is_not_called_silent() {
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; \
               place) sleep .6; echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; quit) exit;; esac; done'";
    Report::of(&Dir::new(), bot, SHORT).finds(
        "places",
        "fail",
        "It is slow: the answer came after ",
    );
}

fn a_bot_of_comments_is_recognized() {
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; quit) exit;; \
               *) echo \"# $word\";; esac; done'";
    Report::of(&Dir::new(), bot, SHORT).finds("places", "fail", "It prints comments and no reply");
}

/// The answer of a bot to its greeting decides whether anything else is tried.
fn a_nonsensical_greeting_ends_the_check() {
    let dir = Dir::new();
    let bot = "bot=sh -c 'echo started >> asked; while read -r line; do echo nonsense; done'";
    let report = Report::of(&dir, bot, "--start-limit 60s");
    report.finds("greeting", "fail", "");
    assert_eq!(dir.text("asked"), "started\n");
    assert_eq!(
        (
            report.steps_that("not_tried").len(),
            report.remark("places")
        ),
        (19, "step 1 failed")
    );
}

fn a_games_clock_runs_in_a_check() {
    let dir = Dir::new();
    let done = dir
        .run("check 'bot=test-bot act --at attack hang' --clock 1s")
        .ends();
    done.exits(4)
        .prints("left of its 1 s for the game")
        .prints(" bot <- clock 1000\n");
    dir.run("check mediocre --clock 60s+0.1s").succeeds();
}
