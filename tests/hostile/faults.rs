//! Bots that misbehave: each game ends with its own typed reason and a sentence about what was
//! seen.
//!
//! The bots of a table are the players of one tournament, each against awful.

use std::thread;

use serde_json::json;

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, Game};
use testkit::text::{all_are_right, has};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_fault_at_an_attack_loses,
        an_oddity_is_accepted,
        a_bad_placement_loses,
        an_unready_bot_could_not_start,
        a_late_bot_loses,
        comments_are_bounded_at_64_kib,
        unrequested_lines_become_a_flood,
        a_reply_before_an_exit_counts
    );
    add!(
        tests,
        a_fault_in_a_salvo_loses,
        a_bot_is_known_by_its_signal,
        wasted_shots_of_a_salvo_lose_nothing_else,
        a_forfeit_is_in_the_transcript,
        a_bot_cannot_steer_a_dialogue,
        names_are_no_paths_or_lines
    );
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_flood_does_not_fill_the_transcript);
    });
    #[cfg(target_os = "linux")]
    tests.needing(&[UNIX], |tests| {
        add!(tests, processor_time_of_an_ended_bot_is_recorded);
    });
}

/// Plays two games of each bot, called by its number, against awful. Returns the first of each.
fn gauntlet(bots: &[String], options: &str) -> Vec<Game> {
    let dir = Dir::new();
    let words = "tournament awful --format gauntlet --games 2 --seed 1 --max-faults 1 --limit 60s";
    let mut run = dir.run(format!("{words} -q --out r {options}"));
    for (number, bot) in bots.iter().enumerate() {
        run = run.arg(format!("rogue-{number}={bot}"));
    }
    run.succeeds();
    let record = dir.record("r");
    let games = record.games();
    let series = record.of("battleship-series");
    let first = |number: usize| {
        let mut game = games[2 * number].clone();
        assert_eq!(
            game["players"][1]["name"],
            format!("rogue-{number}"),
            "{}",
            bots[number]
        );
        // What is odd of a bot is known at the end of its series.
        game["players"][1]["warnings"] = series[number]["warnings"][1].clone();
        Game(game)
    };
    (0..bots.len()).map(first).collect()
}

