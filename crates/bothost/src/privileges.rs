//! The powers of root that a bot is to lose, for referees that are run as root.

use rustix::io;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

/// The powers of root that a bot keeps. A bot of another user has none to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those over files, so that outside the sandbox it can read and write what its user can.
    Files,
    /// None.
    Nothing,
}

/// Takes all powers of root but those in `keep` from the calling thread and from what it starts, for good, if
/// `no_new_privs` is set, as Landlock does. Root could otherwise read the environment and the memory of other
/// processes.
pub(super) fn drop_all_but(keep: Keep) -> io::Result<()> {
    let held = rustix::thread::capabilities(None)?.permitted;
    let kept = match keep {
        Keep::Nothing => CapabilitySet::empty(),
        Keep::Files => {
            CapabilitySet::CHOWN
                | CapabilitySet::DAC_OVERRIDE
                | CapabilitySet::DAC_READ_SEARCH
                | CapabilitySet::FOWNER
        }
    };
    // Asking for a power that is not held would be refused (EPERM), as in a container that has dropped some.
    let kept = held & kept;
    let none = CapabilitySet::empty();
    // The inheritable set is empty, and under no_new_privs exec cannot enlarge the permitted one: root stays
    // this weak in every program it runs (capabilities(7)).
    set_capabilities(
        None,
        CapabilitySets {
            effective: kept,
            permitted: kept,
            inheritable: none,
        },
    )
}
