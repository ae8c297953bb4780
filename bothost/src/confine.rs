//! What keeps a bot from reaching beyond itself, by means of the kernel's Landlock.

use landlock::{ABI, Access, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{Pid, test_kill_process};

use super::privileges::{self, Keep};
use super::sandbox::calls;

/// Whether the processes that this process may signal are only its own descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scoped {
    /// They are.
    Yes,
    /// The kernel cannot do that, or did not.
    No,
}

/// Confines this process, and so all that it starts, to signalling and tracing each other. `outsider` is a
/// process outside, by which it is tested whether that holds.
pub(super) fn scope_signals(outsider: Pid) -> Scoped {
    let enforced = restrict();
    // What the kernel says is not enough where a mistake would signal every process of the user.
    let reaches_outsider = test_kill_process(outsider) != Err(rustix::io::Errno::PERM);
    if enforced && !reaches_outsider { Scoped::Yes } else { Scoped::No }
}

/// Confines the calling thread, and so the bot that it starts, within the confinement of its supervisor: it
/// cannot signal or trace the supervisor either. Does nothing where the kernel cannot.
pub(super) fn confine_bot() {
    if restrict() {
        // As root it would still see more of them than others do. It has these powers or it has not.
        let _ = privileges::drop_all_but(Keep::Files);
    }
    let _ = calls::leave_others_alone();
}

fn restrict() -> bool {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(ABI::V6))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    ruleset.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}
