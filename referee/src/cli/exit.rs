//! What the exit code says.

/// Done; for a game, somebody won. Also if whoever read the output had seen enough.
pub(crate) const DONE: u8 = 0;

/// The referee or its machine has failed.
pub(crate) const FAULT: u8 = 1;

/// Wrong arguments or configuration.
pub(crate) const MISUSE: u8 = 2;

/// A game without a winner.
pub(crate) const NO_WINNER: u8 = 3;

/// A player could not be started, or failed its check.
pub(crate) const NOT_STARTED: u8 = 4;

/// Somebody stopped the referee.
pub(crate) const INTERRUPTED: u8 = 130;
