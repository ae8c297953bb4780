//! Bots on Windows: a job object for each, and pipes that are served by threads.

#![allow(clippy::unnecessary_wraps, reason = "as on Linux, where it can fail")]

mod command;
mod job;
#[path = "../not_unix.rs"]
mod not_unix;
#[path = "../running.rs"]
mod running;
#[path = "../start.rs"]
mod start;
#[path = "../threads.rs"]
mod threads;
#[path = "../unsupervised.rs"]
mod unsupervised;
#[path = "../unsupported.rs"]
mod unsupported;
mod wakeup;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;
pub(crate) use std::os::windows::io::OwnedHandle as Owned;
use std::process::{Child, Command, ExitStatus};

pub use self::command::find_on_path;
pub(crate) use self::command::{advice, command};
pub(crate) use self::job::Group;
pub(crate) use self::not_unix::{
    Identity, fault_of_script, identity_of, let_others_read, raise_file_limit, tasks_left,
};
pub use self::not_unix::{hear_all_signals, survive_file_size_limit};
pub(crate) use self::threads::{Streams, Waiter};
pub(crate) use self::unsupervised::Process;
pub(crate) use self::unsupported::{SUPERVISES, Usage, paths, test_sandbox};
pub use self::unsupported::{check_proc, close_on_exec_from, pin, supervise_if_asked};
pub(crate) use self::wakeup::Wakeup;

/// Starts the process of `command`.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Returns whether the machine has run out of something that every program needs to start: handles
/// or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation::{
        ERROR_COMMITMENT_LIMIT, ERROR_NO_SYSTEM_RESOURCES, ERROR_TOO_MANY_OPEN_FILES,
    };
    let code = error.raw_os_error().map(i32::cast_unsigned);
    let short = [
        ERROR_COMMITMENT_LIMIT,
        ERROR_NO_SYSTEM_RESOURCES,
        ERROR_TOO_MANY_OPEN_FILES,
    ];
    error.kind() == io::ErrorKind::OutOfMemory || code.is_some_and(|code| short.contains(&code))
}

/// Returns the name of a variable as it is compared with others: the case of letters does not
/// count.
pub(crate) fn variable(name: &OsStr) -> Cow<'_, OsStr> {
    Cow::Owned(name.to_ascii_uppercase())
}

/// Returns the exit code of a process; there always is one here.
fn code_of(status: ExitStatus) -> u32 {
    status.code().unwrap_or_default().cast_unsigned()
}

/// Returns whether a process was ended by the system for what it did, and not by itself: by its
/// code, which then is that of an exception. See NTSTATUS in Microsoft's documentation.
#[must_use]
pub fn is_crash(status: ExitStatus) -> bool {
    match code_of(status) {
        BREAKPOINT | EXCEPTION_OF_CPP | EXCEPTION_OF_DOT_NET => true,
        // The severity "error", and not from a customer. Negative exit codes are above.
        code => (0xC000_0000..0xD000_0000).contains(&code),
    }
}

/// The exit code of a failed assertion of a debugger's program.
const BREAKPOINT: u32 = 0x8000_0003;
/// An exception of C++ that nothing caught: `msc` behind a byte that says that it is a customer's
/// code.
const EXCEPTION_OF_CPP: u32 = 0xE06D_7363;
/// The same of .NET: `CCR`.
const EXCEPTION_OF_DOT_NET: u32 = 0xE043_4352;

/// Returns the end of a process, as the end of a sentence that begins with its name.
pub(crate) fn how_it_ended(status: ExitStatus) -> String {
    let code = code_of(status);
    if !is_crash(status) {
        return format!("exited with status {}", code.cast_signed());
    }
    let words = match code {
        BREAKPOINT => "a failed assertion, or a breakpoint",
        0xC000_0005 => {
            "access violation: an index outside of an array, a bad pointer, or a null reference"
        }
        0xC000_001D => "illegal instruction: a program for another processor",
        0xC000_0094 => "an integer divided by 0",
        0xC000_00FD => "stack overflow: a recursion that is too deep",
        0xC000_0135 => "a DLL is missing: it is beside the compiler, and not on the PATH",
        0xC000_013A => "Ctrl-C",
        0xC000_0142 => "a DLL could not be prepared",
        0xC000_0374 => "damaged heap: a write outside of an allocation, or freed twice",
        0xC000_0409 => "abort: a failed assertion, or a buffer that overflowed",
        EXCEPTION_OF_CPP | EXCEPTION_OF_DOT_NET => "an exception that nothing catches",
        _ => return format!("crashed with code 0x{code:08X}"),
    };
    format!("crashed with code 0x{code:08X} ({words})")
}

#[cfg(test)]
mod tests {
    use std::os::windows::process::ExitStatusExt;

    use super::*;

    #[test]
    fn an_exit_is_not_a_crash() {
        for (code, words) in [
            (0, "exited with status 0"),
            (1, "exited with status 1"),
            // exit(-1)
            (u32::MAX, "exited with status -1"),
            (9009, "exited with status 9009"),
            (
                0xC000_0005,
                "crashed with code 0xC0000005 (access violation",
            ),
            (0xC000_0123, "crashed with code 0xC0000123"),
            (0xE06D_7363, "crashed with code 0xE06D7363 (an exception"),
        ] {
            let status = ExitStatus::from_raw(code);
            assert!(
                how_it_ended(status).starts_with(words),
                "{code:X}: {}",
                how_it_ended(status)
            );
            assert_eq!(is_crash(status), words.starts_with("crashed"), "{code:X}");
        }
    }
}
