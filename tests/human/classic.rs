//! A person plays at a real pseudo-terminal: what is typed, and everything that the screen shows.

#![cfg(unix)]

use testkit::list::Tests;
use testkit::person::{Person, exit_code};
use testkit::programs::SMALL;
use testkit::terminal::{CTRL_C, CTRL_D};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_person_moves_first_answers_wrongly_at_every_prompt_and_wins,
            a_person_moves_second_loses_and_is_shown_the_winners_ships,
            a_person_who_ends_the_input_resigns,
            a_person_who_leaves_before_the_game_is_shown_no_board,
            a_person_may_be_given_a_limit,
            the_human_bot_as_a_program_of_its_own_asks_at_the_terminal_too,
            ctrl_c_at_a_prompt_ends_the_game
        );
    });
}

/// A person at a terminal in which the referee plays a small game.
fn at_a_terminal_with(arguments: &[&str]) -> Person {
    Person::at_a_terminal_with(&[arguments, &SMALL, &["--plain"]].concat())
}

const DIRECTION: &str = "Enter h or v for direction of rowboat (length 2): ";
const LEFTMOST: &str = "Enter row and column of leftmost cell (e.g. 3 5): ";
const TOPMOST: &str = "Enter row and column of topmost cell (e.g. 3 5): ";
const ATTACK: &str = "Enter the row and column to attack (e.g, 3 5): ";
const ENTER: &str = "Press enter to continue: ";

/// The screen of a person who moves first and wins.
const WINS: &str = "\
Shuman must place 1 ship.
  012
0 ...
1 ...
Enter h or v for direction of rowboat (length 2): 
Direction must be h or v.
Enter h or v for direction of rowboat (length 2): across
Direction must be h or v.
Enter h or v for direction of rowboat (length 2): horizontal
Enter row and column of leftmost cell (e.g. 3 5): a b
You must enter two integers.
Enter row and column of leftmost cell (e.g. 3 5): 0 b
You must enter two integers.
Enter row and column of leftmost cell (e.g. 3 5): 0 2
The ship can not be placed there.
Enter row and column of leftmost cell (e.g. 3 5): 0 1 please
Shuman's turn.  Board for awful:
  012
0 ...
1 ...
Enter the row and column to attack (e.g, 3 5): five
You must enter two integers.
Enter the row and column to attack (e.g, 3 5): 9 9
Shuman wasted a shot at (9,9).
referee: enter continues, a and enter skips all pauses, q and enter ends the game
Press enter to continue: 
awful's turn.  Board for Shuman:
  012
0 .RR
1 ...
awful attacked (1,2) and missed, resulting in:
  012
0 .RR
1 ..o
Press enter to continue: 
Shuman's turn.  Board for awful:
  012
0 ...
1 ...
Enter the row and column to attack (e.g, 3 5): 0 0
Shuman attacked (0,0) and hit something, resulting in:
  012
0 X..
1 ...
Press enter to continue: 
awful's turn.  Board for Shuman:
  012
0 .RR
1 ..o
awful attacked (1,1) and missed, resulting in:
  012
0 .RR
1 .oo
Press enter to continue: 
Shuman's turn.  Board for awful:
  012
0 X..
1 ...
Enter the row and column to attack (e.g, 3 5): 0 1
Shuman attacked (0,1) and destroyed the rowboat, resulting in:
  012
0 XX.
1 ...
Shuman wins!
";

/// The question when a game is over.
const NEXT: &str = "What next? ";

/// The games that can be played after the first game.
const CHOICE: &str = "
You won in 3 attacks, 67% hits; good would have needed 2.

  r      a rematch
  1      against awful
  2      against mediocre
  3      against fair
  4      against decent
  5      against good
  enter  leave

What next? seven
That is not one of the choices.
What next? r
";

fn a_person_moves_first_answers_wrongly_at_every_prompt_and_wins() {
    let (screen, status) = at_a_terminal_with(&["play", "Shuman=human", "awful"])
        .types(DIRECTION, "")
        .types(DIRECTION, "across")
        .types(DIRECTION, "horizontal")
        .types(LEFTMOST, "a b")
        .types(LEFTMOST, "0 b")
        .types(LEFTMOST, "0 2")
        .types(LEFTMOST, "0 1 please")
        .types(ATTACK, "five")
        .types(ATTACK, "9 9")
        .types(ENTER, "")
        .types(ENTER, "")
        .types(ATTACK, "0 0")
        .types(ENTER, "")
        .types(ENTER, "")
        .types(ATTACK, "0 1")
        .types(NEXT, "seven")
        .types(NEXT, "r")
        .presses(DIRECTION, CTRL_D)
        .leaves();
    let (first, second) = screen.split_at(WINS.len());
    assert_eq!(first, WINS);
    assert_eq!(second.split_once("referee: seed ").unwrap().0, CHOICE);
    assert!(
        second.ends_with("awful wins!\nShuman 1, awful 1\n"),
        "{second}"
    );
    assert_eq!(exit_code(status), 0);
}

