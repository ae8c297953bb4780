//! One game without a clock, stopped where the author of a bot looks.

use testkit::list::{Tests, Tier};
use testkit::run::Dir;
use testkit::terminal::Terminal;
use testkit::tools::{GDB, NODE, PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[PYTHON], |tests| {
        add!(
            tests,
            the_dialogue_of_the_bot_is_shown,
            a_clock_is_told_and_stands_still,
            pythons_debugger_uses_the_terminal,
            an_exception_opens_the_debugger,
            the_game_stops_steps_and_goes_back
        );
        rows!(tests, REPEATED, a_recorded_game_is_repeated);
    });
    add!(
        tests,
        a_bot_that_fails_is_still_running,
        a_recorded_fault_comes_again_until_fixed,
        refused_replies_of_a_record_are_no_change,
        a_spoiled_game_names_its_debug_command
    );
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[GDB], |tests| {
            add!(tests, an_attached_debugger_begins_the_game);
        });
        tests.needing(&[NODE], |tests| {
            add!(tests, node_waits_for_its_inspector);
        });
    });
}

/// A folder with a bot in Python that attacks cell after cell, with this before its second reply.
fn bot(dir: &Dir, second: &str) {
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
    dir.file("bot.py", program);
}

/// Starts `referee debug` of that bot in a terminal.
fn debug(dir: &Dir, second: &str, options: &str) -> Terminal {
    bot(dir, second);
    dir.run(format!(
        "debug 'cells=python3 bot.py' awful --seed 1 {options}"
    ))
    .in_terminal()
}

/// Waits for each of the first texts, and types the second.
fn talks(terminal: &mut Terminal, lines: &[(&str, &str)]) {
    for (expected, typed) in lines {
        terminal.expect(expected).unwrap();
        terminal.send(typed);
    }
}

fn the_dialogue_of_the_bot_is_shown() {
    let dir = Dir::new();
    bot(&dir, "print('thinking', file=sys.stderr)");
    let done = dir
        .run("debug 'cells=python3 bot.py' awful --seed 1")
        .succeeds();
    done.prints("cells <- attack")
        .prints("cells -> attack 0 1")
        .prints("cells !! thinking");
    done.lacks("awful <- attack");
}

fn a_clock_is_told_and_stands_still() {
    let dir = Dir::new();
    bot(&dir, "pass");
    let words = "debug 'cells=python3 bot.py' --clock";
    let done = dir.run(format!("{words} 60s+100ms --seed 1")).succeeds();
    let lines: Vec<String> = done
        .stdout
        .lines()
        .filter_map(|line| Some(line.split_once("cells <- ")?.1.to_owned()))
        .collect();
    for (place, line) in lines.iter().enumerate() {
        let is_request = line == "place" || line == "attack";
        let is_timed = place > 0 && lines[place - 1] == "clock 60000";
        assert_eq!(is_request, is_timed, "{line}");
        assert!(!line.starts_with("limit"), "{line}");
    }
    dir.run("match 'cells=python3 bot.py' awful --games 2 --seed 1 -q --out m")
        .succeeds();
    dir.run(format!("{words} 2s --from m --player cells"))
        .succeeds()
        .prints("<- clock 2000")
        .prints("It says what is recorded, turn by turn.");
    dir.run(format!("{words} 2 --seed 1"))
        .fails(2, "write e.g. 5s");
}

fn pythons_debugger_uses_the_terminal() {
    let dir = Dir::new();
    let mut terminal = debug(&dir, "breakpoint()", "");
    talks(
        &mut terminal,
        &[
            ("(Pdb) ", "p n * 1000\n"),
            ("2000", "c\n"),
            ("sank the whole fleet of", ""),
            ("(the end;", "q\n"),
        ],
    );
    assert!(terminal.ends().1.success());
}

fn an_exception_opens_the_debugger() {
    let dir = Dir::new();
    let mut terminal = debug(&dir, "nothing[n]", "");
    talks(
        &mut terminal,
        &[
            ("NameError", ""),
            ("(Pdb) ", "p n * 1000\n"),
            ("2000", "q\n"),
            ("exited with status 1", ""),
        ],
    );
}

fn the_game_stops_steps_and_goes_back() {
    let dir = Dir::new();
    let mut terminal = debug(&dir, "pass", "--turn 3");
    talks(
        &mut terminal,
        &[
            ("(before turn 3;", "\n"),
            ("-> attack 0 2", ""),
            ("(before turn 4;", "b 2\n"),
            // Another request, whose answer is shown.
            ("(before turn 2;", "e place\n"),
            ("-> place 0 0 h", "e nonsense\n"),
            ("is not a request", "x\n"),
            ("unknown command", "q\n"),
        ],
    );
    assert!(terminal.ends().1.success());
}

