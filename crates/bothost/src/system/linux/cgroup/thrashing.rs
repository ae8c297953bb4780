//! Groups whose memory is full without the kernel ending a process: as long as a page of a
//! program's file can be dropped and read again, a request succeeds in the end, and the group reads
//! from the disk and does nothing else.

use super::{Controller, Group, number_in};

/// The size of a page, in bytes: where it is larger, less has been read again than may be.
const PAGE: u64 = 4 << 10;

/// Number of bytes by which a group whose request was refused may stay below its limit: a huge
/// page.
const LARGEST_REQUEST: u64 = 2 << 20;

/// The least that a thrashing group has read again, in bytes. A full group that reads less may be
/// about to give memory back.
const LEAST: u64 = 4 << 20;

/// The divisor of a group's memory that gives the part for files up to which it counts as full. A
/// group with more does not count as full: a bot may read a file that is larger than its memory.
const FOR_FILES: u64 = 8;

/// Looks at one group, again and again, for whether it thrashes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Thrashing {
    /// The number of pages that the group had read again when it was found full, if it has been so
    /// since.
    before: Option<u64>,
}

/// The memory of a group at one moment, in bytes.
#[derive(Clone, Copy, Debug)]
struct Memory {
    used: u64,
    limit: u64,
    /// Of `used`, pages of files.
    files: u64,
    /// Pages of files that the group has had, lost and read again since it was made.
    read_again: u64,
}

impl Thrashing {
    /// Returns whether `group`, since it is full, has read again all the pages of files that it has
    /// space for.
    pub(crate) fn look(&mut self, group: &Group) -> bool {
        group.memory().is_some_and(|memory| self.sees(memory))
    }

    fn sees(&mut self, memory: Memory) -> bool {
        let is_full = memory.used + LARGEST_REQUEST >= memory.limit
            && memory.files < memory.limit / FOR_FILES;
        let before = *self.before.get_or_insert(memory.read_again);
        if !is_full {
            self.before = None;
        }
        is_full && memory.read_again.saturating_sub(before) * PAGE > memory.files.max(LEAST)
    }
}

impl Group {
    /// Returns its memory at this moment; `None` if the kernel does not count it.
    fn memory(&self) -> Option<Memory> {
        let folder = self.folder_with(Controller::Memory)?;
        let stat = folder.join("memory.stat");
        Some(Memory {
            used: number_in(&folder.join("memory.current"), "")?,
            limit: number_in(&folder.join("memory.max"), "")?,
            files: number_in(&stat, "active_file ")? + number_in(&stat, "inactive_file ")?,
            read_again: number_in(&stat, "workingset_refault_file ")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// A group that may have 64 MiB.
    fn memory(used: u64, files: u64, read_again: u64) -> Memory {
        let read_again = read_again * MIB / PAGE;
        Memory {
            used: used * MIB,
            limit: 64 * MIB,
            files: files * MIB,
            read_again,
        }
    }

    #[test]
    fn a_full_group_reading_files_again_thrashes() {
        let mut thrashing = Thrashing::default();
        assert!(!thrashing.sees(memory(63, 3, 10)));
        assert!(!thrashing.sees(memory(63, 3, 14)));
        assert!(thrashing.sees(memory(63, 3, 15)));
    }

    #[test]
    fn a_group_with_room_may_read_again() {
        let mut thrashing = Thrashing::default();
        for read_again in [0, 100, 1_000] {
            assert!(!thrashing.sees(memory(64, 40, read_again)));
        }
    }

    #[test]
    fn reading_before_the_group_was_full_is_fine() {
        let mut thrashing = Thrashing::default();
        for (used, read_again) in [(20, 0), (63, 100), (20, 200), (63, 300), (63, 303)] {
            assert!(!thrashing.sees(memory(used, 2, read_again)));
        }
    }
}
