//! Binding threads to cores. A lane belongs on one core: its processes take turns, and waking one on another core costs
//! some 50 us, ten times a whole round trip on the same core.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// Returns the cores that the calling thread may run on; empty if they are unknown.
#[cfg(target_os = "linux")]
#[must_use]
pub fn cores() -> Vec<usize> {
    // The mask of this process and not the number of the machine's cores: under taskset, Slurm or a container
    // a process may use only some of them, and they need not begin with 0.
    let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU)
        .filter(|core| allowed.is_set(*core))
        .collect()
}

/// Binds the calling thread, and all that it starts from now on, to `core`. Returns whether it is bound.
#[cfg(target_os = "linux")]
#[must_use]
pub fn to_core(core: usize) -> bool {
    let mut set = CpuSet::new();
    if core < CpuSet::MAX_CPU {
        set.set(core);
    }
    // For a core that the set cannot hold it stays empty, which the kernel refuses; so does it a core that this
    // thread may not use (taskset, cgroups).
    sched_setaffinity(None, &set).is_ok()
}

/// Lets the calling thread, and all that it starts from now on, run on every core that its control group allows. Where
/// that is refused nothing changes.
#[cfg(target_os = "linux")]
pub(super) fn to_any_core() {
    let mut set = CpuSet::new();
    for core in 0..CpuSet::MAX_CPU {
        set.set(core);
    }
    // The kernel leaves out what is not there or not allowed.
    let _ = sched_setaffinity(None, &set);
}

/// Binds the calling thread, and all that it starts from now on, to the core it runs on. Returns whether it is
/// bound.
#[cfg(target_os = "linux")]
#[must_use]
pub fn to_this_core() -> bool {
    to_core(sched_getcpu())
}

/// Returns no cores: they are unknown on this operating system.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn cores() -> Vec<usize> {
    Vec::new()
}

/// Returns `false`: this operating system cannot bind threads.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn to_core(_core: usize) -> bool {
    false
}

/// Returns `false`: this operating system cannot bind threads.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn to_this_core() -> bool {
    false
}
