//! What each step does.

pub(super) mod games;
pub(super) mod habits;
pub(super) mod leave;
pub(super) mod orders;
pub(super) mod place;
pub(super) mod results;
pub(super) mod talk;
