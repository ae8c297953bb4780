//! Faults of bots, each in the step that finds it with its cause; and what a check prints, ends and
//! refuses.

use testkit::list::Tests;
use testkit::report::{PATIENT, Report};
use testkit::run::{Dir, cut_off};
use testkit::tools::{NAMESPACES, UNIX, UNSHARE};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, FAULTS, a_fault_fails_its_step_alone, 5);
    rows!(tests, FINDINGS, a_fault_is_found_with_its_cause, 2);
    rows!(tests, ENDLESS, a_check_of_a_hostile_bot_ends, 2);
    rows!(tests, OUTSIDE, a_bad_placement_blames_no_other_line, 1);
    rows!(tests, BY_CHANCE, a_random_crash_has_no_other_cause, 1);
    add!(
        tests,
        a_report_has_the_dialogue_of_a_fault,
        a_bot_cannot_steer_the_terminal,
    );
    tests.needing(&[UNIX], |tests| {
        rows!(tests, SHIPPED, a_shipped_player_passes, 1);
        add!(
            tests,
            a_check_prints_a_line_a_step,
            an_interrupted_check_leaves_no_process,
            an_unread_check_fails_with_its_code,
            a_bot_for_one_board_is_warned,
            a_check_has_the_board_of_the_contest
        );
    });
    #[cfg(target_os = "linux")]
    tests.needing(&[UNIX], |tests| add!(tests, a_process_left_behind_is_named));
    tests.needing(&[NAMESPACES, UNSHARE], |tests| {
        add!(tests, a_check_ends_in_a_process_namespace);
    });
}

/// A fault, the only step that fails by it, and its cause.
const FAULTS: [(&str, &str, &str); 21] = [
    (
        "wrong-word",
        "attacks",
        "has to be \"attack\", and it is \"fire\"",
    ),
    (
        "swapped",
        "places",
        "Row and column are the wrong way round",
    ),
    (
        "overlaps",
        "places",
        "Ships overlap & placed the battleship over the aircraft carrier at (0,0)",
    ),
    ("ignores-game", "games", "At `game` forget everything"),
    // A fleet of the same size on a board of the same size hides the ships of the first game, but
    // not the cells tried.
    (
        "keeps-shots",
        "games",
        "clean slate & it plays this very game well in a process of its own",
    ),
    (
        "dies-at-second-game",
        "games",
        "After `end` keep reading: another `game` follows",
    ),
    ("answers-twice", "one_line", "It answers battleship twice"),
    ("attacks-twice", "one_line", "It answers attack twice"),
    (
        "banner",
        "greeting",
        "Standard output is for replies alone: banners, prompts",
    ),
    (
        "chatty",
        "one_line",
        "Standard output is for replies alone: banners, prompts",
    ),
    ("chokes-on-crlf", "crlf", "The carriage return (CR, \\r)"),
    (
        "counts-words",
        "more_words",
        "Lines may have more words at their end",
    ),
    ("places-none", "places", "\"place none\" is for boards"),
    // Bots that were written before there was the line `limit` among them.
    (
        "crashes-on-unknown",
        "unknown_commands",
        "A line whose first word the bot does not know is not an error",
    ),
    (
        "crashes-on-limit",
        "unknown_commands",
        "A line whose first word the bot does not know is not an error",
    ),
    (
        "asks-back",
        "unknown_commands",
        "It says more than it is asked for",
    ),
    (
        "no-flush --limit 1s --start-limit 1s",
        "greeting",
        "Flush after every line",
    ),
    (
        "slow-start --start-limit 500ms",
        "greeting",
        "It is slow to start & --start-limit & the answer came after ",
    ),
    (
        "ignores-quit --grace 300ms",
        "quit",
        "It does not leave at `quit`",
    ),
    ("none --rules twist", "greeting", "\"plays classic twist\""),
    (
        "ignores-end-of-input --grace 300ms",
        "end_of_input",
        "It does not notice that its input has ended",
    ),
];

