//! The self-test of the sandbox: a process of the referee's own is confined as a bot would be, and attacks. What it
//! reports is what is really enforced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, test_kill_process};

use super::{Sandbox, SandboxError};

/// The targets of an attacking process.
#[derive(Clone, Debug)]
pub struct Attempts {
    /// The process that it tries to reach.
    pub referee: i32,
    /// A file that it should not be able to read or write.
    pub secret: PathBuf,
    /// A port of this machine that answers to TCP and UDP.
    pub port: u16,
    /// The abstract name of a local socket.
    pub socket: String,
    /// The limits that it tries to exceed.
    pub limits: Sandbox,
}

/// Attacks, and prints on standard output which attempts were refused and which were possible.
///
/// # Errors
/// If it cannot say so.
pub fn attempt(attempts: &Attempts) -> io::Result<()> {
    let Attempts { referee, secret, port, socket, limits } = attempts;
    let refused = [
        ("signal the referee", !signals(*referee)),
        ("read the referee's memory", File::open(format!("/proc/{referee}/mem")).is_err()),
        ("read its environment", !reads_something(&format!("/proc/{referee}/environ"))),
        ("open its descriptors", File::open(format!("/proc/{referee}/fd/0")).is_err()),
        ("read a file outside", fs::read(secret).is_err()),
        ("write a file outside", OpenOptions::new().append(true).open(secret).is_err()),
        ("make a file outside", File::create(secret.with_extension("made")).is_err()),
        ("make a file in /dev/shm", File::create("/dev/shm/battleship-probe").is_err()),
        ("open the terminal", File::open("/dev/tty").is_err()),
        ("connect by TCP", TcpStream::connect(("127.0.0.1", *port)).is_err()),
        ("send by UDP", !sends_by_udp(*port)),
        ("connect to an abstract socket", !connects_to(socket)),
        ("write a huge file", !writes_more_than(limits.file_size)),
        ("open many files", !opens_more_than(limits.descriptors)),
        ("take much memory", !takes_more_than(limits.memory)),
    ];
    // Only a process namespace of its own hides the referee. Landlock leaves the list of processes readable.
    let unseen = limits.strict.then(|| ("see the referee", !is_there(*referee)));
    let mut out = io::stdout().lock();
    for (name, refused) in refused.into_iter().chain(unseen) {
        writeln!(out, "{} {name}", if refused { "refused" } else { "possible" })?;
    }
    out.flush()
}

fn is_there(pid: i32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

fn signals(pid: i32) -> bool {
    Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok())
}

/// Depending on the kernel, a file in `/proc` that may not be read can still be opened, and is empty.
fn reads_something(path: &str) -> bool {
    fs::read(path).is_ok_and(|content| !content.is_empty())
}

fn sends_by_udp(port: u16) -> bool {
    UdpSocket::bind("127.0.0.1:0")
        .and_then(|socket| socket.send_to(b"x", ("127.0.0.1", port)))
        .is_ok()
}

fn connects_to(name: &str) -> bool {
    SocketAddr::from_abstract_name(name)
        .and_then(|address| UnixStream::connect_addr(&address))
        .is_ok()
}

/// Tries this in the working folder, where writing is allowed. Setting the size needs no byte on the disk.
fn writes_more_than(size: u64) -> bool {
    let Ok(file) = File::create("huge") else { return false };
    // Beyond the limit the kernel also sends a signal, which ends the process by default. Then there would be
    // no report at all.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let grown = file.set_len(size + 1).is_ok();
    let _ = fs::remove_file("huge");
    grown
}

fn opens_more_than(count: u64) -> bool {
    let mut open = Vec::new();
    while open.len() as u64 <= count {
        match File::open("/dev/null") {
            Ok(file) => open.push(file),
            Err(_) => return false,
        }
    }
    true
}

/// Only reserves it: memory that is not touched costs nothing.
fn takes_more_than(size: u64) -> bool {
    let Ok(size) = usize::try_from(size) else { return true };
    Vec::<u8>::new().try_reserve_exact(size).is_ok()
}

/// Has a process attack, confined by `sandbox` as a bot would be under the supervision of `referee`, the referee's
/// executable. Returns what was refused, which is everything that was tried.
///
/// # Errors
/// If something was possible, or if the attack could not be made.
pub fn self_test(sandbox: &Sandbox, referee: &Path) -> Result<Vec<String>, SandboxError> {
    let failed = |error: io::Error| SandboxError::new("the test of it", &error);
    let folder = std::env::temp_dir().join(format!("battleship-test-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let report = attack(sandbox, referee, &folder.join("secret"));
    let _ = fs::remove_dir_all(&folder);
    let report = report.map_err(failed)?;
    let possible: Vec<_> =
        report.lines().filter_map(|line| line.strip_prefix("possible ")).collect();
    let refused: Vec<_> = report.lines().filter_map(|line| line.strip_prefix("refused ")).collect();
    if !possible.is_empty() {
        let why = format!("a bot could still {}", possible.join(", "));
        return Err(SandboxError::new("the test of it", &why));
    }
    // No report is a failure too: a sandbox in which the referee cannot even start would otherwise pass.
    if refused.is_empty() {
        return Err(SandboxError::new("the test of it", &report.trim_start_matches('\u{1}')));
    }
    Ok(refused.into_iter().map(str::to_owned).collect())
}

fn attack(sandbox: &Sandbox, referee: &Path, secret: &Path) -> io::Result<String> {
    fs::write(secret, "secret")?;
    // Real targets, so that an attempt that fails was refused and did not just find nothing that answers.
    let (tcp, socket) = (TcpListener::bind("127.0.0.1:0")?, abstract_name());
    let port = tcp.local_addr()?.port();
    let _udp = UdpSocket::bind(("127.0.0.1", port));
    let _local = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&socket)?)?;
    let pid = std::process::id().to_string();
    let policy = sandbox.to_argument();
    let output = Command::new(referee)
        .args(["supervise", "--referee", &pid, "--sandbox", &policy, "--"])
        .arg(referee)
        .args(["probe", "--referee", &pid, "--port", &port.to_string(), "--socket", &socket])
        .args(["--sandbox", &policy])
        // In one word: an argument that names a file counts as the bot's own script, which it may read.
        .arg(format!("--secret={}", secret.display()))
        .stdin(Stdio::null())
        .output()?;
    Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn abstract_name() -> String {
    format!("battleship-test-{}", std::process::id())
}
