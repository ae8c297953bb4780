//! The memory and the threads of all processes of a bot together, which its supervisor counts where
//! no control group does.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::Pid;

use super::limits::{
    MOST_WATCHES, not_to_be_counted, too_many_tasks, too_many_watches, too_much_memory,
};
use crate::sandbox::Sandbox;
use crate::system::cgroup::{Controller, Group};
use crate::system::proc::{folder_of, tasks};
use crate::system::{number_in, number_in_text, read_kernel_file};

/// The usage of the processes of a bot together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// Bytes of memory; what several of them share counts once.
    pub(crate) memory: u64,
    threads: u64,
    /// The number of watches of epoll.
    watches: u64,
    /// Whether one of them cannot be looked into.
    is_hidden: bool,
}

/// Number of bytes that the kernel may keep in a pipe, and in one end of a pair of sockets, by its
/// defaults.
const BYTES_IN_PIPE: u64 = 64 << 10;
const BYTES_IN_SOCKET: u64 = 208 << 10;

/// Number of bytes of any other open file.
const BYTES_OF_FILE: u64 = 4 << 10;

/// Number of bytes of an open file of the kernel's: a buffer for the longest line that was read,
/// which may have a path in it with each byte as an octal number.
const BYTES_OF_KERNEL_FILE: u64 = 32 << 10;

/// Number of bytes that count for a file in a message that nobody has received: what it holds is
/// unknown, as no process has it open. Runtimes send their children one or two at a time.
const BYTES_OF_FILE_IN_MESSAGE: u64 = 16 << 20;

/// Number of bytes of a watch of epoll.
const BYTES_OF_WATCH: u64 = 256;

/// Number of bytes of the kernel's own for each thread: its stack and its description.
const BYTES_OF_THREAD: u64 = 32 << 10;

/// Number of bytes of a mapping: its description, its policy and its name; and for each process,
/// since a mapping keeps a link to the same one of each ancestor from which it was forked.
const BYTES_OF_MAPPING: u64 = 1 << 10;
const BYTES_OF_LINK: u64 = 128;

impl Use {
    /// Returns the present use by `processes`, as far as `/proc` tells. What it does not tell
    /// counts in full: `room` is the number of bytes that they may write in memory that
    /// belongs to no process. Counting may end when the memory is above `limit`.
    pub(crate) fn of(processes: &[Pid], room: u64, limit: u64) -> Use {
        let mut all = Use {
            memory: room,
            ..Use::default()
        };
        let mut buffers = HashSet::new();
        let mut mapped = Vec::new();
        for pid in processes {
            match Living::of(*pid) {
                Ok(Some(process)) => {
                    all.threads += number_in_text(&process.status, "Threads:").unwrap_or(1);
                    all.memory += process.memory();
                    if let Err(error) = all.add_files(&process.folder, &mut buffers) {
                        all.is_hidden |= !is_gone(&error);
                    }
                    mapped.push(process);
                }
                // A process that has ended and was not waited for.
                Ok(None) => all.threads += 1,
                Err(error) => all.is_hidden |= !is_gone(&error),
            }
        }
        all.memory += all.threads * BYTES_OF_THREAD + all.watches * BYTES_OF_WATCH;
        let bytes_of_mapping = BYTES_OF_MAPPING + BYTES_OF_LINK * processes.len() as u64;
        // To count mappings takes long where there are many. They are counted only if they decide.
        let most: u64 = mapped.iter().map(Living::most_mappings).sum();
        let mut mappings = 0;
        if all.memory + most * bytes_of_mapping > limit {
            for process in &mapped {
                let left = limit.saturating_sub(all.memory) / bytes_of_mapping;
                if mappings > left {
                    break;
                }
                mappings += process.mappings(left + 1 - mappings);
            }
        }
        all.memory += mappings * bytes_of_mapping;
        all
    }

