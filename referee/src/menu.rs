//! The menu of `referee` at a terminal without arguments: commands for a start, to be chosen by number.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

use bothost::Interrupt;

use super::exit::Failure;
use super::say;
use kits::{Kit, kit_called, kits};
use pages::Keyboard;

/// The words that let a person watch two bots play.
const WATCH: &str = "play mediocre good --watch";

/// The number of wrong answers that end the menu.
const TRIES: usize = 5;

/// The number of folders of bots that get a name.
const BOTS: usize = 100;

/// Something that the menu offers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    what: &'static str,
    /// The arguments that do it.
    words: String,
    /// Whether its second word is a language, to be asked for.
    asks_language: bool,
}

/// The meaning of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer<T> {
    Chosen(T),
    Leave,
    Unclear,
}

/// Returns whether the menu is for this command line: one without arguments, of a person at a terminal.
pub(super) fn is_wanted(typed: &[OsString]) -> bool {
    typed.len() == 1 && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the menu, and returns the whole command line that is chosen, which begins with `program`; `None` if none is.
///
/// # Errors
/// If no answer is a choice, or if reading or writing fails.
pub(super) fn choose(program: OsString) -> Result<Option<Vec<OsString>>, Failure> {
    // Ctrl-C ends the referee as usual: there is nothing to put in order yet.
    let keyboard = &Keyboard::new(Interrupt::never()?.into());
    let offers = offers(&free_folder(Path::new("")));
    say(&menu(&offers))?;
    let prompt = format!("A number from 1 to {}, or enter to leave: ", offers.len());
    let Some(offer) = ask(keyboard, &prompt, |line| numbered(line, &offers))? else {
        return Ok(None);
    };
    let mut words: Vec<String> = offer.words.split(' ').map(str::to_owned).collect();
    if offer.asks_language {
        say(&languages())?;
        let prompt = "A language, enter for python, or q to leave: ";
        let Some(language) = ask(keyboard, prompt, language)? else {
            return Ok(None);
        };
        language.clone_into(&mut words[1]);
    }
    say(&format!("\n$ referee {}\n", words.join(" ")))?;
    Ok(Some(
        [program]
            .into_iter()
            .chain(words.into_iter().map(OsString::from))
            .collect(),
    ))
}

/// Asks until the answer is a choice; `None` if the person leaves.
pub(super) fn ask<T>(
    keyboard: &Keyboard,
    prompt: &str,
    meaning: impl Fn(&str) -> Answer<T>,
) -> Result<Option<T>, Failure> {
    for _ in 0..TRIES {
        say(prompt)?;
        let Some(line) = keyboard.read()? else {
            // The terminal shows no line feed for Ctrl-D.
            say("\n")?;
            return Ok(None);
        };
        match meaning(line.trim()) {
            Answer::Chosen(choice) => return Ok(Some(choice)),
            Answer::Leave => return Ok(None),
            Answer::Unclear => say("That is not one of the choices.\n")?,
        }
    }
    Err(Failure::misuse(
        "no choice was made; referee --help lists all commands",
    ))
}

/// Returns what is offered, a new bot in `folder`.
fn offers(folder: &str) -> [Offer; 5] {
    let offer = |what, words: &str| Offer {
        what,
        words: words.to_owned(),
        asks_language: false,
    };
    [
        offer("play against good", "play human good"),
        offer("watch two bots play", WATCH),
        Offer {
            asks_language: true,
            ..offer("write a bot of your own", &format!("new python {folder}"))
        },
        offer(
            "see which of two is better",
            "match mediocre good --games 100",
        ),
        offer("everything else", "--help"),
    ]
}

fn menu(offers: &[Offer]) -> String {
    let line = |(place, Offer { what, words, .. }): (usize, &Offer)| {
        format!("  {}  {what:28}referee {words}\n", place + 1)
    };
    let lines: String = offers.iter().enumerate().map(line).collect();
    format!("The referee plays Battleship between programs, and with you:\n\n{lines}\n")
}

fn numbered<'o>(line: &str, offers: &'o [Offer]) -> Answer<&'o Offer> {
    if is_leave(line) || line.is_empty() {
        return Answer::Leave;
    }
    let place = line
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    place
        .and_then(|place| offers.get(place))
        .map_or(Answer::Unclear, Answer::Chosen)
}

fn languages() -> String {
    let line = |kit: &Kit| format!("  {:12}{}\n", kit.language(), kit.title);
    format!("\n{}\n", kits().into_iter().map(line).collect::<String>())
}

fn language(line: &str) -> Answer<&'static str> {
    if is_leave(line) {
        return Answer::Leave;
    }
    let wanted = if line.is_empty() { "python" } else { line };
    kit_called(wanted).map_or(Answer::Unclear, |kit| Answer::Chosen(kit.language()))
}

fn is_leave(line: &str) -> bool {
    line.eq_ignore_ascii_case("q")
}

/// Returns the name of a folder for a new bot that is not there yet in `here`.
fn free_folder(here: &Path) -> String {
    let names = (2..=BOTS).map(|number| format!("my-bot-{number}"));
    let mut names = std::iter::once("my-bot".to_owned()).chain(names);
    let is_free = |name: &String| here.join(name).symlink_metadata().is_err();
    // If all are there, `new` refuses to write to one of them, and says why.
    names.find(is_free).unwrap_or_else(|| "my-bot".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;
    use crate::commands::grammar;

    #[test]
    fn every_offer_is_a_command_line() {
        let offers = offers("my-bot-100");
        for Offer { words, .. } in &offers {
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
    fn a_number_chooses_and_enter_or_q_leaves() {
        let offers = offers("my-bot");
        assert_eq!(numbered("1", &offers), Answer::Chosen(&offers[0]));
        assert_eq!(numbered("5", &offers), Answer::Chosen(&offers[4]));
        for line in ["", "q", "Q"] {
            assert_eq!(numbered(line, &offers), Answer::Leave, "{line:?}");
        }
        for line in [
            "0",
            "6",
            "-1",
            "1 2",
            "play",
            "99999999999999999999999",
            "\u{fffd}",
        ] {
            assert_eq!(numbered(line, &offers), Answer::Unclear, "{line:?}");
        }
    }

    #[test]
    fn a_language_is_chosen_by_its_name() {
        assert_eq!(language(""), Answer::Chosen("python"));
        assert_eq!(language("Rust"), Answer::Chosen("rust"));
        assert_eq!(language("q"), Answer::Leave);
        assert_eq!(language("cobol"), Answer::Unclear);
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
