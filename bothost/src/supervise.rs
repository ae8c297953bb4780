//! The supervisor: a small process between the referee and each bot. It is the referee's own executable,
//! started anew, so that nothing of the referee has to be forked. It sees to it that nothing which the bot has
//! started outlives the bot, the referee's wish, or the referee itself, and passes on how the bot ended. The bot
//! uses the supervisor's standard streams, of which the supervisor keeps none: it costs nothing in a game.

use std::fs::File;
use std::io::{self, Read, Write};
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
use super::policy::Sandbox;
use super::program::{Program, StartError};
use super::sandbox::{Use, advice_on_bubblewrap};
use super::stderr::{LEFT, MARK, NOT_STARTED, USED_TOO_MUCH};
use super::{descendants, descriptors};

/// How long killed processes may take to be gone. Only one that is stuck in the kernel takes longer.
const PATIENCE_WITH_DEATH: Duration = Duration::from_secs(2);

/// How long a bot may take to leave after TERM.
const AFTER_TERM: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How long what a bot has started may take to leave after it.
const AFTER_BOT: Duration = Duration::from_millis(200);

/// How often it is looked at what a sandboxed bot uses.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The same, for a wait.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Supervises `program` for the referee with the process id `referee` until there is nothing left of it; returns
/// the exit status to leave with. With a `sandbox`, the bot is confined to it. Says on standard error which processes
/// the bot has left behind, if that is asked for. Does not return if a signal ended the bot: the same signal then ends
/// this process.
#[must_use]
pub fn supervise(
    referee: i32,
    program: &Program,
    sandbox: Option<&Sandbox>,
    tells_who_is_left: bool,
) -> u8 {
    let stderr = tells_who_is_left.then(|| io::stderr().as_fd().try_clone_to_owned());
    match start(referee, program, sandbox) {
        Ok(supervisor) => supervisor.watch(stderr.and_then(Result::ok)),
        Err(error) => {
            // If standard error is closed there is no place left for a message.
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
    /// How the bot has ended.
    bot_status: Option<WaitStatus>,
    signals: UnixStream,
    /// Something below has ended.
    children: UnixStream,
    scoped: Scoped,
}

/// A bot's sandbox, and what its supervisor needs to see to it.
struct Confined {
    sandbox: Sandbox,
    /// The bot's working folder, which is to be removed after it.
    folder: Folder,
    /// The bot's standard error, to say what it has used too much of.
    stderr: OwnedFd,
}

/// A fresh folder that is removed with all that is in it.
struct Folder(PathBuf);

impl Folder {
    fn make() -> io::Result<Folder> {
        let name = format!("battleship-bot-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A folder that exists may be a trap laid by another user.
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
) -> Result<Supervisor, StartError> {
    let trouble = |error: io::Error| StartError::of_supervisor(error);
    let referee = Pid::from_raw(referee).ok_or_else(|| trouble(Errno::INVAL.into()))?;
    let referee_exit =
        pidfd_open(referee, PidfdFlags::empty()).map_err(|error| trouble(error.into()))?;
    if getppid() != Some(referee) {
        // The referee died before it could be watched; no bot is wanted any more.
        return Err(trouble(Errno::SRCH.into()));
    }
    let (signals, children) = listen().map_err(trouble)?;
    prepare(program).map_err(trouble)?;
    let scoped = confine::scope_signals(referee);
    let confined = sandbox.map(|sandbox| -> io::Result<Confined> {
        let (folder, stderr) = (Folder::make()?, io::stderr().as_fd().try_clone_to_owned()?);
        Ok(Confined { sandbox: sandbox.clone(), folder, stderr })
    });
    let confined = confined.transpose().map_err(trouble)?;
    let child = match &confined {
        None => spawn(program)?,
        Some(confined) => spawn_in_sandbox(program, confined)?,
    };
    let bot = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let bot = bot.ok_or_else(|| trouble(Errno::INVAL.into()))?;
    // If memory runs out, a bot goes before anything else. Where that cannot be said it is not vital.
    let _ = std::fs::write(format!("/proc/{}/oom_score_adj", bot.as_raw_nonzero()), "1000");
    let bot_exit = pidfd_open(bot, PidfdFlags::empty()).map_err(|error| trouble(error.into()))?;
    let supervisor = Supervisor {
        sandbox: confined,
        referee: referee_exit,
        bot,
        bot_exit,
        bot_status: None,
        signals,
        children,
        scoped,
    };
    give_up_streams().map_err(trouble)?;
    Ok(supervisor)
}

/// Signals wake the supervisor and end nothing by themselves. Handlers do not survive into the bot's program.
/// Returns what becomes readable when the supervisor is to stop, and what does when something below has ended.
fn listen() -> io::Result<(UnixStream, UnixStream)> {
    let ((stop, stopper), (children, reaper)) = (UnixStream::pair()?, UnixStream::pair()?);
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::low_level::pipe::register(signal, stopper.try_clone()?)?;
    }
    signal_hook::low_level::pipe::register(SIGCHLD, reaper)?;
    // A Ctrl-C at a terminal is for the referee to judge.
    signal_hook::flag::register(SIGINT, std::sync::Arc::default())?;
    children.set_nonblocking(true)?;
    Ok((stop, children))
}

/// What the bot inherits from this process.
fn prepare(program: &Program) -> io::Result<()> {
    descriptors::close_on_exec_from(3);
    if !program.on_terminal {
        setsid()?;
    }
    set_child_subreaper(Some(getpid()))?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// Starts the bot from a thread of its own, whose confinement the bot inherits and the supervisor does not:
/// so the bot cannot reach the supervisor.
fn spawn(program: &Program) -> Result<Child, StartError> {
    let start = || {
        let mut command = Command::new(&program.file);
        command.args(&program.arguments);
        if !program.on_terminal {
            command.process_group(0);
        }
        confine::confine_bot();
        command.spawn().map_err(|error| StartError::new(program, error))
    };
    std::thread::scope(|scope| {
        scope.spawn(start).join().unwrap_or_else(|_| {
            Err(StartError::of_supervisor(io::Error::other("the starting thread failed")))
        })
    })
}

/// Starts the bot by way of a process that confines itself to the sandbox and then becomes the bot.
fn spawn_in_sandbox(program: &Program, confined: &Confined) -> Result<Child, StartError> {
    let Confined { sandbox, folder, .. } = confined;
    let mut command = sandbox.command(program, &folder.0).map_err(StartError::of_supervisor)?;
    let started = command.process_group(0).spawn();
    started.map_err(if sandbox.strict { advice_on_bubblewrap } else { StartError::of_supervisor })
}

/// Puts the null device in the place of the standard streams: the bot alone holds its pipes.
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
    /// Tells `stderr` who is left, if there is one.
    fn watch(mut self, stderr: Option<OwnedFd>) -> u8 {
        let end = self.wait_for_an_end();
        if let (End::OfBot, Some(stderr)) = (&end, stderr) {
            let left = self.left_behind().join(", ");
            let _ = rustix::io::write(&stderr, format!("\n{MARK}{LEFT}{left}\n").as_bytes());
        }
        if end == End::Told {
            // Its last chance to leave by itself.
            let _ = kill_process(self.bot, Signal::TERM);
            let _ = poll(&mut [PollFd::new(&self.bot_exit, PollFlags::IN)], Some(&AFTER_TERM));
        }
        self.end_everything();
        if let (End::TooMuch(excess), Some(confined)) = (end, &self.sandbox) {
            let _ = rustix::io::write(&confined.stderr, format!("\n{MARK}{excess}").as_bytes());
            return USED_TOO_MUCH;
        }
        // Its folder goes now: what follows may end this process.
        self.sandbox = None;
        let Some(status) = self.bot_status else { return 128 };
        if let Some(signal) = status.terminating_signal() {
            // Ends this process too. If it does not, the status says it as a shell would.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            return u8::try_from(128 + signal).unwrap_or(u8::MAX);
        }
        status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
    }

    /// Waits until there is a reason to end the bot, and hears of what ends below meanwhile.
    fn wait_for_an_end(&mut self) -> End {
        let look = self.sandbox.is_some().then_some(&LOOK);
        let mut looked = Instant::now();
        while self.bot_status.is_none() {
            let mut watched = [
                PollFd::new(&self.referee, PollFlags::IN),
                PollFd::new(&self.signals, PollFlags::IN),
                PollFd::new(&self.children, PollFlags::IN),
            ];
            match poll(&mut watched, look) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(_) => return End::Alone,
            }
            let [alone, told, ended] = watched.map(|watched| !watched.revents().is_empty());
            if alone {
                return End::Alone;
            }
            if told {
                return End::Told;
            }
            if ended {
                // Orphans of the bot as well: they would pile up in a long game.
                while let Ok(1..) = self.children.read(&mut [0; 64]) {}
                self.reap();
            }
            // By the clock, since a bot whose children end all the time never lets the wait run out.
            if look.is_some() && looked.elapsed() >= BETWEEN_LOOKS {
                looked = Instant::now();
                if let Some(excess) = self.excess() {
                    return End::TooMuch(excess);
                }
            }
        }
        End::OfBot
    }

    /// What the bot has taken beyond the limits of its sandbox.
    fn excess(&self) -> Option<String> {
        Use::of(&descendants::of(getpid())).excess(&self.sandbox.as_ref()?.sandbox)
    }

    /// The names of the processes that the bot has left behind. Those that end a moment after it count as ended.
    fn left_behind(&mut self) -> Vec<String> {
        let began = Instant::now();
        while self.reap() && began.elapsed() < AFTER_BOT {
            wait_a_moment(self.signals.as_fd());
        }
        descendants::of(getpid()).into_iter().filter_map(descendants::name_of).collect()
    }

    /// Kills everything that descends from this process, and waits until it is gone.
    fn end_everything(&mut self) {
        let began = Instant::now();
        // What has ended by itself is to say so before it is killed.
        while self.reap() && began.elapsed() < PATIENCE_WITH_DEATH {
            match self.scoped {
                // All processes but this one that it may signal: those within its own confinement.
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

    /// Hears how processes below have ended; returns whether any is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.bot => self.bot_status = Some(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }
}

fn wait_a_moment(signals: impl AsFd) {
    let millisecond = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let mut nothing = [PollFd::new(&signals, PollFlags::empty())];
    let _ = poll(&mut nothing, Some(&millisecond));
}
