//! What a bot can do wrong in a dialogue of any game, typed, with one plain sentence for each.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use battleship::protocol::MAX_LINE;

/// What was seen of a bot whose reply did not come in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waited {
    /// It said not a byte.
    Silence,
    /// It began a line and did not end it; an excerpt.
    PartialLine(String),
    /// It said this many comments and no reply.
    Comments(u32),
    /// A person plays, whose terminal shows more than the referee sees.
    Person,
}

/// Why a bot could not continue: what it did to the dialogue, whichever game that is about. Printed, a fault is the
/// end of a sentence that begins with the bot's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No reply came in time.
    Timeout {
        /// The request's first word.
        request: &'static str,
        /// How long it had.
        limit: Duration,
        /// What was seen of it.
        waited: Waited,
    },
    /// It did not read what it was told.
    NotReading {
        /// The request's first word.
        request: &'static str,
        /// How long it had; `None` if time was not the reason.
        limit: Option<Duration>,
    },
    /// It said a line that was longer than the protocol allows; its beginning.
    LineTooLong(String),
    /// It said far more than it was asked for.
    Flood,
    /// It answered before it was asked, which is a fault for a strict referee only.
    Early,
    /// It ended its output in the middle of a line, which is a fault for a strict referee only.
    NoLineFeed,
    /// It closed its output and lived on.
    ClosedOutput {
        /// The request's first word.
        request: &'static str,
    },
    /// It took more than its sandbox allows: what.
    UsedTooMuch(String),
    /// Its program could not be started. Why, and what to try.
    NotStarted(String),
    /// It ended, by itself or by a signal.
    Exited {
        /// How it left.
        status: ExitStatus,
        /// The end of what it wrote to standard error, fit to be shown.
        last_words: Option<String>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Timeout { request, limit, waited } => {
                let limit = Limit(*limit);
                match waited {
                    Waited::Person => write!(f, "did not answer within {limit}"),
                    Waited::Silence => {
                        write!(
                            f,
                            "no reply to {request} within {limit} (0 bytes read; is stdout flushed?)"
                        )
                    }
                    Waited::PartialLine(line) => {
                        write!(
                            f,
                            "no reply to {request} within {limit} (partial line {line}, no newline)"
                        )
                    }
                    Waited::Comments(count) => {
                        let s = if *count == 1 { "" } else { "s" };
                        write!(
                            f,
                            "no reply to {request} within {limit} ({count} comment{s}, nothing else)"
                        )
                    }
                }
            }
            Fault::NotReading { request, limit: Some(limit) } => {
                write!(f, "did not read the request {request} within {}", Limit(*limit))
            }
            Fault::NotReading { limit: None, .. } => write!(f, "does not read its input"),
            Fault::LineTooLong(beginning) => {
                write!(f, "said a line of more than {MAX_LINE} bytes, beginning {beginning}")
            }
            Fault::Flood => write!(f, "said far more than it was asked for"),
            Fault::Early => write!(f, "spoke before it was asked"),
            Fault::NoLineFeed => write!(f, "ended its last line without a line feed"),
            Fault::ClosedOutput { request } => {
                write!(f, "closed its output without a reply to {request}")
            }
            Fault::NotStarted(reason) | Fault::UsedTooMuch(reason) => write!(f, "{reason}"),
            Fault::Exited { status, last_words } => {
                match (status.code(), signal(*status)) {
                    (Some(code), _) => write!(f, "exited with status {code}")?,
                    (None, Some(signal)) => {
                        write!(f, "was ended by signal {signal}")?;
                        if let Some(words) = words_of_signal(signal) {
                            write!(f, " ({words})")?;
                        }
                    }
                    (None, None) => write!(f, "ended ({status})")?,
                }
                write!(f, "; ")?;
                match last_words {
                    Some(words) => write!(f, "last words on stderr: {words}"),
                    None => write!(f, "nothing on stderr"),
                }
            }
        }
    }
}

/// Returns what a signal is called, its usual cause, and how to see where it happened; `None` for signals that no program
/// gets by a mistake of its own.
#[cfg(unix)]
fn words_of_signal(signal: i32) -> Option<&'static str> {
    use signal_hook::consts::{
        SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTERM, SIGTRAP,
        SIGXCPU, SIGXFSZ,
    };
    Some(match signal {
        SIGSEGV => {
            "segmentation fault: an index outside of an array, a bad pointer, or a stack that is too deep; in C and C++, \
             -g -fsanitize=address shows where"
        }
        SIGBUS => {
            "bus error: a bad pointer, or a file that became shorter; in C and C++, -g -fsanitize=address shows where"
        }
        SIGABRT => "abort: a failed assertion, or an exception that nothing catches",
        SIGFPE => {
            "floating point error: an integer divided by 0, usually; in C and C++, -g -fsanitize=undefined shows where"
        }
        SIGILL => {
            "illegal instruction: a program for another processor, or the end of a function without a return"
        }
        SIGTRAP => "trap: a check in the program failed, or a breakpoint",
        SIGKILL => "killed: often because the memory ran out",
        SIGSYS => "bad system call: the sandbox or the system forbids it",
        SIGXCPU => "over its limit of CPU time",
        SIGXFSZ => "over the limit of the size of files",
        SIGTERM => "terminated by another program",
        SIGPIPE => "broken pipe: it wrote to a program that had ended",
        _ => return None,
    })
}

#[cfg(not(unix))]
fn words_of_signal(_signal: i32) -> Option<&'static str> {
    None
}

#[cfg(unix)]
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
pub(super) fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// A time limit as people say it: `5 s`, `250 ms`.
struct Limit(Duration);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit(limit) = self;
        if limit.subsec_millis() == 0 {
            write!(f, "{} s", limit.as_secs())
        } else {
            write!(f, "{} ms", limit.as_millis())
        }
    }
}
