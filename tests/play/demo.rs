//! The three choices of the course's sample program.

use crate::common::referee;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_menu_is_the_samples,
        the_mini_game_is_between_popeye_and_bluto,
        the_match_alternates_the_first_mover_and_counts_mediocres_wins,
        the_human_choice_reads_what_is_piped_in
    );
}

const MENU: &str = "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A 100-game match between a mediocre and an awful player, with no pauses
Enter your choice: ";

fn the_menu_is_the_samples() {
    for (typed, answer) in [
        ("", "You did not enter a choice\n"),
        ("\n", "You did not enter a choice\n"),
        ("4\n", "That's not one of the choices.\n"),
        ("x", "That's not one of the choices.\n"),
    ] {
        referee()
            .arg("demo")
            .write_stdin(typed)
            .assert()
            .code(2)
            .stdout(format!("{MENU}{answer}"));
    }
    referee().args(["demo", "--seed", "1"]).write_stdin("1 please\n").assert().code(0).stdout(starts_with(
        format!("{MENU}This mini-game has one ship, a 2-segment rowboat.\nPopeye's turn.  Board for Bluto:\n"),
    ));
}

fn the_mini_game_is_between_popeye_and_bluto() {
    referee()
        .args(["demo", "1", "--seed", "2"])
        .assert()
        .code(0)
        .stdout(
            contains("destroyed the rowboat, resulting in:")
                .and(ends_with("Popeye wins!\n").or(ends_with("Bluto wins!\n"))),
        );
}

fn the_match_alternates_the_first_mover_and_counts_mediocres_wins() {
    let output = referee()
        .args(["demo", "3", "--games", "4", "--seed", "1"])
        .assert()
        .code(0)
        .get_output()
        .clone();
    let transcript = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = transcript.lines().collect();
    for (game, first) in [
        (1, "Awful Audrey"),
        (2, "Mediocre Mimi"),
        (3, "Awful Audrey"),
    ] {
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

/// The input is for the menu, and behind it for the game.
fn the_human_choice_reads_what_is_piped_in() {
    let played = |arguments: &[&str], typed: &str| {
        let mut command = crate::common::referee();
        let assert = command
            .args(arguments)
            .args(["--seed", "1"])
            .write_stdin(typed)
            .assert();
        String::from_utf8(assert.code(0).get_output().stdout.clone()).unwrap()
    };
    let fleet = "h\n0 0\nh\n1 0\nh\n2 0\nh\n3 0\nh\n4 0\n9 9\n";
    for text in [
        played(&["demo", "2"], fleet),
        played(&["demo"], &format!("2\n{fleet}")),
    ] {
        assert!(
            text.contains("Shuman the Human must place 5 ships.\n"),
            "{text}"
        );
        assert!(
            text.contains("Shuman the Human attacked (9,9) and "),
            "{text}"
        );
        assert!(
            text.contains("\nShuman the Human resigned.\nMediocre Midori wins!\n"),
            "{text}"
        );
    }
}
