//! The end of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BySide, Side};

/// What a reason says of the player by whom the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// No fault: the game was played to its end, a player gave up, or neither can help it.
    None,
    /// It broke the protocol and lost.
    Forfeit,
    /// It kept the game from being played. In the standings of a contest that counts as lost.
    NotPlayed,
}

/// Makes the type of the reasons: each variant with its word and its blame.
macro_rules! reasons {
    ($($(#[$about:meta])* $reason:ident: $word:literal, $blame:ident;)*) => {
        /// The typed reason why a game ended. Its word stands in records, in `end` lines and in
        /// summaries.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum EndedBy {
            $($(#[$about])* #[serde(rename = $word)] $reason,)*
        }

        /// Each reason with its word and its blame, in the order of the variants.
        const REASONS: &[(EndedBy, &str, Blame)] =
            &[$((EndedBy::$reason, $word, Blame::$blame),)*];
    };
}

reasons! {
    /// The winner sank the whole fleet of the loser.
    FleetSunk: "fleet_sunk", None;
    /// The winner won by the rules of a game that a judge knows.
    Won: "won", None;
    /// Neither won by the rules of a game that a judge knows: half a point for each.
    Drawn: "drawn", None;
    /// The loser gave up.
    Resigned: "resigned", None;
    /// The loser did not reply in time.
    Timeout: "timeout", Forfeit;
    /// The loser used up its time for the whole game.
    OutOfTime: "out_of_time", Forfeit;
    /// The loser did not read its input.
    NotReading: "not_reading", Forfeit;
    /// The loser replied with something else than it was asked for.
    BadReply: "bad_reply", Forfeit;
    /// The loser placed its ships where the rules do not allow it.
    IllegalPlacement: "illegal_placement", Forfeit;
    /// The loser wrote a line longer than the protocol allows.
    LineTooLong: "line_too_long", Forfeit;
    /// The loser wrote far more than it was asked for.
    Flood: "flood", Forfeit;
    /// The loser closed its output.
    ClosedOutput: "closed_output", Forfeit;
    /// The loser took more than its sandbox allows.
    UsedTooMuch: "used_too_much", Forfeit;
    /// The loser's process exited.
    Exited: "exited", Forfeit;
    /// The loser's process was ended by a signal.
    Crashed: "crashed", Forfeit;
    /// No winner: a player could not be started, or was not ready in time.
    CouldNotStart: "could_not_start", NotPlayed;
    /// No winner: a player could not place its ships.
    CannotPlace: "cannot_place", NotPlayed;
    /// No winner: both players used up their turns.
    TurnCap: "turn_cap", None;
    /// No winner: the machine was too busy for a fair judgement, or ran out of memory.
    MachineLate: "machine_late", None;
    /// No winner: the judge of the game failed.
    JudgeFailed: "judge_failed", None;
    /// No winner: the referee was stopped.
    Interrupted: "interrupted", None;
}

impl EndedBy {
    /// Returns all reasons.
    pub fn all() -> impl Iterator<Item = EndedBy> {
        REASONS.iter().map(|(reason, _, _)| *reason)
    }

    /// Returns the word that stands for the reason.
    #[must_use]
    pub const fn word(self) -> &'static str {
        REASONS[self as usize].1
    }

    /// Returns the blame of the player by whom the game ended.
    #[must_use]
    pub const fn blame(self) -> Blame {
        REASONS[self as usize].2
    }

    /// Returns whether the reason is a player's own fault.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self.blame() != Blame::None
    }

    /// Returns whether the rules of the game decided it: neither a fault, nor a cap, nor a player
    /// that gave up.
    #[must_use]
    pub fn is_by_rules(self) -> bool {
        matches!(self, EndedBy::FleetSunk | EndedBy::Won | EndedBy::Drawn)
    }

    /// Returns whether a player lost by breaking the protocol, so that its process was ended.
    #[must_use]
    pub fn is_forfeit(self) -> bool {
        self.blame() == Blame::Forfeit
    }
}

/// The word, as in `fleet_sunk`.
impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner, or `None`.
    pub winner: Option<Side>,
    /// The player by whom it ended: the winner by the rules, else the player that gave up or
    /// failed, or after whose reply the judge failed.
    pub by: Option<Side>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The event, as the end of a sentence that begins with that player's name; a whole sentence if
    /// `by` is `None`. What a judge gave as its reason, and what a judge did wrong.
    pub what: String,
}

