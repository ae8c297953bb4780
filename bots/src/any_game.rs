//! A person who plays whatever a judge knows, line by line.

use std::io::{self, BufRead, Write};

use battleship::protocol::strip_line_end;
use battleship::{Dialogue, Local, Ruleset};

use crate::human::is_call_for_help;
use crate::terminal::{Gone, Terminal};

/// A person at a terminal: the dialogue in games of Battleship, and in all others the lines
/// themselves.
#[derive(Debug)]
pub struct Person {
    name: String,
    battleship: Dialogue<'static>,
    terminal: Terminal,
    /// Whether the game is one that a judge knows.
    is_judged: bool,
    /// Whether the next line is a request.
    is_asked: bool,
    /// Whether the end of the game is known and not heard yet.
    has_ended: bool,
    /// The reason why the last reply was refused, which names replies that would do.
    refused: Option<String>,
}

impl Person {
    /// Returns the person called `name` who plays Battleship by `battleship`, and types at the same
    /// `terminal`.
    #[must_use]
    pub fn new(name: &str, battleship: Dialogue<'static>, terminal: Terminal) -> Person {
        Person {
            name: name.to_owned(),
            battleship,
            terminal,
            is_judged: false,
            is_asked: false,
            has_ended: false,
            refused: None,
        }
    }

    /// Plays on this input and output until the referee says `quit` or closes the input.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn serve(
        mut self,
        mut input: impl BufRead,
        mut output: impl Write,
        mut log: impl Write,
    ) -> io::Result<()> {
        let mut line = Vec::new();
        let mut reply = Vec::new();
        let mut errors = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let continues = self.receive(&line, &mut reply, &mut errors);
            output.write_all(&reply)?;
            output.flush()?;
            log.write_all(&errors)?;
            if !continues {
                break;
            }
            line.clear();
            reply.clear();
            errors.clear();
        }
        Ok(())
    }

    /// Hears a line of a game that a judge knows, or of the greeting.
    fn hear(&mut self, line: &str, reply: &mut Vec<u8>) -> Result<(), Gone> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if self.is_asked {
            self.is_asked = false;
            let answer = self.answer(line)?;
            reply.extend_from_slice(answer.as_bytes());
            reply.push(b'\n');
            return Ok(());
        }
        let terminal = &self.terminal;
        match word {
            "ask" => self.is_asked = true,
            "game" => terminal.show(format_args!("The game is {rest}. ? shows help.\n"))?,
            "again" => {
                terminal.show(format_args!("That will not do: {rest}\n"))?;
                self.refused = Some(rest.to_owned());
            }
            "seed" | "limit" | "clock" => self.refused = None,
            "end" => self.has_ended = false,
            _ if self.has_ended => {}
            _ => terminal.show(format_args!("{line}\n"))?,
        }
        Ok(())
    }

    /// Asks for the reply to `request`.
    fn answer(&self, request: &str) -> Result<String, Gone> {
        let terminal = &self.terminal;
        loop {
            let typed = terminal.ask(format_args!("{request}> "))?;
            let typed = typed.trim();
            if is_call_for_help(typed) {
                let choices = self.refused.as_deref().unwrap_or(
                    "the rules of the game say which replies there are; another one is refused, and loses nothing",
                );
                terminal.show(format_args!(
                    "Type the reply to {request}: {choices}. The end of the input ({}) resigns.\n",
                    end_of_input!()
                ))?;
            } else if !typed.is_empty() {
                return Ok(typed.to_owned());
            }
        }
    }
}

impl Local for Person {
    fn receive(&mut self, lines: &[u8], reply: &mut Vec<u8>, log: &mut Vec<u8>) -> bool {
        // What is told together with the end of a game comes behind its last picture.
        let mut lines = lines.split_inclusive(|byte| *byte == b'\n');
        self.has_ended |= lines.clone().any(|line| line.starts_with(b"end "));
        for line in &mut lines {
            let plain = String::from_utf8_lossy(strip_line_end(line));
            let game = plain.strip_prefix("game ").filter(|_| !self.is_asked);
            if let Some(game) = game {
                let name = game.split(' ').next().unwrap_or_default();
                self.is_judged = Ruleset::parse(name).is_none();
            }
            if plain == "battleship 1" {
                let games = Ruleset::ALL.map(Ruleset::word).join(" ");
                let greeting = format!(
                    "name {}\nplays {games} apart any\nhuman\nready\n",
                    self.name
                );
                reply.extend_from_slice(greeting.as_bytes());
            } else if plain == "quit" && !self.is_asked {
                return false;
            } else if !self.is_judged || plain.starts_with("error ") {
                if !Local::receive(&mut self.battleship, line, reply, log) {
                    return false;
                }
            } else if self.hear(&plain, reply).is_err() {
                reply.extend_from_slice(b"resign\n");
            }
        }
        true
    }
}
