//! The behaviour that stays the same until version 2: `docs/stability.md` promises it, and each promise has a test here.

mod dialogue;
mod exit_codes;
mod records;
mod schemas;
