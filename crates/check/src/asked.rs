//! The requests that a check makes to a bot.

use std::fmt;

use battleship::protocol::{Reply, Request, VERSION};

/// One of the requests that a bot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Its greeting.
    Greeting,
    /// The places of its ships.
    Placement,
    /// Its attack.
    Attack,
    /// The cells of that many shots.
    Salvo(usize),
    /// Its order in the twist game.
    Order,
}

impl Asked {
    /// Returns what a request in a game asks for; `None` for lines that are not answered, and for the greeting.
    pub(super) fn in_game(request: &Request) -> Option<Asked> {
        let asks = [Asked::Placement, Asked::Attack, Asked::Order];
        if let Request::Salvo(shots) = request {
            return Some(Asked::Salvo(*shots));
        }
        asks.into_iter().find(|asked| asked.request() == *request)
    }

    /// Returns what a request for a turn asks for.
    pub(super) fn of_turn(request: &Request) -> Asked {
        Asked::in_game(request).expect("a turn is asked for with one of these words")
    }

    /// Returns the request.
    pub(super) const fn request(self) -> Request {
        match self {
            Asked::Greeting => Request::Battleship(VERSION),
            Asked::Placement => Request::Place,
            Asked::Attack => Request::Attack,
            Asked::Salvo(shots) => Request::Salvo(shots),
            Asked::Order => Request::Act,
        }
    }

    /// Returns the first word of the request.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Asked::Greeting => "battleship",
            Asked::Placement => "place",
            Asked::Attack => "attack",
            Asked::Salvo(_) => "salvo",
            Asked::Order => "act",
        }
    }

    /// Returns the first word of the line that answers it.
    pub(super) const fn first_word_of_reply(self) -> &'static str {
        match self {
            Asked::Greeting => "ready",
            Asked::Placement | Asked::Attack | Asked::Salvo(_) | Asked::Order => self.word(),
        }
    }

    /// Returns what answers it, in words.
    pub(super) fn expected(self) -> String {
        let reply = match self {
            Asked::Greeting => {
                "\"ready\" (before it name, author, plays or human, each on a line of its own)"
            }
            Asked::Placement => {
                "\"place ROW COL h|v ...\", three words for each ship, or \"place none\""
            }
            Asked::Attack => "\"attack ROW COL\"",
            Asked::Salvo(_) => "\"salvo ROW COL ROW COL ...\", with as many cells as it names",
            Asked::Order => "\"act ROW COL ROW COL\"",
        };
        format!("one line in answer to {self}: {reply}")
    }

    /// Returns what such a reply answers, or `None` if it may answer anything.
    pub(super) fn answered_by(reply: &Reply) -> Option<Asked> {
        match reply {
            Reply::Ready => Some(Asked::Greeting),
            Reply::Place(_) | Reply::PlaceNone => Some(Asked::Placement),
            Reply::Attack(_) => Some(Asked::Attack),
            Reply::Salvo(cells) => Some(Asked::Salvo(cells.len())),
            Reply::Act(_) => Some(Asked::Order),
            Reply::Name(_)
            | Reply::Author(_)
            | Reply::Plays { .. }
            | Reply::Human
            | Reply::Resign
            | Reply::Comment(_) => None,
        }
    }
}

/// The first word of the request.
impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_the_first_of_the_request() {
        for asked in [
            Asked::Greeting,
            Asked::Placement,
            Asked::Attack,
            Asked::Salvo(3),
            Asked::Order,
        ] {
            let request = asked.request().to_string();
            assert_eq!(request.split(' ').next(), Some(asked.word()));
        }
    }
}
