//! The file system of a world: a root of its own with what every program needs of the system, what
//! the bot is given, and a little space to write.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change, unmount};
use rustix::process::{chdir, chroot, fchdir, pivot_root};

use super::ids::Ids;
use super::mounts::{Access, Detached, make_read_only};
use crate::sandbox::Sandbox;
use crate::system::confine::landlock::{DEVICES, PROGRAMS, SETTINGS, settings_for_programs};

/// The home of every bot in its world.
pub(crate) const HOME: &str = "/home/bot";

/// The folders that a bot may write in. They share one file system in memory, and end with it.
pub(crate) const WRITABLE: [&str; 3] = ["/tmp", HOME, "/dev/shm"];

/// The folder in which runtimes look up the cores.
const CORES: &str = "/sys/devices/system/cpu";

/// The most links that are followed for one path, as the kernel's own limit.
const MOST_LINKS: usize = 40;

/// The files and folders that are seen in a world besides the system.
#[derive(Debug)]
pub(crate) struct Contents<'c> {
    /// Files and folders that can be read, under their own names.
    pub(crate) shown: &'c [PathBuf],
    /// A folder that is shown as [`Sandbox::FOLDER`].
    pub(crate) own: Option<&'c Path>,
    /// Files and folders in them that cannot.
    pub(crate) hidden: Vec<PathBuf>,
    /// The number of bytes that can be written in all.
    pub(crate) room: u64,
}

/// Returns a function that puts the name of a thing before an error.
pub(super) fn about<E: Into<io::Error>>(what: impl fmt::Display) -> impl Fn(E) -> io::Error {
    move |error| io::Error::other(format!("{what}: {}", error.into()))
}

/// Has this process, alone in a new namespace of mounts and of processes, see nothing but
/// `contents` from now on. `ids` are those that the bot will have. Returns a copy of the new root
/// for [`enter_copy`].
pub(super) fn enter(contents: &Contents<'_>, ids: Ids) -> io::Result<Detached> {
    // Keep our mounts out of other namespaces.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(about("/"))?;
    let wanted = Wanted::of(contents);
    // Taken before the old root is gone.
    let copies = copies_of(&wanted.paths, contents)?;
    let processes = Detached::new("proc", &[("subset", "pid"), ("hidepid", "invisible")]);
    let processes = processes.map_err(about("/proc"))?;
    replace_root().map_err(about("a new root"))?;
    mount_writable_space(contents.room, ids).map_err(about("room to write"))?;
    let folder = Path::new("/proc");
    fs::create_dir(folder)
        .and_then(|()| processes.attach(folder))
        .and_then(|()| make_read_only(folder))
        .map_err(about("/proc"))?;
    for (path, target) in wanted.links {
        let made = make_folder_of(&path).and_then(|()| symlink(target, &path));
        made.map_err(about(path.display()))?;
    }
    for (path, is_folder, copy) in copies {
        let attach = || {
            make_folder_of(&path)?;
            let place = if is_folder {
                fs::create_dir(&path)
            } else {
                fs::File::create_new(&path).map(drop)
            };
            match place {
                // Part of a link's folder, or of the writable space, may be there.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => copy.attach(&path),
            }
        };
        attach().map_err(about(path.display()))?;
    }
    add_files().map_err(about("/dev and /etc"))?;
    for path in &contents.hidden {
        if path.symlink_metadata().is_ok() {
            mask(path).map_err(about(path.display()))?;
        }
    }
    make_read_only(Path::new("/")).map_err(about("a new root"))?;
    Detached::copy_of(Path::new("/")).map_err(about("a new root"))
}

/// Has `root`, a copy of the root that has no place in the namespace of mounts, be the root of this
/// process: as long as there is the copy. In `/proc/PID/mountinfo` the kernel lists the mounts of a
/// process's namespace below its root, with their places on the host and those where something is
/// hidden. Of a copy it lists none.
///
/// After the change of users, since a process with a root of its own may make no namespace for
/// users.
pub(super) fn enter_copy(root: &Detached) -> io::Result<()> {
    fchdir(root)?;
    Ok(chroot(".")?)
}

/// Returns a mount of each of the `paths`, of the other `contents` and of the devices, with its
/// place and whether it is a folder.
fn copies_of(
    paths: &BTreeSet<PathBuf>,
    contents: &Contents<'_>,
) -> io::Result<Vec<(PathBuf, bool, Detached)>> {
    let mut all: Vec<(&Path, &Path, Access)> = Vec::new();
    // In the order of their names, so a folder comes before what is in it.
    for path in paths {
        if !all.last().is_some_and(|(last, ..)| path.starts_with(last)) {
            all.push((path, path, Access::Read));
        }
    }
    all.extend(
        contents
            .own
            .map(|own| (own, Path::new(Sandbox::FOLDER), Access::Read)),
    );
    all.extend(DEVICES.map(|device| (device.as_ref(), device.as_ref(), Access::Devices)));
    all.into_iter()
        .map(|(path, place, access)| {
            let copy = Detached::copy_of(path).and_then(|copy| copy.restrict(access));
            let copy = copy.map_err(about(path.display()))?;
            Ok((place.to_owned(), path.is_dir(), copy))
        })
        .collect()
}

