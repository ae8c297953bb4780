//! One game.

mod folders;
mod game;
#[cfg(unix)]
mod menu;
#[cfg(unix)]
mod pauses;
mod twist;

use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    folders::tests(tests);
    game::tests(tests);
    #[cfg(unix)]
    menu::tests(tests);
    #[cfg(unix)]
    pauses::tests(tests);
    twist::tests(tests);
}
