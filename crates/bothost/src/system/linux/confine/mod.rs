//! The confinement of a bot. Without a sandbox, Landlock and a filter of calls keep it from other
//! processes and from the switches of the kernel. The first barrier of a sandbox
//! are namespaces of the bot's own, which contain only the files given to the bot. The second
//! barrier is Landlock for files, connections and signals, and seccomp for the rest of the kernel. Where namespaces cannot be
//! made, the second barrier can stand alone. Limits hold what a bot takes.
//!
//! A child of the supervisor confines itself and then becomes the bot. If a sandbox cannot be
//! enforced, the child reports that and does not become the bot.

pub(crate) mod folder;
pub(crate) mod landlock;
pub(crate) mod limits;
mod lists;
mod seccomp;
pub(crate) mod usage;

use std::fmt;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::cgroup::{Controller, Group};
use super::namespaces::{self, Contents, HOME, Ids, WRITABLE};
use super::supervisor::calls::exec;
use super::supervisor::startup::Startup;
use crate::program::{BotProgram, StartError};
use crate::sandbox::{Sandbox, SandboxKind};
use crate::system::find_on_path;

/// The beginning of the message where a sandbox is unavailable.
pub(crate) const UNAVAILABLE: &str = "the sandbox is unavailable: ";

/// Returns the error of a machine on which `what` could not be enforced.
pub(crate) fn unavailable(what: &str, why: &dyn fmt::Display) -> StartError {
    StartError::of_machine(format!("{UNAVAILABLE}{what}: {why}"))
}

/// A program in its sandbox, with all that was found out about it before it is confined.
#[derive(Debug)]
pub(crate) struct Confined<'p> {
    sandbox: &'p Sandbox,
    program: BotProgram,
    /// All files and folders besides the system's that the bot has to read to run at all.
    shown: Vec<PathBuf>,
    /// Whether the kernel limits the memory of all its processes together.
    counted: bool,
    /// Who the bot is in namespaces of its own.
    pub(crate) ids: Option<Ids>,
}

impl<'p> Confined<'p> {
    /// Prepares the start of `program` by the next child of this process, which will be in `group`.
    /// Files are looked up in the current folder.
    pub(crate) fn new(
        sandbox: &'p Sandbox,
        program: &BotProgram,
        group: &Group,
    ) -> Result<Confined<'p>, StartError> {
        let referee = std::env::current_exe()?;
        let program = with_absolute_paths(program, &referee, sandbox.closed)?;
        let shown = shown_to(&program, sandbox, &referee);
        let mut ids = None;
        if sandbox.kind == SandboxKind::Namespaces {
            for path in &shown {
                if WRITABLE.iter().any(|own| Path::new(own).starts_with(path)) {
                    let path = path.display();
                    let why =
                        format!("{path} cannot be shown: it has folders that are the bot's own");
                    return Err(unavailable("its world", &why));
                }
            }
            let entered = namespaces::enter()?;
            if entered == Ids::Nobody {
                check_readable(&program, sandbox, &shown)?;
            }
            ids = Some(entered);
        }
        Ok(Confined {
            sandbox,
            program,
            shown,
            counted: group.has(Controller::Memory),
            ids,
        })
    }

    /// Lets this process, a child of the supervisor, become the bot, or the first process of the
    /// bot's namespaces. `writable` is the folder of a bot without them. Returns the status to end
    /// with if it became nothing else.
    pub(crate) fn start(self, writable: Option<&Path>, startup: &mut Startup) -> i32 {
        let folder = self.program.folder.as_deref();
        if let Some(ids) = self.ids {
            // The name of a submission's folder tells the class and, by the digest in it, which
            // seeds its games have.
            let own = folder.filter(|_| self.sandbox.closed);
            let start_in = match own {
                Some(_) => Path::new(Sandbox::FOLDER),
                None => folder.unwrap_or(Path::new(HOME)),
            };
            let hidden = self.sandbox.hide.iter();
            let contents = Contents {
                shown: &self.shown,
                own,
                hidden: hidden.filter_map(|path| path.canonicalize().ok()).collect(),
                room: namespaces::room_in(self.sandbox),
            };
            return namespaces::be_first(&contents, ids, start_in, startup, || {
                self.become_bot(HOME.as_ref(), &WRITABLE, "/tmp".as_ref())
            });
        }
        let Some(writable) = writable else {
            return startup.failed(&unavailable("its folder", &"there is none to write in"));
        };
        let error = match std::env::set_current_dir(folder.unwrap_or(writable)) {
            Ok(()) => self.become_bot(writable, &[writable], writable),
            Err(error) => error.into(),
        };
        startup.failed(&error)
    }

    /// Confines this process and becomes the bot. Returns the error that kept it from that.
    /// Programs that keep a cache or temporary files put them into `home` and `temporary`, where
    /// the next series finds none.
    fn become_bot(
        &self,
        home: &Path,
        writable: &[impl AsRef<Path>],
        temporary: &Path,
    ) -> StartError {
        if let Err(error) = self.enforce(writable) {
            return error;
        }
        let mut variables = vec![("HOME", home), ("TMPDIR", temporary)];
        if self.ids.is_some() {
            variables.extend([("USER", Path::new("bot")), ("LOGNAME", Path::new("bot"))]);
        }
        #[allow(
            unsafe_code,
            reason = "other threads could read the environment meanwhile"
        )]
        // SAFETY: there is one thread.
        unsafe {
            for (name, value) in variables {
                std::env::set_var(name, value);
            }
            if self.ids.is_some() {
                std::env::remove_var("SHELL");
            }
        }
        let Err(error) = exec(&self.program);
        StartError::new(&self.program, &error)
    }

    fn enforce(&self, writable: &[impl AsRef<Path>]) -> Result<(), StartError> {
        // The order: limits while nothing is forbidden yet. Then Landlock, which opens the folders
        // it allows, so root must still have its power to reach them, and which sets the
        // no_new_privs that the rest needs. Then root's powers. The filter last, so that it may
        // forbid calls that the steps before make.
        let sandbox = self.sandbox;
        limits::set(sandbox)?;
        let own = match sandbox.kind {
            SandboxKind::Namespaces => Some(Path::new(Sandbox::FOLDER)),
            SandboxKind::LandlockOnly => self.program.folder.as_deref(),
        };
        let own = own.filter(|_| sandbox.closed);
        landlock::restrict(sandbox, &self.shown, own, writable, self.counted)?;
        drop_all_but(CapabilitySet::empty())
            .map_err(|error| unavailable("giving up privileges", &error))?;
        seccomp::for_sandbox(sandbox.kind, self.counted)
    }
}

