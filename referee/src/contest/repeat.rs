//! The command that plays a game of a contest once more.

use battleship::Game;
use battleship::protocol::Ruleset;

use crate::game::Rules;
use crate::record::{ContestConfig, EntrantInRecord, ShipOfGame};

/// The command line that plays one more game between the players of these names, the first of them moving first, with
/// the seed of a game, under the terms of a contest. Bots that learn in the course of a series may play another game
/// then.
pub(crate) fn repeat_game(config: &ContestConfig, movers: &[String; 2], seed: u64) -> String {
    let mut words = vec!["referee".to_owned(), "play".to_owned()];
    words.extend(movers.iter().map(|name| {
        let known = config.players.iter().find(|player| player.name == *name);
        known.map_or_else(|| name.clone(), as_typed)
    }));
    words.extend(options(config));
    words.extend(["--seed".to_owned(), seed.to_string()]);
    quoted(&words)
}

/// `words` as a shell takes them.
pub(crate) fn quoted(words: &[String]) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// A player as the command line names it.
fn as_typed(player: &EntrantInRecord) -> String {
    let EntrantInRecord { name, command, .. } = player;
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

/// The options that are not as they would be anyway.
fn options(config: &ContestConfig) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    if config.rules == Ruleset::Twist.word() {
        add("--rules", config.rules.clone());
        // The players are named in the order in which they moved.
        add("--first", "1".to_owned());
    }
    let is_classic = config.rules == Ruleset::Classic.word();
    if is_classic && config.rows != 10 {
        add("--rows", config.rows.to_string());
    }
    if is_classic && config.cols != 10 {
        add("--cols", config.cols.to_string());
    }
    let standard: Vec<_> = Game::standard().ships().iter().map(ShipOfGame::from).collect();
    if is_classic && config.ships != standard {
        for ShipOfGame { length, symbol, name } in &config.ships {
            add("--ship", format!("{length} {symbol} {name}"));
        }
    }
    let rules = if is_classic {
        Game::new(config.rows, config.cols).ok().map(Rules::Classic)
    } else {
        Some(Rules::Twist)
    };
    let usual_turns = rules.map_or(0, |rules| rules.default_max_turns());
    if config.max_turns != usual_turns {
        add("--max-turns", config.max_turns.to_string());
    }
    if config.limit_ms != 5_000 {
        add("--limit", format!("{}ms", config.limit_ms));
    }
    if config.start_limit_ms != 10_000 {
        add("--start-limit", format!("{}ms", config.start_limit_ms));
    }
    if config.strict {
        words.push("--strict".to_owned());
    }
    match config.sandbox.as_deref() {
        None => {}
        Some("on") => words.push("--sandbox".to_owned()),
        Some(level) => words.push(format!("--sandbox={level}")),
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ContestHeader;

    #[test]
    fn the_command_names_players_and_options_as_a_shell_takes_them() {
        let header = r#"{"format":"battleship-contest","version":1,"referee":"0","id":"","games":2,"config":{
            "schedule":"round-robin","rounds":null,"games":null,"series":20,"restart":false,"seed":1,
            "rules":"classic","rows":2,"cols":10,"ships":[{"length":2,"symbol":"R","name":"row boat"}],
            "max_turns":200,"limit_ms":1500,"start_limit_ms":10000,"strict":true,"sandbox":"strict",
            "max_faults":null,"players":[{"name":"awful","command":"awful","program":null},
            {"name":"Popeye the Sailor","command":"python3 'my bot.py'","program":null}]}}"#;
        let header: ContestHeader = serde_json::from_str(header).unwrap();
        let movers = ["Popeye the Sailor".to_owned(), "awful".to_owned()];
        let command = repeat_game(&header.config, &movers, 7);
        let words = shlex::split(&command).unwrap();
        assert_eq!(words[2], "'Popeye the Sailor=python3' 'my bot.py'");
        assert_eq!(
            words[3..],
            [
                "awful",
                "--rows",
                "2",
                "--ship",
                "2 R row boat",
                "--limit",
                "1500ms",
                "--strict",
                "--sandbox=strict",
                "--seed",
                "7"
            ]
        );
    }
}
