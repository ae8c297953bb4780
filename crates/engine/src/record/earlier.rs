//! Turns lines that earlier versions wrote into those of today, so that the reader alone knows of them.

use std::collections::BTreeMap;

use serde_json::Result;
use serde_json::value::{RawValue, to_raw_value};

/// The fields of an object. Their values stay text: most of a line needs no change, and lines are long.
type Fields = BTreeMap<String, Box<RawValue>>;

/// The usual values of what headers before version 2 do not record.
const UNRECORDED: &str =
    r#"{"allow":[],"max_memory_mib":1024,"max_threads":64,"grace_ms":500,"env":[],"pin":true}"#;

/// Returns the header of a contest in any version as a header of today, except for its version.
///
/// # Errors
/// If it is not an object.
pub(super) fn header(line: &[u8]) -> Result<Vec<u8>> {
    let mut header: Fields = serde_json::from_slice(line)?;
    if let Some(config) = header.get_mut("config") {
        let mut fields: Fields = serde_json::from_str(UNRECORDED)?;
        fields.extend(serde_json::from_str::<Fields>(config.get())?);
        rename_level(fields.get_mut("sandbox"))?;
        *config = to_raw_value(&fields)?;
    }
    serde_json::to_vec(&header)
}

/// Returns a game that version 0.1 played as a game of today.
///
/// # Errors
/// If it is not an object.
pub(super) fn game(line: &[u8]) -> Result<Vec<u8>> {
    let mut game: Fields = serde_json::from_slice(line)?;
    if let Some(sandbox) = game
        .get_mut("sandbox")
        .filter(|sandbox| sandbox.get() != "null")
    {
        // The referee counted everything.
        let mut fields: Fields = serde_json::from_str(r#"{"hard_limits":[]}"#)?;
        fields.extend(serde_json::from_str::<Fields>(sandbox.get())?);
        rename_level(fields.get_mut("level"))?;
        *sandbox = to_raw_value(&fields)?;
    }
    serde_json::to_vec(&game)
}

/// Renames the level of the sandbox in version 0.1: its `strict` had namespaces, as `world` has; its `on` had only rules.
fn rename_level(level: Option<&mut Box<RawValue>>) -> Result<()> {
    let Some(level) = level else { return Ok(()) };
    match level.get() {
        "\"strict\"" => *level = to_raw_value("world")?,
        "\"on\"" => *level = to_raw_value("basic")?,
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::record::{ContestHeader, GameLine};
    use crate::terms::{GameTerms, SandboxLevel};

    #[test]
    fn an_earlier_header_has_todays_form() {
        let read = |config: &str| {
            let line = format!(
                r#"{{"format":"battleship-contest","version":1,"referee":"0.1.0","id":"f6a9f9d3a9f679d0","games":4,"config":{{"schedule":"swiss","rounds":3,"games":4,"series":2,"restart":false,"seed":1,"rules":"twist","rows":12,"cols":12,"ships":{},"max_turns":100,"limit_ms":5000,"start_limit_ms":10000,"strict":false,"sandbox":{config},"max_faults":0.2,"players":[]}}}}"#,
                serde_json::to_string(&battleship::Rules::Twist.ships()).unwrap()
            );
            serde_json::from_slice::<ContestHeader>(&header(line.as_bytes()).unwrap()).unwrap()
        };
        let usual = GameTerms::usual(100);
        assert_eq!(read("null").config.terms, usual);
        let strict = GameTerms {
            sandbox: Some(SandboxLevel::World),
            ..usual.clone()
        };
        assert_eq!(read("\"strict\"").config.terms, strict);
        let allow = vec![PathBuf::from("/opt")];
        let on = GameTerms {
            sandbox: Some(SandboxLevel::Basic),
            allow,
            ..usual
        };
        assert_eq!(read(r#""on","allow":["/opt"]"#).config.terms, on);
    }

    #[test]
    fn an_earlier_game_has_todays_form() {
        let corpus = [
            include_bytes!("../../tests/corpus/version1.jsonl").as_slice(),
            include_bytes!("../../tests/corpus/games.jsonl"),
        ];
        let corpus = corpus.concat();
        let lines = corpus
            .split(|byte| *byte == b'\n')
            .filter(|line| line.starts_with(br#"{"format":"battleship-game""#));
        let mut levels = Vec::new();
        for line in lines {
            let today = game(line).unwrap();
            let read: GameLine = serde_json::from_slice(&today).unwrap();
            levels.extend(read.sandbox.map(|sandbox| sandbox.level));
            // A game of the present form stays as it is.
            assert_eq!(game(&today).unwrap(), today);
        }
        assert!(levels.contains(&SandboxLevel::Basic));
    }
}
