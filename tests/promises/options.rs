//! The commands of all programs and their options.

use std::collections::BTreeSet;

use battleship_bots::Kind;
use clap::Command;

use super::compare;

/// Adds a line for each option and each argument of a command and its commands.
fn add(lines: &mut BTreeSet<String>, path: &str, command: &Command) {
    lines.insert(path.to_owned());
    for argument in command.get_arguments() {
        let longs = argument.get_long_and_visible_aliases().into_iter().flatten();
        lines.extend(longs.map(|long| format!("{path} --{long}")));
        let shorts = argument.get_short_and_visible_aliases().into_iter().flatten();
        lines.extend(shorts.map(|short| format!("{path} -{short}")));
        if argument.is_positional() {
            lines.insert(format!("{path} {}", argument.get_id().as_str().to_uppercase()));
        }
        let values = argument.get_possible_values();
        // What a value of a shell or a language can be is told by lists of its own.
        if let Some(long) = argument.get_long() {
            let values = values.iter().filter(|value| !value.is_hide_set());
            lines.extend(values.map(|value| format!("{path} --{long} {}", value.get_name())));
        }
    }
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        add(lines, &format!("{path} {}", part.get_name()), part);
    }
}

#[test]
fn every_option_is_promised_and_every_promised_option_is_there() {
    let grammars =
        battleship_referee::cli::grammars(|| Kind::ALL.map(battleship_bots::grammar).to_vec());
    let mut lines = BTreeSet::new();
    for grammar in &grammars {
        add(&mut lines, grammar.get_name(), grammar);
    }
    compare("options.txt", &lines);
}
