//! Protocol 1: what a bot of version 0.1 is told, and what it may say.

use crate::common::{Folder, referee, text_of};

/// The dialogue of a whole game with a bot that decides nothing by chance, as version 1.0 began.
const GAMES: [(&str, &str, &str); 2] =
    [("classic", "8", include_str!("classic.txt")), ("twist", "12", include_str!("twist.txt"))];

/// What was said by both, without the times and the names in front of it.
fn dialogue(transcript: &str) -> Vec<String> {
    let words = transcript.lines().filter_map(|line| {
        let (head, said) = line
            .split_once(" <- ")
            .map(|(head, said)| (head, format!("< {said}")))
            .or_else(|| line.split_once(" -> ").map(|(head, said)| (head, format!("> {said}"))))?;
        head.ends_with("first").then_some(said)
    });
    // What it is told of its time depends on nothing; all of it is kept.
    words.collect()
}

#[test]
#[rows(GAMES)]
fn a_game_is_told_in_the_same_lines((rules, rows, promised): (&str, &str, &str)) {
    let folder = Folder::new();
    let mut command = referee();
    command.args([
        "play",
        "first=awful",
        "second=awful",
        "--seed",
        "1",
        "--no-pause",
        "--max-turns",
        "60",
        "--rules",
        rules,
    ]);
    if rules == "classic" {
        command.args(["--rows", rows]);
    }
    command.args(["--transcript", "said.txt"]).current_dir(folder.path(""));
    // In the twist neither wins.
    let code = command.output().unwrap().status.code();
    assert!(matches!(code, Some(0 | 3)), "{code:?}");
    let said = dialogue(&text_of(folder.path("said.txt")));
    if std::env::var_os("WRITE_PROMISES").is_some() {
        let path = crate::common::project_file("tests/promises").join(format!("{rules}.txt"));
        std::fs::write(path, said.join("\n") + "\n").unwrap();
        return;
    }
    let promised: Vec<&str> = promised.lines().collect();
    assert_eq!(said, promised);
}
