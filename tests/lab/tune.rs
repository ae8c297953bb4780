//! Tuning: on a bot whose best numbers are known.

use testkit::list::{Tests, Tier};
use testkit::run::{Dir, Run};
use testkit::text::has;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        an_ignored_parameter_is_named,
        an_unfit_player_is_named,
        rejected_values_are_not_the_last_line,
        the_opponent_has_no_parameter,
        another_record_is_left_alone
    );
    tests.needing(&[UNIX], |tests| {
        add!(tests, values_are_given_in_the_environment);
    });
    tests.tier(Tier::Thorough, |tests| {
        add!(
            tests,
            the_best_values_are_found,
            the_best_values_are_found_despite_luck,
            a_tuning_cut_anywhere_ends_the_same,
            whole_numbers_stay_whole,
            a_page_shows_the_course_of_each_parameter
        );
        tests.needing(&[UNIX], |tests| add!(tests, a_killed_tuning_ends_the_same));
    });
}

const AGAINST: &str = "--against 'bot=test-bot tune' --seed 1 -q";

/// A tuning of these flags of the tunable bot.
fn tune<'d>(dir: &'d Dir, flags: &str, options: &str) -> Run<'d> {
    dir.run(format!(
        "tune 'bot=test-bot tune {flags}' {AGAINST} {options}"
    ))
}

/// The flags and the options of a search for both numbers in rounds of 8 games.
const FLAGS: &str = "--common --decay {decay} --edge {edge}";
const SHORT: &str = "--param decay=0.1:0.9 --param edge=1:5 --games 400";

/// The best values of the tunable bot, and a twentieth of the ranges in which they are looked for.
const BEST: [(&str, f64, f64); 2] = [("decay", 0.3, 0.04), ("edge", 3.6, 0.2)];

/// Tunes with this seed and returns the games of the search, after a look at whether the best
/// values were found.
fn finds_the_best(seed: u64, flags: &str, options: &str) -> usize {
    let dir = Dir::new();
    let words = format!(
        "tune 'bot=test-bot tune {flags} --decay {{decay}} --edge {{edge}}' --against 'bot=test-bot tune'"
    );
    let done = dir.run(format!(
        "{words} -q --out t --param decay=0.1:0.9 --param edge=1:5 --seed {seed} {options}"
    ));
    done.succeeds().prints("the new values are better");
    let record = dir.record("t");
    let result = record.lines.last().unwrap();
    for (name, best, near) in BEST {
        let found = result["values"][name][0].as_f64().unwrap();
        assert!((found - best).abs() < near, "seed {seed}: {result}");
    }
    80 * record.of("battleship-tuning-round").len()
}

fn the_best_values_are_found() {
    finds_the_best(1, "--common", "--games 3200");
}

/// Each side has its own luck.
fn the_best_values_are_found_despite_luck() {
    assert!(finds_the_best(101, "", "") <= 20_000);
}

/// A record has no times, so it is the same to the byte.
fn a_tuning_cut_anywhere_ends_the_same() {
    let dir = Dir::new();
    let whole = tune(&dir, FLAGS, SHORT).args("--out whole").succeeds();
    let record = dir.text("whole");
    has(&record, "battleship-tuning-test");
    let ends: Vec<usize> = record.match_indices('\n').map(|(at, _)| at + 1).collect();
    let last = ends.len() - 1;
    // In the header, in a round, behind a round of the test, at the end.
    for cut in [20, ends[30] + 9, ends[last - 2], ends[last]] {
        dir.file("part", &record[..cut]);
        let resumed = tune(&dir, FLAGS, SHORT)
            .args("--out part --resume --jobs 3")
            .succeeds();
        resumed.prints_all(&whole.stdout);
        assert_eq!(dir.text("part"), record, "cut at {cut}");
    }
    // Packed ones too.
    tune(&dir, FLAGS, SHORT).args("--out t.gz").succeeds();
    tune(&dir, FLAGS, SHORT)
        .args("--out t.gz --resume")
        .succeeds()
        .prints_all(&whole.stdout);
}

fn a_killed_tuning_ends_the_same() {
    let dir = Dir::new();
    tune(&dir, FLAGS, SHORT).args("--out whole").succeeds();
    for rounds in [2, 20] {
        let so_far = || {
            std::fs::read_to_string(dir.path("killed"))
                .unwrap_or_default()
                .lines()
                .count()
                > rounds
        };
        tune(&dir, FLAGS, SHORT)
            .args("--out killed --resume")
            .killed(so_far);
    }
    tune(&dir, FLAGS, SHORT)
        .args("--out killed --resume")
        .succeeds();
    assert_eq!(dir.text("killed"), dir.text("whole"));
}

