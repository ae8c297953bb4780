//! The end of a game.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use battleship::{BySide, Side};
use bothost::Fault;

/// Declares [`EndedBy`] with its words, which stand in records, in the protocol's `end` lines and in summaries.
macro_rules! ended_by {
    ($($(#[$doc:meta])* $reason:ident = $word:literal,)*) => {
        /// The typed reason why a game ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EndedBy {
            $($(#[$doc])* $reason,)*
        }

        impl EndedBy {
            /// All reasons.
            pub const ALL: &[EndedBy] = &[$(EndedBy::$reason,)*];

            /// Returns the word that stands for the reason.
            pub const fn word(self) -> &'static str {
                match self {
                    $(EndedBy::$reason => $word,)*
                }
            }
        }
    };
}

ended_by! {
    /// The winner sank the whole fleet of the loser.
    FleetSunk = "fleet_sunk",
    /// The loser gave up.
    Resigned = "resigned",
    /// The loser did not reply in time.
    Timeout = "timeout",
    /// The loser used up its time for the whole game.
    OutOfTime = "out_of_time",
    /// The loser did not read its input.
    NotReading = "not_reading",
    /// The loser replied with something else than it was asked for.
    BadReply = "bad_reply",
    /// The loser placed its ships where the rules do not allow it.
    IllegalPlacement = "illegal_placement",
    /// The loser wrote a line longer than the protocol allows.
    LineTooLong = "line_too_long",
    /// The loser wrote far more than it was asked for.
    Flood = "flood",
    /// The loser closed its output.
    ClosedOutput = "closed_output",
    /// The loser took more than its sandbox allows.
    UsedTooMuch = "used_too_much",
    /// The loser's process exited.
    Exited = "exited",
    /// The loser's process was ended by a signal.
    Crashed = "crashed",
    /// No winner: a player could not be started, or was not ready in time.
    CouldNotStart = "could_not_start",
    /// No winner: a player could not place its ships.
    CannotPlace = "cannot_place",
    /// No winner: both players used up their turns.
    TurnCap = "turn_cap",
    /// No winner: the machine was too busy for a fair judgement.
    MachineLate = "machine_late",
    /// No winner: the referee was stopped.
    Interrupted = "interrupted",
}

impl EndedBy {
    /// Whether it is a player's own fault: a forfeit, or a failure that kept the game from being played. In the standings
    /// of a contest both count as lost.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        self.is_forfeit() || matches!(self, EndedBy::CouldNotStart | EndedBy::CannotPlace)
    }

    /// Whether a player lost by breaking the protocol, so that its process was ended.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        match self {
            EndedBy::Timeout
            | EndedBy::OutOfTime
            | EndedBy::NotReading
            | EndedBy::BadReply
            | EndedBy::IllegalPlacement
            | EndedBy::LineTooLong
            | EndedBy::Flood
            | EndedBy::ClosedOutput
            | EndedBy::UsedTooMuch
            | EndedBy::Exited
            | EndedBy::Crashed => true,
            EndedBy::FleetSunk
            | EndedBy::Resigned
            | EndedBy::CouldNotStart
            | EndedBy::CannotPlace
            | EndedBy::TurnCap
            | EndedBy::MachineLate
            | EndedBy::Interrupted => false,
        }
    }
}

/// The word, as in `fleet_sunk`.
impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for EndedBy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for EndedBy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EndedBy, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        let known = EndedBy::ALL.iter().find(|reason| reason.word() == word);
        known.copied().ok_or_else(|| {
            let expected = EndedBy::ALL
                .iter()
                .map(|reason| reason.word())
                .collect::<Vec<_>>();
            D::Error::custom(format!("{word:?} is none of {}", expected.join(", ")))
        })
    }
}

