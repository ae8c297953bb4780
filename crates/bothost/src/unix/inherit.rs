//! Descriptors that one program inherits, and no other.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use rustix::io::{FdFlags, fcntl_setfd};

/// Held while a program is started: one that another lane starts in the moment in which descriptors are inheritable
/// would inherit them too.
static STARTING: Mutex<()> = Mutex::new(());

/// Has `start` start a program that inherits these descriptors. No other program inherits them, before or after.
///
/// # Errors
/// Those of `start`.
pub(crate) fn inherited_by<T>(
    descriptors: &[BorrowedFd<'_>],
    start: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    // A poisoned lock guards nothing that could be broken.
    let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = |flags| {
        descriptors
            .iter()
            .try_for_each(|end| fcntl_setfd(end, flags))
    };
    mark(FdFlags::empty())?;
    let started = start();
    mark(FdFlags::CLOEXEC)?;
    started
}

/// The handle that a program can inherit.
pub(crate) type Inherited = OwnedFd;

/// The same, while it is lent.
pub(crate) type Lent<'d> = BorrowedFd<'d>;

/// Returns what is lent to a program that inherits it.
pub(crate) fn lend(inherited: &Inherited) -> Lent<'_> {
    inherited.as_fd()
}

/// Returns copies of this process's standard input, and of its output or, if the output is for data, its standard error.
/// Copies, since a program could not tell the referee's own streams from its own, which have the same numbers.
pub(crate) fn own_streams(output_is_for_data: bool) -> io::Result<[Inherited; 2]> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = if output_is_for_data {
        io::stderr().as_fd().try_clone_to_owned()?
    } else {
        io::stdout().as_fd().try_clone_to_owned()?
    };
    Ok([input, output])
}

/// Returns the number under which the program inherits it.
pub(crate) fn number_of(inherited: &Inherited) -> u64 {
    inherited.as_raw_fd().unsigned_abs().into()
}

/// Returns whether this process has no other use for this number.
pub(crate) fn may_be_inherited(number: u64) -> bool {
    // The standard streams have owners.
    number > 2 && i32::try_from(number).is_ok()
}

/// Returns what this process has inherited under this number; `None` if it has nothing there. Call it once a number.
pub(crate) fn adopt(number: u64) -> Option<File> {
    let number = i32::try_from(number).ok()?;
    #[allow(
        unsafe_code,
        reason = "std has no safe name for a descriptor that was inherited"
    )]
    // SAFETY: it is open, as the first call has just seen, and nothing else in this process knows its number: the
    // parent opened it for this purpose, and this function is called once a number.
    unsafe {
        let is_open = fcntl_setfd(BorrowedFd::borrow_raw(number), FdFlags::CLOEXEC).is_ok();
        is_open.then(|| File::from_raw_fd(number))
    }
}

/// Has the program that this process starts inherit what this process has inherited under this number.
#[cfg(target_os = "linux")]
pub(crate) fn pass_on(number: u64) {
    let Ok(number) = i32::try_from(number) else {
        return;
    };
    #[allow(
        unsafe_code,
        reason = "std has no safe name for a descriptor that was inherited"
    )]
    // SAFETY: it is borrowed for one call, which fails if the descriptor is not open, and the only thread of this
    // process closes none meanwhile.
    let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
    let _ = fcntl_setfd(descriptor, FdFlags::empty());
}
