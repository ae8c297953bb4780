//! Replies, and what it means for a game if one is missing or wrong.

use std::io;

use battleship::protocol::{MalformedLine, Reply};

use super::{EndedBy, Ending, Stop};
use bothost::{AskError, Side, text};

/// The reason why a game does not continue.
#[derive(Debug)]
pub enum GameStopped {
    /// It has ended.
    Ended(Ending),
    /// The referee or its machine has failed.
    Failed(io::Error),
}

impl GameStopped {
    /// Returns what it means for the game that the player on `side` gave no answer.
    #[must_use]
    pub fn without_answer(side: Side, error: AskError) -> GameStopped {
        match error {
            AskError::Fault(fault) => GameStopped::Ended(Ending::lost_by(
                side,
                EndedBy::from(&fault),
                fault.to_string(),
            )),
            AskError::MachineLate(what) => {
                GameStopped::Ended(Ending::void(None, EndedBy::MachineLate, what))
            }
            AskError::Interrupted => GameStopped::Ended(Ending::interrupted()),
            AskError::Io(error) => GameStopped::Failed(error),
        }
    }
}

impl From<Ending> for GameStopped {
    fn from(ending: Ending) -> GameStopped {
        GameStopped::Ended(ending)
    }
}

impl From<Stop> for GameStopped {
    fn from(stop: Stop) -> GameStopped {
        match stop {
            Stop::Interrupted => GameStopped::Ended(Ending::interrupted()),
            Stop::Io(error) => GameStopped::Failed(error),
        }
    }
}

impl From<io::Error> for GameStopped {
    fn from(error: io::Error) -> GameStopped {
        GameStopped::Failed(error)
    }
}

/// Returns the reply that the player on `side` gave in `line`.
///
/// # Errors
/// If the player resigns, or if the line is not a well-formed reply: both end the game. `expected` says in words what was
/// asked for; it is called for a line that is wrong.
pub fn understand(side: Side, expected: impl Fn() -> String, line: &[u8]) -> Result<Reply, Ending> {
    match Reply::parse(line) {
        Ok(Reply::Resign) => Err(Ending::lost_by(side, EndedBy::Resigned, "resigned")),
        Ok(reply) => Ok(reply),
        Err(why) => Err(bad_reply(side, &expected(), line, Some(&why))),
    }
}

/// Returns the ending of a game in which the player on `side` said `line` instead of what was `expected`; `why` if the
/// line is not well-formed.
#[must_use]
pub fn bad_reply(side: Side, expected: &str, line: &[u8], why: Option<&MalformedLine>) -> Ending {
    let got = text::excerpt(line);
    let hint = match why {
        // Of these the quotation says enough, if its characters are what they look like.
        None
        | Some(
            MalformedLine::UnknownCommand
            | MalformedLine::Empty
            | MalformedLine::TooFewWords
            | MalformedLine::TooManyWords,
        ) => {
            if line.is_ascii() {
                String::new()
            } else {
                " (replies are ASCII; other characters are quoted as their codes)".to_owned()
            }
        }
        Some(
            why @ (MalformedLine::NotUtf8(_)
            | MalformedLine::Spaces
            | MalformedLine::Number(_)
            | MalformedLine::Word(_)),
        ) => format!(" ({})", text::shortened(&why.to_string())),
    };
    Ending::lost_by(
        side,
        EndedBy::BadReply,
        format!("expected {expected}, got {got}{hint}"),
    )
}
