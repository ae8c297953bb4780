//! Records of contests, as tests make and compare them.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

/// The first bytes of a file of gzip.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A match of this many games in series of ten, with its record in `out`.
pub fn match_in_tens(games: &str, out: &Path) -> Command {
    let mut command = crate::programs::program("referee");
    command.args([
        "match", "awful", "mediocre", "--seed", "1", "--series", "10", "--quiet",
    ]);
    command.args(["--games", games, "--out"]).arg(out);
    command
}

/// Returns this text as one member of gzip.
pub fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Returns the text of a record, compressed or not.
pub fn text_of_record(path: impl AsRef<Path>) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    if bytes.starts_with(&GZIP) {
        MultiGzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

/// The lines of a record without what depends on the machine: times, and warnings of oddities.
pub fn without_times(record: &str) -> Vec<Value> {
    let without_times = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for shot in line["shots"].as_array_mut().into_iter().flatten() {
            shot[4] = Value::Null;
        }
        for turn in line["moves"].as_array_mut().into_iter().flatten() {
            turn[6] = Value::Null;
        }
        for field in ["cpu_ms", "took_ms", "warnings", "said", "time"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line
    };
    record.lines().map(without_times).collect()
}

/// Returns the number of lines that a record has so far; 0 if there is none yet.
pub fn lines_in(record: impl AsRef<std::path::Path>) -> usize {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    text.matches('\n').count()
}
