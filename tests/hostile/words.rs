//! Bots that say what is nearly right, or wrong in a way that is hard to see.

use testkit::arena::{Arena, Way};
use testkit::list::Tests;
use testkit::programs::misbehaving;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        digits_and_spaces_of_other_alphabets_are_none,
        a_byte_order_mark_is_seen_and_shown,
        a_number_is_not_empty,
        nothing_that_a_bot_says_or_writes_can_steer_a_terminal,
        a_transcript_has_no_control_character_of_a_bot,
        a_long_name_is_cut,
        a_name_on_the_command_line_is_one_line_too
    );
    rows!(tests, NUMBERS, a_number_is_small_and_plain);
    rows!(tests, NAMES, a_name_is_neither_a_path_nor_a_line);
    tests.needing(&[UNIX], |tests| {
        add!(tests, moves_that_are_said_ahead_are_taken_in_their_order);
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            a_reply_that_comes_too_late_does_not_answer_the_next_request
        );
    });
}

/// A bot that says this instead of an attack loses to awful in both ways; what it said is shown as `quoted`.
fn is_no_attack(said: &str, quoted: &str) {
    for way in Way::SUPERVISED_OR_NOT {
        let rogue = misbehaving(&format!("say '{said}\\n'"));
        let sentence = format!("expected \"attack ROW COL\", got {quoted}");
        Arena::new(way)
            .play([&rogue, "awful"])
            .is_forfeit("bad_reply", &sentence);
    }
}

const CODES: &str = "(replies are ASCII; other characters are quoted as their codes)";

fn digits_and_spaces_of_other_alphabets_are_none() {
    is_no_attack(
        "attack \u{663} 4",
        "\"attack \\u{663} 4\" (\"\\u{663}\" is not a plain whole number of 32 bits)",
    );
    is_no_attack(
        "attack \u{ff13} 4",
        "\"attack \\u{ff13} 4\" (\"\\u{ff13}\" is not a plain whole number of 32 bits)",
    );
    for code in ["a0", "2009", "3000", "2800"] {
        let space = char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
        let quoted = format!("\"attack\\u{{{code}}}3 4\" {CODES}");
        is_no_attack(&format!("attack{space}3 4"), &quoted);
    }
    is_no_attack(
        "\u{430}ttack 3 4",
        &format!("\"\\u{{430}}ttack 3 4\" {CODES}"),
    );
    is_no_attack("attack\t3 4", "\"attack\\t3 4\"");
}

fn a_byte_order_mark_is_seen_and_shown() {
    is_no_attack(
        "\u{feff}attack 3 4",
        &format!("\"\\u{{feff}}attack 3 4\" {CODES}"),
    );
}

const NUMBERS: [&str; 10] = [
    "18446744073709551616",
    "99999999999999999999999999999999999999999999999999",
    "2147483648",
    "-2147483649",
    "-0",
    "+7",
    "007",
    "1e3",
    "0x7",
    "3.0",
];

fn a_number_is_small_and_plain(number: &str) {
    let why = format!("\"{number}\" is not a plain whole number of 32 bits");
    is_no_attack(
        &format!("attack 3 {number}"),
        &format!("\"attack 3 {number}\" ({why})"),
    );
}

fn a_number_is_not_empty() {
    is_no_attack("attack 3 ", "\"attack 3 \" (a space too many)");
}

/// Otherwise it would be the reply to the next request.
fn a_reply_that_comes_too_late_does_not_answer_the_next_request(way: Way) {
    let arena = Arena::new(way).with(&["--limits", "1s:60s"]);
    let rogue = arena.shell("sleep 5; reply");
    let silence = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";
    let seen = arena.play([&rogue, "awful"]);
    seen.is_forfeit("timeout", silence);
    assert_eq!(seen.record["shots"].as_array().unwrap().len(), 0);
}

/// The verdict is the same, whether the moves come together or one by one.
fn moves_that_are_said_ahead_are_taken_in_their_order() {
    let ahead = "[ $n = 0 ] && { while [ $n -lt 100 ]; do reply; done; }";
    let mut games = Vec::new();
    for way in Way::SUPERVISED_OR_NOT {
        for deed in ["reply", ahead] {
            let arena = Arena::new(way);
            let rogue = arena.shell(&format!("{deed}\n true"));
            let seen = arena.play([&rogue, "awful"]);
            seen.is_won_by("rogue");
            let shots = seen.record["shots"].as_array().unwrap().iter();
            games.push(
                shots
                    .map(|shot| (shot[1].clone(), shot[2].clone()))
                    .collect::<Vec<_>>(),
            );
        }
    }
    assert!(games.iter().all(|game| *game == games[0]));
}