/// What a bot does at its fourth attack, the reason for which it loses, and the sentence.
#[rustfmt::skip]
const FAULTS: [(&str, &str, &str); 48] = [
    ("say 'fire 3 4\\n'", "bad_reply", "got \"fire 3 4\""),
    ("say '\\n'", "bad_reply", "got \"\""),
    ("say 'ready\\n'", "bad_reply", "got \"ready\""),
    ("say 'place none\\n'", "bad_reply", "got \"place none\""),
    ("say 'attack 3 4 attack 3 5\\n'", "bad_reply", "got \"attack 3 4 attack 3 5\""),
    ("say 'attack 3 4 \\n'", "bad_reply", "got \"attack 3 4 \" (a space too many)"),
    ("say 'attack 3 \\n'", "bad_reply", "got \"attack 3 \" (a space too many)"),
    ("say 'attack 03 4\\n'", "bad_reply", "got \"attack 03 4\" (\"03\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 \\xff\\n'", "bad_reply", "got \"attack 3 \\xff\" (byte 9 of the line is not UTF-8)"),
    ("say '\\e[2Jattack 3 4\\n'", "bad_reply", "got \"\\u{1b}[2Jattack 3 4\""),
    ("say 'attack 3 4\\0\\n'", "bad_reply", "got \"attack 3 4\\u{0}\" (\"4\\u{0}\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 18446744073709551616\\n'", "bad_reply", "(\"18446744073709551616\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 2147483648\\n'", "bad_reply", "(\"2147483648\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 -2147483649\\n'", "bad_reply", "(\"-2147483649\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 -0\\n'", "bad_reply", "(\"-0\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 +7\\n'", "bad_reply", "(\"+7\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 1e3\\n'", "bad_reply", "(\"1e3\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 0x7\\n'", "bad_reply", "(\"0x7\" is not a plain whole number of 32 bits)"),
    ("say 'attack 3 3.0\\n'", "bad_reply", "(\"3.0\" is not a plain whole number of 32 bits)"),
    // Digits and spaces of other alphabets.
    ("say 'attack \u{663} 4\\n'", "bad_reply", "got \"attack \\u{663} 4\" (\"\\u{663}\" is not a plain whole number of 32 bits)"),
    ("say 'attack \u{ff13} 4\\n'", "bad_reply", "got \"attack \\u{ff13} 4\" (\"\\u{ff13}\" is not a plain whole number of 32 bits)"),
    ("say 'attack\u{a0}3 4\\n'", "bad_reply", "got \"attack\\u{a0}3 4\" (replies are ASCII; other characters are quoted as their codes)"),
    ("say 'attack\u{2009}3 4\\n'", "bad_reply", "got \"attack\\u{2009}3 4\" (replies are ASCII; other characters are quoted as their codes)"),
    ("say 'attack\u{3000}3 4\\n'", "bad_reply", "got \"attack\\u{3000}3 4\" (replies are ASCII; other characters are quoted as their codes)"),
    ("say '\u{430}ttack 3 4\\n'", "bad_reply", "got \"\\u{430}ttack 3 4\" (replies are ASCII; other characters are quoted as their codes)"),
    ("say 'attack\t3 4\\n'", "bad_reply", "got \"attack\\t3 4\""),
    ("say '\u{feff}attack 3 4\\n'", "bad_reply", "got \"\\u{feff}attack 3 4\" (replies are ASCII; other characters are quoted as their codes)"),
    // Colours, the clipboard, a C1 control, and a mark that turns the line around.
    ("say '\\e[31m\\e]52;c;aGk=\u{9b}1m\u{202e}\\n'", "bad_reply", "got \"\\u{1b}[31m\\u{1b}]52;c;aGk=\\u{9b}1m\\u{202e}\" (replies are ASCII; other characters are quoted as their codes)"),
    ("exit 1", "exited", "exited with status 1; nothing on stderr"),
    ("exit 0", "exited", "exited with status 0; nothing on stderr"),
    ("--stderr 'IndexError: list index out of range' exit 1", "exited", "exited with status 1; last words on stderr: \"IndexError: list index out of range\""),
    ("--stderr '\u{1b}[31m\u{9b}1m\u{202e}' exit 1", "exited", "last words on stderr: \"\\u{1b}[31m\\u{9b}1m\\u{202e}\""),
    ("--stderr oops crash", "crashed", "was ended by signal 6 (abort: a failed assertion, or an exception that nothing catches); last words on stderr: \"oops\""),
    ("close-output", "closed_output", "closed its output without a reply to attack"),
    ("leave-child", "exited", "exited with status 0; nothing on stderr"),
    // As a supervisor of earlier versions wrote to its bot's standard error.
    ("--stderr '\u{1}referee: could not prepare that: Resource temporarily unavailable (os error 11)' exit 125", "exited", "exited with status 125; last words on stderr: \"\\u{1}referee: could not prepare that: Resource temporarily unavailable (os error 11)\""),
    ("--stderr '\u{1}referee: it has 2 GiB of memory' exit 124", "exited", "exited with status 124; last words on stderr: \"\\u{1}referee: it has 2 GiB of memory\""),
    ("--stderr '\u{1}referee: left sshd' exit 125", "exited", "exited with status 125; last words on stderr: \"\\u{1}referee: left sshd\""),
    ("endless-line", "line_too_long", "said a line of more than 4096 bytes, beginning \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\""),
    ("say 'LONG\\nattack 0 0\\n'", "line_too_long", "said a line of more than 4096 bytes, beginning \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…\""),
    ("comment-flood", "flood", "said far more than it was asked for"),
    ("say 'attack 3\\n'", "bad_reply", "got \"attack 3\""),
    ("say 'attack\\n'", "bad_reply", "got \"attack\""),
    ("say 'Attack 3 4\\n'", "bad_reply", "got \"Attack 3 4\""),
    ("say ' attack 3 4\\n'", "bad_reply", "got \" attack 3 4\" (a space too many)"),
    ("say 'attack 3,4\\n'", "bad_reply", "got \"attack 3,4\" (\"3,4\" is not a plain whole number of 32 bits)"),
    ("say 'salvo 3 4\\n'", "bad_reply", "got \"salvo 3 4\""),
    ("say 'resign\\n'", "resigned", "resigned"),
];

