//! The transcript of a game, as the programs of the course print it.

use std::io::{self, Write};
use std::sync::Arc;

use arena::judge::Step;
use battleship::table::InPlay;
use battleship::{BySide, Moment, People, Side};
use bothost::Interrupt;

use super::pauses::{Pause, Pauses};
use arena::game::{EndedBy, Ending, Event, Listener, Stop};

/// Prints a game: a classic one in the words of the course's sample program, byte for byte; a twist
/// game with the grids as its original draws them.
#[derive(Debug)]
pub struct Transcript<W> {
    out: W,
    names: BySide<String>,
    human: BySide<bool>,
    pauses: Option<Pauses>,
    /// Whether the game is worth playing on when the reader of this transcript has left.
    play_on: bool,
    /// The reader has left.
    unread: bool,
}

impl<W: Write> Transcript<W> {
    /// Returns a transcript on `out` of a game between players of these names.
    pub fn new(out: W, names: BySide<String>, human: BySide<bool>) -> Transcript<W> {
        Transcript {
            out,
            names,
            human,
            pauses: None,
            play_on: false,
            unread: false,
        }
    }

    /// Adds a `pause` after each attack but the last, which `interrupt` cuts short.
    #[must_use]
    pub fn pausing(self, pause: Pause, interrupt: &Arc<Interrupt>) -> Transcript<W> {
        Transcript {
            pauses: Some(Pauses::new(pause, interrupt.clone())),
            ..self
        }
    }

    /// Lets the game continue when the transcript's reader has left, because it is recorded too.
    #[must_use]
    pub fn play_on_unread(self, play_on: bool) -> Transcript<W> {
        Transcript { play_on, ..self }
    }

    /// Returns what was printed since the last call.
    pub(crate) fn take(&mut self) -> W
    where
        W: Default,
    {
        std::mem::take(&mut self.out)
    }

    fn people(&self) -> People<'_> {
        People {
            names: &self.names,
            human: &self.human,
        }
    }

    fn show_ending(&mut self, ending: &Ending, position: Option<&InPlay>) -> io::Result<()> {
        if ending.ended_by.is_forfeit() || ending.ended_by == EndedBy::Resigned {
            let person = ending.by.is_some_and(|side| self.human[side]);
            if person && ending.ended_by != EndedBy::Resigned {
                // Behind the prompt that was not answered.
                writeln!(self.out)?;
            }
            writeln!(self.out, "{}.", ending.reason(self.names.as_ref()))?;
        }
        // The sample program prints no line about a game without a winner; neither does this.
        let Some(winner) = ending.winner else {
            return self.out.flush();
        };
        let name = &self.names[winner];
        writeln!(self.out, "{name} wins!")?;
        if let Some(position) = position {
            let shown = position
                .game
                .transcript(Moment::Won(winner), &self.people());
            self.out.write_all(shown.as_bytes())?;
        }
        self.out.flush()
    }

    /// Returns the player whose picture is shown, if not all of it: a person must not see what only
    /// the opponent may.
    fn viewer(&self, asked: Option<Side>) -> Option<Side> {
        match (self.human.one, self.human.two) {
            (false, false) => None,
            (true, false) => Some(Side::One),
            (false, true) => Some(Side::Two),
            // Two people at one terminal: the one whose turn it is looks.
            (true, true) => asked,
        }
    }

    /// Shows a person the picture of a judged game before its turn.
    fn show_step(&mut self, step: &Step, asked: Option<Side>) -> io::Result<()> {
        if asked.is_some_and(|side| self.human[side]) {
            let picture = step.picture(self.viewer(asked));
            for line in &picture.text {
                writeln!(self.out, "{line}")?;
            }
        }
        self.out.flush()
    }

    /// Shows programs' replies in a judged game, and the picture after each. Between people they
    /// may be secret.
    fn show_reply(&mut self, step: &Step) -> io::Result<()> {
        if self.human == BySide::default() {
            if let Some((side, reply)) = &step.reply {
                writeln!(self.out, "{}: {reply}", self.names[*side])?;
            }
            for line in &step.picture(None).text {
                writeln!(self.out, "{line}")?;
            }
        }
        self.out.flush()
    }

    fn show_judged_ending(&mut self, ending: &Ending, step: &Step) -> io::Result<()> {
        if self.human != BySide::default() {
            for line in &step.picture(self.viewer(None)).text {
                writeln!(self.out, "{line}")?;
            }
        }
        writeln!(self.out, "{}.", ending.reason(self.names.as_ref()))?;
        if let Some(winner) = ending.winner {
            writeln!(self.out, "{} wins!", self.names[winner])?;
        }
        self.out.flush()
    }

    fn pause(&mut self) -> Result<(), Stop> {
        match &mut self.pauses {
            Some(pauses) => pauses.pause(&mut self.out),
            None => Ok(()),
        }
    }

    fn show(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match *event {
            Event::Begun { .. } | Event::Comment { .. } => Ok(()),
            Event::Asked { side, position } => {
                if let Some(step) = position.downcast_ref::<Step>() {
                    return Ok(self.show_step(step, Some(side))?);
                }
                let Some(position) = InPlay::of(position) else {
                    return Ok(());
                };
                let shown = position
                    .game
                    .transcript(Moment::Before(side), &self.people());
                self.out.write_all(shown.as_bytes())?;
                // Before the player thinks: a person decides by what is on the screen.
                Ok(self.out.flush()?)
            }
            Event::Played {
                side,
                position,
                time: _,
            } => {
                if let Some(step) = position.downcast_ref::<Step>() {
                    self.show_reply(step)?;
                    // A person is stopped by each request.
                    return if self.human == BySide::default() {
                        self.pause()
                    } else {
                        Ok(())
                    };
                }
                let Some(InPlay {
                    game,
                    turn: Some(turn),
                }) = InPlay::of(position)
                else {
                    return Ok(());
                };
                let shown = game.transcript(Moment::After(side, turn), &self.people());
                self.out.write_all(shown.as_bytes())?;
                // The sample program does not pause after the last attack.
                if game.winner().is_some() {
                    Ok(())
                } else {
                    self.pause()
                }
            }
            Event::Ended { ending, position } => {
                let step = position.and_then(|position| position.downcast_ref::<Step>());
                if let Some(step) = step {
                    return Ok(self.show_judged_ending(ending, step)?);
                }
                Ok(self.show_ending(ending, position.and_then(InPlay::of))?)
            }
        }
    }
}

impl<W: Write> Listener<Event<'_>> for Transcript<W> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        // A closed pipe is not tried again: the game continues for its record.
        if self.unread {
            return Ok(());
        }
        match self.show(event) {
            Err(Stop::Io(error)) if self.play_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.unread = true;
                Ok(())
            }
            Err(Stop::Io(error)) => {
                let what = format!("standard output: {error}");
                Err(io::Error::new(error.kind(), what).into())
            }
            shown => shown,
        }
    }
}
