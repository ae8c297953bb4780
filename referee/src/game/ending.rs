//! How a game ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use bothost::{Fault, Side};

/// The typed reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndedBy {
    /// The winner sank the whole fleet of the loser.
    FleetSunk,
    /// The loser gave up.
    Resigned,
    /// The loser did not reply in time.
    Timeout,
    /// The loser did not read what it was told.
    NotReading,
    /// The loser said something else than what it was asked for.
    BadReply,
    /// The loser placed its ships where they cannot be.
    IllegalPlacement,
    /// The loser said a line longer than the protocol allows.
    LineTooLong,
    /// The loser said far more than it was asked for.
    Flood,
    /// The loser closed its output.
    ClosedOutput,
    /// The loser took more than its sandbox allows.
    UsedTooMuch,
    /// The loser's process exited.
    Exited,
    /// The loser's process was ended by a signal.
    Crashed,
    /// Nobody won: a player could not be started, or was not ready in time.
    CouldNotStart,
    /// Nobody won: a player could not place its ships.
    CannotPlace,
    /// Nobody won: both players used up their attacks.
    TurnCap,
    /// Nobody won: the machine was too busy for a fair judgement.
    MachineLate,
    /// Nobody won: somebody stopped the referee.
    Interrupted,
}

impl EndedBy {
    /// Whether it is a player's own fault: a forfeit, or a failure that kept the game from being played. In a contest
    /// it loses either way.
    pub(crate) const fn is_fault(self) -> bool {
        self.is_forfeit() || matches!(self, EndedBy::CouldNotStart | EndedBy::CannotPlace)
    }

    /// Whether a player lost by breaking the protocol, so that its process was ended.
    pub(crate) const fn is_forfeit(self) -> bool {
        match self {
            EndedBy::Timeout
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

/// As records have it: `fleet_sunk`.
impl fmt::Display for EndedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndedBy::FleetSunk => "fleet_sunk",
            EndedBy::Resigned => "resigned",
            EndedBy::Timeout => "timeout",
            EndedBy::NotReading => "not_reading",
            EndedBy::BadReply => "bad_reply",
            EndedBy::IllegalPlacement => "illegal_placement",
            EndedBy::LineTooLong => "line_too_long",
            EndedBy::Flood => "flood",
            EndedBy::ClosedOutput => "closed_output",
            EndedBy::UsedTooMuch => "used_too_much",
            EndedBy::Exited => "exited",
            EndedBy::Crashed => "crashed",
            EndedBy::CouldNotStart => "could_not_start",
            EndedBy::CannotPlace => "cannot_place",
            EndedBy::TurnCap => "turn_cap",
            EndedBy::MachineLate => "machine_late",
            EndedBy::Interrupted => "interrupted",
        })
    }
}

/// The typed reason that a fault is.
impl From<&Fault> for EndedBy {
    fn from(fault: &Fault) -> EndedBy {
        match fault {
            Fault::Early | Fault::NoLineFeed => EndedBy::BadReply,
            Fault::Timeout { .. } => EndedBy::Timeout,
            Fault::NotReading { .. } => EndedBy::NotReading,
            Fault::LineTooLong(_) => EndedBy::LineTooLong,
            Fault::Flood => EndedBy::Flood,
            Fault::ClosedOutput { .. } => EndedBy::ClosedOutput,
            Fault::UsedTooMuch(_) => EndedBy::UsedTooMuch,
            Fault::NotStarted(_) => EndedBy::CouldNotStart,
            Fault::Exited { status, .. } if status.code().is_none() => EndedBy::Crashed,
            Fault::Exited { .. } => EndedBy::Exited,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Who won, if anybody did.
    pub(crate) winner: Option<Side>,
    /// Whose doing it was: the winner's where a fleet was sunk, else that of the player who gave up or failed.
    pub(crate) by: Option<Side>,
    /// The typed reason.
    pub(crate) ended_by: EndedBy,
    /// What happened, as the end of a sentence that begins with the name of the player whose doing it was; a
    /// whole sentence if it was nobody's.
    pub(crate) what: String,
}

impl Ending {
    /// The player on `side` failed, so its opponent wins.
    pub(super) fn lost_by(side: Side, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending { winner: Some(side.other()), by: Some(side), ended_by, what: what.into() }
    }

    /// The player on `side` sank the whole fleet of the other.
    pub(super) fn won_by(side: Side) -> Ending {
        let (winner, by) = (Some(side), Some(side));
        Ending { winner, by, ended_by: EndedBy::FleetSunk, what: "sank the whole fleet".to_owned() }
    }

    /// Nobody wins.
    pub(super) fn void(by: Option<Side>, ended_by: EndedBy, what: impl Into<String>) -> Ending {
        Ending { winner: None, by, ended_by, what: what.into() }
    }

    /// Nobody wins, since somebody stopped the referee.
    pub(crate) fn interrupted() -> Ending {
        Ending::void(None, EndedBy::Interrupted, "the game was interrupted")
    }

    /// Nobody wins, since the player on `side` did not get as far as a game.
    pub(crate) fn could_not_start(side: Side, what: impl fmt::Display) -> Ending {
        Ending::void(Some(side), EndedBy::CouldNotStart, format!("could not start: {what}"))
    }

    /// Nobody wins, since the machine could not start a player, for which nobody is to blame.
    pub(crate) fn machine_could_not_start(what: impl fmt::Display) -> Ending {
        let what = format!("a player could not be started: {what}");
        Ending::void(None, EndedBy::CouldNotStart, what)
    }

    /// Whether the game ended since the player on `side` failed, which ends its process too.
    pub(crate) fn is_failure_of(&self, side: Side) -> bool {
        let failure = self.ended_by.is_forfeit() || self.ended_by == EndedBy::CouldNotStart;
        failure && self.by == Some(side)
    }

    /// The whole sentence, with the players' names.
    pub(crate) fn reason(&self, names: &[String; 2]) -> String {
        match self.by {
            None => self.what.clone(),
            Some(side) if self.ended_by == EndedBy::FleetSunk => {
                let [winner, loser] = [side, side.other()].map(|side| &names[side.index()]);
                format!("{winner} sank the whole fleet of {loser}")
            }
            Some(side) if self.ended_by.is_forfeit() => {
                format!("{} forfeits: {}", names[side.index()], self.what)
            }
            Some(side) => format!("{} {}", names[side.index()], self.what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_for_a_reason_is_the_one_in_records() {
        for reason in [EndedBy::FleetSunk, EndedBy::CouldNotStart, EndedBy::Crashed] {
            let in_record = serde_json::to_string(&reason).unwrap();
            assert_eq!(in_record, format!("\"{reason}\""));
        }
    }

    #[test]
    fn a_reason_is_a_sentence_that_says_who_and_why() {
        let names = ["awful".to_owned(), "awful 2".to_owned()];
        let forfeit = Ending::lost_by(Side::Two, EndedBy::BadReply, "expected x, got y");
        assert_eq!(forfeit.reason(&names), "awful 2 forfeits: expected x, got y");
        let won = Ending::won_by(Side::Two);
        assert_eq!(won.reason(&names), "awful 2 sank the whole fleet of awful");
        let missing = Ending::could_not_start(Side::One, "no such program");
        assert_eq!(missing.reason(&names), "awful could not start: no such program");
        assert_eq!(Ending::interrupted().reason(&names), "the game was interrupted");
    }
}
