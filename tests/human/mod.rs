//! A person plays at a terminal.

mod classic;
mod piped;
mod twist;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    classic::tests(tests);
    piped::tests(tests);
    twist::tests(tests);
}
