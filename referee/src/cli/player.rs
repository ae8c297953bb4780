//! Players as they are typed: a shipped one, or a command line, perhaps with a name.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use clap::Args;

use thiserror::Error;

use super::source::recognized;
use arena::game::Entrant;
use battleship_bots::{SHIPPED, Settings, Shipped, Terminal};
use bothost::{BotProgram, LocalPlayer, find_on_path, text};

use crate::cli::options::{headings, time_limit};
use crate::cli::programs;
use crate::cli::shell_words::for_a_shell;
use arena::system::{is_path, quoted, split_words};
use arena::terms::OwnLimits;

/// The reason why text does not name a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    #[error("{typed}: {why}")]
    Module { typed: String, why: String },
    #[error(
        "{0:?} names no player: a quotation mark is not closed; one that is part of a name or a file has a \\ before it, as in \"O\\'Brien=python3 bot.py\""
    )]
    Quotation(String),
    #[error(
        "no program {typed:?} is on the PATH; did you mean {kind}? The shipped players are awful, mediocre, fair, decent, good and human"
    )]
    Misspelt { typed: String, kind: &'static str },
    #[error(
        "{word:?}: only a shell replaces ~, and only outside quotation marks; write {}",
        std::env::home_dir().unwrap_or_else(|| "/home/NAME".into()).join(&word[2..]).display()
    )]
    Tilde { word: String },
    #[error(
        "{0:?}: there is no shell between the referee and a program, so {1} would be an argument; write {2}; in quotation marks {1} is passed on"
    )]
    Shell(String, String, String),
    #[error(
        "{variable}={value}: what is before = is the player's name, not a variable; set the variable for the referee and pass it on: {variable}={value} referee ... --env {variable}"
    )]
    Variable { variable: String, value: String },
    #[error("{name}@{dir} has no command; write {name}@{dir}=COMMAND")]
    FolderAlone { name: String, dir: String },
    #[error("{0:?}: the name of a player has no / in it")]
    NameWithSlash(String),
    #[error(
        "{0:?}: a folder with spaces needs quotation marks of its own, as in \"NAME@'my bots'=python3 bot.py\""
    )]
    FolderWithSpaces(String),
    #[error("{0:?} names no program")]
    NoProgram(String),
    #[error("{0:?} begins with = but has no name before it")]
    NoName(String),
    #[error("the name of the player {0:?} is empty; leave it out, or give it one")]
    EmptyName(String),
    #[error(
        "{typed:?}: the player {kind} takes no arguments; ./{kind} would be a program of yours"
    )]
    Arguments { typed: String, kind: String },
    #[error(
        "{0:?}: a name with spaces needs quotation marks of its own, as in \"'Popeye the Sailor=awful'\""
    )]
    NameWithSpaces(String),
    #[error(
        "{typed:?}: there is no folder {dir:?}; NAME@DIR=COMMAND starts a bot in the folder DIR"
    )]
    NoFolder { typed: String, dir: String },
    #[error("the player {0:?} has a folder in its command and dir as well; leave one of them out")]
    TwoFolders(String),
}

/// Limits of two players, where they have their own.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PairLimits {
    /// Time limits of P1 and P2 for a reply, e.g. 1s:5s; replaces --limit
    #[arg(long, help_heading = headings::LIMITS, value_name = "A:B", value_parser = two_limits, hide_short_help = true)]
    limits: Option<[Duration; 2]>,
}

impl PairLimits {
    /// Gives each of two players its limits.
    pub(crate) fn apply<'p>(&self, players: impl IntoIterator<Item = &'p mut Entrant>) {
        for (place, player) in players.into_iter().enumerate() {
            player.limits = OwnLimits {
                limit: self.limits.and_then(|both| both.get(place).copied()),
                start_limit: None,
            };
        }
    }
}

/// Reads two limits, as in `1s:5s`.
fn two_limits(typed: &str) -> Result<[Duration; 2], String> {
    let (one, two) = typed
        .split_once(':')
        .ok_or("write two times with a colon between them, as in 1s:5s")?;
    Ok([time_limit(one)?, time_limit(two)?])
}

/// The part before the command in the first word of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Prefix<'w> {
    name: &'w str,
    dir: Option<&'w str>,
}

