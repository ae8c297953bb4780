//! One game without a clock, stopped where the author of a bot looks.

#![cfg(unix)]

use std::process::Command;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use testkit::list::{Tests, Tier};
use testkit::programs::{Folder, misbehaving, play, referee};
use testkit::terminal::Terminal;
use testkit::tools::{GDB, NODE, PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            the_dialogue_of_the_bot_is_shown_and_not_that_of_its_opponent,
            pythons_debugger_uses_the_terminal,
            an_exception_opens_the_debugger_before_the_process_is_gone,
            the_game_stops_steps_goes_back_and_begins_again
        );
        rows!(tests, RETOLD, a_recorded_game_is_told_again);
    });
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_bot_that_fails_is_there_to_be_looked_at,
            a_recorded_fault_comes_again_unless_the_bot_is_fixed,
            a_game_that_the_bot_spoiled_names_the_command_that_stops_there
        );
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[UNIX, GDB], |tests| {
            add!(tests, a_debugger_is_attached_and_the_game_begins);
        })
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[UNIX, NODE], |tests| {
            add!(tests, node_waits_for_its_inspector);
        })
    });
}

/// A bot in Python that attacks cell after cell, with this before its reply number 2.
fn bot(folder: &std::path::Path, second: &str) -> String {
    let program = format!(
        "import sys
n = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    if word == 'place': print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', flush=True)
    if word == 'attack':
        n += 1
        if n == 2:
            {second}
        print('attack', (n - 1) // 10, (n - 1) % 10, flush=True)
"
    );
    let file = folder.join("bot.py");
    std::fs::write(&file, program).unwrap();
    format!("cells=python3 {}", file.display())
}

/// Starts `referee debug` with these words in a terminal.
fn debug(words: &[&str]) -> Terminal {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.arg("debug").args(words);
    Terminal::of(command)
}

fn the_dialogue_of_the_bot_is_shown_and_not_that_of_its_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot(folder.path(), "print('thinking', file=sys.stderr)");
    let said = referee()
        .args(["debug", &bot, "awful", "--seed", "1"])
        .assert()
        .success();
    let said = said.stdout(contains("cells <- attack").and(contains("cells -> attack 0 1")));
    said.stdout(contains("cells !! thinking").and(contains("awful <- attack").not()));
}

fn pythons_debugger_uses_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = debug(&[&bot(folder.path(), "breakpoint()"), "awful", "--seed", "1"]);
    terminal.expect("(Pdb) ").unwrap();
    terminal.send("p n * 1000\n");
    terminal.expect("2000").unwrap();
    terminal.send("c\n");
    terminal.expect("sank the whole fleet of").unwrap();
    terminal.expect("(the end;").unwrap();
    terminal.send("q\n");
    assert!(terminal.ends().1.success());
}

fn an_exception_opens_the_debugger_before_the_process_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = debug(&[&bot(folder.path(), "nothing[n]"), "awful", "--seed", "1"]);
    terminal.expect("NameError").unwrap();
    terminal.expect("(Pdb) ").unwrap();
    terminal.send("p n * 1000\n");
    terminal.expect("2000").unwrap();
    terminal.send("q\n");
    terminal.expect("exited with status 1").unwrap();
}

fn the_game_stops_steps_goes_back_and_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = debug(&[
        &bot(folder.path(), "pass"),
        "awful",
        "--seed",
        "1",
        "--turn",
        "3",
    ]);
    terminal.expect("(before turn 3;").unwrap();
    terminal.send("\n");
    terminal.expect("-> attack 0 2").unwrap();
    terminal.expect("(before turn 4;").unwrap();
    terminal.send("b 2\n");
    terminal.expect("(before turn 2;").unwrap();
    // Another request, whose answer is shown.
    terminal.send("e place\n");
    terminal.expect("-> place 0 0 h").unwrap();
    terminal.send("e nonsense\n");
    terminal.expect("is not a request").unwrap();
    terminal.send("x\n");
    terminal.expect("unknown command").unwrap();
    terminal.send("q\n");
    assert!(terminal.ends().1.success());
}

fn a_bot_that_fails_is_there_to_be_looked_at() {
    let mut terminal = debug(&[&misbehaving("say 'fire 1 2\\n'"), "awful", "--seed", "1"]);
    terminal.expect("It still runs as process ").unwrap();
    let process = terminal.expect(":").unwrap();
    let process: u32 = process.trim_end_matches(':').trim().parse().unwrap();
    assert!(std::path::Path::new(&format!("/proc/{process}")).exists());
    terminal.send("q\n");
    assert!(terminal.ends().1.success());
}

