//! Control groups: limits and CPU shares that the kernel keeps for all processes of a bot together
//! (cgroups(7)).
//!
//! A group is made if this process may make one: below its own group or one above it that delegates
//! its controllers. Missing controllers are left out. Only version 2 has groups; if the kernel's
//! controllers are bound to version 1, limits are counted as without groups.

mod hierarchy;
mod thrashing;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

pub(crate) use self::hierarchy::Controller;
use self::hierarchy::{Hierarchy, is_writable, parent, sessions_share_processor};
pub(crate) use self::thrashing::Thrashing;
use crate::sandbox::{Sandbox, SandboxKind};
use crate::system::{number_in, read_kernel_file};

/// A group of processes: a folder, if it could be made. It is removed when this is dropped; its
/// processes have to have ended by then.
#[derive(Debug, Default)]
pub(crate) struct Group {
    folder: Option<PathBuf>,
    /// The resources that the kernel limits or weighs.
    hard: Vec<Controller>,
}

/// The names of the folders of groups, before the numbers of the process that has made them.
const NAME: &str = "battleship-";

/// Returns the name of the folders of a process's group. A process makes one at a time.
/// Containers may share the folders, and in each the numbers of processes begin again: so the
/// namespace of the numbers is in the name.
fn name_of(pid: u32) -> String {
    format!("{NAME}{}-{pid}", namespace())
}

/// Returns the number of the namespace in which this process is numbered: see namespaces(7). 0
/// without a `/proc`.
fn namespace() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino())
}

/// Returns the process that has made the control group `name`. The process is in this namespace,
/// and the name is that of a bot's group or of the referee's own group.
fn maker_of(name: &str) -> Option<u32> {
    let (namespace_of, process) = name.strip_prefix(NAME)?.split_once('-')?;
    let process = process.strip_suffix(OWN_GROUP).unwrap_or(process);
    (namespace_of.parse() == Ok(namespace())).then(|| process.parse().ok())?
}

/// The end of the name of a group that is the referee's own.
const OWN_GROUP: &str = "-referee";

impl Group {
    /// Makes a group with the limits of `sandbox`, as far as this process may. Without a sandbox
    /// the group is for a fair share of the processor; there is none where sessions share it out.
    pub(crate) fn make(sandbox: Option<&Sandbox>) -> Group {
        if sandbox.is_none() && sessions_share_processor() {
            // To move a process into a group can take 15 ms: the kernel waits until no other
            // process is in the middle of being born or ending.
            return Group::default();
        }
        let Some((parent, mut hard)) = parent() else {
            return Group::default();
        };
        let folder = parent.join(name_of(std::process::id()));
        if fs::create_dir(&folder).is_err() {
            return Group::default();
        }
        // A controller without its limit is of no use, but does no harm either.
        hard.retain(|controller| set(*controller, &folder, sandbox).is_ok());
        Group {
            folder: Some(folder),
            hard,
        }
    }

    /// Returns the group that the process `pid` has made, with nothing in it if it has made none.
    pub(crate) fn of(pid: Pid) -> Group {
        let name = name_of(pid.as_raw_nonzero().get().unsigned_abs());
        let folder = parent()
            .map(|(parent, _)| parent.join(&name))
            .filter(|folder| folder.is_dir());
        Group {
            folder,
            hard: Vec::new(),
        }
    }

    /// Returns the names of what the kernel limits or weighs for this group.
    pub(crate) fn hard(&self) -> Vec<String> {
        let names = self.hard.iter().map(|controller| controller.name());
        names.map(str::to_owned).collect()
    }

    /// Returns whether the kernel limits this.
    pub(crate) fn has(&self, controller: Controller) -> bool {
        self.hard.contains(&controller)
    }

    /// Moves the calling process into the group, and so what it starts.
    ///
    /// # Errors
    /// If the kernel refuses that.
    pub(crate) fn join(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let file = folder.join("cgroup.procs");
        // 0 is the process that writes.
        fs::write(&file, "0")
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))
    }

    /// Returns whether the kernel has ended a process of the group for want of memory.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let Some(folder) = self.folder_with(Controller::Memory) else {
            return false;
        };
        // The kernel also ends a process when the memory of the whole machine runs out, bots first.
        // That is not the bot's fault: the group has to have been at its own limit.
        let events = folder.join("memory.events");
        ["oom ", "oom_kill "]
            .iter()
            .all(|name| number_in(&events, name) > Some(0))
    }

    /// Returns whether the group has tried to have more threads and processes than it may.
    pub(crate) fn ran_out_of_tasks(&self) -> bool {
        let Some(folder) = self.folder_with(Controller::Pids) else {
            return false;
        };
        // Before Linux 6.11 a limit further up counts here too.
        let peak = number_in(&folder.join("pids.peak"), "");
        let was_full = peak.is_none() || peak >= number_in(&folder.join("pids.max"), "");
        was_full && number_in(&folder.join("pids.events"), "max ") > Some(0)
    }

    /// Returns its folder, if the kernel limits this in it.
    fn folder_with(&self, controller: Controller) -> Option<&Path> {
        self.folder.as_deref().filter(|_| self.has(controller))
    }

    /// Stops all processes of the group, or lets them continue. Returns whether the kernel can do
    /// that.
    pub(crate) fn freeze(&self, frozen: bool) -> bool {
        self.write("cgroup.freeze", if frozen { "1" } else { "0" })
    }

    /// Kills all processes of the group, those that are being born too. Returns whether the kernel
    /// can do that.
    pub(crate) fn kill(&self) -> bool {
        self.write("cgroup.kill", "1")
    }

    fn write(&self, file: &str, word: &str) -> bool {
        let folder = self.folder.as_ref();
        folder.is_some_and(|folder| fs::write(folder.join(file), word).is_ok())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(folder) = &self.folder else { return };
        // It is busy as long as a process in it is on its way out.
        for _ in 0..100 {
            match fs::remove_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => break,
            }
        }
    }
}

