//! The confinement of every bot, sandboxed or not: a Landlock domain that keeps it from signalling and tracing others.

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Pid, test_kill_process};

use super::privileges::{self, Keep};
use super::sandbox::calls;

/// Whether this process may signal its own descendants only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scoped {
    /// It may, and a test has shown it.
    Yes,
    /// The kernel is too old for that (it takes Linux 6.12), or does not enforce it.
    No,
}

/// Confines this process and all that it starts to signalling and tracing each other. `outsider` is a process outside,
/// which serves to test that.
pub(super) fn scope_signals(outsider: Pid) -> Scoped {
    let enforced = restrict(Files::All);
    // The kernel's word is not enough: if it were wrong, the kill(-1) of the supervisor would end every process of the
    // user. So it is tried, with signal 0 to a process outside, which only asks whether a signal would be allowed. Only
    // the refusal counts; that the process no longer exists proves nothing.
    let reaches_outsider = test_kill_process(outsider) != Err(rustix::io::Errno::PERM);
    if enforced && !reaches_outsider {
        Scoped::Yes
    } else {
        Scoped::No
    }
}

/// Confines the calling thread, and so the bot that it starts, within the confinement of its supervisor: it cannot
/// signal or trace the supervisor either. Does as much of that as the kernel can.
pub(super) fn confine_bot() {
    if restrict(Files::But(&KERNEL)) {
        // Landlock does not stop root from reading the environment and the memory of others. Only under Landlock, which
        // sets no_new_privs: otherwise exec gives all of it back to root. A bot that is not root has nothing to drop.
        let _ = privileges::drop_all_but(Keep::Files);
    }
    // An architecture that the filter does not know is not a reason to refuse a bot outside the sandbox.
    let _ = calls::for_every_bot();
}

/// Folders of files that are switches of the kernel's: by them a bot could take processor time from others, freeze them
/// with their control group, or be the last one to be ended when the memory runs out.
const KERNEL: [&str; 2] = ["proc", "sys"];

/// The files that can be written, as far as their owners and modes allow it.
#[derive(Clone, Copy, Debug)]
enum Files {
    All,
    /// All but those in these folders of the root.
    But(&'static [&'static str]),
}

fn restrict(files: Files) -> bool {
    let ruleset = (|| -> Result<RestrictionStatus, RulesetError> {
        // A domain without any rule for files costs well under a millisecond and needs no privilege. Being a
        // domain at all forbids ptrace(2), process_vm_readv(2) and the files in /proc/PID that depend on it
        // (mem, environ, fd); the scope adds signals and abstract sockets.
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::from_all(ABI::V6))?;
        let Files::But(left_out) = files else {
            return ruleset.create()?.restrict_self();
        };
        // Every right that is handled is forbidden unless a rule allows it, and no rule takes back what another has given. So
        // each folder of the root gets a rule of its own.
        let write = AccessFs::from_write(ABI::V5);
        let Ok(shown) = std::fs::read_dir("/") else {
            return ruleset.create()?.restrict_self();
        };
        let shown = shown.flatten();
        let shown = shown.filter(|entry| left_out.iter().all(|name| entry.file_name() != *name));
        ruleset
            .handle_access(write)?
            .create()?
            .add_rules(path_beneath_rules(shown.map(|entry| entry.path()), write))?
            .restrict_self()
    })();
    ruleset.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}
