//! What the tests of several modules share.

pub(crate) mod sums;

use std::io;
use std::sync::Arc;

use bothost::{BySide, Side};
use league::schedule::Format;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wire::Ending;
use wire::game::{DialogueLine, Game, GameReader, GameStats, Played, Readers, Table};

use crate::record::{ContestConfig, GameLine, LinePlayer, ListedPlayer};
use crate::terms::GameTerms;

/// Returns the configuration of a match.
pub(crate) fn config() -> ContestConfig {
    let player = |name: &str| {
        let (name, command) = (name.to_owned(), name.to_owned());
        ListedPlayer::called(name, command)
    };
    ContestConfig {
        schedule: Format::RoundRobin,
        games: None,
        series: 20,
        restart: false,
        seed: 1,
        terms: GameTerms::usual(1000),
        game: Map::from_iter([("rules".to_owned(), "any game".into())]),
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
        dir: None,
        author: None,
        human: false,
        seed: 1,
        limit_ms: None,
        clock: None,
        retries: 0,
        warnings: Vec::new(),
    }
}

/// Reads games of any kind, and counts nothing of them.
#[derive(Debug)]
struct AnyReader;

/// Readers for tests in which it does not matter what is played.
pub(crate) const READERS: Readers = &[&AnyReader];

impl GameReader for AnyReader {
    fn reads(&self, rules: &str) -> bool {
        rules != "mines"
    }

    fn game(&self, settings: &Map<String, Value>) -> Result<Arc<dyn Game>, String> {
        Ok(Arc::new(AnyGame(settings.clone())))
    }

    fn stats(&self, _line: &str) -> serde_json::Result<GameStats> {
        Ok(GameStats::default())
    }

    fn dialogue(&self, _line: &str) -> Result<Vec<DialogueLine>, String> {
        Ok(Vec::new())
    }
}

/// A game of which only the settings matter.
#[derive(Debug)]
pub(crate) struct AnyGame(pub(crate) Map<String, Value>);

impl Game for AnyGame {
    fn reader(&self) -> &'static dyn GameReader {
        &AnyReader
    }

    fn name(&self) -> &'static str {
        "any game"
    }

    fn settings(&self) -> Map<String, Value> {
        self.0.clone()
    }

    fn arguments(&self) -> Vec<String> {
        let words = self.0.get("arguments").and_then(Value::as_str);
        words.map_or(Vec::new(), |words| shlex::split(words).unwrap())
    }

    fn max_turns(&self) -> u32 {
        1000
    }

    fn first(&self, _seed: u64) -> Side {
        if self.arguments().contains(&"--second".to_owned()) {
            Side::Two
        } else {
            Side::One
        }
    }

    fn unplayed(&self) -> Box<RawValue> {
        RawValue::from_string("{}".to_owned()).unwrap()
    }

    fn table(&self) -> io::Result<Box<dyn Table>> {
        unreachable!("this game is not played")
    }
}

/// Returns the line of a game that has these fields besides the usual ones.
pub(crate) fn line_of(fields: &Value) -> GameLine {
    let game = AnyGame(Map::new());
    let players = BySide::new(player("awful"), player("good"));
    let played = Played::without_play(Ending::interrupted(), game.unplayed());
    let new = GameLine::new(game.name(), 1, Side::One, 40, players);
    let usual = new.finished(&played, game.reader()).json;
    // Readers look at the beginning of a line.
    let (head, rest) = usual.split_at(usual.find("\"rules\"").unwrap());
    let mut line: Value = serde_json::from_str(&format!("{{{rest}")).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        line[name] = value.clone();
    }
    let json = format!("{head}{}", &line.to_string()[1..]);
    GameLine {
        json: json.as_str().into(),
        ..serde_json::from_str(&json).unwrap()
    }
}
