//! A person at a real pseudo-terminal.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{ControlCode, Eof, Expect, Session};

/// A person at a terminal in which the referee runs.
pub(crate) struct Person {
    session: OsSession,
    screen: String,
}

impl Person {
    pub(crate) fn at_a_terminal_with(arguments: &[&str]) -> Person {
        Person::in_folder(Path::new("."), arguments)
    }

    /// A person at a terminal who has gone to a folder.
    pub(crate) fn in_folder(folder: &Path, arguments: &[&str]) -> Person {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(arguments).current_dir(folder);
        let mut session = Session::spawn(command).unwrap();
        session.get_process_mut().set_echo(true, None).unwrap();
        // Far more than any step takes; only a failing test waits so long.
        session.set_expect_timeout(Some(Duration::from_secs(60)));
        Person { session, screen: String::new() }
    }

    pub(crate) fn sees(&mut self, prompt: &str) -> &mut Person {
        let seen = self.session.expect(prompt).unwrap_or_else(|error| {
            panic!("{error} while waiting for {prompt:?} after:\n{}", self.screen);
        });
        self.screen += &String::from_utf8_lossy(seen.as_bytes());
        self
    }

    /// Waits for `prompt` and types `answer` and enter.
    pub(crate) fn types(&mut self, prompt: &str, answer: &str) -> &mut Person {
        self.sees(prompt);
        self.session.send_line(answer).unwrap();
        self
    }

    pub(crate) fn presses(&mut self, prompt: &str, key: ControlCode) -> &mut Person {
        self.sees(prompt);
        self.session.send(key).unwrap();
        self
    }

    /// Waits for the end; returns what the screen showed and how the referee ended.
    pub(crate) fn leaves(&mut self) -> (String, WaitStatus) {
        let rest = self.session.expect(Eof).unwrap();
        self.screen += &String::from_utf8_lossy(rest.as_bytes());
        let status = self.session.get_process().wait().unwrap();
        (self.screen.replace("\r\n", "\n"), status)
    }
}

pub(crate) fn exit_code(status: WaitStatus) -> i32 {
    let WaitStatus::Exited(_, code) = status else { panic!("{status:?}") };
    code
}
