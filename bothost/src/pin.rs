//! A lane belongs on one core: its processes take turns, and waking one on another core costs ten times what a
//! whole round trip on the same core does.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The cores that the calling thread may run on; none where the operating system does not say.
#[cfg(target_os = "linux")]
#[must_use]
pub fn cores() -> Vec<usize> {
    let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect()
}

/// Binds the calling thread, and all that it starts from now on, to `core`. Returns whether it is bound.
#[cfg(target_os = "linux")]
#[must_use]
pub fn to_core(core: usize) -> bool {
    let mut set = CpuSet::new();
    if core < CpuSet::MAX_CPU {
        set.set(core);
    }
    // An empty set is refused.
    sched_setaffinity(None, &set).is_ok()
}

/// Binds the calling thread, and all that it starts from now on, to the core it runs on. Returns whether it is
/// bound.
#[cfg(target_os = "linux")]
#[must_use]
pub fn to_this_core() -> bool {
    to_core(sched_getcpu())
}

/// This operating system does not say.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// This operating system has no such thing.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn to_core(_core: usize) -> bool {
    false
}

/// This operating system has no such thing.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn to_this_core() -> bool {
    false
}
