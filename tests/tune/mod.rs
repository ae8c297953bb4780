//! Tuning: on a bot whose best numbers are known.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::report::Page;
use testkit::list::{Tests, Tier};
use testkit::programs::{Folder, chancy, good, referee, test_bot, text_of};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_best_values_are_found_and_are_better_than_the_old_ones,
        a_tuning_that_was_cut_short_anywhere_ends_as_if_it_was_not,
        a_parameter_that_the_bot_does_not_heed_is_named,
        whole_numbers_stay_whole,
        a_page_shows_the_course_of_each_parameter_and_nothing_of_a_name_runs,
        players_that_cannot_be_tuned_or_played_against_are_named,
        a_record_that_exists_or_is_of_something_else_is_left_alone
    );
    #[cfg(target_os = "linux")]
    {
        add!(tests, a_tuning_that_is_killed_ends_as_if_it_was_not);
    }
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            values_are_given_in_the_environment_where_the_command_has_none
        );
    });
    tests.tier(Tier::Thorough, |tests| {
        add!(
            tests,
            the_best_values_are_found_though_each_side_has_its_own_luck
        );
    });
}

/// The best values of the tunable bot.
const BEST: [(&str, f64); 2] = [("decay", 0.3), ("edge", 3.6)];

/// A twentieth of the ranges in which they are looked for.
const NEAR: [f64; 2] = [0.04, 0.2];

/// The bot that is tuned, with these flags.
fn bot(flags: &str) -> String {
    format!("bot={} tune {flags}", test_bot())
}

/// A tuning of `flags` with these options, without progress.
fn tune(flags: &str, options: &[&str]) -> Command {
    let mut command = referee();
    command.args([
        "tune",
        &bot(flags),
        "--against",
        &bot(""),
        "--seed",
        "1",
        "--quiet",
    ]);
    command.args(options);
    command
}

/// The flags and the options of a search for both numbers in rounds of 8 games.
const FLAGS: &str = "--common --decay {decay} --edge {edge}";
const SHORT: [&str; 6] = [
    "--param",
    "decay=0.1:0.9",
    "--param",
    "edge=1:5",
    "--games",
    "400",
];