fn a_fault_at_an_attack_loses() {
    let long = "y".repeat(4097);
    let bots = FAULTS.map(|(flags, ..)| {
        let flags = flags.replace("LONG", &long);
        format!("test-bot act --at attack --after 3 {flags}")
    });
    let mut wrong = Vec::new();
    for (game, (flags, ended_by, sentence)) in gauntlet(&bots, "").iter().zip(FAULTS) {
        let (_, reason) = game
            .text("reason")
            .split_once(" forfeits: ")
            .unwrap_or(("", game.text("reason")));
        let expected = if ended_by == "bad_reply" {
            "expected \"attack ROW COL\", got "
        } else {
            ""
        };
        let is_right = reason.starts_with(expected) && reason.ends_with(sentence);
        if !is_right || game.text("ended_by") != ended_by || game.text("winner") != "awful" {
            wrong.push(format!("{flags}: {}: {reason}", game.text("ended_by")));
        }
    }
    all_are_right(&wrong);
}

/// What a bot does at its second salvo, the reason for which it loses, and the end of the sentence.
#[rustfmt::skip]
const OF_SALVO: [(&str, &str, &str); 10] = [
    ("say 'salvo 0 0 0 1 0 2 0 3\\n'", "bad_reply", "expected \"salvo ROW COL ...\" with 5 cells, got \"salvo 0 0 0 1 0 2 0 3\""),
    ("say 'salvo 0 0 0 1 0 2 0 3 0 4 0 5\\n'", "bad_reply", "got \"salvo 0 0 0 1 0 2 0 3 0 4 0 5\""),
    ("say 'salvo\\n'", "bad_reply", "got \"salvo\""),
    ("say 'salvo 0 0 0 1 0 2 0 3 0\\n'", "bad_reply", "got \"salvo 0 0 0 1 0 2 0 3 0\""),
    ("say 'attack 0 0\\n'", "bad_reply", "got \"attack 0 0\""),
    ("say 'act 0 0 0 1\\n'", "bad_reply", "got \"act 0 0 0 1\""),
    ("say 'place none\\n'", "bad_reply", "got \"place none\""),
    ("say 'salvo 0 0 0 1 0 2 0 3 0 4294967296\\n'", "bad_reply", "(\"4294967296\" is not a plain whole number of 32 bits)"),
    ("say '\\n'", "bad_reply", "got \"\""),
    ("exit 3", "exited", ""),
];

fn a_fault_in_a_salvo_loses() {
    let bots = OF_SALVO
        .map(|(flags, ..)| format!("test-bot act --plays 'classic salvo' --after 3 {flags}"));
    let mut wrong = Vec::new();
    for (game, (flags, ended_by, sentence)) in gauntlet(&bots, "--rules salvo").iter().zip(OF_SALVO)
    {
        // Its first salvos are good ones, so a part of the game is recorded.
        let shots = list(&game.0["shots"]).len();
        if !game.text("reason").ends_with(sentence)
            || game.text("ended_by") != ended_by
            || shots < 10
        {
            wrong.push(format!(
                "{flags}: {shots} shots, {}: {}",
                game.text("ended_by"),
                game.text("reason")
            ));
        }
    }
    all_are_right(&wrong);
}

/// What a bot does that is odd, and the warning about it.
const ODD: [(&str, &str); 10] = [
    ("say 'attack 0 0\\r\\n'", ""),
    ("say '# let me see\\nattack 0 0\\n'", ""),
    // The second line is the answer to the next request.
    (
        "say 'attack 0 0\\nattack 0 1\\n'",
        "it spoke before it was asked",
    ),
    // A comment is no answer to a request that comes later.
    ("say 'attack 0 0\\n# that was it\\n'", ""),
    ("stderr-megabyte", ""),
    ("--at place stderr-megabyte", ""),
    ("close-input", "it spoke before it was asked"),
    ("--at quit not-read", ""),
    ("say 'attack -1 99\\n'", ""),
    ("reply-then-stderr-megabyte", ""),
];

