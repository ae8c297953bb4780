//! The options that several commands have: typed, or in a file.

pub mod headings;
mod house;
mod names;
mod terms;
#[cfg(test)]
mod tests;

pub use house::HouseRules;
pub use names::{names_in_file, names_under, unknown_in_file};
pub use terms::{
    LaunchOptions, TermsError, TermsOptions, TimeOptions, duration_from_text, number_as_typed,
    number_or_text, positive, time_limit,
};
