//! What the tests of several modules share.

use battleship::{Game, Rules};
use league::schedule::Format;

use crate::record::{ContestConfig, Player, RecordedPlayer};
use crate::terms::GameTerms;

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
        terms: GameTerms::usual(Rules::classic(Game::standard())),
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
