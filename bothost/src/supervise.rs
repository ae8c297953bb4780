//! The supervisor: a small process between the referee and each bot. It is the referee's own executable,
//! started anew, so that the referee does not have to fork. It ends every process the bot has started once the bot
//! exits, the referee asks for it, or the referee dies, and passes on how the bot ended. The bot uses the supervisor's
//! standard streams, of which the supervisor keeps none: it costs nothing in a game.

use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroI32;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid,
    kill_process, kill_process_group, pidfd_open, set_child_subreaper, setrlimit, setsid, wait,
};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use super::confine::{self, Scoped};
use super::inherit::inherited_by;
use super::machine_report::Reporter;
use super::policy::Sandbox;
use super::program::{Program, StartError};
use super::sandbox::{Use, advice_on_bubblewrap};
use super::stderr::{LEFT, MARK, NOT_STARTED, USED_TOO_MUCH};
use super::{descendants, descriptors};

/// How long killed processes may take to disappear. Only one that is stuck in the kernel takes longer, and no signal
/// helps against that.
const PATIENCE_WITH_DEATH: Duration = Duration::from_secs(2);

/// How long a bot may take to leave after TERM. It has had its grace before; this is for closing files.
const AFTER_TERM: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How long after its bot a child may leave without counting as left behind.
const AFTER_BOT: Duration = Duration::from_millis(200);

/// How often the memory and threads of a sandboxed bot are counted. A look reads all of `/proc`, which is too much to
/// do more often; a bot that takes memory as fast as it can gets far beyond its limit in more time.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The same, as a timeout of poll.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Supervises `program` for the referee with the process id `referee` until all its processes have ended. Returns the
/// exit status to leave with. Under the number `report` it has inherited what tells the referee if
/// the machine could not start the bot. With a `sandbox`, the bot is confined to it. Says on standard error which processes the
/// bot has left behind, if `tells_who_is_left`. Does not return if a signal ended the bot: the same signal then ends
/// this process, so that the referee sees what it would see without a supervisor.
#[must_use]
pub fn supervise(
    referee: i32,
    program: &Program,
    sandbox: Option<&Sandbox>,
    tells_who_is_left: bool,
    report: Option<i32>,
) -> u8 {
    // A copy from before `start` replaces the streams. It is close-on-exec, so the bot does not inherit it.
    let stderr = tells_who_is_left.then(|| io::stderr().as_fd().try_clone_to_owned());
    let reporter = report.and_then(|number| Reporter::inherited(number).ok());
    let started = start(referee, program, sandbox, reporter.as_ref());
    if let (Some(reporter), Err(error)) = (&reporter, &started)
        && error.is_of_machine()
    {
        reporter.report(&error.to_string());
    }
    // From here on the machine has done its part.
    drop(reporter);
    match started {
        Ok(supervisor) => supervisor.watch(stderr.and_then(Result::ok)),
        Err(error) => {
            // If standard error is closed there is no place for a message; the exit status is enough.
            let _ = write!(io::stderr(), "{MARK}{error}");
            NOT_STARTED
        }
    }
}

struct Supervisor {
    sandbox: Option<Confined>,
    referee: OwnedFd,
    bot: Pid,
    bot_exit: OwnedFd,
    /// How the bot has ended; `None` while it lives.
    bot_status: Option<WaitStatus>,
    signals: UnixStream,
    /// Readable after a descendant has ended.
    children: UnixStream,
    scoped: Scoped,
}

/// A bot's sandbox, and what its supervisor needs to enforce it.
struct Confined {
    sandbox: Sandbox,
    /// The bot's working folder, which is removed after it has ended.
    folder: Folder,
    /// The bot's standard error, to say what it has used too much of.
    stderr: OwnedFd,
}

/// A fresh folder that is removed with all that is in it.
struct Folder(PathBuf);

