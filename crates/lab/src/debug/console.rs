//! The terminal at which the author of a bot stops a game and continues it.

use std::fmt;
use std::io::{self, Write};

use arena::game::{Bots, Stop, Stopped};
use battleship::protocol::Request;
use bothost::{Answer, BotPair, Clock, Side};
use wire::game::told;

use super::{BOT, Debugging, attach};

/// The author's next wish.
#[derive(Clone, Copy)]
pub(super) enum Wish {
    /// The game again from its beginning, to this turn.
    Again(u32),
    Leave,
}

/// Both bots of one game, and the terminal at which the author says where to continue.
pub(super) struct Console<'c> {
    debugging: &'c Debugging<'c>,
    pub(super) bots: &'c mut BotPair,
    /// Whether the author still types.
    asks: bool,
    output: io::Stdout,
    /// The turn at which the game stops next.
    stop_at: u32,
    /// Turns of the bot so far.
    pub(super) turn: u32,
    wish: Option<Wish>,
}

impl Bots for Console<'_> {
    fn tell(&mut self, to: Side, line: fmt::Arguments<'_>) -> io::Result<()> {
        self.bots.tell(to, line)
    }

    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        if of == BOT && line.to_string() != "place" {
            self.turn += 1;
            if self.turn >= self.stop_at {
                self.stop()?;
            }
        }
        self.request(of, line)
    }

    fn comments(&mut self, of: Side) -> Vec<u8> {
        self.bots.comments(of)
    }
}

impl<'c> Console<'c> {
    /// Returns the console of a game with `bots` that stops before the turn `stop_at`.
    pub(super) fn new(
        debugging: &'c Debugging<'c>,
        bots: &'c mut BotPair,
        stop_at: u32,
    ) -> Console<'c> {
        Console {
            debugging,
            bots,
            asks: debugging.keyboard.is_some(),
            output: (debugging.output)(),
            stop_at,
            turn: 0,
            wish: None,
        }
    }

    /// Stops before a turn of the bot.
    fn stop(&mut self) -> Result<(), Stop> {
        let prompt = format!("before turn {}; Enter, c, e REQUEST", self.turn);
        while let Some(request) = self.prompt(&prompt, true)? {
            self.send(&request)?;
        }
        match self.wish {
            Some(_) => Err(Stop::Interrupted),
            None => Ok(()),
        }
    }

    /// Asks where to continue. Returns a request that the bot is to be sent before that.
    fn prompt(&mut self, prompt: &str, sends: bool) -> Result<Option<String>, Stop> {
        while let Some(keyboard) = self.debugging.keyboard
            && self.asks
        {
            write!(self.output, "({prompt}, b N, r, q) ")?;
            self.output.flush()?;
            let Some(typed) = keyboard()? else {
                self.asks = false;
                break;
            };
            let typed = typed.trim();
            let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
            match word {
                "" => self.stop_at = self.turn + 1,
                "c" => self.stop_at = u32::MAX,
                "b" => {
                    let back = rest.trim().parse().unwrap_or(1);
                    self.wish = Some(Wish::Again(self.turn.saturating_sub(back).max(1)));
                }
                "r" => self.wish = Some(Wish::Again(1)),
                "q" => self.wish = Some(Wish::Leave),
                "e" if sends && !rest.is_empty() => return Ok(Some(rest.to_owned())),
                _ => {
                    writeln!(self.output, "unknown command {typed:?}")?;
                    continue;
                }
            }
            break;
        }
        Ok(None)
    }

    /// Sends the bot a line that the game does not ask; the dialogue shows the answer.
    fn send(&mut self, line: &str) -> Result<(), Stop> {
        match Request::parse(line.as_bytes()) {
            Ok(request @ (Request::Place | Request::Attack | Request::Salvo(_) | Request::Act)) => {
                match self.request(BOT, format_args!("{request}")) {
                    Err(Stopped::Ended(ending)) => writeln!(self.output, "{}", ending.what)?,
                    Err(Stopped::Failed(error)) => return Err(error.into()),
                    Ok(_) => {}
                }
            }
            Ok(request) => self.bots.tell(BOT, format_args!("{request}"))?,
            Err(error) => writeln!(self.output, "{line:?} is not a request: {error}")?,
        }
        Ok(())
    }

    /// Sends a bot a request. A clock precedes it, except for a module, which has fuel.
    pub(super) fn request(
        &mut self,
        of: Side,
        line: fmt::Arguments<'_>,
    ) -> Result<Answer<'_>, Stopped> {
        if let Some(time) = self.debugging.clock
            && self.debugging.clocks()[of] == Clock::None
        {
            self.bots.tell(of, format_args!("clock {}", told(time)))?;
        }
        Bots::ask(self.bots, of, line)
    }

    /// Says how the game ended, while the process of a bot that has failed still runs, and asks
    /// where to continue.
    pub(super) fn end(mut self, ending: &str, process_is_left: bool) -> Result<Option<Wish>, Stop> {
        if self.wish.is_some() {
            return Ok(self.wish);
        }
        writeln!(self.output, "{ending}")?;
        if process_is_left {
            let process = self.bots.process(BOT);
            let attach = attach(process);
            writeln!(self.output, "It still runs as process {process}: {attach}")?;
        }
        self.prompt("the end; Enter", false)?;
        Ok(self.wish)
    }
}
