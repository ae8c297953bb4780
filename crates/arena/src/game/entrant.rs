//! A player as the command line names it.

use bothost::BotProgram;
use unicode_normalization::UnicodeNormalization;

use crate::system::{quoted, quoted_word, split_words};
use crate::terms::OwnLimits;

/// The names of the players that come with the referee. No other bot may call itself so.
pub const SHIPPED_NAMES: [&str; 6] = ["awful", "mediocre", "fair", "decent", "good", "human"];

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name: the one it was given, or that of the shipped player, or one by its file and
    /// folder. What a bot calls itself is not its name: it could take another player's.
    pub name: String,
    /// Whether the user gave it that name.
    pub named: bool,
    /// Whether it is one of the players that come with the referee.
    pub shipped: bool,
    /// Whether it is the human player, who has no time limit of a bot.
    pub human: bool,
    /// The program to start.
    pub program: BotProgram,
    /// The folder that it is started in, as it was typed; `None` for the referee's own.
    pub dir: Option<String>,
    /// The folder that was typed in place of a command; its files say how the program is started.
    pub typed_folder: Option<String>,
    /// The limits that it has instead of those of the terms.
    pub limits: OwnLimits,
    /// Whether its program plays one game and no more, so that each of its games is played by new
    /// processes.
    pub one_game: bool,
}

impl Entrant {
    /// Returns the player as the word that names it on a command line.
    #[must_use]
    pub fn word(&self) -> String {
        let name = self.named.then_some(self.name.as_str());
        match &self.typed_folder {
            Some(folder) => player_word(name, None, &quoted_word(folder)),
            None => player_word(name, self.dir.as_deref(), &self.program.command_line),
        }
    }
}

/// Returns the word that names a player on a command line: its name, the folder that it starts in,
/// and its command.
#[must_use]
pub fn player_word(name: Option<&str>, dir: Option<&str>, command: &str) -> String {
    if name.is_none() && dir.is_none() {
        return command.to_owned();
    }
    let mut prefix = name.unwrap_or_default().to_owned();
    if let Some(dir) = dir {
        prefix = format!("{prefix}@{dir}");
    }
    if prefix
        .chars()
        .all(|letter| letter.is_alphanumeric() || "-_.@/".contains(letter))
    {
        return format!("{prefix}={command}");
    }
    let mut words = split_words(command).unwrap_or_default();
    match words.first_mut() {
        Some(first) => *first = format!("{prefix}={first}"),
        None => return command.to_owned(),
    }
    quoted(&words)
}

/// Gives players names by which they can be told apart: the second of those that look the same gets
/// a 2, the third a 3. Names that the user gave stay before all others, and then those of shipped
/// players.
pub fn tell_apart<'e>(players: impl IntoIterator<Item = &'e mut Entrant>) {
    let mut players: Vec<&mut Entrant> = players.into_iter().collect();
    // Stable: otherwise as they were named.
    players.sort_by_key(|player| (!player.named, !player.shipped));
    let mut taken: Vec<String> = Vec::with_capacity(players.len());
    for player in players {
        let mut number = 1;
        let mut name = player.name.clone();
        while taken.contains(&as_it_looks(&name)) {
            number += 1;
            name = format!("{} {number}", player.name);
        }
        taken.push(as_it_looks(&name));
        player.name = name;
    }
}

/// The name that a bot gives itself, beside the name by which it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnName {
    /// Nothing, or just the name by which it is known.
    Same,
    /// This.
    Other(String),
    /// The name of a shipped player or of its opponent, which it may not have.
    Taken(String),
}

/// Returns whether two names are the same for a reader: capital letters make no difference.
#[must_use]
pub fn are_same(one: &str, other: &str) -> bool {
    as_it_looks(one).to_lowercase() == as_it_looks(other).to_lowercase()
}

/// Returns a name in the one form of all that look like it: an accent may be a character of its own
/// (Unicode's form NFKC).
fn as_it_looks(name: &str) -> String {
    name.nfkc().collect()
}

impl OwnName {
    /// Judges what `player` calls itself, in a game against a player that is known as `opponent`.
    pub(crate) fn of(player: &Entrant, own: Option<&str>, opponent: &str) -> OwnName {
        match own {
            None | Some("") => OwnName::Same,
            Some(_) if player.shipped => OwnName::Same,
            Some(own) if are_same(own, &player.name) => OwnName::Same,
            Some(own)
                if SHIPPED_NAMES
                    .into_iter()
                    .chain([opponent])
                    .any(|taken| are_same(taken, own)) =>
            {
                OwnName::Taken(own.to_owned())
            }
            Some(own) => OwnName::Other(own.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, shipped: bool, named: bool) -> Entrant {
        let program = BotProgram {
            file: "bot".into(),
            arguments: Vec::new(),
            command_line: if shipped { "good" } else { "bot" }.to_owned(),
            folder: None,
            ..BotProgram::default()
        };
        Entrant {
            name: name.to_owned(),
            named,
            shipped,
            human: false,
            program,
            dir: None,
            typed_folder: None,
            limits: OwnLimits::default(),
            one_game: false,
        }
    }

    /// A name that is given begins with `=`, and that of a shipped player with `+`.
    #[test]
    fn players_of_one_name_get_numbers() {
        for (names, apart) in [
            (&["awful", "awful"][..], &["awful", "awful 2"][..]),
            (&["awful", "good"], &["awful", "good"]),
            (
                &["awful", "awful 2", "awful", "awful"],
                &["awful", "awful 2", "awful 3", "awful 4"],
            ),
            (&["good", "+good", "+good"], &["good 3", "good", "good 2"]),
            (
                &["olive", "+good", "=olive", "=good"],
                &["olive 2", "good 2", "olive", "good"],
            ),
            // Names that look alike.
            (
                &["Caf\u{e9}", "Cafe\u{301}", "ﬁsh", "fish"],
                &["Caf\u{e9}", "Cafe\u{301} 2", "ﬁsh", "fish 2"],
            ),
        ] {
            let entrant = |name: &&str| {
                let plain = name.trim_start_matches(['=', '+']);
                player(plain, name.starts_with('+'), name.starts_with('='))
            };
            let mut players: Vec<_> = names.iter().map(entrant).collect();
            tell_apart(&mut players);
            assert!(players.iter().map(|player| &player.name).eq(apart));
        }
    }

    #[test]
    fn a_bot_cannot_take_the_name_of_another() {
        let other = || OwnName::Other("Pythonista".to_owned());
        for (own, name) in [
            (Some("Pythonista"), other()),
            (None, OwnName::Same),
            (Some(""), OwnName::Same),
            (Some("mybot"), OwnName::Same),
            (Some("MyBot"), OwnName::Same),
            (Some("good"), OwnName::Taken("good".to_owned())),
            (Some("GOOD"), OwnName::Taken("GOOD".to_owned())),
            (Some("human"), OwnName::Taken("human".to_owned())),
            (Some("popeye"), OwnName::Taken("popeye".to_owned())),
        ] {
            let player = player("mybot", false, false);
            assert_eq!(OwnName::of(&player, own, "Popeye"), name);
        }
        let shipped = player("Popeye", true, false);
        assert_eq!(OwnName::of(&shipped, Some("good"), "x"), OwnName::Same);
    }
}
