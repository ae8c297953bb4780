//! The documents say what the programs do.

#[cfg(unix)]
mod commands;
mod layers;
mod links;
mod markdown;
mod options;
mod pages;
mod pictures;

use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        #[cfg(unix)]
        commands::tests(tests);
        layers::tests(tests);
        links::tests(tests);
        options::tests(tests);
        pages::tests(tests);
        pictures::tests(tests);
    });
}
