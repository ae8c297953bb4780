//! `referee check`.

mod chance;
mod mistakes;
mod placements;
mod positions;
mod silence;
mod steps;
