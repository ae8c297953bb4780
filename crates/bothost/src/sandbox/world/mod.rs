//! A world of its own for a bot: namespaces for users, mounts, processes, the network, System V objects, names and control
//! groups, in which there is nothing but what the bot is given (namespaces(7)).
//!
//! Three copies of the supervisor make it. The first enters the namespaces, which for processes holds only for its
//! children, and ends. The second is the first process of the new world: it furnishes it, starts the bot, waits for what
//! ends there, and with its own end the kernel ends all that is left. The third becomes the bot.
//!
//! These are our own calls and not those of a program like bubblewrap: there is nothing to install, files of a `/proc`
//! without anything but processes, the owner of files and control groups can be chosen as they are needed here, and no
//! further program is started.

mod ids;
mod mounts;
mod root;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Signal, WaitOptions, chdir, set_dumpable_behavior,
    set_parent_process_death_signal, setsid, umask, wait,
};
use rustix::system::sethostname;
use rustix::thread::UnshareFlags;

use self::ids::Ids;
use self::root::View;
pub(crate) use self::root::{HOME, WRITABLE};
use super::unavailable;
use crate::birth::{Birth, NOT_STARTED};
use crate::descriptors::give_up_streams;
use crate::fork::fork;
use crate::policy::Sandbox;
use crate::privileges::{self, Keep};
use crate::program::StartError;

/// The namespaces of a world, except that for users, which is entered only if needed.
const KINDS: UnshareFlags = UnshareFlags::NEWNS
    .union(UnshareFlags::NEWPID)
    .union(UnshareFlags::NEWNET)
    .union(UnshareFlags::NEWIPC)
    .union(UnshareFlags::NEWUTS)
    .union(UnshareFlags::NEWCGROUP);

/// The amount that a bot may write in its world at most, in bytes. It is memory, so it is a part of that.
pub(crate) fn room_in(sandbox: &Sandbox) -> u64 {
    sandbox.file_size.min(sandbox.memory / 4)
}

/// Makes a world for `sandbox`, in which `shown` is to be seen, and `own` as [`Sandbox::FOLDER`], and has `become_bot` run there in the process that is to
/// be the bot, in the folder `start_in` or else in its home. This process, a copy of the supervisor, is to end with the
/// status that is returned.
pub(crate) fn make(
    sandbox: &Sandbox,
    (shown, own): (Vec<PathBuf>, Option<PathBuf>),
    start_in: Option<&Path>,
    birth: &mut Birth,
    become_bot: impl FnOnce() -> StartError,
) -> i32 {
    let covers = |path: &&PathBuf| {
        WRITABLE
            .iter()
            .any(|writable| Path::new(writable).starts_with(path))
    };
    if let Some(path) = shown.iter().find(covers) {
        let why = format!(
            "{} cannot be shown: it has folders that are the bot's own",
            path.display()
        );
        return birth.failed(unavailable("its world", &why));
    }
    let hidden = sandbox
        .hide
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let view = View {
        shown,
        own,
        hidden,
        room: room_in(sandbox),
    };
    let ids = Ids::of_bot();
    if let Err(error) = ids.enter(KINDS) {
        return birth.failed(without_namespaces(&error));
    }
    match fork(|| be_first(&view, ids, start_in, birth, become_bot)) {
        Ok(pid) => {
            birth.born(pid);
            0
        }
        Err(error) => birth.failed(StartError::of_supervisor(error)),
    }
}

/// Is the first process of the world: furnishes it, starts the bot and waits for its end. Returns the status to end with.
fn be_first(
    view: &View,
    ids: Ids,
    start_in: Option<&Path>,
    birth: &mut Birth,
    become_bot: impl FnOnce() -> StartError,
) -> i32 {
    birth.close_others();
    // Before that the parent is the copy that has started this one, and whose end is near.
    if !birth.wait_for_adoption() {
        return NOT_STARTED.into();
    }
    // Whatever the user's is: the bot has to find its way, and no one else sees its files.
    umask(Mode::from_raw_mode(0o022));
    let furnished = (|| -> Result<(), (String, io::Error)> {
        let named = |what: &'static str| move |error: io::Error| (what.to_owned(), error);
        let own = File::open("/proc/self").map_err(named("/proc/self"))?;
        root::enter(view, ids)?;
        let hostname = sethostname(b"world");
        hostname.map_err(|error| named("the host's name")(error.into()))?;
        ids.resign(&own).map_err(named("the user"))?;
        privileges::drop_all_but(Keep::Nothing)
            .map_err(|error| named("giving up privileges")(error.into()))?;
        let folder = start_in.unwrap_or(Path::new(HOME));
        chdir(folder).map_err(|error| (folder.display().to_string(), error.into()))
    })();
    if let Err((what, error)) = furnished {
        return birth.failed(unavailable("its world", &format!("{what}: {error}")));
    }
    // After the change of users, which takes it back. The kernel then ends all that is in here.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if birth.is_orphaned() {
        return NOT_STARTED.into();
    }
    // The bot can look into this process no more than into any other.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let bot = fork(|| {
        let _ = setsid();
        birth.failed(become_bot())
    });
    let bot = match bot {
        Ok(bot) => bot,
        Err(error) => return birth.failed(StartError::of_supervisor(error)),
    };
    birth.leave_news_to_bot();
    // The bot alone holds its pipes.
    let _ = give_up_streams();
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == bot => {
                birth.ended(status.as_raw());
                return 0;
            }
            Ok(_) | Err(Errno::INTR) => {}
            // No child is left, which cannot be as long as the bot was not waited for.
            Err(_) => return NOT_STARTED.into(),
        }
    }
}

/// Returns what is missing where namespaces cannot be made, and how to get it.
fn without_namespaces(error: &io::Error) -> StartError {
    let read = |file: &str| fs::read_to_string(Path::new("/proc/sys").join(file));
    let is = |file: &str, value: &str| read(file).is_ok_and(|content| content.trim() == value);
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
