//! Where descriptors cannot be handed over, a person needs a terminal.

use std::fs::File;
use std::io;
use std::process::Command;

use super::program::Program;

pub(super) const STREAMS: &str = "BATTLESHIP_PERSON_STREAMS";

/// Nothing that a program is handed.
#[derive(Debug)]
pub(super) struct Handover;

impl Handover {
    #[allow(clippy::unnecessary_wraps, reason = "as where descriptors can be handed over")]
    pub(super) fn to(_program: &Program) -> io::Result<Handover> {
        Ok(Handover)
    }

    pub(super) fn name_in(&self, _command: &mut Command) {}
}

/// What a person types, and where it is shown what to type.
#[derive(Debug)]
pub struct PersonStreams {
    /// What is typed.
    pub input: File,
    /// Where it is shown.
    pub output: File,
    /// Whether the referee is at the other end, which asks the person itself.
    pub of_referee: bool,
}

/// The end that a program gets of its link to the referee. There is none here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonLink(std::convert::Infallible);

/// Returns `None`: no program is handed streams here.
#[must_use]
pub fn person_streams() -> Option<PersonStreams> {
    None
}
