//! The bots that `referee new` writes.

mod cs32;
pub(crate) mod kits;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    cs32::tests(tests);
    kits::tests(tests);
}
