//! The self-test of the sandbox: a process of the referee's own is confined as a bot is, and
//! attacks. So a game begins only where the kernel really enforces what it accepts.
//!
//! Each attempt succeeds if one barrier of the sandbox is missing. Single system calls are tested
//! beside their filter.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use rustix::thread::{UnshareFlags, gettid};
use serde::{Deserialize, Serialize};

use super::cgroup::{self, Group};
use super::confine::{UNAVAILABLE, folder, unavailable};
use super::namespaces::unshare;
use crate::program::StartError;
use crate::sandbox::{Enforced, Sandbox, SandboxKind};
use crate::{BotProgram, Interrupt, Launch, RunEnd, RunLimits, View, run_to_end};

/// The targets of the attacking process.
#[derive(Serialize, Deserialize)]
pub(super) struct Targets {
    /// A thread of the referee.
    thread: i32,
    /// A file that any user may read and write.
    secret: OsString,
    /// A port of this machine that accepts connections.
    port: u16,
    /// The memory that the attacking process may have, in bytes.
    memory: u64,
    kind: SandboxKind,
}

/// The highest number that a process of a new world may have. They are counted from 1 there, and in
/// a container the referee's own number is low too: the attacker would find another process under
/// it.
const HIGHEST_IN_WORLD: i32 = 100;

/// The limits of the attacking process, which takes some milliseconds.
const LIMITS: RunLimits = RunLimits {
    time: Duration::from_secs(60),
    output: 1 << 16,
    log: 1 << 12,
};

/// Tests `sandbox`, with `referee` as the supervisor.
///
/// # Errors
/// If an attempt succeeded, or if the attack could not be made.
pub(crate) fn test_sandbox(sandbox: &Sandbox, referee: &Path) -> Result<Enforced, StartError> {
    cgroup::prepare();
    // By a process of its own, out of reach of Ctrl-C: it makes files, and removes them even if
    // this process is killed meanwhile.
    let output = Command::new(referee)
        .args(["self-test", &in_json(sandbox)])
        .process_group(0)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("with /dev/null for its input, {error}")))?;
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(failed(&format!("{} ({})", complaint.trim(), output.status)))
    })
}

/// Is the process that tests `sandbox`: prints the result.
pub(super) fn main(sandbox: &Sandbox) -> ExitCode {
    print(&test_here(sandbox))
}

fn print(result: &impl Serialize) -> ExitCode {
    // The reader may be gone.
    let _ = writeln!(io::stdout(), "{}", in_json(result));
    ExitCode::SUCCESS
}

fn failed(why: &dyn fmt::Display) -> StartError {
    unavailable("the test of it", why)
}

fn in_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("any system's names can be written in JSON")
}

fn test_here(sandbox: &Sandbox) -> Result<Enforced, StartError> {
    let hard = Group::make(Some(sandbox)).hard();
    let attempts = loop {
        let attempts = thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, || {
                let thread = gettid().as_raw_pid();
                (thread > HIGHEST_IN_WORLD).then(|| attempts(sandbox, thread))
            })?;
            thread.join().expect("it does not panic").transpose()
        });
        if let Some(attempts) = attempts.map_err(|error: io::Error| failed(&error))? {
            break attempts?;
        }
    };
    let (possible, refused): (Vec<_>, Vec<_>) = attempts
        .into_iter()
        .partition(|(_, is_possible)| *is_possible);
    let names = |attempts: Vec<(String, bool)>| attempts.into_iter().map(|(name, _)| name);
    if possible.is_empty() {
        let refused = names(refused).collect();
        return Ok(Enforced { refused, hard });
    }
    let possible = names(possible).collect::<Vec<_>>().join(", ");
    Err(failed(&format!("a bot could still {possible}")))
}

