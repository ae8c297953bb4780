//! What the processes of a sandboxed bot may use together, counted by their supervisor.

use rustix::process::{Pid, Resource, Rlimit, setrlimit};

use super::{Sandbox, SandboxError};

/// Sets what the kernel limits for each process by itself. The memory here is what a process asks for; what all
/// of them have is watched from outside, as [`Use`].
pub(super) fn set(sandbox: &Sandbox) -> Result<(), SandboxError> {
    for (resource, limit) in [
        (Resource::Data, sandbox.memory),
        (Resource::Fsize, sandbox.file_size),
        (Resource::Nofile, sandbox.descriptors),
        (Resource::Core, 0),
    ] {
        let limits = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limits).map_err(|error| SandboxError::new("limits", &error))?;
    }
    Ok(())
}

/// What the processes of a bot use, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// Bytes of memory; what several of them share counts once.
    memory: u64,
    threads: u64,
}

impl Use {
    /// What `processes` use at this moment, as far as `/proc` says.
    pub(crate) fn of(processes: &[Pid]) -> Use {
        let uses = processes.iter().map(|pid| {
            let number_in = |file: &str, name: &str| -> Option<u64> {
                let path = format!("/proc/{}/{file}", pid.as_raw_nonzero());
                let content = std::fs::read_to_string(path).ok()?;
                let value = content.lines().find_map(|line| line.strip_prefix(name))?;
                value.split_whitespace().next()?.parse().ok()
            };
            // Each process's share of what it has in memory, in KiB.
            let memory = number_in("smaps_rollup", "Pss:").unwrap_or(0) << 10;
            Use { memory, threads: number_in("status", "Threads:").unwrap_or(1) }
        });
        uses.fold(Use::default(), |sum, each| Use {
            memory: sum.memory + each.memory,
            threads: sum.threads + each.threads,
        })
    }

    /// What is beyond the limits of `sandbox`, as the end of a sentence.
    pub(crate) fn excess(self, sandbox: &Sandbox) -> Option<String> {
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
