//! What a bot that runs as root could do more than others.

use rustix::io;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

/// Which of root's powers a bot keeps. Without them, as any other user's bots, it has none to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those over files, so that it can read and write what its user can.
    Files,
    /// None.
    Nothing,
}

/// Takes all powers of root but those in `keep` from the calling thread and from what it starts, for good, given that
/// it can gain no privileges any more, as under Landlock. Root could otherwise read the environment and the memory
/// of other processes.
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
    let kept = held & kept;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: kept, permitted: kept, inheritable: none })
}
