//! The commands of schedulers.

use std::io;
use std::process::{Command, Stdio};

use super::ClusterError;
use arena::system;

/// Of what a command prints, messages show this many bytes: what it should have printed is shorter.
const SHOWN: usize = 200;

/// A command of a scheduler, with its arguments.
pub(super) struct Tool {
    program: &'static str,
    scheduler: &'static str,
    command: Command,
}

impl Tool {
    /// Returns the command `program` of `scheduler`, with these arguments.
    pub(super) fn new<'a>(
        program: &'static str,
        scheduler: &'static str,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Tool {
        let mut command = Command::new(program);
        // Out of reach of Ctrl-C: the answer is needed to say what still runs.
        system::out_of_reach_of_ctrl_c(&mut command);
        command.args(arguments).stdin(Stdio::null());
        Tool {
            program,
            scheduler,
            command,
        }
    }

    /// Runs it and returns what it prints.
    ///
    /// # Errors
    /// If it cannot be started, or fails.
    pub(super) fn run(mut self) -> Result<String, ClusterError> {
        let output = self.command.output().map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                ClusterError::NoProgram {
                    program: self.program,
                    scheduler: self.scheduler,
                }
            } else {
                ClusterError::Failed {
                    command: self.program.to_owned(),
                    said: error.to_string(),
                }
            }
        })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        // Some print their errors like everything else.
        let said = if said.is_empty() {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        } else {
            said
        };
        Err(ClusterError::Failed {
            command: self.program.to_owned(),
            said,
        })
    }
}

/// Returns the error for a command that printed something else than `expected`.
pub(super) fn unexpected(command: &str, printed: &str, expected: &'static str) -> ClusterError {
    let printed = printed.trim();
    let end = printed
        .char_indices()
        .nth(SHOWN)
        .map_or(printed.len(), |(end, _)| end);
    let command = command.to_owned();
    let printed = printed[..end].to_owned();
    ClusterError::Unexpected {
        command,
        printed,
        expected,
    }
}
