//! A recorded game as one of its players heard it.

use std::time::Duration;

use battleship::protocol::{Reply, Request};
use battleship::{GameInPlay, Placement, PlayedTurn, Point, Rules, Side, Turn};

use super::asked::Asked;
use super::recorded::asked;
use crate::game::EndedBy;
use crate::record::{GameRecord, ReplayError, placement_of, rules_of};

/// A recorded game as one of its players heard it.
#[derive(Clone, Debug)]
pub struct Past {
    pub(super) record: GameRecord,
    /// 0 or 1.
    pub(super) seat: usize,
    pub(super) rules: Rules,
    /// The places of the player's ships; `None` if the record does not say.
    pub(super) placed: Option<Vec<Placement>>,
    pub(super) turns: Vec<Heard>,
}

/// The outcome of a turn as the player hears it.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// Its own: the request, its reply, and the results that it was told.
    Own(Request, Reply, Vec<Request>),
    /// The opponent's, as far as the player was told of it.
    Opponents(Request),
}

impl Past {
    /// The recorded game as the player on `seat`, 0 or 1, heard it.
    ///
    /// # Errors
    /// If the record contradicts the rules.
    pub fn new(record: GameRecord, seat: usize) -> Result<Past, ReplayError> {
        let rules = rules_of(&record)?;
        // Records of before 1.0.0 have the first of too many ships as a fleet.
        let placed = record.fleets[seat]
            .as_ref()
            .filter(|_| !was_refused(&record, seat));
        let placed = placed.map(|fleet| fleet.iter().map(placement_of).collect::<Result<_, _>>());
        let placed = placed.transpose()?;
        let turns = turns_heard_by(&record, &rules, seat);
        Ok(Past {
            record,
            seat,
            rules,
            placed,
            turns,
        })
    }

    /// Returns the rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns how long the player had for a reply; `None` if there was no limit.
    pub fn limit(&self) -> Option<Duration> {
        self.record.players[self.seat]
            .limit_ms
            .map(Duration::from_millis)
    }

    /// Returns the request at which the player failed in the game; `None` if it did not fail, or not
    /// at a request of the game.
    pub(super) fn failed_at(&self) -> Option<Asked> {
        let is_own = self.record.by == Some(self.seat) && self.record.ended_by.is_fault();
        asked(&self.record, self.seat).filter(|asked| is_own && *asked != Asked::Greeting)
    }
}

/// Returns whether the placement of the player on `seat` was not legal, which ended the game.
pub(super) fn was_refused(record: &GameRecord, seat: usize) -> bool {
    record.ended_by == EndedBy::IllegalPlacement && record.by == Some(seat)
}

/// Returns the turns of a recorded game as the player on `seat` heard them: of its opponent's, what it was told of.
pub(super) fn turns_heard_by(record: &GameRecord, rules: &Rules, seat: usize) -> Vec<Heard> {
    let mut heard = Vec::new();
    // The game decides how many turns are in a reply.
    let mut game = game_of(record, rules);
    let mut turns = record.turns();
    while let Some(PlayedTurn { mover, .. }) = turns.first() {
        let request = game.request();
        let mut count = 0;
        while let Some(next) = turns.get(count) {
            game.play(next.turn.step());
            count += 1;
            if !game.is_mid_turn() {
                break;
            }
        }
        let (reply, rest) = turns.split_at(count);
        let turns_of_reply = || reply.iter().map(|played| &played.turn);
        if mover.index() == seat {
            let cells: Vec<Point> = turns_of_reply().flat_map(Turn::cells).collect();
            let results = turns_of_reply().map(Turn::result).collect();
            if let Some(said) = Reply::naming(&cells, &request) {
                heard.push(Heard::Own(request, said, results));
            }
        } else {
            heard.extend(
                turns_of_reply()
                    .filter_map(Turn::notice)
                    .map(Heard::Opponents),
            );
        }
        turns = rest;
    }
    heard
}

/// Returns a recorded game at its first turn, as far as the record has one.
fn game_of(record: &GameRecord, rules: &Rules) -> Box<dyn GameInPlay> {
    let mut game = rules.begin();
    for (side, fleet) in Side::BOTH.into_iter().zip(&record.fleets) {
        let placed = fleet
            .iter()
            .flatten()
            .map(placement_of)
            .collect::<Result<Vec<_>, _>>();
        // A placement that the rules do not allow is reported when the game is played again.
        let _ = placed.map(|placed| game.place(side, &placed));
    }
    game.start(Side::try_from(record.first).unwrap_or(Side::One));
    game
}

/// Returns the request for the turn after the last recorded one.
pub(super) fn next_request(record: &GameRecord, rules: &Rules) -> Request {
    let mut game = game_of(record, rules);
    for played in record.turns() {
        game.play(played.turn.step());
    }
    game.request()
}
