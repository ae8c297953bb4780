//! The record of a tuning: a line of JSON for what is tuned, and one for each round of games.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Parameter;
use arena::record::{ContestFile, RecordError, Text};
use arena::terms::GameTerms;
use league::statistics::Pentanomial;
use league::statistics::sprt::Decision;

/// The version of [`TuningHeader`].
pub const TUNING_VERSION: u32 = 1;

/// The beginning of the first line.
const BEGINNING: &[u8] = br#"{"format":"battleship-tuning","#;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A line of the record of a tuning.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "format")]
pub(super) enum Line {
    /// The first.
    #[serde(rename = "battleship-tuning")]
    Header(Box<TuningHeader>),
    /// That of a round: the half points and the games that count of its two sides, and the values
    /// after it.
    #[serde(rename = "battleship-tuning-round")]
    Round {
        round: u64,
        sides: [[u64; 2]; 2],
        values: BTreeMap<String, f64>,
    },
    /// That of a round of the test: its pairs of games as the tuned values see them.
    #[serde(rename = "battleship-tuning-test")]
    Test { round: u64, pairs: Pentanomial },
    /// The last, for other programs: nothing reads it here.
    #[serde(rename = "battleship-tuning-result")]
    Result {
        values: BTreeMap<String, [f64; 3]>,
        decision: Option<Decision>,
    },
}

/// Everything that a tuning depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningHeader {
    /// The version of this line.
    pub version: u32,
    /// The command of the bot, and that of its opponent.
    pub commands: [String; 2],
    /// The SHA-256 of what their programs consist of.
    pub programs: [Option<String>; 2],
    /// The tuned parameters.
    pub parameters: Vec<Parameter>,
    /// The most games of the search, and of the test.
    pub games: u32,
    /// The games of a round.
    pub round: u32,
    /// The test of the new values against the old ones.
    pub sprt: String,
    /// The seed from which those of all games come.
    pub seed: u64,
    /// The terms of each game.
    pub terms: GameTerms,
    /// The settings of the game.
    #[serde(default)]
    pub game: Map<String, Value>,
}

impl TuningHeader {
    /// Returns the number of games of a round if there are this many games: a multiple of 4, a pair
    /// for each side at least.
    #[must_use]
    pub fn round_of(games: u32) -> u32 {
        // In fewer rounds than fifty nothing settles.
        (games / 50 / 4 * 4).clamp(4, 80)
    }
}

/// The record of a tuning while it is written, and what it had before.
#[derive(Debug)]
pub struct TuningRecord {
    path: PathBuf,
    file: ContestFile,
    recorded: Option<TuningHeader>,
    pub(super) past: Vec<Line>,
}

impl TuningRecord {
    /// Opens the record at `path`, to continue it if it is to `resume`, else to begin it, in place
    /// of what is there if `force` says so.
    ///
    /// # Errors
    /// If it exists and should not, if another referee writes it, or if it is not a record of a
    /// tuning.
    pub fn open(path: &Path, resume: bool, force: bool) -> Result<TuningRecord, RecordError> {
        let mut file = if resume {
            ContestFile::open(path, &[])?
        } else {
            ContestFile::create(path, force, &[])?
        };
        let io = || RecordError::io(path);
        let mut text = Text::up_to(file.reopen()?, u64::MAX);
        let wrong = |line| RecordError::Line {
            path: path.to_owned(),
            line,
            what: "not a record of a tuning; choose another --out".to_owned(),
        };
        let mut past = Vec::new();
        let mut whole = 0;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            text.by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
                .map_err(io())?;
            if line.is_empty() {
                break;
            }
            match serde_json::from_slice::<Line>(&line) {
                Ok(read) => past.push(read),
                Err(_) if line.trim_ascii().is_empty() => {}
                // A line that a crash cut short does not count.
                Err(_) if !line.ends_with(b"\n") && (line.len() as u64) < LONGEST_LINE => break,
                Err(_) => return Err(wrong(number)),
            }
            whole += line.len() as u64;
        }
        let recorded = match past.first() {
            Some(Line::Header(header)) => Some(TuningHeader::clone(header)),
            // Nothing is there, or a crash cut the header short.
            None if BEGINNING.starts_with(&line) || line.starts_with(BEGINNING) => None,
            Some(_) | None => return Err(wrong(1)),
        };
        file.continue_at(whole)?;
        let path = path.to_owned();
        Ok(TuningRecord {
            path,
            file,
            recorded,
            past,
        })
    }

    /// Returns the header that it had.
    #[must_use]
    pub fn recorded(&self) -> Option<&TuningHeader> {
        self.recorded.as_ref()
    }

    /// Begins with `header`, or checks that the record began with it.
    ///
    /// # Errors
    /// If it is of another tuning, or cannot be written.
    pub(super) fn begin(&mut self, header: &TuningHeader) -> Result<(), RecordError> {
        let Some(recorded) = &self.recorded else {
            return self
                .file
                .write(&line_of(&Line::Header(Box::new(header.clone()))));
        };
        if recorded == header {
            return Ok(());
        }
        let [recorded, requested] = [recorded, header].map(|header| serde_json::json!(header));
        let mut differences = Vec::new();
        for (key, requested) in requested.as_object().into_iter().flatten() {
            let recorded = &recorded[key];
            if recorded != requested {
                differences.push(format!("{key}: {recorded} there, {requested} here"));
            }
        }
        let advice = "Choose another --out, or ask for the same".to_owned();
        Err(RecordError::OtherContest {
            path: self.path.clone(),
            differences,
            advice,
        })
    }

    /// Appends `line`, which is on the disk then.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, line: &Line) -> Result<(), RecordError> {
        self.file.append(&line_of(line))
    }
}

fn line_of(line: &Line) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("its maps have text for keys");
    text.push(b'\n');
    text
}
