//! The documents say what the programs do.

#[cfg(unix)]
mod commands;
mod links;
mod markdown;
mod pages;
mod pictures;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    #[cfg(unix)]
    commands::tests(tests);
    links::tests(tests);
    pages::tests(tests);
    pictures::tests(tests);
}