/// Splits a first word into what precedes its command, and the rest: `NAME=`, `NAME@DIR=` or `@DIR=`. As in a shell's
/// assignment, no slash precedes the name. `Err` has a folder that is none.
fn split_prefix(word: &str) -> Result<Option<(Prefix<'_>, &str)>, String> {
    let Some(at) = word.find(['=', '@']).filter(|at| !is_path(&word[..*at])) else {
        return Ok(None);
    };
    let (name, behind) = (&word[..at], &word[at + 1..]);
    if word[at..].starts_with('=') {
        return Ok(Some((Prefix { name, dir: None }, behind)));
    }
    // The folder's path may have = in it, so the first that makes it a folder ends it.
    let mut ends = behind
        .match_indices('=')
        .map(|(end, _)| (&behind[..end], &behind[end + 1..]));
    let Some(first) = ends.clone().next() else {
        return Ok(None);
    };
    match ends.find(|(dir, _)| Path::new(dir).is_dir()) {
        Some((dir, rest)) => Ok(Some((
            Prefix {
                name,
                dir: Some(dir),
            },
            rest,
        ))),
        None => Err(first.0.to_owned()),
    }
}

/// The player that `typed` names: a built-in player, or a command line as a shell would split it, either
/// of them perhaps with `NAME=` before it. `referee` is the referee's own program, which is also every
/// built-in player, so that no file in the current folder can take the place of one.
pub(crate) fn parse(typed: &str, referee: &Path) -> Result<Entrant, PlayerError> {
    let mut words = split_words(typed).ok_or_else(|| PlayerError::Quotation(typed.to_owned()))?;
    let first = words
        .first_mut()
        .ok_or_else(|| PlayerError::NoProgram(typed.to_owned()))?;
    let (mut given, mut dir, mut has_prefix) = (None, None, false);
    let mut before = String::new();
    if let Some((prefix, program)) = split_prefix(first).map_err(|dir| no_folder(typed, &dir))? {
        let name = text::name(prefix.name);
        if name.is_empty() && prefix.dir.is_none() {
            return Err(PlayerError::NoName(typed.to_owned()));
        }
        given = Some(name).filter(|name| !name.is_empty());
        dir = prefix.dir.map(str::to_owned);
        has_prefix = true;
        first[..first.len() - program.len()].clone_into(&mut before);
        *first = program.to_owned();
        if first.is_empty() {
            words.remove(0);
        }
    }
    let is_name = |word: &String| {
        word.split_once('=')
            .filter(|_| !word.starts_with('-'))
            .is_some_and(|(_, rest)| Shipped::named(rest).is_some() || is_program(rest))
    };
    if !has_prefix && !is_program(&words[0]) {
        if is_name(&words[0]) {
            return Err(PlayerError::NameWithSlash(typed.to_owned()));
        }
        let name = words[0].split_once('@').map(|(name, _)| name);
        let is_cut = name.is_some_and(|name| !is_path(name)) && !words[0].contains('=');
        let ends_folder = |word: &String| word.contains('=') && !word.starts_with('-');
        if is_cut && words.iter().any(ends_folder) {
            return Err(PlayerError::FolderWithSpaces(typed.to_owned()));
        }
        if words.iter().any(is_name) {
            return Err(PlayerError::NameWithSpaces(typed.to_owned()));
        }
    }
    let Some((file, arguments)) = words.split_first().filter(|(file, _)| !file.is_empty()) else {
        return Err(PlayerError::NoProgram(typed.to_owned()));
    };
    if let Some(mistake) = mistake(given.as_ref(), has_prefix, &words) {
        return Err(mistake);
    }
    let command_line = if has_prefix {
        let mut ends = typed.match_indices('=').map(|(end, _)| &typed[end + 1..]);
        let command = ends.find(|command| split_words(command).as_ref() == Some(&words));
        // Otherwise the name was quoted together with what follows it.
        command.map_or_else(|| quoted(&words), str::to_owned)
    } else {
        typed.to_owned()
    };
    if let Some((word, player)) = for_a_shell(&words, &command_line, &before) {
        return Err(PlayerError::Shell(typed.to_owned(), word, player));
    }
    let command_line = text::shown(command_line.trim().as_bytes());
    let built_in = Shipped::named(file).is_some();
    if built_in && !arguments.is_empty() {
        let (typed, kind) = (typed.to_owned(), file.clone());
        return Err(PlayerError::Arguments { typed, kind });
    }
    // The human bot as a program of its own sits at the terminal too; it could not ask there otherwise.
    let human = file == "human"
        || Path::new(file)
            .file_stem()
            .is_some_and(|name| name == "human-bot");
    let name = || {
        name_of_program(
            Path::new(dir.as_deref().unwrap_or_default()),
            file,
            arguments,
        )
    };
    let named = given.is_some();
    let name = given.unwrap_or_else(|| if built_in { file.clone() } else { name() });
    let mut words_before = Vec::new();
    if built_in {
        words_before.extend(["bot".into(), file.into()]);
    }
    let program = BotProgram {
        file: if built_in {
            referee.into()
        } else {
            file.into()
        },
        arguments: words_before
            .into_iter()
            .chain(arguments.iter().map(Into::into))
            .collect(),
        folder: None,
        command_line,
        on_terminal: human,
        ..BotProgram::default()
    };
    if program.is_wasm()
        && let Err(why) = programs::WASM.installed()
    {
        return Err(PlayerError::Module {
            typed: typed.to_owned(),
            why: why.to_string(),
        });
    }
    let limits = OwnLimits::default();
    let player = Entrant {
        name,
        named,
        shipped: built_in,
        human,
        program,
        dir: None,
        limits,
        one_game: false,
    };
    match dir {
        Some(dir) => in_folder(player, &dir, typed),
        None => Ok(Entrant {
            program: recognized(player.program),
            ..player
        }),
    }
}

