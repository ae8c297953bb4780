//! The hierarchy of control groups that is mounted here, of version 2, and where in it this process
//! may make groups.

use std::fs;
use std::path::{Path, PathBuf};

use crate::system::read_kernel_file;

/// A resource that the kernel limits or shares out for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Controller {
    /// Bytes of memory, of whatever kind.
    Memory,
    /// Threads and processes.
    Pids,
    /// The share of the processor, however many threads compute.
    Cpu,
}

impl Controller {
    /// Returns those that a file of the kernel's names.
    pub(super) fn named_in(text: &str) -> Vec<Controller> {
        let mut all = vec![Controller::Memory, Controller::Pids, Controller::Cpu];
        all.retain(|one| text.split_whitespace().any(|name| name == one.name()));
        all
    }

    /// Returns the name that the kernel calls it by.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Controller::Memory => "memory",
            Controller::Pids => "pids",
            Controller::Cpu => "cpu",
        }
    }
}

/// The mounted hierarchy, and this process's own group in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    pub(super) top: PathBuf,
    pub(super) own: PathBuf,
}

impl Hierarchy {
    /// Returns the one that is mounted here; `None` where there is none, or only hierarchies of
    /// version 1.
    pub(super) fn mounted() -> Option<Hierarchy> {
        let read = |file: &str| read_kernel_file(Path::new(file)).unwrap_or_default();
        parse(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
    }

    /// Returns the folder in which this process may make groups, and the controllers that they have
    /// there.
    pub(super) fn parent(&self) -> Option<(PathBuf, Vec<Controller>)> {
        // A group with processes in it has no controllers for groups below (the rule of no internal
        // processes), so they are to be had beside it, or further up.
        let groups = self.own.ancestors();
        for folder in groups.take_while(|folder| folder.starts_with(&self.top)) {
            let enabled = fs::read_to_string(folder.join("cgroup.subtree_control"));
            let controllers = Controller::named_in(&enabled.unwrap_or_default());
            if controllers.contains(&Controller::Memory)
                && is_writable(folder)
                && is_writable(&folder.join("cgroup.procs"))
            {
                return Some((folder.to_owned(), controllers));
            }
            // Not beyond a group that has limits: they are meant for all that this process starts.
            if ["memory.max", "pids.max", "cpu.max"].iter().any(|file| {
                fs::read_to_string(folder.join(file)).is_ok_and(|limit| !limit.starts_with("max"))
            }) {
                break;
            }
        }
        is_writable(&self.own).then(|| (self.own.clone(), Vec::new()))
    }
}

/// Returns the folder in which this process may make groups, and the controllers that they have
/// there.
pub(super) fn parent() -> Option<(PathBuf, Vec<Controller>)> {
    Hierarchy::mounted()?.parent()
}

/// Returns whether each session of processes has a share of the processor (autogroups, sched(7)).
/// It has one only where no control group comes before it.
pub(super) fn sessions_share_processor() -> bool {
    let enabled = fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled");
    if !enabled.is_ok_and(|enabled| enabled.trim() == "1") {
        return false;
    }
    let Some(Hierarchy { top, own }) = Hierarchy::mounted() else {
        return true;
    };
    let mut groups = own.ancestors().take_while(|group| *group != top);
    // Only where the controller is switched on for a group has this file.
    !groups.any(|group| group.join("cpu.weight").exists())
}

pub(super) fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Reads both files: see `proc_pid_mountinfo(5)` and cgroups(7).
fn parse(mounts: &str, groups: &str) -> Option<Hierarchy> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        if after.split(' ').next() != Some("cgroup2") {
            return None;
        }
        let mut before = before.split(' ').skip(3);
        let root = before.next()?;
        let top = PathBuf::from(before.next()?);
        // The mount may show a part of the hierarchy only, as in a container.
        let below = Path::new(path).strip_prefix(root).ok()?;
        let own = top.join(below);
        Some(Hierarchy { top, own })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        24 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        31 29 0:26 /docker/ab /sys/fs/cgroup/memory rw shared:4 - cgroup cgroup rw,memory\n\
        33 29 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    const GROUPS: &str = "4:memory:/docker/ab/x\n0::/user\n";

    #[test]
    fn the_hierarchy_is_found_where_this_process_is() {
        let top = "/sys/fs/cgroup/unified".into();
        let own = "/sys/fs/cgroup/unified/user".into();
        assert_eq!(parse(MOUNTS, GROUPS), Some(Hierarchy { top, own }));
        let in_container = "30 29 0:26 /docker/ab /sys/fs/cgroup rw shared:4 - cgroup2 cgroup rw\n";
        let top = "/sys/fs/cgroup".into();
        let own = "/sys/fs/cgroup/x".into();
        assert_eq!(
            parse(in_container, "0::/docker/ab/x\n"),
            Some(Hierarchy { top, own })
        );
        for (mounts, groups) in [("", GROUPS), (MOUNTS, ""), (MOUNTS, "4:memory:/x\n")] {
            assert_eq!(parse(mounts, groups), None);
        }
    }
}
