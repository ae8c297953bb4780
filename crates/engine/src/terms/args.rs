//! The arguments that say the terms of a game, for a command line.

use battleship::{Game, RuleOptions, Rules, Ruleset};

use super::{GameTerms, MAX_MEMORY, MAX_THREADS, SandboxLevel};

impl GameTerms {
    /// Returns the arguments that say these terms, for a command line; none for what is as usual.
    #[must_use]
    pub fn to_args(&self) -> Vec<String> {
        let mut args = house_args(&self.rules);
        let mut add = |option: &str, value: String| args.extend([option.to_owned(), value]);
        if let Some(game) = self.rules.game() {
            let usual = Game::standard();
            if game.rows() != usual.rows() {
                add("--rows", game.rows().to_string());
            }
            if game.cols() != usual.cols() {
                add("--cols", game.cols().to_string());
            }
            if game.ships() != usual.ships() {
                for ship in game.ships() {
                    add(
                        "--ship",
                        format!("{} {} {}", ship.length, ship.symbol, ship.name),
                    );
                }
            }
        }
        let usual = GameTerms::usual(self.rules.clone());
        if self.max_turns != usual.max_turns {
            add("--max-turns", self.max_turns.to_string());
        }
        let times = [
            ("--limit", self.limit, usual.limit),
            ("--start-limit", self.start_limit, usual.start_limit),
            ("--grace", self.grace, usual.grace),
        ];
        for (option, time, usual) in times {
            if time != usual {
                add(option, format!("{}ms", time.as_millis()));
            }
        }
        if self.fuel != usual.fuel {
            add("--fuel", self.fuel.to_string());
        }
        for folder in &self.allow {
            add("--allow", folder.display().to_string());
        }
        if self.max_memory != MAX_MEMORY {
            add("--max-memory", self.max_memory.to_string());
        }
        if self.max_threads != MAX_THREADS {
            add("--max-threads", self.max_threads.to_string());
        }
        for name in &self.env {
            add("--env", name.clone());
        }
        let switches = [
            ("--sandbox", self.sandbox == Some(SandboxLevel::World)),
            ("--sandbox=basic", self.sandbox == Some(SandboxLevel::Basic)),
            ("--no-pin", !self.pin),
            ("--ponder", self.ponder),
        ];
        args.extend(
            switches
                .iter()
                .filter(|(_, on)| *on)
                .map(|(switch, _)| (*switch).to_owned()),
        );
        args
    }
}

/// Returns the arguments that say which game it is and its options, but not its board; none for the usual ones.
fn house_args(rules: &Rules) -> Vec<String> {
    let RuleOptions { apart, shots, .. } = rules.options();
    let name = rules.ruleset();
    let game = (name != Ruleset::Classic).then(|| ["--rules".to_owned(), name.to_string()]);
    let shots = shots.map(|shots| ["--salvo".to_owned(), shots.to_string()]);
    let apart = apart.then(|| "--apart".to_owned());
    [game, shots]
        .into_iter()
        .flatten()
        .flatten()
        .chain(apart)
        .collect()
}

/// Returns a command with those arguments, as it is typed.
#[must_use]
pub fn with_house_args(command: &str, rules: &Rules) -> String {
    [vec![command.to_owned()], house_args(rules)]
        .concat()
        .join(" ")
}
