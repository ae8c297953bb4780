//! The players that the referee comes with. Each is a [`Player`], and [`run`] makes a program of it that
//! speaks the protocol.

#![forbid(unsafe_code)]

mod awful;
mod fleet;
mod good;
mod human;
mod mediocre;
mod program;
mod terminal;
mod twist;

pub use awful::AwfulPlayer;
pub use fleet::random_fleet;
pub use good::{GoodPlayer, Memory, Shooter, Thinking};
pub use human::HumanPlayer;
pub use mediocre::MediocrePlayer;
pub use program::{main, run};
pub use terminal::Terminal;
pub use twist::{AwfulAdmiral, GoodAdmiral, HumanAdmiral, MediocreAdmiral, play_twist};

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use battleship::twist::Admiral;
use battleship::{Game, Player};

/// The kinds of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Places its ships in the first column and shoots row by row from the last cell on.
    Awful,
    /// The mediocre player of the course's specification.
    Mediocre,
    /// The one to beat.
    Good,
    /// A person at the terminal.
    Human,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Awful, Kind::Mediocre, Kind::Good, Kind::Human];

    /// The kind's type name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Awful => "awful",
            Kind::Mediocre => "mediocre",
            Kind::Good => "good",
            Kind::Human => "human",
        }
    }

    /// The kind with that type name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Makes a player of the kind with the type name `kind`, called `name`, for `game`; nothing unless the type
/// name is one of the four. The same seed gives the same play. A human player asks on the terminal; without one
/// it resigns as soon as it is asked.
#[must_use]
pub fn create_player(kind: &str, name: &str, game: &Game, seed: u64) -> Option<Box<dyn Player>> {
    let kind = Kind::from_name(kind)?;
    let seat = Seat::of(kind).unwrap_or_else(|_| Seat::default());
    Some(seat.player(kind, name, game, seed))
}

/// As [`create_player`], for the twist game.
#[must_use]
pub fn create_admiral(kind: &str, name: &str, seed: u64) -> Option<Box<dyn Admiral>> {
    let kind = Kind::from_name(kind)?;
    let seat = Seat::of(kind).unwrap_or_else(|_| Seat::default());
    Some(seat.admiral(kind, name, seed))
}

/// What the players of one seat have in common, game after game: the terminal of a human one, and what a good one
/// remembers of its opponent.
#[derive(Debug, Default)]
struct Seat {
    terminal: Rc<RefCell<Terminal>>,
    memory: Rc<RefCell<Memory>>,
    thinking: Thinking,
}

impl Seat {
    /// A seat for players of that kind. Only a human one needs a terminal.
    fn of(kind: Kind) -> io::Result<Seat> {
        let terminal = match kind {
            Kind::Human => Terminal::open()?,
            Kind::Awful | Kind::Mediocre | Kind::Good => Terminal::nowhere(),
        };
        Ok(Seat { terminal: terminal.shared(), ..Seat::default() })
    }

    fn player(&self, kind: Kind, name: &str, game: &Game, seed: u64) -> Box<dyn Player> {
        match kind {
            Kind::Awful => Box::new(AwfulPlayer::new(name, game)),
            Kind::Mediocre => Box::new(MediocrePlayer::new(name, game, seed)),
            Kind::Good => {
                Box::new(GoodPlayer::in_series(name, game, seed, self.thinking, &self.memory))
            }
            Kind::Human => Box::new(HumanPlayer::new(name, game, self.terminal.clone())),
        }
    }

    fn admiral(&self, kind: Kind, name: &str, seed: u64) -> Box<dyn Admiral> {
        match kind {
            Kind::Awful => Box::new(AwfulAdmiral::new(name)),
            Kind::Mediocre => Box::new(MediocreAdmiral::new(name, seed)),
            Kind::Good => Box::new(GoodAdmiral::new(name, seed)),
            Kind::Human => Box::new(HumanAdmiral::new(name, self.terminal.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_type_names_make_players_and_no_other_does() {
        let game = Game::standard();
        for kind in ["awful", "mediocre", "good", "human"] {
            let player = create_player(kind, "Popeye", &game, 1).unwrap();
            assert_eq!(player.name(), "Popeye");
            assert_eq!(player.is_human(), kind == "human");
        }
        for kind in ["", "Awful", "excellent", "good "] {
            assert!(create_player(kind, "Popeye", &game, 1).is_none());
        }
    }
}
