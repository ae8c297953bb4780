//! `referee check`.

mod chance;
mod mistakes;
mod placements;
mod steps;
