//! `referee check`: what it finds wrong with bots, and what it says of that.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;
use testkit::check::{PATIENT, check, step, steps};
use testkit::list::Tests;
use testkit::programs::{broken, good, misbehaving, referee};
use testkit::tools::{NAMESPACES, UNIX, UNSHARE};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_bot_that_does_not_flush_is_not_called_silent,
        a_reply_without_a_line_end_is_recognized,
        a_wrong_word_is_named_beside_the_right_one,
        row_and_column_the_wrong_way_round_are_recognized,
        counting_from_one_is_recognized,
        ships_that_overlap_are_named,
        a_bot_that_ignores_game_is_recognized,
        cells_tried_in_an_earlier_game_are_a_fault_too,
        a_bot_that_ends_at_a_second_game_is_recognized,
        answering_twice_is_recognized,
        a_banner_is_not_taken_for_a_wrong_reply,
        a_bot_has_to_accept_carriage_returns,
        a_slow_start_is_measured,
        ignoring_quit_or_the_end_of_input_is_recognized,
        a_bot_has_to_accept_additional_words,
        a_bot_that_gives_up_where_there_is_room_cannot_play,
        a_bot_that_does_not_follow_its_seed_gets_a_note,
        a_bot_that_does_not_play_the_game_is_recognized,
        nothing_that_a_bot_says_steers_the_terminal,
        a_check_ends_for_a_bot_that_floods,
        what_cannot_be_checked_is_refused
    );
    rows!(tests, REPEATING, repeated_shots_are);
    rows!(
        tests,
        STUMBLING,
        failing_at_an_unknown_command_is_recognized
    );
    rows!(tests, ENDLESS, a_check_of_a_hostile_bot_ends, 3);
    #[cfg(unix)]
    {
        add!(tests, a_check_that_is_interrupted_leaves_no_process);
    }
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            add!(tests, a_process_that_is_left_behind_is_named);
        });
    }
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_check_prints_a_line_a_step_and_the_reason_of_a_failure
        );
        rows!(
            tests,
            SHIPPED,
            the_shipped_players_pass_and_good_without_a_warning
        );
    });
    tests.needing(&[NAMESPACES, UNSHARE], |tests| {
        add!(
            tests,
            a_referee_whose_session_began_outside_of_its_process_namespace_ends_its_bots
        );
    });
}

/// The check of `bot` comes to `outcome` in the step `name`, and names a cause with these `words`.
fn finds(bot: &str, options: &[&str], name: &str, outcome: &str, words: &str) -> Value {
    // A check that was kept waiting by others does not judge, and is made again.
    let was_busy = |report: &Value| {
        step(report, name)["said"]
            .as_str()
            .is_some_and(|said| said.starts_with("the machine was busy"))
    };
    let mut checks = (0..10)
        .map(|_| check(bot, options))
        .skip_while(|(report, _)| was_busy(report));
    let (report, code) = checks
        .next()
        .expect("the machine is busy in ten checks in a row");
    let found = step(&report, name);
    assert_eq!(found["outcome"], outcome, "{report:#}");
    let cause = found["finding"]["cause"].as_str().unwrap();
    assert!(cause.contains(words), "{cause}");
    assert!(!found["finding"]["expected"].as_str().unwrap().is_empty());
    assert_eq!(code, if report["passed"] == true { 0 } else { 4 });
    report
}

/// A bot with this fault fails the step `name` and no other.
fn fails_only(fault: &str, options: &[&str], name: &str, words: &str) -> Value {
    let report = finds(&broken(fault), options, name, "fail", words);
    let failed: Vec<_> = steps(&report)
        .iter()
        .filter(|step| step["outcome"] == "fail")
        .collect();
    assert_eq!(failed.len(), 1, "{report:#}");
    report
}

fn a_bot_that_does_not_flush_is_not_called_silent() {
    let options = ["--limit", "1s", "--start-limit", "1s", "--grace", "60s"];
    fails_only("no-flush", &options, "greeting", "Flush after every line");
    let silent = misbehaving("--at greeting hang");
    finds(
        &silent,
        &options,
        "greeting",
        "fail",
        "It reads and says nothing",
    );
}

fn a_reply_without_a_line_end_is_recognized() {
    let options = ["--start-limit", "1s"];
    let rogue = misbehaving("--at greeting say-and-hang ready");
    finds(
        &rogue,
        &options,
        "greeting",
        "fail",
        "It began a line and did not end it",
    );
}