/// Returns whether a word names a program on the PATH, or a file.
fn is_program(word: &str) -> bool {
    find_on_path(word.as_ref()).is_some_and(|file| file.is_file())
}

/// Returns what was probably meant by the `words` of a player that are something else; `given` is its name.
fn mistake(given: Option<&String>, has_prefix: bool, words: &[String]) -> Option<PlayerError> {
    let (file, arguments) = words.split_first()?;
    // A player has any name; one of capitals before what is not a program, and then a program, is a variable.
    let is_variable = |name: &String| !name.contains(|letter: char| letter.is_lowercase());
    if let Some(variable) = given.filter(|name| is_variable(name))
        && find_on_path(file.as_ref()).is_none()
        && arguments.first().is_some_and(|word| is_program(word))
    {
        let (variable, value) = (variable.clone(), file.clone());
        return Some(PlayerError::Variable { variable, value });
    }
    let is_tilde = |word: &&String| word.starts_with("~/") && !Path::new(word).exists();
    if let Some(word) = words.iter().find(is_tilde) {
        return Some(PlayerError::Tilde { word: word.clone() });
    }
    if let Some((name, dir)) = file
        .split_once('@')
        .filter(|(_, dir)| Path::new(dir).is_dir())
        && !has_prefix
        && !Path::new(file).exists()
    {
        return Some(PlayerError::FolderAlone {
            name: name.to_owned(),
            dir: dir.to_owned(),
        });
    }
    meant(file).map(|kind| PlayerError::Misspelt {
        typed: file.clone(),
        kind,
    })
}

fn no_folder(typed: &str, dir: &str) -> PlayerError {
    if dir.starts_with("~/") {
        return PlayerError::Tilde {
            word: dir.to_owned(),
        };
    }
    PlayerError::NoFolder {
        typed: typed.to_owned(),
        dir: dir.to_owned(),
    }
}

/// Has `player`, which is typed as `typed`, start in the folder `dir`.
fn in_folder(player: Entrant, dir: &str, typed: &str) -> Result<Entrant, PlayerError> {
    let absolute = std::path::absolute(dir)
        .ok()
        .filter(|folder| folder.is_dir());
    let folder = Some(absolute.ok_or_else(|| no_folder(typed, dir))?);
    Ok(Entrant {
        program: recognized(BotProgram {
            folder,
            ..player.program
        }),
        dir: Some(dir.to_owned()),
        ..player
    })
}

/// The player that `command` starts, in the folder `dir` if there is one, who is called `name` if there is one. Unlike
/// what is typed, the name may have spaces.
///
/// # Errors
/// If the command starts no player, or the folder does not exist.
pub fn parse_called(
    name: Option<&str>,
    command: &str,
    dir: Option<&str>,
    referee: &Path,
) -> Result<Entrant, PlayerError> {
    let mut player = parse(command, referee)?;
    if let Some(dir) = dir {
        if player.dir.is_some() {
            return Err(PlayerError::TwoFolders(command.to_owned()));
        }
        // A script is looked for where the bot starts.
        let words = split_words(command).unwrap_or_default();
        if let Some((file, arguments)) = words.split_first()
            && player.name == name_of_program(Path::new(""), file, arguments)
        {
            player.name = name_of_program(Path::new(dir), file, arguments);
        }
        player = in_folder(player, dir, command)?;
    }
    let Some(name) = name.map(text::name) else {
        return Ok(player);
    };
    if name.is_empty() {
        return Err(PlayerError::EmptyName(command.to_owned()));
    }
    Ok(Entrant {
        name,
        named: true,
        ..player
    })
}

