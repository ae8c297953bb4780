//! A game of a record with all that pages show of it.

use arena::record::GameLine;
use battleship::game_reader::RecordedGame;

/// A game of Battleship in a record.
#[derive(Clone, Debug)]
pub(crate) struct GameRecord {
    /// What games of all kinds have.
    pub(crate) line: GameLine,
    /// What Battleship has of it.
    pub(crate) game: RecordedGame,
}

impl From<&GameLine> for GameRecord {
    fn from(line: &GameLine) -> GameRecord {
        GameRecord {
            line: line.clone(),
            game: RecordedGame::read(&line.json).expect("a record is read by the same reader"),
        }
    }
}