fn a_wrong_word_is_named_beside_the_right_one() {
    let cause = "has to be \"attack\", and it is \"fire\"";
    let report = fails_only("wrong-word", &PATIENT, "attacks", cause);
    let dialogue = step(&report, "attacks")["finding"]["dialogue"]
        .as_array()
        .unwrap();
    let said = |words: &str| {
        dialogue
            .iter()
            .any(|line| line.as_str().unwrap().ends_with(words))
    };
    assert!(
        said(" bot <- attack") && said(" bot -> fire 0 0"),
        "{dialogue:#?}"
    );
    assert_eq!(step(&report, "games")["outcome"], "not_tried");
    assert_eq!(step(&report, "quit")["outcome"], "pass");
}

fn row_and_column_the_wrong_way_round_are_recognized() {
    let words = "Row and column are the wrong way round";
    fails_only("swapped", &PATIENT, "places", words);
    let report = finds(
        &broken("swapped-attacks"),
        &PATIENT,
        "attacks",
        "fail",
        words,
    );
    // It plays well on square boards, but it is not because of those that it fails on another.
    assert_eq!(step(&report, "games")["outcome"], "pass", "{report:#}");
}

fn counting_from_one_is_recognized() {
    let report = finds(
        &broken("off-by-one"),
        &PATIENT,
        "boards",
        "fail",
        "It counts from 1",
    );
    let cause = step(&report, "attacks")["finding"]["cause"]
        .as_str()
        .unwrap();
    assert!(cause.contains("It counts from 1"), "{cause}");
}

fn ships_that_overlap_are_named() {
    let report = fails_only("overlaps", &PATIENT, "places", "Ships overlap");
    let what = step(&report, "places")["finding"]["what"].as_str().unwrap();
    assert!(
        what.contains("placed the battleship over the aircraft carrier at (0,0)"),
        "{what}"
    );
}

const REPEATING: [(&str, &str, &str); 2] = [
    ("a warning", "repeats", "warn"),
    ("a failure if no game is won", "stuck", "fail"),
];

fn repeated_shots_are((_, fault, outcome): (&str, &str, &str)) {
    let words = "does not keep in mind which cells it has attacked";
    let report = finds(&broken(fault), &PATIENT, "attacks", outcome, words);
    let what = step(&report, "attacks")["finding"]["what"]
        .as_str()
        .unwrap();
    assert!(
        what.starts_with("repeats its shots: it attacked (0,0) again"),
        "{what}"
    );
    // It does so in every game, so it does not do it because of an earlier one.
    assert_eq!(step(&report, "games")["outcome"], "pass", "{report:#}");
}

fn a_bot_that_ignores_game_is_recognized() {
    let report = fails_only(
        "ignores-game",
        &PATIENT,
        "games",
        "At `game` forget everything",
    );
    let dialogue = step(&report, "games")["finding"]["dialogue"]
        .as_array()
        .unwrap();
    // The first lines, what was left out, and the last ones.
    assert_eq!(dialogue.len(), 20, "{dialogue:#?}");
    assert!(dialogue[4].as_str().unwrap().contains(" lines more "));
    assert_eq!(step(&report, "boards")["outcome"], "pass");
}

/// A fleet of the same size on a board of the same size hides the ships of the first game, but not the cells tried.
fn cells_tried_in_an_earlier_game_are_a_fault_too() {
    fails_only("keeps-shots", &PATIENT, "games", "clean slate");
}

fn a_bot_that_ends_at_a_second_game_is_recognized() {
    let words = "After `end` keep reading: another `game` follows";
    fails_only("dies-at-second-game", &PATIENT, "games", words);
}

fn answering_twice_is_recognized() {
    fails_only(
        "answers-twice",
        &PATIENT,
        "one_line",
        "It answers battleship twice",
    );
    fails_only(
        "attacks-twice",
        &PATIENT,
        "one_line",
        "It answers attack twice",
    );
}

fn a_banner_is_not_taken_for_a_wrong_reply() {
    let words = "Standard output is for replies alone: banners, prompts";
    fails_only("banner", &PATIENT, "greeting", words);
    fails_only("chatty", &PATIENT, "one_line", words);
}

