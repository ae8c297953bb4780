//! Recorded games are shown again.

mod shown;
mod terminal;
