//! A person watches a recorded game at a pseudo-terminal.

#![cfg(unix)]

use std::process::Command;

use tempfile::TempDir;
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::terminal::{CTRL_C, Terminal};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_turns_follow_each_other_and_the_last_one_stays,
        ctrl_c_leaves_with_the_terminal_as_it_was,
        a_log_without_moves_is_over_at_once,
        a_dumb_terminal_gets_no_escapes
    );
}

/// A person at a terminal who watches the sample of twelve turns.
struct Watcher {
    terminal: Terminal,
    folder: TempDir,
    screen: String,
}

impl Watcher {
    fn of_the_sample(delay: &str) -> Watcher {
        let log = project_file("crates/battleship/tests/data/twist/probe-log.txt");
        Watcher::of(&text_of(log), delay)
    }

    /// The same on a terminal that understands no escapes.
    fn on_dumb_terminal(delay: &str) -> Watcher {
        let log = project_file("crates/battleship/tests/data/twist/probe-log.txt");
        Watcher::with("TERM=dumb; export TERM; ", &text_of(log), delay)
    }

    /// The settings of the terminal are written down before and after, and the exit code.
    fn of(log: &str, delay: &str) -> Watcher {
        Watcher::with("", log, delay)
    }

    fn with(first: &str, log: &str, delay: &str) -> Watcher {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log"), log).unwrap();
        let script = format!(
            "{first}trap : INT; stty echo; stty -a > before; '{}' replay log --delay {delay}; echo $? > code; stty -a > after",
            env!("CARGO_BIN_EXE_referee")
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path());
        Watcher {
            terminal: Terminal::of(command),
            folder,
            screen: String::new(),
        }
    }

    fn sees(&mut self, text: &str) -> &mut Watcher {
        let seen = self.terminal.expect(text);
        self.screen += &seen.unwrap_or_else(|error| panic!("{error}\nafter:\n{}", self.screen));
        self
    }

    fn presses(&mut self, keys: &str) -> &mut Watcher {
        self.terminal.send(keys);
        self
    }

    /// Waits for the end; returns the exit code, after a look at the terminal.
    fn leaves(&mut self) -> String {
        self.screen += &self.terminal.ends().0;
        let wrote = |name| text_of(self.folder.path().join(name));
        let before = wrote("before");
        let is_set = |mode| before.split_whitespace().any(|word| word == mode);
        assert!(is_set("icanon") && is_set("echo"), "{before}");
        assert_eq!(wrote("after"), before);
        wrote("code")
    }
}

fn the_turns_follow_each_other_and_the_last_one_stays() {
    let mut watcher = Watcher::of_the_sample("1ms");
    for _ in 1..=12 {
        watcher.sees("\x1b[H\x1b[J").sees("Player ");
    }
    assert_eq!(watcher.leaves(), "0\n");
}

fn ctrl_c_leaves_with_the_terminal_as_it_was() {
    let mut watcher = Watcher::of_the_sample("1h");
    assert_eq!(watcher.sees("Player 2").presses(CTRL_C).leaves(), "130\n");
}

/// There was no turn to show first, which made the program panic.
fn a_log_without_moves_is_over_at_once() {
    let log = text_of(project_file(
        "crates/battleship/tests/data/twist/probe-log.txt",
    ));
    let head = &log[..log.find("C1 E1").unwrap()];
    let mut watcher = Watcher::of(head, "1h");
    assert_eq!(watcher.leaves(), "0\n");
    assert_eq!(watcher.screen, "");
}

fn a_dumb_terminal_gets_no_escapes() {
    let mut watcher = Watcher::on_dumb_terminal("1ms");
    assert_eq!(watcher.leaves().trim(), "0");
    assert!(!watcher.screen.contains('\u{1b}'), "{}", watcher.screen);
}
