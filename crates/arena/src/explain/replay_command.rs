//! The command that replays a game of a contest.

use bothost::Side;

use crate::record::{ContestConfig, GameLine, ListedPlayer};
use crate::system::quoted;
use wire::game::Game;

/// A game that can be played again by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedOnce {
    /// The names of the players, in the order in which they moved.
    pub movers: [String; 2],
    /// The number of this game among those of the two players, from 1; `None` if it was not played
    /// in a contest.
    pub game: Option<u32>,
    /// The seed of the game.
    pub seed: u64,
}

impl From<&GameLine> for PlayedOnce {
    fn from(game: &GameLine) -> PlayedOnce {
        PlayedOnce {
            movers: game.movers(),
            game: game.contest.as_ref().map(|place| place.game),
            seed: game.seed,
        }
    }
}

/// Returns the command line that plays this game of the contest again, with the seeds that it had
/// and under the terms of the contest. A bot that learns in the course of a series may play another
/// game then. Where a command was handed in, it is the one that has the class play it again: words
/// of a submission are never typed.
pub fn replay_command(config: &ContestConfig, rules: &dyn Game, game: &PlayedOnce) -> String {
    let PlayedOnce { movers, game, seed } = game;
    if let Some(student) = movers.iter().find(|name| {
        config
            .players
            .iter()
            .any(|player| player.submission && player.name == **name)
    }) {
        let other = movers
            .iter()
            .find(|name| *name != student)
            .unwrap_or(student);
        let words = [
            "referee",
            "class",
            "dispute",
            student,
            &format!("{other}:{}", game.unwrap_or(1)),
        ];
        return quoted(&words.map(str::to_owned));
    }
    let mut words = vec!["referee".to_owned(), "play".to_owned()];
    words.extend(movers.iter().map(|name| {
        let known = config.players.iter().find(|player| player.name == *name);
        known.map_or_else(|| name.clone(), ListedPlayer::word)
    }));
    words.extend(config.terms.to_args(rules));
    words.extend(own_limits(config, movers));
    words.extend(["--seed".to_owned(), seed.to_string()]);
    // The players are named in the order in which they moved, which is not always that of the
    // rules.
    if rules.first(*seed) != Side::One {
        words.extend(["--first".to_owned(), "1".to_owned()]);
    }
    quoted(&words)
}

/// Returns the options for the limits of players who have their own.
fn own_limits(config: &ContestConfig, movers: &[String; 2]) -> Vec<String> {
    let mut words = Vec::new();
    for (place, name) in movers.iter().enumerate() {
        let player = config.players.iter().find(|player| player.name == *name);
        for (option, limit) in [
            ("--limit", player.and_then(|player| player.limit_ms)),
            (
                "--start-limit",
                player.and_then(|player| player.start_limit_ms),
            ),
        ] {
            if let Some(limit) = limit {
                words.extend([option.to_owned(), format!("{}={limit}ms", place + 1)]);
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::terms::{GameTerms, SandboxLevel};
    use crate::tests::{AnyGame, config};
    use serde_json::Map;

    fn words_of(game: &str, terms: GameTerms, movers: [&str; 2]) -> Vec<String> {
        let game = AnyGame(Map::from_iter([("arguments".to_owned(), game.into())]));
        let mut config = ContestConfig { terms, ..config() };
        let command = "python3 'my bot.py'".to_owned();
        config.players.push(ListedPlayer::called(
            "Popeye the Sailor".to_owned(),
            command,
        ));
        config.players.push(ListedPlayer {
            dir: Some("my bots".to_owned()),
            limit_ms: Some(9000),
            ..ListedPlayer::called("a=b".to_owned(), "./bot -v".to_owned())
        });
        let played = PlayedOnce {
            movers: movers.map(str::to_owned),
            game: None,
            seed: 7,
        };
        let command = replay_command(&config, &game, &played);
        shlex::split(&command).unwrap()
    }

    #[test]
    fn a_shell_takes_the_command() {
        let game = "--rows 2 --ship '2 R row boat'";
        let terms = GameTerms {
            limit: Duration::from_millis(1500),
            sandbox: Some(SandboxLevel::World),
            allow: vec![PathBuf::from("/a b")],
            grace: Duration::from_secs(2),
            env: vec!["FOO".to_owned()],
            pin: false,
            ..GameTerms::usual(1000)
        };
        let words = words_of(game, terms, ["Popeye the Sailor", "awful"]);
        assert_eq!(words[2], "'Popeye the Sailor=python3' 'my bot.py'");
        let expected = "awful --rows 2 --ship '2 R row boat' --limit 1500ms --grace 2000ms --allow '/a b' --env FOO \
                        --sandbox --no-pin --seed 7";
        assert_eq!(words[3..], shlex::split(expected).unwrap());
    }

    #[test]
    fn the_command_names_folders_and_limits_of_players() {
        let words = words_of("", GameTerms::usual(1000), ["awful", "a=b"]);
        assert_eq!(
            words[2..],
            [
                "awful",
                "'a_b@my bots=./bot' -v",
                "--limit",
                "2=9000ms",
                "--seed",
                "7"
            ]
        );
    }

    #[test]
    fn the_first_mover_is_named_if_necessary() {
        let words = words_of("--second", GameTerms::usual(1000), ["awful", "good"]);
        let expected = ["awful", "good", "--second", "--seed", "7", "--first", "1"];
        assert_eq!(words[2..], expected);
    }
}
