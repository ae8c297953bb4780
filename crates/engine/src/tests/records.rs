//! Tools that tests of records have in common.

use battleship::{Game, Rules};
use league::schedule::Format;

use crate::record::{ContestConfig, Player, RecordedPlayer};
use crate::terms::GameTerms;

/// Records of contests in every version of the header, of a tournament in which a bot crashes, of single games by both rules, and a
/// contest by the rules of the twist as version 0.1.0 wrote it.
pub(crate) const RECORDS: [&[u8]; 6] = [
    include_bytes!("../../tests/corpus/match.jsonl"),
    include_bytes!("../../tests/corpus/version2.jsonl"),
    include_bytes!("../../tests/corpus/version1.jsonl"),
    include_bytes!("../../tests/corpus/swiss.jsonl"),
    include_bytes!("../../tests/corpus/games.jsonl"),
    include_bytes!("../../tests/corpus/twist.jsonl"),
];

/// Returns the configuration of a match.
pub(crate) fn config() -> ContestConfig {
    let player = |name: &str| {
        let (name, command) = (name.to_owned(), name.to_owned());
        RecordedPlayer::called(name, command)
    };
    ContestConfig {
        schedule: Format::RoundRobin,
        games: None,
        series: 20,
        restart: false,
        seed: 1,
        terms: GameTerms::usual(Rules::Classic(Game::standard())),
        max_faults: None,
        players: vec![player("awful"), player("good")],
    }
}

/// Returns a player of a game of whom only the name matters.
pub(crate) fn player(name: &str) -> Player {
    Player {
        name: name.to_owned(),
        calls_itself: None,
        submission: false,
        command: name.to_owned(),
        author: None,
        human: false,
        seed: 1,
        limit_ms: None,
        warnings: Vec::new(),
    }
}