    /// Adds what the open files of the process with this folder hold. `buffers` are the pipes and
    /// sockets that were added before.
    fn add_files(&mut self, folder: &Path, buffers: &mut HashSet<OsString>) -> io::Result<()> {
        for entry in fs::read_dir(folder.join("fd"))?.flatten() {
            // A descriptor that was closed meanwhile.
            let Ok(link) = fs::read_link(entry.path()) else {
                continue;
            };
            let about = folder.join("fdinfo").join(entry.file_name());
            let name = link.to_string_lossy();
            if name.starts_with("pipe:") {
                if buffers.insert(link.into_os_string()) {
                    self.memory += BYTES_IN_PIPE;
                }
            } else if name.starts_with("socket:") {
                if buffers.insert(link.into_os_string()) {
                    let sent = number_in(&about, "scm_fds:").unwrap_or(0);
                    self.memory += BYTES_IN_SOCKET + sent * BYTES_OF_FILE_IN_MESSAGE;
                }
            } else if name == "anon_inode:[eventpoll]" {
                let left = (MOST_WATCHES + 1).saturating_sub(self.watches);
                self.watches += count_lines(&about, Some(b"tfd:"), left);
            } else if name.starts_with("/proc/") || name.starts_with("/sys/") {
                self.memory += BYTES_OF_KERNEL_FILE;
            } else {
                self.memory += BYTES_OF_FILE;
            }
        }
        Ok(())
    }

    /// Returns the limit of `sandbox` that is broken and not held by `group`, as the end of a
    /// sentence; `None` if all are kept.
    pub(crate) fn excess(self, sandbox: &Sandbox, group: &Group) -> Option<String> {
        // Threads first: a fork bomb also takes memory, but the number of processes says what it
        // is.
        if self.threads > sandbox.threads && !group.has(Controller::Pids) {
            return Some(too_many_tasks(sandbox));
        }
        if self.watches > MOST_WATCHES {
            return Some(too_many_watches());
        }
        if group.has(Controller::Memory) {
            return None;
        }
        if self.memory > sandbox.memory {
            return Some(too_much_memory(sandbox));
        }
        self.is_hidden.then(not_to_be_counted)
    }
}

/// Returns whether `processes` have more watches of epoll than a bot may have: the kernel limits
/// those of a user, and not of a group.
pub(crate) fn has_too_many_watches(processes: &[Pid]) -> bool {
    let mut all = Use::default();
    for pid in processes {
        if let Ok(Some(process)) = Living::of(*pid) {
            // A process that ends meanwhile has none any more.
            let _ = all.add_files(&process.folder, &mut HashSet::new());
        }
    }
    all.watches > MOST_WATCHES
}

/// A process that has not ended.
struct Living {
    /// The folder in `/proc` of the process or, if its first thread has ended, of another thread:
    /// the kernel shows what a process has by way of a thread.
    folder: PathBuf,
    status: String,
}

