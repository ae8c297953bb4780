//! Records: what is written, kept, continued, merged and compressed.

mod disk_full;
mod fields;
mod figures;
mod gzip;
#[cfg(target_os = "linux")]
pub(crate) mod kills;
mod merge;
#[cfg(target_os = "linux")]
mod no_locks;
mod old;
mod outputs;
mod resume;

use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    disk_full::tests(tests);
    gzip::tests(tests);
    old::tests(tests);
    #[cfg(target_os = "linux")]
    no_locks::tests(tests);
    outputs::tests(tests);
    tests.needing(&[UNIX], |tests| {
        fields::tests(tests);
        figures::tests(tests);
        #[cfg(target_os = "linux")]
        kills::tests(tests);
        merge::tests(tests);
        resume::tests(tests);
    });
}