/// The fault and the options of a check, patient but for those that are given.
fn parts(fault: &str) -> (String, String) {
    let (fault, options) = fault.split_once(" --").unwrap_or((fault, ""));
    let mut patient = PATIENT.to_owned();
    let options = if options.is_empty() {
        String::new()
    } else {
        format!("--{options}")
    };
    if options.contains("limit") || options.contains("grace") {
        patient = if options.contains("grace") {
            String::new()
        } else {
            "--grace 60s".to_owned()
        };
    }
    (
        format!("bot=test-bot fault {fault}"),
        format!("{patient} {options}"),
    )
}

/// A check that was kept waiting by others does not judge, and is made again.
fn check(bot: &str, options: &str, step: &str) -> Report {
    let dir = Dir::new();
    let mut checks = (0..10).map(|_| Report::of(&dir, bot, options));
    checks
        .find(|report| {
            let cause = report.finding(step, "cause");
            !report.remark(step).starts_with("the machine was busy")
                && !cause.starts_with("The machine was busy")
        })
        .expect("the machine is busy in ten checks in a row")
}

fn a_fault_fails_its_step_alone((fault, step, cause): (&str, &str, &str)) {
    let (bot, options) = parts(fault);
    let report = check(&bot, &options, step);
    for cause in cause.split(" & ") {
        report.finds(step, "fail", cause);
    }
    assert_eq!(report.steps_that("fail"), [step]);
    assert!(!report.finding(step, "expected").is_empty());
}

/// A bot, and for each of some steps its outcome and cause.
type Findings = (
    &'static str,
    &'static [(&'static str, &'static str, &'static str)],
);

const FINDINGS: [Findings; 8] = [
    // It plays well on square boards, but it is not because of those that it fails on another.
    (
        "fault swapped-attacks",
        &[
            ("attacks", "fail", "Row and column are the wrong way round"),
            ("games", "pass", ""),
        ],
    ),
    (
        "fault off-by-one",
        &[
            ("boards", "fail", "It counts from 1"),
            ("attacks", "fail", "It counts from 1"),
        ],
    ),
    (
        "fault repeats",
        &[(
            "attacks",
            "warn",
            "does not remember the cells that it has attacked",
        )],
    ),
    // It does so in every game, so it does not do it because of an earlier one.
    (
        "fault stuck",
        &[
            (
                "attacks",
                "fail",
                "repeats its shots: it attacked (0,0) again",
            ),
            ("games", "pass", ""),
        ],
    ),
    ("fault says-crlf", &[("crlf", "pass", "")]),
    (
        "fault random",
        &[("seed", "note", "it does not, from reply ")],
    ),
    (
        "act --at greeting hang",
        &[("greeting", "fail", "It reads and says nothing")],
    ),
    (
        "act --at greeting say-and-hang ready",
        &[("greeting", "fail", "It began a line and did not end it")],
    ),
];

fn a_fault_is_found_with_its_cause((bot, findings): Findings) {
    let options = if bot.starts_with("act") {
        "--start-limit 1s"
    } else {
        PATIENT
    };
    let report = check(&format!("bot=test-bot {bot}"), options, findings[0].0);
    for (step, outcome, cause) in findings {
        report.finds(step, outcome, cause);
    }
}

fn a_report_has_the_dialogue_of_a_fault() {
    let report = check("bot=test-bot fault wrong-word", PATIENT, "attacks");
    let dialogue = report.dialogue("attacks");
    for end in [" bot <- attack", " bot -> fire 0 0"] {
        assert!(
            dialogue.iter().any(|line| line.ends_with(end)),
            "{dialogue:#?}"
        );
    }
    assert_eq!(
        (report.outcome("games"), report.outcome("quit")),
        ("not_tried", "pass")
    );
    let report = check("bot=test-bot fault ignores-game", PATIENT, "games");
    // The first lines, what was left out, and the last ones.
    let dialogue = report.dialogue("games");
    assert_eq!(dialogue.len(), 20, "{dialogue:#?}");
    assert!(dialogue[4].contains(" lines more "), "{dialogue:#?}");
}

