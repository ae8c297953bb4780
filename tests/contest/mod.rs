//! Matches, tournaments and rankings.

mod config_file;
mod explain;
mod folders;
mod identity;
mod interrupted;
mod matches;
mod rank;
mod seeds;
mod standings;
mod tables;
mod terms;
mod tournament;
mod twist;
mod watch;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    config_file::tests(tests);
    explain::tests(tests);
    folders::tests(tests);
    identity::tests(tests);
    interrupted::tests(tests);
    matches::tests(tests);
    rank::tests(tests);
    seeds::tests(tests);
    standings::tests(tests);
    tables::tests(tests);
    terms::tests(tests);
    tournament::tests(tests);
    twist::tests(tests);
    watch::tests(tests);
}
