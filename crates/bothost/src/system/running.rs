//! What was started for a bot: a process, or a thread of the referee.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ExitStatus};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wait_timeout::ChildExt;

use super::Owned;
use crate::LocalPlayer;

/// The interval of looks for the end of a thread.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(crate) enum Running {
    Process(Child),
    /// It cannot be ended from outside: it ends when its input does.
    Local(JoinHandle<()>),
}

impl Running {
    /// Starts a player that is no process. Returns it, and the referee's ends of its input, its
    /// output and its log.
    ///
    /// # Errors
    /// If the process has no descriptor or thread to spare.
    pub(crate) fn local(player: &LocalPlayer) -> io::Result<(Running, [Owned; 3])> {
        let (input, stdin) = io::pipe()?;
        let (stdout, mut output) = io::pipe()?;
        let (stderr, mut errors) = io::pipe()?;
        let make = player.0.clone();
        let thread = thread::Builder::new()
            .name("local".to_owned())
            .spawn(move || {
                let mut local = make();
                let mut input = BufReader::new(input);
                let mut line = Vec::new();
                let mut reply = Vec::new();
                let mut log = Vec::new();
                while input
                    .read_until(b'\n', &mut line)
                    .is_ok_and(|count| count > 0)
                {
                    let continues = local.receive(&line, &mut reply, &mut log);
                    let is_heard = output.write_all(&reply).and(errors.write_all(&log)).is_ok();
                    if !continues || !is_heard {
                        break;
                    }
                    line.clear();
                    reply.clear();
                    log.clear();
                }
            })?;
        Ok((
            Running::Local(thread),
            [stdin.into(), stdout.into(), stderr.into()],
        ))
    }

    /// Returns a process that was started with pipes, and the referee's ends of these.
    pub(crate) fn process(mut child: Child) -> (Running, [Owned; 3]) {
        let stdin = child.stdin.take().map(Owned::from);
        let stdout = child.stdout.take().map(Owned::from);
        let stderr = child.stderr.take().map(Owned::from);
        let pipes = [stdin, stdout, stderr].map(|pipe| pipe.expect("`prepare` makes pipes of all"));
        (Running::Process(child), pipes)
    }

    /// The number of the process, or of the referee's.
    pub(crate) fn id(&self) -> u32 {
        match self {
            Running::Process(child) => child.id(),
            Running::Local(_) => std::process::id(),
        }
    }

    /// Returns the status at its end; `None` if it is still there after `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<ExitStatus>> {
        match self {
            Running::Process(child) => child.wait_timeout(patience),
            Running::Local(thread) => Ok(wait_for_thread(thread, patience)),
        }
    }

    /// Kills a process, and waits for its end. A thread ends by itself.
    pub(crate) fn kill(&mut self) -> io::Result<()> {
        if let Running::Process(child) = self {
            // A process that has been waited for has a number that may belong to another by now.
            // `Child` remembers the exit and sends nothing then.
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }
}

/// Returns the status of a thread that has ended; `None` if it is still there after `patience`.
fn wait_for_thread(thread: &JoinHandle<()>, patience: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + patience;
    loop {
        if thread.is_finished() {
            return Some(ExitStatus::default());
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        std::thread::sleep(left.min(BETWEEN_LOOKS));
    }
}