impl Living {
    /// Returns the process `pid`; `None` if it has ended.
    ///
    /// # Errors
    /// If it is gone, or cannot be looked into.
    fn of(pid: Pid) -> io::Result<Option<Living>> {
        let folders = std::iter::once(folder_of(pid)).chain(tasks(pid));
        for folder in folders {
            match read_kernel_file(&folder.join("status")) {
                // Without memory it is a thread that has ended.
                Ok(status) if status.contains("\nVmRSS:") => {
                    return Ok(Some(Living { folder, status }));
                }
                Ok(_) => {}
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Returns the bytes of memory that the process has, without what the kernel keeps for it.
    fn memory(&self) -> u64 {
        let sum = |text: &str, names: &[&str]| -> u64 {
            let numbers = names.iter().filter_map(|name| number_in_text(text, name));
            numbers.sum()
        };
        // The proportional share divides each page by the number of processes that map it, so the
        // sum counts what is shared once. Resident sizes count a shared library, or memory shared
        // after a fork, for every process; but a process can keep its shares from being read, and
        // not its size. A process can have its pages swapped out.
        let shares = read_kernel_file(&self.folder.join("smaps_rollup"));
        let mapped = match shares {
            Ok(shares) if shares.contains("\nPss:") => sum(&shares, &["Pss:", "SwapPss:"]),
            _ => sum(&self.status, &["VmRSS:", "VmSwap:"]),
        };
        // In KiB.
        (mapped + sum(&self.status, &["VmPTE:", "HugetlbPages:"])) << 10
    }

    /// Returns the number of mappings that the process has at most: each has a page of addresses.
    fn most_mappings(&self) -> u64 {
        static MOST: OnceLock<u64> = OnceLock::new();
        let most = MOST.get_or_init(|| {
            number_in(Path::new("/proc/sys/vm/max_map_count"), "").unwrap_or(u64::MAX)
        });
        let addresses = number_in_text(&self.status, "VmSize:").unwrap_or(u64::MAX);
        // Some more than the limit are there for the kernel's own.
        (addresses / 4).min(most.saturating_add(16))
    }

    /// Returns the number of mappings, or `most` if it has more.
    fn mappings(&self, most: u64) -> u64 {
        count_lines(&self.folder.join("maps"), None, most)
    }
}

/// Returns whether a file in `/proc` cannot be read since its process has ended.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
        || error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
}

/// Returns the number of lines of a file, or of those that begin with a `word`; `most` if it has
/// more. What cannot be read has none.
fn count_lines(file: &Path, word: Option<&[u8]>, most: u64) -> u64 {
    let Ok(mut file) = File::open(file) else {
        return 0;
    };
    let mut buffer = vec![0; 64 << 10];
    let mut count = 0;
    let mut line_begin = Vec::new();
    while let Ok(length @ 1..) = file.read(&mut buffer) {
        for byte in &buffer[..length] {
            if *byte == b'\n' {
                count += u64::from(word.is_none_or(|word| line_begin == word));
                line_begin.clear();
            } else if word.is_some_and(|word| line_begin.len() < word.len()) {
                line_begin.push(*byte);
            }
        }
        if count >= most {
            return most;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use rustix::process::getpid;

    use super::*;

    #[test]
    fn each_thread_of_a_process_counts() {
        let (_end, waits) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || waits.recv());
        let own = Use::of(&[getpid()], 0, u64::MAX);
        assert!(own.threads > 1 && !own.is_hidden, "{own:?}");
    }

    #[test]
    fn mappings_count_where_they_decide() {
        let own = Living::of(getpid()).unwrap().unwrap();
        let mappings = own.mappings(u64::MAX);
        assert!(10 < mappings && mappings <= own.most_mappings());
        assert_eq!(own.mappings(3), 3);
        let few = Use::of(&[getpid()], 0, u64::MAX);
        let limit = few.memory + 5 * BYTES_OF_MAPPING;
        let decided = Use::of(&[getpid()], 0, limit);
        assert!(decided.memory > limit, "{few:?} {decided:?}");
    }

    #[test]
    fn watches_of_epoll_are_counted() {
        use rustix::event::epoll;

        let watcher = epoll::create(epoll::CreateFlags::empty()).unwrap();
        let (watched, _end) = std::io::pipe().unwrap();
        let data = epoll::EventData::new_u64(0);
        epoll::add(&watcher, &watched, data, epoll::EventFlags::IN).unwrap();
        let own = Use::of(&[getpid()], 0, u64::MAX);
        assert!((1..100).contains(&own.watches), "{own:?}");
        assert!(!has_too_many_watches(&[getpid()]));
    }

    #[test]
    fn lines_are_counted_by_their_first_word() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "pos:\t0\ntfd: 1\ntfd: 2\ntf\n").unwrap();
        for (word, most, count) in [
            (None, 9, 4),
            (None, 3, 3),
            (Some(&b"tfd:"[..]), 9, 2),
            (Some(b"x"), 9, 0),
        ] {
            assert_eq!(count_lines(file.path(), word, most), count, "{word:?}");
        }
    }
}
