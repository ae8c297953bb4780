//! The readers of the lines of a judge, for fuzz targets. Not part of the stable interface.

use wire::Side;

use super::words::{JudgeLine, announced, reply_in};

/// Reads a line of a judge about a game, and prints the line from the parsed value.
///
/// # Errors
/// The reason why a judge does not send such a line.
pub fn judge_line(line: &[u8]) -> Result<String, String> {
    let player = |side: Side| side.index() + 1;
    let players = |side: Option<Side>| side.map_or("*".to_owned(), |side| player(side).to_string());
    Ok(match JudgeLine::read(line, Side::One)? {
        JudgeLine::Tell(side, line) => format!("tell {} {line}", players(side)),
        JudgeLine::Ask(side, line) => format!("ask {} {line}", player(side)),
        JudgeLine::Bad(side, reason) => format!("bad {} {reason}", player(side)),
        JudgeLine::Show(side, line) => format!("show {} {line}", players(side)),
        JudgeLine::Figure(side, name, number) => format!("figure {} {name} {number}", player(side)),
        JudgeLine::Over(Some(side), reason) => format!("over {} {reason}", player(side)),
        JudgeLine::Over(None, reason) => format!("over draw {reason}"),
    })
}

/// Reads the line with which a judge announces a game, and prints the line from the parsed value.
///
/// # Errors
/// The reason why the line announces no game.
pub fn announcement(line: &[u8]) -> Result<String, String> {
    let (name, words) = announced(line)?;
    Ok(if words.is_empty() {
        format!("game {name}")
    } else {
        format!("game {name} {words}")
    })
}

/// Reads the reply of a player as a judge receives the reply.
///
/// # Errors
/// The reason why the reply is no line for a judge.
pub fn reply_for_judge(line: &[u8]) -> Result<String, String> {
    reply_in(line).map(str::to_owned)
}
