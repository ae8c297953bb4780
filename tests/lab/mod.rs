//! What authors of bots use: dev, debug, tune and doctor.

#[cfg(unix)]
mod debug;
#[cfg(unix)]
mod dev;
mod doctor;
mod tune;

use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    doctor::tests(tests);
    tune::tests(tests);
    tests.needing(&[UNIX], |tests| {
        #[cfg(unix)]
        debug::tests(tests);
        #[cfg(unix)]
        dev::tests(tests);
    });
}
