//! The names that options have in a file.

use clap::{Arg, Args, Command};

/// Returns the names of the options that a file can have.
pub fn names_in_file<O: Args>() -> impl Iterator<Item = String> {
    options::<O>()
        .into_iter()
        .filter_map(|option| name(&option))
}

/// Returns those of them that the help lists under `heading`.
pub fn names_under<O: Args>(heading: &str) -> impl Iterator<Item = String> {
    let options = options::<O>().into_iter();
    let options = options.filter(move |option| option.get_help_heading() == Some(heading));
    options.filter_map(|option| name(&option))
}

fn options<O: Args>() -> Vec<Arg> {
    let command = O::augment_args(Command::new(""));
    command
        .get_arguments()
        .filter(|option| !option.is_hide_set())
        .cloned()
        .collect()
}

fn name(option: &Arg) -> Option<String> {
    option.get_long().map(str::to_owned)
}

/// Returns a message for `name`, which is not one of the `known` names of options, nor of the `others`: the nearest of all
/// these, or the names of the options.
#[must_use]
pub fn unknown_in_file(
    name: &str,
    known: impl IntoIterator<Item = String>,
    others: &[String],
) -> String {
    let mut known: Vec<String> = known.into_iter().collect();
    let dashed = name.replace('_', "-");
    if known.contains(&dashed) {
        return format!("there is no {name:?}; write {dashed}");
    }
    let mistakes = |known: &&String| strsim::damerau_levenshtein(&dashed, known);
    let nearest = known.iter().chain(others).min_by_key(mistakes);
    // Of a short name every second letter could be a mistake.
    if let Some(nearest) = nearest.filter(|nearest| mistakes(nearest) <= 1 + nearest.len() / 5) {
        return format!("there is no {name:?}; did you mean {nearest}?");
    }
    known.sort_unstable();
    known.extend_from_slice(others);
    format!("there is no {name:?}; there are {}", known.join(", "))
}
