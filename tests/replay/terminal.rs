//! A person watches a recorded game at a pseudo-terminal.

#![cfg(unix)]

use std::process::Command;

use crate::common::terminal::{CTRL_C, Terminal};
use crate::common::{project_file, text_of};
use tempfile::TempDir;

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

    /// The settings of the terminal are written down before and after, and the exit code.
    fn of(log: &str, delay: &str) -> Watcher {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log"), log).unwrap();
        let script = format!(
            "trap : INT; stty echo; stty -a > before; '{}' replay log --delay {delay}; echo $? > code; stty -a > after",
            env!("CARGO_BIN_EXE_referee")
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path());
        Watcher { terminal: Terminal::of(command), folder, screen: String::new() }
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

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

#[test]
fn keys_pause_step_and_quit() {
    let mut watcher = Watcher::of_the_sample("1h");
    watcher.sees("Player 2").sees("[1 of 12: space pauses, arrows step, q leaves] ");
    watcher.presses(" ").sees("[1 of 12: paused; space continues");
    watcher.presses(" ").sees("[1 of 12: space pauses");
    watcher.presses(RIGHT).sees("Player 1").sees("[2 of 12: paused; space continues");
    watcher.presses(RIGHT).sees("[3 of 12: paused");
    watcher.presses(LEFT).sees("[2 of 12: paused");
    watcher.presses(LEFT).sees("[1 of 12: paused");
    watcher.presses(LEFT).sees("[1 of 12: paused");
    // Several keys at once.
    watcher.presses(&RIGHT.repeat(20)).sees("[12 of 12: paused");
    assert_eq!(watcher.presses("q").leaves(), "0\n");
    assert!(watcher.screen.contains("\x1b[H\x1b[J"), "each turn takes the place of the one before");
}

#[test]
fn the_turns_follow_each_other_and_the_last_one_stays() {
    let mut watcher = Watcher::of_the_sample("1ms");
    for turn in 1..=12 {
        watcher.sees(&format!("[{turn} of 12: space pauses"));
    }
    assert_eq!(watcher.presses("q").leaves(), "0\n");
}

/// Such a key once counted as the end of the turn's time.
#[test]
fn a_key_that_means_nothing_changes_nothing() {
    let mut watcher = Watcher::of_the_sample("1h");
    watcher.sees("[1 of 12: space pauses").presses("x").sees("[1 of 12: space pauses");
    assert_eq!(watcher.presses("q").leaves(), "0\n");
}

#[test]
fn ctrl_c_leaves_too_with_the_terminal_as_it_was() {
    for pause in ["", " "] {
        let mut watcher = Watcher::of_the_sample("1h");
        watcher.sees("[1 of 12: space pauses").presses(pause);
        if !pause.is_empty() {
            watcher.sees("[1 of 12: paused");
        }
        assert_eq!(watcher.presses(CTRL_C).leaves(), "130\n");
    }
}

/// There was no turn to show first, which made the program panic.
#[test]
fn a_log_without_moves_is_over_at_once() {
    let log = text_of(project_file("crates/battleship/tests/data/twist/probe-log.txt"));
    let head = &log[..log.find("C1 E1").unwrap()];
    let mut watcher = Watcher::of(head, "1h");
    assert_eq!(watcher.leaves(), "0\n");
    assert_eq!(watcher.screen, "");
}
