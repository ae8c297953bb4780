//! The tests that the programs for Windows are not put to, each with its reason.

use crate::harness::needs::Need;

/// Beginnings and endings of tests' names, and why these are left out.
const LEFT_OUT: &[(Part, &str)] = &[
    (Begins("browser::"), "pages are the same on every system"),
    (Begins("class::"), "a class builds and plays in the sandbox"),
    (Begins("cluster::"), "the nodes of a cluster run Linux"),
    (Begins("docs::"), "the documents are of this system"),
    (Begins("honest::"), "bots are not watched between their turns there"),
    (Begins("human::"), "Wine's console draws otherwise; `windows::console` plays there"),
    (Begins("report::live::"), "pages are the same on every system"),
    (Begins("sandbox::"), "there is no sandbox"),
    (Begins("screen::"), "Wine's console does not draw a screen"),
    (Begins("shell::"), "the shells are of this system"),
    (Begins("web::"), "pages are the same on every system"),
    (Begins("windows::"), "they run the programs of both systems"),
    (Begins("hostile::attacks::"), "the attacks are on Linux"),
    (Begins("hostile::fairness::"), "bots are not watched between their turns there"),
    (
        Begins("hostile::outliving::"),
        "the processes are of this system; nothing leaves a job object",
    ),
    (Begins("hostile::shortage::"), "the limits are of Linux"),
    (Begins("hostile::tampering::"), "the attacks are on Linux"),
    (Begins("hostile::terminal::"), "the terminals are of Linux"),
    (Ends("::supervised"), "bots are served by threads, as in `--portable`"),
    (Ends("::unconfined"), "bots are served by threads, as in `--portable`"),
];

use Part::{Begins, Ends};

enum Part {
    Begins(&'static str),
    Ends(&'static str),
}

impl Part {
    fn is_of(&self, name: &str) -> bool {
        match self {
            Begins(beginning) => name.starts_with(beginning),
            Ends(ending) => name.ends_with(ending),
        }
    }
}

/// Returns why the test `name`, which needs `needs`, is left out; `None` if the programs for Windows are put to it.
pub(crate) fn why_left_out(name: &str, needs: &[&Need]) -> Option<String> {
    let listed = LEFT_OUT.iter().find(|(part, _)| part.is_of(name));
    let listed = listed.map(|(_, reason)| (*reason).to_owned());
    let lacked = needs.iter().find(|need| !need.is_known_on_windows());
    listed.or_else(|| Some(format!("it needs {}", lacked?.name())))
}
