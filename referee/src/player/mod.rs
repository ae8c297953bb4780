//! Players as they are typed: a shipped one, or a command line, perhaps with a name and a folder.

mod mistakes;
mod name;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::path::Path;

use bothost::{BotProgram, LocalPlayer, find_on_path, text};
use bots::{Settings, Shipped, Terminal};

pub use self::mistakes::recognized;
pub(super) use self::mistakes::refuse_unquoted;
use self::mistakes::{for_a_shell, is_program, mistake, tilde_of};
use self::name::name_of_program;
use super::exit::Failure;
use super::programs;
use arena::game::{Entrant, player_word};
use arena::system::{is_path, quoted, quoted_word, split_words};
use arena::terms::OwnLimits;

/// A name, a folder, and the rest of a first word.
type Prefix<'w> = (&'w str, Option<&'w str>, &'w str);

/// Splits a first word into the name and the folder before its command, and the rest: `NAME=`,
/// `NAME@DIR=` or `@DIR=`. As in a shell's assignment, no slash precedes the name. `Err` has a
/// folder that is none.
fn split_prefix(word: &str) -> Result<Option<Prefix<'_>>, String> {
    let Some(at) = word.find(['=', '@']).filter(|at| !is_path(&word[..*at])) else {
        return Ok(None);
    };
    let name = &word[..at];
    let behind = &word[at + 1..];
    if word[at..].starts_with('=') {
        return Ok(Some((name, None, behind)));
    }
    // The folder's path may have = in it, so the first that makes it a folder ends it.
    let mut ends = behind.match_indices('=').map(|(end, _)| end);
    let Some(first) = ends.clone().next() else {
        return Ok(None);
    };
    match ends.find(|end| Path::new(&behind[..*end]).is_dir()) {
        Some(end) => Ok(Some((name, Some(&behind[..end]), &behind[end + 1..]))),
        None => Err(behind[..first].to_owned()),
    }
}

/// Returns the player that `typed` names, as [`parse_program`] does; or the bot in the folder that
/// `typed` names, which its files tell. A program on the PATH precedes a folder of its name.
///
/// # Errors
/// If the words name no player, or a file in the folder is wrong.
pub(super) fn parse(typed: &str, referee: &Path) -> Result<Entrant, Failure> {
    let quoted_folder;
    let typed = if typed.contains(' ') && Path::new(typed).is_dir() {
        quoted_folder = quoted_word(typed);
        &quoted_folder
    } else {
        typed
    };
    let player = parse_program(typed, referee)?;
    let BotProgram {
        file, arguments, ..
    } = &player.program;
    let folder = player.program.located(Path::new(file));
    let is_folder = !player.shipped
        && arguments.is_empty()
        && folder.is_dir()
        && (is_path(&file.to_string_lossy()) || find_on_path(file).is_none());
    if !is_folder {
        return Ok(player);
    }
    let wrong = |why: &str| Failure::misuse(format!("{typed:?}: {why}"));
    // Without a bot in it, the start of the folder as a program fails with the advice.
    let Some(recipe) = kits::Recipe::in_folder(&folder).map_err(|why| wrong(&why))? else {
        return Ok(player);
    };
    let dir = match &player.dir {
        Some(dir) => Path::new(dir).join(file),
        None => file.into(),
    };
    let dir = dir
        .to_str()
        .ok_or_else(|| wrong("the path of the folder is not UTF-8 text"))?
        .to_owned();
    let folder = folder.canonicalize()?;
    let name = if player.named {
        player.name
    } else {
        name::name_of_folder(&folder)
    };
    let in_folder = player_word(None, Some(&dir), &recipe.run);
    let mut bot = parse_program(&in_folder, referee)?;
    if let Some(build) = &recipe.build
        && let located = bot.program.located(Path::new(&bot.program.file))
        && is_path(&bot.program.file.to_string_lossy())
        && !located.exists()
    {
        bot.program.advice = Some(format!(
            "the bot in {dir} is not built; build it there: {build}"
        ));
    }
    Ok(Entrant {
        name,
        named: player.named,
        typed_folder: Some(dir),
        ..bot
    })
}

