//! What authors of bots use: dev, debug, tune and doctor.

#[cfg(unix)]
mod debug;
#[cfg(unix)]
mod dev;
mod doctor;
mod tune;

use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    #[cfg(unix)]
    debug::tests(tests);
    #[cfg(unix)]
    dev::tests(tests);
    doctor::tests(tests);
    tune::tests(tests);
}
