//! Namespaces of a bot's own, for users, mounts, processes, the network, System V objects, names
//! and control groups, in which there is nothing but what the bot is given (namespaces(7)).
//!
//! The supervisor enters those for processes and, as an ordinary user, for users, and forks. The
//! child is the first process there: it enters the rest, builds a root, starts the bot, and waits
//! for what ends there; with its own end the kernel ends all that is left.
//!
//! These are our own calls and not those of a program like bubblewrap: there is nothing to install,
//! files of a `/proc` without anything but processes, the owner of files and control groups can be
//! chosen as they are needed here, and no further program is started.

mod ids;
mod mounts;
mod root;

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Signal, WaitOptions, chdir, set_dumpable_behavior,
    set_parent_process_death_signal, setsid, umask, wait,
};
use rustix::system::sethostname;
use rustix::thread::{CapabilitySet, UnshareFlags};

pub(crate) use self::ids::{Ids, unshare};
use self::mounts::Detached;
use self::root::about;
pub(crate) use self::root::{Contents, HOME, WRITABLE};
use super::supervisor::calls::{fork, give_up_streams};
use super::supervisor::startup::{NOT_STARTED, Startup};
use crate::program::StartError;
use crate::sandbox::Sandbox;
use crate::system::confine::{drop_all_but, unavailable};

/// The namespaces that the first process enters.
const KINDS: UnshareFlags = UnshareFlags::NEWNS
    .union(UnshareFlags::NEWNET)
    .union(UnshareFlags::NEWIPC)
    .union(UnshareFlags::NEWUTS)
    .union(UnshareFlags::NEWCGROUP);

/// The amount that a bot may write at most, in bytes. It is memory, so it is a part of that.
pub(crate) fn room_in(sandbox: &Sandbox) -> u64 {
    sandbox.file_size.min(sandbox.memory / 4)
}

/// Has the next child of this process be the first one of a new namespace. Returns the user
/// that the bot will be there.
pub(crate) fn enter() -> Result<Ids, StartError> {
    let ids = Ids::of_bot();
    ids.enter(UnshareFlags::NEWPID)
        .map_err(|error| without_namespaces(&error))?;
    Ok(ids)
}

/// Is the first process: builds a root with nothing but `contents`, has `become_bot` run in a
/// child, in the folder `start_in`, and waits for its end. Returns the status to end with.
pub(crate) fn be_first(
    contents: &Contents<'_>,
    ids: Ids,
    start_in: &Path,
    startup: &mut Startup,
    become_bot: impl FnOnce() -> StartError,
) -> i32 {
    startup.close_others();
    if let Err(error) = unshare(KINDS) {
        return startup.failed(&without_namespaces(&error));
    }
    // Whatever the user's is: the bot has to find its way, and no one else sees its files.
    umask(Mode::from_raw_mode(0o022));
    // Kept until the end of this process, and so of the bot.
    let _root = match build(contents, ids, start_in) {
        Ok(root) => root,
        Err(error) => return startup.failed(&unavailable("its world", &error)),
    };
    // After the change of users, which takes it back. The kernel then ends all that is in here.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if startup.is_orphaned() {
        return NOT_STARTED.into();
    }
    // The bot can look into this process no more than into any other.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let bot = fork(|| {
        let _ = setsid();
        startup.failed(&become_bot())
    });
    let bot = match bot {
        Ok(bot) => bot,
        Err(error) => return startup.failed(&error.into()),
    };
    startup.leave_to_bot();
    // The bot alone holds its pipes.
    let _ = give_up_streams();
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == bot => {
                startup.ended(status.as_raw());
                return 0;
            }
            Ok(_) | Err(Errno::INTR) => {}
            // No child is left, which cannot be as long as the bot was not waited for.
            Err(_) => return NOT_STARTED.into(),
        }
    }
}

/// Has this process see nothing but `contents`, and gives up its powers. Returns its root.
fn build(contents: &Contents<'_>, ids: Ids, start_in: &Path) -> io::Result<Detached> {
    let own = File::open("/proc/self").map_err(about("/proc/self"))?;
    let root = root::enter(contents, ids)?;
    sethostname(b"world").map_err(about("the host's name"))?;
    ids.resign(&own).map_err(about("the user"))?;
    root::enter_copy(&root).map_err(about("a new root"))?;
    drop_all_but(CapabilitySet::empty()).map_err(about("giving up privileges"))?;
    chdir(start_in).map_err(about(start_in.display()))?;
    Ok(root)
}

/// Returns the error where namespaces cannot be made, with advice on how to allow them.
fn without_namespaces(error: &io::Error) -> StartError {
    let is = |file: &str, value: &str| {
        fs::read_to_string(Path::new("/proc/sys").join(file))
            .is_ok_and(|content| content.trim() == value)
    };
    let advice = if is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        "AppArmor allows them only to programs with a profile. docs/hostile-bots.md has one for the referee; \
         \"sysctl -w kernel.apparmor_restrict_unprivileged_userns=0\" as root allows them to all"
    } else if is("kernel/unprivileged_userns_clone", "0") {
        "only root may make them here. \"sysctl -w kernel.unprivileged_userns_clone=1\" as root allows them to all"
    } else if is("user/max_user_namespaces", "0") {
        "none are allowed here. \"sysctl -w user.max_user_namespaces=10000\" as root allows them"
    } else {
        &format!(
            "{error}. In a container, see docs/hostile-bots.md for what it has to be started with"
        )
    };
    let why = format!("{advice}. --sandbox=basic needs none, and confines less");
    unavailable("no namespaces for users", &why)
}
