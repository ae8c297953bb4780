use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use thiserror::Error;
use wait_timeout::ChildExt;

use super::inbox::{CAPACITY, Inbox};
use super::stderr::StderrLog;

/// A program to start as a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file to run, looked up on the PATH if it has no slash.
    pub file: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// How people write the command, for messages.
    pub command_line: String,
    /// Whether it needs the terminal that the referee runs in: a person sits there.
    pub on_terminal: bool,
}

/// Why a program could not be started.
#[derive(Debug, Error)]
#[error("{advice}: {error}")]
pub struct StartError {
    /// What is wrong with the command, and what to try.
    advice: String,
    /// What the operating system said.
    error: io::Error,
}

impl StartError {
    fn new(program: &Program, error: io::Error) -> StartError {
        let file = program.file.to_string_lossy();
        let is_path = file.contains('/');
        let advice = match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOENT) if is_path => {
                format!("there is no file {file:?}, or its first line names a missing interpreter")
            }
            Some(Errno::NOENT) if Path::new(&program.file).is_file() => {
                format!("no program {file:?} is on the PATH; to run the file here, write ./{file}")
            }
            Some(Errno::NOENT) => format!("no program {file:?} is on the PATH"),
            Some(Errno::ACCESS) => {
                format!("{file:?} may not be executed; chmod +x {file} makes it executable")
            }
            Some(Errno::NOEXEC) => {
                format!(
                    "{file:?} is no program; a script begins with a line like #!/usr/bin/env python3"
                )
            }
            _ => format!("{file:?} could not be started"),
        };
        StartError { advice, error }
    }
}

/// A bot: a child process, its pipes, and what has been said through them and not yet been read.
#[derive(Debug)]
pub(super) struct Bot {
    child: Child,
    in_own_group: bool,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Readable once the process has ended, where the operating system has such a thing.
    exit: Option<OwnedFd>,
    /// What the bot has yet to be told.
    outbox: Vec<u8>,
    inbox: Inbox,
    log: StderrLog,
}

/// The ends of a bot's pipes, to be polled.
pub(super) struct Ends<'b> {
    pub(super) stdin: Option<&'b ChildStdin>,
    pub(super) stdout: Option<&'b ChildStdout>,
    pub(super) stderr: Option<&'b ChildStderr>,
    pub(super) exit: Option<&'b OwnedFd>,
}

