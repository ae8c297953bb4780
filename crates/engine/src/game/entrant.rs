//! A player as the command line names it.

use battleship_bots::SHIPPED;
use bothost::Program;

use crate::terms::OwnLimits;

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
                    .map(|shipped| shipped.name)
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
