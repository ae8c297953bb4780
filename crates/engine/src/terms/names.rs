//! The names of options in a file: those that are typed, without the dashes.

use clap::{Args, Command};

/// Returns the names of the options that a file can have.
pub fn names_in_file<O: Args>() -> impl Iterator<Item = String> {
    let command = O::augment_args(Command::new(""));
    let options: Vec<_> = command.get_arguments().cloned().collect();
    options
        .into_iter()
        .filter(|option| !option.is_hide_set())
        .filter_map(|option| option.get_long().map(str::to_owned))
}

/// Returns a message for `name`, which is not one of [`names_in_file`].
#[must_use]
pub fn unknown_in_file<O: Args>(name: &str) -> String {
    let dashed = name.replace('_', "-");
    let mut names: Vec<String> = names_in_file::<O>().collect();
    if names.contains(&dashed) {
        return format!("there is no {name:?}; write {dashed}");
    }
    names.sort_unstable();
    let names = names.join(", ");
    format!(
        "there is no {name:?}; there are [[player]] tables, and the names of the options: {names}"
    )
}
