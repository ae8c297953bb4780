//! Contests: many games, and what they say about the players.

pub mod statistics;
