//! The bots that the referee comes with. Each plays both games, and [`run`] makes a program of it that speaks the
//! protocol.

#![forbid(unsafe_code)]

/// The keys that end the input of a terminal, as texts for people name them.
#[cfg(windows)]
macro_rules! end_of_input {
    () => {
        "Ctrl-Z and enter"
    };
}
#[cfg(not(windows))]
macro_rules! end_of_input {
    () => {
        "Ctrl-D"
    };
}

mod awful;
mod exploit;
mod fleet;
mod good;
mod human;
mod mediocre;
mod player;
mod program;
mod relay;
mod seat;
mod terminal;
mod twist;

pub use awful::Awful;
pub use exploit::{Learned, Patient, learn};
pub use fleet::random_fleet;
pub use good::{Good, Memory, Review, Reviewed, Shooter, Thinking, advise, attacks_needed, review};
pub use human::Human;
pub use mediocre::Mediocre;
pub use player::create_player;
pub use program::{grammar, main, program, run, run_at, run_relayed};
pub use seat::Seat;
pub use terminal::Terminal;
pub use twist::{TwistAwful, TwistGood, TwistHuman, TwistMediocre, play_twist};

/// The kinds of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Places its ships in the first column and attacks row by row from the last cell on.
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

    /// Returns the kind's type name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Awful => "awful",
            Kind::Mediocre => "mediocre",
            Kind::Good => "good",
            Kind::Human => "human",
        }
    }

    /// Returns the kind with that type name, or `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
