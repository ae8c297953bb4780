//! Commands that are not run are read by the referee's own grammar.

use battleship_referee::cli;
use clap::Command;
use clap::error::ErrorKind;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(tests, an_option_that_is_misspelt_in_a_sentence_is_found);
    });
}

fn referee() -> Command {
    let mut programs = cli::grammars();
    programs.swap_remove(0)
}

/// Fails if the referee would refuse the arguments of a command that is not run. Other programs are not known here.
pub(super) fn check(command: &str) {
    let command = command.replace("cargo run -- ", "referee ");
    let words = shlex::split(&command).unwrap_or_else(|| panic!("{command}: not words"));
    let is_end = |word: &String| ["|", ">", "&&", ";", "&"].contains(&word.as_str());
    let words: Vec<_> = words.into_iter().take_while(|word| !is_end(word)).collect();
    if words.first().is_some_and(|word| word == "referee")
        && !is_elsewhere(&words)
        && let Err(error) = referee().try_get_matches_from(words)
    {
        panic!("{command}: {error}");
    }
}

/// Whether the words are those of a program beside the referee, whose grammar is not known here.
fn is_elsewhere(words: &[String]) -> bool {
    words
        .get(1)
        .is_some_and(|word| ["class", "cluster", "wasm", "web"].contains(&word.as_str()))
}

/// Says which command or option of a quoted command there is not. Its values may be words for what a user types, as FILE.
pub(super) fn is_known(quoted: &str) -> Result<(), String> {
    let plain = quoted
        .replace(['[', ']', '…'], "")
        .replace("...", "")
        .replace("\\|", "|");
    let Some(words) = shlex::split(&plain) else {
        return Err("not words".to_owned());
    };
    // As in `referee COMMAND --help`.
    let is_any = |word: &String| word.bytes().all(|byte| byte.is_ascii_uppercase());
    if words.get(1).is_some_and(is_any) || is_elsewhere(&words) {
        return Ok(());
    }
    let words = words
        .into_iter()
        .take_while(|word| !["|", ">", "&&"].contains(&word.as_str()));
    match referee().try_get_matches_from(words) {
        Err(error)
            if [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand]
                .contains(&error.kind()) =>
        {
            Err(error.to_string())
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn an_option_that_is_misspelt_in_a_sentence_is_found() {
    for known in [
        "referee replay RECORD --game N",
        "referee class add ada x.zip [--at TIME]",
        "referee new",
    ] {
        assert_eq!(is_known(known), Ok(()), "{known}");
    }
    for unknown in ["referee replay RECORD --gmae N", "referee replya RECORD"] {
        assert!(is_known(unknown).is_err(), "{unknown}");
    }
}
