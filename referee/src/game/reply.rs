use std::io;

use battleship::protocol::{MalformedLine, Reply};

use super::{EndedBy, Ending, Stop};
use bothost::{AskError, Side, text};

/// Why a game does not go on.
#[derive(Debug)]
pub(crate) enum Over {
    /// It has ended.
    Ended(Ending),
    /// The referee or its machine has failed.
    Failed(io::Error),
}

impl Over {
    /// What it means for the game that a question to the player on `side` has no answer.
    pub(crate) fn of(side: Side, error: AskError) -> Over {
        match error {
            AskError::Fault(fault) => {
                Over::Ended(Ending::lost_by(side, EndedBy::from(&fault), fault.to_string()))
            }
            AskError::MachineLate(late) => {
                let late = late.as_millis();
                let what =
                    format!("the referee woke up {late} ms late, so nobody knows who was late");
                Over::Ended(Ending::void(None, EndedBy::MachineLate, what))
            }
            AskError::Interrupted => Over::Ended(Ending::interrupted()),
            AskError::Io(error) => Over::Failed(error),
        }
    }
}

impl From<Ending> for Over {
    fn from(ending: Ending) -> Over {
        Over::Ended(ending)
    }
}

impl From<Stop> for Over {
    fn from(stop: Stop) -> Over {
        match stop {
            Stop::Interrupted => Over::Ended(Ending::interrupted()),
            Stop::Io(error) => Over::Failed(error),
        }
    }
}

impl From<io::Error> for Over {
    fn from(error: io::Error) -> Over {
        Over::Failed(error)
    }
}

/// The reply that the player on `side` gave; one that resigns, or that is not well-formed where `expected`
/// belongs, ends the game.
pub(crate) fn understand(side: Side, expected: &str, line: &[u8]) -> Result<Reply, Ending> {
    match Reply::parse(line) {
        Ok(Reply::Resign) => Err(Ending::lost_by(side, EndedBy::Resigned, "resigned")),
        Ok(reply) => Ok(reply),
        Err(why) => Err(bad_reply(side, expected, line, Some(&why))),
    }
}

/// The player on `side` said `line`, which is not what was `expected`; `why` if it is not well-formed.
pub(crate) fn bad_reply(
    side: Side,
    expected: &str,
    line: &[u8],
    why: Option<&MalformedLine>,
) -> Ending {
    let got = text::excerpt(line);
    let hint = match why {
        // Of these the quotation says enough.
        None
        | Some(
            MalformedLine::UnknownCommand
            | MalformedLine::Empty
            | MalformedLine::TooFewWords
            | MalformedLine::TooManyWords,
        ) => String::new(),
        Some(
            why @ (MalformedLine::NotUtf8(_)
            | MalformedLine::Spaces
            | MalformedLine::Number(_)
            | MalformedLine::Word(_)),
        ) => format!(" ({})", text::shortened(&why.to_string())),
    };
    Ending::lost_by(side, EndedBy::BadReply, format!("expected {expected}, got {got}{hint}"))
}
