//! Bots that want to reach the user's terminal, and the troubles of the referee itself.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use predicates::str::ends_with;
use serde_json::json;
use testkit::arena::{Arena, Way};
use testkit::list::Tests;
use testkit::programs::SMALL;
use testkit::terminal::{CTRL_C, Terminal};
use testkit::tools::{PYTHON, SETSID, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, PYTHON], |tests| {
        rows!(
            tests,
            Way::SUPERVISED,
            a_bot_has_no_terminal_to_write_to_to_type_into_or_to_take
        );
    });
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_referee_without_descriptors_starts_no_game);
        rows!(
            tests,
            Way::ALL,
            ctrl_c_at_a_terminal_ends_a_game_between_bots_and_both_of_them
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_terminal_that_is_closed_ends_the_game_and_both_bots
        );
        rows!(tests, CLOSED, a_referee_without_standard_streams_plays);
    });
    tests.needing(&[UNIX, SETSID], |tests| {
        add!(tests, a_referee_without_a_terminal_plays);
    });
}

/// The results of a bot's attempts on the terminal that the referee runs in.
const AT_TERMINAL: &str = "
import fcntl, termios
def attempts(who):
    attempt(f'{who} opens', os.open, '/dev/tty', os.O_RDWR)
    for number in [0, 1, 2]:
        attempt(f'{who} types {number}', fcntl.ioctl, number, termios.TIOCSTI, b'x')
        attempt(f'{who} takes {number}', os.tcsetpgrp, number, os.getpgrp())
def attacked():
    if shots == 0:
        attempts('bot')
        ours, theirs = os.pipe()
        if os.fork() == 0:
            os.setsid()
            attempts('child')
            os.write(theirs, json.dumps(findings).encode())
            os._exit(0)
        report(json.loads(os.read(ours, 100000)))
    reply()
";

fn a_bot_has_no_terminal_to_write_to_to_type_into_or_to_take(way: Way) {
    let arena = Arena::new(way).shown().with(&["--no-pause"]);
    let rogue = arena.python(AT_TERMINAL);
    let (screen, _) = Terminal::of(arena.command([&rogue, "awful"])).ends();
    assert!(screen.ends_with("rogue wins!\r\n"), "{way:?}: {screen}");
    let findings = arena.report();
    let findings = findings.as_object().unwrap();
    assert_eq!(findings.len(), 14);
    for (attempt, result) in findings {
        let refused = ["ENXIO", "ENOTTY"]
            .map(|error| json!(error))
            .contains(result);
        assert!(refused, "{way:?}: {attempt}: {result}");
    }
    arena.is_left_by_all();
}

fn ctrl_c_at_a_terminal_ends_a_game_between_bots_and_both_of_them(way: Way) {
    let arena = Arena::new(way).shown().with(&["--no-pause"]);
    let rogue = arena.shell("trap '' INT\n : > there\n sleep 60\n sleep 60");
    let mut terminal = Terminal::of(arena.command([&rogue, "awful"]));
    arena.wait_for_file("there");
    terminal.send(CTRL_C);
    let (screen, status) = terminal.ends();
    assert!(
        screen.ends_with("referee: the game was interrupted\r\n"),
        "{way:?}: {screen}"
    );
    assert_eq!(status.code(), Some(130), "{way:?}: {status:?}");
    arena.is_left_by_all();
}

/// The program that leads the terminal's session ends, and the referee hears of it as a hang-up.
fn a_terminal_that_is_closed_ends_the_game_and_both_bots(way: Way) {
    let arena = Arena::new(way).shown().with(&["--no-pause"]);
    let rogue = arena.shell(": > there\n sleep 60\n sleep 60");
    let terminal = Terminal::of(arena.command([&rogue, "awful"]));
    arena.wait_for_file("there");
    drop(terminal);
    arena.is_left_by_all();
}

/// The streams that the shell closes, and whether standard output is still there.
const CLOSED: [(&str, &str, bool); 4] = [
    ("input", "<&-", true),
    ("error", "2>&-", true),
    ("output", ">&-", false),
    ("all", "<&- >&- 2>&-", false),
];

fn a_referee_without_standard_streams_plays((_, closed, shown): (&str, &str, bool)) {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("exec \"$0\" \"$@\" {closed}");
    let mut command = assert_cmd::Command::new("sh");
    command.args([
        "-c",
        &script,
        env!("CARGO_BIN_EXE_referee"),
        "play",
        "awful",
        "awful",
    ]);
    command
        .args(SMALL)
        .args(["--record", "games"])
        .current_dir(folder.path());
    let assert = command.assert().code(0);
    if shown {
        assert.stdout(ends_with("awful wins!\n"));
    }
    let game = std::fs::read_to_string(folder.path().join("games")).unwrap();
    assert!(game.contains("\"ended_by\":\"fleet_sunk\""), "{game}");
}

fn a_referee_without_a_terminal_plays() {
    let output = Command::new("setsid")
        .args([
            "--wait",
            env!("CARGO_BIN_EXE_referee"),
            "play",
            "awful",
            "awful",
        ])
        .args(SMALL)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(output.stdout.ends_with(b"awful wins!\n"));
}

/// No bot loses for what the referee lacks. How many the referee has from the start depends on who starts
/// it.
fn a_referee_without_descriptors_starts_no_game() {
    let mut not_started = 0;
    for limit in (6..=30).step_by(2) {
        let script = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
        let arena = Arena::new(Way::Supervised).wrapped(&["sh", "-c", &script]);
        let status = arena.start(["awful", "awful"]).leave();
        let read = |name| std::fs::read_to_string(arena.folder().join(name)).unwrap();
        match status.code() {
            Some(0) => assert!(read("stdout").contains("\"ended_by\":\"fleet_sunk\"")),
            // Before the referee begins: the system's loader of libraries needs one too.
            Some(127) => assert!(read("stderr").contains("shared libraries"), "{limit}"),
            code => {
                assert_eq!(code, Some(1), "{limit}");
                // Not even as a game without a winner: with more descriptors there would be another one.
                assert_eq!(read("stdout"), "");
                let said = read("stderr");
                assert!(
                    said.trim_end().ends_with("Too many open files"),
                    "{limit}: {said}"
                );
                not_started += usize::from(said.contains("could not"));
            }
        }
    }
    assert!(not_started > 0);
}
