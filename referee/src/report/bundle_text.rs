//! What a bundle has of one player: the end of its dialogue and of its standard error.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Serialize;

use super::bundles::game_in;
use crate::record::{GameRecord, InContest};
use bothost::text;

/// So many lines at the end of a file are shown.
const LINES: usize = 12;

/// How much of the end of a file is read, in bytes.
const TAIL: u64 = 64 << 10;

/// How much of a line is shown, in characters.
const LONGEST: usize = 200;

/// What a bundle has of one player. All is fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BundleText {
    /// The bundle's folder.
    pub(crate) folder: String,
    /// The last lines of the player's dialogue, as transcripts have them.
    pub(crate) dialogue: Vec<String>,
    /// The last lines that it wrote to standard error.
    pub(crate) stderr: Vec<String>,
}

/// The dialogues of the bundles in a folder, by their games.
#[derive(Clone, Debug, Default)]
pub(crate) struct BundledDialogues(Vec<(InContest, Vec<u8>)>);

/// The longest dialogue that is read, in bytes; bundles have shorter ones.
const LONGEST_DIALOGUE: u64 = 1 << 20;

impl BundledDialogues {
    /// Reads all bundles in `folder`.
    ///
    /// # Errors
    /// If the folder or a bundle in it cannot be read.
    pub(crate) fn read(folder: &Path) -> io::Result<BundledDialogues> {
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
    pub(crate) fn of(&self, game: &GameRecord) -> Option<&[u8]> {
        let place = game.contest.as_ref()?;
        self.0.iter().find(|(of, _)| of == place).map(|(_, dialogue)| &dialogue[..])
    }

    /// Returns the number of dialogues.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

impl BundleText {
    /// Returns what the bundle of `game` among those in `folder` has of the player on `seat`; `None` if there is no bundle
    /// of that game.
    ///
    /// # Errors
    /// If the folder or the bundle cannot be read.
    pub(crate) fn find(
        folder: &Path,
        game: &GameRecord,
        seat: usize,
    ) -> io::Result<Option<BundleText>> {
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

/// Returns the last lines of `text` that are `wanted`, fit to be shown.
fn last_of(text: &[u8], wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let lines: Vec<String> = text
        .split(|byte| *byte == b'\n')
        .map(|line| text::cut(&text::shown(line.trim_ascii_end()), LONGEST))
        .filter(|line| !line.is_empty() && wanted(line))
        .collect();
    lines[lines.len().saturating_sub(LINES)..].to_vec()
}

/// Returns whether a line of a dialogue was said to the player called `name`, or by it.
fn is_said_with(name: &str, line: &str) -> bool {
    let rest = line.trim_start().split_once(' ').and_then(|(_, rest)| rest.strip_prefix(name));
    rest.is_some_and(|rest| {
        [" <- ", " -> ", " -| ", " !! "].iter().any(|mark| rest.starts_with(mark))
    })
}

/// Returns the last lines of a dialogue that were said to the player called `name` or by it until it was told of its fault,
/// fit to be shown. What it says afterwards, as that its output is closed, is no cause.
#[cfg(feature = "class")]
pub(crate) fn last_said(dialogue: &[u8], name: &str) -> Vec<String> {
    let told = format!("{name} <- error ");
    let at = dialogue.windows(told.len()).rposition(|words| words == told.as_bytes());
    let end = at.map_or(dialogue.len(), |at| {
        let rest = dialogue[at..].iter().position(|byte| *byte == b'\n');
        rest.map_or(dialogue.len(), |rest| at + rest)
    });
    last_of(&dialogue[..end], |line| is_said_with(name, line))
}

#[cfg(test)]
#[cfg(feature = "class")]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_says_after_its_fault_is_no_cause() {
        let dialogue = b"1.0 ann <- attack\n2.0 bob -> attack 0 0\n3.0 ann <- end lost timeout\n\
            3.1 ann <- error no reply\n3.2 ann <- quit\n3.3 ann !! BrokenPipeError\n";
        let last = last_said(dialogue, "ann");
        assert_eq!(
            last,
            ["1.0 ann <- attack", "3.0 ann <- end lost timeout", "3.1 ann <- error no reply"]
        );
        assert_eq!(last_said(b"1.0 ann !! oops\n", "ann"), ["1.0 ann !! oops"]);
    }
}
