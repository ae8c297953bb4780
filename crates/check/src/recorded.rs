//! The fault with which a recorded game ended, with the end of its dialogue and what may be the
//! cause.

use arena::game::EndedBy;
use arena::record::GameLine;
use battleship::protocol::Request;
use bothost::{Side, text};
use serde::Serialize;
use wire::game::{GameReader, Speaker};

use crate::advice::{self, Advice};
use crate::general::judged;
use crate::request::GREETING;

/// The number of the player's turns that are shown before the fault.
const TURNS_SHOWN: usize = 2;

/// The lines before the fault that are shown of a game that a judge knows.
const LINES_SHOWN: usize = 8;

/// A fault, as the record of a game shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedFault {
    /// The last lines of the dialogue with the player, as `--transcript` marks them.
    pub dialogue: Vec<String>,
    /// What the protocol expects.
    pub expected: String,
    /// What may be the cause.
    pub cause: String,
}

/// Returns the fault or the resignation of the player on `side` with which `game` ended, if it did.
/// `reader` reads its line.
#[must_use]
pub fn recorded_fault(
    game: &GameLine,
    reader: &dyn GameReader,
    side: Side,
) -> Option<RecordedFault> {
    let reason = game.ended_by;
    if game.by != Some(side) || !(reason.is_fault() || reason == EndedBy::Resigned) {
        return None;
    }
    let mut lines = reader.dialogue(&game.json).unwrap_or_default();
    lines.retain(|line| line.side == side && reason != EndedBy::CouldNotStart);
    let request = match lines.last() {
        _ if reason == EndedBy::CouldNotStart => Some(GREETING),
        Some(last) if last.from == Speaker::Request => Request::parse(last.text.as_bytes()).ok(),
        Some(_) | None => None,
    };
    let reply = recorded_reply(game, side);
    let advice = match (&request, &reply) {
        (Some(request), Some(reply)) if reason == EndedBy::BadReply => {
            advice::on_bad_reply(request, reply.as_bytes(), None, false)
        }
        _ => advice::on_record(reason, request.as_ref().unwrap_or(&GREETING)),
    };
    let is_judged = game.is_judged();
    let advice = if is_judged {
        let asked = lines.iter().rfind(|line| line.from == Speaker::Request);
        let request = asked.map_or("its request", |asked| &*asked.text);
        let expected = format!("a reply to {request} that the rules of the game allow, in time");
        Advice::usual(expected, judged::cause(reason))
    } else {
        advice
    };
    let mut replies: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.from == Speaker::Reply {
            replies.push(at);
        }
    }
    // The first reply is the placement; what comes before it announces the game.
    let first = match replies.len().checked_sub(TURNS_SHOWN) {
        _ if is_judged => lines.len().saturating_sub(LINES_SHOWN),
        // From the request on that the reply answers.
        Some(hidden @ 1..) => replies[hidden] - 1,
        Some(0) | None => replies
            .first()
            .map_or(lines.len(), |placement| placement + 1),
    };
    let mut dialogue: Vec<String> = Vec::new();
    for line in &lines[first..] {
        let mark = if line.from == Speaker::Reply {
            "->"
        } else {
            "<-"
        };
        dialogue.push(format!("{mark} {}", line.text));
    }
    if dialogue.is_empty() {
        dialogue.extend(request.map(|request| format!("<- {request}")));
    }
    dialogue.extend(reply.map(|reply| format!("-> {reply}")));
    for line in &mut dialogue {
        *line = text::shown(line.as_bytes());
    }
    Some(RecordedFault {
        dialogue,
        expected: advice.expected,
        cause: advice.cause,
    })
}

/// Returns the reply that the reason quotes, if it quotes all of it.
fn recorded_reply(game: &GameLine, side: Side) -> Option<String> {
    let (_, quoted) = game
        .reason
        .strip_prefix(&game.players[side].name)?
        .split_once("got \"")?;
    let quoted = match quoted.strip_suffix('"') {
        Some(quoted) => quoted,
        None => quoted.rsplit_once("\" (")?.0,
    };
    (!quoted.ends_with('…')).then(|| quoted.to_owned())
}

#[cfg(test)]
mod tests {
    use battleship::game_reader::BattleshipReader;
    use battleship::{Rules, Ruleset};
    use serde_json::json;

    use super::*;

    /// A game in which each player has attacked three cells that the other has no ship on, before
    /// `ended_by`.
    fn line(ended_by: EndedBy, reason: &str, turns: usize, has_fleet: bool) -> GameLine {
        let ship = |row| json!({"row": row, "col": 0, "direction": "h"});
        let fleet: Vec<_> = (5..10).map(ship).collect();
        let shots = (0..turns).map(|turn| json!([turn % 2, 1, 2 + turn, "miss", 7]));
        let player = |name| {
            json!({
                "name": name, "command": name, "author": null, "human": false, "seed": 1,
                "limit_ms": null, "warnings": [],
            })
        };
        let mut line = json!({
            "seed": 1, "max_turns": 40, "sandbox": null, "first": 0, "winner": "b",
            "players": [player("got \"x\""), player("b")],
            "fleets": [has_fleet.then(|| fleet.clone()), Some(fleet)],
            "shots": shots.collect::<Vec<_>>(),
            "by": 0,
            "ended_by": ended_by,
            "reason": reason,
        });
        let rules = serde_json::to_value(Rules::usual(Ruleset::Classic)).unwrap();
        line.as_object_mut()
            .unwrap()
            .extend(rules.as_object().unwrap().clone());
        let json = line.to_string();
        GameLine {
            json: json.as_str().into(),
            ..serde_json::from_str(&json).unwrap()
        }
    }

    #[test]
    fn a_wrong_reply_is_shown_with_advice() {
        let reason = "got \"x\" forfeits: expected \"attack ROW COL\", got \"fire 3 4\"";
        let fault = recorded_fault(
            &line(EndedBy::BadReply, reason, 6, true),
            &BattleshipReader,
            Side::One,
        )
        .unwrap();
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
        let reason = "got \"x\" forfeits: exited with status 3";
        let line = line(EndedBy::Exited, reason, 5, true);
        let fault = recorded_fault(&line, &BattleshipReader, Side::One).unwrap();
        assert_eq!(fault.dialogue.last().unwrap(), "<- result 1 6 miss");
        assert!(fault.cause.contains("ended by itself"), "{fault:?}");
        assert_eq!(recorded_fault(&line, &BattleshipReader, Side::Two), None);
    }

    #[test]
    fn an_illegal_placement_has_advice_of_its_own() {
        let reason = "got \"x\" forfeits: ships overlap";
        let line = line(EndedBy::IllegalPlacement, reason, 0, false);
        let fault = recorded_fault(&line, &BattleshipReader, Side::One).unwrap();
        assert_eq!(fault.dialogue, ["<- place"]);
        assert!(fault.cause.contains("count from 0"), "{fault:?}");
    }
}
