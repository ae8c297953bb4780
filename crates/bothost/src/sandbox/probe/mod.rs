//! The self-test of the sandbox: a process of the referee's own is confined as a bot would be, and attacks. What it
//! reports is what is really enforced.

mod attempts;

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::gettid;
use serde::{Deserialize, Serialize};

use self::attempts::COMPUTES;

pub use self::attempts::{Attempts, attempt};
use super::SandboxError;
use crate::control::Control;
use crate::cpu::Usage;
use crate::fresh_folder;
use crate::groups::{Controller, Group, Limits};
use crate::policy::{Sandbox, Walls};
use crate::stderr::SupervisorSays;
use crate::system::inherited_by;

/// The rules that a sandbox enforces on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// The attempts. All were refused.
    pub refused: Vec<String>,
    /// The resources that the kernel limits for all processes of a bot together. The rest is counted, a few times a second.
    pub hard: Vec<Controller>,
}

/// The longest name of a folder for temporary files in which sockets have room, in bytes.
const LONGEST_TEMPORARY: usize = 70;

/// Has a process attack, confined by `sandbox` as a bot would be under the supervision of `referee`, the referee's
/// executable.
///
/// # Errors
/// If something was possible, or if the attack could not be made.
pub fn self_test(sandbox: &Sandbox, referee: &Path) -> Result<Enforced, SandboxError> {
    let failed = |error: io::Error| SandboxError::new("the test of it", &error);
    let limits = Limits {
        memory: sandbox.memory,
        tasks: sandbox.threads,
    };
    let hard = Group::make(Some(limits)).hard().to_vec();
    // Names of sockets have 107 bytes at most (unix(7)), and there are two in the folder.
    let mut temporary = fresh_folder::temporary();
    if temporary.as_os_str().len() > LONGEST_TEMPORARY {
        temporary = "/tmp".into();
    }
    let folder = tempfile::Builder::new()
        .prefix("battleship-test-")
        .tempdir_in(temporary);
    let folder = folder.map_err(|error| failed(fresh_folder::with_advice(&error)))?;
    // The bot's user could read and write here if nothing kept it from that.
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).map_err(failed)?;
    let counted = hard.contains(&Controller::Memory);
    let report =
        attack(sandbox, referee, &folder.path().join("secret"), counted).map_err(failed)?;
    let possible: Vec<_> = report
        .lines()
        .filter_map(|line| line.strip_prefix("possible "))
        .collect();
    let refused: Vec<_> = report
        .lines()
        .filter_map(|line| line.strip_prefix("refused "))
        .collect();
    if !possible.is_empty() {
        let why = format!("a bot could still {}", possible.join(", "));
        return Err(SandboxError::new("the test of it", &why));
    }
    // No report is a failure too: a sandbox in which the referee cannot even start would otherwise pass.
    if refused.is_empty() {
        let said = report.trim();
        let error = SandboxError::from_message(said);
        return Err(error.unwrap_or_else(|| SandboxError::new("the test of it", &said)));
    }
    Ok(Enforced {
        refused: refused.into_iter().map(str::to_owned).collect(),
        hard,
    })
}

fn attack(
    sandbox: &Sandbox,
    referee: &Path,
    secret: &Path,
    memory_is_counted: bool,
) -> io::Result<String> {
    fs::write(secret, "secret")?;
    fs::set_permissions(secret, fs::Permissions::from_mode(0o777))?;
    // Real targets, so that an attempt that fails was refused and did not just find nothing that answers.
    // As unique as the folder: containers may share the network, and with it these names.
    let socket = secret
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default();
    let socket = socket.to_string_lossy().into_owned();
    let tcp = TcpListener::bind("127.0.0.1:0")?;
    let port = tcp.local_addr()?.port();
    let _udp = UdpSocket::bind(("127.0.0.1", port));
    let _local = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&socket)?)?;
    let _stream = UnixListener::bind(secret.with_file_name("stream"))?;
    let _datagram = UnixDatagram::bind(secret.with_file_name("datagram"))?;
    let before = Priorities::now(secret)?;
    let (pid, target) = (std::process::id().to_string(), Target::new()?);
    // The referee itself is shown to its own players only. A submission's program is an interpreter of the system's or in its
    // folder, so there the referee is started by one.
    let allow = sandbox
        .allow
        .iter()
        .cloned()
        .chain(sandbox.closed.then(|| referee.to_owned()));
    let policy = Sandbox {
        allow: allow.collect(),
        ..sandbox.clone()
    }
    .to_argument();
    let mut command = Command::new(referee);
    command.args(["supervise", "--referee", &pid, "--sandbox", &policy]);
    if sandbox.walls == Walls::Rules {
        let writable = secret.with_file_name("writable");
        fs::create_dir(&writable)?;
        command.arg("--folder").arg(writable);
    }
    let (control, reporter) = Control::new()?;
    command
        .args(["--report", &reporter.number().to_string()])
        .arg("--")
        .args(sandbox.closed.then_some("/usr/bin/env"))
        .arg(referee)
        .args([
            "probe",
            "--referee",
            &target.number.to_string(),
            "--port",
            &port.to_string(),
        ])
        .args(["--socket", &socket])
        .args(["--sandbox", &policy])
        .args(memory_is_counted.then_some("--memory-is-counted"))
        // In one word: an argument that names a file counts as the bot's own script, which it may read.
        .arg(format!("--secret={}", secret.display()))
        // Unless it opens nothing, as in the command of a submission.
        .args(sandbox.closed.then_some(secret))
        .args(sandbox.closed.then_some(secret.parent()).flatten())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let supervisor = inherited_by(&[reporter.descriptor()], || command.spawn())?;
    drop(reporter);
    let mut report = hear(supervisor, control)?;
    // Some calls are answered with success and do nothing. So what they would change is looked at from here.
    if Priorities::now(secret)? != before {
        report += "\npossible change the priority of others, or files outside\n";
    }
    Ok(report)
}