/// Returns the player that `typed` names: a shipped player, or a command line as a shell would
/// split it, either of them perhaps with `NAME=` before it. `referee` is the referee's own program,
/// which is also every shipped player, so that no file in the current folder can take the place of
/// one.
///
/// # Errors
/// If the words name no player.
pub(super) fn parse_program(typed: &str, referee: &Path) -> Result<Entrant, Failure> {
    let wrong = |what: &str| Failure::misuse(format!("{typed:?} {what}"));
    let Some(mut words) = split_words(typed) else {
        return Err(wrong(
            "names no player: a quotation mark is not closed; one that is part of a name or a file has a \\ before it, as in \
             \"O\\'Brien=python3 bot.py\"",
        ));
    };
    let Some(first) = words.first_mut() else {
        return Err(wrong("names no program"));
    };
    let mut given = None;
    let mut dir = None;
    let mut before = String::new();
    let prefix = split_prefix(first).map_err(|dir| no_folder(typed, &dir))?;
    if let Some((name, folder, program)) = prefix {
        let name = text::name(name);
        if name.is_empty() && folder.is_none() {
            return Err(wrong("begins with = but has no name before it"));
        }
        given = Some(name).filter(|name| !name.is_empty());
        dir = folder.map(str::to_owned);
        first[..first.len() - program.len()].clone_into(&mut before);
        *first = program.to_owned();
        if first.is_empty() {
            words.remove(0);
        }
    }
    let has_prefix = !before.is_empty();
    if let Some(what) = misplaced_prefix(&words).filter(|_| !has_prefix) {
        return Err(Failure::misuse(format!("{typed:?}: {what}")));
    }
    let Some((file, arguments)) = words.split_first().filter(|(file, _)| !file.is_empty()) else {
        return Err(wrong("names no program"));
    };
    if let Some(what) = mistake(given.as_deref(), has_prefix, &words) {
        return Err(Failure::misuse(what));
    }
    let mut command_line = typed.to_owned();
    if has_prefix {
        let mut ends = typed.match_indices('=').map(|(end, _)| &typed[end + 1..]);
        let command = ends.find(|command| split_words(command).as_ref() == Some(&words));
        // Otherwise the name was quoted together with what follows it.
        command_line = command.map_or_else(|| quoted(&words), str::to_owned);
    }
    if let Some((word, player)) = for_a_shell(&words, &command_line, &before) {
        return Err(Failure::misuse(format!(
            "{typed:?}: there is no shell between the referee and a program, so {word} would be an argument; write {player}; \
             in quotation marks {word} is passed on"
        )));
    }
    let shipped = Shipped::named(file).is_some();
    if shipped && !arguments.is_empty() {
        return Err(Failure::misuse(format!(
            "{typed:?}: the player {file} takes no arguments; ./{file} would be a program of yours"
        )));
    }
    // The human bot as a program of its own sits at the terminal too; it could not ask there
    // otherwise.
    let stem = Path::new(file).file_stem();
    let human = file == "human" || stem.is_some_and(|name| name == "human-bot");
    let named = given.is_some();
    let name = match given {
        Some(name) => name,
        None if shipped => file.clone(),
        None => name_of_program(
            Path::new(dir.as_deref().unwrap_or_default()),
            file,
            arguments,
        ),
    };
    let command_line = text::shown(command_line.trim().as_bytes());
    let mut program = BotProgram {
        file: file.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        command_line,
        on_terminal: human,
        ..BotProgram::default()
    };
    if shipped {
        program.file = referee.into();
        program.arguments = vec!["bot".into(), file.into()];
    }
    if program.is_wasm() {
        programs::WASM
            .installed()
            .map_err(|why| Failure::misuse(format!("{typed}: {why}")))?;
    }
    if let Some(dir) = &dir {
        let folder = std::path::absolute(dir)
            .ok()
            .filter(|folder| folder.is_dir());
        program.folder = Some(folder.ok_or_else(|| no_folder(typed, dir))?);
    }
    Ok(Entrant {
        name,
        named,
        shipped,
        human,
        program: recognized(program),
        dir,
        typed_folder: None,
        limits: OwnLimits::default(),
        one_game: false,
    })
}

