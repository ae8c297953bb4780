//! Explanation of a player's fault by a record alone: the dialogue at that place, and the usual cause.

use battleship::Rules;
use serde::Serialize;

use super::advice::{self, Advice};
use super::asked::Asked;
use super::past::{Heard, next_request, turns_heard_by, was_refused};
use crate::game::EndedBy;
use crate::record::{GameRecord, rules_of};
use bothost::text;

/// The number of turns before the fault that are shown.
const TURNS_SHOWN: usize = 2;

/// A player's fault that ended a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedFault {
    /// The dialogue of its last turns, as far as the record has it: `<-` to the player, `->` from it.
    pub dialogue: Vec<String>,
    /// The expected behaviour.
    pub expected: String,
    /// The usual cause, and how to fix it.
    pub cause: String,
}

/// Returns what the record tells of the fault or the resignation by which the player on `seat`, 0 or 1, ended the game;
/// `None` if it ended in another way.
#[must_use]
pub fn recorded_fault(record: &GameRecord, seat: usize) -> Option<RecordedFault> {
    let reason = record.ended_by;
    let is_own = record.by == Some(seat) && (reason.is_fault() || reason == EndedBy::Resigned);
    if !is_own {
        return None;
    }
    let asked = asked(record, seat);
    let said = said(record, seat);
    let Advice {
        expected, cause, ..
    } = match (reason, asked, &said) {
        (EndedBy::BadReply, Some(asked), Some(said)) => {
            advice::on_bad_reply(asked, said.as_bytes(), None, false)
        }
        (_, asked, _) => advice::on_record(reason, asked.unwrap_or(Asked::Greeting)),
    };
    Some(RecordedFault {
        dialogue: dialogue(record, seat, asked, said),
        expected,
        cause,
    })
}

/// Returns what the player on `seat` was asked for when it failed; `None` if it was not its turn.
pub(super) fn asked(record: &GameRecord, seat: usize) -> Option<Asked> {
    if record.ended_by == EndedBy::CouldNotStart {
        return Some(Asked::Greeting);
    }
    if record.fleets[seat].is_none() || was_refused(record, seat) {
        return Some(Asked::Placement);
    }
    // The opponent was to place its ships, and no turn had begun.
    record.fleets[1 - seat].as_ref()?;
    let last = record.turns().last().map(|turn| turn.mover.other().index());
    let mover = last.unwrap_or(record.first);
    (mover == seat).then(|| turn_of(record))
}

/// Returns what the player was asked for whose turn it was.
fn turn_of(record: &GameRecord) -> Asked {
    Asked::of_turn(&next_request(record, &rules_in(record)))
}

/// Returns the rules; the usual ones of that game, if the record has impossible ones.
fn rules_in(record: &GameRecord) -> Rules {
    rules_of(record).unwrap_or_else(|_| Rules::usual(record.rules))
}

/// Returns the wrong reply of the player on `seat` that the reason quotes, if it quotes the whole of one.
fn said(record: &GameRecord, seat: usize) -> Option<String> {
    // Its name comes first, and may have the same words.
    let (_, quoted) = record
        .reason
        .strip_prefix(&record.players[seat].name)?
        .split_once("got \"")?;
    let quoted = match quoted.strip_suffix('"') {
        Some(quoted) => quoted,
        // Behind it the reason may say in parentheses what is wrong.
        None => quoted.rsplit_once("\" (")?.0,
    };
    (!quoted.ends_with('…')).then(|| quoted.to_owned())
}

fn dialogue(
    record: &GameRecord,
    seat: usize,
    asked: Option<Asked>,
    said: Option<String>,
) -> Vec<String> {
    let turns = turns_heard_by(record, &rules_in(record), seat);
    // From the request of a turn of its own on.
    let own = turns
        .iter()
        .enumerate()
        .filter(|(_, turn)| matches!(turn, Heard::Own(..)));
    let first = own.rev().nth(TURNS_SHOWN - 1).map_or(0, |(place, _)| place);
    let mut lines = Vec::new();
    for turn in &turns[first..] {
        match turn {
            Heard::Own(request, reply, results) => {
                lines.extend([format!("<- {request}"), format!("-> {reply}")]);
                lines.extend(results.iter().map(|result| format!("<- {result}")));
            }
            Heard::Opponents(notice) => lines.push(format!("<- {notice}")),
        }
    }
    lines.extend(asked.map(|asked| format!("<- {}", asked.request())));
    lines.extend(said.map(|said| format!("-> {said}")));
    lines
        .iter()
        .map(|line| text::shown(line.as_bytes()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use battleship::{AttackResult, Game, PlayedTurn, Point, Side, Turn};

    use super::*;
    use crate::record::Placed;
    use crate::tests::player;

    fn record(ended_by: EndedBy, reason: &str) -> GameRecord {
        let rules = Rules::classic(Game::standard());
        let mut record = GameRecord::new(&rules, 1, 9, [player("got \"x\""), player("b")]);
        record.fleets = [const { Some(Vec::<Placed>::new()) }; 2];
        for (col, mover) in (2..=7).zip(Side::BOTH.into_iter().cycle()) {
            let turn = Turn::Attack {
                at: Point::new(1, col),
                result: AttackResult::Miss,
            };
            record
                .turns_mut()
                .push(PlayedTurn::new(mover, turn, Duration::ZERO));
        }
        (record.ended_by, record.by, record.reason) = (ended_by, Some(0), reason.to_owned());
        record
    }

    #[test]
    fn a_wrong_reply_is_shown_with_advice() {
        let reason = "got \"x\" forfeits: expected \"attack ROW COL\", got \"fire 3 4\"";
        let fault = recorded_fault(&record(EndedBy::BadReply, reason), 0).unwrap();
        let dialogue = [
            "<- attack",
            "-> attack 1 4",
            "<- result 1 4 miss",
            "<- opponent 1 5",
            "<- attack",
            "-> attack 1 6",
            "<- result 1 6 miss",
            "<- opponent 1 7",
            "<- attack",
            "-> fire 3 4",
        ];
        assert_eq!(fault.dialogue, dialogue);
        assert!(
            fault
                .cause
                .contains("has to be \"attack\", and it is \"fire\""),
            "{fault:?}"
        );
    }

    #[test]
    fn a_player_not_asked_has_no_request() {
        let mut record = record(EndedBy::Exited, "got \"x\" forfeits: exited with status 3");
        record.turns_mut().pop();
        let fault = recorded_fault(&record, 0).unwrap();
        assert_eq!(fault.dialogue.last().unwrap(), "<- result 1 6 miss");
        assert!(fault.cause.contains("ended by itself"), "{fault:?}");
        assert_eq!(recorded_fault(&record, 1), None);
    }

    #[test]
    fn an_illegal_placement_has_advice_of_its_own() {
        let mut record = record(
            EndedBy::IllegalPlacement,
            "got \"x\" forfeits: ships overlap",
        );
        record.fleets[0] = None;
        record.turns_mut().clear();
        let fault = recorded_fault(&record, 0).unwrap();
        assert_eq!(fault.dialogue, ["<- place"]);
        assert!(fault.cause.contains("count from 0"), "{fault:?}");
    }
}
