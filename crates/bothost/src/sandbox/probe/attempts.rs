//! The attempts of a confined process.

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::XattrFlags;
use rustix::process::{Pid, getpid, test_kill_process};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::policy::{Sandbox, Walls};
use crate::sandbox::world::HOME;

/// The last line of a report, after which the process computes.
pub(super) const COMPUTES: &str = "computes";

/// The number of threads that compute, and the time that they do if nothing ends them.
const SPINNERS: usize = 4;
const AT_MOST: Duration = Duration::from_secs(10);

/// The targets of an attacking process.
#[derive(Clone, Debug)]
pub struct Attempts {
    /// The process that it tries to reach, by the number of one of its threads.
    pub referee: i32,
    /// A file that it should not be able to read or write. Beside it is a socket, `stream`, and another, `datagram`.
    pub secret: PathBuf,
    /// A port of this machine that answers to TCP and UDP.
    pub port: u16,
    /// The abstract name of a local socket.
    pub socket: String,
    /// The limits that it tries to exceed.
    pub limits: Sandbox,
    /// Whether the kernel counts all the memory that it takes.
    pub memory_is_counted: bool,
}

/// System calls that nothing in a sandbox gets done, tried with zeros for arguments: the answer to an allowed one would
/// be about those.
const CALLS: [(&str, i64); 14] = [
    ("trace", libc::SYS_ptrace),
    ("make a namespace", libc::SYS_unshare),
    ("enter a namespace", libc::SYS_setns),
    ("mount", libc::SYS_mount),
    ("use the new calls that mount", libc::SYS_fsopen),
    ("use keyrings", libc::SYS_keyctl),
    ("use io_uring", libc::SYS_io_uring_setup),
    ("load programs into the kernel", libc::SYS_bpf),
    ("watch events of the processor", libc::SYS_perf_event_open),
    ("take descriptors of others", libc::SYS_pidfd_getfd),
    ("share System V memory", libc::SYS_shmget),
    ("send System V messages", libc::SYS_msgget),
    ("share System V semaphores", libc::SYS_semget),
    ("open files by handles", libc::SYS_open_by_handle_at),
];

