//! One game.

#[cfg(target_os = "linux")]
mod calls;
mod classic;
mod demo;
mod first_aid;
mod limit;
mod menu;
mod pauses;
mod twist;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    #[cfg(target_os = "linux")]
    calls::tests(tests);
    classic::tests(tests);
    demo::tests(tests);
    first_aid::tests(tests);
    limit::tests(tests);
    menu::tests(tests);
    pauses::tests(tests);
    twist::tests(tests);
}