#[cfg(target_os = "linux")]
fn a_process_left_behind_is_named() {
    let report = check("bot=test-bot fault leaves-child", PATIENT, "processes");
    report.finds("processes", "fail", "It starts other programs");
    report.finds("processes", "fail", ": test-bot");
}

const SHIPPED: [&str; 6] = [
    "awful --rules classic",
    "mediocre --rules classic",
    "good --rules classic",
    "awful --rules twist",
    "mediocre --rules twist",
    "good --rules twist",
];

fn a_shipped_player_passes(words: &str) {
    let (player, options) = words.split_once(' ').unwrap();
    let bot = if player == "good" {
        "good=good-bot --budget 0.1"
    } else {
        player
    };
    let report = Report::of(&Dir::new(), bot, &format!("{PATIENT} {options}"));
    report.exits(0);
    assert!(player != "good" || report.steps_that("warn").is_empty());
}

fn a_check_prints_a_line_a_step() {
    let check = |bot: &str| Dir::new().run("check").arg(bot).args(PATIENT).ends();
    let done = check("good=good-bot --budget 0.1");
    done.exits(0)
        .prints("ok     4  places other fleets on other boards: 24 boards, 1x1 to 10x10\n");
    done.prints("\ngood keeps to the protocol: 20 steps, all well.\n");
    assert_eq!(done.stdout.lines().count(), 22);
    let done = check("bot=test-bot fault wrong-word");
    done.exits(4);
    for line in [
        "FAIL   7  attacks cell after cell until it has sunk every ship",
        "          seen      expected \"attack ROW COL\", got \"fire 0 0\"",
        "          expected  one line in answer to attack: \"attack ROW COL\"",
        "          cause     The first word of the reply to attack has to be \"attack\"",
        "-   8-14  not tried: step 7 failed",
        "bot does not keep to the protocol: 20 steps, 1 failed, 8 not tried.",
    ] {
        done.prints(&format!("\n{line}"));
    }
    let done = check("no-such-bot");
    done.exits(4)
        .prints("no program \"no-such-bot\" is on the PATH")
        .prints("2-20  not tried: step 1 failed");
}

fn a_bot_cannot_steer_the_terminal() {
    let run = Dir::new();
    let run = run
        .run("check")
        .arg("test-bot act --at greeting say '\\e[2Jhello\\n'")
        .args(PATIENT);
    run.fails(4, "").prints("\\u{1b}[2Jhello").lacks("\u{1b}");
}

const ENDLESS: [&str; 12] = [
    "act --at greeting endless-line",
    "act --at attack flood",
    "fault floods",
    "act --at quit endless-line",
    "act --at greeting comment-flood",
    "act --at greeting close-output",
    "act --at greeting not-read",
    "act --at attack endless-line",
    "act --at attack drip",
    "act --at attack stderr-flood",
    "act --at attack crash",
    "act --at quit flood",
];

/// The failing step does not matter here, so the limits may be short.
fn a_check_of_a_hostile_bot_ends(bot: &str) {
    let hasty = "--limit 200ms --start-limit 1s --grace 100ms";
    Report::of(&Dir::new(), &format!("bot=test-bot {bot}"), hasty).exits(4);
}

/// As in a container that is entered from outside: the leader of the referee's session is in no
/// `/proc`.
fn a_check_ends_in_a_process_namespace() {
    // A shell between them, since the first process of a namespace has no parent in it.
    let words = "--user --map-root-user --pid --fork --mount-proc sh -c 'referee check no-such-bot; exit $?'";
    Dir::new()
        .program("unshare", words)
        .fails(4, "")
        .prints("no program \"no-such-bot\" is on the PATH");
}

fn an_interrupted_check_leaves_no_process() {
    let dir = Dir::new();
    dir.file("bot.sh", "while read -r line; do echo ready; sleep 60 & echo $! > asked.part; mv asked.part asked; wait; done");
    let run = dir
        .run("check 'sh bot.sh' --start-limit 1h")
        .interrupted(|| dir.path("asked").exists());
    run.exits(130);
    let child = dir.path(&format!("/proc/{}", dir.text("asked").trim()));
    testkit::arena::until("the bot's child has ended", || !child.exists());
}

