//! The menu of `referee` at a terminal without arguments: commands for a start, to be chosen by
//! number.

use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use bothost::Interrupt;

use super::exit::Failure;
use super::{say, typed_name};
use arena::system::quoted;
use kits::{Kit, kit_called, kits};
use pages::Keyboard;

/// What the menu offers, and the arguments that do it. DIR is a folder that is not there yet; a
/// language is asked for.
const OFFERS: [(&str, &str); 5] = [
    ("play against good", "play human good"),
    ("watch two bots play", "play mediocre good --watch"),
    ("write a bot of your own", "new python DIR"),
    (
        "see which of two is better",
        "match mediocre good --games 100",
    ),
    ("everything else", "--help"),
];

/// The number of wrong answers that end the menu.
const TRIES: usize = 5;

/// The number of folders of bots that get a name.
const BOTS: usize = 100;

/// Returns whether the menu is for this command line: one without arguments, of a person at a
/// terminal.
pub(super) fn is_wanted(typed: &[OsString]) -> bool {
    typed.len() == 1 && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the menu, and returns the whole command line that is chosen, which begins with `program`;
/// `None` if none is.
///
/// # Errors
/// If no answer is a choice, or if reading or writing fails.
pub(super) fn choose(program: OsString) -> Result<Option<Vec<OsString>>, Failure> {
    // Ctrl-C ends the referee as usual: there is nothing to put in order yet.
    let keyboard = &Keyboard::new(Interrupt::never()?.into());
    let base = base_of_bots();
    let offers = offers(&in_base(&base, &free_folder(&base)));
    say(&menu(&offers))?;
    if let Some(how) = typed_name::how_to_type(false) {
        say(&format!("{how}\n\n"))?;
    }
    let prompt = format!("A number from 1 to {}, or enter to leave: ", offers.len());
    let Some(mut words) = ask(keyboard, &prompt, "", |line| numbered(line, &offers))? else {
        return Ok(None);
    };
    if words[0] == "new" {
        let mut languages = String::new();
        for kit in kits() {
            let _ = writeln!(languages, "  {:12}{}", kit.language(), kit.title);
        }
        say(&format!("\n{languages}\n"))?;
        let prompt = "A language, enter for python, or q to leave: ";
        let Some(language) = ask(keyboard, prompt, "python", language)? else {
            return Ok(None);
        };
        language.clone_into(&mut words[1]);
        let usual = free_folder(&base);
        let prompt = format!("Its name, enter for {usual}, or q to leave: ");
        let Some(folder) = ask(keyboard, &prompt, &usual, |name| Some(in_base(&base, name)))?
        else {
            return Ok(None);
        };
        words[2] = folder;
    }
    say(&format!("\n$ referee {}\n", quoted(&words)))?;
    let words = words.into_iter().map(OsString::from);
    Ok(Some([program].into_iter().chain(words).collect()))
}

/// Asks until the answer is a choice; `None` if the person leaves: with q, or with enter unless
/// that is the `usual` answer.
pub(super) fn ask<T>(
    keyboard: &Keyboard,
    prompt: &str,
    usual: &str,
    choice: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Failure> {
    for _ in 0..TRIES {
        say(prompt)?;
        let Some(line) = keyboard.read()? else {
            // The terminal shows no line feed for Ctrl-D.
            say("\n")?;
            return Ok(None);
        };
        let answer = match line.trim() {
            "" => usual,
            answer => answer,
        };
        if let "" | "q" | "Q" = answer {
            return Ok(None);
        }
        if let Some(choice) = choice(answer) {
            return Ok(Some(choice));
        }
        say("That is not one of the choices.\n")?;
    }
    Err(Failure::misuse(
        "no choice was made; referee --help lists all commands",
    ))
}

/// Returns the folder for the folders of new bots: the current one, or the one that has the source
/// of the referee.
fn base_of_bots() -> PathBuf {
    let ups = typed_name::depth_in_clone().map_or(0, |depth| depth + 1);
    std::iter::repeat_n("..", ups).collect()
}

fn in_base(base: &Path, name: &str) -> String {
    base.join(name).to_string_lossy().into_owned()
}

/// Returns the offers, with a new bot in `folder`.
fn offers(folder: &str) -> [(&'static str, String); 5] {
    OFFERS.map(|(what, words)| (what, words.replace("DIR", folder)))
}

fn menu(offers: &[(&str, String)]) -> String {
    let mut lines = String::new();
    for (number, (what, words)) in (1..).zip(offers) {
        let _ = writeln!(lines, "  {number}  {what:28}referee {words}");
    }
    format!("The referee plays Battleship between programs, and with you:\n\n{lines}\n")
}

/// Returns the words of the offer with this number.
fn numbered(line: &str, offers: &[(&str, String)]) -> Option<Vec<String>> {
    let place = line.parse::<usize>().ok()?.checked_sub(1)?;
    let (_, words) = offers.get(place)?;
    Some(words.split(' ').map(str::to_owned).collect())
}

fn language(line: &str) -> Option<&'static str> {
    kit_called(line).map(Kit::language)
}

/// Returns the name of a folder for a new bot that is not there yet in `here`.
fn free_folder(folder: &Path) -> String {
    let names = (2..=BOTS).map(|number| format!("my-bot-{number}"));
    let mut names = std::iter::once("my-bot".to_owned()).chain(names);
    // If all are there, `new` refuses to write to one of them, and says why.
    names
        .find(|name| folder.join(name).symlink_metadata().is_err())
        .unwrap_or_else(|| "my-bot".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;
    use crate::commands::grammar;

    #[test]
    fn every_offer_is_a_command_line() {
        let offers = offers("my-bot-100");
        for (_, words) in &offers {
            let typed = format!("referee {words}");
            match grammar(|_| true).try_get_matches_from(typed.split(' ')) {
                Ok(_) => {}
                Err(error) => assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{error}"),
            }
        }
        assert!(
            menu(&offers).lines().all(|line| line.len() <= 80),
            "{}",
            menu(&offers)
        );
    }

    #[test]
    fn a_number_chooses_an_offer() {
        let offers = offers("my-bot");
        assert_eq!(numbered("1", &offers).unwrap(), ["play", "human", "good"]);
        assert_eq!(numbered("5", &offers).unwrap(), ["--help"]);
        for line in [
            "0",
            "6",
            "-1",
            "1 2",
            "play",
            "99999999999999999999999",
            "\u{fffd}",
        ] {
            assert_eq!(numbered(line, &offers), None, "{line:?}");
        }
    }

    #[test]
    fn a_language_is_chosen_by_its_name() {
        assert_eq!(language("Rust"), Some("rust"));
        assert_eq!(language("cobol"), None);
    }

    #[test]
    fn a_new_bot_gets_a_free_folder() {
        let here = tempfile::tempdir().unwrap();
        for name in ["my-bot", "my-bot-2", "my-bot-3"] {
            assert_eq!(free_folder(here.path()), name);
            std::fs::write(here.path().join(name), "").unwrap();
        }
    }
}
