//! A file with games, or with a log of the original twist program.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use super::judged::judged_in_words;
use super::transcript::Transcript;
use arena::game::{Event, Listener, Stop};
use arena::record::{GameChoice, GameLine, RecordError, RecordReader, Text};
use battleship::BySide;
use battleship::game_reader::{READERS, RecordedGame, ReplayError};
use battleship::twist::{self, Log, LogFault};
use bothost::text;
use screen::live::recorded_story;
use screen::story::Story;

/// Longer files are not logs.
const LONGEST_LOG: u64 = 16 << 20;

/// The content of a file.
#[derive(Debug)]
pub enum RecordedFile {
    Game(GameLine),
    /// A log of the original twist program.
    Log(Log),
}

impl RecordedFile {
    /// Reads the log in `file`, or a game of the record there: the first if none is chosen.
    ///
    /// # Errors
    /// The fault, as a message with the name of the file.
    pub fn read(file: &Path, choice: Option<&GameChoice>) -> Result<RecordedFile, String> {
        let shown = file.display();
        let mut reader = Text::new(File::open(file).map_err(|error| format!("{shown}: {error}"))?);
        let beginning = reader
            .fill_buf()
            .map_err(|error| RecordError::unreadable(file, error).to_string())?;
        // Editors write a mark of their own in front of a text.
        let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        if text.trim_ascii_start().starts_with(b"{") {
            let choice = choice.unwrap_or(&GameChoice::Number(1));
            // A pipe can be read only once.
            let (_, game) = choice
                .find_in(RecordReader::of_text(file, reader, READERS), file)
                .map_err(|error| error.to_string())?;
            return Ok(RecordedFile::Game(game));
        }
        if choice.is_some() {
            return Err(format!(
                "{shown}: --game: a log of the original has one game only"
            ));
        }
        let mut bytes = Vec::new();
        reader
            .take(LONGEST_LOG)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("{shown}: {error}"))?;
        Log::parse(&bytes).map(RecordedFile::Log).map_err(|error| {
            let hint = if matches!(error.fault, LogFault::Starter(_)) {
                "; this is neither a record of this referee nor a log of the original program"
            } else {
                ""
            };
            // A line that is not of a log may be of any length.
            let error = text::cut(&error.to_string(), 300);
            format!("{shown}: {error}{hint}")
        })
    }

    /// Returns the game in words, turn by turn.
    ///
    /// # Errors
    /// If it contradicts the rules.
    pub fn in_words(&self) -> Result<Vec<String>, String> {
        match self {
            RecordedFile::Game(game) => game_in_words(game).map_err(|error| error.to_string()),
            RecordedFile::Log(log) => twist::replay(log, log.rules.quirks())
                .collect::<Result<_, _>>()
                .map_err(|error| error.to_string()),
        }
    }

    /// Returns the game as screens show it; `None` if they cannot.
    ///
    /// # Errors
    /// If it contradicts the rules.
    pub fn story(&self) -> Result<Option<Story>, ReplayError> {
        match self {
            RecordedFile::Game(game) if !game.is_judged() => {
                recorded_story(&read_game(game)?).map(Some)
            }
            RecordedFile::Game(_) | RecordedFile::Log(_) => Ok(None),
        }
    }
}

fn read_game(line: &GameLine) -> Result<RecordedGame, ReplayError> {
    RecordedGame::read(&line.json).map_err(|error| ReplayError::Wrong(error.to_string()))
}

/// Returns a recorded game as it was printed when it was played, turn by turn.
///
/// # Errors
/// If the record contradicts the rules, or the game has no turns.
pub fn game_in_words(line: &GameLine) -> Result<Vec<String>, ReplayError> {
    if let Some(turns) = judged_in_words(line) {
        return Ok(turns);
    }
    let game = read_game(line)?;
    let mut turns = Turns {
        transcript: Transcript::new(Vec::new(), game.names(), BySide::default()),
        turns: Vec::new(),
    };
    game.replay(&mut turns)?;
    Ok(turns.turns)
}

/// A transcript that is cut into turns.
struct Turns {
    /// What is behind the last whole turn.
    transcript: Transcript<Vec<u8>>,
    turns: Vec<String>,
}

impl Listener<Event<'_>> for Turns {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        self.transcript.on_event(event)?;
        let is_end = matches!(event, Event::Ended { .. });
        if is_end || matches!(event, Event::Played { .. }) {
            let text = String::from_utf8_lossy(&self.transcript.take()).into_owned();
            match self.turns.last_mut() {
                // The end belongs to the last turn.
                Some(last) if is_end => last.push_str(&text),
                _ => self.turns.push(text),
            }
        }
        Ok(())
    }
}
