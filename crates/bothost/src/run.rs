//! Programs that are no bots and run to their end, as the build of one, under limits of time and
//! output and in the same sandbox.

use std::io::{self, Write};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::bot::BotProcess;
use super::dialogue::Dialogue;
use super::pipe::Read;
use super::system::Waiter;
use super::{BotProgram, Excerpt, Interrupt, Launch, Side, StartError};

/// Time of the wait for the end of a program before its output is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The limits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// The time until its end.
    pub time: Duration,
    /// The bytes of its standard output.
    pub output: u64,
    /// The bytes of its standard error that are kept: half of them from the beginning, half from
    /// the end.
    pub log: usize,
}

/// The end of a program, by itself or by the referee.
#[derive(Debug)]
pub enum RunEnd {
    /// The program could not be started.
    NotStarted(StartError),
    /// The program has ended by itself.
    Exited(ExitStatus),
    /// The program took too long.
    TooLong,
    /// The program wrote too much to its standard output.
    TooMuchOutput,
    /// The program took more than its sandbox allows: of what.
    UsedTooMuch(String),
    /// The referee was asked to stop.
    Interrupted,
}

/// The result of a program.
#[derive(Debug)]
pub struct RunResult {
    /// The end of the program.
    pub end: RunEnd,
    /// Its standard error, as far as that is kept.
    pub log: Vec<u8>,
}

/// Runs `program`, whose input is empty, and ends what it leaves behind. Its standard output goes
/// to `output`.
///
/// # Errors
/// If the operating system fails, or if `output` cannot be written.
pub fn run_to_end(
    program: &BotProgram,
    launch: &Launch,
    limits: RunLimits,
    output: &mut dyn Write,
    interrupt: &Interrupt,
) -> io::Result<RunResult> {
    let not_started = |error| RunResult {
        end: RunEnd::NotStarted(error),
        log: Vec::new(),
    };
    let waiter = Waiter::new(&Arc::new(Interrupt::never()?));
    let mut nobody = Dialogue::new(None);
    let mut bot = match BotProcess::start(Side::One, program, launch, &waiter) {
        Ok(bot) => bot,
        Err(error) => return Ok(not_started(error)),
    };
    bot.log = Excerpt::new(limits.log / 2, limits.log / 2);
    bot.streams.close_stdin();
    let began = Instant::now();
    let mut left = limits.output;
    let mut buffer = vec![0; 1 << 16];
    let mut status = None;
    let end = loop {
        let came = bot.read_output(&mut buffer)?;
        bot.drain_stderr(&mut nobody)?;
        if let Read::Bytes(count) = came {
            let Some(rest) = left.checked_sub(count as u64) else {
                break RunEnd::TooMuchOutput;
            };
            left = rest;
            output.write_all(&buffer[..count])?;
            continue;
        }
        // Everything that it wrote before its end has been read by now, because its end was seen
        // first.
        if let Some(status) = status {
            match bot.used_too_much() {
                Ok(None) => break RunEnd::Exited(status),
                Ok(Some(what)) => break RunEnd::UsedTooMuch(what),
                Err(error) => return Ok(not_started(error)),
            }
        }
        if interrupt.is_noted() {
            break RunEnd::Interrupted;
        }
        if began.elapsed() >= limits.time {
            break RunEnd::TooLong;
        }
        status = bot.wait_for_its_end(BETWEEN_LOOKS)?;
    };
    bot.end(Instant::now(), &mut nobody)?;
    let log = bot.log.to_bytes();
    Ok(RunResult { end, log })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, limits: RunLimits) -> (RunEnd, Vec<u8>, String) {
        let program = BotProgram {
            file: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            ..BotProgram::default()
        };
        let launch = Launch::unsupervised();
        let mut output = Vec::new();
        let interrupt = Interrupt::never().unwrap();
        let result = run_to_end(&program, &launch, limits, &mut output, &interrupt).unwrap();
        (result.end, output, String::from_utf8(result.log).unwrap())
    }

    const LIMITS: RunLimits = RunLimits {
        time: Duration::from_secs(60),
        output: 1 << 20,
        log: 100,
    };

    fn exited(end: &RunEnd) -> Option<i32> {
        if let RunEnd::Exited(status) = end {
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
    fn a_program_without_bounds_is_ended() {
        let limits = RunLimits {
            time: Duration::from_millis(100),
            ..LIMITS
        };
        let (end, ..) = run("echo begun >&2; exec sleep 600", limits);
        assert!(matches!(end, RunEnd::TooLong), "{end:?}");
        let limits = RunLimits {
            output: 1000,
            ..LIMITS
        };
        let (end, output, _) = run("exec yes", limits);
        assert!(matches!(end, RunEnd::TooMuchOutput), "{end:?}");
        assert!(output.len() <= 1000);
    }

    #[test]
    fn background_processes_are_not_waited_for() {
        let (end, output, _) = run("sleep 600 & echo done", LIMITS);
        assert_eq!((exited(&end), &*output), (Some(0), &b"done\n"[..]));
    }
}
