//! The commands of all programs and their options.

use std::collections::BTreeSet;

use clap::Command;

use super::compare;

/// Adds a line for each option and each argument of a command and its commands.
fn add(lines: &mut BTreeSet<String>, path: &str, command: &Command) {
    lines.insert(path.to_owned());
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        let longs = argument
            .get_long_and_visible_aliases()
            .into_iter()
            .flatten();
        let longs: Vec<String> = longs.map(|long| format!("{path} --{long}")).collect();
        let shorts = argument
            .get_short_and_visible_aliases()
            .into_iter()
            .flatten();
        let mut names: Vec<String> = shorts.map(|short| format!("{path} -{short}")).collect();
        names.extend(longs);
        if argument.is_positional() {
            names.push(format!(
                "{path} {}",
                argument.get_id().as_str().to_uppercase()
            ));
        }
        if let Some(name) = names
            .last()
            .filter(|_| argument.get_action().takes_values())
        {
            let values = argument.get_possible_values();
            let values = values.iter().filter(|value| !value.is_hide_set());
            lines.extend(values.map(|value| format!("{name} {}", value.get_name())));
        }
        lines.extend(names);
    }
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        add(lines, &format!("{path} {}", part.get_name()), part);
    }
}

#[test]
fn every_option_is_promised_and_every_promised_option_is_there() {
    let grammars = battleship_referee::cli::grammars();
    let mut lines = BTreeSet::new();
    for grammar in &grammars {
        add(&mut lines, grammar.get_name(), grammar);
    }
    compare("options.txt", &lines);
}
