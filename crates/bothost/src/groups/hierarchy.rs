//! The hierarchies of control groups that are mounted here, and where in them this process may make groups.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What the kernel limits or shares out for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Controller {
    /// Bytes of memory, of whatever kind.
    Memory,
    /// Threads and processes.
    Pids,
    /// The share of the processor, however many threads compute.
    Cpu,
}

impl Controller {
    /// All of them.
    pub const ALL: [Controller; 3] = [Controller::Memory, Controller::Pids, Controller::Cpu];

    /// Returns the name that the kernel calls it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Controller::Memory => "memory",
            Controller::Pids => "pids",
            Controller::Cpu => "cpu",
        }
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The version of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A mounted hierarchy, and this process's own group in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    pub(super) version: Version,
    /// Of version 1: what is bound to it.
    pub(super) controllers: Vec<Controller>,
    pub(super) top: PathBuf,
    pub(super) own: PathBuf,
}

impl Hierarchy {
    /// Returns the folder in which this process may make groups, and the controllers that they have there.
    pub(super) fn parent(&self) -> Option<(PathBuf, Vec<Controller>)> {
        if self.version == Version::One {
            return Some((self.own.clone(), self.controllers.clone()));
        }
        // A group of version 2 with processes in it has no controllers for groups below (the rule of no internal
        // processes), so they are to be had beside it, or further up.
        let delegated = |folder: &Path| {
            let enabled = fs::read_to_string(folder.join("cgroup.subtree_control")).ok()?;
            let enabled: Vec<_> = enabled.split_whitespace().collect();
            let of_group = Controller::ALL.into_iter().filter(|one| enabled.contains(&one.name()));
            let of_group: Vec<_> = of_group.collect();
            let writable = is_writable(folder) && is_writable(&folder.join("cgroup.procs"));
            (writable && of_group.contains(&Controller::Memory)).then_some(of_group)
        };
        // Not beyond a group that has limits: they are meant for all that this process starts.
        let is_limited = |folder: &Path| {
            ["memory.max", "pids.max", "cpu.max"].iter().any(|file| {
                fs::read_to_string(folder.join(file)).is_ok_and(|limit| !limit.starts_with("max"))
            })
        };
        let groups = self.own.ancestors().take_while(|folder| folder.starts_with(&self.top));
        let mut is_beyond = false;
        let mut above = groups.take_while(|folder| {
            let stays = !is_beyond;
            is_beyond = is_limited(folder);
            stays
        });
        above
            .find_map(|folder| Some((folder.to_owned(), delegated(folder)?)))
            .or_else(|| is_writable(&self.own).then(|| (self.own.clone(), Vec::new())))
    }
}

/// Returns whether each session of processes has a share of the processor (autogroups, sched(7)). It has one only where no
/// control group comes before it.
pub(super) fn sessions_share_processor() -> bool {
    let enabled = fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled");
    let has_cpu_group = |hierarchy: &Hierarchy| match hierarchy.version {
        Version::One => {
            hierarchy.controllers.contains(&Controller::Cpu) && hierarchy.own != hierarchy.top
        }
        // Only where the controller is switched on for a group has this file.
        Version::Two => {
            let groups = hierarchy.own.ancestors().take_while(|group| *group != hierarchy.top);
            groups.into_iter().any(|group| group.join("cpu.weight").exists())
        }
    };
    enabled.is_ok_and(|enabled| enabled.trim() == "1") && !hierarchies().iter().any(has_cpu_group)
}

pub(super) fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Returns the hierarchies that are mounted here and have something for bots.
pub(super) fn hierarchies() -> Vec<Hierarchy> {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    parse(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
}

/// Reads both files: see `proc_pid_mountinfo(5)` and cgroups(7).
fn parse(mounts: &str, groups: &str) -> Vec<Hierarchy> {
    let found = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (root, top) = (before.next()?, PathBuf::from(before.next()?));
        let mut after = after.split(' ');
        let version = match after.next()? {
            "cgroup" => Version::One,
            "cgroup2" => Version::Two,
            _ => return None,
        };
        let bound: Vec<_> = after.nth(1)?.split(',').collect();
        let controllers: Vec<_> =
            Controller::ALL.into_iter().filter(|one| bound.contains(&one.name())).collect();
        if version == Version::One && controllers.is_empty() {
            return None;
        }
        let path = groups.lines().find_map(|line| {
            let (_, line) = line.split_once(':')?;
            let (names, path) = line.split_once(':')?;
            let mut names = names.split(',');
            let is_it = match (version, controllers.first()) {
                (Version::Two, _) => names.next() == Some(""),
                (Version::One, first) => {
                    names.any(|name| first.is_some_and(|one| one.name() == name))
                }
            };
            is_it.then_some(path)
        })?;
        // The mount may show a part of the hierarchy only, as in a container.
        let below = Path::new(path).strip_prefix(root).ok()?;
        let own = top.join(below);
        Some(Hierarchy { version, controllers, top, own })
    });
    let mut hierarchies: Vec<Hierarchy> = Vec::new();
    for hierarchy in found {
        // The same one may be mounted in two places.
        let is_known = |known: &Hierarchy| {
            known.version == hierarchy.version && known.controllers == hierarchy.controllers
        };
        if !hierarchies.iter().any(is_known) {
            hierarchies.push(hierarchy);
        }
    }
    hierarchies
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        24 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        30 29 0:25 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
        31 29 0:26 /docker/ab /sys/fs/cgroup/memory rw shared:4 - cgroup cgroup rw,memory\n\
        32 29 0:27 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n\
        33 29 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    const GROUPS: &str = "9:name=systemd:/user\n4:memory:/docker/ab/x\n1:cpu,cpuacct:/\n0::/user\n";

    #[test]
    fn hierarchies_of_both_versions_are_found_where_this_process_is() {
        let own = |hierarchy: Hierarchy| (hierarchy.controllers, hierarchy.own);
        let found: Vec<_> = parse(MOUNTS, GROUPS).into_iter().map(own).collect();
        let expected = [
            (vec![Controller::Cpu], "/sys/fs/cgroup/cpu,cpuacct"),
            (vec![Controller::Memory], "/sys/fs/cgroup/memory/x"),
            (vec![], "/sys/fs/cgroup/unified/user"),
        ];
        assert_eq!(found, expected.map(|(controllers, own)| (controllers, own.into())));
        assert!(parse("", GROUPS).is_empty() && parse(MOUNTS, "").is_empty());
    }
}
