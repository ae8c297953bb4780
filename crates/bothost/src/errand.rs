//! Programs that are not bots and are run to their end, as the build of one: with limits of time and of what they say, and
//! in the same sandbox.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::bot::Bot;
use super::pipe::Came;
use super::wait::Waiter;
use super::{Interrupt, Launch, Program, StartError};

/// Time of the wait for the end of a program before its output is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The amount that a program may take and say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrandLimits {
    /// The time that it may run.
    pub time: Duration,
    /// The bytes of its standard output.
    pub output: u64,
    /// The bytes of its standard error that are kept: half of them from the beginning, half from the end.
    pub log: usize,
}

/// The end of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrandEnd {
    /// By itself, so.
    Exited(ExitStatus),
    /// It was ended when its time was over.
    TooLong,
    /// It was ended when it had written more than it may to its standard output.
    TooMuchOutput,
    /// It was ended for taking more than its sandbox allows: of what.
    UsedTooMuch(String),
    /// It was ended because the referee was asked to stop.
    Interrupted,
}

/// The result of a program that was run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// Its end.
    pub end: ErrandEnd,
    /// Its standard error, as far as that is kept.
    pub log: Vec<u8>,
}

/// The reason why there is no [`Errand`].
#[derive(Debug, Error)]
pub enum ErrandError {
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The referee or its machine failed, or the output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs `program`, whose input is empty, to its end, and ends what it leaves behind. Its standard output goes to `output`.
///
/// # Errors
/// If it cannot be started, or if `output` cannot be written.
pub fn run_errand(
    program: &Program,
    launch: &Launch,
    limits: ErrandLimits,
    output: &mut dyn Write,
    interrupt: &Interrupt,
) -> Result<Errand, ErrandError> {
    let (_waiter, wake) = Waiter::new(launch.pipes);
    let mut bot = Bot::start(program, launch, wake.as_ref())?;
    bot.close_input();
    let began = Instant::now();
    let mut log = Log::new(limits.log);
    let mut left = limits.output;
    let mut buffer = vec![0; 1 << 16];
    let mut status = None;
    let end = loop {
        let came = bot.read_output(&mut buffer)?;
        bot.drain_stderr(|bytes| log.add(bytes))?;
        if let Came::Bytes(count) = came {
            let Some(rest) = left.checked_sub(count as u64) else {
                break ErrandEnd::TooMuchOutput;
            };
            left = rest;
            output.write_all(&buffer[..count])?;
            continue;
        }
        // Everything that it wrote before its end has been read by now, because its end was seen first.
        if let Some(status) = status {
            break match bot.used_too_much()? {
                None => ErrandEnd::Exited(status),
                Some(what) => ErrandEnd::UsedTooMuch(what),
            };
        }
        if interrupt.is_noted() {
            break ErrandEnd::Interrupted;
        }
        if began.elapsed() >= limits.time {
            break ErrandEnd::TooLong;
        }
        status = bot.wait_for_its_end(BETWEEN_LOOKS)?;
    };
    bot.end(Instant::now(), |bytes| log.add(bytes))?;
    Ok(Errand {
        end,
        log: log.finish(),
    })
}

/// The beginning and the end of what a program wrote to its standard error.
struct Log {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// The most bytes of each.
    most: usize,
    left_out: u64,
}

impl Log {
    fn new(most: usize) -> Log {
        Log {
            head: Vec::new(),
            tail: VecDeque::new(),
            most: most / 2,
            left_out: 0,
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.most - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let spare = self.tail.len().saturating_sub(self.most);
        self.tail.drain(..spare);
        self.left_out += spare as u64;
    }

    fn finish(mut self) -> Vec<u8> {
        let mut log = self.head;
        if self.left_out > 0 {
            log.extend_from_slice(format!("\n[{} bytes left out]\n", self.left_out).as_bytes());
        }
        log.extend_from_slice(self.tail.make_contiguous());
        log
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::{Pipes, Sight};

    fn run(script: &str, limits: ErrandLimits) -> (ErrandEnd, Vec<u8>, String) {
        let program = Program {
            file: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            folder: None,
            command_line: "sh".to_owned(),
            on_terminal: false,
            variables: Vec::new(),
            person: None,
            sight: Sight::default(),
        };
        let launch = Launch {
            pipes: Pipes::Polled,
            ..Launch::portable()
        };
        let (mut output, interrupt) = (Vec::new(), Interrupt::deaf().unwrap());
        let errand = run_errand(&program, &launch, limits, &mut output, &interrupt).unwrap();
        (errand.end, output, String::from_utf8(errand.log).unwrap())
    }

    const LIMITS: ErrandLimits = ErrandLimits {
        time: Duration::from_secs(60),
        output: 1 << 20,
        log: 100,
    };

    fn exited(end: &ErrandEnd) -> Option<i32> {
        if let ErrandEnd::Exited(status) = end {
            status.code()
        } else {
            None
        }
    }

    #[test]
    fn what_a_program_writes_is_kept_apart() {
        let script = "cat; head -c 300000 /dev/zero; echo one >&2; exit 3";
        let (end, output, log) = run(script, LIMITS);
        assert_eq!(
            (exited(&end), output.len(), &*log),
            (Some(3), 300_000, "one\n")
        );
    }

    #[test]
    fn a_long_log_loses_its_middle() {
        let script = "i=0; while [ $i -lt 100 ]; do echo line $i >&2; i=$((i + 1)); done";
        let (end, _, log) = run(script, LIMITS);
        assert_eq!(exited(&end), Some(0));
        assert!(
            log.starts_with("line 0\n") && log.ends_with("line 99\n"),
            "{log}"
        );
        assert!(log.contains(" bytes left out]"), "{log}");
    }

    #[test]
    fn a_program_without_bounds_is_ended() {
        let limits = ErrandLimits {
            time: Duration::from_millis(100),
            ..LIMITS
        };
        assert_eq!(
            run("echo begun >&2; exec sleep 600", limits).0,
            ErrandEnd::TooLong
        );
        let limits = ErrandLimits {
            output: 1000,
            ..LIMITS
        };
        let (end, output, _) = run("exec yes", limits);
        assert_eq!(end, ErrandEnd::TooMuchOutput);
        assert!(output.len() <= 1000);
    }

    #[test]
    fn background_processes_are_not_waited_for() {
        let (end, output, _) = run("sleep 600 & echo done", LIMITS);
        assert_eq!((exited(&end), &*output), (Some(0), &b"done\n"[..]));
    }
}