fn a_bot_that_fails_is_still_running() {
    let dir = Dir::new();
    let run = dir
        .run("debug --seed 1")
        .arg("rogue=test-bot act say 'fire 1 2\\n'")
        .arg("awful");
    let mut terminal = run.in_terminal();
    terminal.expect("It still runs as process ").unwrap();
    let process = terminal.expect(":").unwrap();
    let process = process.trim_end_matches(':').trim();
    assert!(dir.path(&format!("/proc/{process}")).exists());
    terminal.send("q\n");
    assert!(terminal.ends().1.success());
}

fn an_attached_debugger_begins_the_game() {
    let dir = Dir::new();
    let mut terminal = dir
        .run("debug mine=mediocre-bot awful --seed 1 --wait")
        .in_terminal();
    terminal.expect("mine is process ").unwrap();
    let process = terminal.expect(":").unwrap();
    let process = process.trim_end_matches(':').trim();
    terminal
        .expect("the game begins when a debugger is attached")
        .unwrap();
    dir.program("gdb", format!("-q -batch -p {process} -ex detach"))
        .succeeds();
    talks(&mut terminal, &[("sank the whole fleet of", "q\n")]);
    assert!(terminal.ends().1.success());
}

fn node_waits_for_its_inspector() {
    let dir = Dir::new();
    let bot = testkit::programs::project_file("examples/javascript/bot.js");
    let run = dir
        .run("debug --seed 1 --wait --port 9339")
        .arg(format!("js=node {}", bot.display()));
    let mut terminal = run.arg("awful").in_terminal();
    terminal.expect("Debugger listening").unwrap();
    let mut inspector = dir.program("node", "inspect 127.0.0.1:9339").in_terminal();
    talks(&mut inspector, &[("Break on start", "c\n")]);
    terminal.expect("sank the whole fleet of").unwrap();
}

/// A name, the bot's deed in its second turn, and the remark about a game that it plays again.
const REPEATED: [(&str, &str, &str); 3] = [
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

fn a_recorded_game_is_repeated((_, deed, remark): (&str, &str, &str)) {
    let dir = Dir::new();
    bot(&dir, "pass");
    dir.run("match 'cells=python3 bot.py' awful --games 2 --seed 1 -q --out m")
        .succeeds();
    bot(&dir, deed);
    dir.run("debug 'cells=python3 bot.py' --from m --player cells --turn 4")
        .succeeds()
        .prints(remark);
}

fn a_recorded_fault_comes_again_until_fixed() {
    let dir = Dir::new();
    let rogue = "rogue=test-bot act --after 3 say 'fire 3 4\\n'";
    dir.run("play awful --seed 1 --out game")
        .arg(rogue)
        .succeeds();
    let again = dir.run("debug --from game").arg(rogue).succeeds();
    again.prints(
        "At the recorded end it says \"fire 3 4\"; that game ended since rogue forfeits: expected",
    );
    let fixed = dir
        .run("debug --from game 'rogue=test-bot act nothing'")
        .succeeds();
    fixed.prints("At the recorded end it says \"attack");
}

/// The record has the accepted replies alone, and the clock of the game.
fn refused_replies_of_a_record_are_no_change() {
    let dir = Dir::new();
    let rogue = "rogue=test-bot act --after 3 say 'fire 3 4\\n'";
    dir.run("play awful --seed 1 --retries 2 --clock 60s+1s --out game")
        .arg(rogue)
        .ends();
    assert_eq!(dir.record("game").lines[0]["players"][1]["retries"], 1);
    dir.run("debug --from game --player rogue")
        .arg(rogue)
        .succeeds()
        .prints("<- again ")
        .prints("<- clock 60000")
        .lacks("has changed since");
}

/// The game can be debugged with the bot in front.
fn a_spoiled_game_names_its_debug_command() {
    let play = |words: &str| {
        Dir::new()
            .run(format!("play {words} --seed 5 --no-pause"))
            .ends()
    };
    let bot = "'test-bot act exit 3'";
    play(&format!("{bot} mediocre")).warns(" mediocre --seed 5 --turn 1 stops there\n");
    play(&format!("{bot} mediocre --rows 9"))
        .warns(" mediocre --rows 9 --seed 5 --turn 1 stops there\n");
    play(&format!("mediocre {bot}")).warns(" says why\n");
}
