//! Records of contests: compressed ones, faults, full disks, merging, figures that bots print.

mod compressed;
mod disk_full;
mod faults;
mod figures;
mod kept;
mod kills;
mod merge;
mod outputs;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    compressed::tests(tests);
    disk_full::tests(tests);
    faults::tests(tests);
    figures::tests(tests);
    kept::tests(tests);
    kills::tests(tests);
    merge::tests(tests);
    outputs::tests(tests);
}
