//! The processor time of this process.

use std::time::Duration;

/// Returns the processor time of this process so far; `None` if the system does not tell.
#[cfg(unix)]
pub(crate) fn time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

/// Returns the processor time of this process so far; `None` if the system does not tell.
#[cfg(windows)]
pub(crate) fn time() -> Option<Duration> {
    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};
    const ZERO: FILETIME = FILETIME {
        dwLowDateTime: 0,
        dwHighDateTime: 0,
    };
    let [mut created, mut ended, mut kernel, mut user] = [ZERO; 4];
    #[allow(unsafe_code, reason = "std has no processor times")]
    // SAFETY: the handle is that of this process, and each pointer is to a value that lives.
    let is_known = unsafe {
        GetProcessTimes(
            GetCurrentProcess(),
            &raw mut created,
            &raw mut ended,
            &raw mut kernel,
            &raw mut user,
        )
    };
    // In units of 100 ns.
    let nanoseconds = |time: FILETIME| {
        ((u64::from(time.dwHighDateTime) << 32) | u64::from(time.dwLowDateTime)) * 100
    };
    (is_known != 0).then(|| Duration::from_nanos(nanoseconds(kernel) + nanoseconds(user)))
}

/// Returns the processor time of this process so far; `None` if the system does not tell.
#[cfg(not(any(unix, windows)))]
pub(crate) fn time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(any(unix, windows))]
    #[test]
    fn processor_time_grows_by_computing() {
        let before = time().unwrap();
        let mut sum = 0_u64;
        while time().unwrap() < before + Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