impl Folder {
    fn make() -> io::Result<Folder> {
        let name = format!("battleship-bot-{}", std::process::id());
        // Absolute, since the working folder of this process may change.
        let path = std::path::absolute(std::env::temp_dir())?.join(name);
        // `create_dir` fails if the name exists, be it a folder or a link: the name can be guessed, and another user
        // may have made it first to read or to redirect what the bot writes.
        std::fs::create_dir(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn start(
    referee: i32,
    program: &Program,
    sandbox: Option<&Sandbox>,
    reporter: Option<&Reporter>,
) -> Result<Supervisor, StartError> {
    let trouble = |error: io::Error| StartError::of_supervisor(error);
    let referee = Pid::from_raw(referee).ok_or_else(|| trouble(Errno::INVAL.into()))?;
    let referee_exit =
        pidfd_open(referee, PidfdFlags::empty()).map_err(|error| trouble(error.into()))?;
    if getppid() != Some(referee) {
        // This order closes a race. The number of a dead process can be given to a new one, so the descriptor may be
        // of a stranger. If the parent is still the referee after the descriptor was opened, the descriptor is the
        // referee's.
        return Err(trouble(Errno::SRCH.into()));
    }
    // The order matters from here on. Handlers come first, so that a TERM during the start is not lost and
    // leaves no folder behind; exec resets them in the bot's program.
    let (signals, children) = listen().map_err(trouble)?;
    // Before there are other threads, and before any descriptor of this process is opened for the bot to
    // find.
    prepare(program).map_err(trouble)?;
    // Before the bot is started, so that the bot is inside, and in the only thread, so that all of the supervisor is:
    // kill(-1) reaches what is inside.
    let scoped = confine::scope_signals(referee);
    let confined = sandbox.map(|sandbox| -> io::Result<Confined> {
        let (folder, stderr) = (Folder::make()?, io::stderr().as_fd().try_clone_to_owned()?);
        Ok(Confined { sandbox: sandbox.clone(), folder, stderr })
    });
    let confined = confined.transpose().map_err(trouble)?;
    // The bot inherits it, and names in its command are looked up here.
    if let Some(folder) = &program.folder {
        std::env::set_current_dir(folder).map_err(|error| StartError::new(program, error))?;
    }
    // As late as possible: with any failure before this there is no bot to be left without a supervisor.
    let child = match &confined {
        None => spawn(program)?,
        Some(confined) => spawn_in_sandbox(program, confined, reporter)?,
    };
    let bot = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let bot = bot.ok_or_else(|| trouble(Errno::INVAL.into()))?;
    let watch = || -> io::Result<OwnedFd> {
        // If the machine runs out of memory, the kernel ends bots before the referee and the user's programs. The
        // number cannot be of another process: the bot has not been waited for. A system that refuses this is no reason
        // to stop.
        let _ = std::fs::write(format!("/proc/{}/oom_score_adj", bot.as_raw_nonzero()), "1000");
        let bot_exit = pidfd_open(bot, PidfdFlags::empty())?;
        // After the start: until now standard error is needed to say why there is no bot, and the bot has to
        // inherit all three streams.
        give_up_streams()?;
        Ok(bot_exit)
    };
    let bot_exit = watch().map_err(|error| {
        // A bot that cannot be watched must not run.
        let _ = kill_process(bot, Signal::KILL);
        trouble(error)
    })?;
    Ok(Supervisor {
        sandbox: confined,
        referee: referee_exit,
        bot,
        bot_exit,
        bot_status: None,
        signals,
        children,
        scoped,
    })
}

/// Has signals wake the supervisor instead of ending it. Returns what becomes readable when the supervisor is to stop,
/// and what does when a descendant has ended.
fn listen() -> io::Result<(UnixStream, UnixStream)> {
    // Each handler writes a byte to a socket that is polled (the self-pipe trick). A signal that comes
    // between a check and the poll is not missed, as the byte is there when the poll begins.
    let ((stop, stopper), (children, reaper)) = (UnixStream::pair()?, UnixStream::pair()?);
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::low_level::pipe::register(signal, stopper.try_clone()?)?;
    }
    signal_hook::low_level::pipe::register(SIGCHLD, reaper)?;
    // Ctrl-C reaches the supervisor of a human player. The referee gets it too and decides: the first one lets the game
    // be recorded. The flag is never read; the handler is there so that the signal does not end this process.
    signal_hook::flag::register(SIGINT, std::sync::Arc::default())?;
    // Emptied by reading until there is nothing left; `stop` is never read, as the first byte ends the wait.
    children.set_nonblocking(true)?;
    Ok((stop, children))
}

/// Sets what the bot inherits from this process.
fn prepare(program: &Program) -> io::Result<()> {
    // The bot gets its three streams and no file, socket or terminal that the referee's parent has left open.
    descriptors::close_on_exec_from(3);
    if program.on_terminal {
        super::person::keep_streams();
    } else {
        // A session of its own has no terminal. So the bot can neither write to the user's terminal by way of
        // /dev/tty nor push keystrokes into it, and Ctrl-C and hang-up do not reach it.
        setsid()?;
    }
    // A daemon that forks twice loses its parent. With this it becomes a child of the supervisor and not of
    // init, so that the search below this process finds it and `wait` reaps it (prctl(2),
    // PR_SET_CHILD_SUBREAPER).
    set_child_subreaper(Some(getpid()))?;
    // A bot that crashes in every game would fill the disk with core files.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// Starts the bot from a thread of its own. Landlock and seccomp confine a thread and what it starts, so the bot
/// inherits the thread's confinement and the supervisor stays outside of it, where the bot cannot reach it.
fn spawn(program: &Program) -> Result<Child, StartError> {
    let start = || {
        let mut command = Command::new(&program.file);
        command.args(&program.arguments);
        if !program.on_terminal {
            // Apart from the supervisor, so that a bot which signals its own group does not signal its
            // supervisor.
            command.process_group(0);
        }
        // Here and not in a `pre_exec`: with one, std forks instead of calling posix_spawn.
        confine::confine_bot();
        command.spawn().map_err(|error| StartError::new(program, error))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, start);
        thread.map_err(StartError::of_supervisor)?.join().unwrap_or_else(|_| {
            Err(StartError::of_supervisor(io::Error::other("the starting thread failed")))
        })
    })
}

/// Starts the bot by way of a process that confines itself to the sandbox and then becomes the bot.
fn spawn_in_sandbox(
    program: &Program,
    confined: &Confined,
    reporter: Option<&Reporter>,
) -> Result<Child, StartError> {
    let Confined { sandbox, folder, .. } = confined;
    let report = reporter.map(Reporter::number);
    let command = sandbox.command(program, &folder.0, report);
    let mut command = command.map_err(StartError::of_supervisor)?;
    command.process_group(0);
    let started = match reporter {
        // That process may find the machine short of something, too.
        Some(reporter) => inherited_by(&[reporter.descriptor()], || command.spawn()),
        None => command.spawn(),
    };
    started.map_err(if sandbox.strict { advice_on_bubblewrap } else { StartError::of_supervisor })
}

/// Puts the null device in the place of the standard streams, so that the bot alone holds its pipes: the referee sees
/// the end of its output, or a closed input, at the moment the bot closes them.
fn give_up_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Why a bot is to be ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// It has ended by itself.
    OfBot,
    /// The referee, which lives, wants it gone.
    Told,
    /// The referee has died.
    Alone,
    /// It has taken more than its sandbox allows.
    TooMuch(String),
}