/// More processes than there are in the world of the attacking one: they are numbered from 1 there. In a container the
/// referee's own number is low too, and would be another process inside.
const MOST_IN_WORLD: i32 = 100;

/// The referee, as the attacking process tries to reach it: a thread of it whose number no process has in a world.
struct Target {
    number: i32,
    /// The thread ends when this is dropped.
    _held: Sender<()>,
}

impl Target {
    fn new() -> io::Result<Target> {
        loop {
            let (hold, held) = mpsc::channel();
            let (tell, told) = mpsc::channel();
            let thread = thread::Builder::new().name("target".to_owned());
            let thread = thread.spawn(move || {
                let _ = tell.send(gettid().as_raw_pid());
                let _ = held.recv();
            })?;
            let number = told.recv().expect("it says its number before it ends");
            if number > MOST_IN_WORLD {
                return Ok(Target {
                    number,
                    _held: hold,
                });
            }
            drop(hold);
            let _ = thread.join();
        }
    }
}

/// Returns what the attacking process says, and whether it can be stopped then.
fn hear(mut supervisor: Child, mut control: Control) -> io::Result<String> {
    let mut report = String::new();
    let mut lines = BufReader::new(supervisor.stdout.take().expect("a pipe")).lines();
    let mut computes = false;
    while !computes && let Some(line) = lines.next() {
        let line = line?;
        computes = line == COMPUTES;
        report += &line;
        report.push('\n');
    }
    let pid = i32::try_from(supervisor.id()).ok().and_then(Pid::from_raw);
    if let (true, Some(pid)) = (computes, pid) {
        control.stop();
        control.settle();
        let answer = if is_still(pid) { "refused" } else { "possible" };
        report += answer;
        report += " compute while it is stopped\n";
    }
    // Its own supervisor ends it.
    let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
    let mut complaints = String::new();
    supervisor
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut complaints)?;
    supervisor.wait()?;
    control.listen();
    let says = control.heard().filter_map(|says| match says {
        SupervisorSays::MachineFailed(why)
        | SupervisorSays::NotStarted(why)
        | SupervisorSays::UsedTooMuch(why)
        | SupervisorSays::Remains(why) => Some(why),
        SupervisorSays::Left(_) | SupervisorSays::Computed(_) | SupervisorSays::Ended(_) => None,
    });
    Ok(says.fold(report + &complaints, |report, says| report + &says + "\n"))
}

/// Returns whether the stopped processes below `supervisor` compute nothing.
fn is_still(supervisor: Pid) -> bool {
    // The time that a thread computed before it was stopped may be counted a few milliseconds later.
    (0..MOST_LOOKS).any(|_| {
        let before = Usage::of_descendants(supervisor);
        thread::sleep(STOPPED_FOR);
        Usage::of_descendants(supervisor).since(&before) < STOPPED_FOR / 4
    })
}

/// The time that the attacking process is watched while it is stopped, and how many times at most.
const STOPPED_FOR: Duration = Duration::from_millis(10);
const MOST_LOOKS: usize = 10;

/// The priorities that an attacker could have changed.
#[derive(Debug, PartialEq, Eq)]
struct Priorities {
    of_referee: i32,
    file: (u32, i64),
}

impl Priorities {
    fn now(secret: &Path) -> io::Result<Priorities> {
        let of_referee = rustix::process::getpriority_process(None)?;
        let file = secret.metadata()?;
        Ok(Priorities {
            of_referee,
            file: (file.mode(), file.mtime()),
        })
    }
}
