//! A game as a picture: one position, or all of them one after the other, as an SVG file without
//! scripts.
//!
//! `film` has what there is to see; `draw` makes the picture, at the places of `layout`: with
//! `motion` for what comes and goes, `style` for colours and shapes, and `words`.

mod draw;
mod film;
mod layout;
mod motion;
mod style;
mod words;

use thiserror::Error;

use crate::judged::judged_picture;
use arena::record::GameLine;
use battleship::game_reader::{RecordedGame, ReplayError};

/// The longest game that moves: at the usual pace a quarter of an hour.
const MOST_TURNS: usize = 2000;

/// The positions of a game that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The one after this many turns; `None` for the last.
    Still(Option<usize>),
    /// All, one after the other.
    Moving,
}

/// The reason why there is no picture of a game.
#[derive(Debug, Error)]
pub enum NoPicture {
    /// There is no such position.
    #[error("there is no turn {asked}: the game has {turns} turns; name one from 0 to {turns}")]
    NoShot {
        /// The one that was asked for.
        asked: usize,
        /// The number of turns.
        turns: usize,
    },
    /// It would be a very large file.
    #[error(
        "the game has {0} turns, and a picture moves through {MOST_TURNS} at most; draw one position with --turn N"
    )]
    TooLong(usize),
    /// There is nothing to see, or the record cannot be right.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Returns a picture of a recorded game, which is this one of its record.
///
/// # Errors
/// If there is nothing to see of it, or no such position.
pub fn picture(game: &GameLine, number: u64, shown: Shown) -> Result<String, NoPicture> {
    if let Some(picture) = judged_picture(game, shown)? {
        return Ok(picture);
    }
    let game =
        RecordedGame::read(&game.json).map_err(|error| ReplayError::Wrong(error.to_string()))?;
    let kept = kept(shown, game.turns.len())?;
    Ok(draw::draw(&film::film(&game, number, kept)?, shown))
}

/// Returns the one position that is kept; `None` for all.
fn kept(shown: Shown, turns: usize) -> Result<Option<usize>, NoPicture> {
    match shown {
        Shown::Still(Some(asked)) if asked > turns => Err(NoPicture::NoShot { asked, turns }),
        Shown::Still(asked) => Ok(Some(asked.unwrap_or(turns))),
        Shown::Moving if turns > MOST_TURNS => Err(NoPicture::TooLong(turns)),
        Shown::Moving => Ok(None),
    }
}