fn nothing_that_a_bot_says_or_writes_can_steer_a_terminal() {
    // Colours, the clipboard, a C1 control, and a mark that turns the line around.
    let evil = "\\e[31m\\e]52;c;aGk=\u{9b}1m\u{202e}";
    let shown = "\\u{1b}[31m\\u{1b}]52;c;aGk=\\u{9b}1m\\u{202e}";
    is_no_attack(evil, &format!("\"{shown}\" {CODES}"));
    for way in Way::SUPERVISED_OR_NOT {
        let rogue = misbehaving("exit 1");
        let spoken = "\u{1b}[31m\u{1b}]52;c;aGk=\u{9b}1m\u{202e}";
        let rogue = rogue.replace("exit 1", &format!("--stderr '{spoken}' exit 1"));
        let sentence = format!("exited with status 1; last words on stderr: \"{shown}\"");
        Arena::new(way)
            .play([&rogue, "awful"])
            .is_forfeit("exited", &sentence);
    }
}

fn a_transcript_has_no_control_character_of_a_bot() {
    let arena = Arena::new(Way::Supervised).with(&["--transcript", "dialogue"]);
    let rogue = misbehaving(
        "--at greeting --stderr '\u{1b}[2J\u{9b}1m' say '# \\e[2J\\rawful -> x\\nready\\n'",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
    let dialogue = std::fs::read_to_string(arena.folder().join("dialogue")).unwrap();
    assert!(dialogue.contains("\\u{1b}[2J\\rawful -> x"), "{dialogue}");
    // What it says besides names and comments is ASCII there too.
    let rogue = misbehaving("say 'attack\u{a0}3 4\\n'");
    let arena = Arena::new(Way::Supervised).with(&["--transcript", "dialogue"]);
    arena.play([&rogue, "awful"]);
    let dialogue = std::fs::read_to_string(arena.folder().join("dialogue")).unwrap();
    assert!(dialogue.contains("rogue -> attack\\u{a0}3 4"), "{dialogue}");
    assert!(
        dialogue
            .lines()
            .all(|line| !line.contains(char::is_control)),
        "{dialogue}"
    );
}

/// A name that a bot gives itself, and how it is shown.
const NAMES: [(&str, &str); 4] = [
    ("../../../etc/passwd", "../../../etc/passwd"),
    ("--record=x", "--record=x"),
    ("Olive\\rawful wins!", "Olive\\rawful wins!"),
    ("Olive\u{2028}awful wins!", "Olive\\u{2028}awful wins!"),
];

/// Names are for people; no file is ever called by one.
fn a_name_is_neither_a_path_nor_a_line((name, shown): (&str, &str)) {
    let arena =
        Arena::new(Way::Supervised).with(&["--record", "games", "--transcript", "dialogue"]);
    let rogue = misbehaving(&format!("--at greeting say 'name {name}\\nready\\n'"));
    let seen = arena.play([&rogue, "awful"]);
    seen.is_won_by("rogue");
    assert_eq!(seen.record["players"][0]["calls_itself"], shown);
    let files = std::fs::read_dir(arena.folder()).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["dialogue", "games", "stderr", "stdout"]);
    let games = std::fs::read_to_string(arena.folder().join("games")).unwrap();
    assert_eq!(games.lines().count(), 1);
}

fn a_long_name_is_cut() {
    let long = misbehaving(&format!(
        "--at greeting say 'name {}\\nready\\n'",
        "x".repeat(4000)
    ));
    let seen = Arena::new(Way::Supervised).play([&long, "awful"]);
    assert_eq!(
        seen.record["players"][0]["calls_itself"],
        format!("{}…", "x".repeat(64))
    );
}

fn a_name_on_the_command_line_is_one_line_too() {
    let seen = Arena::new(Way::Supervised).play(["'Olive\nawful wins!=awful'", "awful"]);
    seen.is_won_by("Olive\\nawful wins!");
}
