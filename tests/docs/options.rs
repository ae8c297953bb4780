//! Every option that a help text or a document names is an option of that command.

use std::collections::BTreeSet;

use clap::Command;
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};

use super::links::documents;
use super::markdown::{blocks, quoted};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        options_in_help_are_options_there,
        options_in_documents_are_options_there,
        options_for_newcomers_are_in_short_help
    );
}

/// Changes name options that are gone, and the pages about judges have commands of other programs.
const OLD: &str = "CHANGELOG.md";

fn program() -> Command {
    referee::grammars().remove(0)
}

/// Returns whether a command shows the option in its help, or in its short one.
fn has_option(command: &Command, option: &str, is_short_help: bool) -> bool {
    let mut options = command.get_arguments();
    options.any(|arg| {
        let is_named = arg
            .get_long()
            .is_some_and(|long| option == format!("--{long}"))
            || arg
                .get_short()
                .is_some_and(|short| option == format!("-{short}"));
        is_named && !arg.is_hide_set() && !(is_short_help && arg.is_hide_short_help_set())
    })
}

/// Returns the long options among words.
fn options_in(words: &str) -> Vec<String> {
    let words = words.split(|sign: char| sign.is_whitespace() || "'\"`()[]|,;:".contains(sign));
    let options = words.filter(|word| word.len() > 3 && word.starts_with("--"));
    let names = options.map(|word| {
        let name = word.split('=').next().unwrap();
        name.trim_end_matches(['.', '…']).to_owned()
    });
    names
        .filter(|name| {
            name.chars()
                .all(|sign| sign.is_ascii_lowercase() || sign == '-')
        })
        .collect()
}

/// Returns the options that a text gives to commands, as in `play --out` and `--game of replay,
/// list and explain`, with the command.
fn mentions(text: &str, program: &Command) -> Vec<(String, String)> {
    let text = text.split_whitespace().collect::<Vec<_>>();
    let clean = |word: &str| {
        word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '-')
            .to_owned()
    };
    let is_command = |word: &str| {
        let command = program.find_subcommand(word);
        command.is_some_and(|command| word != "help" && !command.is_hide_set())
    };
    let mut found = Vec::new();
    for (place, word) in text.iter().enumerate() {
        let option = clean(word);
        if !option.starts_with("--") {
            continue;
        }
        let before = place.checked_sub(1).map(|before| text[before]);
        if let Some(before) = before.filter(|word| !word.ends_with([',', '.', ';']))
            && is_command(&clean(before))
        {
            found.push((clean(before), option.clone()));
        }
        if text.get(place + 1) == Some(&"of") {
            let words = text[place + 2..].iter().map(|word| clean(word));
            let commands =
                words.take_while(|word| is_command(word) || word == "and" || word == "or");
            let commands = commands.filter(|word| is_command(word));
            found.extend(commands.map(|command| (command, option.clone())));
        }
    }
    found
}

fn options_in_help_are_options_there() {
    let program = program();
    let mut wrong = Vec::new();
    let mut count = 0;
    for command in program.get_subcommands() {
        let help = command.clone().render_long_help().to_string();
        for (name, option) in mentions(&help, &program) {
            count += 1;
            if !has_option(program.find_subcommand(&name).unwrap(), &option, false) {
                wrong.push(format!("{}: {name} {option}", command.get_name()));
            }
        }
        // What the help says of an option without a command is about this one.
        let examples = help
            .rsplit_once("Examples:\n")
            .map_or("", |(_, examples)| examples);
        for option in options_in(examples) {
            count += 1;
            if !has_option(command, &option, true) {
                wrong.push(format!("{}: example with {option}", command.get_name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "{count}");
}

/// Returns the command lines of the referee in a document: the command, and the words behind it.
fn command_lines(text: &str) -> Vec<(String, String)> {
    let shell = ["", "sh", "console", "bash"];
    let shown = blocks(text).into_iter();
    let shown =
        shown.filter(|block| shell.contains(&block.language.split(' ').next().unwrap_or_default()));
    let joined = shown.map(|block| block.text.replace("\\\n", " "));
    let lines: Vec<String> = joined
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let lines = lines.into_iter().chain(quoted(text));
    lines
        .filter_map(|line| {
            let line = line.trim().trim_start_matches("$ ").to_owned();
            let words = line.strip_prefix("referee ")?;
            // The words behind it are for the shell or another program.
            let words = words.split([';', '|', '>', '&']).next()?;
            let (command, words) = words.split_once(' ')?;
            Some((command.to_owned(), words.to_owned()))
        })
        .collect()
}

fn options_in_documents_are_options_there() {
    let program = program();
    let mut wrong = BTreeSet::new();
    let mut count = 0;
    for path in documents(&project_file("")) {
        if path.ends_with(OLD) {
            continue;
        }
        for (name, words) in command_lines(&text_of(&path)) {
            let Some(command) = program.find_subcommand(&name) else {
                continue;
            };
            for option in options_in(&words) {
                count += 1;
                // An option of the bot stands between quotation marks.
                let is_of_bot = words
                    .split(['\'', '"'])
                    .skip(1)
                    .step_by(2)
                    .any(|bot| bot.contains(&option));
                if !is_of_bot && !has_option(command, &option, false) {
                    wrong.insert(format!("{}: {name} {option}", path.display()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
    assert!(count > 100, "{count}");
}

/// The options in the first pages that a person reads. The sandbox belongs to the settings of a
/// machine, which are in `--help-all`.
fn options_for_newcomers_are_in_short_help() {
    let program = program();
    let mut wrong = BTreeSet::new();
    let mut count = 0;
    let kits = documents(&project_file("crates/kits/files"));
    let kits = kits.into_iter().filter(|path| path.ends_with("README.md"));
    for path in kits.chain([project_file("README.md")]) {
        let text = text_of(&path);
        let mut used: Vec<(String, String)> = Vec::new();
        for (name, words) in command_lines(&text) {
            used.extend(
                options_in(&words)
                    .into_iter()
                    .map(|option| (name.clone(), option)),
            );
        }
        let alone = quoted(&text)
            .into_iter()
            .filter(|code| code.starts_with("--"));
        used.extend(
            alone
                .flat_map(|code| options_in(&code))
                .map(|option| (String::new(), option)),
        );
        for (name, option) in used {
            let mut commands = program
                .get_subcommands()
                .filter(|command| name.is_empty() || command.get_name() == name)
                .peekable();
            if commands.peek().is_none() {
                continue;
            }
            count += 1;
            if option != "--sandbox" && !commands.any(|command| has_option(command, &option, true))
            {
                wrong.insert(format!("{}: {name} {option}", path.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
    assert!(count > 20, "{count}");
}