fn lines(record: &str) -> Vec<Value> {
    record
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Tunes with this seed and returns the games of the search, after a look at whether the best values were found.
fn finds_the_best(seed: u64, flags: &str, options: &[&str]) -> u64 {
    let folder = Folder::new();
    let out = folder.path("t.jsonl");
    let flags = format!("{flags} --decay {{decay}} --edge {{edge}}");
    let mut command = referee();
    command.args([
        "tune",
        &bot(&flags),
        "--against",
        &bot(""),
        "--quiet",
        "--out",
        &out,
    ]);
    command.args([
        "--param",
        "decay=0.1:0.9",
        "--param",
        "edge=1:5",
        "--seed",
        &seed.to_string(),
    ]);
    command
        .args(options)
        .assert()
        .code(0)
        .stdout(contains("the new values are better"));
    let lines = lines(&text_of(&out));
    let result = lines.last().unwrap();
    for ((name, best), near) in BEST.iter().zip(NEAR) {
        let found = result["values"][name][0].as_f64().unwrap();
        assert!((found - best).abs() < near, "seed {seed}: {result}");
    }
    let is_round = |line: &&Value| line["format"] == "battleship-tuning-round";
    80 * lines.iter().filter(is_round).count() as u64
}

fn the_best_values_are_found_and_are_better_than_the_old_ones() {
    finds_the_best(1, "--common", &["--games", "3200"]);
}

fn the_best_values_are_found_though_each_side_has_its_own_luck() {
    assert!(finds_the_best(101, "", &[]) <= 20_000);
}

/// A record has no times, so it is the same to the byte.
fn a_tuning_that_was_cut_short_anywhere_ends_as_if_it_was_not() {
    let folder = Folder::new();
    let whole = folder.path("whole.jsonl");
    let output = tune(FLAGS, &SHORT)
        .args(["--out", &whole])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let record = text_of(&whole);
    assert!(record.contains("battleship-tuning-test"), "{record}");
    let ends: Vec<usize> = record.match_indices('\n').map(|(at, _)| at + 1).collect();
    let last = ends.len() - 1;
    // In the header, in a round, behind a round of the test, at the end.
    let cuts = [20, ends[30] + 9, ends[last - 2], ends[last]];
    for cut in cuts {
        let part = folder.file("part.jsonl", &record[..cut]);
        let mut resumed = tune(FLAGS, &SHORT);
        let resumed = resumed
            .args(["--out", &part, "--resume", "--jobs", "3"])
            .output()
            .unwrap();
        assert_eq!(
            (resumed.stdout, text_of(&part)),
            (output.stdout.clone(), record.clone()),
            "{cut}"
        );
    }
    // Packed ones too.
    let packed = folder.path("t.jsonl.gz");
    tune(FLAGS, &SHORT)
        .args(["--out", &packed])
        .assert()
        .code(0);
    let resumed = tune(FLAGS, &SHORT)
        .args(["--out", &packed, "--resume"])
        .output()
        .unwrap();
    assert_eq!(resumed.stdout, output.stdout);
}

#[cfg(target_os = "linux")]
fn a_tuning_that_is_killed_ends_as_if_it_was_not() {
    let folder = Folder::new();
    let [whole, killed] = ["whole.jsonl", "killed.jsonl"].map(|name| folder.path(name));
    tune(FLAGS, &SHORT).args(["--out", &whole]).assert().code(0);
    for rounds in [2, 20] {
        let mut command = testkit::programs::program("referee");
        command.args([
            "tune",
            &bot(FLAGS),
            "--against",
            &bot(""),
            "--seed",
            "1",
            "--quiet",
        ]);
        command.args(SHORT).args(["--out", &killed, "--resume"]);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        let so_far = || {
            std::fs::read_to_string(&killed)
                .unwrap_or_default()
                .lines()
                .count()
        };
        while so_far() <= rounds && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    tune(FLAGS, &SHORT)
        .args(["--out", &killed, "--resume"])
        .assert()
        .code(0);
    assert_eq!(text_of(&killed), text_of(&whole));
}

fn a_parameter_that_the_bot_does_not_heed_is_named() {
    for (flags, param, advice) in [
        (
            "--decay 0.3 --unused {unused}",
            "unused=1:2",
            "the argument that has {unused}",
        ),
        ("--decay 0.3", "unused=1:2", "the command has no {unused}"),
    ] {
        let mut command = tune(flags, &["--param", param]);
        let plays_the_same = "--param unused: the bot plays the same 100 games";
        let said = contains(plays_the_same).and(contains(advice));
        command.assert().code(2).stdout(is_empty()).stderr(said);
    }
}

fn values_are_given_in_the_environment_where_the_command_has_none() {
    let options = ["--param", "decay=0.1:0.9:0.2", "--games", "4"];
    let started = contains("(began at 0.2, in 0.1 to 0.9)");
    let command = contains("With these values: decay=0.2").and(contains("test-bot tune --edge 3"));
    tune("--edge 3", &options)
        .assert()
        .code(0)
        .stdout(started.and(command));
}

fn whole_numbers_stay_whole() {
    let options = ["--whole", "edge=1:5", "--games", "800"];
    let command = contains("--edge 4\n").or(contains("--edge 3\n"));
    tune("--common --edge {edge}", &options)
        .assert()
        .code(0)
        .stdout(command);
}

fn a_page_shows_the_course_of_each_parameter_and_nothing_of_a_name_runs() {
    let folder = Folder::new();
    let page = folder.path("t.html");
    let mut command = referee();
    let bot = format!("'<i>x={}' tune {FLAGS}", test_bot());
    command.args([
        "tune",
        &bot,
        "--against",
        &self::bot(""),
        "--seed",
        "1",
        "-q",
    ]);
    command
        .args(["--report", &page])
        .args(SHORT)
        .assert()
        .code(0);
    let page = Page::read(&page).html;
    assert!(
        page.contains("<title>Tuning of &#60;i&#62;x</title>"),
        "{}",
        &page[..400]
    );
    assert!(page.contains("<h2>decay</h2>") && page.contains("<h2>edge</h2>"));
    assert_eq!(page.matches("<polyline").count(), 8);
    assert!(!page.contains("<i>x"), "the name is text");
}

fn players_that_cannot_be_tuned_or_played_against_are_named() {
    let folder = Folder::new();
    let try_with = |bot: &str, against: &str| {
        let mut command = referee();
        command.args([
            "tune",
            bot,
            "--against",
            against,
            "--param",
            "decay=0.1:0.9",
            "-q",
        ]);
        command.args(["--games", "80", "--seed", "1"]).assert()
    };
    try_with("good", "awful")
        .code(2)
        .stderr(contains("good has no parameters"));
    let tunable = bot("--decay {decay}");
    try_with(&tunable, "goood")
        .code(2)
        .stderr(contains("--against: no program \"goood\""));
    try_with(&tunable, "human")
        .code(2)
        .stderr(contains("a human plays one game at a time"));
    let none = folder.path("none");
    try_with(&tunable, &none)
        .code(4)
        .stderr(contains(&none).and(contains("cannot play")));
    let breaks = bot("--breaks-above 0.8 --decay {decay}");
    let said = contains("--decay 0.9 cannot play").and(contains("narrow the range"));
    try_with(&breaks, &good()).code(4).stderr(said);
    let said = contains("it failed in ").and(contains("fix the player"));
    try_with(&tunable, &chancy("--gives-up 2"))
        .code(4)
        .stderr(said);
}

fn a_record_that_exists_or_is_of_something_else_is_left_alone() {
    let folder = Folder::new();
    let out = folder.path("t.jsonl");
    let short = ["--param", "decay=0.1:0.9", "--games", "4", "--out", &out];
    let flags = "--decay {decay}";
    tune(flags, &short).assert().code(0);
    let record = text_of(&out);
    tune(flags, &short)
        .assert()
        .code(2)
        .stderr(contains("exists; --resume continues"));
    let other = ["--param", "decay=0.1:0.8", "--games", "4", "--out", &out];
    let differs = contains("what differs: commands").or(contains("what differs: parameters"));
    tune(flags, &other)
        .arg("--resume")
        .assert()
        .code(2)
        .stderr(differs);
    assert_eq!(text_of(&out), record);
    let out = folder.file("other.jsonl", "{\"format\":\"battleship-game\"}\n");
    let other = ["--param", "decay=0.1:0.9", "--out", &out, "--resume"];
    tune(flags, &other).assert().code(2).stderr(contains(
        "line 1: not a record of a tuning; choose another --out",
    ));
}
