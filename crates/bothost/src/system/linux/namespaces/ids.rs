//! The identity of a bot in its world: an ordinary user without any power, and outside of it
//! `nobody`, or the referee's user.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{DumpableBehavior, Gid, Uid, getegid, geteuid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, UnshareFlags, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

/// The number of the user, and of the group, that a bot is in its world.
pub(super) const INSIDE: u32 = 1000;

/// The user and the group that no file belongs to.
const NOBODY: u32 = 65534;

/// The user that the bot is outside of its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ids {
    /// The user that the referee is. An ordinary user can become no other user.
    Own,
    /// Nobody: the referee is root.
    Nobody,
}

impl Ids {
    /// Returns the user that a bot of this process will be.
    pub(super) fn of_bot() -> Ids {
        // In a namespace for users, root may have no nobody to become.
        let is_there = |file: &str| {
            let ranges = fs::read_to_string(Path::new("/proc/self").join(file)).unwrap_or_default();
            ranges
                .lines()
                .any(|range| has_nobody(range).unwrap_or(false))
        };
        // In a container, root often may make no namespace but one for users.
        let may_make = rustix::thread::capabilities(None)
            .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
        if geteuid().is_root() && may_make && is_there("uid_map") && is_there("gid_map") {
            Ids::Nobody
        } else {
            Ids::Own
        }
    }

    /// Returns the numbers that the process takes on, if it does.
    pub(super) fn to_become(self) -> Option<(u32, u32)> {
        (self == Ids::Nobody).then_some((NOBODY, NOBODY))
    }

    /// Enters new namespaces of these kinds. An ordinary user may do so in a new namespace for
    /// users only, and enters that as well.
    pub(super) fn enter(self, kinds: UnshareFlags) -> io::Result<()> {
        match self {
            Ids::Nobody => unshare(kinds),
            Ids::Own => {
                let user = geteuid().as_raw();
                let group = getegid().as_raw();
                let own = File::open("/proc/self")?;
                unshare(kinds | UnshareFlags::NEWUSER)?;
                map(&own, user, group)
            }
        }
    }

    /// Gives up what is left of the powers of root: becomes nobody, in a namespace for users in
    /// which nobody is root. `own` is the folder of this process in a `/proc` that can be written.
    pub(super) fn resign(self, own: &File) -> io::Result<()> {
        let Ids::Nobody = self else { return Ok(()) };
        set_thread_groups(&[])?;
        let user = Uid::from_raw(NOBODY);
        let group = Gid::from_raw(NOBODY);
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)?;
        // Otherwise the files that say who is who in the new namespace would be root's.
        set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        unshare(UnshareFlags::NEWUSER)?;
        map(own, NOBODY, NOBODY)
    }
}

/// Returns whether nobody is in a line of a map of users or groups: see `user_namespaces(7)`.
fn has_nobody(range: &str) -> Option<bool> {
    let mut numbers = range
        .split_whitespace()
        .map(|word| word.parse::<u64>().ok());
    let first = numbers.next()??;
    let _ = numbers.next()??;
    let count = numbers.next()??;
    Some((first..first + count).contains(&NOBODY.into()))
}

/// Says who is who in the namespace of the process whose folder in `/proc` is `own`.
fn map(own: &File, user: u32, group: u32) -> io::Result<()> {
    // Without this an ordinary user may not say which group is which (user_namespaces(7)).
    write_into(own, "setgroups", "deny")?;
    write_into(own, "uid_map", &format!("{INSIDE} {user} 1"))?;
    write_into(own, "gid_map", &format!("{INSIDE} {group} 1"))
}

fn write_into(folder: &File, name: &str, content: &str) -> io::Result<()> {
    let file = openat(
        folder,
        name,
        OFlags::WRONLY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    File::from(file).write_all(content.as_bytes())
}

#[allow(unsafe_code, reason = "what is safe about it depends on the flags")]
pub(crate) fn unshare(kinds: UnshareFlags) -> io::Result<()> {
    // SAFETY: only the kinds of namespaces are passed here, no flag that separates the descriptors
    // of threads, and there is one thread.
    Ok(unsafe { rustix::thread::unshare_unsafe(kinds) }?)
}
