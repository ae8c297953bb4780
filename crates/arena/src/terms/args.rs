//! The arguments that say the terms of a game, for a command line.

use wire::game::Game;

use super::{GameTerms, MAX_MEMORY, MAX_THREADS, SandboxLevel};

impl GameTerms {
    /// Returns the terms that `referee debug` has options for: bots run there without limits and
    /// without a sandbox.
    pub(crate) fn in_debugger(&self) -> GameTerms {
        GameTerms {
            max_turns: self.max_turns,
            clock: self.clock,
            env: self.env.clone(),
            retries: self.retries,
            ..GameTerms::usual(self.max_turns)
        }
    }

    /// Returns the arguments that say these terms of `game`, for a command line; none for what is
    /// as usual.
    #[must_use]
    pub fn to_args(&self, game: &dyn Game) -> Vec<String> {
        let mut args = game.arguments();
        let mut add = |option: &str, value: String| args.extend([option.to_owned(), value]);
        let usual = GameTerms::usual(game.max_turns());
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
        if let Some(clock) = self.clock {
            add("--clock", clock.to_string());
        }
        if self.retries > 0 {
            add("--retries", self.retries.to_string());
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
