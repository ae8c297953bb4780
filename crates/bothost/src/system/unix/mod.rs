//! The services that Linux and macOS have in common.

mod group;
mod inherit;
mod limits;
mod script;
mod wakeup;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};

use rustix::fs::{Access, access};

pub(crate) use self::group::Group;
pub(crate) use self::inherit::inherited_by;
pub use self::limits::{hear_all_signals, survive_file_size_limit};
pub(crate) use self::limits::{raise_file_limit, tasks_left};
pub(crate) use self::script::fault_of_script;
use self::script::interpreter_of_script;
pub(crate) use self::wakeup::Wakeup;
use crate::program::BotProgram;

/// The identity of a file: its device, and its number there.
pub(crate) type Identity = (u64, u64);

/// Returns the identity of this file, which no other file shares.
pub(crate) fn identity_of(file: &Metadata) -> Identity {
    (file.dev(), file.ino())
}

/// Lets every user read the file or folder that its user can read.
pub(crate) fn let_others_read(path: &Path) -> io::Result<()> {
    let mut rights = std::fs::metadata(path)?.permissions();
    rights.set_mode(rights.mode() | (rights.mode() & 0o500) >> 6);
    std::fs::set_permissions(path, rights)
}

/// Starts the process of `command`.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    inherited_by(&[], || command.spawn())
}

/// Returns the name of a variable as it is compared with others.
pub(crate) fn variable(name: &OsStr) -> Cow<'_, OsStr> {
    Cow::Borrowed(name)
}

/// Returns whether a process was ended by the system for what it did, or by a signal, and not by
/// itself.
#[must_use]
pub fn is_crash(status: ExitStatus) -> bool {
    // Not by the referee, which had not ended it yet.
    status.code().is_none()
}

/// Returns the command that starts `program`, without its folder and streams.
pub(crate) fn command(program: &BotProgram) -> Command {
    // Systems differ in where they look up a relative path if the folder changes.
    let is_path = Path::new(&program.file).components().count() > 1;
    let file = if is_path {
        program.located(Path::new(&program.file))
    } else {
        PathBuf::from(&program.file)
    };
    let mut command = Command::new(file);
    command.args(&program.arguments);
    command
}

/// Returns the path of the program that the command `file` runs, as the system looks for it; `None`
/// if it is not on the PATH. A path is returned as it is, whether or not there is a file.
#[must_use]
pub fn find_on_path(file: &OsStr) -> Option<PathBuf> {
    let path = Path::new(file);
    if path.components().count() > 1 {
        return Some(path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    let files: Vec<_> = std::env::split_paths(&folders)
        .map(|folder| folder.join(path))
        .filter(|file| file.is_file())
        .collect();
    // A file that may not be executed does not hide a program behind it.
    let program = files
        .iter()
        .find(|file| access(*file, Access::EXEC_OK).is_ok());
    program.or(files.first()).cloned()
}

/// Returns the content of a file of the kernel's.
///
/// # Errors
/// Those of reading the file. Content that is not UTF-8 is no error: the files of a process in
/// `/proc` contain its name, which the process chooses, and paths are bytes.
pub(crate) fn read_kernel_file(file: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(file)?).into_owned())
}

/// Returns the number that follows `name` at the beginning of a line of a file of the kernel's.
pub(crate) fn number_in(file: &Path, name: &str) -> Option<u64> {
    number_in_text(&read_kernel_file(file).ok()?, name)
}

/// Returns the number that follows `name` at the beginning of a line of `content`.
pub(crate) fn number_in_text(content: &str, name: &str) -> Option<u64> {
    let rest = content.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns whether the machine has run out of something that every program needs to start:
/// processes, descriptors or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        errno,
        Some(Errno::AGAIN | Errno::MFILE | Errno::NFILE | Errno::NOMEM)
    )
}