/// The reason of a game that ends by this fault.
impl From<&Fault> for EndedBy {
    fn from(fault: &Fault) -> EndedBy {
        match fault {
            Fault::Timeout { .. } => EndedBy::Timeout,
            Fault::OutOfTime { .. } => EndedBy::OutOfTime,
            Fault::NotReading { .. } => EndedBy::NotReading,
            Fault::LineTooLong(_) => EndedBy::LineTooLong,
            Fault::Flood => EndedBy::Flood,
            Fault::ClosedOutput { .. } => EndedBy::ClosedOutput,
            Fault::UsedTooMuch(_) => EndedBy::UsedTooMuch,
            Fault::NotStarted(_) => EndedBy::CouldNotStart,
            Fault::Trapped { .. } => EndedBy::Crashed,
            Fault::Exited { status, .. } if bothost::is_crash(*status) => EndedBy::Crashed,
            Fault::Exited { .. } => EndedBy::Exited,
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner, or `None`.
    pub winner: Option<Side>,
    /// The player by whom it ended: the winner that sank a fleet, else the player that gave up or failed.
    pub by: Option<Side>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The event, as the end of a sentence that begins with that player's name; a whole sentence if `by` is `None`.
    pub what: String,
}

impl Ending {
    /// The player on `side` failed, so its opponent wins.
    pub(crate) fn lost_by(side: Side, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending {
            winner: Some(side.other()),
            by: Some(side),
            ended_by,
            what: what.into(),
        }
    }

    /// The player on `side` sank the whole fleet of the other.
    pub(super) fn won_by(side: Side) -> Ending {
        let (winner, by) = (Some(side), Some(side));
        Ending {
            winner,
            by,
            ended_by: EndedBy::FleetSunk,
            what: "sank the whole fleet".to_owned(),
        }
    }

    /// The game has no winner.
    pub(super) fn void(by: Option<Side>, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending {
            winner: None,
            by,
            ended_by,
            what: what.into(),
        }
    }

    /// The game has no winner, since the referee was stopped.
    #[must_use]
    pub fn interrupted() -> Ending {
        Ending::void(None, EndedBy::Interrupted, "the game was interrupted")
    }

    /// The game has no winner, since the player on `side` did not get ready for it.
    pub fn could_not_start(side: Side, what: impl fmt::Display) -> Ending {
        Ending::void(
            Some(side),
            EndedBy::CouldNotStart,
            format!("could not start: {what}"),
        )
    }

    /// Whether the game ended since the player on `side` failed, which ends its process too.
    #[must_use]
    pub fn is_failure_of(&self, side: Side) -> bool {
        // Not a bot that could not place its ships: it kept to the protocol and can play the next game.
        let failure = self.ended_by.is_forfeit() || self.ended_by == EndedBy::CouldNotStart;
        failure && self.by == Some(side)
    }

    /// The whole sentence, with the players' names.
    pub fn reason<'n>(&self, names: impl Into<BySide<&'n String>>) -> String {
        let names = names.into();
        match self.by {
            None => self.what.clone(),
            Some(side) if self.ended_by == EndedBy::FleetSunk => {
                let [winner, loser] = [names[side], names[side.other()]];
                format!("{winner} sank the whole fleet of {loser}")
            }
            Some(side) if self.ended_by.is_forfeit() => {
                format!("{} forfeits: {}", names[side], self.what)
            }
            Some(side) => format!("{} {}", names[side], self.what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_one_word() {
        let mut words = std::collections::HashSet::new();
        for reason in EndedBy::ALL {
            let in_record = serde_json::to_string(reason).unwrap();
            assert_eq!(in_record, format!("\"{reason}\""));
            assert_eq!(
                serde_json::from_str::<EndedBy>(&in_record).unwrap(),
                *reason
            );
            assert!(words.insert(reason.word()), "{reason} is two reasons");
        }
        assert_eq!(words.len(), 18);
        let error = serde_json::from_str::<EndedBy>("\"bored\"")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("\"bored\" is none of fleet_sunk, resigned, "),
            "{error}"
        );
    }

    #[test]
    fn a_reason_is_a_sentence() {
        let names = ["awful".to_owned(), "awful 2".to_owned()];
        let forfeit = Ending::lost_by(Side::Two, EndedBy::BadReply, "expected x, got y");
        assert_eq!(
            forfeit.reason(names.each_ref()),
            "awful 2 forfeits: expected x, got y"
        );
        let won = Ending::won_by(Side::Two);
        assert_eq!(
            won.reason(names.each_ref()),
            "awful 2 sank the whole fleet of awful"
        );
        let missing = Ending::could_not_start(Side::One, "no such program");
        assert_eq!(
            missing.reason(names.each_ref()),
            "awful could not start: no such program"
        );
        assert_eq!(
            Ending::interrupted().reason(names.each_ref()),
            "the game was interrupted"
        );
    }
}
