//! A person at a real pseudo-terminal.

use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::terminal::Terminal;

/// A person at a terminal in which the referee runs.
pub struct Person {
    terminal: Terminal,
    screen: String,
}

impl Person {
    pub fn at_a_terminal_with(words: &str) -> Person {
        Person::in_folder(Path::new("."), words)
    }

    /// A person at a terminal who has gone to a folder.
    pub fn in_folder(folder: &Path, words: &str) -> Person {
        let mut command = Command::new(crate::programs::built("referee"));
        command.args(shlex::split(words).expect("words of a shell"));
        command.current_dir(folder);
        let terminal = Terminal::of(command);
        terminal.echo();
        Person {
            terminal,
            screen: String::new(),
        }
    }

    pub fn sees(&mut self, prompt: &str) -> &mut Person {
        let seen = self.terminal.expect(prompt);
        self.screen += &seen.unwrap_or_else(|error| panic!("{error}\nafter:\n{}", self.screen));
        self
    }

    /// Waits for `prompt` and types `answer` and enter.
    pub fn types(&mut self, prompt: &str, answer: &str) -> &mut Person {
        self.sees(prompt);
        self.terminal.send(&format!("{answer}\n"));
        self
    }

    /// Waits for `prompt` and presses `key`, as [`crate::terminal::CTRL_C`].
    pub fn presses(&mut self, prompt: &str, key: &str) -> &mut Person {
        self.sees(prompt);
        self.terminal.send(key);
        self
    }

    /// Waits for the end; returns what the screen showed and how the referee ended.
    pub fn leaves(&mut self) -> (String, ExitStatus) {
        let (rest, status) = self.terminal.ends();
        self.screen += &rest;
        (self.screen.replace("\r\n", "\n"), status)
    }
}

pub fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| panic!("{status:?}"))
}