fn an_oddity_is_accepted() {
    let bots = ODD.map(|(flags, _)| format!("test-bot act {flags}"));
    let mut wrong = Vec::new();
    for (game, (flags, warning)) in gauntlet(&bots, "").iter().zip(ODD) {
        let warnings = list(&game.0["players"][1]["warnings"]);
        let are_right = match warning {
            "" => warnings.is_empty(),
            _ => warnings.contains(&json!(warning)),
        };
        if game.text("ended_by") != "fleet_sunk" || !are_right {
            wrong.push(format!("{flags}: {warnings:?} {}", game.text("reason")));
        }
        if flags.contains("-1 99") {
            let shots = list(&game.0["shots"]);
            let outside = shots.iter().find(|shot| shot[1] == -1).unwrap();
            assert_eq!([&outside[2], &outside[3]], [&json!(99), &json!("wasted")]);
        }
    }
    all_are_right(&wrong);
}

/// Signals by number, and the words about them.
const SIGNALS: [(u8, &str); 10] = [
    (6, "signal 6 (abort: "),
    (8, "signal 8 (floating point error: "),
    (9, "signal 9 (killed: often because the memory ran out)"),
    (11, "signal 11 (segmentation fault: "),
    (16, "signal 16;"),
    (29, "signal 29;"),
    (30, "signal 30;"),
    (34, "signal 34;"),
    (40, "signal 40;"),
    (64, "signal 64;"),
];

fn a_bot_is_known_by_its_signal() {
    let bots = SIGNALS.map(|(signal, _)| {
        format!("sh -c 'n=0; while read -r word rest; do case $word in battleship) echo ready;; place) n=0; \
                 echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; attack) n=$((n + 1)); [ $n -lt 5 ] || kill -{signal} $$; \
                 echo attack 9 $n;; esac; done'")
    });
    let mut wrong = Vec::new();
    for (game, (_, words)) in gauntlet(&bots, "").iter().zip(SIGNALS) {
        if game.text("ended_by") != "crashed" || !game.text("reason").contains(words) {
            wrong.push(format!("{words}: {}", game.text("reason")));
        }
    }
    all_are_right(&wrong);
}

/// A game of the rogue with these flags against awful.
fn rogue(flags: &str, options: &str) -> Game {
    let dir = Dir::new();
    let run = dir
        .run("play --json --seed 1")
        .arg(format!("rogue=test-bot act {flags}"))
        .arg("awful");
    run.args(options).ends().game()
}

#[rustfmt::skip]
const PLACEMENTS: [(&str, &str, &str); 3] = [
    ("place 0 0 d", "bad_reply", "expected \"place ROW COL h|v ...\" (5 ships) or \"place none\", got \"place 0 0 d\" (unexpected word \"d\")"),
    ("place 0 0 h 3 1 h 3 4 v 9 9 v 8 8 h", "illegal_placement", "placed the destroyer over the battleship at (3,4); placed the submarine outside the board at (10,9)"),
    ("place 0 0 h", "illegal_placement", "placed 1 ship instead of 5"),
];

fn a_bad_placement_loses() {
    for (placement, ended_by, sentence) in PLACEMENTS {
        rogue(&format!("--at place say '{placement}\\n'"), "").forfeits(ended_by, sentence);
    }
}

/// What a bot does in place of its greeting, and the sentence.
#[rustfmt::skip]
const NOT_READY: [(&str, &str); 6] = [
    ("hang", "no reply to battleship within 1 s (0 bytes read; is stdout flushed?)"),
    ("not-read", "no reply to battleship within 1 s (0 bytes read; is stdout flushed?)"),
    ("--stderr 'no such module' exit 1", "exited with status 1; last words on stderr: \"no such module\""),
    ("say 'Welcome!\\n'", "expected \"ready\" (before it name, author, plays or human), got \"Welcome!\""),
    ("say 'plays twist\\nready\\n'", "it does not play classic"),
    ("flood", "expected \"ready\" (before it name, author, plays or human), got \"attack 0 0\""),
];

fn an_unready_bot_could_not_start() {
    for (flags, sentence) in NOT_READY {
        // Only a bot that never answers has to be given up: no other may be late on a busy machine.
        let limit = if sentence.contains("within 1 s") {
            "1s"
        } else {
            "60s"
        };
        let game = rogue(
            &format!("--at greeting {flags}"),
            &format!("--start-limit {limit}"),
        );
        assert_eq!(
            game.text("reason"),
            format!("rogue could not start: {sentence}")
        );
        assert_eq!(game.text("ended_by"), "could_not_start");
    }
}

