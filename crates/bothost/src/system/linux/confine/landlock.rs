//! The files, connections and processes that a bot may use, enforced by Landlock.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::unavailable;
use crate::program::StartError;
use crate::sandbox::{Sandbox, SandboxKind};

/// Confines this process and all that it starts to signalling and tracing each other. Returns
/// whether `outsider`, a process outside, is now out of reach: the kernel may be older than Linux
/// 6.12, or enforce nothing.
pub(crate) fn scope_signals(outsider: Pid) -> bool {
    // The kernel's word is not enough: if it were wrong, the kill(-1) of the supervisor would end
    // every process of the user. So it is tried, with signal 0, which only asks whether a signal
    // would be allowed. Only the refusal counts; that the process no longer exists proves nothing.
    keep_from_others(false) && test_kill_process(outsider) == Err(Errno::PERM)
}

/// Folders of files that are switches of the kernel's: by them a bot could take processor time from
/// others, freeze them with their control group, or be the last one to be ended when the memory
/// runs out.
const SWITCHES: [&str; 2] = ["proc", "sys"];

/// Keeps this process from signalling and tracing others, and, if it is to be a bot, from writing
/// the kernel's switches. Returns whether the kernel enforces that.
pub(super) fn keep_from_others(is_bot: bool) -> bool {
    let enforced = (|| -> Result<RestrictionStatus, RulesetError> {
        // A domain without any rule for files costs well under a millisecond and needs no
        // privilege. Being a domain at all forbids ptrace(2), process_vm_readv(2) and the files in
        // /proc/PID that depend on it (mem, environ, fd); the scope adds signals and abstract
        // sockets.
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::from_all(ABI::V6))?;
        let root = is_bot.then(|| std::fs::read_dir("/").ok()).flatten();
        let Some(root) = root else {
            return ruleset.create()?.restrict_self();
        };
        // Every right that is handled is forbidden unless a rule allows it, and no rule takes back
        // what another has given. So each folder of the root gets a rule of its own.
        let write = AccessFs::from_write(ABI::V5);
        let folders = root.flatten().filter(|entry| {
            let name = entry.file_name();
            !SWITCHES.iter().any(|switch| name == *switch)
        });
        ruleset
            .handle_access(write)?
            .create()?
            .add_rules(path_beneath_rules(folders.map(|entry| entry.path()), write))?
            .restrict_self()
    })();
    enforced.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}

/// Folders of the system's programs and libraries. In many systems some are links to others.
pub(crate) const PROGRAMS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
];

/// The kernel's files about the machine and about the bot's own processes.
const KERNEL: [&str; 2] = ["/proc", "/sys"];

/// The folder of the system's settings.
pub(crate) const SETTINGS: &str = "/etc";

/// Beginnings of the names of settings that programs, runtimes of languages and libraries need, and
/// that say nothing of users and of the network.
const FOR_PROGRAMS: [&str; 34] = [
    "OpenCL",
    "R",
    "alternatives",
    "crypto-policies",
    "dotnet",
    "erlang",
    "fonts",
    "ghc",
    "guile",
    "java",
    "julia",
    "jvm",
    "ld.so.",
    "locale",
    "localtime",
    "lua",
    "mime.types",
    "mono",
    "node",
    "ocaml",
    "octave",
    "openmpi",
    "os-release",
    "perl",
    "php",
    "pypy",
    "python",
    "racket",
    "ruby",
    "sbcl",
    "scala",
    "swipl",
    "terminfo",
    "timezone",
];

/// Settings without which some programs do not know their own user. A world has its own.
const FOR_USERS: [&str; 5] = ["passwd", "group", "hosts", "hostname", "nsswitch.conf"];

/// The device that is memory. What processes share of it belongs to none of them, so that nothing
/// but the kernel can count it.
const ZERO: &str = "/dev/zero";