fn a_bot_has_to_accept_carriage_returns() {
    let (report, code) = check(&broken("says-crlf"), &PATIENT);
    assert_eq!(
        (code, &report["passed"]),
        (0, &Value::Bool(true)),
        "{report:#}"
    );
    fails_only(
        "chokes-on-crlf",
        &PATIENT,
        "crlf",
        "The carriage return (CR, \\r)",
    );
}

fn a_slow_start_is_measured() {
    let options = ["--start-limit", "500ms"];
    let report = fails_only("slow-start", &options, "greeting", "It is slow to start");
    let cause = step(&report, "greeting")["finding"]["cause"]
        .as_str()
        .unwrap();
    assert!(
        cause.contains("the answer came after ") && cause.contains("--start-limit"),
        "{cause}"
    );
}

fn ignoring_quit_or_the_end_of_input_is_recognized() {
    let options = ["--grace", "300ms"];
    finds(
        &broken("ignores-quit"),
        &options,
        "quit",
        "fail",
        "It does not leave at `quit`",
    );
    let words = "It does not notice that its input has ended";
    finds(
        &broken("ignores-end-of-input"),
        &options,
        "end_of_input",
        "fail",
        words,
    );
}

#[cfg(target_os = "linux")]
fn a_process_that_is_left_behind_is_named() {
    let report = fails_only(
        "leaves-child",
        &PATIENT,
        "processes",
        "It starts other programs",
    );
    let what = step(&report, "processes")["finding"]["what"]
        .as_str()
        .unwrap();
    assert!(what.ends_with(": test-bot"), "{what}");
}

/// Bots that were written before there was the line `limit` among them: how they fail, and what is said of it.
const STUMBLING: [(&str, &str); 3] = [
    (
        "crashes-on-unknown",
        "A line whose first word the bot does not know is not an error",
    ),
    (
        "crashes-on-limit",
        "A line whose first word the bot does not know is not an error",
    ),
    ("asks-back", "It says more than it is asked for"),
];

fn failing_at_an_unknown_command_is_recognized((fault, words): (&str, &str)) {
    fails_only(fault, &PATIENT, "unknown_commands", words);
}

fn a_bot_has_to_accept_additional_words() {
    let words = "Lines may have more words at their end";
    fails_only("counts-words", &PATIENT, "more_words", words);
}

fn a_bot_that_gives_up_where_there_is_room_cannot_play() {
    fails_only(
        "places-none",
        &PATIENT,
        "places",
        "\"place none\" is for boards",
    );
}

const SHIPPED: [(&str, &str, &str); 6] = [
    ("awful at classic", "awful", "classic"),
    ("mediocre at classic", "mediocre", "classic"),
    ("good at classic", "good", "classic"),
    ("awful at twist", "awful", "twist"),
    ("mediocre at twist", "mediocre", "twist"),
    ("good at twist", "good", "twist"),
];

fn the_shipped_players_pass_and_good_without_a_warning(row: (&str, &str, &str)) {
    let (_, player, rules) = row;
    let bot = if player == "good" {
        good()
    } else {
        player.to_owned()
    };
    let (report, code) = check(&bot, &[&PATIENT[..], &["--rules", rules]].concat());
    assert_eq!(
        (code, &report["passed"]),
        (0, &Value::Bool(true)),
        "{report:#}"
    );
    let fine = |step: &Value| step["outcome"] == "pass" || step["outcome"] == "note";
    assert!(
        player != "good" || steps(&report).iter().all(fine),
        "{report:#}"
    );
}

fn a_bot_that_does_not_follow_its_seed_gets_a_note() {
    let (report, _) = check(&broken("random"), &PATIENT);
    let seed = step(&report, "seed");
    assert_eq!(seed["outcome"], "note");
    let said = seed["said"].as_str().unwrap();
    assert!(
        said.contains("it does not, from reply ") && said.contains("`seed` line"),
        "{said}"
    );
}

fn a_bot_that_does_not_play_the_game_is_recognized() {
    let options = [&PATIENT[..], &["--rules", "twist"]].concat();
    finds(
        &broken("none"),
        &options,
        "greeting",
        "fail",
        "\"plays classic twist\"",
    );
}

