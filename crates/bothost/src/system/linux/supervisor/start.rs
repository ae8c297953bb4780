//! The preparation of a supervisor, and the start of its bot.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getpid, getppid, kill_process, pidfd_open,
    set_child_subreaper, setrlimit, setsid,
};
use rustix::thread::CapabilitySet;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use super::calls::{close_on_exec_from, exec, fork, give_up_streams};
use super::startup::{Startup, wait_for_program};
use super::{Supervisor, Task};
use crate::program::{BotProgram, StartError};
use crate::supervisor_report::SupervisorReport;
use crate::system::cgroup::{Group, Thrashing};
use crate::system::confine::{Confined, confine_bot, drop_all_but, landlock};
use crate::system::namespaces::Ids;
use crate::system::out_of_memory::{Kills, Score};
use crate::system::{out_of_memory, pin};

/// Starts `program` as `task` says.
pub(super) fn start<'t>(
    task: &'t Task,
    program: &BotProgram,
    channel: &'t UnixStream,
) -> Result<Supervisor<'t>, StartError> {
    let number = i32::try_from(task.referee).ok();
    let referee = number.and_then(Pid::from_raw).ok_or(Errno::INVAL)?;
    let referee_exit = pidfd_open(referee, PidfdFlags::empty())?;
    if getppid() != Some(referee) {
        // This order closes a race. The number of a dead process can be given to a new one, so the
        // descriptor may be of a stranger. If the parent is still the referee after the descriptor
        // was opened, the descriptor is the referee's.
        return Err(Errno::SRCH.into());
    }
    // The order matters from here on. Handlers come first, so that a TERM during the start is not
    // lost and leaves no folder behind; they are reset in the bot.
    let (signals, children) = listen()?;
    // Before any descriptor of this process is opened for the bot to find.
    prepare(program)?;
    // Before the bot is started, so that the bot is inside: kill(-1) reaches what is inside.
    let scoped = landlock::scope_signals(referee);
    let group = Group::make(task.sandbox.as_ref());
    // The bot inherits it, and names in its command are looked up here.
    if let Some(folder) = &program.folder {
        std::env::set_current_dir(folder).map_err(|error| StartError::new(program, &error))?;
    }
    let confined = match &task.sandbox {
        Some(sandbox) => Some(Confined::new(sandbox, program, &group)?),
        None => None,
    };
    let ids = confined.as_ref().and_then(|confined| confined.ids);
    let (failure, on_failure) = io::pipe()?;
    let (reported, on_end) = io::pipe()?;
    let mut startup = Startup {
        failure: Some(on_failure),
        status: on_end,
    };
    // As late as possible: with any failure before this there is no bot to be left without a
    // supervisor.
    let bot = fork(|| {
        if let Err(error) = become_part_of(&group, program.on_terminal) {
            return startup.failed(&error.into());
        }
        let Some(confined) = confined else {
            confine_bot();
            let Err(error) = exec(program);
            return startup.failed(&StartError::new(program, &error));
        };
        confined.start(task.writable.as_deref().map(Path::new), &mut startup)
    })?;
    drop(startup);
    if ids == Some(Ids::Own) {
        // In the new namespace for users this process could do what it could not before.
        drop_all_but(CapabilitySet::empty())?;
    }
    wait_for_program(failure)?;
    // After the start: the bot has to inherit all three streams.
    give_up_streams().inspect_err(|_| {
        // The referee would not see the end of the output of this bot.
        let _ = kill_process(bot, Signal::KILL);
    })?;
    // The bot may keep its core busy. This process is to be there at once all the same.
    pin::to_any_core();
    Ok(Supervisor {
        task,
        group,
        thrashing: Thrashing::default(),
        referee: referee_exit,
        bot,
        reported: ids.map(|_| reported),
        bot_status: None,
        signals,
        children,
        scoped,
        score: Score::new(),
        // After the start of the bot, which does not wait for it.
        kills: Kills::of(bot),
        channel,
        report: SupervisorReport::default(),
        is_stopped: false,
    })
}

/// Has this child of the supervisor be what the bot's processes are, whatever else confines them.
fn become_part_of(group: &Group, on_terminal: bool) -> io::Result<()> {
    if !on_terminal {
        // Apart from the supervisor: a bot that signals its own group does not signal its
        // supervisor, and where the kernel shares out the processor by sessions, the supervisor has
        // a share of its own.
        setsid()?;
    }
    group.join()?;
    pin::shorten_slice();
    out_of_memory::expose_to_kernel();
    Ok(())
}

/// Has signals wake the supervisor instead of ending it. Returns a stream that becomes readable
/// when the supervisor is to stop, and one that does when a descendant has ended.
fn listen() -> io::Result<(UnixStream, UnixStream)> {
    // Each handler writes a byte to a socket that is polled (the self-pipe trick). A signal that
    // comes between a check and the poll is not missed, as the byte is there when the poll begins.
    let (stop, stopper) = UnixStream::pair()?;
    let (children, reaper) = UnixStream::pair()?;
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::low_level::pipe::register(signal, stopper.try_clone()?)?;
    }
    signal_hook::low_level::pipe::register(SIGCHLD, reaper)?;
    // Ctrl-C reaches the supervisor of a human player. The referee gets it too and decides: the
    // first one lets the game be recorded. The flag is never read; the handler is there so that the
    // signal does not end this process.
    signal_hook::flag::register(SIGINT, std::sync::Arc::default())?;
    // Emptied by reading until there is nothing left; `stop` is never read, as the first byte ends
    // the wait.
    children.set_nonblocking(true)?;
    Ok((stop, children))
}

/// Sets what the bot inherits from this process.
fn prepare(program: &BotProgram) -> io::Result<()> {
    // The bot gets its three streams and no file, socket or terminal that the referee's parent has
    // left open.
    close_on_exec_from(3);
    if !program.on_terminal {
        // A session of its own has no terminal. So the bot can neither write to the user's terminal
        // by way of /dev/tty nor push keystrokes into it, and Ctrl-C and hang-up do not reach it.
        setsid()?;
    }
    // A daemon that forks twice loses its parent. With this it becomes a child of the supervisor
    // and not of init, so that the search below this process finds it and `wait` reaps it
    // (prctl(2), PR_SET_CHILD_SUBREAPER).
    set_child_subreaper(Some(getpid()))?;
    // A bot that crashes in every game would fill the disk with core files.
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    Ok(setrlimit(Resource::Core, none)?)
}
