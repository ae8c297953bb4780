//! Bots that misbehave, by mistake or on purpose.

mod attacks;
mod fairness;
pub(crate) mod faults;
mod life;
mod outliving;
mod shortage;
mod tampering;
mod terminal;
mod words;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    attacks::tests(tests);
    fairness::tests(tests);
    faults::tests(tests);
    life::tests(tests);
    outliving::tests(tests);
    shortage::tests(tests);
    tampering::tests(tests);
    terminal::tests(tests);
    words::tests(tests);
}
