//! The file system of a world: a root of its own with what every program needs of the system, what the bot is given, and a
//! little room to write.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change, unmount};
use rustix::process::{chdir, pivot_root};

use super::ids::Ids;
use super::mounts::{Access, Detached, make_read_only};
use crate::linux::confine::landlock::{DEVICES, PROGRAMS, SETTINGS, settings_for_programs};
use crate::sandbox::Sandbox;

/// The home of every bot in its world.
pub(crate) const HOME: &str = "/home/bot";

/// The folders that a bot may write in. They share one room, and end with it.
pub(crate) const WRITABLE: [&str; 3] = ["/tmp", HOME, "/dev/shm"];

/// The folder in which runtimes look up the cores.
const CORES: &str = "/sys/devices/system/cpu";

/// The most links that are followed for one path, as the kernel's own limit.
const MOST_LINKS: usize = 40;

/// The files and folders that are seen in a world besides the system.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    /// Files and folders that can be read, under their own names.
    pub(crate) shown: Vec<PathBuf>,
    /// A folder that is shown as [`Sandbox::FOLDER`].
    pub(crate) own: Option<PathBuf>,
    /// Files and folders in them that cannot.
    pub(crate) hidden: Vec<PathBuf>,
    /// The number of bytes that can be written in all.
    pub(crate) room: u64,
}

/// A step that failed, and the file it was about.
pub(super) type Failed = (String, io::Error);

fn at(path: &Path) -> impl Fn(io::Error) -> Failed + '_ {
    move |error| (path.display().to_string(), error)
}

/// Has this process, alone in a new namespace of mounts and of processes, see nothing but `contents` from now on. `ids` are
/// those that the bot will have.
pub(super) fn enter(contents: &Contents, ids: Ids) -> Result<(), Failed> {
    let named = |what: &'static str| move |error: io::Error| (what.to_owned(), error);
    // Keep our mounts out of other namespaces.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|error| named("/")(error.into()))?;
    let copies = Copies::of(contents)?;
    let processes = Detached::new("proc", &[("subset", "pid"), ("hidepid", "invisible")])
        .map_err(named("/proc"))?;
    // Any folder would do: it is only where the new root is put together, and is not seen again.
    let base = Path::new("/usr");
    let root = Detached::new(
        "tmpfs",
        &[("size", "4m"), ("nr_inodes", "4096"), ("mode", "755")],
    );
    root.and_then(|root| root.attach(base))
        .map_err(named("a new root"))?;
    chdir(base).map_err(|error| named("a new root")(error.into()))?;
    // The old root is put on top of the new one and taken off from there: see pivot_root(2).
    pivot_root(".", ".").map_err(|error| named("a new root")(error.into()))?;
    let old = unmount(".", UnmountFlags::DETACH);
    old.map_err(|error| named("the old root")(error.into()))?;
    chdir("/").map_err(|error| named("a new root")(error.into()))?;
    make_room(contents.room, ids)?;
    fs::create_dir("/proc")
        .and_then(|()| processes.attach(Path::new("/proc")))
        .map_err(named("/proc"))?;
    make_read_only(Path::new("/proc")).map_err(named("/proc"))?;
    copies.attach()?;
    add_files().map_err(named("/dev and /etc"))?;
    for path in contents
        .hidden
        .iter()
        .filter(|path| path.symlink_metadata().is_ok())
    {
        mask(path).map_err(at(path))?;
    }
    make_read_only(Path::new("/")).map_err(named("a new root"))
}

/// The mounts and links to show, taken before the old root is gone.
#[derive(Default)]
struct Copies {
    links: Vec<(PathBuf, PathBuf)>,
    mounts: Vec<(PathBuf, bool, Detached)>,
}

