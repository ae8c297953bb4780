//! A class that is open: its files, what its games are played under, and the program that opened
//! it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::game::Entrant;
use arena::record::{SandboxOfGame, hexadecimal};
use arena::terms::GameTerms;
use battleship::Rules;
use bothost::Launch;
use referee::options::{ChosenGame, GameOptions};
use referee::options_of_section;
use sha2::{Digest, Sha256};

use crate::choice::Purpose;
use crate::player::staff_entrant;
use crate::privacy::keep_class;
use crate::secret::Secret;
use crate::setup::SEED;
use crate::{ClassError, ClassFolder, Config, Play, Roster, Store};

/// The digits of a digest in names of files: enough to tell some thousands of bots apart.
const DIGITS: usize = 16;

/// The program that opens a class, as far as the class needs it.
#[derive(Clone, Debug)]
pub struct Host {
    /// The referee's own executable, which starts and confines bots.
    pub program: PathBuf,
    /// Returns the player of this name that a command of the staff starts, by the referee's own
    /// executable.
    pub player: fn(name: &str, command: &str, program: &Path) -> Result<Entrant, String>,
    /// Tests the sandbox, if there is one.
    pub test_sandbox: fn(&GameTerms, &Launch) -> Result<Option<SandboxOfGame>, ClassError>,
    /// Hears what the teacher should know on the way, in a sentence.
    pub note: fn(&str),
}

/// A class that has been set up.
#[derive(Debug)]
pub struct Class {
    pub(crate) folder: ClassFolder,
    pub(crate) config: Config<toml::Table>,
    pub(crate) roster: Roster,
    /// What is played.
    pub(crate) game: ChosenGame,
    /// The terms of all games.
    pub(crate) terms: GameTerms,
    /// The key that tells these from others: see [`Class::terms_key`].
    terms_key: String,
    /// The secret from which all seeds follow.
    pub(crate) secret: Secret,
    pub(crate) host: Host,
}

impl Class {
    /// Reads the class in `folder` for `host`.
    ///
    /// # Errors
    /// If there is none, or if one of its files says something that makes no sense.
    pub fn open(folder: &Path, host: Host) -> Result<Class, ClassError> {
        let folder = std::path::absolute(folder)
            .map_err(|error| ClassError::misuse(format!("-C {}: {error}", folder.display())))?;
        let folder = ClassFolder::new(folder);
        if !folder.config().exists() {
            let config = folder.config();
            let advice =
                "go to the folder of a class, name it with -C DIR, or make one: referee class init";
            return Err(ClassError::misuse(format!(
                "there is no {}; {advice}",
                config.display()
            )));
        }
        if let Err(error) = keep_class(&folder) {
            let folder = folder.path().display();
            (host.note)(&format!(
                "{folder}: other users of this machine may read files of this class: {error}"
            ));
        }
        let config = Config::read(&folder.config()).map_err(ClassError::misuse)?;
        let roster = Roster::read(&folder.roster()).map_err(ClassError::misuse)?;
        if let Some(staff) = config
            .staff
            .iter()
            .find(|staff| roster.called(&staff.name).is_some())
        {
            return Err(ClassError::misuse(format!(
                "{}: {} is a student or a team of the roster, too; call the team or the bot of the staff otherwise",
                folder.config().display(),
                staff.name
            )));
        }
        if let Some(note) = config.notes() {
            (host.note)(&format!("{}: {note}", folder.config().display()));
        }
        let (game, terms) = game_of(&config, &folder, &host)?;
        let secret = Secret::read(&folder.secret())?;
        let terms_key = key_of(&game, &terms, &config.play, secret);
        Ok(Class {
            folder,
            config,
            roster,
            game,
            terms,
            terms_key,
            secret,
            host,
        })
    }

    /// Returns what the class is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// Returns the rules of Battleship, if that is played.
    #[must_use]
    pub fn rules(&self) -> Option<&Rules> {
        self.game.rules.as_ref()
    }

    /// Returns its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns whether `path` is a file that the class keeps, or lies in a folder of its
    /// submissions, bots or records.
    #[must_use]
    pub fn keeps(&self, path: &Path) -> bool {
        self.folder.keeps(path)
    }

    /// Returns how many games are played at the same time, if `class.toml` says so.
    #[must_use]
    pub fn jobs(&self) -> Option<usize> {
        self.config.play.jobs.map(usize::from)
    }

    /// Tells the teacher `what` happens.
    pub(crate) fn note(&self, what: &str) {
        (self.host.note)(what);
    }

    /// Opens its index.
    pub(crate) fn store(&self) -> Result<Store, ClassError> {
        Ok(Store::open(&self.folder.database())?)
    }

    /// Returns what tells the terms of its games from others. Limits of time are part of it, not
    /// the machine.
    pub(crate) fn terms_key(&self) -> String {
        self.terms_key.clone()
    }

