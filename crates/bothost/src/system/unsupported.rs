//! The services that only Linux has: the other systems return nothing.

#![allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")]

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use super::Process;
use crate::supervisor_report::SupervisorReport;
use crate::{Enforced, Sandbox, StartError};

/// Whether bots have supervisors.
pub(crate) const SUPERVISES: bool = false;

/// Returns `None`: no bot has a supervisor on this operating system.
#[must_use]
pub fn supervise_if_asked(_hide: impl FnOnce()) -> Option<ExitCode> {
    None
}

/// Succeeds: nothing is read from `/proc`.
///
/// # Errors
/// None.
pub fn check_proc() -> io::Result<()> {
    Ok(())
}

/// Does nothing: no program inherits more than its standard streams.
pub fn close_on_exec_from(_first: i32) {}

/// Fails: there is no sandbox.
pub(crate) fn test_sandbox(_: &Sandbox, _referee: &Path) -> Result<Enforced, StartError> {
    let what = "there is no sandbox on this system";
    Err(StartError::of_machine(what.to_owned()))
}

/// The processor time that a bot has used, which is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Usage {}

impl Usage {
    pub(crate) fn total(&self) -> Duration {
        match *self {}
    }

    pub(crate) fn since(&self, _earlier: &Usage) -> Duration {
        match *self {}
    }

    pub(crate) fn has_started_one(&self, _earlier: &Usage) -> bool {
        match *self {}
    }

    pub(crate) fn is_running(&self) -> bool {
        match *self {}
    }
}

impl Process {
    /// There is no supervisor.
    pub(crate) fn report(&self) -> Option<&SupervisorReport> {
        None
    }

    /// Unknown.
    pub(crate) fn usage(&self) -> Option<Usage> {
        None
    }

    /// A bot cannot be stopped.
    pub(crate) fn can_be_suspended(&self) -> bool {
        false
    }

    pub(crate) fn suspend(&mut self) {}

    pub(crate) fn suspend_now(&mut self) {}

    pub(crate) fn resume(&mut self) {}
}

/// A bot that was not ended in an orderly way, as after an error, is killed.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Paths in JSON, if they are text.
pub(crate) mod paths {
    use super::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        paths.serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Vec::deserialize(from)
    }
}

/// Binding threads to cores.
pub mod pin {
    /// Returns zero: the system does not count it.
    pub(crate) fn delay() -> std::time::Duration {
        std::time::Duration::ZERO
    }

    /// Returns `false`: slices are not chosen here.
    pub(crate) fn are_slices_kept() -> bool {
        false
    }

    /// Returns no cores: they are unknown on this operating system.
    #[must_use]
    pub fn cores() -> Vec<usize> {
        Vec::new()
    }

    /// Returns the number of threads that this process can run at the same time.
    #[must_use]
    pub fn parallelism() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// Does nothing: this operating system cannot bind threads.
    pub const fn to_all_cores() {}

    /// Returns `false`: this operating system cannot bind threads.
    #[must_use]
    pub fn to_core(_core: usize) -> bool {
        false
    }

    /// Returns `false`: this operating system cannot bind threads.
    #[must_use]
    pub fn to_this_core() -> bool {
        false
    }
}