impl Supervisor {
    /// Supervises until the bot is to end, and ends it. Reports the processes it has left behind to `stderr`, if given.
    fn watch(mut self, stderr: Option<OwnedFd>) -> u8 {
        let end = self.wait_for_an_end();
        if let (End::OfBot, Some(stderr)) = (&end, stderr) {
            let left = self.left_behind().join(", ");
            let _ = rustix::io::write(&stderr, format!("\n{MARK}{LEFT}{left}\n").as_bytes());
        }
        if end == End::Told {
            // A chance to leave by itself. Not after the other endings: an orphan of a dead referee and a bot that
            // takes too much are killed at once.
            let _ = kill_process(self.bot, Signal::TERM);
            let _ = poll(&mut [PollFd::new(&self.bot_exit, PollFlags::IN)], Some(&AFTER_TERM));
        }
        self.end_everything();
        if let (End::TooMuch(excess), Some(confined)) = (end, &self.sandbox) {
            let _ = rustix::io::write(&confined.stderr, format!("\n{MARK}{excess}").as_bytes());
            return USED_TOO_MUCH;
        }
        // Removes its folder now, since the signal below ends this process without dropping anything.
        self.sandbox = None;
        let Some(status) = self.bot_status else { return 128 };
        if let Some(signal) = status.terminating_signal() {
            // Ends this process with the same signal, without a core file of its own (the limit is 0). If it does
            // not, the status is the one a shell would give.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            // It knows the common signals only, and takes some for harmless that end a process.
            if let Some(number) = NonZeroI32::new(signal) {
                #[allow(
                    unsafe_code,
                    reason = "rustix has no checked way to name a real-time signal"
                )]
                // SAFETY: the kernel has just named it as the signal that ended a process; this passes it on and
                // sets no handler, which is what the number must be right for.
                let signal = unsafe { Signal::from_raw_nonzero_unchecked(number) };
                let _ = kill_process(getpid(), signal);
            }
            return u8::try_from(128 + signal).unwrap_or(u8::MAX);
        }
        status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
    }

    /// Waits until there is a reason to end the bot, and reaps its orphans meanwhile.
    fn wait_for_an_end(&mut self) -> End {
        let look = self.sandbox.is_some().then_some(&LOOK);
        let mut looked = Instant::now();
        while self.bot_status.is_none() {
            let mut watched = [
                // A descriptor of a process is readable when the process has ended, however it ended. The
                // signal that a parent's death can send (PR_SET_PDEATHSIG) is no substitute: it comes when
                // the thread that started the child ends.
                PollFd::new(&self.referee, PollFlags::IN),
                PollFd::new(&self.signals, PollFlags::IN),
                PollFd::new(&self.children, PollFlags::IN),
            ];
            match poll(&mut watched, look) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                // Unable to watch, it must not leave the bot running unwatched.
                Err(_) => return End::Alone,
            }
            let [alone, told, ended] = watched.map(|watched| !watched.revents().is_empty());
            // First: after the death of the referee there is no time to be polite.
            if alone {
                return End::Alone;
            }
            if told {
                return End::Told;
            }
            if ended {
                // The pipe is emptied before the reaping: a child that ends in between writes to it again, and the
                // next poll returns. The other way round its signal would be lost.
                while let Ok(1..) = self.children.read(&mut [0; 64]) {}
                self.reap();
            }
            // By the clock and not by the timeout of poll: a bot whose children end all the time never lets that run
            // out.
            if look.is_some() && looked.elapsed() >= BETWEEN_LOOKS {
                looked = Instant::now();
                if let Some(excess) = self.excess() {
                    return End::TooMuch(excess);
                }
            }
        }
        End::OfBot
    }

    /// Returns what the bot has taken beyond the limits of its sandbox; `None` if it keeps them.
    fn excess(&self) -> Option<String> {
        Use::of(&descendants::of(getpid())).excess(&self.sandbox.as_ref()?.sandbox)
    }

    /// Returns the names of the processes that the bot has left behind. Those that end a moment after it count as
    /// ended.
    fn left_behind(&mut self) -> Vec<String> {
        let began = Instant::now();
        // A shell that is killed together with its pipeline ends a moment before the rest of it.
        while self.reap() && began.elapsed() < AFTER_BOT {
            wait_a_moment(self.signals.as_fd());
        }
        descendants::of(getpid()).into_iter().filter_map(descendants::name_of).collect()
    }

    /// Kills all descendants of this process, and waits until they have ended.
    fn end_everything(&mut self) {
        let began = Instant::now();
        // Reaping first keeps the true status of a bot that has ended by itself. Then kill and reap by turns: a
        // process that forks while it is being killed leaves a child that only the next round finds.
        while self.reap() && began.elapsed() < PATIENCE_WITH_DEATH {
            match self.scoped {
                // kill(-1): rustix has no name for it, but it negates the number of the group, and that of init is 1.
                // The call signals every process that this one may signal, except itself, in one pass inside the
                // kernel. In the scope these are the descendants; without the scope it would end the user's whole
                // login.
                Scoped::Yes => drop(kill_process_group(Pid::INIT, Signal::KILL)),
                Scoped::No => {
                    for pid in descendants::of(getpid()) {
                        let _ = kill_process(pid, Signal::KILL);
                    }
                }
            }
            wait_a_moment(self.signals.as_fd());
        }
    }

    /// Reaps descendants that have ended. Returns whether any are left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                // `wait` returns adopted orphans in any order. Only the bot's own status is passed on.
                Ok(Some((pid, status))) if pid == self.bot => self.bot_status = Some(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }
}

fn wait_a_moment(signals: impl AsFd) {
    // A poll and not a sleep: SIGCHLD interrupts it, so the wait ends with the process it is for. std
    // restarts a sleep that is interrupted.
    let millisecond = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let mut nothing = [PollFd::new(&signals, PollFlags::empty())];
    let _ = poll(&mut nothing, Some(&millisecond));
}