/// Returns the fault of words without a prefix that were meant to have one.
fn misplaced_prefix(words: &[String]) -> Option<&'static str> {
    let first = words.first()?;
    if is_program(first) {
        return None;
    }
    let is_name = |word: &String| {
        let rest = word.split_once('=').filter(|_| !word.starts_with('-'));
        rest.is_some_and(|(_, rest)| Shipped::named(rest).is_some() || is_program(rest))
    };
    if is_name(first) {
        return Some("the name of a player has no / in it");
    }
    let name = first.split_once('@').map(|(name, _)| name);
    let is_cut = name.is_some_and(|name| !is_path(name)) && !first.contains('=');
    if is_cut
        && words
            .iter()
            .any(|word| word.contains('=') && !word.starts_with('-'))
    {
        return Some(
            "a folder with spaces needs quotation marks of its own, as in \"NAME@'my bots'=python3 bot.py\"",
        );
    }
    words.iter().any(is_name).then_some(
        "a name with spaces needs quotation marks of its own, as in \"'Popeye the Sailor=awful'\"",
    )
}

fn no_folder(typed: &str, dir: &str) -> Failure {
    if dir.starts_with("~/") {
        return Failure::misuse(tilde_of(dir));
    }
    Failure::misuse(format!(
        "{typed:?}: there is no folder {dir:?}; NAME@DIR=COMMAND starts a bot in the folder DIR"
    ))
}

/// Returns a player of a file as it is typed.
///
/// # Errors
/// If a name or a folder would be read as something else.
pub(super) fn word(name: Option<&str>, dir: Option<&str>, command: &str) -> Result<String, String> {
    if let Some(name) = name {
        if text::name(name).is_empty() {
            return Err(format!(
                "the name of the player {command:?} is empty; leave it out, or give it one"
            ));
        }
        if name.contains(['=', '@', '/']) {
            return Err(format!(
                "{name:?}: the name of a player has no =, @ or / in it"
            ));
        }
    }
    let has_folder = split_words(command)
        .and_then(|words| words.into_iter().next())
        .is_some_and(|first| matches!(split_prefix(&first), Ok(Some(_))));
    if dir.is_some() && has_folder {
        return Err(format!(
            "the player {command:?} has a name or a folder in its command as well; leave one of them out"
        ));
    }
    Ok(player_word(name, dir, command))
}

/// Returns the player called `name` that `command` starts. `referee` is the referee's own program.
///
/// # Errors
/// If they are no name and no command.
pub fn parse_called(name: &str, command: &str, referee: &Path) -> Result<Entrant, Failure> {
    let typed = word(Some(name), None, command).map_err(Failure::misuse)?;
    parse_program(&typed, referee)
}

/// Has the person that `player` is play at the terminal. Without one, standard input is what the
/// person types, and questions belong in the transcript on standard output, or on standard error if
/// `output_is_for_data`.
pub(super) fn seat_at_terminal(player: &mut Entrant, output_is_for_data: bool) {
    let name = player.name.clone();
    player.program.local = Some(LocalPlayer::new(move || {
        let terminal = if std::io::stdin().is_terminal() {
            Terminal::open()
        } else {
            Terminal::piped(output_is_for_data)
        };
        let settings = Settings {
            name: Some(name.clone()),
            // One that has no terminal resigns.
            terminal: terminal.unwrap_or_default(),
            ..Settings::default()
        };
        Box::new(Shipped::person(settings))
    }));
}
