//! Bots that misbehave: each game ends with its own typed reason and a sentence that says what was seen.

mod salvo;

use std::time::{Duration, Instant};

use predicates::str::contains;
use testkit::arena::{Arena, Seen, Way, until};
use testkit::list::Tests;
use testkit::programs::{misbehaving, misbehaving_bot, play, referee};
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_deadline_is_not_re_armed_by_bytes_that_drip_in,
        a_wrong_placement_is_quoted_beside_the_right_one,
        a_placement_that_cannot_be_names_every_fault,
        a_bot_that_leaves_a_child_behind_is_judged_by_its_own_end,
        a_bot_that_says_far_too_much_loses,
        a_line_that_is_too_long_is_quoted_and_not_the_next_one,
        unrequested_lines_become_a_flood,
        the_shipped_players_are_not_odd,
        the_reply_of_a_bot_that_exits_right_after_it_counts,
        a_stderr_flood_does_not_re_arm_the_deadline_nor_fill_the_memory,
        names_cannot_steer_the_terminal,
        a_forfeit_is_part_of_the_transcript_and_the_opponent_wins,
        a_bot_that_does_not_quit_is_ended
    );
    rows!(tests, SILENT, a_bot_that_does_not_reply_in_time_loses);
    rows!(tests, WRONG, a_wrong_reply_is_quoted_beside_the_right_one);
    rows!(tests, FORGED, a_bot_cannot_speak_for_its_supervisor);
    rows!(
        tests,
        MOMENTS,
        comments_of_64_kib_pass_and_one_byte_more_does_not
    );
    rows!(tests, ODD, what_is_only_odd_is_accepted);
    rows!(tests, WARNED_OF, what_is_odd_is_a_warning);
    rows!(tests, NOT_READY, a_bot_that_is_not_ready_could_not_start);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_bot_that_loops_without_end_is_not_said_to_think_in_its_opponents_time,
            a_bot_that_reads_nothing_is_distinguished_from_one_that_thinks
        );
        rows!(tests, ENDS, a_bot_that_ends_loses_with_its_last_words);
    });
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            add!(tests, the_processor_time_of_a_bot_that_exits_is_recorded);
        });
    }
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            a_bot_that_answers_ahead_and_never_reads_is_not_waited_for
        );
    });
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX, PYTHON], |tests| {
            add!(tests, a_bot_is_not_blamed_for_a_referee_that_was_stopped);
        });
    }
    salvo::tests(tests);
}

/// For games that the first player loses by time. Its opponent has all the time of a busy machine.
const SHORT: [&str; 2] = ["--limits", "1s:60s"];

/// Plays a game in both ways, with a supervisor and as on any operating system, and checks each.
fn both_ways(players: [&str; 2], options: &[&str], check: impl Fn(&Seen)) {
    for way in Way::SUPERVISED_OR_NOT {
        check(&Arena::new(way).with(options).play(players));
    }
}

/// A bot that misbehaves as `flags` say loses to awful, for the reason `ended_by`, explained by `sentence`.
fn forfeits(flags: &str, ended_by: &str, sentence: &str) {
    both_ways([&misbehaving(flags), "awful"], &[], |seen| {
        seen.is_forfeit(ended_by, sentence);
    });
}

/// A bot that misbehaves as `flags` say loses to awful by time.
fn is_late(flags: &str, sentence: &str) {
    both_ways([&misbehaving(flags), "awful"], &SHORT, |seen| {
        seen.is_forfeit("timeout", sentence);
    });
}

