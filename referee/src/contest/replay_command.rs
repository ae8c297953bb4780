//! The command that replays a game of a contest.

use bothost::Side;

use crate::game::usual_first;
use crate::record::{ContestConfig, RecordedPlayer};

/// Returns the command line that plays a game of these players, the first of them moving first, with the seed of the
/// game and under the terms of the contest. A bot that learns in the course of a series may play another game then.
pub(crate) fn replay_command(config: &ContestConfig, movers: &[String; 2], seed: u64) -> String {
    let mut words = vec!["referee".to_owned(), "play".to_owned()];
    words.extend(movers.iter().map(|name| {
        let known = config.players.iter().find(|player| player.name == *name);
        known.map_or_else(|| name.clone(), as_typed)
    }));
    words.extend(config.terms.to_args());
    words.extend(["--seed".to_owned(), seed.to_string()]);
    // The players are named in the order in which they moved, which is not always that of the rules.
    if usual_first(&config.terms.rules, seed) != Side::One {
        words.extend(["--first".to_owned(), "1".to_owned()]);
    }
    quoted(&words)
}

/// Returns `words` as a shell takes them.
pub(crate) fn quoted(words: &[String]) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Returns a player as the command line names it.
fn as_typed(player: &RecordedPlayer) -> String {
    let RecordedPlayer { name, command, .. } = player;
    if name == command {
        return command.clone();
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    if name.chars().all(is_plain) {
        return format!("{name}={command}");
    }
    let mut words = shlex::split(command).unwrap_or_default();
    match words.first_mut() {
        Some(first) => *first = format!("{name}={first}"),
        None => return command.clone(),
    }
    quoted(&words)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use battleship::Game;

    use super::*;
    use crate::record::testing::config;
    use crate::terms::{GameTerms, Rules, SandboxLevel};

    fn words_of(terms: GameTerms, movers: [&str; 2]) -> Vec<String> {
        let mut config = ContestConfig { terms, ..config() };
        config.players.push(RecordedPlayer {
            name: "Popeye the Sailor".to_owned(),
            command: "python3 'my bot.py'".to_owned(),
            program: None,
        });
        let command = replay_command(&config, &movers.map(str::to_owned), 7);
        shlex::split(&command).unwrap()
    }

    #[test]
    fn the_command_names_players_and_options_as_a_shell_takes_them() {
        let mut game = Game::new(2, 10).unwrap();
        game.add_ship(2, 'R', "row boat").unwrap();
        let terms = GameTerms {
            limit: Duration::from_millis(1500),
            strict: true,
            sandbox: Some(SandboxLevel::Strict),
            allow: vec![PathBuf::from("/a b")],
            grace: Duration::from_secs(2),
            env: vec!["FOO".to_owned()],
            pin: false,
            ..GameTerms::usual(Rules::Classic(game))
        };
        let words = words_of(terms, ["Popeye the Sailor", "awful"]);
        assert_eq!(words[2], "'Popeye the Sailor=python3' 'my bot.py'");
        let expected = "awful --rows 2 --ship '2 R row boat' --limit 1500ms --grace 2000ms --allow '/a b' --env FOO \
                        --strict --sandbox=strict --no-pin --seed 7";
        assert_eq!(words[3..], shlex::split(expected).unwrap());
    }

    #[test]
    fn the_first_mover_is_named_where_the_seed_would_choose_the_other() {
        let words = words_of(GameTerms::usual(Rules::Twist), ["awful", "good"]);
        let expected = ["awful", "good", "--rules", "twist", "--seed", "7", "--first", "1"];
        let chosen = usual_first(&Rules::Twist, 7) == Side::One;
        assert_eq!(words[2..], expected[..if chosen { 6 } else { 8 }]);
    }
}
