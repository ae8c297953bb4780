//! `referee check`.

mod chance;
mod mistakes;
mod placements;
mod silence;
mod steps;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    chance::tests(tests);
    mistakes::tests(tests);
    placements::tests(tests);
    silence::tests(tests);
    steps::tests(tests);
}
