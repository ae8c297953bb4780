//! The file system of the current folder, in which records are written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Finding;

/// A slower write to the disk slows contests, which write each series so.
const SLOW: Duration = Duration::from_millis(50);

/// File systems that are elsewhere.
const REMOTE: [&str; 12] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "lustre",
    "gpfs",
    "beegfs",
    "ceph",
    "9p",
    "afs",
    "fuse.sshfs",
];

pub(super) fn look() -> Finding {
    let name = "folder";
    let folder = match std::env::current_dir() {
        Ok(folder) => folder,
        Err(error) => {
            let found = format!("the current folder cannot be read: {error}");
            return Finding::note(name, found, "go to another one");
        }
    };
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let kind = kind_of(&folder, &mounts);
    let shown = kind.as_deref().unwrap_or("unknown file system").to_owned();
    let took = match Trial::make(&folder).and_then(|mut trial| trial.sync()) {
        Ok(took) => took,
        Err(error) => {
            let found = format!("{shown}; a file cannot be written here: {error}");
            return Finding::note(name, found, "write records elsewhere: --out FILE");
        }
    };
    let found = format!(
        "{shown}; a write reaches the disk in {:.1} ms",
        took.as_secs_f64() * 1e3
    );
    if kind.is_some_and(|kind| REMOTE.contains(&kind.as_str())) {
        let hint = "locks may hold on one machine only: let one machine write a record \
                    (docs/cluster.md)";
        Finding::note(name, found, hint)
    } else if took > SLOW {
        Finding::note(
            name,
            found,
            "that is slow: write records to a local disk (--out FILE)",
        )
    } else {
        Finding::ok(name, found)
    }
}

/// Returns what the file system at `folder` is called in `mounts`, the text of proc(5)'s mountinfo.
fn kind_of(folder: &Path, mounts: &str) -> Option<String> {
    let mount = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let point = place.split(' ').nth(4)?.replace("\\040", " ");
        let length = folder.starts_with(&point).then_some(point.len())?;
        Some((length, kind.split(' ').next()?.to_owned()))
    };
    // Of two at one place the later one is seen.
    mounts
        .lines()
        .filter_map(mount)
        .max_by_key(|(length, _)| *length)
        .map(|(_, kind)| kind)
}

/// A file that is removed again.
struct Trial {
    path: PathBuf,
    file: File,
}

impl Trial {
    fn make(folder: &Path) -> io::Result<Trial> {
        let path = folder.join(format!(".referee-doctor-{}", std::process::id()));
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        Ok(Trial { path, file })
    }

    /// Returns how long a block takes to reach the disk.
    fn sync(&mut self) -> io::Result<Duration> {
        let start = Instant::now();
        self.file.write_all(&[0; 4096])?;
        self.file.sync_all()?;
        Ok(start.elapsed())
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_system_of_a_folder_is_the_innermost_and_latest_mount() {
        let mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                      23 22 0:5 / /home rw - nfs4 server:/home rw\n\
                      24 22 0:6 / /home/my\\040bots rw shared:2 master:1 - tmpfs tmpfs rw\n\
                      25 22 0:7 / /mnt rw - xfs /dev/sdb rw\n26 22 0:8 / /mnt rw - fuse.sshfs a:b rw\n";
        for (folder, kind) in [
            ("/", "ext4"),
            ("/homes", "ext4"),
            ("/home/ada", "nfs4"),
            ("/home/my bots/x", "tmpfs"),
            ("/mnt/x", "fuse.sshfs"),
        ] {
            assert_eq!(
                kind_of(Path::new(folder), mounts).as_deref(),
                Some(kind),
                "{folder}"
            );
        }
        assert_eq!(kind_of(Path::new("/"), ""), None);
    }
}
