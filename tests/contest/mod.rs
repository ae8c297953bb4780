//! Many games: matches, tournaments, and what is read from their records.

mod list;
mod matches;
mod rank;
mod same_games;
mod settings;
mod terms;
mod tournaments;
#[cfg(unix)]
mod watch;

use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        list::tests(tests);
        matches::tests(tests);
        rank::tests(tests);
        same_games::tests(tests);
        settings::tests(tests);
        terms::tests(tests);
        tournaments::tests(tests);
        #[cfg(unix)]
        watch::tests(tests);
    });
}
