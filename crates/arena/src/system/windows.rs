//! The services of Windows that the referee needs.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, IsTerminal, Read};
use std::os::windows::io::AsHandle;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use bothost::Interrupt;
use file_guard::{FileGuard, Lock};
use same_file::Handle;

pub use super::quotation::{quoted_word, split_words};

/// The character that ends the input of a console.
const CTRL_Z: u8 = 0x1a;

/// A thread that waits for Ctrl-C has noted it within this time.
const NOTED_WITHIN: Duration = Duration::from_millis(100);

/// A process group of its own: see `CREATE_NEW_PROCESS_GROUP` in Microsoft's documentation.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Not in the job of this process: see the same name there.
const CREATE_BREAKAWAY_FROM_JOB: u32 = 0x0100_0000;

/// Returns the name of this machine.
#[must_use]
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Returns whether standard output is a terminal that understands escapes. Asking turns that on.
#[must_use]
pub fn takes_escapes(out: &io::Stdout) -> bool {
    out.is_terminal() && crossterm::ansi_support::supports_ansi()
}

/// Returns the columns and rows of the terminal that is standard output; `None` if it is none.
#[must_use]
pub fn terminal_size(_out: &impl io::IsTerminal) -> Option<(u16, u16)> {
    crossterm::terminal::size().ok()
}

// ---- Command lines

/// Returns whether a command's first word may name a file: what is in the folder comes before the
/// PATH here.
#[must_use]
pub fn names_a_file(_word: &str) -> bool {
    true
}

/// Returns whether a word has more than one part of a path.
#[must_use]
pub fn is_path(word: &str) -> bool {
    word.contains(['/', '\\'])
}

/// The separator of the folders of a class path.
pub const BETWEEN_FOLDERS: char = ';';

/// Returns a path as every system can name it, with slashes.
#[must_use]
pub fn with_slashes(path: &str) -> String {
    path.replace('\\', "/")
}

// ---- Files

/// Nothing that a path of a file names here is waited for.
pub fn without_waiting(_options: &mut OpenOptions) {}

/// Files in a user's own folders are for this user alone already.
pub fn for_owner_alone(_options: &mut OpenOptions) {}

/// Returns the permissions of a folder that only this user can use: those of the folder that it is
/// in, which is the user's.
#[must_use]
pub fn folder_for_owner_alone() -> Option<std::fs::Permissions> {
    None
}

/// Folders in a user's own are not listed for others already.
///
/// # Errors
/// Never on this system.
pub fn keep_unlisted(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// The folders of a user are private there.
///
/// # Errors
/// Never on this system.
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
pub fn keep_to_owner(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns whether anyone may execute a file: which ones are programs is told by their names here.
#[must_use]
pub fn is_executable(_metadata: &Metadata) -> bool {
    true
}

/// The byte whose lock stands for the file's, behind all that a record can have. Others cannot read
/// what is locked here, and those who follow a contest read its record.
const LOCKED_BYTE: usize = 1 << 62;

/// Locks a file until it is closed, against others that lock it; waits for them.
///
/// # Errors
/// If it cannot be locked.
pub fn lock(file: &File) -> io::Result<()> {
    keep(file_guard::lock(file, Lock::Exclusive, LOCKED_BYTE, 1)?);
    Ok(())
}

/// As [`lock`], without waiting.
///
/// # Errors
/// If another process has locked it, or if it cannot be locked.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    claim(file, Lock::Exclusive)
}

/// As [`try_lock`], but several can have this lock.
///
/// # Errors
/// If another process has locked it alone, or if it cannot be locked.
pub fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
    claim(file, Lock::Shared)
}

fn claim(file: &File, kind: Lock) -> Result<(), TryLockError> {
    match file_guard::try_lock(file, kind, LOCKED_BYTE, 1) {
        Ok(guard) => {
            keep(guard);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(TryLockError::WouldBlock),
        Err(error) => Err(TryLockError::Error(error)),
    }
}

/// The lock ends with the file and not with this guard.
#[allow(
    clippy::mem_forget,
    reason = "the guard holds nothing but a reference to the file"
)]
fn keep(guard: FileGuard<&File>) {
    std::mem::forget(guard);
}

/// Returns whether `file` is the one at `path`.
pub fn is_at(file: &File, path: &Path) -> bool {
    let opened = file.try_clone().and_then(Handle::from_file);
    opened.is_ok_and(|opened| Handle::from_path(path).is_ok_and(|there| opened == there))
}

/// Returns whether standard input, output or error of this process leads to the file at `path`.
#[must_use]
pub fn is_standard_stream(path: &Path) -> bool {
    let streams = [Handle::stdin(), Handle::stdout(), Handle::stderr()];
    path.is_file()
        && Handle::from_path(path)
            .is_ok_and(|there| streams.into_iter().flatten().any(|stream| stream == there))
}

/// Returns whether both paths lead to one file.
#[must_use]
pub fn are_links_to_one(one: &Path, other: &Path) -> bool {
    one.is_file() && same_file::is_same_file(one, other).unwrap_or(false)
}

/// Returns the kind of something that is neither a file nor a folder, which is unknown.
#[must_use]
pub fn special_kind(_there: &Metadata) -> Option<&'static str> {
    None
}

// ---- Processes

/// Has a program be started out of reach of Ctrl-C.
pub fn out_of_reach_of_ctrl_c(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Programs that open a file in the browser of the user, with the words before the file.
pub const OPENERS: &[&[&str]] = &[&["explorer"]];

/// Has the system's file manager open `path`, an absolute one, and returns whether that could be
/// started. A browser that is its child continues.
#[must_use]
pub fn opens(_opener: &[&str], path: &Path) -> bool {
    // Not by the command interpreter, to which `&` and `%` in a path mean something.
    let mut command = Command::new(file_manager());
    // In quotation marks, which no path has: a comma would end it otherwise.
    let mut quoted = OsString::from("\"");
    quoted.push(path);
    quoted.push("\"");
    command.raw_arg(quoted);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Out of the job that ends with the referee. Not every job of the programs that run the referee
    // lets it.
    let left = command.creation_flags(CREATE_BREAKAWAY_FROM_JOB).status();
    // Its exit code says nothing: it is 1 when all is well.
    left.or_else(|_| command.creation_flags(0).status()).is_ok()
}

/// By its path, since a program of this name may lie where the referee does.
fn file_manager() -> PathBuf {
    let windows = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    Path::new(&windows).join("explorer.exe")
}

/// The stack is as large as the program says, and as std makes it.
///
/// # Errors
/// If there is no thread for it.
pub fn make_room_on_stack() -> io::Result<()> {
    Ok(())
}

// ---- Keyboard

/// Reads a byte from standard input and not through std's buffer, which would take all that is
/// there. Returns `None` at the end of the input.
///
/// # Errors
/// If reading fails; [`io::ErrorKind::Interrupted`] if `interrupt` is noted meanwhile.
pub fn typed_byte(interrupt: &Interrupt) -> io::Result<Option<u8>> {
    let mut stdin = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let mut byte = [0];
    let count = stdin.read(&mut byte)?;
    // Ctrl-C ends a read from the console too, a moment before the thread that waits for it has
    // noted it.
    if interrupt.is_noted() || count == 0 && !interrupt.wait(Some(NOTED_WITHIN))? {
        return Err(io::ErrorKind::Interrupted.into());
    }
    // Not every console ends its input there by itself.
    Ok((count > 0 && byte[0] != CTRL_Z).then_some(byte[0]))
}