/// Checks that every user can read the files of a bot: root, who starts it, is not the user that it
/// is in namespaces. What lies beside the files that the command names is left to the bot.
fn check_readable(
    program: &BotProgram,
    sandbox: &Sandbox,
    shown: &[PathBuf],
) -> Result<(), StartError> {
    let words = program.arguments.iter().chain([&program.file]);
    let files = words
        .map(Path::new)
        .filter(|file| file.is_absolute() && !sandbox.closed);
    let shown = shown.iter().map(PathBuf::as_path);
    for path in shown.chain(files).chain(program.folder.as_deref()) {
        let mode = path.metadata().map_or(0o005, |about| about.mode());
        // Others may do what the owner may.
        let needed = (mode & 0o500) >> 6 | 0o004;
        if mode & needed != needed {
            let path = path.display();
            return Err(StartError::of_machine(format!(
                "in a sandbox a bot that root starts is another user, who may not read {path}; chmod -R o+rX {path} allows that"
            )));
        }
    }
    Ok(())
}

/// Returns all files and folders besides the system's that the bot has to read to run at all: where
/// the program and its scripts are, and the folders that its command names.
fn shown_to(program: &BotProgram, sandbox: &Sandbox, referee: &Path) -> Vec<PathBuf> {
    let mut shown = sandbox.allow.clone();
    if Path::new(&program.file) == referee {
        // A shipped player needs nothing else, and a module is one file.
        shown.push(referee.to_owned());
        shown.extend(sandbox.instead.iter().cloned());
        return shown;
    }
    let mut words = Vec::new();
    // That of a submission is shown in any case, even if what is around it is hidden. Its arguments
    // are data. Its program is in the folder, or an interpreter.
    if !sandbox.closed {
        shown.extend(program.folder.clone());
        words.extend(program.arguments.iter().map(PathBuf::from));
        words.retain(|word| word.is_absolute());
    }
    shown.extend(words.iter().filter(|word| word.is_dir()).cloned());
    words.extend(find_on_path(&program.file).filter(|file| file.is_absolute()));
    for file in words.iter().filter(|word| word.is_file()) {
        // Both where it is named and where it really is: Landlock judges the real path, but an
        // interpreter in a virtual environment is a link into its installation and finds its
        // settings by the path it was called by.
        for file in [file].into_iter().chain(&file.canonicalize()) {
            let folder = folder_of(file);
            // A program's own installation is shown in any case.
            if !sandbox.instead.iter().any(|it| it.starts_with(folder)) {
                shown.push(folder.to_owned());
            }
        }
    }
    shown.extend(sandbox.instead.iter().cloned());
    shown
}