/// Attacks, and prints on standard output which attempts were refused and which were possible. After that it computes
/// until it is killed.
///
/// # Errors
/// If it cannot say so.
pub fn attempt(attempts: &Attempts) -> io::Result<()> {
    let Attempts {
        referee,
        secret,
        port,
        socket,
        limits,
        memory_is_counted,
    } = attempts;
    let beside = |name: &str| secret.with_file_name(name);
    let files = [
        ("read a file outside", fs::read(secret).is_err()),
        (
            "write a file outside",
            OpenOptions::new().append(true).open(secret).is_err(),
        ),
        (
            "make a file outside",
            File::create(secret.with_extension("made")).is_err(),
        ),
        (
            "change the mode of a file outside",
            !changes_mode_of(secret),
        ),
        (
            "change the times of a file outside",
            !changes_times_of(secret),
        ),
        (
            "change the attributes of a file outside",
            !changes_attributes_of(secret),
        ),
        ("be told who uses a folder", !watches_a_folder()),
        ("lock a file for others", !locks_for_others()),
        (
            "read the system's passwords",
            fs::read("/etc/shadow").is_err(),
        ),
        ("open the terminal", File::open("/dev/tty").is_err()),
        ("write a huge file", !writes_more_than(limits.file_size)),
        ("open many files", !opens_more_than(limits.descriptors)),
        ("take much memory", !takes_more_than(limits.memory)),
    ];
    let processes = [
        ("signal the referee", !signals(*referee)),
        (
            "read the referee's memory",
            File::open(format!("/proc/{referee}/mem")).is_err(),
        ),
        (
            "read its environment",
            !reads_something(&format!("/proc/{referee}/environ")),
        ),
        (
            "open its descriptors",
            File::open(format!("/proc/{referee}/fd/0")).is_err(),
        ),
        (
            "change the weight of sessions",
            !writes(&format!("/proc/{referee}/autogroup"), "19"),
        ),
        (
            "be the last to be ended when memory runs out",
            !writes("/proc/self/oom_score_adj", "0"),
        ),
        ("choose its cores", !chooses_its_cores()),
    ];
    let connections = [
        (
            "connect by TCP",
            TcpStream::connect(("127.0.0.1", *port)).is_err(),
        ),
        ("send by UDP", !sends_by_udp(*port)),
        ("connect to an abstract socket", !connects_to(socket)),
        (
            "connect to a socket that is a file",
            UnixStream::connect(beside("stream")).is_err(),
        ),
        (
            "send to a socket that is a file",
            !sends_to(&beside("datagram")),
        ),
    ];
    let calls = CALLS.map(|(name, number)| (name, is_refused(number)));
    // Without effect is as good as refused; whether it has one is seen outside.
    renices_everything();
    let hidden_memory = (
        "hide memory in files without a name",
        *memory_is_counted || !makes_file_without_name(),
    );
    let given = given_to_all(limits);
    let hides = |folder: &str| has_nothing_but(Path::new(folder), &given);
    let by_walls = match limits.walls {
        // Only a process namespace of its own hides the referee. Landlock leaves the list of processes readable.
        Walls::World => [
            ("see the referee", !is_there(*referee)),
            ("see more than a few processes", number_of_processes() <= 3),
            ("find the user's home", hides("/root") && hides("/home")),
            ("find the sockets of services", hides("/run")),
        ]
        .to_vec(),
        // In a world it is a folder of its own.
        Walls::Rules => {
            vec![(
                "make a file in /dev/shm",
                File::create("/dev/shm/battleship-probe").is_err(),
            )]
        }
    };
    let mut out = io::stdout().lock();
    let all = files
        .into_iter()
        .chain(processes)
        .chain(connections)
        .chain(calls);
    for (name, refused) in all.chain([hidden_memory]).chain(by_walls) {
        writeln!(
            out,
            "{} {name}",
            if refused { "refused" } else { "possible" }
        )?;
    }
    writeln!(out, "{COMPUTES}")?;
    out.flush()?;
    drop(out);
    // It is stopped, and then killed, from outside.
    let until = Instant::now() + AT_MOST;
    std::thread::scope(|scope| {
        for _ in 0..SPINNERS {
            let _ =
                std::thread::Builder::new().spawn_scoped(scope, || while Instant::now() < until {});
        }
    });
    Ok(())
}

fn changes_mode_of(file: &Path) -> bool {
    fs::set_permissions(file, Permissions::from_mode(0o666)).is_ok()
}

fn changes_times_of(file: &Path) -> bool {
    let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
    let by_name = rustix::fs::utimensat(
        rustix::fs::CWD,
        file,
        &rustix::fs::Timestamps {
            last_access: rustix::fs::Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
            last_modification: rustix::fs::Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
        },
        rustix::fs::AtFlags::empty(),
    );
    by_name.is_ok()
        || File::open(file)
            .and_then(|file| file.set_times(times))
            .is_ok()
}

fn changes_attributes_of(file: &Path) -> bool {
    rustix::fs::setxattr(file, "user.battleship", b"x", XattrFlags::empty()).is_ok()
}

/// Any use of a file in the folder (`linux/fcntl.h`).
const DN_ACCESS: i32 = 1;

fn watches_a_folder() -> bool {
    let Ok(folder) = File::open("/usr") else {
        return false;
    };
    #[allow(unsafe_code, reason = "no library has this command")]
    // SAFETY: the descriptor is open, and the command takes a number.
    let result = unsafe { libc::fcntl(folder.as_raw_fd(), libc::F_NOTIFY, DN_ACCESS) };
    result == 0
}

/// Locks the program that runs, which every world shows to a player of its kind, and looks whether it is locked.
fn locks_for_others() -> bool {
    let open = || std::env::current_exe().and_then(File::open);
    let (Ok(one), Ok(other)) = (open(), open()) else {
        return false;
    };
    one.lock().is_ok() && other.try_lock().is_err()
}

fn writes(file: &str, content: &str) -> bool {
    fs::write(file, content).is_ok()
}

