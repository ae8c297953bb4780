//! A bot without a supervisor and what it has started, as far as that stays with it.

use std::io;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

/// A process group of a bot's own: out of reach of the terminal's Ctrl-C, and ended together with
/// its own children as far as they stay in the group.
#[derive(Debug)]
pub(crate) struct Group(Option<Pid>);

impl Group {
    /// Has `command` start its program in a group of its own.
    pub(crate) fn prepare(command: &mut Command) {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }

    /// Returns the group of a child whose start was prepared.
    #[allow(clippy::unnecessary_wraps, reason = "as on Windows, where it can fail")]
    pub(crate) fn of(child: &Child) -> io::Result<Group> {
        Ok(Group(
            i32::try_from(child.id()).ok().and_then(Pid::from_raw),
        ))
    }

    /// Kills all that are in it.
    pub(crate) fn kill(&self) {
        // A group keeps its number while any member is left. It fails only if none is, which is the
        // aim.
        let _ = self
            .0
            .map(|leader| kill_process_group(leader, Signal::KILL));
    }
}
