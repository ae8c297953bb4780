//! The three choices of the course's sample program.

use crate::common::referee;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};

const MENU: &str = "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A 100-game match between a mediocre and an awful player, with no pauses
Enter your choice: ";

#[test]
fn the_menu_is_the_samples() {
    for (typed, answer) in [
        ("", "You did not enter a choice\n"),
        ("\n", "You did not enter a choice\n"),
        ("4\n", "That's not one of the choices.\n"),
        ("x", "That's not one of the choices.\n"),
    ] {
        referee().arg("demo").write_stdin(typed).assert().code(2).stdout(format!("{MENU}{answer}"));
    }
    referee().args(["demo", "--seed", "1"]).write_stdin("1 please\n").assert().code(0).stdout(starts_with(
        format!("{MENU}This mini-game has one ship, a 2-segment rowboat.\nPopeye's turn.  Board for Bluto:\n"),
    ));
}

#[test]
fn the_mini_game_is_between_popeye_and_bluto() {
    referee().args(["demo", "1", "--seed", "2"]).assert().code(0).stdout(
        contains("destroyed the rowboat, resulting in:")
            .and(ends_with("Popeye wins!\n").or(ends_with("Bluto wins!\n"))),
    );
}

#[test]
fn the_match_alternates_the_first_mover_and_counts_mediocres_wins() {
    let output = referee()
        .args(["demo", "3", "--games", "4", "--seed", "1"])
        .assert()
        .code(0)
        .get_output()
        .clone();
    let transcript = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = transcript.lines().collect();
    for (game, first) in [(1, "Awful Audrey"), (2, "Mediocre Mimi"), (3, "Awful Audrey")] {
        let header =
            format!("============================= Game {game} =============================");
        let at = lines.iter().position(|line| *line == header).unwrap();
        assert!(lines[at + 1].starts_with(&format!("{first}'s turn.  Board for ")));
    }
    let wins = transcript.matches("Mediocre Mimi wins!\n").count();
    let losses = transcript.matches("Awful Audrey wins!\n").count();
    assert_eq!(wins + losses, 4);
    assert!(transcript.ends_with(&format!("The mediocre player won {wins} out of 4 games.\n")));
}

#[test]
#[needs(SETSID)]
fn without_a_terminal_the_human_choice_says_what_is_missing() {
    // In a session of its own there is no terminal to ask on.
    assert_cmd::Command::new("setsid")
        .args(["--wait", env!("CARGO_BIN_EXE_referee"), "demo", "2", "--seed", "1"])
        .assert()
        .code(4)
        .stderr(
            contains("Shuman the Human could not start")
                .and(contains("a human player needs a terminal")),
        );
}