impl Ending {
    /// Returns the end of a game in which the player on `side` failed, so that its opponent wins.
    pub fn lost_by(side: Side, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending {
            winner: Some(side.other()),
            by: Some(side),
            ended_by,
            what: what.into(),
        }
    }

    /// Returns the end of a game in which the player on `side` sank the whole fleet of the other.
    #[must_use]
    pub fn won_by(side: Side) -> Ending {
        Ending {
            winner: Some(side),
            by: Some(side),
            ended_by: EndedBy::FleetSunk,
            what: "sank the whole fleet".to_owned(),
        }
    }

    /// Returns the end of a game without a winner.
    pub fn void(by: Option<Side>, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending {
            winner: None,
            by,
            ended_by,
            what: what.into(),
        }
    }

    /// Returns the end of a game without a winner, since the referee was stopped.
    #[must_use]
    pub fn interrupted() -> Ending {
        Ending::void(None, EndedBy::Interrupted, "the game was interrupted")
    }

    /// Returns the end of a game without a winner, since the player on `side` did not get ready for
    /// it.
    pub fn could_not_start(side: Side, what: impl fmt::Display) -> Ending {
        let what = format!("could not start: {what}");
        Ending::void(Some(side), EndedBy::CouldNotStart, what)
    }

    /// Returns whether the game ended since the player on `side` failed, which ends its process
    /// too.
    #[must_use]
    pub fn is_failure_of(&self, side: Side) -> bool {
        // Not a bot that could not place its ships: it kept to the protocol and can play the next
        // game.
        let failure = self.ended_by.is_forfeit() || self.ended_by == EndedBy::CouldNotStart;
        failure && self.by == Some(side)
    }

    /// Returns the whole sentence, with the players' names.
    pub fn reason<'n>(&self, names: impl Into<BySide<&'n String>>) -> String {
        let names = names.into();
        let what = &self.what;
        let Some(by) = self.by.filter(|_| self.ended_by != EndedBy::JudgeFailed) else {
            let drawn = if self.ended_by == EndedBy::Drawn {
                "drawn: "
            } else {
                ""
            };
            return format!("{drawn}{what}");
        };
        let name = names[by];
        if self.ended_by.is_forfeit() {
            format!("{name} forfeits: {what}")
        } else if self.ended_by == EndedBy::Won {
            format!("{name} won: {what}")
        } else if self.ended_by == EndedBy::FleetSunk {
            format!("{name} sank the whole fleet of {}", names[by.other()])
        } else {
            format!("{name} {what}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_a_word() {
        for reason in EndedBy::all() {
            let in_record = serde_json::to_string(&reason).unwrap();
            assert_eq!(in_record, format!("\"{reason}\""));
            assert_eq!(serde_json::from_str::<EndedBy>(&in_record).unwrap(), reason);
        }
        let error = serde_json::from_str::<EndedBy>("\"bored\"").unwrap_err();
        let start = "unknown variant `bored`, expected one of `fleet_sunk`, `won`, `drawn`, ";
        assert!(error.to_string().starts_with(start), "{error}");
    }

    #[test]
    fn a_reason_is_a_sentence() {
        let names = ["awful".to_owned(), "awful 2".to_owned()];
        for (ending, reason) in [
            (
                Ending::lost_by(Side::Two, EndedBy::BadReply, "expected x, got y"),
                "awful 2 forfeits: expected x, got y",
            ),
            (
                Ending::won_by(Side::Two),
                "awful 2 sank the whole fleet of awful",
            ),
            (
                Ending::could_not_start(Side::One, "no such program"),
                "awful could not start: no such program",
            ),
            (Ending::interrupted(), "the game was interrupted"),
        ] {
            assert_eq!(ending.reason(names.each_ref()), reason);
        }
    }
}
