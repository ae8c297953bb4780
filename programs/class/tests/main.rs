//! The black-box tests of classes: submissions of every kind, night after night. They run `referee
//! class`, which starts the `referee-class` that is built beside it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
#![deny(dead_code, reason = "a test that no list names would never run")]

#[macro_use]
extern crate testkit;

mod bombs;
mod class;
mod codes;
mod course;
mod hostile;
mod imports;
mod judged;
mod kills;
mod links;
mod machine;
mod names;
mod nights;
mod private;
mod projects;
mod requirements;
mod suspicious;
mod verdicts;

use testkit::list::Tests;

fn list(tests: &mut Tests) {
    bombs::tests(tests);
    codes::tests(tests);
    course::tests(tests);
    hostile::tests(tests);
    imports::tests(tests);
    judged::tests(tests);
    kills::tests(tests);
    links::tests(tests);
    machine::tests(tests);
    names::tests(tests);
    nights::tests(tests);
    private::tests(tests);
    projects::tests(tests);
    requirements::tests(tests);
    suspicious::tests(tests);
    verdicts::tests(tests);
}

fn main() -> std::process::ExitCode {
    testkit::list::run(list)
}
