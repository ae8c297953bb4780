//! The dialogues in `protocol.md` are what the real programs say.

#![cfg(unix)]

use std::process::Command;

use super::markdown::blocks;
use crate::common::terminal::Terminal;
use crate::common::{project_file, text_of};

/// The one block of that language in the section under `heading`.
fn block(protocol: &str, heading: &str, language: &str) -> Vec<String> {
    let section = protocol
        .split("\n### ")
        .find(|section| section.starts_with(heading))
        .unwrap();
    let mut found = blocks(section);
    found.retain(|block| block.language == language);
    assert_eq!(found.len(), 1, "{heading}: blocks of {language}");
    found[0].text.lines().map(str::to_owned).collect()
}

/// Runs the section's command, in a folder with `files`, at a terminal on which `typed` is typed; compares the
/// dialogue that the referee writes down with the section's.
fn check(heading: &str, files: &[(&str, String)], typed: &[String]) {
    let protocol = text_of(project_file("protocol.md"));
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let console = block(&protocol, heading, "console");
    let arguments = console[0].strip_prefix("$ referee ").unwrap();
    let mut command = Command::new("sh");
    let line = format!(
        "{} {arguments} --transcript dialogue.txt",
        env!("CARGO_BIN_EXE_referee")
    );
    command.current_dir(folder.path()).args(["-c", &line]);
    let mut terminal = Terminal::of(command);
    for line in typed {
        terminal.expect("): ").unwrap();
        terminal.send(&format!("{line}\n"));
    }
    if !typed.is_empty() {
        // Enter leaves after the game.
        terminal.expect("What next? ").unwrap();
        terminal.send("\n");
    }
    terminal.ends();
    let dialogue = text_of(folder.path().join("dialogue.txt"));
    let said: Vec<_> = dialogue.lines().map(|line| &line[11..]).collect();
    assert_eq!(
        said.join("\n"),
        block(&protocol, heading, "dialogue").join("\n"),
        "{heading}"
    );
}

/// The same with the section's script in the file of that name.
fn check_with_script(heading: &str, file: &str) {
    let protocol = text_of(project_file("protocol.md"));
    let script = block(&protocol, heading, "sh").join("\n") + "\n";
    check(heading, &[(file, script)], &[]);
}

#[test]
fn the_game_is_played_as_written() {
    check("A game\n", &[], &[]);
}

#[test]
fn the_bad_reply_is_judged_as_written() {
    check_with_script("A bad reply\n", "wimpy.sh");
}

#[test]
fn the_game_with_a_human_is_played_as_written() {
    let protocol = text_of(project_file("protocol.md"));
    let typed = block(&protocol, "A game with a human\n", "typed");
    check("A game with a human\n", &[], &typed);
}

#[test]
fn the_ships_that_touch_are_judged_as_written() {
    check_with_script("Ships that touch\n", "crowd.sh");
}

#[test]
fn the_salvo_game_is_played_as_written() {
    check("A salvo game\n", &[], &[]);
}

#[test]
fn the_twist_game_is_played_as_written() {
    check_with_script("A twist game\n", "sailor.sh");
}
