//! The part of a bundle about one player: the end of its dialogue and of its standard error.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Serialize;

use super::bundles::game_in;
use bothost::text;
use engine::contest::{is_said_with, last_of};
use engine::record::{GameRecord, InContest};

/// Number of bytes read of the end of a file.
const TAIL: u64 = 64 << 10;

/// The part of a bundle about one player. All is fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleText {
    /// The bundle's folder.
    pub folder: String,
    /// The last lines of the player's dialogue, as transcripts have them.
    pub dialogue: Vec<String>,
    /// The last lines that it wrote to standard error.
    pub stderr: Vec<String>,
}

/// The dialogues of the bundles in a folder, by their games.
#[derive(Clone, Debug, Default)]
pub struct BundledDialogues(Vec<(InContest, Vec<u8>)>);

/// The longest dialogue that is read, in bytes; bundles have shorter ones.
const LONGEST_DIALOGUE: u64 = 1 << 20;

impl BundledDialogues {
    /// Reads all bundles in `folder`.
    ///
    /// # Errors
    /// If the folder or a bundle in it cannot be read.
    pub fn read(folder: &Path) -> io::Result<BundledDialogues> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder)? {
            let bundle = entry?.path();
            if let Some(place) = game_in(&bundle).and_then(|game| game.contest) {
                let mut dialogue = Vec::new();
                let file = File::open(bundle.join("dialogue.txt"))?;
                file.take(LONGEST_DIALOGUE).read_to_end(&mut dialogue)?;
                all.push((place, dialogue));
            }
        }
        Ok(BundledDialogues(all))
    }

    /// Returns the dialogue of `game`, if there is a bundle of it.
    #[must_use]
    pub fn of(&self, game: &GameRecord) -> Option<&[u8]> {
        let place = game.contest.as_ref()?;
        self.0
            .iter()
            .find(|(of, _)| of == place)
            .map(|(_, dialogue)| &dialogue[..])
    }

    /// Returns the number of dialogues.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl BundleText {
    /// Returns what the bundle of `game` among those in `folder` has of the player on `seat`; `None` if there is no bundle
    /// of that game.
    ///
    /// # Errors
    /// If the folder or the bundle cannot be read.
    pub fn find(folder: &Path, game: &GameRecord, seat: usize) -> io::Result<Option<BundleText>> {
        for entry in fs::read_dir(folder)? {
            let bundle = entry?.path();
            let is_of_game =
                |there: GameRecord| there.contest.is_some() && there.contest == game.contest;
            if game_in(&bundle).is_some_and(is_of_game) {
                return BundleText::read(&bundle, game, seat).map(Some);
            }
        }
        Ok(None)
    }

    fn read(bundle: &Path, game: &GameRecord, seat: usize) -> io::Result<BundleText> {
        let name = &game.players[seat].name;
        let is_own = |line: &str| is_said_with(name, line);
        let dialogue = last_lines(&bundle.join("dialogue.txt"), is_own)?;
        let stderr = last_lines(&bundle.join(format!("stderr-{}.txt", seat + 1)), |_| true)?;
        Ok(BundleText {
            folder: text::shown(bundle.as_os_str().as_encoded_bytes()),
            dialogue,
            stderr,
        })
    }
}

/// Returns the last lines of the file at `path` that are `wanted`.
fn last_lines(path: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut end = Vec::new();
    file.take(TAIL).read_to_end(&mut end)?;
    Ok(last_of(&end, wanted))
}
