//! `referee new`: a folder with a bot to start from, or a judge.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandArgs;
use crate::exit::Failure;
use crate::help::Group;
use crate::{World, say, typed_name};
use arena::record::{Output, check_folder};
use arena::system::quoted_word;
use kits::{Kit, kit_called, kits};

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// python, c, cpp, java, javascript, rust, go, ruby or cs32; judge for a game of your own
    /// [default: list them]
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
        let Some(language) = &self.language else {
            say(&list("referee new LANG DIR makes a bot. LANG is"))?;
            return Ok(());
        };
        let kit = if language == JUDGE_WORD {
            None
        } else {
            Some(kit_called(language).ok_or_else(|| unknown(language))?)
        };
        let Some(folder) = &self.folder else {
            let example = if kit.is_some() { "mybot" } else { "mygame" };
            return Err(Failure::misuse(format!(
                "name the folder to make: referee new {language} {example}"
            )));
        };
        check_folder("", folder, self.force)?;
        let files = if let Some(kit) = kit {
            kit.files_of(&name_of(folder))
        } else {
            let files = kits::JUDGE.iter();
            files
                .map(|(path, text)| (*path, (*text).to_owned()))
                .collect()
        };
        for (path, text) in files {
            let path = &folder.join(path);
            let output = Output {
                option: "",
                path,
                force: self.force,
            };
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.map_err(|error| output.failed(error))?;
            output.write(text.as_bytes())?;
        }
        let shown = folder.to_string_lossy();
        let word = quoted_word(&shown);
        let Some(kit) = kit else {
            say(&format!(
                "{shown} has a judge in Python, which knows tic-tac-toe; RULES.md, for the authors of bots; and a bot. Start with judge.py. To try it:\n  \
                 cd {word}\n  \
                 referee check --judge 'python3 judge.py'\n  \
                 referee play human 'python3 bot.py' --judge 'python3 judge.py'\n"
            ))?;
            return how_to_type();
        };
        let Kit {
            title,
            yours,
            player,
            ..
        } = kit;
        let build = kit.build.map(|command| format!("  {command}\n"));
        let build = build.unwrap_or_default();
        say(&format!(
            "{shown} has a bot in {title}. Start with {yours}. To try it:\n  cd {word}\n{build}  referee check {player}\n  referee play {player} mediocre\n"
        ))?;
        how_to_type()
    }
}

/// Prints how the commands are typed in the new folder, if `referee` does not start this program.
fn how_to_type() -> Result<(), Failure> {
    if let Some(how) = typed_name::how_to_type(true) {
        say(&format!("{how}\n"))?;
    }
    Ok(())
}

/// The word in place of a language that asks for a judge.
pub(super) const JUDGE_WORD: &str = "judge";

fn unknown(language: &str) -> Failure {
    let choose = match kits().iter().find(|kit| {
        kit.names
            .iter()
            .any(|name| strsim::damerau_levenshtein(language, name) * 3 <= name.len())
    }) {
        Some(kit) => format!("did you mean {}? Choose", kit.language()),
        None => "choose".to_owned(),
    };
    let what = list(&format!("unknown language {language:?}; {choose}"));
    Failure::misuse(what.trim_end())
}

/// The languages, a line for each, behind a line that ends as `introduction` does.
fn list(introduction: &str) -> String {
    let mut list = format!("{introduction} one of these:\n");
    for kit in kits() {
        let _ = writeln!(list, "  {:12}{}", kit.language(), kit.title);
    }
    let _ = writeln!(
        list,
        "  {JUDGE_WORD:12}a game of your own: a judge in Python, and a bot for it"
    );
    list + "For a bot in any other language, docs/writing-a-bot.md has all that it reads and\nprints.\n"
}

/// The longest name of a new bot, in characters.
const LONGEST_NAME: usize = 40;

/// Returns the name of a bot in this folder for itself: the folder's name, with only such
/// characters as mean nothing in a text of any language.
fn name_of(folder: &Path) -> String {
    let path = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.chars().map(|letter| {
        if letter.is_alphanumeric() || "-_. ".contains(letter) {
            letter
        } else {
            '-'
        }
    });
    let name: String = plain.take(LONGEST_NAME).collect();
    match name.trim() {
        "" => "bot".to_owned(),
        name => name.to_owned(),
    }
}
