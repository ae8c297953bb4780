//! Handles that one program inherits, and no other.

use std::fs::File;
use std::io;
use std::os::windows::io::{
    AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle, RawHandle,
};
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::Foundation::{
    GetHandleInformation, HANDLE_FLAG_INHERIT, SetHandleInformation,
};

/// Held while a program is started: one that another lane starts in the moment in which handles are inheritable would
/// inherit them too.
static STARTING: Mutex<()> = Mutex::new(());

/// The handle that a program can inherit.
pub(crate) type Inherited = OwnedHandle;

/// The same, while it is lent.
pub(crate) type Lent<'h> = BorrowedHandle<'h>;

/// Has `start` start a program that inherits these handles. No other program inherits them, before or after.
///
/// # Errors
/// Those of `start`.
pub(crate) fn inherited_by<T>(
    handles: &[Lent<'_>],
    start: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    // A poisoned lock guards nothing that could be broken.
    let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = |flag| {
        handles
            .iter()
            .try_for_each(|handle| set_inheritable(*handle, flag))
    };
    mark(HANDLE_FLAG_INHERIT)?;
    let started = start();
    mark(0)?;
    started
}

#[allow(unsafe_code, reason = "std has no call for it")]
fn set_inheritable(handle: Lent<'_>, flag: u32) -> io::Result<()> {
    // SAFETY: the handle is open while it is borrowed, and only its flag changes.
    let set =
        unsafe { SetHandleInformation(handle.as_raw_handle().cast(), HANDLE_FLAG_INHERIT, flag) };
    if set == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Returns what is lent to a program that inherits it.
pub(crate) fn lend(inherited: &Inherited) -> Lent<'_> {
    inherited.as_handle()
}

/// Returns copies of this process's standard input, and of its output or, if the output is for data, its standard error.
pub(crate) fn own_streams(output_is_for_data: bool) -> io::Result<[Inherited; 2]> {
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = if output_is_for_data {
        io::stderr().as_handle().try_clone_to_owned()?
    } else {
        io::stdout().as_handle().try_clone_to_owned()?
    };
    Ok([input, output])
}

/// Returns the number under which the program inherits it.
pub(crate) fn number_of(inherited: &Inherited) -> u64 {
    inherited.as_raw_handle().addr() as u64
}

/// Returns whether this process has no other use for this number.
pub(crate) fn may_be_inherited(number: u64) -> bool {
    number != 0 && u32::try_from(number).is_ok()
}

/// Returns what this process has inherited under this number; `None` if it has nothing there. Call it once a number.
#[allow(
    unsafe_code,
    reason = "std has no safe name for a handle that was inherited"
)]
pub(crate) fn adopt(number: u64) -> Option<File> {
    let handle: RawHandle = std::ptr::with_exposed_provenance_mut(usize::try_from(number).ok()?);
    let mut flags = 0;
    // SAFETY: the first call fails for a number that is not a handle. Nothing else in this process knows the number: the
    // parent opened it for this purpose, and this function is called once a number.
    unsafe {
        let is_open = GetHandleInformation(handle.cast(), &raw mut flags) != 0;
        is_open.then(|| File::from_raw_handle(handle))
    }
}
