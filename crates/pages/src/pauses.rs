//! The pause between two attacks of a transcript: nothing, a while, or a prompt that a person
//! answers.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use bothost::Interrupt;

use super::Keyboard;
use arena::game::Stop;

/// The prompt of the course's sample program.
const PROMPT: &str = "Press enter to continue: ";

/// The keys for the prompt, which does not list them itself.
const CHOICES: &str =
    "referee: enter continues, a and enter skips all pauses, q and enter ends the game";

/// The pause after each attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pause {
    /// None.
    #[default]
    None,
    /// Until a person presses enter.
    Enter,
    /// So long.
    Delay(Duration),
}

/// The pauses of a game.
#[derive(Debug)]
pub(super) struct Pauses {
    pause: Pause,
    interrupt: Arc<Interrupt>,
    /// The person at the terminal has yet to hear of the choices.
    choices_unsaid: bool,
}

/// A person's answer at a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    GoOn,
    PlayOn,
    Quit,
}

impl Answer {
    /// Returns the answer that was typed. Everything but the two letters continues, as in the
    /// sample program; the end of the input, which is `None`, answers all later pauses too.
    fn from_line(line: Option<&str>) -> Answer {
        match line.map(str::trim) {
            None | Some("a" | "A") => Answer::PlayOn,
            Some("q" | "Q") => Answer::Quit,
            Some(_) => Answer::GoOn,
        }
    }
}

impl Pauses {
    /// Returns pauses that `interrupt` cuts short.
    pub(super) fn new(pause: Pause, interrupt: Arc<Interrupt>) -> Pauses {
        Pauses {
            pause,
            interrupt,
            choices_unsaid: io::stdin().is_terminal(),
        }
    }

    /// Pauses. The prompt goes to `out`.
    ///
    /// # Errors
    /// If the person ends the game, if the referee is interrupted meanwhile, or if reading or
    /// writing fails.
    pub(super) fn pause(&mut self, out: &mut impl Write) -> Result<(), Stop> {
        match self.pause {
            Pause::None => Ok(()),
            Pause::Delay(time) => {
                out.flush()?;
                if self.interrupt.wait(Some(time))? {
                    Ok(())
                } else {
                    Err(Stop::Interrupted)
                }
            }
            Pause::Enter => match self.ask(out)? {
                Answer::GoOn => Ok(()),
                Answer::PlayOn => {
                    self.pause = Pause::None;
                    Ok(())
                }
                Answer::Quit => Err(Stop::Interrupted),
            },
        }
    }

    fn ask(&mut self, out: &mut impl Write) -> Result<Answer, Stop> {
        if std::mem::take(&mut self.choices_unsaid) {
            // The choices stand below the output so far.
            out.flush()?;
            // Without standard error a person can still press enter.
            let _ = writeln!(io::stderr(), "{CHOICES}");
        }
        write!(out, "{PROMPT}")?;
        out.flush()?;
        let line = Keyboard::new(self.interrupt.clone()).read()?;
        if line.is_none() && io::stdin().is_terminal() {
            // The terminal shows no line feed for Ctrl-D. The transcript has none here.
            let _ = writeln!(io::stderr());
        }
        Ok(Answer::from_line(line.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_mean_something_at_a_pause() {
        for (line, answer) in [
            (Some(""), Answer::GoOn),
            (Some("quit"), Answer::GoOn),
            (Some("\u{fffd}\0"), Answer::GoOn),
            (Some("a"), Answer::PlayOn),
            (Some(" A \r"), Answer::PlayOn),
            (Some("q"), Answer::Quit),
            (Some("Q\r"), Answer::Quit),
            (None, Answer::PlayOn),
        ] {
            assert_eq!(Answer::from_line(line), answer, "{line:?}");
        }
    }

    #[test]
    fn a_delay_is_not_a_prompt() {
        let interrupt = Arc::new(Interrupt::never().unwrap());
        for pause in [Pause::None, Pause::Delay(Duration::from_millis(1))] {
            let mut out = Vec::new();
            Pauses::new(pause, interrupt.clone())
                .pause(&mut out)
                .unwrap();
            assert_eq!(out, b"");
        }
    }
}
