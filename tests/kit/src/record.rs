//! Records of contests, as tests make and compare them.

use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

/// The first bytes of a file of gzip.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The lines of a record. Two are equal if they differ in nothing but times.
#[derive(Clone)]
pub struct Record {
    pub lines: Vec<Value>,
}

impl Record {
    /// Reads a record, compressed or not.
    #[track_caller]
    pub fn read(path: &Path) -> Record {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Record::parse(&unpacked(bytes))
    }

    /// The lines of this text.
    #[track_caller]
    pub fn parse(text: &str) -> Record {
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        Record {
            lines: lines.collect(),
        }
    }

    /// The lines of this kind: `battleship-game`, `battleship-contest`, `battleship-series`.
    pub fn of(&self, format: &str) -> Vec<&Value> {
        self.lines
            .iter()
            .filter(|line| line["format"] == format)
            .collect()
    }

    pub fn games(&self) -> Vec<&Value> {
        self.of("battleship-game")
    }

    /// The lines without what depends on the machine: times, and warnings of oddities.
    pub fn without_times(&self) -> Vec<Value> {
        let mut lines = self.lines.clone();
        for line in &mut lines {
            for (list, time) in [("shots", 4), ("moves", 6)] {
                for turn in line[list].as_array_mut().into_iter().flatten() {
                    turn[time] = Value::Null;
                }
            }
            for field in ["cpu_ms", "took_ms", "warnings", "said", "time", "reply_us"] {
                line.as_object_mut().unwrap().remove(field);
            }
        }
        lines
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        self.without_times() == other.without_times()
    }
}

/// A record is too long for the message of a failed test: only the beginnings of its lines.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{:.200}", line.to_string())?;
        }
        Ok(())
    }
}

/// The parts of a list in JSON.
#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
}

/// Returns the number of lines that a record has so far; 0 if there is none yet.
pub fn lines_in(record: impl AsRef<Path>) -> usize {
    let text = fs::read_to_string(record).unwrap_or_default();
    text.matches('\n').count()
}

/// This text as one member of gzip.
pub fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The text of a file, compressed or not.
pub fn unpacked(bytes: Vec<u8>) -> String {
    if !bytes.starts_with(&GZIP) {
        return String::from_utf8(bytes).unwrap();
    }
    let mut text = String::new();
    MultiGzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}
