//! A player as the command line names it.

use std::ffi::OsString;

use bothost::Program;

use crate::terms::OwnLimits;

/// The players that come with the referee.
pub const SHIPPED: [&str; 4] = ["awful", "mediocre", "good", "human"];

/// An opponent for people: a shipped bot, or one that is careless at times.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Its name on the command line and in menus.
    pub name: &'static str,
    /// The shipped bot that it is.
    pub bot: &'static str,
    /// In this many of 100 turns in which no damaged ship is afloat it attacks anywhere.
    pub careless: u8,
    /// The number of attacks that it needs on average for a random fleet.
    pub attacks: f64,
}

/// The opponents for people, the weakest first. `cargo bench --bench strength` measures them.
pub const LEVELS: [Level; 5] = [
    Level {
        name: "awful",
        bot: "awful",
        careless: 0,
        attacks: 88.7,
    },
    Level {
        name: "mediocre",
        bot: "mediocre",
        careless: 0,
        attacks: 74.4,
    },
    Level {
        name: "fair",
        bot: "good",
        careless: 100,
        attacks: 59.3,
    },
    Level {
        name: "decent",
        bot: "good",
        careless: 65,
        attacks: 51.9,
    },
    Level {
        name: "good",
        bot: "good",
        careless: 0,
        attacks: 44.4,
    },
];

impl Level {
    /// Returns the level that is called so.
    #[must_use]
    pub fn called(name: &str) -> Option<Level> {
        LEVELS.into_iter().find(|level| level.name == name)
    }

    /// Returns its name and its attacks in a few words.
    #[must_use]
    pub fn in_words(&self) -> String {
        format!("{} ({:.1} attacks)", self.name, self.attacks)
    }
}

/// Returns the arguments that make the referee's executable the player of this name: a shipped one or a level; `None` if there
/// is none.
#[must_use]
pub fn shipped_arguments(name: &str) -> Option<Vec<OsString>> {
    let level = Level::called(name);
    let bot = level
        .map(|level| level.bot)
        .or_else(|| SHIPPED.into_iter().find(|it| *it == name))?;
    let careless = level
        .map(|level| level.careless)
        .filter(|careless| *careless > 0);
    let careless = careless.map(|careless| format!("--careless={careless}").into());
    Some(
        ["bot".into(), bot.into()]
            .into_iter()
            .chain(careless)
            .collect(),
    )
}

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name: the one it was given, or that of the shipped player, or one by its file and folder. What a bot calls
    /// itself is not its name: it could take another player's.
    pub name: String,
    /// Whether it is one of the players that come with the referee.
    pub shipped: bool,
    /// Whether it is the human player, who has no time limit of a bot.
    pub human: bool,
    /// The program to start.
    pub program: Program,
    /// The folder that it is started in, as it was typed; `None` for the referee's own.
    pub dir: Option<String>,
    /// The limits that it has instead of those of the terms.
    pub limits: OwnLimits,
    /// Whether its program plays one game and no more, so that each of its games is played by new processes.
    pub one_game: bool,
}

/// Gives players names by which they can be told apart: the second of those that are the same gets a 2, the third a 3.
/// A shipped player that goes by its own name keeps it, wherever it stands.
pub fn tell_apart<'e>(players: impl IntoIterator<Item = &'e mut Entrant>) {
    let mut players: Vec<&mut Entrant> = players.into_iter().collect();
    // Stable: otherwise as they were named.
    players.sort_by_key(|player| !(player.shipped && player.name == player.program.command_line));
    let mut taken: Vec<String> = Vec::with_capacity(players.len());
    for player in players {
        let mut number = 1;
        let mut name = player.name.clone();
        while taken.contains(&name) {
            number += 1;
            name = format!("{} {number}", player.name);
        }
        taken.push(name.clone());
        player.name = name;
    }
}

/// The name that a bot gives itself, beside the name by which it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnName {
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
    one.to_lowercase() == other.to_lowercase()
}

impl OwnName {
    /// Judges what `player` calls itself, in a game against a player that is known as `opponent`.
    pub(super) fn of(player: &Entrant, own: Option<&str>, opponent: &str) -> OwnName {
        match own {
            None | Some("") => OwnName::Same,
            Some(_) if player.shipped => OwnName::Same,
            Some(own) if are_same(own, &player.name) => OwnName::Same,
            Some(own)
                if SHIPPED
                    .iter()
                    .chain([&opponent])
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

    #[test]
    fn the_opponents_are_in_the_documents_with_their_attacks() {
        let page = include_str!("../../../../docs/just-play.md");
        for Level { name, attacks, .. } in LEVELS {
            assert!(
                page.contains(&format!("\n| `{name}` | {attacks:.1}")),
                "{name}"
            );
        }
    }

    fn player(name: &str, shipped: bool) -> Entrant {
        let program = Program {
            file: "bot".into(),
            arguments: Vec::new(),
            command_line: if shipped { "good" } else { "bot" }.to_owned(),
            folder: None,
            on_terminal: false,
            variables: Vec::new(),
            person: None,
            sight: bothost::Sight::default(),
        };
        let limits = OwnLimits::default();
        Entrant {
            name: name.to_owned(),
            shipped,
            human: false,
            program,
            dir: None,
            limits,
            one_game: false,
        }
    }

    #[test]
    fn players_of_one_name_get_numbers() {
        let check = |names: &[&str], apart: &[&str]| {
            let mut players: Vec<_> = names.iter().map(|name| player(name, false)).collect();
            tell_apart(&mut players);
            let names: Vec<_> = players.iter().map(|player| player.name.as_str()).collect();
            assert_eq!(names, apart);
        };
        check(&["awful", "awful"], &["awful", "awful 2"]);
        check(&["awful", "good"], &["awful", "good"]);
        check(
            &["awful", "awful 2", "awful", "awful"],
            &["awful", "awful 2", "awful 3", "awful 4"],
        );
    }

    #[test]
    fn a_shipped_player_keeps_its_name() {
        let mut players = [
            player("good", false),
            player("good", true),
            player("good", true),
        ];
        tell_apart(&mut players);
        assert_eq!(
            players.map(|player| player.name),
            ["good 3", "good", "good 2"]
        );
        // Another one of them, under its name.
        let mut awful = player("good", true);
        awful.program.command_line = "awful".to_owned();
        let mut players = [awful, player("good", true)];
        tell_apart(&mut players);
        assert_eq!(players.map(|player| player.name), ["good 2", "good"]);
    }

    #[test]
    fn a_bot_cannot_call_itself_as_another_is_called() {
        let own = |own| OwnName::of(&player("mybot", false), own, "Popeye");
        assert_eq!(
            own(Some("Pythonista")),
            OwnName::Other("Pythonista".to_owned())
        );
        assert_eq!(
            [
                own(None),
                own(Some("")),
                own(Some("mybot")),
                own(Some("MyBot"))
            ],
            [const { OwnName::Same }; 4]
        );
        for taken in ["good", "GOOD", "human", "popeye"] {
            assert_eq!(own(Some(taken)), OwnName::Taken(taken.to_owned()));
        }
        assert_eq!(
            OwnName::of(&player("Popeye", true), Some("good"), "x"),
            OwnName::Same
        );
    }
}
