//! A terminal with a screen: what a program draws there, cell by cell, and what a person presses.

use std::fs;
use std::process::Command;
use std::time::Instant;

use rustix::termios::InputModes;
use tempfile::TempDir;
use vt100::{MouseProtocolMode, Parser};

use crate::terminal::{PATIENCE, Terminal};

/// A person at a terminal in which a program draws a screen.
pub struct Screen {
    terminal: Terminal,
    shown: Parser,
    /// The output that has been read and is not shown yet.
    unshown: Vec<u8>,
    /// Whether the last picture is shown as a whole.
    is_whole: bool,
    /// All that the programs have written.
    drawn: Vec<u8>,
    folder: TempDir,
}

/// The codes that end a picture: the cursor is hidden after each, and the screen may be left.
const PICTURE_ENDS: [&[u8]; 2] = [b"\x1b[?25l", b"\x1b[?1049l"];

/// Runs a program as soon as the terminal has its size, and says how it has left the terminal.
const WITNESS: &str =
    r#"trap : INT; read -r go; stty -g > before; "$@"; echo $? > code; stty -g > after"#;

impl Screen {
    /// Starts the referee in a terminal of that many columns and rows.
    pub fn of(size: (u16, u16), words: &str) -> Screen {
        Screen::with(size, &[], words)
    }

    /// The same with these variables.
    pub fn with(size: (u16, u16), variables: &[(&str, &str)], words: &str) -> Screen {
        let program = crate::programs::built("referee");
        let words = shlex::split(words).expect("words of a shell");
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        Screen::of_program(size, variables, &[&[&*program], &words[..]].concat())
    }

    /// Starts any program with these variables.
    pub fn of_program(
        (columns, rows): (u16, u16),
        variables: &[(&str, &str)],
        words: &[&str],
    ) -> Screen {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command
            .args(["-c", WITNESS, "sh"])
            .args(words)
            .current_dir(folder.path());
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("COLORFGBG", "15;0")
            .env_remove("NO_COLOR");
        command.envs(variables.iter().copied());
        let terminal = Terminal::sized((columns, rows), command);
        terminal.send("\n");
        let shown = Parser::new(rows, columns, 0);
        Screen {
            terminal,
            shown,
            unshown: Vec::new(),
            is_whole: true,
            drawn: Vec::new(),
            folder,
        }
    }

    /// A file in the folder that the program runs in.
    pub fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Returns what is shown, line by line.
    pub fn text(&self) -> String {
        self.shown.screen().contents()
    }

    /// Returns the colours of all cells, in the order of reading.
    pub fn colours(&self) -> Vec<vt100::Color> {
        let (rows, columns) = self.shown.screen().size();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        places
            .filter_map(|(row, column)| Some(self.shown.screen().cell(row, column)?.fgcolor()))
            .collect()
    }

    /// Waits until `text` is to be seen.
    pub fn sees(&mut self, text: &str) -> &mut Screen {
        self.until(text, |shown| shown.contains(text))
    }

    /// Waits until what is shown is as `wanted`.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> &mut Screen {
        self.wait(what, |screen| wanted(&screen.text()))
    }

    fn wait(&mut self, what: &str, is_there: impl Fn(&Screen) -> bool) -> &mut Screen {
        let began = Instant::now();
        // One read may end amid a picture: what of the one before is not overdrawn yet is not part
        // of it.
        while self.is_taken() && !self.is_whole || !is_there(self) {
            // A clock that is drawn continues for ever.
            assert!(
                began.elapsed() < PATIENCE,
                "there is no {what:?} on:\n{}",
                self.text()
            );
            if self.unshown.is_empty() {
                self.unshown = self.terminal.read().unwrap_or_else(|why| {
                    panic!("{why} while waiting for {what:?} on:\n{}", self.text());
                });
            }
            self.show_next();
        }
        self
    }

    /// Presses Ctrl-Z where no shell has job control, and waits until the program has taken the
    /// terminal again.
    pub fn suspends(&mut self) -> &mut Screen {
        let before = self.times_taken();
        self.press("\x1a")
            .wait("second screen", |screen| screen.times_taken() > before)
    }

    /// Returns whether a program has the terminal at this moment.
    pub fn is_taken(&self) -> bool {
        self.shown.screen().alternate_screen()
    }

    /// Returns the number of times that a program has taken the terminal.
    fn times_taken(&self) -> usize {
        String::from_utf8_lossy(&self.drawn)
            .matches("\x1b[?1049h")
            .count()
    }

    /// Shows the next picture of those that have been read: one that stands only for a moment is
    /// seen too.
    fn show_next(&mut self) {
        let ends = PICTURE_ENDS.iter().filter_map(|end| {
            let at = self
                .unshown
                .windows(end.len())
                .position(|bytes| bytes == *end)?;
            Some(at + end.len())
        });
        let end = ends.min();
        self.is_whole = end.is_some();
        let length = end.unwrap_or(self.unshown.len());
        let picture: Vec<u8> = self.unshown.drain(..length).collect();
        self.shown.process(&picture);
        self.drawn.extend(picture);
    }

    /// Waits until a program takes enter as it comes, which terminals make a line feed of before.
    pub fn is_raw(&mut self) -> &mut Screen {
        crate::arena::until("the terminal is raw", || {
            !self
                .terminal
                .modes()
                .input_modes
                .contains(InputModes::ICRNL)
        });
        self
    }

    /// Presses keys: characters, or what a terminal sends for others.
    pub fn press(&mut self, keys: &str) -> &mut Screen {
        self.terminal.send(keys);
        self
    }

    /// Presses a button of the mouse over a cell of the screen, as terminals report it (SGR).
    pub fn click(&mut self, (column, row): (u16, u16)) -> &mut Screen {
        self.press(&format!(
            "\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m",
            column + 1,
            row + 1
        ))
    }

    pub fn resize(&mut self, (columns, rows): (u16, u16)) -> &mut Screen {
        self.terminal.resize((columns, rows));
        self.shown.screen_mut().set_size(rows, columns);
        self
    }

    /// Returns what was printed since the screen was given back.
    pub fn printed(&self) -> String {
        let all = String::from_utf8_lossy(&self.drawn);
        let (_, after) = all
            .rsplit_once("\x1b[?1049l")
            .expect("the screen was never left");
        after.replace("\r\n", "\n")
    }

    /// Waits for the end, which has to come with this code.
    #[track_caller]
    pub fn leaves(&mut self, code: i32) {
        assert_eq!(self.ends(), code, "{}", self.text());
    }

    /// Waits for the end, and checks that the terminal is as it was before. Returns the exit code.
    pub fn ends(&mut self) -> i32 {
        let began = Instant::now();
        loop {
            while !self.unshown.is_empty() {
                self.show_next();
            }
            assert!(began.elapsed() < PATIENCE, "no end of:\n{}", self.text());
            match self.terminal.read() {
                Ok(more) => self.unshown = more,
                Err(_) => break,
            }
        }
        assert_eq!(
            self.file("after"),
            self.file("before"),
            "the modes of the terminal"
        );
        let screen = self.shown.screen();
        assert!(
            !screen.alternate_screen(),
            "the other screen is still there"
        );
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None);
        self.file("code").trim().parse().unwrap()
    }
}
