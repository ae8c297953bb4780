//! Checks of bots.

mod chance;
mod faults;
mod mistakes;
mod silence;

use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    chance::tests(tests);
    faults::tests(tests);
    mistakes::tests(tests);
    silence::tests(tests);
}