/// Has the attacking process, which is a bot, make its attempts, with `thread` of this process and
/// others as its targets. Returns the attempts, and whether each was possible.
fn attempts(sandbox: &Sandbox, thread: i32) -> io::Result<Result<Vec<(String, bool)>, StartError>> {
    let referee = std::env::current_exe()?;
    let folder = tempfile::Builder::new()
        .prefix("battleship-test-")
        .tempdir_in(folder::temporary())
        .map_err(|error| folder::with_advice(&error))?;
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret")?;
    for path in [folder.path(), &secret] {
        fs::set_permissions(path, Permissions::from_mode(0o777))?;
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let targets = Targets {
        thread,
        secret: secret.clone().into(),
        port: listener.local_addr()?.port(),
        memory: sandbox.memory,
        kind: sandbox.kind,
    };
    let mut program = BotProgram {
        file: referee.clone().into(),
        arguments: vec!["attack".into(), in_json(&targets).into()],
        ..BotProgram::default()
    };
    let mut sandbox = sandbox.clone();
    if sandbox.closed {
        // The words of a submission's command open nothing. Its program is an interpreter of the
        // system's, which has to be allowed to read the referee.
        sandbox.allow.push(referee.clone());
        program.view = View::closed();
        program.arguments.insert(0, program.file);
        program.file = "/usr/bin/env".into();
        program
            .arguments
            .extend([secret.into(), folder.path().into()]);
    }
    let launch = Launch {
        sandbox: Some(sandbox),
        ..Launch::supervised_by(referee)
    };
    let mut output = Vec::new();
    let result = run_to_end(&program, &launch, LIMITS, &mut output, &Interrupt::never()?)?;
    // Without a list there was no attack: a sandbox in which not even the referee can start must
    // not pass.
    Ok(match (serde_json::from_slice(&output), result.end) {
        (Ok(attempts), _) => Ok(attempts),
        (Err(_), RunEnd::NotStarted(error)) if error.to_string().starts_with(UNAVAILABLE) => {
            Err(error)
        }
        (Err(_), RunEnd::NotStarted(error)) => Err(failed(&error)),
        (Err(_), end) => {
            let log = String::from_utf8_lossy(&result.log);
            Err(failed(&format!("{} ({end:?})", log.trim())))
        }
    })
}

/// Is the attacking process: prints which attempts were possible.
pub(super) fn attack(targets: &Targets) -> ExitCode {
    let Targets {
        thread,
        secret,
        port,
        memory,
        kind,
    } = targets;
    let secret = Path::new(secret);
    let address = ("127.0.0.1", *port);
    let process = Path::new("/proc").join(thread.to_string());
    let memory = usize::try_from(*memory).unwrap_or(usize::MAX);
    let mut attempts = vec![
        ("read a file outside", fs::read(secret).is_ok()),
        (
            "write a file outside",
            OpenOptions::new().append(true).open(secret).is_ok(),
        ),
        (
            "change the mode of a file outside",
            fs::set_permissions(secret, Permissions::from_mode(0o666)).is_ok(),
        ),
        (
            "signal the referee",
            Pid::from_raw(*thread).is_some_and(|pid| test_kill_process(pid).is_ok()),
        ),
        (
            "read the referee's memory",
            File::open(process.join("mem")).is_ok(),
        ),
        (
            "open a terminal",
            File::open("/dev/tty").is_ok() || File::open("/dev/ptmx").is_ok(),
        ),
        ("connect by TCP", TcpStream::connect(address).is_ok()),
        (
            "send by UDP",
            UdpSocket::bind("127.0.0.1:0")
                .and_then(|socket| socket.send_to(b"x", address))
                .is_ok(),
        ),
        (
            // Without a kind the call changes nothing. It is answered by the kernel, or refused by
            // the filter.
            "make a namespace",
            unshare(UnshareFlags::empty()).is_ok(),
        ),
        (
            "take much memory",
            // Memory that is not touched costs nothing.
            Vec::<u8>::new().try_reserve_exact(memory).is_ok(),
        ),
    ];
    if *kind == SandboxKind::Namespaces {
        attempts.push(("see the referee", process.exists()));
        attempts.push(("see a file outside", secret.exists()));
    }
    print(&attempts)
}
