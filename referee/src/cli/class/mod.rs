//! A class: from a folder of submissions to standings. Each file is one thing that `referee class` does.

pub(super) mod add;
pub(super) mod checks;
mod current;
pub(super) mod dispute;
pub(super) mod grade;
pub(super) mod init;
pub(super) mod intake;
mod night;
pub(super) mod parts;
pub(super) mod play;
mod player;
mod pool;
mod scratch;
mod secret;
mod setup;
pub(super) mod site;
mod standings;
pub(super) mod status;
pub(super) mod suspicious;
mod workshop;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use bothost::text;
use class::{ClassFolder, Config, Play, Roster, Store, StoreError};
use sha2::{Digest, Sha256};

use self::secret::Secret;
use super::commands::hidden;
use super::exit::Failure;
use super::{complain, own_program};
use engine::record::{SandboxOfGame, hexadecimal};
use engine::terms::{GameTerms, SandboxLevel, TermsOptions, names_in_file, unknown_in_file};
use pages::plain;
use serde::Deserialize;

/// The digits of a digest in names of files: enough to tell some thousands of bots apart.
const DIGITS: usize = 16;

/// A class that has been set up.
struct Class {
    folder: ClassFolder,
    config: Config<toml::Table>,
    roster: Roster,
    /// What all games are played under.
    terms: GameTerms,
    /// What tells these from others: see [`Class::terms_key`].
    terms_key: String,
    /// What all seeds follow from; `None` for a class of version 1.0.0-rc.1.
    secret: Option<Secret>,
    /// The referee's own executable.
    referee: PathBuf,
}

impl Class {
    /// Reads the class in `folder`.
    ///
    /// # Errors
    /// If there is none, or if one of its files says something that makes no sense.
    fn open(folder: &Path) -> Result<Class, Failure> {
        let folder = std::path::absolute(folder)
            .map_err(|error| Failure::misuse(format!("-C {}: {error}", folder.display())))?;
        let folder = ClassFolder::new(folder);
        if !folder.config().exists() {
            let (config, advice) = (
                folder.config(),
                "go to the folder of a class, name it with -C DIR, or make one: referee class init",
            );
            return Err(Failure::misuse(format!("there is no {}; {advice}", config.display())));
        }
        let config = Config::read(&folder.config()).map_err(Failure::misuse)?;
        let roster = Roster::read(&folder.roster()).map_err(Failure::misuse)?;
        if let Some(staff) = config.staff.iter().find(|staff| roster.student(&staff.name).is_some())
        {
            return Err(Failure::misuse(format!(
                "{}: {} is a student of the roster, too; call the bot of the staff otherwise",
                folder.config().display(),
                staff.name
            )));
        }
        let terms = terms_of(&config.game, &folder.config())?;
        let referee = own_program()?;
        let secret = Secret::read(&folder.secret())?;
        let terms_key = key_of(&terms, &config.play, secret);
        Ok(Class { folder, config, roster, terms, terms_key, secret, referee })
    }

    /// Opens its index.
    fn store(&self) -> Result<Store, Failure> {
        Store::open(&self.folder.database()).map_err(Failure::from)
    }

    /// Returns what tells the terms of its games from others. Limits of time are part of it, not the machine.
    fn terms_key(&self) -> String {
        self.terms_key.clone()
    }

    /// Returns a path below the folder of the class as the index has it.
    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(self.folder.path()).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Returns the folder of a built bot.
    fn bot_folder(&self, digest: &str) -> PathBuf {
        self.folder.bots().join(digest)
    }

    /// Tries the sandbox, if there is one.
    fn test_sandbox(&self) -> Result<Option<SandboxOfGame>, Failure> {
        let mut launch = self.terms.launch(self.referee.clone());
        // What students hand in is what has to be held.
        if let Some(sandbox) = &mut launch.sandbox {
            sandbox.closed = true;
        }
        hidden::test_sandbox(&self.terms, &launch).map_err(|failure| {
            let Failure::NotStarted(why) = failure else { return failure };
            Failure::NotStarted(format!(
                "{why}; write sandbox = \"basic\", or sandbox = false if you trust all submissions, into [game] of {}",
                self.folder.config().display()
            ))
        })
    }
}

