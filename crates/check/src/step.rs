//! One step of a check: what it tries, and how it went.

use super::examination::Examination;
use super::halt::Halt;
use super::report::Finding;

/// An ability that other steps rely on. A bot that turns out not to have it is spared them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ability {
    /// It gets ready.
    Ready,
    /// It says one line for each request, so that it is known which line answers what.
    InStep,
    /// It places the usual fleet.
    Places,
    /// It places other fleets on other boards.
    PlacesAnywhere,
    /// It takes turns in a game.
    Plays,
    /// It plays another game after the first.
    PlaysAgain,
}

/// The result of a step.
#[derive(Debug)]
pub(super) enum Verdict {
    /// All is well.
    Pass(String),
    /// Good to know.
    Note(String),
    /// The bot can play, but this should be fixed.
    Warn(Finding),
    /// The bot breaks the protocol, or loses by it.
    Fail(Finding),
    /// It could not be tried; why.
    Unknown(String),
}

/// One step of a check.
pub(super) struct Step {
    /// The word that stands for it.
    pub(super) name: &'static str,
    /// The expected behaviour of the bot, as the end of a sentence that begins with its name.
    pub(super) title: &'static str,
    /// The abilities that it relies on.
    pub(super) needs: &'static [Ability],
    /// The ability that a bot which fails here does not have.
    pub(super) loses: Option<Ability>,
    /// The usual cause if a bot fails in this step after it passed those before.
    pub(super) cause: Option<&'static str>,
    /// Tries it.
    pub(super) run: fn(&Examination<'_>) -> Result<Verdict, Halt>,
}
