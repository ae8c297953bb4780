//! `referee check`.

mod chance;
mod mistakes;
mod placements;
mod silence;
mod steps;
