//! Makes the bots of each kind.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use battleship::{Bot, TwistBot};

use crate::{
    Awful, Good, Human, Kind, Mediocre, Terminal, Thinking, TwistAwful, TwistGood, TwistHuman,
    TwistMediocre,
};

/// The state that the bots of one program share: the amount of thinking, and the terminal of a human one.
#[derive(Debug, Default)]
pub struct Seat {
    terminal: Rc<RefCell<Terminal>>,
    /// The amount of `good`'s thinking.
    thinking: Thinking,
}

impl Seat {
    /// A seat for bots of that kind.
    ///
    /// # Errors
    /// If a human one has no terminal. The others need none.
    pub fn of(kind: Kind) -> io::Result<Seat> {
        let terminal = match kind {
            Kind::Human => Terminal::open()?,
            Kind::Awful | Kind::Mediocre | Kind::Good => Terminal::nowhere(),
        };
        Ok(Seat {
            terminal: terminal.shared(),
            thinking: Thinking::default(),
        })
    }

    /// A seat for a person at that terminal.
    #[must_use]
    pub fn at(terminal: Terminal) -> Seat {
        Seat {
            terminal: terminal.shared(),
            thinking: Thinking::default(),
        }
    }

    /// The same seat with another measure of thinking for `good`.
    #[must_use]
    pub fn thinking_for(self, thinking: Thinking) -> Seat {
        Seat { thinking, ..self }
    }

    /// A bot of that kind for the classic game. A human one is called `name` on the terminal.
    #[must_use]
    pub fn bot(&self, kind: Kind, name: &str) -> Box<dyn Bot> {
        match kind {
            Kind::Awful => Box::new(Awful::default()),
            Kind::Mediocre => Box::new(Mediocre::default()),
            Kind::Good => Box::new(Good::new(self.thinking)),
            Kind::Human => Box::new(Human::new(name, self.terminal.clone())),
        }
    }

    /// A bot of that kind for the twist game.
    #[must_use]
    pub fn twist_bot(&self, kind: Kind, name: &str) -> Box<dyn TwistBot> {
        match kind {
            Kind::Awful => Box::new(TwistAwful::default()),
            Kind::Mediocre => Box::new(TwistMediocre::default()),
            Kind::Good => Box::new(TwistGood::default()),
            Kind::Human => Box::new(TwistHuman::new(name, self.terminal.clone())),
        }
    }
}
