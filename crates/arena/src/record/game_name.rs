//! The name of a game of a contest: `red-vs-blue-game-13`, in names of folders and after `--game`.

use std::path::Path;
use std::str::FromStr;

use super::output::shown;
use super::{GameLine, RecordError, RecordReader};
use crate::words::counted;

use thiserror::Error;
use wire::Side;
use wire::game::Readers;

/// Number of characters of a player's name in that of a game.
const LONGEST_PLAYER: usize = 32;

impl GameLine {
    /// Returns the name of the game: its players and its number among the games of these two in the
    /// contest. `None` for a game of no contest, which has no such number.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let place = self.contest.as_ref()?;
        let [one, two] = Side::BOTH.map(|side| safe_name(&self.players[side].name, side.index()));
        Some(format!("{one}-vs-{two}-game-{}", place.game))
    }
}

/// Returns the name of the player on `seat` as a part of a path. A bot chooses its name, and could
/// choose `../..`: only ASCII letters, digits, `-` and `_` are left of it, and there is always
/// something.
fn safe_name(name: &str, seat: usize) -> String {
    let mut safe = String::new();
    for mut letter in name.chars() {
        if !letter.is_ascii_alphanumeric() && letter != '-' {
            letter = '_';
        }
        // One for all that follow each other: escaped characters would fill the name.
        if letter != '_' || !safe.ends_with('_') {
            safe.push(letter);
        }
    }
    let safe: String = safe.chars().take(LONGEST_PLAYER).collect();
    // A path that begins with `-` is taken for an option.
    match safe.trim_matches(['-', '_']) {
        "" => format!("player-{}", seat + 1),
        safe => safe.to_owned(),
    }
}

/// The choice of a game of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameChoice {
    /// The game with this number among all of the record, from 1.
    Number(u64),
    /// The game with this name.
    Name(String),
}

/// Text that chooses no game.
#[derive(Debug, Error)]
#[error(
    "expected the number of a game, from 1 as in `referee list`, or its name, as red-vs-blue-game-13"
)]
pub struct NoGameChoice;

impl FromStr for GameChoice {
    type Err = NoGameChoice;

    fn from_str(text: &str) -> Result<GameChoice, NoGameChoice> {
        if let Ok(number) = text.parse() {
            return if number == 0 {
                Err(NoGameChoice)
            } else {
                Ok(GameChoice::Number(number))
            };
        }
        if text.contains("-vs-") && text.contains("-game-") {
            Ok(GameChoice::Name(text.to_owned()))
        } else {
            Err(NoGameChoice)
        }
    }
}

impl GameChoice {
    /// Returns whether `game` has that name.
    fn is_name_of(&self, game: &GameLine) -> bool {
        match self {
            GameChoice::Name(wanted) => game.name().as_ref() == Some(wanted),
            GameChoice::Number(_) => false,
        }
    }

    /// Returns the game of the record at `path` that is meant, and its number in it. `readers` read
    /// its games.
    ///
    /// # Errors
    /// If it has no such game or several, or if it cannot be read.
    pub fn find(&self, path: &Path, readers: Readers) -> Result<(u64, GameLine), FindError> {
        self.find_in(RecordReader::open(path, readers)?, path)
    }

    /// Returns the game that is meant of those that `reader` reads, which messages call `path`, and
    /// its number.
    ///
    /// # Errors
    /// As [`GameChoice::find`].
    pub fn find_in(
        &self,
        mut reader: RecordReader,
        path: &Path,
    ) -> Result<(u64, GameLine), FindError> {
        let mut seen: u64 = 0;
        let mut found: Option<(u64, GameLine)> = None;
        let mut numbers = Vec::new();
        while let Some(chunk) = reader.next_chunk()? {
            for game in chunk.games {
                seen += 1;
                if *self == GameChoice::Number(seen) {
                    return Ok((seen, game));
                }
                if self.is_name_of(&game) {
                    // A series that was stopped and played again is in the record twice; the second
                    // one counts.
                    if found
                        .as_ref()
                        .is_some_and(|(_, other)| other.contest == game.contest)
                    {
                        numbers.pop();
                    }
                    numbers.push(seen);
                    found = Some((seen, game));
                }
            }
        }
        if let (Some(found), [_]) = (found, &numbers[..]) {
            return Ok(found);
        }
        let file = shown(path);
        Err(FindError::Missing(match self {
            _ if seen == 0 => format!("{file} has no games"),
            GameChoice::Number(number) => {
                format!("--game {number}: {file} has {}", counted(seen, "game"))
            }
            GameChoice::Name(name) if numbers.is_empty() => format!(
                "--game {name}: {file} has no such game; `referee list {file}` shows those that it has"
            ),
            // The names of some players differ only by what no path should have.
            GameChoice::Name(name) => {
                let numbers: Vec<_> = numbers.iter().take(5).map(u64::to_string).collect();
                format!(
                    "--game {name}: {file} has more than one game of that name; choose by number, of {}",
                    numbers.join(", ")
                )
            }
        }))
    }
}

/// The reason why a game cannot be found in a record.
#[derive(Debug, Error)]
pub enum FindError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It has no such game, or several.
    #[error("{0}")]
    Missing(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_paths() {
        for (name, safe) in [
            ("red", "red"),
            ("Popeye the Sailor", "Popeye_the_Sailor"),
            ("../../etc", "etc"),
            ("..", "player-2"),
            ("--help", "help"),
            ("鯨", "player-2"),
            ("a/b\\c\u{202e}\n$(rm -r)", "a_b_c_rm_-r"),
        ] {
            assert_eq!(safe_name(name, 1), safe);
        }
        assert_eq!(safe_name(&"x".repeat(200), 0).len(), LONGEST_PLAYER);
    }

    #[test]
    fn a_game_is_chosen_by_number_or_name() {
        let parse = |text: &str| text.parse::<GameChoice>().ok();
        assert_eq!(parse("13"), Some(GameChoice::Number(13)));
        let name = GameChoice::Name("a-vs-b-game-1".to_owned());
        assert_eq!(parse("a-vs-b-game-1"), Some(name));
        for wrong in ["0", "-1", "", "first", "a-vs-b"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
