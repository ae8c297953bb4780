//! The table of the players that the referee comes with.

use std::hint::black_box;

use battleship::{Bot, Greeting, PlayerBot, Program, TwistBot};

use crate::{
    Good, Person, Terminal, Thinking, TwistAwful, TwistGood, TwistHuman, TwistMediocre,
    create_player,
};

/// Bytes in every program that has these players, however it was stripped, renamed or packed into
/// another file. A contest between students finds copies by them.
pub static MARK: [u8; 40] = *b"<a player of the referee: not a bot: rA>";

/// The players, the weakest first. `cargo bench --bench strength` measures their attacks.
pub const SHIPPED: [Shipped; 6] = [
    Shipped {
        name: "awful",
        about: "The awful Battleship bot",
        attacks: Some(88.7),
        kind: Kind::Awful,
    },
    Shipped {
        name: "mediocre",
        about: "The mediocre Battleship bot",
        attacks: Some(74.4),
        kind: Kind::Mediocre,
    },
    Shipped {
        name: "fair",
        about: "The fair Battleship bot",
        attacks: Some(59.3),
        kind: Kind::Good {
            random_percent: 100,
        },
    },
    Shipped {
        name: "decent",
        about: "The decent Battleship bot",
        attacks: Some(51.9),
        kind: Kind::Good { random_percent: 65 },
    },
    Shipped {
        name: "good",
        about: "The good Battleship bot",
        attacks: Some(44.4),
        kind: Kind::Good { random_percent: 0 },
    },
    Shipped {
        name: "human",
        about: "A person who plays Battleship at the terminal",
        attacks: None,
        kind: Kind::Human,
    },
];

/// A player that the referee comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Places its ships in the first column and attacks row by row from the last cell on.
    Awful,
    /// The mediocre player of the course's specification.
    Mediocre,
    /// The strongest one. In the classic game it attacks anywhere in `random_percent` of 100 turns
    /// in which no damaged ship is afloat, so that people can win.
    Good { random_percent: u8 },
    /// A person at the terminal.
    Human,
}

/// A row of [`SHIPPED`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// A line about it for help.
    pub about: &'static str,
    /// The mean number of attacks that it needs to sink a random standard fleet; `None` for a
    /// person.
    pub attacks: Option<f64>,
    pub(crate) kind: Kind,
}

/// The settings of one player's program.
#[derive(Debug, Default)]
pub struct Settings {
    /// The name in its greeting, instead of the player's own.
    pub name: Option<String>,
    /// How much `good` thinks.
    pub thinking: Thinking,
    /// The terminal of a person. The other players need none.
    pub terminal: Terminal,
}

impl Shipped {
    /// Returns the player called `name`, or `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Shipped> {
        SHIPPED.iter().find(|shipped| shipped.name == name)
    }

    /// Whether the player is a person.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.kind == Kind::Human
    }

    /// Whether the player is weaker in the classic game only, and plays other games as `good`.
    #[must_use]
    pub fn is_classic_only(&self) -> bool {
        matches!(self.kind, Kind::Good { random_percent } if random_percent > 0)
    }

    /// Returns the name and the attacks in a few words.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self.attacks {
            Some(attacks) => format!("{} ({attacks:.1} attacks)", self.name),
            None => self.name.to_owned(),
        }
    }

    /// Makes the player's program, which speaks the protocol.
    #[must_use]
    pub fn program(&self, settings: Settings) -> Program<'static> {
        let name = settings.name.unwrap_or_else(|| self.name.to_owned());
        self.program_at(&name, settings.thinking, &settings.terminal)
    }

    fn program_at(&self, name: &str, thinking: Thinking, terminal: &Terminal) -> Program<'static> {
        let greeting = Greeting {
            human: self.is_human(),
            ..Greeting::from(name)
        };
        Program::new(greeting)
            .classic(self.bot(name, thinking, terminal))
            .salvo()
            .twist(self.twist_bot(name, terminal))
    }

    /// Makes a person, who plays Battleship and every game that a judge knows, as the referee hears
    /// it.
    #[must_use]
    pub fn person(settings: Settings) -> Person {
        let human = Shipped::named("human").expect("it is shipped");
        let name = settings.name.unwrap_or_else(|| human.name.to_owned());
        let program = human.program_at(&name, settings.thinking, &settings.terminal);
        Person::new(&name, program.dialogue(), settings.terminal)
    }

    /// Makes the player of the classic game. A person is called `name` at the terminal.
    #[must_use]
    pub fn bot(&self, name: &str, thinking: Thinking, terminal: &Terminal) -> Box<dyn Bot> {
        // Without a use the linker would leave the bytes out.
        black_box(&MARK);
        match self.kind {
            Kind::Good { random_percent } => Box::new(Good::new(thinking.careless(random_percent))),
            Kind::Awful | Kind::Mediocre | Kind::Human => {
                let kind = self.name;
                let name = name.to_owned();
                let terminal = terminal.clone();
                Box::new(PlayerBot::new(move |game, seed| {
                    create_player(kind, &name, game, seed, &terminal)
                        .expect("it is one of the shipped kinds")
                }))
            }
        }
    }

    /// Makes the player of the twist game. A person is called `name` at the terminal.
    #[must_use]
    pub fn twist_bot(&self, name: &str, terminal: &Terminal) -> Box<dyn TwistBot> {
        match self.kind {
            Kind::Awful => Box::new(TwistAwful::default()),
            Kind::Mediocre => Box::new(TwistMediocre::default()),
            Kind::Good { .. } => Box::new(TwistGood::default()),
            Kind::Human => Box::new(TwistHuman::new(name, terminal.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_is_found_by_its_name() {
        for shipped in &SHIPPED {
            assert_eq!(Shipped::named(shipped.name), Some(shipped));
        }
        assert_eq!(Shipped::named("excellent"), None);
    }

    #[test]
    fn the_players_are_the_weakest_first() {
        let attacks: Vec<_> = SHIPPED
            .iter()
            .filter_map(|shipped| shipped.attacks)
            .collect();
        assert!(attacks.is_sorted_by(|one, next| one > next));
    }
}
