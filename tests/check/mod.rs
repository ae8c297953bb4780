//! `referee check`.

mod mistakes;
mod steps;
