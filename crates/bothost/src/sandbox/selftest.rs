//! The self-test of the sandbox: a process of the referee's own is confined as a bot is, and attacks. So a game begins only
//! where the kernel really enforces what it accepts.
//!
//! Each attempt succeeds if one wall of the sandbox is missing. Single system calls are tested beside their filter.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use rustix::process::{Pid, test_kill_process};
use rustix::thread::{UnshareFlags, gettid};
use serde::{Deserialize, Serialize};

use super::SandboxError;
use crate::fresh_folder;
use crate::groups::{Controller, Group, Limits};
use crate::policy::{Sandbox, Walls};

/// The restrictions that a sandbox enforces on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// The attempts of the self-test. All were refused.
    pub refused: Vec<String>,
    /// The resources that the kernel limits for all processes of a bot together. The supervisor counts the others.
    pub hard: Vec<Controller>,
}

/// The targets of the attacking process.
#[derive(Serialize, Deserialize)]
struct Targets {
    /// A thread of the referee.
    thread: i32,
    /// A file that any user may read and write.
    secret: OsString,
    /// A port of this machine that accepts connections.
    port: u16,
    /// The sandbox of the attacking process.
    sandbox: Sandbox,
}

/// The highest number that a process of a new world may have. They are counted from 1 there, and in a container the
/// referee's own number is low too: the attacker would find another process under it.
const HIGHEST_IN_WORLD: i32 = 100;

/// Has a process attack, confined by `sandbox` as a bot would be under the supervision of `referee`, the referee's
/// executable.
///
/// # Errors
/// If an attempt succeeded, or if the attack could not be made.
pub fn self_test(sandbox: &Sandbox, referee: &Path) -> Result<Enforced, SandboxError> {
    let failed = |why: &dyn fmt::Display| SandboxError::new("the test of it", why);
    let limits = Limits {
        memory: sandbox.memory,
        tasks: sandbox.threads,
    };
    let hard = Group::make(Some(limits)).hard().to_vec();
    let output = loop {
        let output = thread::scope(|scope| {
            let attack = || {
                let thread = gettid().as_raw_pid();
                (thread > HIGHEST_IN_WORLD).then(|| attack(sandbox, referee, thread))
            };
            let thread = thread::Builder::new().spawn_scoped(scope, attack);
            let thread = thread.map_err(|error| failed(&error))?;
            Ok(thread.join().expect("an attack does not panic"))
        })?;
        if let Some(output) = output {
            break output.map_err(|error| failed(&error))?;
        }
    };
    // Without a list there was no attack: a sandbox in which not even the referee can start must not pass.
    let Ok(attempts) = serde_json::from_slice::<Vec<(String, bool)>>(&output.stdout) else {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let error = SandboxError::from_message(complaint.trim());
        return Err(
            error.unwrap_or_else(|| failed(&format!("{} ({})", complaint.trim(), output.status)))
        );
    };
    let (mut refused, mut possible) = (Vec::new(), Vec::new());
    for (attempt, is_possible) in attempts {
        if is_possible {
            possible.push(attempt);
        } else {
            refused.push(attempt);
        }
    }
    if !possible.is_empty() {
        return Err(failed(&format!(
            "a bot could still {}",
            possible.join(", ")
        )));
    }
    Ok(Enforced { refused, hard })
}

/// Starts the attacking process, with `thread` of this process and others as its targets, and waits for its end.
fn attack(sandbox: &Sandbox, referee: &Path, thread: i32) -> io::Result<Output> {
    let folder = tempfile::Builder::new()
        .prefix("battleship-test-")
        .tempdir_in(fresh_folder::temporary())
        .map_err(|error| fresh_folder::with_advice(&error))?;
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret")?;
    for path in [folder.path(), &secret] {
        fs::set_permissions(path, Permissions::from_mode(0o777))?;
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut sandbox = sandbox.clone();
    let mut words = Vec::new();
    if sandbox.closed {
        // The words of a submission's command open nothing. Its program is an interpreter of the system's, which has to
        // be allowed to read the referee.
        sandbox.allow.push(referee.to_owned());
        words = vec![&*secret, folder.path()];
    }
    let policy = sandbox.to_argument();
    let targets = Targets {
        thread,
        secret: secret.clone().into(),
        port: listener.local_addr()?.port(),
        sandbox,
    };
    let mut command = Command::new(referee);
    command.args(["supervise", "--referee", &std::process::id().to_string()]);
    command.args(["--sandbox", &policy]);
    if targets.sandbox.walls == Walls::Rules {
        let writable = folder.path().join("writable");
        fs::create_dir(&writable)?;
        command.arg("--folder").arg(writable);
    }
    command
        .arg("--")
        .args(targets.sandbox.closed.then_some("/usr/bin/env"))
        .arg(referee)
        .args(["probe", &serde_json::to_string(&targets)?])
        .args(words)
        .output()
}

/// Attacks `targets`, which [`self_test`] has passed on, and prints which attempts were possible.
///
/// # Errors
/// If that cannot be printed.
pub fn attempt(targets: &str) -> io::Result<()> {
    let Targets {
        thread,
        secret,
        port,
        sandbox,
    } = serde_json::from_str(targets)?;
    let secret = Path::new(&secret);
    let address = ("127.0.0.1", port);
    let process = Path::new("/proc").join(thread.to_string());
    let memory = usize::try_from(sandbox.memory).unwrap_or(usize::MAX);
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
            Pid::from_raw(thread).is_some_and(|pid| test_kill_process(pid).is_ok()),
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
    if sandbox.walls == Walls::World {
        attempts.push(("see the referee", process.exists()));
        attempts.push(("see a file outside", secret.exists()));
    }
    serde_json::to_writer(io::stdout(), &attempts)?;
    Ok(())
}

/// Returns whether unshare(2) is answered by the kernel, and not refused by the filter.
fn makes_namespace() -> bool {
    #[allow(unsafe_code, reason = "what is safe about it depends on the flags")]
    // SAFETY: without a flag the call changes nothing.
    let made = unsafe { rustix::thread::unshare_unsafe(UnshareFlags::empty()) };
    made.is_ok()
}
