//! Mounts, by the calls that work on descriptors: a copy of a part of the file system is taken,
//! restricted, and put into its place.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::CWD;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
    fsconfig_set_flag, fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};

/// A mount that has no place yet.
#[derive(Debug)]
pub(super) struct Detached(OwnedFd);

/// The access that a mount gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Files can be read and executed. Devices do not work, and no program gets the rights of its
    /// owner.
    Read,
    /// As above, and devices work.
    Devices,
    /// Files can be written too.
    Write,
}

impl AsFd for Detached {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Detached {
    /// Returns a copy of what is at `path`, with everything that is mounted below it.
    pub(super) fn copy_of(path: &Path) -> io::Result<Detached> {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::OPEN_TREE_CLOEXEC
            | OpenTreeFlags::AT_RECURSIVE;
        Ok(Detached(open_tree(CWD, path, flags)?))
    }

    /// Returns a new file system of this kind, with these settings.
    pub(super) fn new(kind: &str, settings: &[(&str, &str)]) -> io::Result<Detached> {
        let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (name, value) in settings {
            if value.is_empty() {
                fsconfig_set_flag(context.as_fd(), *name)?;
            } else {
                fsconfig_set_string(context.as_fd(), *name, *value)?;
            }
        }
        fsconfig_create(context.as_fd())?;
        let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        Ok(Detached(fsmount(
            context.as_fd(),
            FsMountFlags::FSMOUNT_CLOEXEC,
            attributes,
        )?))
    }

    /// Restricts this mount, and all below it.
    pub(super) fn restrict(self, access: Access) -> io::Result<Detached> {
        let no_suid = libc::MOUNT_ATTR_NOSUID;
        let set = match access {
            Access::Read => no_suid | libc::MOUNT_ATTR_NODEV | libc::MOUNT_ATTR_RDONLY,
            // A write to a device does not change its file.
            Access::Devices => no_suid | libc::MOUNT_ATTR_NOEXEC | libc::MOUNT_ATTR_RDONLY,
            Access::Write => no_suid | libc::MOUNT_ATTR_NODEV,
        };
        set_attributes(&self.0, set, libc::AT_EMPTY_PATH | libc::AT_RECURSIVE)?;
        Ok(self)
    }

    /// Puts this mount at `path`, where there is a folder, or a file if it is of a file.
    pub(super) fn attach(self, path: &Path) -> io::Result<()> {
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        Ok(move_mount(self.0.as_fd(), "", CWD, path, flags)?)
    }
}

/// Has nothing be written any more in the mount at `path`; what is mounted below it stays as it is.
pub(super) fn make_read_only(path: &Path) -> io::Result<()> {
    let mount = open_tree(CWD, path, OpenTreeFlags::OPEN_TREE_CLOEXEC)?;
    set_attributes(&mount, libc::MOUNT_ATTR_RDONLY, libc::AT_EMPTY_PATH)
}

fn set_attributes(mount: &OwnedFd, attributes: u64, flags: i32) -> io::Result<()> {
    let request = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    #[allow(
        unsafe_code,
        reason = "rustix and libc have no function for mount_setattr(2)"
    )]
    // SAFETY: the descriptor is open for as long as it is borrowed, the path is an empty string
    // that ends with a zero, and the request is a structure of the kernel's with its size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const request,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
