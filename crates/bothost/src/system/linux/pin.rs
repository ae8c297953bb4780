//! Binding threads to cores. A lane belongs on one core: its processes take turns, and waking one
//! on another core costs some 50 us, ten times a whole round trip on the same core.

#![allow(
    unsafe_code,
    reason = "rustix has no name for sched_setattr and sched_getattr"
)]

use std::sync::OnceLock;
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The processors of this process before a thread was bound: threads inherit the core of the thread
/// that starts them, so a bound thread knows one core only.
struct Processors {
    cores: Vec<usize>,
    parallelism: usize,
}

fn processors() -> &'static Processors {
    static PROCESSORS: OnceLock<Processors> = OnceLock::new();
    PROCESSORS.get_or_init(|| {
        // The mask of this process and not the number of the machine's cores: under taskset, Slurm
        // or a container a process may use only some of them, and they need not begin with 0.
        let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        Processors {
            cores: (0..CpuSet::MAX_CPU)
                .filter(|core| allowed.is_set(*core))
                .collect(),
            parallelism: std::thread::available_parallelism().map_or(1, usize::from),
        }
    })
}

/// Returns the cores that this process may run on, whatever core the calling thread is bound to;
/// empty if they are unknown.
#[must_use]
pub fn cores() -> Vec<usize> {
    processors().cores.clone()
}

/// Returns the number of threads that this process can run at the same time, whatever core the
/// calling thread is bound to. A quota of a control group counts, as in
/// [`std::thread::available_parallelism`].
#[must_use]
pub fn parallelism() -> usize {
    processors().parallelism
}

/// Lets the calling thread, and all that it starts from now on, run on all cores of this process.
pub fn to_all_cores() {
    let mut set = CpuSet::new();
    for core in cores() {
        set.set(core);
    }
    // Where the mask has changed meanwhile, the thread stays where it is.
    let _ = sched_setaffinity(None, &set);
}

/// Binds the calling thread, and all that it starts from now on, to `core`. Returns whether it is
/// bound.
#[must_use]
pub fn to_core(core: usize) -> bool {
    // Before the mask of this thread changes.
    processors();
    let mut set = CpuSet::new();
    if core < CpuSet::MAX_CPU {
        set.set(core);
    }
    // For a core that the set cannot hold it stays empty, which the kernel refuses; so does it a
    // core that this thread may not use (taskset, cgroups).
    sched_setaffinity(None, &set).is_ok()
}

/// Lets the calling thread, and all that it starts from now on, run on every core that its control
/// group allows. Where that is refused nothing changes.
pub(crate) fn to_any_core() {
    let mut set = CpuSet::new();
    for core in 0..CpuSet::MAX_CPU {
        set.set(core);
    }
    // The kernel leaves out what is not there or not allowed.
    let _ = sched_setaffinity(None, &set);
}

/// Binds the calling thread, and all that it starts from now on, to the core it runs on. Returns
/// whether it is bound.
#[must_use]
pub fn to_this_core() -> bool {
    to_core(sched_getcpu())
}

/// The time slice of a bot in nanoseconds: the shortest that Linux gives. A bot that is woken with
/// one as short runs at once, in place of the referee that has woken it, and its reply is there
/// when the referee looks for it.
const SLICE_OF_BOTS: u64 = 100_000;

/// Gives the calling thread, and all that it starts from now on, the short time slice of a bot;
/// their share of the processor stays the same. Where that is refused, or the policy is not the
/// ordinary one, nothing changes.
pub(crate) fn shorten_slice() {
    let Some(mut attributes) =
        scheduling().filter(|it| it.sched_policy == libc::SCHED_OTHER.cast_unsigned())
    else {
        return;
    };
    // All else stays, as the user's `nice`.
    attributes.sched_runtime = SLICE_OF_BOTS;
    // SAFETY: the attributes live until it returns, and say their own size.
    unsafe {
        libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0);
    }
}

/// Whether this system keeps to time slices that programs choose: Linux from 6.12 on, which then
/// tells that of each thread.
pub(crate) fn are_slices_kept() -> bool {
    scheduling().is_some_and(|attributes| attributes.sched_runtime > 0)
}

/// The time that the calling thread has waited for a core while it could have run; zero where the
/// kernel does not count it.
pub(crate) fn delay() -> Duration {
    // Nanoseconds on a core, nanoseconds waiting for one, and how often (proc_pid_schedstat in the
    // kernel's documentation).
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = counts.split_ascii_whitespace().nth(1);
    Duration::from_nanos(waited.and_then(|count| count.parse().ok()).unwrap_or(0))
}

/// How the calling thread is scheduled; see `sched_getattr(2)`.
fn scheduling() -> Option<libc::sched_attr> {
    // SAFETY: all zeros are a value of this type, which has numbers only; the call writes no
    // further than its size.
    unsafe {
        let mut attributes: libc::sched_attr = std::mem::zeroed();
        let size = size_of_val(&attributes);
        let failed = libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0);
        (failed == 0).then_some(attributes)
    }
}
