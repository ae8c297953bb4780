//! Control groups: limits and weights that the kernel keeps for all processes of a bot together (cgroups(7)).
//!
//! A group is made where this process may make one: below its own group or one above it that delegates its controllers,
//! in the version 2 hierarchy, and in those of version 1 that a controller is bound to. What is missing is left out.

mod hierarchy;
mod thrashing;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

pub use self::hierarchy::Controller;
use self::hierarchy::{Hierarchy, Version, hierarchies, is_writable, sessions_share_processor};
pub(super) use self::thrashing::Thrashing;

/// What a group may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Threads and processes.
    pub tasks: u64,
}

/// A group of processes: a folder in each hierarchy in which it could be made. It is removed when this is dropped; its
/// processes have to have ended by then.
#[derive(Debug)]
pub struct Group {
    /// With the controllers that each has.
    folders: Vec<(Version, PathBuf, Vec<Controller>)>,
    /// What the kernel limits or weighs.
    hard: Vec<Controller>,
}

/// What the folders of groups are called, before the numbers of the process that has made them.
const NAME: &str = "battleship-";

/// How far below its limit a group of version 1 may have stayed whose request was refused, in bytes: a huge page.
const LARGEST_REQUEST: u64 = 2 << 20;

/// Returns what the folders of a process's group are called. A process makes one at a time. Containers may share the
/// folders, and in each processes are numbered anew: so the namespace of the numbers is in the name.
fn name_of(pid: u32) -> String {
    format!("{NAME}{}-{pid}", namespace())
}

/// Returns the number of the namespace in which this process is numbered: see namespaces(7). 0 without a `/proc`.
fn namespace() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino())
}

/// Returns the process of this namespace that has made the group of this name, or its own room.
fn maker_of(name: &str) -> Option<u32> {
    let (namespace_of, process) = name.strip_prefix(NAME)?.split_once('-')?;
    let process = process.strip_suffix(ROOM).unwrap_or(process);
    (namespace_of.parse() == Ok(namespace())).then(|| process.parse().ok())?
}

/// How the name of a group ends that is the referee's own.
const ROOM: &str = "-referee";

impl Group {
    /// Makes a group with these limits, if any, and as much of it as this process may make. Without limits the group is
    /// for a fair share of the processor; there is none where sessions share it out.
    #[must_use]
    pub fn make(limits: Option<Limits>) -> Group {
        if limits.is_none() && sessions_share_processor() {
            // To move a process into a group can take 15 ms: the kernel waits until no other process is in the middle of
            // being born or ending.
            return Group { folders: Vec::new(), hard: Vec::new() };
        }
        let name = name_of(std::process::id());
        let mut group = Group { folders: Vec::new(), hard: Vec::new() };
        for hierarchy in hierarchies() {
            if let Some((parent, controllers)) = hierarchy.parent() {
                let folder = parent.join(&name);
                if fs::create_dir(&folder).is_ok() {
                    group.folders.push((hierarchy.version, folder, controllers));
                }
            }
        }
        let folders = group.folders.clone();
        for (version, folder, controllers) in &folders {
            for controller in controllers {
                // A controller without its limit is no use, but does no harm either.
                if set(*version, *controller, folder, limits).is_ok() {
                    group.hard.push(*controller);
                }
            }
        }
        group
    }

    /// Returns the group that the process `pid` has made, with nothing in it if it has made none.
    #[must_use]
    pub(super) fn of(pid: Pid) -> Group {
        let name = name_of(pid.as_raw_nonzero().get().unsigned_abs());
        let folders = hierarchies().into_iter().filter_map(|hierarchy| {
            let (parent, controllers) = hierarchy.parent()?;
            let folder = parent.join(&name);
            folder.is_dir().then_some((hierarchy.version, folder, controllers))
        });
        Group { folders: folders.collect(), hard: Vec::new() }
    }