fn a_debugger_is_attached_and_the_game_begins() {
    let bot = env!("CARGO_BIN_EXE_mediocre-bot");
    let mut terminal = debug(&[&format!("mine={bot}"), "awful", "--seed", "1", "--wait"]);
    terminal.expect("mine is process ").unwrap();
    let process = terminal.expect(":").unwrap();
    let process = process.trim_end_matches(':').trim();
    terminal
        .expect("the game begins when a debugger is attached")
        .unwrap();
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-batch", "-p", process, "-ex", "detach"]);
    assert!(gdb.output().unwrap().status.success());
    terminal.expect("sank the whole fleet of").unwrap();
    terminal.send("q\n");
    assert!(terminal.ends().1.success());
}

fn node_waits_for_its_inspector() {
    let bot = testkit::programs::project_file("examples/javascript/bot.js");
    let bot = format!("js=node {}", bot.display());
    let mut terminal = debug(&[&bot, "awful", "--seed", "1", "--wait", "--port", "9339"]);
    terminal.expect("Debugger listening").unwrap();
    let mut inspect = Command::new("node");
    inspect.args(["inspect", "127.0.0.1:9339"]);
    let mut inspector = Terminal::of(inspect);
    inspector.expect("Break on start").unwrap();
    inspector.send("c\n");
    terminal.expect("sank the whole fleet of").unwrap();
}

/// A name, the bot's deed in its second turn, and the message about a game that it is told again.
type Retold = (&'static str, &'static str, &'static str);

const RETOLD: [Retold; 3] = [
    (
        "as it was",
        "pass",
        "It says what is recorded, turn by turn.",
    ),
    (
        "changed",
        "n = 55",
        "The same again in a second run: the bot has changed since",
    ),
    (
        "left to chance",
        "import os; n = 20 + os.getpid() % 70",
        "Another reply again in a second run: it leaves this to chance",
    ),
];

fn a_recorded_game_is_told_again((_, now, says): Retold) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let then = bot(at, "pass");
    let mut play = referee();
    play.args([
        "match", &then, "awful", "--games", "2", "--seed", "1", "-q", "--out", "m.jsonl",
    ]);
    play.current_dir(at).assert().success();
    let now = bot(at, now);
    let mut debug = referee();
    debug.args([
        "debug", &now, "--from", "m.jsonl", "--player", "cells", "--turn", "4",
    ]);
    debug
        .current_dir(at)
        .assert()
        .success()
        .stdout(contains(says));
}

fn a_recorded_fault_comes_again_unless_the_bot_is_fixed() {
    let folder = Folder::new();
    let record = folder.path("game.jsonl");
    let rogue = misbehaving("--after 3 say 'fire 3 4\\n'");
    let (game, _) = play(["awful", &rogue], &["--seed", "1", "--record", &record]);
    assert_eq!(game["by"], 1, "{game}");
    let told = |bot: &str, says: &str| {
        let debug = referee().args(["debug", bot, "--from", &record]).assert();
        debug.success().stdout(contains(says));
    };
    told(
        &rogue,
        "fails: expected \"attack ROW COL\", got \"fire 3 4\"",
    );
    told(
        &misbehaving("nothing"),
        "Where the recorded player failed, it says \"attack",
    );
}

/// The game can be debugged if its author can type all that it depends on: the board of the rules, and the bot in front.
fn a_game_that_the_bot_spoiled_names_the_command_that_stops_there() {
    let bot = misbehaving("exit 3");
    let told = |players: [&str; 2], options: &[&str]| {
        let mut play = referee();
        play.arg("play")
            .args(players)
            .args(["--seed", "5", "--no-pause"])
            .args(options);
        String::from_utf8(play.output().unwrap().stderr).unwrap()
    };
    let said = told([&bot, "mediocre"], &[]);
    assert!(
        said.contains(" mediocre --seed 5 --turn 1 stops there\n"),
        "{said}"
    );
    assert!(told([&bot, "mediocre"], &["--rows", "9"]).ends_with(" says why\n"));
    assert!(told(["mediocre", &bot], &[]).ends_with(" says why\n"));
}