fn a_check_prints_a_line_a_step_and_the_reason_of_a_failure() {
    let shown = |bot: &str| {
        let output = referee()
            .args(["check", bot])
            .args(PATIENT)
            .output()
            .unwrap();
        (
            String::from_utf8(output.stdout).unwrap(),
            output.status.code(),
        )
    };
    let (text, code) = shown(&good());
    assert_eq!((text.lines().count(), code), (22, Some(0)), "{text}");
    assert!(
        text.contains("ok     4  places other fleets on other boards: 24 boards, 1x1 to 10x10\n")
    );
    assert!(
        text.ends_with("\ngood keeps to the protocol: 20 steps, all well.\n"),
        "{text}"
    );
    let (text, code) = shown(&broken("wrong-word"));
    assert_eq!(code, Some(4));
    for line in [
        "FAIL   7  attacks cell after cell until it has sunk every ship",
        "          seen      expected \"attack ROW COL\", got \"fire 0 0\"",
        "          expected  one line in answer to attack: \"attack ROW COL\"",
        "          cause     The first word of the reply to attack has to be \"attack\"",
        "-   8-14  not tried: step 7 failed",
        "bot does not keep to the protocol: 20 steps, 1 failed, 8 not tried.",
    ] {
        assert!(text.contains(&format!("\n{line}")), "{line}\n{text}");
    }
}

fn nothing_that_a_bot_says_steers_the_terminal() {
    let bot = misbehaving("--at greeting say '\\e[2Jhello\\n'");
    let assert = referee()
        .args(["check", &bot])
        .args(PATIENT)
        .assert()
        .code(4);
    assert.stdout(contains("\\u{1b}[2Jhello").and(contains("\u{1b}").not()));
}

const ENDLESS: [&str; 11] = [
    "--at greeting endless-line",
    "--at attack flood",
    "--at quit endless-line",
    "--at greeting comment-flood",
    "--at greeting close-output",
    "--at greeting not-read",
    "--at attack endless-line",
    "--at attack drip",
    "--at attack stderr-flood",
    "--at attack crash",
    "--at quit flood",
];

/// The failing step does not matter here, so the limits may be short.
const HASTY: [&str; 6] = [
    "--limit",
    "200ms",
    "--start-limit",
    "1s",
    "--grace",
    "100ms",
];

fn a_check_of_a_hostile_bot_ends(deed: &str) {
    let (report, code) = check(&misbehaving(deed), &HASTY);
    assert_eq!(code, 4, "{report:#}");
}

fn a_check_ends_for_a_bot_that_floods() {
    let (report, code) = check(&broken("floods"), &HASTY);
    assert_eq!(code, 4, "{report:#}");
}

fn what_cannot_be_checked_is_refused() {
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let assert = referee().arg("check").args(arguments).assert().code(code);
        assert.stderr(contains(words));
    };
    refused(&["human"], 2, "human: a person cannot be checked");
    let words = "no program \"no-such-bot\" is on the PATH";
    let assert = referee().args(["check", "no-such-bot"]).assert().code(4);
    assert.stdout(contains(words).and(contains("2-20  not tried: step 1 failed")));
}

/// As in a container that is entered from outside: the leader of the referee's session is in no `/proc`.
fn a_referee_whose_session_began_outside_of_its_process_namespace_ends_its_bots() {
    let mut inside = std::process::Command::new("unshare");
    // A shell between them, since the first process of a namespace has no parent in it.
    inside
        .args([
            "--user",
            "--map-root-user",
            "--pid",
            "--fork",
            "--mount-proc",
        ])
        .args(["sh", "-c", "\"$0\" check no-such-bot; exit $?"])
        .arg(env!("CARGO_BIN_EXE_referee"));
    let output = inside.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("no program \"no-such-bot\" is on the PATH"),
        "{output:?}"
    );
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}

#[cfg(unix)]
fn a_check_that_is_interrupted_leaves_no_process() {
    use testkit::arena::{Arena, Way};
    let arena = Arena::new(Way::Supervised);
    let bot = arena.shell("touch asked; sleep 60");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .args(["check", &bot, "--env", "HOSTILE_MARK"])
        .env("HOSTILE_MARK", arena.mark());
    command
        .current_dir(arena.folder())
        .stdout(std::process::Stdio::null());
    let mut check = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    arena.wait_for_file("asked");
    let id = rustix::process::Pid::from_raw(i32::try_from(check.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(check.wait().unwrap().code(), Some(130));
    arena.is_left_by_all();
}
