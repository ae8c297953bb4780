//! Protocol 1: what a bot receives, and what it may say.

use crate::common::{Folder, PLACEMENT, project_file, referee, scripted, text_of};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, GAMES, a_game_is_told_in_the_same_lines);
}

/// A game of two bots that say what is written here: its name, which is that of its file in `dialogues` too; the placements; the
/// orders of the first and of the second; further arguments, and the exit code.
type Row = (
    &'static str,
    [&'static str; 2],
    (&'static [&'static str], &'static str),
    (&'static [&'static str], i32),
);

/// The placement of a twist fleet.
const TWIST: &str = "place 0 0 h 2 0 h 4 0 h 6 0 h 8 0 h 10 0 h 1 0 h 3 0 h";

const GAMES: [Row; 5] = [
    (
        "won",
        ["place 0 0 h", "place 1 0 h"],
        (
            &["attack 0 0", "attack 0 0", "attack 1 1", "attack 1 0"],
            "attack 0 0",
        ),
        (&["--rows", "2", "--cols", "2", "--ship", "2 R rowboat"], 0),
    ),
    (
        "resigned",
        [PLACEMENT, PLACEMENT],
        (&["attack 4 0", "attack 4 1", "resign"], "attack 9 9"),
        (&[], 0),
    ),
    (
        "a wrong reply",
        [PLACEMENT, PLACEMENT],
        (&["attack 0 0", "attack nowhere"], "attack 9 9"),
        (&[], 0),
    ),
    (
        "a remark",
        [PLACEMENT, PLACEMENT],
        (&["# thinking\nattack 0 0", "resign"], "attack 9 9"),
        (&[], 0),
    ),
    (
        "twist",
        [TWIST, TWIST],
        (
            &[
                "act 0 2 0 0",
                "act 6 1 1 6",
                "act 1 0 5 5",
                "act 5 5 8 8",
                "act 2 2 0 0",
            ],
            "act 0 2 11 11",
        ),
        (&["--rules", "twist", "--max-turns", "5"], 3),
    ),
];

/// Returns the lines that the first player was told and those that it said, without the times and the names in front of them.
fn dialogue(transcript: &str) -> Vec<String> {
    let said = |line: &str| {
        let (head, sign, words) = [" <- ", " -> "].into_iter().find_map(|arrow| {
            let (head, words) = line.split_once(arrow)?;
            Some((head, if arrow == " <- " { '<' } else { '>' }, words))
        })?;
        // The text of an error is for people, and may become a better one.
        let words = if words.starts_with("error ") {
            "error TEXT"
        } else {
            words
        };
        head.ends_with("first").then(|| format!("{sign} {words}"))
    };
    transcript.lines().filter_map(said).collect()
}

fn a_game_is_told_in_the_same_lines((name, placements, (orders, answer), (arguments, code)): Row) {
    let folder = Folder::new();
    let mut command = referee();
    let first = scripted("first", &[&[placements[0]], orders].concat());
    command.args([
        "play",
        &first,
        &scripted("second", &[placements[1], answer]),
    ]);
    command
        .args(["--seed", "1", "--no-pause", "--transcript", "said.txt"])
        .args(arguments);
    let output = command.current_dir(folder.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    // The limit is that of every machine, and the seed is given: all lines are the same each time.
    let said = dialogue(&text_of(folder.path("said.txt"))).join("\n") + "\n";
    let path = project_file("tests/promises/dialogues").join(format!("{name}.txt"));
    assert_eq!(said, text_of(&path));
}
