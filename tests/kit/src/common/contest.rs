//! Records of contests, as tests make and compare them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A match of this many games in series of ten, with its record in `out`.
pub fn match_in_tens(games: &str, out: &Path) -> Command {
    let mut command = Command::new(crate::common::built("referee"));
    command.args([
        "match", "awful", "mediocre", "--seed", "1", "--series", "10", "--quiet",
    ]);
    command.args(["--games", games, "--out"]).arg(out);
    command
}

/// Returns this text as one zstd frame with a checksum.
pub fn packed(text: &str) -> Vec<u8> {
    let mut compressor = zstd::bulk::Compressor::new(3).unwrap();
    compressor.include_checksum(true).unwrap();
    compressor.compress(text.as_bytes()).unwrap()
}

/// Returns the text of a record, compressed or not.
pub fn text_of_record(path: impl AsRef<Path>) -> String {
    let bytes = std::fs::read(path).unwrap();
    let is_packed = bytes.starts_with(&zstd::zstd_safe::MAGICNUMBER.to_le_bytes());
    let bytes = if is_packed {
        zstd::decode_all(&bytes[..]).unwrap()
    } else {
        bytes
    };
    String::from_utf8(bytes).unwrap()
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
        for field in ["cpu_ms", "took_ms", "warnings"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line
    };
    record.lines().map(without_times).collect()
}