/// Returns the reason why `program` could not be started, with advice.
pub(crate) fn advice(program: &BotProgram, error: &io::Error) -> String {
    use rustix::io::Errno;
    let file = program.file.to_string_lossy();
    let is_path = file.contains('/');
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOENT) if is_path => {
            // The kernel reports ENOENT for a missing interpreter or loader as well, with the file
            // in plain sight.
            if program.located(Path::new(&program.file)).is_file() {
                format!("what {file:?} needs to start, an interpreter or a loader, is not there")
            } else {
                format!("there is no file {file:?}")
            }
        }
        Some(Errno::NOENT) if program.located(Path::new(&program.file)).is_file() => {
            format!("no program {file:?} is on the PATH; to run the file here, write ./{file}")
        }
        Some(Errno::NOENT | Errno::ACCESS)
            if program.located(Path::new(&program.file)).is_dir() =>
        {
            format!("{file:?} is a folder; name the program in it, as in 'python3 {file}/bot.py'")
        }
        Some(Errno::NOENT) => match file.split_once(' ') {
            Some((program, rest)) => format!(
                "no program {file:?} is on the PATH: the quotation marks make it one word; write 'NAME={program}' {rest}"
            ),
            None => format!("no program {file:?} is on the PATH"),
        },
        Some(Errno::ACCESS) => {
            // An archive that was made on Windows has no such permissions.
            let word = in_shell(&file);
            let command = interpreter_of_script(program).map(|name| {
                let command = format!("{name} {word}");
                if word == file {
                    format!("write \"{command}\", or ")
                } else {
                    format!("write {}, or ", in_shell(&command))
                }
            });
            let command = command.unwrap_or_default();
            format!("{file:?} may not be executed; {command}chmod +x {word} makes it executable")
        }
        Some(Errno::NOEXEC) => {
            format!(
                "{file:?} is not a program; a script begins with a line like #!/usr/bin/env python3"
            )
        }
        _ => format!("{file:?} could not be started"),
    }
}

/// Returns a word as a shell takes it: a printed command must not run what a name has in it.
pub(super) fn in_shell(word: &str) -> Cow<'_, str> {
    // Only a NUL cannot be quoted, and no name of a file has one.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("FILE"))
}

/// Returns the end of a process, as the end of a sentence that begins with its name.
pub(crate) fn how_it_ended(status: ExitStatus) -> String {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    match (status.code(), signal) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => {
            let words = words_of_signal(signal).map(|words| format!(" ({words})"));
            format!("was ended by signal {signal}{}", words.unwrap_or_default())
        }
        (None, None) => format!("ended ({status})"),
    }
}

/// Returns the name of a signal, its usual cause, and the tool that shows its place; `None` for
/// signals that no program gets by a mistake of its own.
fn words_of_signal(signal: i32) -> Option<&'static str> {
    use signal_hook::consts::{
        SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTERM, SIGTRAP,
        SIGXCPU, SIGXFSZ,
    };
    Some(match signal {
        SIGSEGV => {
            "segmentation fault: an index outside of an array, a bad pointer, or a stack that is too deep; in C and C++, -g -fsanitize=address shows where"
        }
        SIGBUS => {
            "bus error: a bad pointer, or a file that became shorter; in C and C++, -g -fsanitize=address shows where"
        }
        SIGABRT => "abort: a failed assertion, or an exception that nothing catches",
        SIGFPE => {
            "floating point error: an integer divided by 0, usually; in C and C++, -g -fsanitize=undefined shows where"
        }
        SIGILL => {
            "illegal instruction: a program for another processor, or the end of a function without a return"
        }
        SIGTRAP => "trap: a check in the program failed, or a breakpoint",
        SIGKILL => "killed: often because the memory ran out",
        SIGSYS => "bad system call: the sandbox or the system forbids it",
        SIGXCPU => "over its limit of CPU time",
        SIGXFSZ => "over the limit of the size of files",
        SIGTERM => "terminated by another program",
        SIGPIPE => "broken pipe: it wrote to a program that had ended",
        _ => return None,
    })
}
