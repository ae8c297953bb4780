//! Running a command and measuring its memory.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The resources of a run.
pub(crate) struct Took {
    pub(crate) wall: Duration,
    /// Its processor time.
    pub(crate) cpu: Duration,
    /// The most memory that the process had at a time, in KiB.
    pub(crate) memory: i64,
}

/// The commands, each with its name; `@` is the record and `%` a file that is removed.
pub(crate) const COMMANDS: [(&str, &[&str]); 4] = [
    ("rank", &["rank", "@"]),
    ("report", &["report", "@", "--out", "%", "--force"]),
    ("report --markdown", &["report", "@", "--markdown"]),
    ("merge", &["merge", "@", "--out", "%", "--force"]),
];

/// Runs the referee on `record`.
pub(crate) fn run(record: &Path, words: &[&str]) -> io::Result<Took> {
    let made = record.with_extension("made.zst");
    let referee = std::env::var_os("REFEREE");
    let mut command = Command::new(referee.unwrap_or_else(|| env!("CARGO_BIN_EXE_referee").into()));
    for word in words {
        match *word {
            "@" => command.arg(record),
            "%" => command.arg(&made),
            word => command.arg(word),
        };
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let began = Instant::now();
    let child = command.spawn()?;
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the child of this process has not been waited for, so the number is its own; both pointers are to room for what
    // the kernel writes.
    let waited = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
    let wall = began.elapsed();
    if waited != pid {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, and so has written it.
    let usage = unsafe { usage.assume_init() };
    assert!(
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
        "{command:?}: {status}"
    );
    let _ = std::fs::remove_file(made);
    let time = |time: libc::timeval| {
        let micros = 1_000_000 * time.tv_sec + time.tv_usec;
        Duration::from_micros(micros.unsigned_abs())
    };
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    Ok(Took {
        wall,
        cpu,
        memory: usage.ru_maxrss,
    })
}
