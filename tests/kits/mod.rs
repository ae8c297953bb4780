//! The kits that `referee new` writes.

mod cs32;
pub(crate) mod languages;

use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    cs32::tests(tests);
    languages::tests(tests);
}
