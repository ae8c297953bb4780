//! Descriptors that one program inherits, and no other.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::{Mutex, PoisonError};

use rustix::io::{FdFlags, fcntl_setfd};

/// Held while a program is started: one that another lane starts in the moment in which descriptors
/// are inheritable would inherit them too.
static STARTING: Mutex<()> = Mutex::new(());

/// Has `start` start a program that inherits these descriptors. No other program inherits them,
/// before or after.
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
