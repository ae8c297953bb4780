//! Bots that want to reach the user's terminal, and referees without a terminal or without standard
//! streams.

#![cfg(target_os = "linux")]

use testkit::arena::{Arena, Mode};
use testkit::list::Tests;
use testkit::run::{Dir, SMALL};
use testkit::terminal::CTRL_C;
use testkit::tools::{SETSID, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SETSID, SYSTEM_PYTHON], |tests| {
        rows!(tests, Mode::SUPERVISED, a_bot_has_no_terminal);
        rows!(tests, Mode::SUPERVISED, ctrl_c_at_a_terminal_ends_both_bots);
        rows!(tests, Mode::SUPERVISED, a_closed_terminal_ends_both_bots);
        rows!(tests, WITHOUT, a_referee_plays_without);
    });
}

/// Opens the terminal that the referee runs in, types into it and takes it; from a session of its
/// own too.
const AT_TERMINAL: &str = "
import fcntl, termios
def attempts():
    attempt('opens', os.open, '/dev/tty', os.O_RDWR)
    for number in [0, 1, 2]:
        attempt(f'types {number}', fcntl.ioctl, number, termios.TIOCSTI, b'x')
        attempt(f'takes {number}', os.tcsetpgrp, number, os.getpgrp())
    assert len(findings) == 7 and {*findings.values()} <= {'ENXIO', 'ENOTTY'}, findings
def deed():
    attempts()
    if os.fork() == 0:
        os.setsid()
        attempts()
        os._exit(77)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 77
";

fn a_bot_has_no_terminal(mode: Mode) {
    let arena = Arena::new(mode).deed(AT_TERMINAL);
    let (screen, _) = arena.run().args("--no-pause").in_terminal().ends();
    assert!(screen.ends_with("rogue wins!\r\n"), "{arena:?}: {screen}");
    arena.is_left();
}

const WAITS: &str = "trap '' INT\n : > asked\n sleep 60\n sleep 60";

fn ctrl_c_at_a_terminal_ends_both_bots(mode: Mode) {
    let arena = Arena::new(mode).shell(WAITS);
    let mut terminal = arena.run().args("--no-pause").in_terminal();
    arena.has("asked");
    terminal.send(CTRL_C);
    let (screen, status) = terminal.ends();
    assert!(
        screen.ends_with("referee: the game was interrupted\r\n"),
        "{arena:?}: {screen}"
    );
    assert_eq!(status.code(), Some(130), "{arena:?}");
    arena.is_left();
}

/// The program that leads the terminal's session ends, and the referee learns that by a hang-up.
fn a_closed_terminal_ends_both_bots(mode: Mode) {
    let arena = Arena::new(mode).shell(WAITS);
    let terminal = arena.run().args("--no-pause").in_terminal();
    arena.has("asked");
    drop(terminal);
    arena.is_left();
}

/// The command that runs the referee, and whether its standard output is still there.
const WITHOUT: [(&str, &str, bool); 5] = [
    ("an input", "exec \"$@\" <&-", true),
    ("an error", "exec \"$@\" 2>&-", true),
    ("an output", "exec \"$@\" >&-", false),
    ("a stream", "exec \"$@\" <&- >&- 2>&-", false),
    ("a terminal", "setsid --wait \"$@\"", true),
];

fn a_referee_plays_without((_, command, is_shown): (&str, &str, bool)) {
    let dir = Dir::new();
    let game = format!("sh referee play awful awful {SMALL} --out games");
    let done = dir.program("sh", "-c").arg(command).args(&game).succeeds();
    if is_shown {
        done.prints("awful wins!\n");
    }
    let record = dir.record("games");
    assert_eq!(record.games()[0]["ended_by"], "fleet_sunk");
}
