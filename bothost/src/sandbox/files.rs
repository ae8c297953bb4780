//! The files and connections that a sandboxed bot may use, enforced by Landlock.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
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
    let hidden: Vec<_> = sandbox.hide.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let readable = SYSTEM.iter().map(PathBuf::from).chain(sandbox.allow.iter().cloned());
    let mut shown = Shown::default();
    for folder in readable.filter_map(|folder| folder.canonicalize().ok()) {
        shown.add(folder, &hidden);
    }
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
            .add_rules(path_beneath_rules(&shown.whole, read))?
            .add_rules(path_beneath_rules(&shown.listed, BitFlags::from(AccessFs::ReadDir)))?
            // Without the right to use ioctl, and without /dev itself: the terminals and /dev/shm are in
            // there.
            .add_rules(path_beneath_rules(DEVICES, device))?
            .add_rules(path_beneath_rules([folder], AccessFs::from_all(ABI::V5)))?
            .restrict_self()
    })();
    let why = |error| format!("{error} (it takes Linux 6.12 or newer, with Landlock switched on)");
    restricted.map(drop).map_err(|error| SandboxError::new("Landlock", &why(error)))
}

/// What a bot may read, with what is hidden left out.
#[derive(Default)]
struct Shown {
    /// Files and folders that it may read with all that is in them.
    whole: Vec<PathBuf>,
    /// Folders with something hidden below: they may be listed, as an interpreter does that looks for its modules.
    listed: Vec<PathBuf>,
}

impl Shown {
    /// Adds `path`, except for what is `hidden`. All paths are canonical.
    fn add(&mut self, path: PathBuf, hidden: &[PathBuf]) {
        if hidden.iter().any(|hidden| path.starts_with(hidden)) {
            return;
        }
        if !hidden.iter().any(|hidden| hidden.starts_with(&path)) {
            self.whole.push(path);
            return;
        }
        // A rule of Landlock is for all that is below a folder, and no rule takes anything out of it again. So here each
        // entry gets a rule of its own. What the referee or others put there later is not shown.
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            // Not where a link leads to: that would be shown under its own name as well.
            if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                self.add(entry.path(), hidden);
            }
        }
        self.listed.push(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_what_is_hidden_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in ["bot/lib", "bot/results/old"] {
            std::fs::create_dir_all(root.join(path)).unwrap();
        }
        for path in ["bot/bot.py", "bot/lib/a.py", "bot/results/cup.jsonl"] {
            std::fs::write(root.join(path), "").unwrap();
        }
        std::os::unix::fs::symlink(root.join("bot/results/cup.jsonl"), root.join("bot/link"))
            .unwrap();
        let mut shown = Shown::default();
        shown.add(root.join("bot"), &[root.join("bot/results/cup.jsonl")]);
        shown.whole.sort();
        let expected = ["bot/bot.py", "bot/lib", "bot/results/old"].map(|path| root.join(path));
        assert_eq!(shown.whole, expected);
        assert_eq!(shown.listed, ["bot/results", "bot"].map(|path| root.join(path)));
        let mut shown = Shown::default();
        shown.add(root.join("bot/lib"), &[root.join("bot")]);
        assert!(shown.whole.is_empty() && shown.listed.is_empty());
    }
}
