//! The players and seeds of a game, and the interface to the game.

mod entrant;
mod seeds;

pub(crate) use entrant::OwnName;
pub use entrant::{Entrant, SHIPPED_NAMES, are_same, player_word, tell_apart};
pub use seeds::{derived_seed, draw_seed, seeds_of_game};
pub use wire::game::{
    Bots, DialogueLine, ENDLESS, Game, GameReader, Played, Round, Speaker, Stopped, Table,
    bad_reply,
};
pub use wire::{EndedBy, Ending, Event, GameListener, Listener, Stop};

pub use crate::pair::{Pair, StartedPair, Starter, put_greeting, receive_greeting};
