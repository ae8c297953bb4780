//! A contest that another program divides and has played: its words are read here, and its result is shown.

use std::ffi::OsString;
use std::path::Path;

use arena::system::quoted;

use league::schedule;

use super::options::GAMES;
use super::plan::{ContestPlan, IfThere, check_divisible};
use super::show::show;
use crate::cli::arguments::Command;
use crate::cli::commands::{match_, tournament};
use crate::cli::config_file::ClusterSettings;
use crate::cli::exit::Failure;

/// A match or a tournament as it is typed behind `referee`, checked as far as it can be without opening or starting
/// anything.
#[derive(Debug)]
pub struct ContestWords(ContestPlan);

impl ContestWords {
    /// Reads the words, as `match awful good --games 2000`; ends the program if they are none.
    ///
    /// # Errors
    /// If they contradict each other, or have an option that is for a contest on one machine.
    pub fn parse(words: &[OsString]) -> Result<ContestWords, Failure> {
        let typed = [OsString::from("referee")]
            .into_iter()
            .chain(words.iter().cloned())
            .collect::<Vec<_>>();
        let is_contest = words
            .first()
            .is_some_and(|word| word == "match" || word == "tournament");
        let command = is_contest.then(|| Command::parse_from(&typed));
        let plan = if let Some(Command::Match(arguments)) = &command {
            match_::plan(arguments)?
        } else if let Some(Command::Tournament(arguments)) = command {
            tournament::plan(*arguments)?
        } else {
            return Err(Failure::misuse(
                "behind -- stands a match or a tournament, as in: -- tournament good mediocre",
            ));
        };
        check_divisible("on a cluster", plan.format)?;
        for (option, given) in [
            ("--out and --force stand before --", plan.out.is_some()),
            (
                "--force and --resume do not go with a cluster: --force stands before --, and the same command continues",
                plan.if_there != IfThere::Refuse,
            ),
            (
                "--shard is for a contest without a scheduler",
                plan.shard.is_some(),
            ),
            (
                "--watch shows the games of one machine",
                plan.listeners.watch.is_some(),
            ),
            (
                "--sprt stops the series of one machine",
                plan.sprt.is_some(),
            ),
            ("--verify plays on one machine", plan.verify),
        ] {
            if given {
                return Err(Failure::misuse(format!("{option}; leave it out behind --")));
            }
        }
        Ok(ContestWords(plan))
    }

    /// Returns the contest, with the usual number of games unless one was typed.
    #[must_use]
    pub fn schedule(&self) -> schedule::Plan {
        schedule::Plan {
            format: self.0.format,
            players: self.0.players.len(),
            games: self.0.games.unwrap_or(GAMES),
            series: self.0.series,
        }
    }

    /// Returns the games of each pair that were typed.
    #[must_use]
    pub fn games(&self) -> Option<u32> {
        self.0.games
    }

    /// Returns the seed that was typed.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.0.seed
    }

    /// Returns the number of games at the same time that was typed.
    #[must_use]
    pub fn jobs(&self) -> Option<usize> {
        self.0.jobs
    }

    /// Whether bots are pinned to cores.
    #[must_use]
    pub fn pins(&self) -> bool {
        self.0.terms.pin
    }

    /// Returns the settings of this machine's cluster.
    #[must_use]
    pub fn settings(&self) -> &ClusterSettings {
        &self.0.cluster
    }

    /// Prints the result of the contest in the record at `out`, all of which has been played, as the words ask for it.
    ///
    /// # Errors
    /// If the record cannot be read, or the result cannot be written.
    pub fn show(self, out: &Path) -> Result<(), Failure> {
        show(self.0, out)
    }
}

/// Refuses `--on`, with which a contest was once played on a cluster, and names the command that plays it.
///
/// # Errors
/// If `typed`, the program's name first, has it.
pub(in crate::cli) fn refuse_on(typed: &[String]) -> Result<(), Failure> {
    let is_contest = typed
        .get(1)
        .is_some_and(|word| word == "match" || word == "tournament");
    let is_on = |word: &String| word == "--on" || word.starts_with("--on=");
    if !is_contest || !typed.iter().take_while(|word| *word != "--").any(is_on) {
        return Ok(());
    }
    let mut scheduler = String::new();
    let mut before = Vec::new();
    let mut contest = Vec::new();
    let mut words = typed[1..].iter();
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        match name {
            "--" => {
                contest.push(word.clone());
                contest.extend(words.cloned());
                break;
            }
            "--on" => scheduler = value.or_else(|| words.next().cloned()).unwrap_or_default(),
            "--out" | "--shards" | "--scheduler-options" => {
                before.push(name.to_owned());
                before.extend(value.or_else(|| words.next().cloned()));
            }
            "--dry-run" | "--force" => before.push(word.clone()),
            _ => contest.push(word.clone()),
        }
    }
    if !before.iter().any(|word| word == "--out") {
        before.extend(["--out".to_owned(), "FILE".to_owned()]);
    }
    if scheduler != "hyperqueue" {
        "slurm".clone_into(&mut scheduler);
    }
    let command = ["referee".to_owned(), "cluster".to_owned(), scheduler]
        .into_iter()
        .chain(before)
        .chain(["--".to_owned()])
        .chain(contest)
        .collect::<Vec<_>>();
    Err(Failure::misuse(format!(
        "--on: a cluster plays by a program of its own:\n  {}",
        quoted(&command)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_with_on_is_refused() {
        for (typed, command) in [
            (
                "referee tournament good awful --on slurm --shards 64 --out cup.jsonl --games 20",
                "referee cluster slurm --shards 64 --out cup.jsonl -- tournament good awful --games 20",
            ),
            (
                "referee match a b --on=hyperqueue",
                "referee cluster hyperqueue --out FILE -- match a b",
            ),
        ] {
            let typed: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            let error = refuse_on(&typed).unwrap_err().to_string();
            assert!(error.ends_with(command), "{error}");
        }
        for typed in [
            "referee match a b",
            "referee play a --on",
            "referee match -- a --on",
        ] {
            let typed: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            assert!(refuse_on(&typed).is_ok());
        }
    }
}
