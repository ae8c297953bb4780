//! The files and connections that a sandboxed bot may use, enforced by Landlock.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::{Sandbox, SandboxError};

/// What belongs to the system and has no secrets of the user: programs, libraries, settings, and what the kernel
/// says of the machine.
const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/proc", "/sys"];

/// Devices without which programs do not run.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Has this process, and all that it becomes and starts, read only the system, the folders of `sandbox` and `folder`,
/// write only in `folder`, make no TCP connection, and signal no process outside.
pub(super) fn restrict(sandbox: &Sandbox, folder: &Path) -> Result<(), SandboxError> {
    let restricted = (|| -> Result<_, RulesetError> {
        let read = AccessFs::from_read(ABI::V5);
        let device = AccessFs::ReadFile | AccessFs::WriteFile;
        Ruleset::default()
            // The crate's default is to enforce what the kernel can and to leave out the rest silently. A
            // sandbox that is asked for is complete or is refused.
            .set_compatibility(CompatLevel::HardRequirement)
            // Everything handled is forbidden except where a rule allows it. No rule allows a TCP port.
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V4))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            // A rule is about a file that exists when it is made; folders that a system does not have are
            // skipped.
            .add_rules(path_beneath_rules(SYSTEM, read))?
            .add_rules(path_beneath_rules(&sandbox.allow, read))?
            // Without the right to use ioctl, and without /dev itself: the terminals and /dev/shm are in
            // there.
            .add_rules(path_beneath_rules(DEVICES, device))?
            .add_rules(path_beneath_rules([folder], AccessFs::from_all(ABI::V5)))?
            .restrict_self()
    })();
    let why = |error| format!("{error} (it takes Linux 6.12 or newer, with Landlock switched on)");
    restricted.map(drop).map_err(|error| SandboxError::new("Landlock", &why(error)))
}