/// Steps in which a ship is outside the board with this seed of the check, though the usual fleet
/// was placed well before. The subject of each step comes with lines that this bot reads well.
const OUTSIDE: [(&str, &str); 7] = [
    ("results", "2"),
    ("notices", "11"),
    ("unknown_commands", "6"),
    ("more_words", "6"),
    ("crlf", "6"),
    ("games", "8"),
    ("end", "42"),
];

fn a_bad_placement_blames_no_other_line((step, seed): (&str, &str)) {
    let options = format!("{PATIENT} --seed {seed}");
    let report = check("bot=test-bot fault outside-at-times", &options, step);
    report.finds(
        step,
        "fail",
        "placed the patrol boat outside the board at (9,10)",
    );
    report.finds(step, "fail", "A ship reaches outside the board");
}

/// Steps in which a bot that crashes in one game of three does so first with this seed of the
/// check: on a board of 3x9, on one of 9x3, and twice in a step with a usual cause.
const BY_CHANCE: [(&str, &str); 4] = [
    ("attacks", "10"),
    ("attacks", "3"),
    ("results", "7"),
    ("games", "30"),
];

fn a_random_crash_has_no_other_cause((step, seed): (&str, &str)) {
    let options = format!("{PATIENT} --seed {seed}");
    let report = check("bot=test-bot fault crashes-at-times", &options, step);
    report.finds(
        step,
        "fail",
        "It ended by itself: an error that nothing catches",
    );
}
/// In `check BOT | head -1` the first line is enough for the reader, and not for the exit code.
fn an_unread_check_fails_with_its_code() {
    let dir = Dir::new();
    for (bot, code) in [("bot=test-bot fault wrong-word", 4), ("awful", 0)] {
        let run = dir.run(format!("check '{bot}' {PATIENT}"));
        let (line, ended) = cut_off(run);
        assert!(line.starts_with("ok     1  answers the greeting"), "{line}");
        assert_eq!(ended, code, "{bot}");
    }
}

/// The first bot of the guide.
const GUIDE: &str = "IFS=$(printf ' \\r')
while read -r word rest; do case $word in battleship) echo ready ;; \
    place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h; n=0 ;; \
    attack) echo attack $((n / 10)) $((n % 10)); n=$((n + 1)) ;; quit) exit ;; esac; done";

fn a_bot_for_one_board_is_warned() {
    let dir = Dir::new();
    dir.file("bot.sh", GUIDE);
    let report = Report::of(&dir, "bot=sh bot.sh", PATIENT);
    report.finds("boards", "warn", "It places its ships as in step 3");
    assert!(report.steps_that("fail").is_empty());
    assert_eq!(
        report.steps_that("not_tried"),
        ["only_placement", "no_placement"]
    );
}

fn a_check_has_the_board_of_the_contest() {
    let dir = Dir::new();
    dir.file("bot.sh", GUIDE);
    dir.file(
        "small.sh",
        GUIDE
            .replace("h 1 0 h 2 0 h 3 0 h 4 0 h", "h 2 0 h")
            .replace("/ 10", "/ 3")
            .replace("% 10", "% 3"),
    );
    // The ships fill two thirds of the board, so that random fleets seldom lie well.
    let board = "--rows 3 --cols 3 --ship '3 A a' --ship '3 B b' --seed 2";
    let words = format!("{PATIENT} {board}");
    let report = Report::of(&dir, "bot=sh small.sh", &words);
    assert!(report.steps_that("fail").is_empty());
    report.finds("attacks", "pass", "");
    Report::of(&dir, "bot=sh bot.sh", &words).finds("places", "fail", "This game has 2 ships");
    dir.run("check awful --rows 3 --judge ./judge")
        .fails(2, "--judge: a judge knows the rules and the board");
}
