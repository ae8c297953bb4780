//! The behaviour that stays the same until version 2: `docs/stability.md` promises it, and each promise has a test here.

mod dialogue;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    dialogue::tests(tests);
}