fn key_of(terms: &GameTerms, play: &Play, secret: Option<Secret>) -> String {
    let text = serde_json::to_string(&(terms, play.series, play.seed));
    let text = text.expect("it has nothing that JSON has not");
    let mut digest = Sha256::new();
    digest.update(text.as_bytes());
    if let Some(secret) = secret {
        // The key is the name of a folder, so it says nothing of the secret itself.
        digest.update(secret.seed(&[b"terms"]).to_le_bytes());
    }
    let mut key = hexadecimal(&digest.finalize());
    key.truncate(DIGITS);
    key
}

/// Returns the terms of a game by the options in the table `[game]`. Bots are confined unless that is switched off.
fn terms_of(game: &toml::Table, file: &Path) -> Result<GameTerms, Failure> {
    let shown = format!("{}, [game]", file.display());
    let wrong = |what: String| Failure::misuse(format!("{shown}: {what}"));
    let is_known = |name: &&String| names_in_file::<TermsOptions>().any(|known| known == **name);
    if let Some(name) = game.keys().find(|name| !is_known(name)) {
        return Err(wrong(unknown_in_file::<TermsOptions>(name)));
    }
    let mut options: TermsOptions = TermsOptions::deserialize(game.clone())
        .map_err(|error| wrong(error.message().replace('\n', ", ")))?;
    if !game.contains_key("sandbox") && cfg!(target_os = "linux") {
        options.launch.sandbox = Some(SandboxLevel::World);
    }
    options.terms().map_err(|error| wrong(error.to_string()))
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Later(_) => Failure::misuse(error),
            StoreError::Database { .. } => Failure::Fault(error.into()),
        }
    }
}

/// Prints something on standard output. Names are of students and texts of their bots: none of it controls a terminal.
fn say(what: impl Display) -> Result<(), Failure> {
    let text = plain(what.to_string().as_bytes());
    writeln!(io::stdout(), "{}", text.trim_end())?;
    Ok(())
}

/// Returns the results of the bots in which the machine did not fail. It names the others, which could not be `done` and
/// which the next `step` tries again: one submission does not stop the others.
///
/// # Errors
/// If the referee was interrupted, or its output is closed; the first failure, if there is nothing else.
fn decided<'b, T>(
    results: impl Iterator<Item = (&'b str, Result<T, Failure>)>,
    done: &str,
    step: &str,
) -> Result<Vec<T>, Failure> {
    let (mut decided, mut failures) = (Vec::new(), Vec::new());
    for (bot, result) in results {
        match result {
            Ok(one) => decided.push(one),
            Err(failure @ Failure::Interrupted(_)) => return Err(failure),
            Err(failure) if !failure.has_message() => return Err(failure),
            Err(failure) => failures.push((bot, failure)),
        }
    }
    for (bot, failure) in &failures {
        let why = failure.to_string();
        complain(&format!("{bot} could not be {done}: {}", text::shown(why.as_bytes())));
    }
    match failures.into_iter().next() {
        Some((_, failure)) if decided.is_empty() => return Err(failure),
        Some(_) => complain(&format!("the next {step} tries these again")),
        None => {}
    }
    Ok(decided)
}

/// Makes `folder`, if it is not there.
fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bot_that_the_machine_fails_in_does_not_stop_the_others() {
        let fault = || Failure::from(anyhow::anyhow!("no memory"));
        let results = [("ada", Ok(1)), ("bob", Err(fault())), ("cyd", Ok(3))];
        assert_eq!(decided(results.into_iter(), "built", "intake").unwrap(), [1, 3]);
        let all: [(&str, Result<(), Failure>); 2] = [("ada", Err(fault())), ("bob", Err(fault()))];
        let failure = decided(all.into_iter(), "built", "intake").unwrap_err();
        assert_eq!(failure.to_string(), "no memory");
        let stopped = [("ada", Ok(1)), ("bob", Err(Failure::Interrupted("by hand".to_owned())))];
        assert!(decided(stopped.into_iter(), "checked", "check").is_err());
    }
}