/// A row of a table about a bot: its misbehaviour, and the referee's message about that.
pub(crate) type Fault = (&'static str, &'static str, &'static str);

pub(crate) const SILENT: [Fault; 5] = [
    (
        "attack",
        "hang",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "place",
        "--at place hang",
        "no reply to place within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "half a line",
        "say-and-hang atta",
        "no reply to attack within 1 s (partial line \"atta\", no newline)",
    ),
    (
        "comments",
        "say-and-hang '# hm\\n# well\\n'",
        "no reply to attack within 1 s (2 comments, nothing else)",
    ),
    (
        "without reading",
        "not-read",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    ),
];

fn a_bot_that_does_not_reply_in_time_loses((_, flags, sentence): Fault) {
    is_late(flags, sentence);
}

fn a_deadline_is_not_re_armed_by_bytes_that_drip_in() {
    both_ways([&misbehaving("drip"), "awful"], &SHORT, |seen| {
        assert_eq!(seen.ended_by(), "timeout");
        let reason = seen.reason();
        assert!(reason.contains("within 1 s (partial line \"aa"), "{reason}");
    });
}

/// It had all that time, and computed in it.
fn a_bot_that_loops_without_end_is_not_said_to_think_in_its_opponents_time() {
    let looping = "rogue=sh -c 'echo ready; while read -r word rest; do case $word in place) while :; do :; done ;; esac; done'";
    let limits = ["--limits", "1500ms:60s"];
    let seen = Arena::new(Way::Supervised)
        .with(&limits)
        .play([looping, "awful"]);
    assert_eq!(seen.ended_by(), "timeout");
    assert_eq!(
        seen.record["players"][0]["warnings"],
        serde_json::json!([]),
        "{}",
        seen.record
    );
    // On a busy machine it may not have computed for most of the time.
    let reason = seen.reason();
    let is_known = reason.contains("(it computed all the time: a loop without end?)");
    assert!(
        is_known || reason.contains("(0 bytes read; is stdout flushed?)"),
        "{reason}"
    );
}

fn a_bot_that_reads_nothing_is_distinguished_from_one_that_thinks() {
    let deaf = "rogue=sh -c 'echo ready; sleep 30'";
    both_ways([deaf, "awful"], &SHORT, |seen| match seen.way {
        Way::Supervised | Way::Unconfined => {
            seen.is_forfeit("not_reading", "did not read the request place within 1 s");
        }
        // The thread has written all to the pipe, and what is left in there it cannot know.
        Way::Portable => {
            let silence = "no reply to place within 1 s (0 bytes read; is stdout flushed?)";
            seen.is_forfeit("timeout", silence);
        }
    });
}

pub(crate) const WRONG: [Fault; 10] = [
    ("another word", "fire 3 4\\n", "\"fire 3 4\""),
    ("nothing", "\\n", "\"\""),
    ("ready", "ready\\n", "\"ready\""),
    ("a placement", "place none\\n", "\"place none\""),
    (
        "two on a line",
        "attack 3 4 attack 3 5\\n",
        "\"attack 3 4 attack 3 5\"",
    ),
    (
        "a space too many",
        "attack 3 4 \\n",
        "\"attack 3 4 \" (a space too many)",
    ),
    (
        "a leading zero",
        "attack 03 4\\n",
        "\"attack 03 4\" (\"03\" is not a plain whole number of 32 bits)",
    ),
    (
        "no UTF-8",
        "attack 3 \\xff\\n",
        "\"attack 3 \\xff\" (byte 9 of the line is not UTF-8)",
    ),
    (
        "an escape sequence",
        "\\e[2Jattack 3 4\\n",
        "\"\\u{1b}[2Jattack 3 4\"",
    ),
    (
        "a NUL",
        "attack 3 4\\0\\n",
        "\"attack 3 4\\u{0}\" (\"4\\u{0}\" is not a plain whole number of 32 bits)",
    ),
];

fn a_wrong_reply_is_quoted_beside_the_right_one((_, said, quoted): Fault) {
    let sentence = format!("expected \"attack ROW COL\", got {quoted}");
    forfeits(&format!("say '{said}'"), "bad_reply", &sentence);
}

fn a_wrong_placement_is_quoted_beside_the_right_one() {
    forfeits(
        "--at place say 'place 0 0 d\\n'",
        "bad_reply",
        "expected \"place ROW COL h|v ...\" (5 ships) or \"place none\", got \"place 0 0 d\" \
         (unexpected word \"d\")",
    );
}

fn a_placement_that_cannot_be_names_every_fault() {
    forfeits(
        "--at place say 'place 0 0 h 3 1 h 3 4 v 9 9 v 8 8 h\\n'",
        "illegal_placement",
        "placed the destroyer over the battleship at (3,4); placed the submarine outside the board at (10,9)",
    );
    forfeits(
        "--at place say 'place 0 0 h\\n'",
        "illegal_placement",
        "placed 1 ship instead of 5",
    );
}

pub(crate) const ENDS: [(&str, &str, &str, &str); 5] = [
    (
        "with status 1",
        "exit 1",
        "exited",
        "exited with status 1; nothing on stderr",
    ),
    (
        "with last words",
        "--stderr 'IndexError: list index out of range' exit 1",
        "exited",
        "exited with status 1; last words on stderr: \"IndexError: list index out of range\"",
    ),
    (
        "with status 0",
        "exit 0",
        "exited",
        "exited with status 0; nothing on stderr",
    ),
    (
        "by a signal",
        "--stderr oops crash",
        "crashed",
        "was ended by signal 6 (abort: a failed assertion, or an exception that nothing catches); last words on stderr: \"oops\"",
    ),
    (
        "of its output",
        "close-output",
        "closed_output",
        "closed its output without a reply to attack",
    ),
];

fn a_bot_that_ends_loses_with_its_last_words(row: (&str, &str, &str, &str)) {
    let (_, flags, ended_by, sentence) = row;
    forfeits(flags, ended_by, sentence);
}

/// The messages of a supervisor of earlier versions on its bot's standard error, with the exit statuses that went with them.
const FORGED: [(&str, &str, &str); 3] = [
    (
        "not started",
        "could not prepare that: Resource temporarily unavailable (os error 11)",
        "125",
    ),
    ("used too much", "it has 2 GiB of memory", "124"),
    ("left", "left sshd", "125"),
];

fn a_bot_cannot_speak_for_its_supervisor((_, words, status): (&str, &str, &str)) {
    let rogue = misbehaving(&format!("--stderr '\u{1}referee: {words}' exit {status}"));
    both_ways([&rogue, "awful"], &[], |seen| {
        let quoted = format!("\"\\u{{1}}referee: {words}\"");
        let quoted = format!("exited with status {status}; last words on stderr: {quoted}");
        seen.is_forfeit("exited", &quoted);
    });
}

/// `/proc` says nothing of a process that has ended, and its supervisor has waited for it.
#[cfg(target_os = "linux")]
fn the_processor_time_of_a_bot_that_exits_is_recorded() {
    let rogue = misbehaving("--after 3 exit 125");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("r.jsonl");
    referee()
        .args(["match", &rogue, "awful", "--games", "6", "--out"])
        .arg(&out)
        .assert()
        .code(0);
    let record = std::fs::read_to_string(&out).unwrap();
    let series = record.lines().find_map(|line| {
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap()
            .get("cpu_ms")
            .cloned()
    });
    let series = series.unwrap();
    assert!(
        series[0].as_f64().is_some_and(|time| time > 0.0),
        "{series}: {record}"
    );
}

fn a_bot_that_leaves_a_child_behind_is_judged_by_its_own_end() {
    forfeits(
        "leave-child",
        "exited",
        "exited with status 0; nothing on stderr",
    );
}

fn a_bot_that_says_far_too_much_loses() {
    let line = format!(
        "said a line of more than 4096 bytes, beginning \"{}…\"",
        "x".repeat(80)
    );
    forfeits("endless-line", "line_too_long", &line);
    forfeits(
        "comment-flood",
        "flood",
        "said far more than it was asked for",
    );
}

fn a_line_that_is_too_long_is_quoted_and_not_the_next_one() {
    let long = "y".repeat(4097);
    let quoted = format!(
        "said a line of more than 4096 bytes, beginning \"{}…\"",
        "y".repeat(80)
    );
    forfeits(
        &format!("say '{long}\\nattack 0 0\\n'"),
        "line_too_long",
        &quoted,
    );
}

const MOMENTS: [(&str, &str); 3] = [
    ("the greeting", "greeting"),
    ("the placement", "place"),
    ("an attack", "attack"),
];

/// 64 KiB are 64 KiB, whatever the moment and however many bytes a read brings.
fn comments_of_64_kib_pass_and_one_byte_more_does_not((_, moment): (&str, &str)) {
    for (count, passes) in [
        (65_535, true),
        (65_536, true),
        (65_537, false),
        (66_000, false),
    ] {
        let rogue = misbehaving(&format!("--at {moment} comments {count}"));
        both_ways([&rogue, "awful"], &[], |seen| {
            if passes {
                seen.is_won_by("rogue");
            } else if moment == "greeting" {
                assert_eq!(seen.ended_by(), "could_not_start", "{count}: {seen:?}");
                assert!(
                    seen.reason()
                        .ends_with("said far more than it was asked for"),
                    "{seen:?}"
                );
            } else {
                seen.is_forfeit("flood", "said far more than it was asked for");
            }
        });
    }
}

/// It answers ahead and never reads, and its pipe is as small as a pipe can be, so that the referee's words soon
/// find no room. The referee is not to be stuck with them.
fn a_bot_that_answers_ahead_and_never_reads_is_not_waited_for() {
    let script = "import fcntl,time\nfcntl.fcntl(0, 1031, 4096)\nprint(\"ready\")\n\
        print(\"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\")\nfor i in range(1500): print(\"attack 9 9\")\n\
        time.sleep(60)";
    let deaf = format!("python3 -u -c '{script}'");
    let options = ["--max-turns", "100000", "--limit", "2s"];
    both_ways([&deaf, &deaf], &options, |seen| {
        assert_eq!(
            seen.ended_by(),
            "not_reading",
            "{:?}: {}",
            seen.way,
            seen.reason()
        );
    });
}

fn unrequested_lines_become_a_flood() {
    // Each line is taken for an answer, first in, first out, so a short game may be over before there are too
    // many of them. This one has no winner.
    let rogue = misbehaving("flood");
    both_ways([&rogue, &rogue], &["--max-turns", "100000000"], |seen| {
        // It does not read either. Which of the two shows first depends on who is quicker.
        let fault = match seen.ended_by() {
            "not_reading" => "does not read its input",
            ended_by => {
                assert_eq!(ended_by, "flood", "{:?}: {}", seen.way, seen.reason());
                "said far more than it was asked for"
            }
        };
        assert!(
            seen.reason().ends_with(&format!(" forfeits: {fault}")),
            "{}",
            seen.reason()
        );
    });
}

pub(crate) const ODD: [(&str, &str); 6] = [
    ("CR LF", "say 'attack 0 0\\r\\n'"),
    ("a comment", "say '# let me see\\nattack 0 0\\n'"),
    // The second line is the answer to the next request.
    ("two lines", "say 'attack 0 0\\nattack 0 1\\n'"),
    ("a loud attack", "stderr-megabyte"),
    ("a loud placement", "--at place stderr-megabyte"),
    ("closed input", "close-input"),
];

fn what_is_only_odd_is_accepted((_, flags): (&str, &str)) {
    both_ways([&misbehaving(flags), "awful"], &[], |seen| {
        seen.is_won_by("rogue");
    });
}

const WARNED_OF: [Fault; 2] = [
    (
        "an early line",
        "say 'attack 0 0\\nattack 0 1\\n'",
        "spoke before it was asked",
    ),
    (
        "no line feed",
        "say-and-exit 'attack 0 0'",
        "ended its last line without a line feed",
    ),
];

fn what_is_odd_is_a_warning((_, flags, fault): Fault) {
    let players = [&misbehaving(flags), "awful"];
    let (record, _) = play(players, &["--seed", "1"]);
    assert_eq!(
        record["players"][0]["warnings"],
        serde_json::json!([format!("it {fault}")])
    );
}

fn the_shipped_players_are_not_odd() {
    let (record, _) = play(["awful", "good"], &["--seed", "1"]);
    assert_eq!(record["players"][1]["warnings"], serde_json::json!([]));
}

fn the_reply_of_a_bot_that_exits_right_after_it_counts() {
    for said in ["attack 0 0\\n", "attack 0 0"] {
        let rogue = misbehaving(&format!("say-and-exit '{said}'"));
        both_ways([&rogue, "awful"], &[], |seen| {
            assert_eq!(seen.record["shots"][0][3], "hit", "{seen:?}");
            seen.is_forfeit("exited", "exited with status 0; nothing on stderr");
        });
    }
}

fn a_stderr_flood_does_not_re_arm_the_deadline_nor_fill_the_memory() {
    let silence = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";
    is_late("stderr-flood", silence);
}

const NOT_READY: [Fault; 6] = [
    (
        "silent",
        "hang",
        "no reply to battleship within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "deaf",
        "not-read",
        "no reply to battleship within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "ended",
        "--stderr 'no such module' exit 1",
        "exited with status 1; last words on stderr: \"no such module\"",
    ),
    (
        "a banner",
        "say 'Welcome!\\n'",
        "expected \"ready\" (before it name, author, plays or human), got \"Welcome!\"",
    ),
    (
        "another game",
        "say 'plays twist\\nready\\n'",
        "it does not play classic",
    ),
    (
        "a flood",
        "flood",
        "expected \"ready\" (before it name, author, plays or human), got \"attack 0 0\"",
    ),
];

fn a_bot_that_is_not_ready_could_not_start((_, flags, sentence): Fault) {
    let rogue = misbehaving(&format!("--at greeting {flags}"));
    // Only a bot that never answers has to be given up: no other may be late on a busy machine.
    let limit = if sentence.contains("within 1 s") {
        "1s"
    } else {
        "60s"
    };
    both_ways(["awful", &rogue], &["--start-limit", limit], |seen| {
        assert_eq!(seen.reason(), format!("rogue could not start: {sentence}"));
        assert_eq!((seen.code, seen.ended_by()), (4, "could_not_start"));
    });
}

fn names_cannot_steer_the_terminal() {
    let rogue = misbehaving_bot();
    let evil = format!("{rogue} --at greeting say 'name \\e[31mPopeye\\nready\\n'");
    let (record, _) = play([&evil, "awful"], &["--seed", "1"]);
    assert_eq!(record["players"][0]["calls_itself"], "\\u{1b}[31mPopeye");
}

fn a_forfeit_is_part_of_the_transcript_and_the_opponent_wins() {
    referee()
        .args([
            "play",
            "awful",
            &misbehaving("say 'fire 3 4\\n'"),
            "--seed",
            "1",
            "--no-pause",
        ])
        .assert()
        .code(0)
        .stdout(contains(
            "rogue forfeits: expected \"attack ROW COL\", got \"fire 3 4\".\nawful wins!\n",
        ));
}

fn a_bot_that_does_not_quit_is_ended() {
    both_ways([&misbehaving("--at quit not-read"), "awful"], &[], |seen| {
        seen.is_won_by("rogue");
    });
}

/// Whether a bot was late cannot be known when the referee itself was stopped: here it is stopped until the deadline has
/// passed, and the bot answers after that.
#[cfg(target_os = "linux")]
fn a_bot_is_not_blamed_for_a_referee_that_was_stopped() {
    use rustix::process::Signal;

    let arena = Arena::new(Way::Supervised).with(&["--limit", "3s"]);
    let slow = arena.python(
        "def attacked():
    open('asked', 'w').close()
    while not os.path.exists('go'):
        time.sleep(0.001)
    reply()
    sys.exit()",
    );
    let game = arena.start([&slow, "awful"]);
    arena.wait_for_file("asked");
    let asked = Instant::now();
    game.signal(Signal::STOP);
    until("the deadline has passed", || {
        asked.elapsed() > Duration::from_millis(3500)
    });
    game.signal(Signal::CONT);
    std::fs::write(arena.folder().join("go"), "").unwrap();
    let seen = game.end();
    assert_eq!(seen.record["shots"][0][3], "hit", "{seen:?}");
    assert_eq!(
        seen.ended_by(),
        "exited",
        "and what it does after that is its own fault"
    );
}
