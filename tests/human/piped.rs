//! A person whose input comes from a pipe or a file, as in a script: the course's sample program reads it, too.

use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::{SMALL, program, referee};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            what_is_piped_in_places_and_attacks,
            two_people_read_the_same_input_in_turn,
            the_end_of_what_is_piped_in_resigns,
            the_prompts_are_not_part_of_data,
            what_can_be_typed_is_shown_to_those_who_ask
        );
    });
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            add!(tests, no_other_bot_gets_what_a_person_types);
        });
    }
}

/// A game in which `typed` is piped in; returns the exit code, and what was printed.
fn played(players: [&str; 2], options: &[&str], typed: &str) -> (i32, String, String) {
    let mut command = referee();
    command
        .arg("play")
        .args(players)
        .args(options)
        .write_stdin(typed);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn what_is_piped_in_places_and_attacks() {
    let (code, text, _) = played(["human", "awful"], &SMALL, "h\n0\n1\n\n0 0\n0\n1\n");
    let expected = "\
human must place 1 ship.
  012
0 ...
1 ...
Enter h or v for direction of rowboat (length 2): \
Enter row and column of leftmost cell (e.g. 3 5): \
human's turn.  Board for awful:
  012
0 ...
1 ...
Enter the row and column to attack (e.g, 3 5): \
human attacked (0,0) and hit something, resulting in:
  012
0 X..
1 ...
awful's turn.  Board for human:
  012
0 .RR
1 ...
awful attacked (1,2) and missed, resulting in:
  012
0 .RR
1 ..o
human's turn.  Board for awful:
  012
0 X..
1 ...
Enter the row and column to attack (e.g, 3 5): \
human attacked (0,1) and destroyed the rowboat, resulting in:
  012
0 XX.
1 ...
human wins!
";
    assert_eq!((code, text.as_str()), (0, expected));
}

/// Neither takes what was typed for the other, be the input a pipe or a file.
fn two_people_read_the_same_input_in_turn() {
    let typed = "h\n0 0\nv\n0 2\n1 1\n1 1\n0 2\n0 0\n1 2\n";
    let (code, text, _) = played(["A=human", "B=human"], &SMALL, typed);
    assert_eq!(code, 0, "{text}");
    let of_file = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("typed");
        std::fs::write(&path, typed).unwrap();
        let mut command = program("referee");
        command.args(["play", "A=human", "B=human"]).args(SMALL);
        let output = command
            .stdin(std::fs::File::open(path).unwrap())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for text in [text, of_file] {
        for said in [
            "A must place 1 ship.\n",
            "B must place 1 ship.\n",
            "A attacked (1,1) and missed",
            "B attacked (1,1) and missed",
            "A attacked (0,2) and hit something",
            "B attacked (0,0) and hit something",
            "A attacked (1,2) and destroyed the rowboat",
        ] {
            assert!(text.contains(said), "{said}\n{text}");
        }
        assert!(text.contains("\nA wins!\n"), "{text}");
    }
}

fn the_end_of_what_is_piped_in_resigns() {
    for typed in ["", "h", "h\n0 0\n", "h\n0 0\n1"] {
        let (code, text, _) = played(["human", "awful"], &SMALL, typed);
        assert_eq!(code, 0, "{text}");
        assert!(
            text.contains("\nhuman resigned.\nawful wins!\n"),
            "{typed:?} {text}"
        );
    }
}

fn the_prompts_are_not_part_of_data() {
    let options = [&SMALL[..], &["--json"]].concat();
    let (code, text, errors) = played(["human", "awful"], &options, "h\n0 0\n0 0\n0 1\n");
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (code, &record["winner"]),
        (0, &Value::from("human")),
        "{record}"
    );
    assert!(errors.contains("human must place 1 ship.\n"), "{errors}");
}

fn what_can_be_typed_is_shown_to_those_who_ask() {
    let (_, text, _) = played(["human", "awful"], &SMALL, "help\nh\n?\n(0,0)\n1,2\n");
    assert_eq!(
        text.matches("Type a row and a column, from 0, as 3 5 or (3,5).")
            .count(),
        2,
        "{text}"
    );
    assert!(text.contains("human attacked (1,2) and missed"), "{text}");
    let options = ["--rules", "twist", "--seed", "1"];
    let (_, text, _) = played(["human", "awful"], &options, "?\nhelp\n");
    assert_eq!(
        text.matches("Type the first and the last cell of the unit")
            .count(),
        2,
        "{text}"
    );
}

/// The input is for the shipped player alone: another bot has its three streams, and no word of others.
#[cfg(target_os = "linux")]
fn no_other_bot_gets_what_a_person_types() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "spy=sh -c 'ls /proc/$$/fd > fds; env > names; while read word rest; do case $word in \
               battleship) echo ready;; place) echo place 1 0 h;; attack) echo attack 0 0;; quit) exit;; esac; done'";
    let mut command = referee();
    command
        .args(["play", "human", bot, "--env", "BATTLESHIP_PERSON_STREAMS"])
        .args(SMALL);
    command
        .env("BATTLESHIP_PERSON_STREAMS", "0 1")
        .current_dir(folder.path());
    command.write_stdin("h\n0 0\n1 0\n1 1\n").assert().code(0);
    let text = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let fds = text("fds");
    // With 10, the shell remembers its output while it redirects that.
    let inherited = fds.split_whitespace().filter(|number| *number != "10");
    assert_eq!(inherited.collect::<Vec<_>>(), ["0", "1", "2"]);
    assert!(
        !text("names").contains("PERSON_STREAMS"),
        "{}",
        text("names")
    );
}
