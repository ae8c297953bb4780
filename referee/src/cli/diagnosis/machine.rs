//! Cores, the clock, and what processes may have.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use bothost::pin;

use super::Finding;
use engine::system;

pub(super) fn look() -> Vec<Finding> {
    vec![cores(), clock(), limits()]
}

/// The number of cores, whether a series can have one for itself, and how busy they are.
fn cores() -> Finding {
    let name = "cores";
    let all = thread::available_parallelism().map_or(1, usize::from);
    // By a thread that ends, so that this one stays free.
    let can_pin = |core: &usize| {
        let core = *core;
        let bound = thread::Builder::new().spawn(move || pin::to_core(core));
        bound.is_ok_and(|thread| thread.join().unwrap_or_default())
    };
    let (cores, free) = (
        pin::cores(),
        pin::cores().iter().filter(|core| can_pin(core)).count(),
    );
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load: Option<f64> = load.and_then(|load| load.split(' ').next()?.parse().ok());
    let is_busy = u32::try_from(all).is_ok_and(|all| load.is_some_and(|load| load >= all.into()));
    let load_words = load
        .map(|load| format!(", load {load}"))
        .unwrap_or_default();
    let found = if cores.is_empty() {
        format!("{all}; only on Linux can bots be bound to one")
    } else {
        format!("{all}, of which bots can be bound to {free}{load_words}")
    };
    if !cores.is_empty() && free == 0 {
        Finding::note(
            name,
            found,
            "replies take longer; the container or the machine forbids it",
        )
    } else if is_busy {
        Finding::note(
            name,
            found,
            "other programs keep them busy, so bots may reply late",
        )
    } else {
        Finding::ok(name, found)
    }
}

/// A coarser clock judges replies unfairly.
const COARSE: Duration = Duration::from_millis(1);

fn clock() -> Finding {
    let step = || {
        let start = Instant::now();
        loop {
            let passed = start.elapsed();
            if !passed.is_zero() {
                return passed;
            }
        }
    };
    let finest = (0..100).map(|_| step()).min().unwrap_or_default();
    let asleep = if cfg!(windows) {
        "counts"
    } else {
        "does not count"
    };
    let found = format!(
        "monotonic, steps of {} ns; time in which the machine is suspended {asleep}",
        finest.as_nanos()
    );
    if finest > COARSE {
        Finding::note(
            "clock",
            found,
            "limits below 20ms are not kept exactly here",
        )
    } else {
        Finding::ok("clock", found)
    }
}

/// The limits of open files and of processes below which a few games at once fail.
const ENOUGH: u64 = 256;

fn limits() -> Finding {
    let Some(limits) = system::limits() else {
        return Finding::ok("limits", "this operating system sets none for a process");
    };
    let words = |limit: Option<u64>, unit: u64| {
        limit.map_or_else(
            || "unlimited".to_owned(),
            |limit| (limit / unit).to_string(),
        )
    };
    let found = format!(
        "stack {} KiB, open files {} (up to {}), processes {}",
        words(limits.stack, 1 << 10),
        words(limits.open_files, 1),
        words(limits.most_open_files, 1),
        words(limits.processes, 1),
    );
    let is_low = |limit: Option<u64>| limit.is_some_and(|limit| limit < ENOUGH);
    if is_low(limits.most_open_files) {
        Finding::note(
            "limits",
            found,
            "raise that of open files for contests: ulimit -n 1024",
        )
    } else if is_low(limits.processes) {
        Finding::note(
            "limits",
            found,
            "raise that of processes for contests: ulimit -u 1024",
        )
    } else {
        Finding::ok("limits", found)
    }
}