/// Puts an empty root in the place of the old one.
fn replace_root() -> io::Result<()> {
    // Any folder would do: it is only where the new root is put together, and is not seen again.
    let base = Path::new("/usr");
    let settings = [("size", "4m"), ("nr_inodes", "4096"), ("mode", "755")];
    Detached::new("tmpfs", &settings)?.attach(base)?;
    chdir(base)?;
    // The old root is put on top of the new one and taken off from there: see pivot_root(2).
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// The paths to show, as they are on the disk, and the links that name them.
#[derive(Default)]
struct Wanted {
    paths: BTreeSet<PathBuf>,
    links: Vec<(PathBuf, PathBuf)>,
}

impl Wanted {
    fn of(contents: &Contents<'_>) -> Wanted {
        let mut wanted = Wanted::default();
        let system = PROGRAMS.into_iter().chain([CORES]).map(PathBuf::from);
        let system = system.chain(settings_for_programs());
        for path in system.chain(contents.shown.iter().cloned()) {
            // What is not there is left out.
            if let Ok(canonical) = path.canonicalize()
                && canonical != Path::new("/")
            {
                wanted.add_links(&path, MOST_LINKS);
                wanted.paths.insert(canonical);
            }
        }
        wanted
    }

    /// Adds each link on the way from `path` to its file.
    fn add_links(&mut self, path: &Path, most: usize) {
        let mut walked = PathBuf::new();
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            walked.push(part);
            let Ok(target) = fs::read_link(&walked) else {
                continue;
            };
            if most > 0 {
                let folder = walked.parent().unwrap_or(Path::new("/"));
                let next = folder.join(&target).join(parts.as_path());
                if !self.links.iter().any(|(link, _)| *link == walked) {
                    self.links.push((walked, target));
                }
                self.add_links(&next, most - 1);
            }
            return;
        }
    }
}

/// Makes the folders that can be written in, in one file system of this many bytes.
fn mount_writable_space(bytes: u64, ids: Ids) -> io::Result<()> {
    let base = Path::new("/tmp");
    fs::create_dir(base)?;
    let size = bytes.to_string();
    let settings = [("size", &*size), ("nr_inodes", "8192"), ("mode", "755")];
    Detached::new("tmpfs", &settings)?.attach(base)?;
    let mut parts = Vec::new();
    for path in WRITABLE.map(Path::new) {
        let part = base.join(parts.len().to_string());
        fs::create_dir(&part)?;
        fs::set_permissions(&part, fs::Permissions::from_mode(0o700))?;
        if let Some((user, group)) = ids.to_become() {
            chown(&part, Some(user), Some(group))?;
        }
        parts.push((path, Detached::copy_of(&part)?));
    }
    // Only now: the first mount covers the file system.
    for (path, part) in parts {
        fs::create_dir_all(path)?;
        part.restrict(Access::Write)?.attach(path)?;
    }
    Ok(())
}

/// Adds what programs expect to find.
fn add_files() -> io::Result<()> {
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, Path::new("/dev").join(name))?;
    }
    fs::create_dir_all(SETTINGS)?;
    for (name, content) in [
        (
            "passwd",
            "root:x:0:0::/:/bin/sh\nbot:x:1000:1000::/home/bot:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n",
        ),
        ("group", "root:x:0:\nbot:x:1000:\nnogroup:x:65534:\n"),
        ("hosts", "127.0.0.1 localhost\n"),
        ("hostname", "world\n"),
        (
            "nsswitch.conf",
            "passwd: files\ngroup: files\nhosts: files\n",
        ),
    ] {
        fs::write(Path::new(SETTINGS).join(name), content)?;
    }
    Ok(())
}

/// Puts something that cannot be read on top of what is at `path`.
fn mask(path: &Path) -> io::Result<()> {
    let mask = if path.is_dir() {
        Detached::new(
            "tmpfs",
            &[("size", "4k"), ("nr_inodes", "2"), ("mode", "000")],
        )?
    } else {
        // A device in a place where devices do not work.
        Detached::copy_of(Path::new("/dev/null"))?
    };
    mask.restrict(Access::Read)?.attach(path)
}
