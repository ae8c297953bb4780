//! All processes below one, by what `/proc` says.

use std::collections::HashMap;
use std::path::PathBuf;

use rustix::process::Pid;

use super::text;

/// The processes that descend from `ancestor`, as far as they are there at this moment.
pub(super) fn of(ancestor: Pid) -> Vec<Pid> {
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

/// The same, asked of each process in turn, which costs far less than to look at all there are. Where the kernel does
/// not keep that list (`CONFIG_PROC_CHILDREN`) none is found; and while processes come and go one may be missed, so
/// this is for counting and not for ending them.
pub(super) fn roughly_of(ancestor: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut from = vec![ancestor];
    while let Some(parent) = from.pop() {
        for task in tasks(parent) {
            let children = std::fs::read_to_string(task.join("children")).unwrap_or_default();
            for child in
                children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
            {
                found.push(child);
                from.push(child);
            }
        }
    }
    found
}

/// Returns the name of a process, on one line; `None` if it has ended and is not reaped yet.
pub(super) fn name_of(pid: Pid) -> Option<String> {
    let process = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    if words_after_name(&stat)?.next() == Some("Z") {
        return None;
    }
    let name = std::fs::read(process.join("comm")).ok()?;
    Some(text::shown(name.trim_ascii_end()))
}

/// What `/proc` has of each thread of a process.
pub(super) fn tasks(pid: Pid) -> impl Iterator<Item = PathBuf> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    tasks.into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Every process with its parent.
fn processes() -> impl Iterator<Item = (i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((pid, parent_in(&stat)?))
    })
}

/// The words of a line of `/proc/PID/stat` (see proc(5)) from the third on, the process's state. The second is the
/// program's name, which is in parentheses and may itself contain some.
pub(super) fn words_after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
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
