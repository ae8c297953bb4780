//! Recorded games are shown again.

mod pictures;
mod shown;
mod terminal;
