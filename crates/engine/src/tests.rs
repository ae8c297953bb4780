//! What the tests of several modules share.

use battleship::{Rules, Ruleset};
use bothost::{BySide, Side};
use league::schedule::Format;
use serde_json::Value;
use wire::Ending;
use wire::game::{Game, Played};

use crate::record::{ContestConfig, GameLine, LinePlayer, RecordedPlayer};
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
        terms: GameTerms::usual(1000),
        game: Rules::usual(Ruleset::Classic).settings(),
        max_faults: None,
        players: vec![player("awful"), player("good")],
    }
}

/// Returns a player of a game of whom only the name matters.
pub(crate) fn player(name: &str) -> LinePlayer {
    LinePlayer {
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

/// Returns the line of a game that has these fields besides the usual ones.
pub(crate) fn line_of(ruleset: Ruleset, fields: &Value) -> GameLine {
    let rules = Rules::usual(ruleset);
    let players = BySide::new(player("awful"), player("good"));
    let played = Played {
        ending: Ending::interrupted(),
        own: rules.unplayed(),
    };
    let new = GameLine::new(rules.name(), 1, Side::One, 40, players);
    let usual = new.finished(&played, rules.reader()).json;
    // Readers look at the beginning of a line.
    let (head, rest) = usual.split_at(usual.find("\"rules\"").unwrap());
    let mut line: Value = serde_json::from_str(&format!("{{{rest}")).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        line[name] = value.clone();
    }
    let json = format!("{head}{}", &line.to_string()[1..]);
    GameLine {
        stats: rules.reader().stats(&json).unwrap(),
        json: json.as_str().into(),
        ..serde_json::from_str(&json).unwrap()
    }
}