/// Tries for one core, and for all of them: one of these is not what it has.
fn chooses_its_cores() -> bool {
    let Ok(before) = sched_getaffinity(None) else {
        return true;
    };
    let (mut one, mut all) = (CpuSet::new(), CpuSet::new());
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    if let Some(core) = (0..CpuSet::MAX_CPU).find(|core| before.is_set(*core)) {
        one.set(core);
    }
    [one, all].iter().any(|set| {
        let _ = sched_setaffinity(Some(getpid()), set);
        sched_getaffinity(None).is_ok_and(|after| after != before)
    })
}

/// Tries to make everything of the user give way to others.
fn renices_everything() {
    let _ = rustix::process::setpriority_user(rustix::process::Uid::ROOT, 19);
    let _ = rustix::process::setpriority_user(rustix::process::geteuid(), 19);
}

fn sends_to(socket: &Path) -> bool {
    UnixDatagram::unbound()
        .and_then(|unbound| unbound.send_to(b"x", socket))
        .is_ok()
}

fn makes_file_without_name() -> bool {
    rustix::fs::memfd_create("battleship", rustix::fs::MemfdFlags::CLOEXEC).is_ok()
}

fn number_of_processes() -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_process = |name: &std::ffi::OsStr| {
        name.to_str()
            .is_some_and(|name| name.parse::<u32>().is_ok())
    };
    entries
        .filter(|entry| is_process(&entry.file_name()))
        .count()
}

/// Returns what every process in a world is given: its home, this program, and what the user allows. All of it may be in
/// the user's home.
fn given_to_all(limits: &Sandbox) -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let named = [PathBuf::from(HOME)]
        .into_iter()
        .chain(program)
        .chain(limits.allow.iter().cloned());
    named
        .flat_map(|path| [path.canonicalize().ok(), Some(path)])
        .flatten()
        .collect()
}

/// Returns whether nothing can be seen in `folder` but what is `given`, and the way there.
fn has_nothing_but(folder: &Path, given: &[PathBuf]) -> bool {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .all(|path| {
            let is_given = given.iter().any(|given| path.starts_with(given));
            let is_on_the_way = given.iter().any(|given| given.starts_with(&path));
            // A link leads to something given, or nowhere.
            is_given || path.is_symlink() || is_on_the_way && has_nothing_but(&path, given)
        })
}

/// Makes the system call `number` with zeros. Returns whether it is refused, whatever it was about.
#[allow(
    unsafe_code,
    reason = "no library has names for calls that are of no use"
)]
fn is_refused(number: i64) -> bool {
    // SAFETY: with null pointers and zeros for lengths and descriptors, none of the calls in the list touches memory of
    // this process; what one could make (a System V object, a namespace) is this process's own matter.
    let result = unsafe { libc::syscall(number, 0, 0, 0, 0, 0, 0) };
    let error = io::Error::last_os_error().raw_os_error();
    result == -1 && matches!(error, Some(libc::EPERM | libc::ENOSYS))
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
    let Ok(file) = File::create("huge") else {
        return false;
    };
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
    let Ok(size) = usize::try_from(size) else {
        return true;
    };
    Vec::<u8>::new().try_reserve_exact(size).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_given_files_may_be_seen() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let referee = home.join("ada/bin/referee");
        fs::create_dir_all(referee.parent().unwrap()).unwrap();
        File::create(&referee).unwrap();
        let sees_no_more = |given: &[&Path]| {
            let given: Vec<_> = given.iter().map(|path| path.to_path_buf()).collect();
            has_nothing_but(&home, &given)
        };
        assert!(!sees_no_more(&[]));
        assert!(sees_no_more(&[&referee]));
        assert!(sees_no_more(&[&home.join("ada/bin")]));
        std::os::unix::fs::symlink("ada/bin", home.join("link")).unwrap();
        assert!(sees_no_more(&[&referee]));
        fs::write(home.join("ada/letter"), "").unwrap();
        assert!(!sees_no_more(&[&referee]));
        assert!(sees_no_more(&[&referee, &home.join("ada/letter")]));
        fs::create_dir(home.join("bob")).unwrap();
        assert!(!sees_no_more(&[&referee, &home.join("ada/letter")]));
    }
}
