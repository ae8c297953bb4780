//! A person plays in plain words, at a real pseudo-terminal or from a pipe: what is typed, and
//! everything that is shown.

use testkit::list::Tests;
use testkit::person::Person;
use testkit::run::{Dir, SMALL};
use testkit::terminal::{CTRL_C, CTRL_D};
use testkit::text::{ends, has, lacks};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_person_who_moves_first_wins,
        a_person_who_loses_sees_the_winners_ships,
        a_person_who_ends_the_input_resigns,
        a_person_who_leaves_early_sees_no_board,
        a_person_may_have_a_limit,
        the_human_bot_asks_at_the_terminal,
        ctrl_c_at_a_prompt_ends_the_game,
        a_pipe_places_and_attacks,
        two_people_read_one_input_in_turn,
        the_end_of_a_pipe_resigns,
        prompts_are_not_part_of_data,
        help_is_shown_to_those_who_ask,
        no_other_bot_gets_what_a_person_types,
        a_person_wins_a_twist_game,
        the_end_of_input_resigns_a_twist_game
    );
}

/// A person at a terminal in which the referee plays a small game.
fn at_a_terminal_with(words: &str) -> Person {
    Person::at_a_terminal_with(&format!("{words} {SMALL} --plain"))
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

fn a_person_who_moves_first_wins() {
    let screen = at_a_terminal_with("play Shuman=human awful")
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
        .leaves(0);
    let (first, second) = screen.split_at(WINS.len());
    assert_eq!(first, WINS);
    assert_eq!(second.split_once("referee: seed ").unwrap().0, CHOICE);
    ends(second, "awful wins!\nShuman 1, awful 1\n");
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

fn a_person_who_loses_sees_the_winners_ships() {
    let screen = at_a_terminal_with("play awful human --no-pause")
        .types(DIRECTION, "v")
        .types(TOPMOST, "1 2")
        .types(TOPMOST, "0 2")
        .types(ATTACK, "1 0")
        .types(ATTACK, "0 0")
        .types(ATTACK, "0 2")
        .presses(NEXT, CTRL_D)
        .leaves(0);
    assert!(screen.starts_with(LOSES), "{screen}");
}

fn a_person_who_ends_the_input_resigns() {
    let screen = at_a_terminal_with("play Shuman=human awful")
        .types(DIRECTION, "h")
        .types(LEFTMOST, "0 0")
        .presses(ATTACK, CTRL_D)
        .leaves(0);
    let ending = "(e.g, 3 5): \nShuman resigned.\nawful wins!\n\
                  Here's where awful's ships were:\n  012\n0 RR.\n1 ...\n";
    ends(&screen, ending);
}

fn a_person_who_leaves_early_sees_no_board() {
    let screen = at_a_terminal_with("play human awful")
        .presses(DIRECTION, CTRL_D)
        .leaves(0);
    ends(&screen, "(length 2): \nhuman resigned.\nawful wins!\n");
}

fn a_person_may_have_a_limit() {
    let screen = at_a_terminal_with("play human awful --limit human=300ms")
        .sees(DIRECTION)
        .leaves(0);
    let ending = ": \nhuman forfeits: did not answer within 300 ms.\nawful wins!\n";
    ends(&screen, ending);
}

fn the_human_bot_asks_at_the_terminal() {
    let bot = env!("CARGO_BIN_EXE_human-bot");
    let screen = at_a_terminal_with(&format!("play {bot} awful --no-pause"))
        .types(DIRECTION, "h")
        .types(LEFTMOST, "0 0")
        .types(ATTACK, "0 0")
        .types(ATTACK, "0 1")
        .leaves(0);
    ends(&screen, "human-bot wins!\n");
}

fn ctrl_c_at_a_prompt_ends_the_game() {
    for prompts in [&[DIRECTION][..], &[DIRECTION, LEFTMOST, ATTACK, ENTER]] {
        let mut person = at_a_terminal_with("play human awful");
        let answers = ["h", "0 0", "1 1"];
        let (last, before) = prompts.split_last().unwrap();
        for (prompt, answer) in before.iter().zip(answers) {
            person.types(prompt, answer);
        }
        let screen = person.presses(last, CTRL_C).leaves(130);
        ends(&screen, "referee: the game was interrupted\n");
    }
}

/// A small game of these players, into which this is piped.
fn piped(words: &str, typed: &str) -> String {
    let done = Dir::new().run(format!("play {words}")).small().types(typed);
    done.exits(0).stdout.clone()
}

fn a_pipe_places_and_attacks() {
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
    assert_eq!(piped("human awful", "h\n0\n1\n\n0 0\n0\n1\n"), expected);
}

/// Neither takes what was typed for the other, be the input a pipe or a file.
fn two_people_read_one_input_in_turn() {
    let typed = "h\n0 0\nv\n0 2\n1 1\n1 1\n0 2\n0 0\n1 2\n";
    let dir = Dir::new();
    dir.file("typed", typed);
    let shell = format!("referee play A=human B=human {SMALL} < typed");
    let from_file = dir.program("sh", "-c").arg(shell).succeeds().stdout;
    for text in [piped("A=human B=human", typed), from_file] {
        for line in [
            "A must place 1 ship.\n",
            "B must place 1 ship.\n",
            "A attacked (1,1) and missed",
            "B attacked (1,1) and missed",
            "A attacked (0,2) and hit something",
            "B attacked (0,0) and hit something",
            "A attacked (1,2) and destroyed the rowboat",
            "\nA wins!\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}

fn the_end_of_a_pipe_resigns() {
    for typed in ["", "h", "h\n0 0\n", "h\n0 0\n1"] {
        let text = piped("human awful", typed);
        assert!(
            text.contains("\nhuman resigned.\nawful wins!\n"),
            "{typed:?} {text}"
        );
    }
}

fn prompts_are_not_part_of_data() {
    let done = Dir::new()
        .run("play human awful --json")
        .small()
        .types("h\n0 0\n0 0\n0 1\n");
    done.exits(0)
        .warns("human must place 1 ship.\n")
        .game()
        .won_by("human");
}

fn help_is_shown_to_those_who_ask() {
    let text = piped("human awful", "help\nh\n?\n(0,0)\n1,2\n");
    let help = "Type a row and a column, from 0, as 3 5 or (3,5).";
    assert_eq!(text.matches(help).count(), 2, "{text}");
    has(&text, "human attacked (1,2) and missed");
    let done = Dir::new()
        .run("play human awful --rules twist --seed 1")
        .types("?\nhelp\n");
    let help = "Type the first and the last cell of the unit";
    assert_eq!(done.stdout.matches(help).count(), 2, "{}", done.stdout);
}

/// The input is for the shipped player alone: another bot has its three streams, and no word of
/// others.
fn no_other_bot_gets_what_a_person_types() {
    let dir = Dir::new();
    let bot = "spy=sh -c 'ls /proc/$$/fd > fds; while read word rest; do case $word in \
               battleship) echo ready;; place) echo place 1 0 h;; attack) echo attack 0 0;; quit) exit;; esac; done'";
    let run = dir.run("play human").arg(bot).small();
    run.types("h\n0 0\n1 0\n1 1\n").exits(0);
    let fds = dir.text("fds");
    // With 10, the shell remembers its output while it redirects that.
    let inherited = fds.split_whitespace().filter(|number| *number != "10");
    assert_eq!(inherited.collect::<Vec<_>>(), ["0", "1", "2"]);
}

const FIRST_UNIT: &str = "Enter bow and stern of a battleship (length 5, e.g. B6 B10): ";
const ORDER: &str = "Enter origin and target (e.g. C3 A1; SS SS for help): ";

/// Places all units below the rows that awful fires at first.
fn places(person: &mut Person) -> &mut Person {
    for ends in ["F1 F5", "G1 G5", "H1 H5"] {
        person.types(FIRST_UNIT, ends);
    }
    for ends in ["I1 I3", "L1 L3", "M1 M3"] {
        person.types("support ship (length 3, e.g. B6 B8): ", ends);
    }
    for ends in ["N1 N1", "N12 N12"] {
        person.types("submarine (length 1, e.g. B6 B6): ", ends);
    }
    person
}

fn a_person_wins_a_twist_game() {
    let mut person = Person::at_a_terminal_with(
        "play Shuman=human awful --rules twist --first 1 --seed 1 --no-pause --plain",
    );
    for ends in ["", "F1 F4", "F5 F1"] {
        person.types(FIRST_UNIT, ends);
    }
    places(&mut person);
    // A submarine moves to where it sees what awful placed in rows, as it always does.
    for order in ["boo", "F1 A1", "I2 F1", "SS SS", "N12 C3", "XX XX", "AA AA"] {
        person.types(ORDER, order);
    }
    let rows = [
        ('A', 5),
        ('C', 5),
        ('E', 5),
        ('G', 3),
        ('I', 3),
        ('M', 3),
        ('B', 1),
        ('D', 1),
    ];
    for (row, length) in rows {
        for column in 1..=length {
            person.types(ORDER, &format!("F3 {row}{column}"));
        }
    }
    let screen = person.types("What next? ", "").leaves(0);
    let after =
        "Shuman wins!\n\nYou won in 27 turns.\n\n  r      a rematch\n  1      against awful\n";
    has(&screen, after);
    for shown in [
        "Two cells are needed, as B6 B10",
        "is 4 cells long, and the unit is 5.\n",
        "the stern F1 is left of the bow F5 or above it.\n",
        "That is not possible: ",
        " at F1",
        "XX XX          show both grids\n",
        "             Defence board                           Attack board\n  1  2  3 ",
        "must place 8 units.\n  1  2  3  4  5  6  7  8  9  10 11 12\nA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A\n",
        "Shuman moved a submarine from N12 to C3; it found 17 cells of units.\n",
        "A ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A\tA Y  Y  Y  Y  Y  ~  ~  ~  ~  ~  ~  ~  A\n",
        "Shuman fired from F3 at A1: a hit.\n",
        "awful fired at A1: a miss.\n",
    ] {
        assert!(screen.contains(shown), "{shown}\n{screen}");
    }
    // The orders of awful to its units stay its own business.
    lacks(&screen, "awful fired from");
}

fn the_end_of_input_resigns_a_twist_game() {
    let mut person = Person::at_a_terminal_with("demo pc --seed 1 --no-pause");
    places(&mut person);
    let screen = person.presses(ORDER, CTRL_D).leaves(0);
    ends(&screen, "Player resigned.\nComputer wins!\n");
}