/// Returns the shipped player that `file` was probably meant to name; `None` if it names a program, or nothing like one.
fn meant(file: &str) -> Option<&'static str> {
    if Shipped::named(file).is_some()
        || Path::new(file).is_file()
        || find_on_path(file.as_ref()).is_some()
    {
        return None;
    }
    let lower = file.to_lowercase();
    let lower = lower.trim_end_matches("-bot").trim_end_matches("_bot");
    let is_likely = |name: &&str| {
        let mistakes = if name.len() > 5 { 2 } else { 1 };
        strsim::damerau_levenshtein(lower, name) <= mistakes
    };
    SHIPPED.iter().map(|shipped| shipped.name).find(is_likely)
}

/// Names of files that say nothing of whose they are, as every kit has them.
const OF_ANY_BOT: [&str; 13] = [
    "bot", "main", "player", "run", "index", "app", "program", "strategy", "ai", "agent", "start",
    "a", "__main__",
];

/// Names of folders in which programs lie that belong to the folder above.
const OF_ANY_PROGRAM: [&str; 10] = [
    "bin", "build", "out", "dist", "src", "target", "release", "debug", "classes", "lib",
];

/// Returns the name for a program that was given none: the last thing in its command line that looks like a file, without its
/// folder and ending: `my` for `python3 bots/my.py`. If any bot's file has that name, it is the name of its folder: `mybot` for
/// `python3 mybot/bot.py`, and for `java -cp mybot Bot`. Relative names are looked up in `dir`.
fn name_of_program(dir: &Path, file: &str, arguments: &[String]) -> String {
    let script = arguments.iter().rfind(|word| dir.join(word).is_file());
    let path = dir.join(script.map_or(file, String::as_str));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let runs_classes =
        kits::interpreted_by(&stem).is_some_and(|language| !language.class_path.is_empty());
    let folder = match script {
        // Of the class path, which is the only folder that a command names as a rule.
        None if runs_classes => arguments.iter().rfind(|word| dir.join(word).is_dir()),
        None | Some(_) => None,
    };
    let folder = match folder {
        Some(folder) => dir.join(folder).canonicalize().ok(),
        // A program on the PATH is in no folder that says anything, but for the one it is started in.
        None if script.is_none() && Path::new(file).components().count() < 2 => {
            (!dir.as_os_str().is_empty()).then(|| dir.to_owned())
        }
        None => std::path::absolute(&path)
            .ok()
            .and_then(|path| Some(path.parent()?.to_owned())),
    };
    let is_of_any = |name: &str, known: &[&str]| known.contains(&name.to_lowercase().as_str());
    let of_folder = || {
        let mut names = folder.iter().flat_map(|folder| folder.ancestors());
        names.find_map(|folder| {
            let name = folder.file_name()?.to_string_lossy().into_owned();
            (!is_of_any(&name, &OF_ANY_PROGRAM)).then_some(name)
        })
    };
    let says_nothing = runs_classes || is_of_any(&stem, &OF_ANY_BOT);
    let name = says_nothing
        .then(of_folder)
        .flatten()
        .unwrap_or(stem.into_owned());
    let name = text::name(&name);
    match name.as_str() {
        "" => "bot".to_owned(),
        // Only the shipped players go by these, unless a player is given such a name.
        name if Shipped::named(&name.to_lowercase()).is_some() => format!("./{name}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests;

/// Has the person that `player` is play at the terminal. Without one, standard input is what the person types, and questions
/// belong in the transcript on standard output, or on standard error if `output_is_for_data`.
pub(super) fn seat_at_terminal(player: &mut Entrant, output_is_for_data: bool) {
    let name = player.name.clone();
    player.program.local = Some(LocalPlayer::new(move || {
        let terminal = if std::io::stdin().is_terminal() {
            Terminal::open()
        } else {
            Terminal::piped(output_is_for_data)
        };
        let human = Shipped::named("human").expect("it is shipped");
        let settings = Settings {
            name: Some(name.clone()),
            // One that has no terminal resigns.
            terminal: terminal.unwrap_or_default(),
            ..Settings::default()
        };
        Box::new(human.program(settings).dialogue())
    }));
}