/// What a bot does that is late, and the end of the sentence. Its opponent has all the time of a
/// busy machine.
const LATE: [(&str, &str); 7] = [
    (
        "hang",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "--at place hang",
        "no reply to place within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "say-and-hang atta",
        "no reply to attack within 1 s (partial line \"atta\", no newline)",
    ),
    (
        "say-and-hang '# hm\\n# well\\n'",
        "no reply to attack within 1 s (2 comments, nothing else)",
    ),
    (
        "not-read",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    ),
    (
        "stderr-flood",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    ),
    // Bytes that drip in do not begin the deadline again.
    ("drip", "within 1 s (partial line \"aa"),
];

/// At the same time, since each of them waits for a second.
fn a_late_bot_loses() {
    thread::scope(|scope| {
        for (flags, sentence) in LATE {
            scope.spawn(move || {
                let game = rogue(flags, "--limit 1=1s --limit 2=60s");
                let reason = game.text("reason");
                assert!(reason.contains(sentence), "{flags}: {reason}");
                assert_eq!(game.text("ended_by"), "timeout", "{flags}");
                assert_eq!(game.text("winner"), "awful");
            });
        }
    });
}

const MOMENTS: [&str; 3] = ["greeting", "place", "attack"];

/// 64 KiB are 64 KiB, whatever the moment and however many bytes a read brings.
fn comments_are_bounded_at_64_kib() {
    for moment in MOMENTS {
        for (count, passes) in [(65_536, true), (65_537, false)] {
            let game = rogue(&format!("--at {moment} comments {count}"), "");
            if passes {
                game.won_by("rogue");
            } else {
                assert!(
                    game.text("reason")
                        .ends_with(": said far more than it was asked for"),
                    "{}",
                    game.text("reason")
                );
                let ended_by = if moment == "greeting" {
                    "could_not_start"
                } else {
                    "flood"
                };
                assert_eq!(game.text("ended_by"), ended_by);
            }
        }
    }
}

/// Each line is taken for an answer, first in, first out, so a short game may be over before there
/// are too many of them. This one has no winner.
fn unrequested_lines_become_a_flood() {
    let dir = Dir::new();
    let flood = "test-bot act flood";
    let run = dir
        .run("play --json --max-turns 100000000")
        .arg(flood)
        .arg(flood);
    let game = run.ends().game();
    // It does not read either. Which of the two shows first depends on who is quicker.
    let sentence = match game.text("ended_by") {
        "not_reading" => "does not read its input",
        _ => "said far more than it was asked for",
    };
    assert!(
        game.text("reason")
            .ends_with(&format!(" forfeits: {sentence}")),
        "{}",
        game.text("reason")
    );
}

fn a_reply_before_an_exit_counts() {
    let unended = json!(["it ended its last line without a line feed"]);
    for (reply, warnings) in [("attack 0 0\\n", json!([])), ("attack 0 0", unended)] {
        let game = rogue(&format!("say-and-exit '{reply}'"), "");
        assert_eq!(game.0["shots"][0][3], "hit");
        assert_eq!(game.0["players"][0]["warnings"], warnings);
        game.forfeits("exited", "exited with status 0; nothing on stderr");
    }
}

/// Shots outside the board and on the same cell are wasted, each by itself; the longest line that
/// fits is read.
fn wasted_shots_of_a_salvo_lose_nothing_else() {
    let outside = "salvo 0 0 0 0 10 0 -1 -1 2147483647 -2147483648".to_owned();
    for (shots, reply) in [(5, outside), (100, format!("salvo{}", " 9 9".repeat(100)))] {
        let options = format!("--rules salvo --salvo {shots} --max-turns 2");
        let game = rogue(
            &format!("--plays 'classic salvo' say '{reply}\\n'"),
            &options,
        );
        let fired = &game.0["shots"].as_array().unwrap()[..shots];
        assert_ne!(fired[0][3], "wasted");
        // The shots behind the first cell took no time of their own.
        assert!(
            fired[1..]
                .iter()
                .all(|shot| shot[3] == "wasted" && shot[4] == 0),
            "{fired:?}"
        );
    }
}

