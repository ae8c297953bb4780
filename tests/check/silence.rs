//! Bots that say nothing, or nothing of sense: which steps are tried, and how often they are asked.

use serde_json::Value;

use testkit::check::{check_in, step, steps};
use testkit::list::Tests;
use testkit::programs::Folder;
use testkit::programs::text_of;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_bot_that_says_nothing_on_another_board_is_not_tried_on_more_of_them,
            a_bot_that_is_slow_is_not_called_silent,
            a_bot_that_prints_comments_only_is_told_so,
            of_a_bot_that_answers_nonsense_to_everything_only_the_greeting_is_tried
        );
        rows!(tests, SILENT, a_bot_that_says_nothing_is_asked_twice);
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

/// The bot never answers, so no machine is too slow for these; it has all the time to start and to leave.
const SHORT: [&str; 6] = ["--limit", "500ms", "--start-limit", "60s", "--grace", "60s"];

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

/// With the line `limit` and without: a third time would show the same, after the whole time for a reply.
fn a_bot_that_says_nothing_is_asked_twice((request, fails, untried): (&str, &str, &[&str])) {
    let folder = Folder::new();
    let (report, code) = check_in(folder.path(""), &silent_at(request), &SHORT);
    let asked = text_of(folder.path("asked"));
    // A step that a busy machine keeps from telling is tried again, by a new process.
    let count = |word: &str| asked.lines().filter(|line| *line == word).count();
    let usual = if request == "place" { 6 } else { 10 };
    let again = count("battleship") - usual;
    assert!(
        (2..=2 + again).contains(&count(request)),
        "{again}: {report:#}"
    );
    assert_eq!(
        (code, &step(&report, fails)["outcome"]),
        (4, &Value::from("fail")),
        "{report:#}"
    );
    let what = step(&report, fails)["finding"]["what"].as_str().unwrap();
    assert!(
        what.starts_with(&format!("no reply to {request} within 500 ms")),
        "{what}"
    );
    let skipped = steps(&report)
        .iter()
        .filter(|step| step["outcome"] == "not_tried");
    let skipped: Vec<&str> = skipped.map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(skipped, untried);
}

fn a_bot_that_says_nothing_on_another_board_is_not_tried_on_more_of_them() {
    let folder = Folder::new();
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; game) board=$rest;; \
               place) if [ \"$board\" = \"classic 10 10\" ]; then echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h; \
               else echo silent >> asked; fi;; attack|quit) exit;; esac; done'";
    let (report, _) = check_in(folder.path(""), bot, &SHORT);
    assert_eq!(step(&report, "boards")["outcome"], "fail", "{report:#}");
    assert_eq!(text_of(folder.path("asked")), "silent\n", "{report:#}");
}

/// Whether it is slow or silent is seen once, and said where the bot fails.
fn a_bot_that_is_slow_is_not_called_silent() {
    let folder = Folder::new();
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; \
               place) sleep .6; echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; quit) exit;; esac; done'";
    let (report, _) = check_in(folder.path(""), bot, &SHORT);
    let cause = step(&report, "places")["finding"]["cause"]
        .as_str()
        .unwrap();
    assert!(
        cause.starts_with("It is slow: the answer came after "),
        "{cause}"
    );
}

fn a_bot_that_prints_comments_only_is_told_so() {
    let folder = Folder::new();
    let bot = "bot=sh -c 'while read -r word rest; do case $word in battleship) echo ready;; quit) exit;; \
               *) echo \"# $word\";; esac; done'";
    let (report, _) = check_in(folder.path(""), bot, &SHORT);
    let cause = step(&report, "places")["finding"]["cause"]
        .as_str()
        .unwrap();
    assert!(
        cause.starts_with("It prints comments and no reply"),
        "{cause}"
    );
}

/// The answer of a bot to its greeting decides whether anything else is tried.
fn of_a_bot_that_answers_nonsense_to_everything_only_the_greeting_is_tried() {
    let folder = Folder::new();
    let bot = "bot=sh -c 'echo started >> asked; while read -r line; do echo nonsense; done'";
    let (report, code) = check_in(folder.path(""), bot, &["--start-limit", "60s"]);
    assert_eq!(
        (code, text_of(folder.path("asked")).as_str()),
        (4, "started\n"),
        "{report:#}"
    );
    let (first, others) = steps(&report).split_first().unwrap();
    assert_eq!(first["outcome"], "fail", "{report:#}");
    for step in others {
        assert_eq!(
            (&step["outcome"], &step["said"]),
            (&"not_tried".into(), &"step 1 failed".into())
        );
    }
}