    /// Returns what the kernel limits or weighs for this group.
    #[must_use]
    pub fn hard(&self) -> &[Controller] {
        &self.hard
    }

    /// Returns whether the kernel limits this.
    #[must_use]
    pub fn has(&self, controller: Controller) -> bool {
        self.hard.contains(&controller)
    }

    /// Moves the calling process into the group, and so what it starts.
    ///
    /// # Errors
    /// If the kernel refuses that.
    pub(super) fn join(&self) -> io::Result<()> {
        self.folders.iter().try_for_each(|(_, folder, _)| {
            let file = folder.join("cgroup.procs");
            // 0 is the process that writes.
            fs::write(&file, "0").map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", file.display()))
            })
        })
    }

    /// Returns whether the kernel has ended a process of the group for want of memory.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        let Some((version, folder)) = self.folder_of(Controller::Memory) else { return false };
        // The kernel also ends a process when the memory of the whole machine runs out, bots first. That is not the bot's
        // fault: the group has to have been at its own limit.
        match version {
            Version::One => {
                let read = |file: &str| -> Option<u64> {
                    fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
                };
                let (most, limit) =
                    (read("memory.max_usage_in_bytes"), read("memory.limit_in_bytes"));
                // A request that does not fit may be for more than a page.
                let was_full = most.map(|most| most + LARGEST_REQUEST) >= limit;
                was_full && number(&folder.join("memory.oom_control"), "oom_kill") > Some(0)
            }
            Version::Two => {
                let events = folder.join("memory.events");
                ["oom", "oom_kill"].iter().all(|name| number(&events, name) > Some(0))
            }
        }
    }

    /// Returns whether the group has tried to have more threads and processes than it may.
    pub(super) fn ran_out_of_tasks(&self) -> bool {
        let Some((_, folder)) = self.folder_of(Controller::Pids) else { return false };
        let read = |file: &str| -> Option<u64> {
            fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
        };
        // Before Linux 6.11 a limit further up counts here too.
        let was_full = read("pids.peak").is_none_or(|peak| Some(peak) >= read("pids.max"));
        was_full && number(&folder.join("pids.events"), "max") > Some(0)
    }

    /// Returns the folder that has this controller.
    fn folder_of(&self, controller: Controller) -> Option<(Version, &Path)> {
        let has_it = |controllers: &[Controller]| controllers.contains(&controller);
        let found = self.folders.iter().find(|(_, _, controllers)| has_it(controllers));
        found.map(|(version, folder, _)| (*version, folder.as_path()))
    }

    /// Stops all processes of the group, or lets them go on. Returns whether the kernel can do that.
    pub(super) fn freeze(&self, frozen: bool) -> bool {
        let word = if frozen { "1" } else { "0" };
        self.unified().is_some_and(|folder| fs::write(folder.join("cgroup.freeze"), word).is_ok())
    }

    /// Kills all processes of the group, those that are being born too. Returns whether the kernel can do that.
    pub(super) fn kill(&self) -> bool {
        self.unified().is_some_and(|folder| fs::write(folder.join("cgroup.kill"), "1").is_ok())
    }

    fn unified(&self) -> Option<&Path> {
        let folder = self.folders.iter().find(|(version, _, _)| *version == Version::Two);
        folder.map(|(_, folder, _)| folder.as_path())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for (_, folder, _) in &self.folders {
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
}

/// Returns the error of a group whose swap is not limited, if this machine swaps: what is swapped out counts nowhere then.
fn without_swap(error: io::Error) -> io::Result<()> {
    // The first line is a heading.
    let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
    if swaps.lines().count() > 1 { Err(error) } else { Ok(()) }
}

/// Prepares this process, the referee, for supervisors that make groups: removes those that others have left behind, and
/// makes room for new ones.
pub fn prepare() {
    sweep();
    make_room();
}

/// Removes the groups of referees and supervisors that have ended without removing them, as after a signal that cannot be
/// handled.
fn sweep() {
    for hierarchy in hierarchies() {
        let Some((parent, _)) = hierarchy.parent() else { continue };
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if let Some(pid) = entry.file_name().to_str().and_then(maker_of)
                && !Path::new("/proc").join(pid.to_string()).exists()
            {
                // Only an empty group can be removed.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

/// Makes room for groups below this process's own group of version 2, if it is alone in it: moves itself into a group of
/// its own there, and has the others get the controllers. Where that is not possible nothing changes.
fn make_room() {
    let Some(hierarchy) = hierarchies().into_iter().find(|one| one.version == Version::Two) else {
        return;
    };
    let Hierarchy { top, own, .. } = &hierarchy;
    let has_controllers =
        hierarchy.parent().is_some_and(|(_, controllers)| !controllers.is_empty());
    let alone = fs::read_to_string(own.join("cgroup.procs"))
        .is_ok_and(|members| members.trim() == std::process::id().to_string());
    if has_controllers || !alone || own == top || !is_writable(own) {
        return;
    }
    let available = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
    let wanted = Controller::ALL.map(Controller::name);
    let wanted: Vec<_> = wanted
        .into_iter()
        .filter(|name| available.split_whitespace().any(|one| one == *name))
        .collect();
    let leaf = own.join(name_of(std::process::id()) + ROOM);
    if wanted.is_empty() || fs::create_dir(&leaf).is_err() {
        return;
    }
    if fs::write(leaf.join("cgroup.procs"), "0").is_ok() {
        for name in wanted {
            let _ = fs::write(own.join("cgroup.subtree_control"), format!("+{name}"));
        }
    } else {
        let _ = fs::remove_dir(leaf);
    }
}

fn set(
    version: Version,
    controller: Controller,
    folder: &Path,
    limits: Option<Limits>,
) -> io::Result<()> {
    let write = |file: &str, value: u64| fs::write(folder.join(file), value.to_string());
    match (controller, limits, version) {
        // The usual weight: as much as any other group.
        (Controller::Cpu, _, Version::One) => write("cpu.shares", 1024),
        (Controller::Cpu, _, Version::Two) => write("cpu.weight", 100),
        (_, None, _) => Err(io::ErrorKind::Unsupported.into()),
        (Controller::Memory, Some(limits), Version::One) => {
            write("memory.limit_in_bytes", limits.memory)?;
            // Memory and swap together.
            write("memory.memsw.limit_in_bytes", limits.memory).or_else(without_swap)
        }
        (Controller::Memory, Some(limits), Version::Two) => {
            write("memory.max", limits.memory)?;
            write("memory.swap.max", 0).or_else(without_swap)?;
            // A bot that has lost one of its processes would go on in a state that its author has not thought of.
            let _ = write("memory.oom.group", 1);
            Ok(())
        }
        (Controller::Pids, Some(limits), _) => write("pids.max", limits.tasks),
    }
}

/// Returns the number that follows `name` in a file of lines of a name and a number.
fn number(file: &Path, name: &str) -> Option<u64> {
    let content = fs::read_to_string(file).ok()?;
    let mut lines = content.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(key, _)| *key == name)?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maker_of_a_group_is_known_in_its_own_namespace_only() {
        assert_eq!(maker_of(&name_of(7)), Some(7));
        assert_eq!(maker_of(&(name_of(7) + ROOM)), Some(7));
        let elsewhere = format!("{NAME}{}-7", namespace() + 1);
        for other in [&elsewhere[..], "battleship-7", "battleship-", "user.slice", "battleship-x-y"]
        {
            assert_eq!(maker_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_group_that_no_hierarchy_has_room_for_is_a_group_all_the_same() {
        let group = Group { folders: Vec::new(), hard: Vec::new() };
        group.join().unwrap();
        assert!(!group.freeze(true) && !group.kill() && !group.ran_out_of_memory());
    }
}
