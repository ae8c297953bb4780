//! Pipes that are polled: the way of Unix.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;

use super::pipe::{Came, Took};

/// Pipes that are polled: nothing is read or written before it can be done at once.
#[derive(Debug)]
pub(super) struct Polled {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
    /// A descriptor of the process, readable once it has ended; `None` if the operating system has none.
    pub(super) exit: Option<OwnedFd>,
}

impl Polled {
    pub(super) fn to(child: &mut Child) -> io::Result<Polled> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // Only the referee's ends. The flag belongs to the open file and the two ends of a pipe are two of
        // those, so the bot finds its own ends blocking, as every language's library expects. Poll alone is
        // not enough: it may promise room for one byte only, and a longer blocking write would hang the
        // referee on a bot that does not read.
        stdin
            .as_ref()
            .map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))?;
        stdout
            .as_ref()
            .map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))?;
        stderr
            .as_ref()
            .map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))?;
        Ok(Polled {
            stdin,
            stdout,
            stderr,
            exit: exit_of(child),
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<Took> {
        loop {
            let Some(stdin) = &self.stdin else {
                return Ok(Took::Closed);
            };
            match rustix::io::write(stdin, bytes) {
                Ok(count) => return Ok(Took::Bytes(count)),
                Err(Errno::AGAIN) => return Ok(Took::Nothing),
                Err(Errno::INTR) => {}
                // A bot may close its input and keep answering; that is not a fault. Rust programs ignore
                // SIGPIPE, so this is an error and not the end of the referee.
                Err(Errno::PIPE) => self.stdin = None,
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(super) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Came> {
        read(&mut self.stdout, buffer)
    }

    pub(super) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Came> {
        read(&mut self.stderr, buffer)
    }

    pub(super) fn unread(&self) -> usize {
        // Linux also answers this for the writing end. A system that does not counts as nothing unread.
        let in_pipe = self
            .stdin
            .as_ref()
            .and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        in_pipe
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or(0)
    }
}

fn read(from: &mut Option<impl AsFd>, buffer: &mut [u8]) -> io::Result<Came> {
    loop {
        let Some(pipe) = from else {
            return Ok(Came::End);
        };
        match rustix::io::read(pipe, &mut *buffer) {
            // Closed at once: a pipe at its end is always readable, and would make every poll return
            // immediately.
            Ok(0) => *from = None,
            Ok(count) => return Ok(Came::Bytes(count)),
            Err(Errno::AGAIN) => return Ok(Came::Nothing),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(target_os = "linux")]
fn exit_of(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    // The child has not been waited for, so the number is its own. Without the descriptor (before Linux 5.3)
    // the end of the output has to do; then a child that holds the pipe open hides the exit until the
    // deadline.
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_of(_child: &Child) -> Option<OwnedFd> {
    None
}
