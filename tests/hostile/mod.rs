//! Bots that misbehave, by mistake or on purpose.

mod deadlines;
mod fairness;
pub(crate) mod faults;
mod outliving;
mod shortage;
mod tampering;
mod terminal;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    faults::tests(tests);
    deadlines::tests(tests);
    tests.needing(&[UNIX], |tests| {
        fairness::tests(tests);
        outliving::tests(tests);
        shortage::tests(tests);
        tampering::tests(tests);
        terminal::tests(tests);
    });
}
