//! The self-test of the sandbox: a process of the referee's own is confined as a bot is, and attacks. So a game begins only
//! where the kernel really enforces what it accepts.
//!
//! Each attempt succeeds if one wall of the sandbox is missing. Single system calls are tested beside their filter.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::thread;

use rustix::process::{Pid, test_kill_process};
use rustix::thread::{UnshareFlags, gettid};
use serde::{Deserialize, Serialize};

use super::cgroup::{self, Group};
use super::confine::folder;
use super::confine::{UNAVAILABLE, unavailable};
use super::supervisor::Task;
use crate::program::StartError;
use crate::sandbox::{Enforced, Sandbox, SandboxKind};

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

/// The highest number that a process of a new world may have. They are counted from 1 there, and in a container the
/// referee's own number is low too: the attacker would find another process under it.
const HIGHEST_IN_WORLD: i32 = 100;

/// Tests `sandbox`, with `referee` as the supervisor.
///
/// # Errors
/// If an attempt succeeded, or if the attack could not be made.
pub(crate) fn test_sandbox(sandbox: &Sandbox, referee: &Path) -> Result<Enforced, StartError> {
    cgroup::prepare();
    // By a process of its own, out of reach of Ctrl-C: it makes files, and removes them even if this process is killed
    // meanwhile.
    let output = Command::new(referee)
        .args(["self-test", &in_json(sandbox)])
        .process_group(0)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("with /dev/null for its input, {error}")))?;
    serde_json::from_slice(&output.stdout).map_err(|_| without_result(&output))
}

/// Is the process that tests `sandbox`: prints the result, or on standard error why there is none.
pub(super) fn main(sandbox: &Sandbox) -> ExitCode {
    // The reader may be gone.
    match test_here(sandbox) {
        Ok(enforced) => {
            let _ = writeln!(io::stdout(), "{}", in_json(&enforced));
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn failed(why: &dyn fmt::Display) -> StartError {
    unavailable("the test of it", why)
}

/// Returns the error of a process that has printed no result.
fn without_result(output: &Output) -> StartError {
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = complaint.trim();
    if complaint.starts_with(UNAVAILABLE) {
        return StartError::of_machine(complaint.to_owned());
    }
    failed(&format!("{complaint} ({})", output.status))
}

fn in_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("any system's names can be written in JSON")
}

fn test_here(sandbox: &Sandbox) -> Result<Enforced, StartError> {
    let hard = Group::make(Some(sandbox))
        .hard()
        .iter()
        .map(|controller| controller.name().to_owned())
        .collect();
    let output = loop {
        let output = thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, || {
                let thread = gettid().as_raw_pid();
                (thread > HIGHEST_IN_WORLD).then(|| start_attack(sandbox, thread))
            })?;
            thread.join().expect("it does not panic").transpose()
        });
        if let Some(output) = output.map_err(|error: io::Error| failed(&error))? {
            break output;
        }
    };
    // Without a list there was no attack: a sandbox in which not even the referee can start must not pass.
    let attempts: Vec<(String, bool)> =
        serde_json::from_slice(&output.stdout).map_err(|_| without_result(&output))?;
    let (mut refused, mut possible) = (Vec::new(), Vec::new());
    for (attempt, is_possible) in attempts {
        if is_possible {
            possible.push(attempt);
        } else {
            refused.push(attempt);
        }
    }
    if possible.is_empty() {
        Ok(Enforced { refused, hard })
    } else {
        let possible = possible.join(", ");
        Err(failed(&format!("a bot could still {possible}")))
    }
}

/// Starts the attacking process, with `thread` of this process and others as its targets, and waits for its end.
fn start_attack(sandbox: &Sandbox, thread: i32) -> io::Result<Output> {
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
    let mut task = Task {
        referee: std::process::id(),
        sandbox: Some(sandbox.clone()),
        ..Task::default()
    };
    if sandbox.kind == SandboxKind::LandlockOnly {
        let writable = folder.path().join("writable");
        fs::create_dir(&writable)?;
        task.writable = Some(writable.into());
    }
    let mut words = vec![
        referee.clone().into(),
        "attack".into(),
        in_json(&targets).into(),
    ];
    if let Some(closed) = task.sandbox.as_mut().filter(|sandbox| sandbox.closed) {
        // The words of a submission's command open nothing. Its program is an interpreter of the system's, which has to
        // be allowed to read the referee.
        closed.allow.push(referee.clone());
        words.insert(0, OsString::from("/usr/bin/env"));
        words.extend([secret.into(), folder.path().into()]);
    }
    let mut command = Command::new(referee);
    command.args(["supervise", &task.to_argument()]).args(words);
    command.output()
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
        ("make a namespace", makes_namespace()),
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
    let _ = writeln!(io::stdout(), "{}", in_json(&attempts));
    ExitCode::SUCCESS
}

/// Returns whether unshare(2) is answered by the kernel, and not refused by the filter.
fn makes_namespace() -> bool {
    #[allow(unsafe_code, reason = "what is safe about it depends on the flags")]
    // SAFETY: without a flag the call changes nothing.
    let made = unsafe { rustix::thread::unshare_unsafe(UnshareFlags::empty()) };
    made.is_ok()
}
