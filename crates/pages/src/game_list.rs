//! A game of a record as a line of a list.

use arena::explain::GameDigest;
use arena::game::EndedBy;
use arena::words::{counted, reason_in_words};
use bothost::BySide;

/// Returns the line of `game`: its number, the players, who moved first, who won and how, and its
/// length.
#[must_use]
pub fn game_line(game: &GameDigest) -> String {
    let GameDigest {
        number,
        players: BySide { one, two },
        first,
        winner,
        ended_by,
        by,
        turns,
        ..
    } = game;
    let first = &game.players[*first];
    let turns = counted((turns.one + turns.two).into(), "turn");
    let unfinished = if game.finished {
        ""
    } else {
        " [series not finished]"
    };
    if let EndedBy::Won | EndedBy::Drawn | EndedBy::JudgeFailed = ended_by {
        // The reason names the winner, if there is one, and says how.
        let reason = &game.reason;
        return format!("{number:>6}  {one} - {two}, {first} first: {reason}, {turns}{unfinished}");
    }
    let how = reason_in_words(*ended_by);
    let how = match (winner, by) {
        // The winner is named once.
        (Some(winner), Some(by)) if winner == by => format!("{} {how}", game.players[*by]),
        (Some(winner), Some(by)) => {
            let players = &game.players;
            format!("{} won, {} {how}", players[*winner], players[*by])
        }
        (None, Some(by)) => format!("no winner, {} {how}", game.players[*by]),
        (_, None) => format!("no winner, {how}"),
    };
    format!("{number:>6}  {one} - {two}, {first} first: {how} ({ended_by}), {turns}{unfinished}")
}
