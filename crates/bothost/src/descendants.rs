//! The descendants of a process, from `/proc`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use super::text;

/// Returns the processes that descend from `ancestor` at this moment. Complete as far as no process forks meanwhile;
/// a caller that kills them has to look again until there are none.
pub(super) fn of(ancestor: Pid) -> Vec<Pid> {
    // One pass over all processes and then a walk in memory: every process is read once, so the walk sees
    // each under one parent only. Groups and sessions are of no use here, as a bot may leave them with
    // setsid(2).
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, parent) in processes() {
        children.entry(parent).or_default().push(pid);
    }
    let mut found = Vec::new();
    let mut from = vec![ancestor.as_raw_nonzero().get()];
    while let Some(parent) = from.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        found.extend(below.iter().filter_map(|pid| Pid::from_raw(*pid)));
        from.extend(below);
    }
    found
}

/// Checks that `/proc` shows the processes that this one knows by their numbers.
///
/// # Errors
/// If it is that of another namespace, as in a new one without a mount of its own (`pid_namespaces(7)`).
pub fn check_proc() -> io::Result<()> {
    let shown = std::fs::read_link("/proc/self")?;
    if shown == Path::new(&std::process::id().to_string()) {
        return Ok(());
    }
    Err(io::Error::other(
        "it shows the processes of another namespace, by other numbers; mount one of this namespace, as unshare --mount-proc does",
    ))
}

/// Returns the children that a thread of a process has started; a child belongs to the thread that started it. To ask each
/// for its children costs far less than to read every process of the machine. Where the kernel does not keep that list
/// (`CONFIG_PROC_CHILDREN`) it is empty, and while processes come and go it may miss one (proc(5) says so), so this is
/// for counting and not for ending them.
pub(super) fn children_of_task(task: &Path) -> Vec<Pid> {
    let children = std::fs::read_to_string(task.join("children")).unwrap_or_default();
    children
        .split_whitespace()
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}

/// Returns the children of a process as the kernel lists them.
pub(super) fn children_of(parent: Pid) -> Vec<Pid> {
    tasks(parent)
        .flat_map(|task| children_of_task(&task))
        .collect()
}

/// Returns the name of a process, on one line; `None` if it has ended and is not reaped yet.
pub(super) fn name_of(pid: Pid) -> Option<String> {
    let process = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    // A zombie has ended. Only its parent has not asked yet.
    if words_after_name(&stat)?.next() == Some("Z") {
        return None;
    }
    let name = std::fs::read(process.join("comm")).ok()?;
    Some(text::shown(name.trim_ascii_end()))
}

/// Returns the number of a process's session; `None` if the process is gone. It is 0 for each session whose leader is
/// outside of this PID namespace, which rustix's `getsid` takes for impossible.
pub(super) fn session_of(pid: Pid) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    words_after_name(&stat)?.nth(3)?.parse().ok()
}

/// Returns the folder in `/proc` of each thread of a process.
pub(super) fn tasks(pid: Pid) -> impl Iterator<Item = PathBuf> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    tasks
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

/// Returns every process with its parent.
fn processes() -> impl Iterator<Item = (i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        // Most other entries of /proc are not numbers. A process that ends before its file is read is left
        // out.
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((pid, parent_in(&stat)?))
    })
}

/// Returns the words of a line of `/proc/PID/stat` (see proc(5)) from the third on, the process's state.
pub(super) fn words_after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    // The second word is the program's name in parentheses. A program may choose a name with `)` and spaces
    // in it to forge what follows, so the name ends at the last parenthesis of the line.
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn parent_in(stat: &str) -> Option<i32> {
    words_after_name(stat)?.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_programs_name_cannot_forge_its_parent() {
        assert_eq!(parent_in("42 (sh) S 7 42 42 0"), Some(7));
        assert_eq!(parent_in("42 (a) S 1 (b) S 7 42"), Some(7));
        assert_eq!(parent_in("42 (sh"), None);
    }
}