impl Copies {
    fn of(contents: &Contents) -> Result<Copies, Failed> {
        let mut wanted = Wanted::default();
        for path in PROGRAMS.into_iter().chain([CORES]) {
            wanted.add(Path::new(path));
        }
        for path in settings_for_programs() {
            wanted.add(&path);
        }
        for path in &contents.shown {
            wanted.add(path);
        }
        let mut copies = Copies {
            links: wanted.links,
            mounts: Vec::new(),
        };
        let mut last: Option<PathBuf> = None;
        // In the order of their names, so a folder comes before what is in it.
        for path in wanted.paths {
            if last.as_ref().is_some_and(|last| path.starts_with(last)) {
                continue;
            }
            let copy = Detached::copy_of(&path).and_then(|copy| copy.restrict(Access::Read));
            let copy = copy.map_err(at(&path))?;
            copies.mounts.push((path.clone(), path.is_dir(), copy));
            last = Some(path);
        }
        if let Some(path) = &contents.own {
            let copy = Detached::copy_of(path).and_then(|copy| copy.restrict(Access::Read));
            let copy = copy.map_err(at(path))?;
            copies.mounts.push((Sandbox::FOLDER.into(), true, copy));
        }
        for path in DEVICES.map(Path::new) {
            let copy = Detached::copy_of(path).and_then(|copy| copy.restrict(Access::Devices));
            copies
                .mounts
                .push((path.to_owned(), false, copy.map_err(at(path))?));
        }
        Ok(copies)
    }

    fn attach(self) -> Result<(), Failed> {
        for (path, target) in self.links {
            make_folder_of(&path)
                .and_then(|()| symlink(target, &path))
                .map_err(at(&path))?;
        }
        for (path, is_folder, mount) in self.mounts {
            let place = make_folder_of(&path).and_then(|()| {
                if is_folder {
                    fs::create_dir(&path)
                } else {
                    fs::File::create_new(&path).map(drop)
                }
            });
            // Part of a link's folder, or of the room to write, may be there.
            match place {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                place => place.map_err(at(&path))?,
            }
            mount.attach(&path).map_err(at(&path))?;
        }
        Ok(())
    }
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
    /// Adds what is at `path`, an absolute one, if there is something.
    fn add(&mut self, path: &Path) {
        let Ok(canonical) = path.canonicalize() else {
            return;
        };
        if canonical == Path::new("/") {
            return;
        }
        self.add_links(path, MOST_LINKS);
        self.paths.insert(canonical);
    }

    /// Adds each link on the way from `path` to its file.
    fn add_links(&mut self, path: &Path, most: usize) {
        let mut walked = PathBuf::new();
        for part in path.components() {
            walked.push(part);
            let Ok(target) = fs::read_link(&walked) else {
                continue;
            };
            if most == 0 {
                return;
            }
            if !self.links.iter().any(|(link, _)| *link == walked) {
                self.links.push((walked.clone(), target.clone()));
            }
            let rest = path.strip_prefix(&walked).unwrap_or(Path::new(""));
            let folder = walked.parent().unwrap_or(Path::new("/"));
            let next = folder.join(target).join(rest);
            return self.add_links(&next, most - 1);
        }
    }
}

/// Makes the folders that can be written in, of one room of this many bytes.
fn make_room(bytes: u64, ids: Ids) -> Result<(), Failed> {
    let make = || -> io::Result<()> {
        let base = Path::new("/tmp");
        fs::create_dir(base)?;
        let size = bytes.to_string();
        Detached::new(
            "tmpfs",
            &[("size", &size), ("nr_inodes", "8192"), ("mode", "755")],
        )?
        .attach(base)?;
        for number in 0..WRITABLE.len() {
            let part = base.join(number.to_string());
            fs::create_dir(&part)?;
            fs::set_permissions(&part, fs::Permissions::from_mode(0o700))?;
            if let Some((user, group)) = ids.to_become() {
                chown(&part, Some(user), Some(group))?;
            }
        }
        let parts = (0..WRITABLE.len()).map(|part| Detached::copy_of(&base.join(part.to_string())));
        let parts = parts.collect::<io::Result<Vec<_>>>()?;
        for (part, path) in parts.into_iter().zip(WRITABLE.map(Path::new)) {
            fs::create_dir_all(path)?;
            part.restrict(Access::Write)?.attach(path)?;
        }
        Ok(())
    };
    make().map_err(|error| ("room to write".to_owned(), error))
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