fn an_ignored_parameter_is_named() {
    for (flags, advice) in [
        (
            "--decay 0.3 --unused {unused}",
            "the argument that has {unused}",
        ),
        ("--decay 0.3", "the command has no {unused}"),
    ] {
        let done = tune(&Dir::new(), flags, "--param unused=1:2").fails(2, advice);
        done.warns("--param unused: the bot plays the same 100 games")
            .prints_all("");
    }
}

fn values_are_given_in_the_environment() {
    let done = tune(
        &Dir::new(),
        "--edge 3",
        "--param decay=0.1:0.9:0.2 --games 4",
    )
    .succeeds();
    done.prints("(began at 0.2, in 0.1 to 0.9)")
        .prints("With these values: decay=0.2")
        .prints("test-bot tune --edge 3");
}

fn whole_numbers_stay_whole() {
    let done = tune(
        &Dir::new(),
        "--common --edge {edge}",
        "--whole edge=1:5 --games 800",
    )
    .succeeds();
    assert!(
        ["--edge 4\n", "--edge 3\n"]
            .iter()
            .any(|words| done.stdout.contains(words)),
        "{}",
        done.stdout
    );
}

/// Nothing of a name runs.
fn a_page_shows_the_course_of_each_parameter() {
    let dir = Dir::new();
    let words = format!("tune {AGAINST} --report t.html {SHORT}");
    dir.run(&words)
        .arg(format!("'<i>x=test-bot' tune {FLAGS}"))
        .succeeds();
    let page = dir.text("t.html");
    crate::pages::is_contained(&page);
    assert!(
        page.contains("<title>Tuning of &#60;i&#62;x</title>") && !page.contains("<i>x"),
        "{}",
        &page[..400]
    );
    assert!(page.contains("<h2>decay</h2>") && page.contains("<h2>edge</h2>"));
    assert_eq!(page.matches("<polyline").count(), 8);
}

fn an_unfit_player_is_named() {
    let dir = Dir::new();
    for (bot, against, code, words) in [
        ("good", "awful", 2, "good has no parameters"),
        ("", "goood", 2, "--against: no program \"goood\""),
        ("", "human", 2, "a human plays one game at a time"),
        ("", "./none", 4, "./none"),
        (
            "test-bot tune --breaks-above 0.8 --decay {decay}",
            "decent",
            4,
            "narrow the range",
        ),
        (
            "test-bot tune --breaks-above 0.8 --decay {decay}",
            "decent",
            4,
            "--decay 0.9 cannot play",
        ),
        ("", "test-bot chance --gives-up 2", 4, "it failed in "),
    ] {
        let bot = if bot.is_empty() {
            "test-bot tune --decay {decay}"
        } else {
            bot
        };
        let words_typed = format!(
            "tune '{bot}' --against '{against}' --param decay=0.1:0.9 -q --games 80 --seed 1"
        );
        dir.run(&words_typed).fails(code, words);
    }
}

fn another_record_is_left_alone() {
    let dir = Dir::new();
    let run = |range: &str, more: &str| {
        tune(
            &dir,
            "--decay {decay}",
            &format!("--param decay=0.1:{range} --games 4 {more}"),
        )
    };
    run("0.9", "--out t").succeeds();
    let record = dir.text("t");
    run("0.9", "--out t").fails(2, "exists; --resume continues");
    run("0.8", "--out t --resume").fails(2, "what differs: ");
    assert_eq!(dir.text("t"), record);
    dir.file("other", "{\"format\":\"battleship-game\"}\n");
    run("0.9", "--out other --resume")
        .fails(2, "line 1: not a record of a tuning; choose another --out");
}

/// The bot begins with its best value, so that no other is better.
fn rejected_values_are_not_the_last_line() {
    let dir = Dir::new();
    let options = "--param decay=0.1:0.9:0.3 --games 80 --report t.html";
    let done = tune(&dir, "--decay {decay}", options).succeeds();
    let last = done.stdout.lines().last().unwrap();
    assert_eq!(
        last,
        "With the old values, which stay: test-bot tune --decay 0.3"
    );
    has(
        &dir.text("t.html"),
        "<p>With the old values, which stay:</p>",
    );
}

fn the_opponent_has_no_parameter() {
    let words = "tune 'test-bot tune --decay {decay}' --param decay=0.1:0.9 --against 'test-bot tune --decay {decay}'";
    Dir::new()
        .run(words)
        .fails(2, "--against: its command has {decay}");
}