/// Returns the error of a group whose swap is not limited, if this machine swaps: what is swapped
/// out counts nowhere then.
fn without_swap(error: io::Error) -> io::Result<()> {
    let swaps = read_kernel_file(Path::new("/proc/swaps")).unwrap_or_default();
    // The first line is a heading.
    match swaps.lines().nth(1) {
        Some(_) => Err(error),
        None => Ok(()),
    }
}

/// Prepares this process, the referee, for supervisors that make groups: removes those that others
/// have left behind, so that new ones can be made.
pub(crate) fn prepare() {
    sweep();
    prepare_child_groups();
}

/// Removes the groups of referees and supervisors that have ended without removing them, as after a
/// signal that cannot be handled.
fn sweep() {
    let Some((parent, _)) = parent() else { return };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if let Some(pid) = entry.file_name().to_str().and_then(maker_of)
            && !Path::new("/proc").join(pid.to_string()).exists()
        {
            // Only an empty group can be removed.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Prepares this process's own group for child groups, if it is alone in it: moves itself into a
/// group of its own there, and has the others get the controllers. Where that is not possible
/// nothing changes.
fn prepare_child_groups() {
    let Some(hierarchy) = Hierarchy::mounted() else {
        return;
    };
    let Hierarchy { top, own } = &hierarchy;
    let has_controllers = hierarchy
        .parent()
        .is_some_and(|(_, controllers)| !controllers.is_empty());
    let alone = fs::read_to_string(own.join("cgroup.procs"))
        .is_ok_and(|members| members.trim() == std::process::id().to_string());
    if has_controllers || !alone || own == top || !is_writable(own) {
        return;
    }
    let available = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
    let wanted = Controller::named_in(&available);
    let leaf = own.join(name_of(std::process::id()) + OWN_GROUP);
    if wanted.is_empty() || fs::create_dir(&leaf).is_err() {
        return;
    }
    if fs::write(leaf.join("cgroup.procs"), "0").is_ok() {
        for controller in wanted {
            let word = format!("+{}", controller.name());
            let _ = fs::write(own.join("cgroup.subtree_control"), word);
        }
    } else {
        let _ = fs::remove_dir(leaf);
    }
}

fn set(controller: Controller, folder: &Path, sandbox: Option<&Sandbox>) -> io::Result<()> {
    let write = |file: &str, value: u64| fs::write(folder.join(file), value.to_string());
    match (controller, sandbox) {
        // The default `cpu.weight`: as much as any other group.
        (Controller::Cpu, _) => write("cpu.weight", 100),
        (_, None) => Err(io::ErrorKind::Unsupported.into()),
        (Controller::Memory, Some(sandbox)) => {
            write("memory.max", sandbox.memory)?;
            write("memory.swap.max", 0).or_else(without_swap)?;
            // A bot that has lost one of its processes would continue in a state that its author
            // has not thought of.
            let _ = write("memory.oom.group", 1);
            Ok(())
        }
        (Controller::Pids, Some(sandbox)) => {
            // The first process of a namespace is not the bot's.
            let first = u64::from(sandbox.kind == SandboxKind::Namespaces);
            write("pids.max", sandbox.threads + first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_is_known_in_its_namespace_only() {
        assert_eq!(maker_of(&name_of(7)), Some(7));
        assert_eq!(maker_of(&(name_of(7) + OWN_GROUP)), Some(7));
        let elsewhere = format!("{NAME}{}-7", namespace() + 1);
        for other in [
            &elsewhere[..],
            "battleship-7",
            "battleship-",
            "user.slice",
            "battleship-x-y",
        ] {
            assert_eq!(maker_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_group_that_was_not_made_serves() {
        let group = Group::default();
        group.join().unwrap();
        assert!(!group.freeze(true) && !group.kill() && !group.ran_out_of_memory());
    }
}
