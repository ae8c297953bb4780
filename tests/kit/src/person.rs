//! A person at a real pseudo-terminal.

use std::path::Path;
use std::process::Command;

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

    /// Waits for the end; the referee has to exit with this code. Returns what the screen showed.
    #[track_caller]
    pub fn leaves(&mut self, code: i32) -> String {
        let (rest, status) = self.terminal.ends();
        self.screen += &rest;
        let screen = self.screen.replace("\r\n", "\n");
        assert_eq!(status.code(), Some(code), "{screen}");
        screen
    }
}