/// Returns the folder that has everything belonging to the program or script `file`: its own, or
/// the one above if its own is an installation's folder of programs, as in `/opt/java/bin`.
fn folder_of(file: &Path) -> &Path {
    let root = Path::new("/");
    let folder = file.parent().unwrap_or(root);
    let home = std::env::home_dir();
    let home = home.as_deref();
    let above = folder.parent().unwrap_or(root);
    // `~/bin/bot` must not open the whole home, nor `/bin/bot` the whole disk.
    if above == root || Some(above) == home {
        return folder;
    }
    let name = above.file_name().unwrap_or_default().as_encoded_bytes();
    // `~/.cargo/bin/bot` must not open the user's credentials beside. Programs of pyenv and the
    // like need all of theirs.
    let is_hidden_in_home = name.starts_with(b".") && above.parent() == home;
    if folder.ends_with("bin") && !is_hidden_in_home || folder.ends_with("shims") {
        above
    } else {
        folder
    }
}

/// Returns the same program as it is found from any folder: names of files and folders that exist
/// become absolute, because the bot's working folder may be a fresh one. They are looked up in the
/// current folder. The arguments of the referee's own executable are its commands, even if files
/// have the same names. Those of a `closed` view are data, and its program is started in its
/// folder.
fn with_absolute_paths(
    program: &BotProgram,
    referee: &Path,
    closed: bool,
) -> io::Result<BotProgram> {
    let mut program = program.clone();
    if Path::new(&program.file) == referee || closed {
        return Ok(program);
    }
    let is_path = Path::new(&program.file).components().count() > 1;
    let file = is_path.then_some(&mut program.file);
    for word in program.arguments.iter_mut().chain(file) {
        if Path::new(word).exists() {
            *word = std::path::absolute(&*word)?.into();
        }
    }
    Ok(program)
}

/// Confines the calling thread, and so the bot that it starts, within the confinement of its
/// supervisor: it cannot signal or trace the supervisor either. Does as much of that as the kernel
/// can.
pub(crate) fn confine_bot() {
    if landlock::keep_from_others(true) {
        // Landlock does not stop root from reading the environment and the memory of others. Only
        // under Landlock, which sets no_new_privs: otherwise exec gives all of it back to root. A
        // bot that is not root has nothing to drop.
        let _ = drop_all_but(OVER_FILES);
    }
    // An architecture that the filter does not know is not a reason to refuse a bot outside the
    // sandbox.
    let _ = seccomp::for_every_bot();
}

/// The powers of root over files: with them a bot outside the sandbox can read and write what its
/// user can. A bot of another user has none to keep.
const OVER_FILES: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER);

/// Takes all powers of root but those in `kept` from the calling thread and from what it starts,
/// for good, if `no_new_privs` is set, as Landlock does. Root could otherwise read the environment
/// and the memory of other processes.
pub(crate) fn drop_all_but(kept: CapabilitySet) -> rustix::io::Result<()> {
    // Asking for a power that is not held would be refused (EPERM), as in a container that has
    // dropped some.
    let kept = kept & rustix::thread::capabilities(None)?.permitted;
    let sets = CapabilitySets {
        effective: kept,
        permitted: kept,
        // Empty, and under no_new_privs exec cannot enlarge the permitted set: root stays this weak
        // in every program it runs (capabilities(7)).
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_shows_its_installation_alone() {
        for (file, folder) in [
            ("/bin/bot", "/bin"),
            ("/usr/bin/bot", "/usr"),
            ("/srv/pyenv/shims/python", "/srv/pyenv"),
            ("/srv/bots/popeye", "/srv/bots"),
        ] {
            let shown = folder_of(Path::new(file));
            assert_eq!(shown, Path::new(folder), "{file}");
        }
    }
}
