//! The faults that a bot can commit in a dialogue of any game, typed, with one plain sentence for
//! each.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use wire::EndedBy;
use wire::line::MAX_LINE;

use super::{system, text};

/// Observations of a bot whose reply did not come in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waited {
    /// The bot wrote nothing. The way to flush in its language, if that is known and needed.
    Silence(Option<&'static str>),
    /// It began a line and did not end it; an excerpt.
    PartialLine(String),
    /// It said this many comments and no reply.
    Comments(u32),
    /// Nothing, and it has computed most of the time.
    Computing,
    /// It used up its fuel.
    Fuel,
    /// The module had fuel left, and had the processor for this long.
    Processor(Duration),
    /// A person plays, whose terminal shows more than the referee sees.
    Person,
}

impl Waited {
    /// Returns the state of a bot that has sent this number of comments, and begun a line.
    pub(super) fn of(partial: &[u8], comments: u32) -> Waited {
        match (partial, comments) {
            (b"", 0) => Waited::Silence(None),
            (b"", comments) => Waited::Comments(comments),
            (partial, _) => Waited::PartialLine(text::excerpt(partial)),
        }
    }
}

/// What was seen, in words, with what helps.
impl fmt::Display for Waited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waited::Silence(None) => write!(f, "0 bytes read; is stdout flushed?"),
            Waited::Silence(Some(how)) => write!(f, "0 bytes read; is stdout flushed, {how}?"),
            Waited::Computing => write!(f, "it computed all the time: a loop without end?"),
            Waited::PartialLine(line) => write!(f, "partial line {line}, no newline"),
            Waited::Comments(1) => write!(f, "1 comment, nothing else"),
            Waited::Comments(count) => write!(f, "{count} comments, nothing else"),
            Waited::Fuel => write!(f, "its fuel is used up"),
            Waited::Processor(time) => write!(f, "it computed for {} s", time.as_secs()),
            Waited::Person => write!(f, "a person plays"),
        }
    }
}

/// The reason why a bot could not continue: what it did to the dialogue, whichever game that is
/// about. Printed, a fault is the end of a sentence that begins with the bot's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No reply came in time.
    Timeout {
        /// The request's first word.
        request: String,
        /// The time that it had.
        limit: Duration,
        /// The kind of silence.
        waited: Waited,
    },
    /// It used up the time that it had for the whole game.
    OutOfTime {
        /// The request's first word.
        request: String,
        /// The time that was left when it was asked.
        left: Duration,
        /// The time that it had at the beginning of the game.
        total: Duration,
        /// The time that each reply added.
        increment: Duration,
        /// The kind of silence.
        waited: Waited,
    },
    /// It did not read its input.
    NotReading {
        /// The request's first word.
        request: String,
        /// The time that it had; `None` if time was not the reason.
        limit: Option<Duration>,
    },
    /// It said a line that was longer than the protocol allows; its beginning.
    LineTooLong(String),
    /// It said far more than it was asked for.
    Flood,
    /// It closed its output and lived on.
    ClosedOutput {
        /// The request's first word.
        request: String,
    },
    /// It took more than its sandbox allows: what.
    UsedTooMuch(String),
    /// Its program could not be started. Why, and what to try.
    NotStarted(String),
    /// It is a WebAssembly module, and did what no module may do.
    Trapped {
        /// The forbidden action, and its time.
        what: String,
        /// The end of what it wrote to standard error, fit to be shown.
        last_words: Option<String>,
    },
    /// It ended, by itself or by a signal.
    Exited {
        /// Its exit status.
        status: ExitStatus,
        /// The end of what it wrote to standard error, fit to be shown.
        last_words: Option<String>,
    },
}

impl Fault {
    /// Returns the reason of a game that ends by this fault.
    #[must_use]
    pub fn ended_by(&self) -> EndedBy {
        match self {
            Fault::Timeout { .. } => EndedBy::Timeout,
            Fault::OutOfTime { .. } => EndedBy::OutOfTime,
            Fault::NotReading { .. } => EndedBy::NotReading,
            Fault::LineTooLong(_) => EndedBy::LineTooLong,
            Fault::Flood => EndedBy::Flood,
            Fault::ClosedOutput { .. } => EndedBy::ClosedOutput,
            Fault::UsedTooMuch(_) => EndedBy::UsedTooMuch,
            Fault::NotStarted(_) => EndedBy::CouldNotStart,
            Fault::Trapped { .. } => EndedBy::Crashed,
            Fault::Exited { status, .. } if system::is_crash(*status) => EndedBy::Crashed,
            Fault::Exited { .. } => EndedBy::Exited,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Timeout {
                request,
                limit,
                waited,
            } => match waited {
                Waited::Person => write!(f, "did not answer within {}", Limit(*limit)),
                Waited::Fuel => write!(
                    f,
                    "no reply to {request} within its fuel of {} million (a loop without end? --fuel gives more)",
                    limit.as_millis()
                ),
                Waited::Processor(time) => write!(
                    f,
                    "no reply to {request} within {} s of processor time, for its fuel of {} million (loads that miss every cache?)",
                    time.as_secs(),
                    limit.as_millis()
                ),
                Waited::Silence(_)
                | Waited::PartialLine(_)
                | Waited::Comments(_)
                | Waited::Computing => {
                    write!(
                        f,
                        "no reply to {request} within {} ({waited})",
                        Limit(*limit)
                    )
                }
            },
            Fault::OutOfTime {
                request,
                left,
                total,
                increment,
                waited,
            } => {
                let left = left.as_millis();
                let total = Limit(*total);
                write!(
                    f,
                    "no reply to {request} in the {left} ms left of its {total} for the game"
                )?;
                if !increment.is_zero() {
                    write!(f, " and {} a reply", Limit(*increment))?;
                }
                write!(f, " ({waited})")
            }
            Fault::NotReading { request, limit } => match limit {
                Some(limit) => {
                    write!(
                        f,
                        "did not read the request {request} within {}",
                        Limit(*limit)
                    )
                }
                None => write!(f, "does not read its input"),
            },
            Fault::LineTooLong(beginning) => write!(
                f,
                "said a line of more than {MAX_LINE} bytes, beginning {beginning}"
            ),
            Fault::Flood => write!(f, "said far more than it was asked for"),
            Fault::ClosedOutput { request } => {
                write!(f, "closed its output without a reply to {request}")
            }
            Fault::NotStarted(reason) | Fault::UsedTooMuch(reason) => write!(f, "{reason}"),
            Fault::Trapped { what, last_words } => write!(f, "{what}; {}", LastWords(last_words)),
            Fault::Exited { status, last_words } => {
                let how = system::how_it_ended(*status);
                write!(f, "{how}; {}", LastWords(last_words))
            }
        }
    }
}

/// The end of a bot's standard error.
struct LastWords<'w>(&'w Option<String>);

impl fmt::Display for LastWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(words) => write!(f, "last words on stderr: {words}"),
            None => write!(f, "nothing on stderr"),
        }
    }
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
