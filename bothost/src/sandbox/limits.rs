//! Limits of what a sandboxed bot uses: those the kernel sets for each process, and those of all its processes
//! together, which its supervisor counts.

use rustix::process::{Pid, Resource, Rlimit, setrlimit};

use super::{Sandbox, SandboxError};

/// Sets what the kernel limits for each process by itself. The memory here is what one process asks for; the memory
/// that all of them have is watched from outside, as [`Use`].
pub(super) fn set(sandbox: &Sandbox) -> Result<(), SandboxError> {
    for (resource, limit) in [
        // Not RLIMIT_AS: the Java and Node runtimes reserve many GiB of addresses that they never use, and do
        // not start under a limit of 1 GiB. Not RLIMIT_NPROC either: it counts all processes of the user,
        // those of the other bot and of the desktop too, and does not bind root. Threads are counted from
        // outside instead.
        (Resource::Data, sandbox.memory),
        (Resource::Fsize, sandbox.file_size),
        (Resource::Nofile, sandbox.descriptors),
        (Resource::Core, 0),
    ] {
        // The hard limit too, or the bot could raise the soft one again.
        let limits = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limits).map_err(|error| SandboxError::new("limits", &error))?;
    }
    Ok(())
}

/// What the processes of a bot use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// Bytes of memory; what several of them share counts once.
    memory: u64,
    threads: u64,
}

impl Use {
    /// Returns what `processes` use at this moment, as far as `/proc` says.
    pub(crate) fn of(processes: &[Pid]) -> Use {
        let uses = processes.iter().map(|pid| {
            let number_in = |file: &str, name: &str| -> Option<u64> {
                let path = format!("/proc/{}/{file}", pid.as_raw_nonzero());
                let content = std::fs::read_to_string(path).ok()?;
                let value = content.lines().find_map(|line| line.strip_prefix(name))?;
                value.split_whitespace().next()?.parse().ok()
            };
            // In KiB. The proportional share divides each page by the number of processes that map it, so the sum
            // counts what is shared once. Resident sizes would count a shared library, or memory shared after a fork,
            // for every process, and forbid what costs nothing.
            let memory = number_in("smaps_rollup", "Pss:").unwrap_or(0) << 10;
            Use { memory, threads: number_in("status", "Threads:").unwrap_or(1) }
        });
        uses.fold(Use::default(), |sum, each| Use {
            memory: sum.memory + each.memory,
            threads: sum.threads + each.threads,
        })
    }

    /// Returns what is beyond the limits of `sandbox`, as the end of a sentence; `None` if nothing is.
    pub(crate) fn excess(self, sandbox: &Sandbox) -> Option<String> {
        // Threads first: a fork bomb also takes memory, but the number of processes says what it is.
        if self.threads > sandbox.threads {
            let limit = sandbox.threads;
            return Some(format!("had more than {limit} threads and processes"));
        }
        if self.memory > sandbox.memory {
            let limit = sandbox.memory >> 20;
            return Some(format!("used more than {limit} MiB of memory"));
        }
        None
    }
}
