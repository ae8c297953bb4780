//! `referee check`.

mod chance;
mod mistakes;
mod steps;
