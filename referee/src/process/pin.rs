//! A lane belongs on one core: its processes take turns, and waking one on another core costs ten times what a
//! whole round trip on the same core does.

/// Binds the calling thread, and all that it starts from now on, to the core it runs on. Returns whether it
/// is bound to a single core now.
#[cfg(target_os = "linux")]
#[must_use]
pub fn to_this_core() -> bool {
    use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
    let core = sched_getcpu();
    if core >= CpuSet::MAX_CPU {
        return false;
    }
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set).is_ok()
}

/// This operating system has no such thing.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn to_this_core() -> bool {
    false
}
