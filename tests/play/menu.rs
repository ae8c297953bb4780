//! The menu of `referee` alone at a terminal.

#![cfg(unix)]

use testkit::list::Tests;
use testkit::person::Person;
use testkit::programs::{block, project_file, text_of};
use testkit::run::Dir;
use testkit::screen::Screen;
use testkit::terminal::CTRL_D;
use testkit::text::{ends, has};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            enter_leaves_the_menu_of_the_readme,
            q_and_ctrl_d_leave_the_menu,
            a_chosen_command_is_shown_and_runs,
            watched_bots_play_on_by_themselves,
            everything_else_is_the_help,
            a_wrong_choice_is_asked_for_five_times,
            a_new_bot_replaces_nothing,
            a_new_bot_gets_the_chosen_name,
            a_new_bot_lies_beside_the_source,
            a_missing_referee_is_typed_otherwise,
            without_a_terminal_there_is_help,
            help_is_the_same_however_asked_for
        );
    });
}

const CHOICE: &str = "A number from 1 to 5, or enter to leave: ";

fn enter_leaves_the_menu_of_the_readme() {
    let screen = Person::at_a_terminal_with("").types(CHOICE, "").leaves(0);
    let readme = text_of(project_file("README.md"));
    let shown = block(&readme, "# A Battleship referee", "text");
    assert_eq!(screen.trim_end(), shown.trim_end());
    assert_eq!(shown.matches("  referee ").count(), 5);
}

fn q_and_ctrl_d_leave_the_menu() {
    Person::at_a_terminal_with("").types(CHOICE, "q").leaves(0);
    let ctrl_d = CTRL_D;
    Person::at_a_terminal_with("")
        .presses(CHOICE, ctrl_d)
        .leaves(0);
}

fn a_chosen_command_is_shown_and_runs() {
    let mut screen = Screen::of((80, 24), "");
    screen
        .sees(CHOICE)
        .press("1\r")
        .sees("ship 1 of 5")
        .press("qy")
        .sees("You lost: you gave up.");
    screen.press("q");
    screen.leaves(0);
    has(&screen.text(), "$ referee play human good\n");
    has(&screen.text(), "good wins!");
}

fn watched_bots_play_on_by_themselves() {
    let mut screen = Screen::of((80, 24), "");
    screen
        .sees(CHOICE)
        .press("2\r")
        .sees("turn 1")
        .sees("turn 2")
        .press("\x03");
    assert!([0, 130].contains(&screen.ends()));
    let shown = screen.text();
    has(&shown, "$ referee play mediocre good --watch\n");
}

fn everything_else_is_the_help() {
    let screen = Person::at_a_terminal_with("").types(CHOICE, "5").leaves(0);
    has(&screen, "$ referee --help\n");
    // Between them the terminal is told of colours.
    assert!(
        screen.contains("Begin and compare:") && screen.contains("Look back:"),
        "{screen}"
    );
}

fn a_wrong_choice_is_asked_for_five_times() {
    let mut person = Person::at_a_terminal_with("");
    person
        .types(CHOICE, "6")
        .sees("That is not one of the choices.");
    for _ in 0..4 {
        person.types(CHOICE, "what?");
    }
    let screen = person.leaves(2);
    let end = "referee: no choice was made; referee --help lists all commands\n";
    ends(&screen, end);
}

fn a_new_bot_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my-bot"), "mine").unwrap();
    let language = "A language, enter for python, or q to leave: ";
    let screen = Person::in_folder(folder.path(), "")
        .types(CHOICE, "3")
        .types(language, "cobol")
        .types(language, "c")
        .types("Its name, enter for my-bot-2, or q to leave: ", "")
        .leaves(0);
    has(&screen, "\n$ referee new c my-bot-2\n");
    assert!(folder.path().join("my-bot-2/strategy.c").is_file());
    assert_eq!(
        std::fs::read_to_string(folder.path().join("my-bot")).unwrap(),
        "mine"
    );
    Person::in_folder(folder.path(), "")
        .types(CHOICE, "3")
        .types(language, "q")
        .leaves(0);
    assert!(!folder.path().join("my-bot-3").exists());
}

fn without_a_terminal_there_is_help() {
    let dir = Dir::new();
    let done = dir.run("").types("1\n");
    done.exits(2)
        .prints_all("")
        .warns("\nBegin and compare:\n")
        .warns("Usage:");
    assert!(done.stderr.starts_with("Plays Battleship"));
}

fn help_is_the_same_however_asked_for() {
    let dir = Dir::new();
    let help = dir.run("--help").succeeds();
    help.prints("\nLook back:\n  replay ");
    for typed in ["-h", "help"] {
        dir.run(typed).succeeds().prints_all(&help.stdout);
    }
    for typed in ["help play", "play --help"] {
        let done = dir.run(typed).succeeds();
        done.prints("\nThe game:\n").prints("--help-all");
    }
}

fn a_new_bot_gets_the_chosen_name() {
    let folder = tempfile::tempdir().unwrap();
    let screen = Person::in_folder(folder.path(), "")
        .types(CHOICE, "3")
        .types("A language, enter for python, or q to leave: ", "")
        .types("Its name, enter for my-bot, or q to leave: ", "sea wolf")
        .leaves(0);
    has(&screen, "\n$ referee new python 'sea wolf'\n");
    assert!(folder.path().join("sea wolf/strategy.py").is_file());
}

fn a_new_bot_lies_beside_the_source() {
    let screen = Person::in_folder(&project_file("docs"), "")
        .types(CHOICE, "q")
        .leaves(0);
    has(&screen, "referee new python ../../my-bot");
}

/// As in a clone in which nothing was installed.
fn a_missing_referee_is_typed_otherwise() {
    let dir = Dir::new();
    let how = "\"referee\" does not start this program here: type /";
    for (words, code) in [
        ("new python kit", 0),
        ("new judge game", 0),
        ("play 'sh -c \"echo ready; exit 3\"' awful", 0),
    ] {
        let done = dir.run(words).env("PATH", "/usr/bin:/bin").ends();
        done.exits(code);
        let said = format!("{}{}", done.stdout, done.stderr);
        assert_eq!(said.matches(how).count(), 1, "{said}");
        dir.run(words).env("FORCE", "").ends().lacks(how);
    }
}