    /// Returns what tells the games of a purpose from others: those of earlier versions against the
    /// staff, whose seeds were each student's own, decide no requirement.
    pub(crate) fn terms_of(&self, purpose: Purpose) -> String {
        match purpose {
            Purpose::Rating => self.terms_key(),
            Purpose::Requirement => short(&Sha256::digest(
                format!("{}\0requirement", self.terms_key).as_bytes(),
            )),
        }
    }

    /// Returns a path below the folder of the class as the index has it.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(self.folder.path())
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned()
    }

    /// Returns the folder of a built bot.
    pub(crate) fn bot_folder(&self, digest: &str) -> PathBuf {
        self.folder.bots().join(digest)
    }

    /// Tries the sandbox, if there is one.
    pub(crate) fn test_sandbox(&self) -> Result<Option<SandboxOfGame>, ClassError> {
        let mut launch = self.terms.launch(self.host.program.clone());
        // The sandbox has to hold the students' submissions.
        if let Some(sandbox) = &mut launch.sandbox {
            sandbox.closed = true;
        }
        (self.host.test_sandbox)(&self.terms, &launch).map_err(|error| {
            let ClassError::NotStarted(why) = error else { return error };
            ClassError::NotStarted(format!(
                "{why}; write sandbox = \"basic\", or sandbox = false if you trust all submissions, into [game] of {}",
                self.folder.config().display()
            ))
        })
    }
}

fn key_of(game: &ChosenGame, terms: &GameTerms, play: &Play, secret: Secret) -> String {
    let text = match &game.rules {
        Some(rules) => serde_json::to_string(&(rules, terms, play.series(), SEED)),
        None => serde_json::to_string(&(game.game.settings(), terms, play.series(), SEED)),
    };
    let text = text.expect("it has nothing that JSON has not");
    let mut digest = Sha256::new();
    digest.update(text.as_bytes());
    // Left out where it is not given, so that the pools of earlier versions keep their keys.
    if let Some(restart) = play.restart {
        digest.update([u8::from(restart)]);
    }
    // The key is the name of a folder, so it says nothing of the secret itself.
    digest.update(secret.seed(&[b"terms"]).to_le_bytes());
    short(&digest.finalize())
}

/// Returns the beginning of a digest in hexadecimal digits, as names of files have it.
pub(crate) fn short(digest: &[u8]) -> String {
    let mut digits = hexadecimal(digest);
    digits.truncate(DIGITS);
    digits
}

/// Returns the game and its terms by the options in the section `[game]` of the file of the class,
/// which `config` has been read from. Bots are confined unless that is switched off; a judge, whose
/// files lie in the folder of the class, is not.
fn game_of(
    config: &Config<toml::Table>,
    folder: &ClassFolder,
    host: &Host,
) -> Result<(ChosenGame, GameTerms), ClassError> {
    let file = &folder.config();
    let shown = file.display();
    let wrong = |what: String| ClassError::misuse(format!("{shown}, {what}"));
    let text = fs::read_to_string(file).map_err(ClassError::about(file))?;
    let mut options: GameOptions = options_of_section(&text, "game").map_err(wrong)?;
    if !config.game.contains_key("sandbox") && cfg!(target_os = "linux") {
        options.confine();
    }
    // A command that starts no program is named by the steps that start bots.
    let entrants = config
        .staff
        .iter()
        .filter_map(|bot| staff_entrant(&bot.name, &bot.command, folder, host).ok());
    let entrants: Vec<_> = entrants.collect();
    let staff: Vec<_> = entrants.iter().map(|staff| &staff.program).collect();
    let own = folder.not_of_teacher();
    options
        .game(&host.program, folder.path(), &staff, &own)
        .map_err(|error| wrong(format!("[game]: {error}")))
}

/// Writes a file for its owner alone, whole or not at all. What is there `is_replaced`, or stays.
/// Returns whether it was written.
pub(crate) fn write_whole(
    path: &Path,
    content: &[u8],
    is_replaced: bool,
) -> Result<bool, ClassError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut part = tempfile::NamedTempFile::new_in(folder)?;
        part.write_all(content)?;
        part.as_file().sync_all()?;
        if is_replaced {
            part.persist(path)?;
        } else if let Err(error) = part.persist_noclobber(path) {
            let is_there = error.error.kind() == io::ErrorKind::AlreadyExists;
            return if is_there {
                Ok(false)
            } else {
                Err(error.error)
            };
        }
        Ok(true)
    };
    write().map_err(ClassError::about(path))
}

/// Makes `folder`, if it is not there.
pub(crate) fn make_folder(folder: &Path) -> Result<(), ClassError> {
    fs::create_dir_all(folder).map_err(|error| {
        ClassError::fault(format!(
            "the folder {} cannot be made: {error}",
            folder.display()
        ))
    })
}