fn a_forfeit_is_in_the_transcript() {
    let run = Dir::new();
    let run = run
        .run("play awful --seed 1 --no-pause")
        .arg("rogue=test-bot act say 'fire 3 4\\n'");
    run.succeeds()
        .prints("rogue forfeits: expected \"attack ROW COL\", got \"fire 3 4\".\nawful wins!\n");
}

fn a_flood_does_not_fill_the_transcript() {
    let dir = Dir::new();
    // 20 MiB before its first reply.
    let flood = "head -c 20971520 /dev/zero | tr \"\\0\" x >&2; echo last >&2";
    let rogue = format!("rogue=sh -c '{flood}; exec test-bot act nothing'");
    dir.run("play awful --seed 1 --no-pause --transcript dialogue --start-limit 60s")
        .arg(rogue)
        .succeeds();
    let dialogue = dir.text("dialogue");
    assert!(dialogue.len() < 200_000, "{}", dialogue.len());
    has(&dialogue, " bytes of its log are left out here ...\n");
    has(&dialogue, " rogue -> attack ");
}

/// `/proc` has nothing of a process that has ended, and its supervisor has waited for it.
#[cfg(target_os = "linux")]
fn processor_time_of_an_ended_bot_is_recorded() {
    let dir = Dir::new();
    dir.run("match 'test-bot act --after 3 exit 125' awful --games 6 --out r")
        .succeeds();
    let record = dir.record("r");
    let time = &record.of("battleship-series")[0]["cpu_ms"][0];
    assert!(time.as_f64().is_some_and(|time| time > 0.0), "{time}");
}

fn a_bot_cannot_steer_a_dialogue() {
    let dir = Dir::new();
    for (flags, shown) in [
        (
            "--at greeting --stderr '\u{1b}[2J\u{9b}1m' say '# \\e[2J\\rawful -> x\\nready\\n'",
            "\\u{1b}[2J\\rawful -> x",
        ),
        // What it writes besides names and comments is ASCII there too.
        ("say 'attack\u{a0}3 4\\n'", "rogue -> attack\\u{a0}3 4"),
    ] {
        let run = dir.run("play --json --force --transcript dialogue awful");
        run.arg(format!("rogue=test-bot act {flags}")).succeeds();
        let dialogue = dir.text("dialogue");
        has(&dialogue, shown);
        assert!(
            dialogue
                .lines()
                .all(|line| !line.contains(char::is_control)),
            "{dialogue}"
        );
    }
}

/// A name that a bot gives itself, and how it is shown. `LONG` is one of 4,000 bytes, of which 64
/// are shown.
const NAMES: [(&str, &str); 6] = [
    ("../../../etc/passwd", "../../../etc/passwd"),
    ("--out=x", "--out=x"),
    ("Olive\\rawful wins!", "Olive\\rawful wins!"),
    ("Olive\u{2028}awful wins!", "Olive\\u{2028}awful wins!"),
    ("\\e[31mPopeye", "\\u{1b}[31mPopeye"),
    ("LONG", "LONG…"),
];

/// Names are for people, whoever gives them; no file is ever called by one.
fn names_are_no_paths_or_lines() {
    let dir = Dir::new();
    let mut run = dir
        .run("tournament awful --format gauntlet --games 2 --seed 1 -q --out games --report page");
    for (number, (name, _)) in NAMES.iter().enumerate() {
        let name = name.replace("LONG", &"x".repeat(4000));
        run = run.arg(format!(
            "{number}=test-bot act --at greeting say 'name {name}\\nready\\n'"
        ));
    }
    run.arg("'Olive\nawful wins!=awful'").succeeds();
    let record = dir.record("games");
    let games = record.games();
    for (pair, (_, shown)) in games.chunks(2).zip(NAMES) {
        let shown = shown.replace("LONG", &"x".repeat(64));
        assert_eq!(pair[0]["players"][1]["calls_itself"], shown);
    }
    let given = &games.last().unwrap()["players"][1]["name"];
    assert_eq!(given, "Olive\\nawful wins!");
    let mut files: Vec<_> = std::fs::read_dir(dir.path(""))
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["games", "page"]);
    // A header, two games of each pair, and the end of their series.
    assert_eq!(record.lines.len(), 1 + 3 * (NAMES.len() + 1));
}