/// Devices without which programs do not run.
pub(crate) const DEVICES: [&str; 5] = [
    "/dev/null",
    ZERO,
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Settings for programs in folders that also hold what does not concern a bot.
const SINGLE: [&str; 3] = [
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/pki/java",
];

/// Returns the settings that programs need, as far as they may be listed and are there.
pub(crate) fn settings_for_programs() -> impl Iterator<Item = PathBuf> {
    settings(|name| {
        FOR_PROGRAMS
            .iter()
            .any(|beginning| name.starts_with(beginning))
    })
    .chain(SINGLE.map(PathBuf::from))
}

fn settings(is_needed: impl Fn(&str) -> bool) -> impl Iterator<Item = PathBuf> {
    let all = std::fs::read_dir(SETTINGS).into_iter().flatten().flatten();
    let needed = all.filter(move |entry| entry.file_name().to_str().is_some_and(&is_needed));
    needed.map(|entry| entry.path())
}

/// Has this process, and all that it becomes and starts, read only the system, what is `shown` but
/// not hidden by `sandbox`, and the folder `own` even if what is around it is hidden; write only in
/// the folders `writable`; make no TCP connection; and signal no process outside. `counted` is
/// whether the kernel counts all its memory.
pub(crate) fn restrict(
    sandbox: &Sandbox,
    shown: &[PathBuf],
    own: Option<&Path>,
    writable: &[impl AsRef<Path>],
    counted: bool,
) -> Result<(), StartError> {
    let hidden: Vec<_> = sandbox
        .hide
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let settings = settings_for_programs().chain(settings(|name| FOR_USERS.contains(&name)));
    let readable = PROGRAMS
        .iter()
        .chain(&KERNEL)
        .map(PathBuf::from)
        .chain(settings)
        .chain(shown.iter().cloned());
    let mut shown = Shown::default();
    for folder in readable.filter_map(|folder| folder.canonicalize().ok()) {
        shown.add(folder, &hidden);
    }
    shown.whole.extend(own.map(Path::to_owned));
    // A sandbox that is asked for is complete or is refused. This is all there is of it.
    let mut complete = CompatLevel::HardRequirement;
    if sandbox.kind == SandboxKind::Namespaces {
        // Namespaces stand by themselves. Landlock is a second barrier, as
        // strong as the kernel can build it, and everything inside may be seen.
        complete = CompatLevel::BestEffort;
        shown.listed.push("/".into());
    }
    let devices = DEVICES.iter().filter(|device| counted || **device != ZERO);
    let restricted = (|| -> Result<_, RulesetError> {
        let read = AccessFs::from_read(ABI::V5);
        let device = AccessFs::ReadFile | AccessFs::WriteFile;
        Ruleset::default()
            .set_compatibility(complete)
            // Everything handled is forbidden except where a rule allows it. No rule allows a TCP
            // port.
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V4))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?
            // A rule is about a file that exists when it is made; folders that a system does not
            // have are skipped.
            .add_rules(path_beneath_rules(&shown.whole, read))?
            .add_rules(path_beneath_rules(
                &shown.listed,
                BitFlags::from(AccessFs::ReadDir),
            ))?
            // Without the right to use ioctl, and without /dev itself: the terminals and /dev/shm
            // are in there.
            .add_rules(path_beneath_rules(devices, device))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(ABI::V5)))?
            .restrict_self()
    })();
    restricted.map(drop).map_err(|error| {
        let why = format!("{error} (it needs Linux 6.12 or later, with Landlock enabled)");
        unavailable("Landlock", &why)
    })
}

/// The files that a bot may read, without the hidden ones.
#[derive(Default)]
struct Shown {
    /// Files and folders that it may read with all that is in them.
    whole: Vec<PathBuf>,
    /// Folders with something hidden below: they may be listed, as an interpreter does that looks
    /// for its modules.
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
        // A rule of Landlock is for all that is below a folder, and no rule takes anything out of
        // it again. So here each entry gets a rule of its own. What the referee or others put there
        // later is not shown.
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
        assert_eq!(
            shown.listed,
            ["bot/results", "bot"].map(|path| root.join(path))
        );
        let mut shown = Shown::default();
        shown.add(root.join("bot/lib"), &[root.join("bot")]);
        assert!(shown.whole.is_empty() && shown.listed.is_empty());
    }
}
