//! What tests of records have in common.

use super::{ContestConfig, EntrantInRecord};

/// The configuration of a match.
pub(crate) fn config() -> ContestConfig {
    let player = |name: &str| {
        let (name, command) = (name.to_owned(), name.to_owned());
        EntrantInRecord { name, command, program: None }
    };
    ContestConfig {
        schedule: "round-robin".to_owned(),
        rounds: None,
        games: None,
        series: 20,
        restart: false,
        seed: 1,
        rules: "classic".to_owned(),
        rows: 10,
        cols: 10,
        ships: Vec::new(),
        max_turns: 1000,
        limit_ms: 5000,
        start_limit_ms: 10_000,
        strict: false,
        sandbox: None,
        max_faults: None,
        players: vec![player("awful"), player("good")],
    }
}
