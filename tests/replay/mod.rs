//! Recorded games are shown again.

mod pictures;
mod shown;
mod terminal;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    pictures::tests(tests);
    shown::tests(tests);
    terminal::tests(tests);
}
