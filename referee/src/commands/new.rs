//! `referee new`: a folder with a bot to start from, or a judge.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandArgs;
use crate::World;
use crate::exit::Failure;
use crate::help::Group;
use arena::record::{Output, check_folder};
use arena::system::quoted_word;
use kits::{Kit, kit_called, kits};

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The language of a bot, or `judge` for a game of your own [default: list them]
    #[arg(value_name = "LANG")]
    language: Option<String>,
    /// A folder that is not there yet, or is empty
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Write to a folder that is not empty, and replace files of the same names
    #[arg(long)]
    force: bool,
}

impl CommandArgs for NewArguments {
    const NAME: &'static str = "new";
    const ABOUT: &'static str = "Make a folder with a bot to start from, in your language";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "Examples:
  referee new
  referee new python my-bot
  referee new judge my-game";

    fn run(self, _: &World) -> Result<(), Failure> {
        run(&self)
    }
}

fn run(arguments: &NewArguments) -> Result<(), Failure> {
    if arguments.language.as_deref() == Some(JUDGE_WORD) {
        return new_judge(arguments);
    }
    match checked(arguments)? {
        None => writeln!(
            io::stdout(),
            "{}",
            list("referee new LANG DIR makes a bot. LANG is")
        )?,
        Some((kit, folder)) => {
            write(kit, folder, arguments.force)?;
            writeln!(io::stdout(), "{}", next_steps(kit, folder))?;
        }
    }
    Ok(())
}

/// Returns the kit of the bot to write, and its folder; `None` if only the languages are asked for.
fn checked(arguments: &NewArguments) -> Result<Option<(&'static Kit, &Path)>, Failure> {
    let Some(language) = &arguments.language else {
        return Ok(None);
    };
    let Some(kit) = kit_called(language) else {
        let is_near = |name: &&str| strsim::damerau_levenshtein(language, name) * 3 <= name.len();
        let choose = match kits().iter().find(|kit| kit.names.iter().any(is_near)) {
            Some(kit) => format!("did you mean {}? Choose", kit.language()),
            None => "choose".to_owned(),
        };
        let what = format!("unknown language {language:?}; {choose}");
        return Err(Failure::misuse(list(&what)));
    };
    let Some(folder) = &arguments.folder else {
        let what = "name the folder to make";
        return Err(Failure::misuse(format!(
            "{what}: referee new {language} mybot"
        )));
    };
    Ok(Some((kit, folder)))
}

/// The word in place of a language that asks for a judge.
const JUDGE_WORD: &str = "judge";

/// Makes a folder with a judge, its rules, and a bot.
fn new_judge(arguments: &NewArguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let what = "name the folder to make: referee new judge mygame";
        return Err(Failure::misuse(what));
    };
    check_folder("", folder, arguments.force)?;
    for (path, text) in kits::JUDGE {
        write_file(&folder.join(path), text, arguments.force)?;
    }
    let shown = folder.to_string_lossy();
    let word = quoted_word(&shown);
    writeln!(
        io::stdout(),
        "{shown} has a judge in Python, which knows tic-tac-toe; RULES.md, for the authors of bots; and a bot. Start with judge.py. To try it:\n  \
         cd {word}\n  \
         referee check --judge 'python3 judge.py'\n  \
         referee play human 'python3 bot.py' --judge 'python3 judge.py'"
    )?;
    Ok(())
}

/// The languages, a line for each, behind a line that ends as `introduction` does.
fn list(introduction: &str) -> String {
    let row = |kit: &Kit| format!("\n  {:12}{}", kit.language(), kit.title);
    format!(
        "{introduction} one of these:{}\n  {JUDGE_WORD:12}a game of your own: a judge in Python, and a bot for it",
        kits().into_iter().map(row).collect::<String>()
    )
}

fn write(kit: &Kit, folder: &Path, force: bool) -> Result<(), Failure> {
    check_folder("", folder, force)?;
    let name = name_of(folder);
    let own = kit.files.iter().map(|(path, text)| match kit.own_name {
        Some(own) if *path == kit.yours => (
            *path,
            text.replacen(&format!("\"{own}\""), &format!("\"{name}\""), 1),
        ),
        Some(_) | None => (*path, (*text).to_owned()),
    });
    for (path, text) in own.chain(kit.shared_files()) {
        write_file(&folder.join(path), &text, force)?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let output = Output {
        option: "",
        path,
        force,
    };
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .map_err(|error| output.failed(error))?;
    Ok(output.write(text.as_bytes())?)
}

/// The longest name of a new bot, in characters.
const LONGEST_NAME: usize = 40;

/// Returns the name of a bot in this folder for itself: the folder's name, with only such characters as mean nothing in a text
/// of any language.
fn name_of(folder: &Path) -> String {
    let path = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let plain = name
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '-' });
    let name: String = plain.take(LONGEST_NAME).collect();
    if name.trim().is_empty() {
        "bot".to_owned()
    } else {
        name.trim().to_owned()
    }
}

/// Returns the commands to run next.
fn next_steps(kit: &Kit, folder: &Path) -> String {
    let Kit {
        title,
        yours,
        build,
        player,
        ..
    } = kit;
    let shown = folder.to_string_lossy();
    let word = quoted_word(&shown);
    let build = build
        .map(|command| format!("  {command}\n"))
        .unwrap_or_default();
    format!(
        "{shown} has a bot in {title}. Start with {yours}. To try it:\n  cd {word}\n{build}  referee check {player}\n  referee play {player} mediocre"
    )
}
