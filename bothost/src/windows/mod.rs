//! What the rest asks of the operating system, where that is Windows. `unix` has the same for Unix.

mod bell;
mod command;
mod inherit;
mod job;

use std::io;
use std::process::ExitStatus;

pub(crate) use self::bell::Bell;
pub use self::command::find_on_path;
pub(crate) use self::command::{advice, command};
pub(crate) use self::inherit::{
    Inherited, Lent, adopt, inherited_by, lend, may_be_inherited, number_of, own_streams,
};
pub(crate) use self::job::Group;

/// Files have no limit of their size here but that of the disk.
///
/// # Errors
/// None.
pub fn survive_file_size_limit() -> io::Result<()> {
    Ok(())
}

/// A process can have millions of files open here.
pub(crate) fn make_room_for_files(_wanted: u64) -> Option<u64> {
    None
}

/// A user can start any number of processes here.
pub(crate) fn tasks_left() -> Option<u64> {
    None
}

/// Returns whether the machine has run out of something that every program needs to start: handles or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation::{
        ERROR_COMMITMENT_LIMIT, ERROR_NO_SYSTEM_RESOURCES, ERROR_TOO_MANY_OPEN_FILES,
    };
    let code = error.raw_os_error().map(i32::cast_unsigned);
    let short = [ERROR_COMMITMENT_LIMIT, ERROR_NO_SYSTEM_RESOURCES, ERROR_TOO_MANY_OPEN_FILES];
    error.kind() == io::ErrorKind::OutOfMemory || code.is_some_and(|code| short.contains(&code))
}

/// Returns how a process ended, as the end of a sentence that begins with its name.
pub(crate) fn how_it_ended(status: ExitStatus) -> String {
    // A process always has one here. Those of crashes are large: see NTSTATUS in Microsoft's documentation.
    let code = status.code().unwrap_or_default().cast_unsigned();
    let words = match code {
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
        _ if code < 0xC000_0000 => return format!("exited with status {}", code.cast_signed()),
        _ => return format!("crashed with code 0x{code:08X}"),
    };
    format!("crashed with code 0x{code:08X} ({words})")
}