impl Bot {
    pub(super) fn start(program: &Program) -> Result<Bot, StartError> {
        let mut command = Command::new(&program.file);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Without it a Python bot that does not flush is never heard.
            .env("PYTHONUNBUFFERED", "1");
        if !program.on_terminal {
            // Out of reach of the terminal's Ctrl-C, and to be ended together with its own children.
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(|error| StartError::new(program, error))?;
        let bot = Bot {
            in_own_group: !program.on_terminal,
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            exit: exit_of(&child),
            outbox: Vec::with_capacity(1024),
            inbox: Inbox::new(),
            log: StderrLog::default(),
            child,
        };
        bot.make_non_blocking().map_err(|error| StartError::new(program, error.into()))?;
        Ok(bot)
    }

    fn make_non_blocking(&self) -> rustix::io::Result<()> {
        use rustix::fs::{OFlags, fcntl_setfl};
        let ends = self.ends();
        ends.stdin.map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))?;
        ends.stdout.map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))?;
        ends.stderr.map_or(Ok(()), |end| fcntl_setfl(end, OFlags::NONBLOCK))
    }

    pub(super) fn ends(&self) -> Ends<'_> {
        Ends {
            stdin: self.stdin.as_ref().filter(|_| !self.outbox.is_empty()),
            stdout: self.stdout.as_ref(),
            stderr: self.stderr.as_ref(),
            exit: self.exit.as_ref(),
        }
    }

    pub(super) fn outbox(&mut self) -> &mut Vec<u8> {
        &mut self.outbox
    }

    pub(super) fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// Whether more waits to be read by the bot than any bot has reason to leave.
    pub(super) fn outbox_overflows(&self) -> bool {
        self.outbox.len() > CAPACITY
    }

    /// Whether it has left unread what it was told, as far as the operating system can say.
    pub(super) fn has_unread_input(&self) -> bool {
        let in_pipe = |stdin| rustix::io::ioctl_fionread(stdin).unwrap_or(0);
        !self.outbox.is_empty() || self.stdin.as_ref().is_some_and(|stdin| in_pipe(stdin) > 0)
    }

    pub(super) fn has_closed_output(&self) -> bool {
        self.stdout.is_none()
    }

    pub(super) fn last_words(&self) -> Option<String> {
        self.log.last_words()
    }

    /// Hands the bot as much of the outbox as it takes now. A bot that has closed its input is told nothing
    /// more; it may go on answering.
    pub(super) fn send(&mut self) -> io::Result<()> {
        while let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outbox.is_empty()) {
            match rustix::io::write(stdin, &self.outbox) {
                Ok(count) => drop(self.outbox.drain(..count)),
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::PIPE) => self.stdin = None,
                Err(error) => return Err(error.into()),
            }
        }
        if self.stdin.is_none() {
            self.outbox.clear();
        }
        Ok(())
    }

    /// Reads what the bot has said, as far as there is room for it; returns how many bytes came.
    pub(super) fn receive(&mut self) -> io::Result<usize> {
        let mut received = 0;
        while let Some(stdout) = self.stdout.as_ref() {
            let space = self.inbox.space();
            let room = space.len();
            match read(stdout, space)? {
                Came::Bytes(count) => {
                    self.inbox.add(count);
                    received += count;
                    if count < room {
                        break;
                    }
                }
                Came::Nothing => break,
                Came::End if room == 0 => break,
                Came::End => self.stdout = None,
            }
        }
        Ok(received)
    }

    /// Reads what the bot has written to standard error, at most a few buffers full of it, so that a flood
    /// there cannot keep the referee busy. `each` hears it.
    pub(super) fn drain_stderr(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let mut buffer = [0; 16 * 1024];
        for _ in 0..8 {
            let Some(stderr) = self.stderr.as_ref() else { break };
            match read(stderr, &mut buffer)? {
                Came::Bytes(count) => {
                    self.log.add(&buffer[..count]);
                    each(&buffer[..count]);
                }
                Came::Nothing => break,
                Came::End => self.stderr = None,
            }
        }
        Ok(())
    }

    /// How the process ended, if it has or does so within `patience`.
    pub(super) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        self.child.wait_timeout(patience)
    }

    /// Closes the bot's input: the end of file asks it to leave.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Reads no more of what the bot says.
    pub(super) fn close_output(&mut self) {
        self.stdout = None;
    }

    /// Waits for the process to end until `deadline`, reading its standard error so that it is not stuck there;
    /// then kills it and what it has started.
    pub(super) fn end(&mut self, deadline: Instant, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        // Nobody listens any more; a bot that is stuck in writing a flood is to notice.
        self.close_output();
        let slice = Duration::from_millis(20);
        loop {
            let patience = deadline.saturating_duration_since(Instant::now()).min(slice);
            let ended = self.wait(patience)?.is_some();
            self.drain_stderr(&mut each)?;
            if ended || patience.is_zero() {
                return self.kill();
            }
        }
    }

    fn kill(&mut self) -> io::Result<()> {
        if self.in_own_group
            && let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            // It fails only if nothing of the group is left, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        // Of a process that has ended already std knows, and sends nothing.
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

/// A bot that nobody ended in an orderly way does not outlive its referee.
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

#[cfg(target_os = "linux")]
fn exit_of(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_of(_child: &Child) -> Option<OwnedFd> {
    None
}

/// What came through a pipe.
enum Came {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// Nothing ever again.
    End,
}

fn read(from: impl AsFd, buffer: &mut [u8]) -> io::Result<Came> {
    loop {
        match rustix::io::read(&from, &mut *buffer) {
            Ok(0) => return Ok(Came::End),
            Ok(count) => return Ok(Came::Bytes(count)),
            Err(Errno::AGAIN) => return Ok(Came::Nothing),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
