//! The errors between the referee and a scheduler.

use std::io;
use std::path::{Path, PathBuf};

use bothost::text;
use thiserror::Error;

/// The reason why tasks are not run; what, where, and how to fix it.
#[derive(Debug, Error)]
pub(crate) enum ClusterError {
    /// The scheduler's command is not installed here.
    #[error(
        "{program} was not found: run this where {scheduler} can be used, or write its files only, with --dry-run"
    )]
    NoProgram {
        /// The command.
        program: &'static str,
        /// The scheduler.
        scheduler: &'static str,
    },
    /// The scheduler's command failed.
    #[error("{command} failed: {}", if .said.is_empty() { "it did not say why" } else { .said })]
    Failed {
        /// The command.
        command: String,
        /// Its standard error.
        said: String,
    },
    /// The scheduler's command printed something that is not understood.
    #[error("{command} printed {printed:?}: expected {expected}")]
    Unexpected {
        /// The command.
        command: String,
        /// The beginning of what it printed.
        printed: String,
        /// The expected output.
        expected: &'static str,
    },
    /// The scheduler cannot run such a job.
    #[error("{0}")]
    Refused(String),
    /// An earlier submission still runs, elsewhere.
    #[error(
        "job {id} of {scheduler} was submitted for this and may still run: wait for it with referee cluster {scheduler}, or cancel it \
         and remove {}",
        shown(.path)
    )]
    Elsewhere {
        /// The other scheduler.
        scheduler: String,
        /// The job there.
        id: String,
        /// The file that notes it.
        path: PathBuf,
    },
    /// A file cannot be written or read.
    #[error("{}: {error}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        error: io::Error,
    },
}

impl ClusterError {
    /// Returns an error of the operating system about the file at `path`.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
        let path = path.to_owned();
        move |error| ClusterError::Io { path, error }
    }
}

fn shown(path: &Path) -> String {
    text::shown(path.as_os_str().as_encoded_bytes())
}
