//! The sandbox: what a bot in it can still do, what it cannot, and that it is tried before it is
//! trusted.

mod attacks;
mod deeds;
mod folders;
mod limits;
mod programs;
mod worlds;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        attacks::tests(tests);
        deeds::tests(tests);
        folders::tests(tests);
        limits::tests(tests);
        programs::tests(tests);
        worlds::tests(tests);
    });
}