/// The screen of a person who moves second and loses.
const LOSES: &str = "\
human must place 1 ship.
  012
0 ...
1 ...
Enter h or v for direction of rowboat (length 2): v
Enter row and column of topmost cell (e.g. 3 5): 1 2
The ship can not be placed there.
Enter row and column of topmost cell (e.g. 3 5): 0 2
awful's turn.  Board for human:
  012
0 ..R
1 ..R
awful attacked (1,2) and hit something, resulting in:
  012
0 ..R
1 ..X
human's turn.  Board for awful:
  012
0 ...
1 ...
Enter the row and column to attack (e.g, 3 5): 1 0
human attacked (1,0) and missed, resulting in:
  012
0 ...
1 o..
awful's turn.  Board for human:
  012
0 ..R
1 ..X
awful attacked (1,1) and missed, resulting in:
  012
0 ..R
1 .oX
human's turn.  Board for awful:
  012
0 ...
1 o..
Enter the row and column to attack (e.g, 3 5): 0 0
human attacked (0,0) and hit something, resulting in:
  012
0 X..
1 o..
awful's turn.  Board for human:
  012
0 ..R
1 .oX
awful attacked (1,0) and missed, resulting in:
  012
0 ..R
1 ooX
human's turn.  Board for awful:
  012
0 X..
1 o..
Enter the row and column to attack (e.g, 3 5): 0 2
human attacked (0,2) and missed, resulting in:
  012
0 X.o
1 o..
awful's turn.  Board for human:
  012
0 ..R
1 ooX
awful attacked (0,2) and destroyed the rowboat, resulting in:
  012
0 ..X
1 ooX
awful wins!
Here's where awful's ships were:
  012
0 XRo
1 o..
";

fn a_person_moves_second_loses_and_is_shown_the_winners_ships() {
    let (screen, status) = at_a_terminal_with(&["play", "awful", "human", "--no-pause"])
        .types(DIRECTION, "v")
        .types(TOPMOST, "1 2")
        .types(TOPMOST, "0 2")
        .types(ATTACK, "1 0")
        .types(ATTACK, "0 0")
        .types(ATTACK, "0 2")
        .presses(NEXT, CTRL_D)
        .leaves();
    assert!(screen.starts_with(LOSES), "{screen}");
    assert_eq!(exit_code(status), 0);
}

fn a_person_who_ends_the_input_resigns() {
    let (screen, status) = at_a_terminal_with(&["play", "Shuman=human", "awful"])
        .types(DIRECTION, "h")
        .types(LEFTMOST, "0 0")
        .presses(ATTACK, CTRL_D)
        .leaves();
    let ending = "(e.g, 3 5): \nShuman resigned.\nawful wins!\n\
                  Here's where awful's ships were:\n  012\n0 RR.\n1 ...\n";
    assert!(screen.ends_with(ending), "{screen}");
    assert_eq!(exit_code(status), 0);
}

fn a_person_who_leaves_before_the_game_is_shown_no_board() {
    let (screen, status) = at_a_terminal_with(&["play", "human", "awful"])
        .presses(DIRECTION, CTRL_D)
        .leaves();
    assert!(
        screen.ends_with("(length 2): \nhuman resigned.\nawful wins!\n"),
        "{screen}"
    );
    assert_eq!(exit_code(status), 0);
}

fn a_person_may_be_given_a_limit() {
    let (screen, _) = at_a_terminal_with(&["play", "human", "awful", "--human-limit", "300ms"])
        .sees(DIRECTION)
        .leaves();
    let ending = ": \nhuman forfeits: did not answer within 300 ms.\nawful wins!\n";
    assert!(screen.ends_with(ending), "{screen}");
}

fn the_human_bot_as_a_program_of_its_own_asks_at_the_terminal_too() {
    let bot = env!("CARGO_BIN_EXE_human-bot");
    let (screen, status) = at_a_terminal_with(&["play", bot, "awful", "--no-pause"])
        .types(DIRECTION, "h")
        .types(LEFTMOST, "0 0")
        .types(ATTACK, "0 0")
        .types(ATTACK, "0 1")
        .leaves();
    assert!(screen.ends_with("human-bot wins!\n"), "{screen}");
    assert_eq!(exit_code(status), 0);
}

fn ctrl_c_at_a_prompt_ends_the_game() {
    for prompts in [&[DIRECTION][..], &[DIRECTION, LEFTMOST, ATTACK, ENTER]] {
        let mut person = at_a_terminal_with(&["play", "human", "awful"]);
        let answers = ["h", "0 0", "1 1"];
        let (last, before) = prompts.split_last().unwrap();
        for (prompt, answer) in before.iter().zip(answers) {
            person.types(prompt, answer);
        }
        let (screen, status) = person.presses(last, CTRL_C).leaves();
        assert!(
            screen.ends_with("referee: the game was interrupted\n"),
            "{screen}"
        );
        assert_eq!(exit_code(status), 130);
    }
}
