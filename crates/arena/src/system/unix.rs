//! The services of a Unix that the referee needs.

use std::fs::{self, File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bothost::Interrupt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::termios::tcgetwinsize;

pub use super::slashes::*;
pub use super::stack::make_room_on_stack;

/// Returns the name of this machine.
#[must_use]
pub fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Returns whether standard output is a terminal that understands escapes.
#[must_use]
pub fn takes_escapes(out: &io::Stdout) -> bool {
    out.is_terminal() && !super::is_dumb()
}

/// Returns the columns and rows of the terminal that `out` is; `None` if it is none. A
/// terminal that does not know its size says 0.
#[must_use]
pub fn terminal_size(out: &impl AsFd) -> Option<(u16, u16)> {
    tcgetwinsize(out)
        .ok()
        .map(|size| (size.ws_col, size.ws_row))
}

// ---- Command lines

/// Returns whether a command's first word names a file, and is not looked up on the PATH: by its
/// slash.
#[must_use]
pub fn names_a_file(word: &str) -> bool {
    word.contains('/')
}

// ---- Files

/// Has a file be opened without waiting: a pipe that has taken its place would wait for its other
/// end.
pub fn without_waiting(options: &mut OpenOptions) {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

/// Has a file be made that only this user can read.
pub fn for_owner_alone(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// Returns the permissions of a folder that only this user can use.
#[allow(clippy::unnecessary_wraps, reason = "on Windows there are none")]
#[must_use]
pub fn folder_for_owner_alone() -> Option<Permissions> {
    Some(Permissions::from_mode(0o700))
}

/// Lets only the owner list a folder; others can still open what they know the name of, as a web
/// server of another user.
///
/// # Errors
/// If it is not the user's.
pub fn keep_unlisted(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o711))
}

/// Lets only its owner use a file or a folder.
///
/// # Errors
/// If it is not the user's.
pub fn keep_to_owner(path: &Path) -> io::Result<()> {
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Returns whether anyone may execute a file.
#[must_use]
pub fn is_executable(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

/// Locks a file until it is closed, against others that lock it; waits for them.
///
/// # Errors
/// If it cannot be locked.
pub fn lock(file: &File) -> io::Result<()> {
    file.lock().map_err(without_lock_service)
}

/// NFS without a lock service and some other file systems answer ENOLCK where others say that they
/// have no locks.
fn without_lock_service(error: io::Error) -> io::Error {
    if Errno::from_io_error(&error) == Some(Errno::NOLCK) {
        io::ErrorKind::Unsupported.into()
    } else {
        error
    }
}

fn of_lock(error: TryLockError) -> TryLockError {
    match error {
        TryLockError::Error(error) => TryLockError::Error(without_lock_service(error)),
        TryLockError::WouldBlock => TryLockError::WouldBlock,
    }
}

/// As [`lock`], without waiting.
///
/// # Errors
/// If another process has locked it, or if it cannot be locked.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock().map_err(of_lock)
}

/// As [`try_lock`], but several can have this lock.
///
/// # Errors
/// If another process has locked it alone, or if it cannot be locked.
pub fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
    file.try_lock_shared().map_err(of_lock)
}

/// Returns whether `file` is the one at `path`.
#[must_use]
pub fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let opened = file.metadata().map(place).ok();
    let there = path.metadata().map(place).ok();
    opened == there
}

/// Returns whether standard input, output or error of this process leads to the file at `path`.
#[must_use]
pub fn is_standard_stream(path: &Path) -> bool {
    let there = fs::metadata(path).ok().filter(Metadata::is_file);
    there.is_some()
        && [
            io::stdin().as_fd(),
            io::stdout().as_fd(),
            io::stderr().as_fd(),
        ]
        .into_iter()
        .any(|stream| {
            let stream = stream.try_clone_to_owned().map(File::from);
            stream.is_ok_and(|stream| is_at(&stream, path))
        })
}

/// Returns whether both paths lead to one file.
#[must_use]
pub fn are_links_to_one(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().filter(Metadata::is_file);
    identity(one)
        .zip(identity(other))
        .is_some_and(|(one, other)| (one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Returns the kind of something that is neither a file nor a folder, in words; `None` if it is
/// unknown.
#[must_use]
pub fn special_kind(there: &Metadata) -> Option<&'static str> {
    let kind = there.file_type();
    if kind.is_fifo() {
        Some("a named pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        None
    }
}

// ---- Processes

/// Has a program be started out of reach of the terminal's Ctrl-C.
pub fn out_of_reach_of_ctrl_c(command: &mut Command) {
    command.process_group(0);
}

/// Programs that open a file in the browser of the user, with the words before the file.
pub const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else {
    &[&["xdg-open"], &["wslview"], &["gio", "open"]]
};

/// The time in which an opener that fails has ended.
const OPENING: Duration = Duration::from_secs(1);

/// Starts `opener`, such as one of [`OPENERS`], on `path`, an absolute one, and returns whether it
/// succeeded, or still runs after a second: it may be the browser itself. `%s` in a word is the
/// path, else that is the last word.
#[must_use]
pub fn opens(opener: &[&str], path: &Path) -> bool {
    let mut command = Command::new(opener[0]);
    let shown = path.to_string_lossy();
    command.args(opener[1..].iter().map(|word| word.replace("%s", &shown)));
    if !opener[1..].iter().any(|word| word.contains("%s")) {
        command.arg(path);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    let began = Instant::now();
    while began.elapsed() < OPENING {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Err(_) => return false,
        }
    }
    true
}

// ---- Keyboard

/// Reads a byte from standard input and not through std's buffer, which would take all that is
/// there. Returns `None` at the end of the input.
///
/// # Errors
/// If reading fails; [`io::ErrorKind::Interrupted`] if `interrupt` is noted meanwhile.
pub fn typed_byte(interrupt: &Interrupt) -> io::Result<Option<u8>> {
    let stdin = io::stdin();
    let stdin = stdin.as_fd();
    let mut byte = [0];
    loop {
        let mut watched = [
            PollFd::new(interrupt, PollFlags::IN),
            PollFd::new(&stdin, PollFlags::IN),
        ];
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        if interrupt.is_noted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match rustix::io::read(stdin, &mut byte) {
            Ok(count) => return Ok((count > 0).then_some(byte[0])),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
