//! A player as the command line names it.

use battleship::BySide;
use bothost::Program;

use crate::terms::OwnLimits;

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entrant {
    /// Its name, as far as it is known before its greeting.
    pub(crate) name: String,
    /// Whether that name counts, even if the bot gives itself another one.
    pub(crate) named: bool,
    /// Whether it is the human player, who has no time limit of a bot.
    pub(crate) human: bool,
    /// What to start.
    pub(crate) program: Program,
    /// The folder that it is started in, as it was typed; `None` for the referee's own.
    pub(crate) dir: Option<String>,
    /// The limits that it has instead of those of the terms.
    pub(crate) limits: OwnLimits,
}

/// Names by which players can be told apart: the second of those that are the same gets a 2, the third a 3.
pub(crate) fn tell_apart(names: &mut [String]) {
    for index in 1..names.len() {
        let name = names[index].clone();
        let mut number = 1;
        while names[..index].contains(&names[index]) {
            number += 1;
            names[index] = format!("{name} {number}");
        }
    }
}

/// Returns the names of two players, told apart: see [`tell_apart`].
pub(crate) fn told_apart(names: BySide<String>) -> BySide<String> {
    let mut names: [String; 2] = names.into();
    tell_apart(&mut names);
    names.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_of_one_name_get_numbers() {
        let check = |names: &[&str], apart: &[&str]| {
            let mut names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            tell_apart(&mut names);
            assert_eq!(names, apart);
        };
        check(&["awful", "awful"], &["awful", "awful 2"]);
        check(&["awful", "good"], &["awful", "good"]);
        check(&["awful", "awful 2", "awful", "awful"], &["awful", "awful 2", "awful 3", "awful 4"]);
    }
}
