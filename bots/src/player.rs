//! The bots as players of the course's specification.

use battleship::{AttackResult, Board, Bot, Game, Player, Point};

use crate::awful::Awful;
use crate::human::Human;
use crate::mediocre::Mediocre;
use crate::shipped::Kind;
use crate::{Shipped, Terminal, Thinking};

/// Makes a player of the kind with the type name `kind`, called `name`, for `game`: the
/// specification's `createPlayer`. Returns `None` unless the type name is one of
/// [`SHIPPED`](crate::SHIPPED). The same seed gives the same play. Only a human player needs the
/// terminal.
#[must_use]
pub fn create_player(
    kind: &str,
    name: &str,
    game: &Game,
    seed: u64,
    terminal: &Terminal,
) -> Option<Box<dyn Player>> {
    let shipped = Shipped::named(kind)?;
    Some(match shipped.kind {
        Kind::Awful => Box::new(Awful::new(name, game)),
        Kind::Mediocre => Box::new(Mediocre::new(name, game, seed)),
        Kind::Human => Box::new(Human::new(name, game, terminal.clone())),
        Kind::Good { .. } => {
            let mut bot = shipped.bot(name, Thinking::default(), terminal);
            bot.new_game(game, seed);
            let name = name.to_owned();
            Box::new(BotPlayer { name, bot })
        }
    })
}

/// A bot in one game. A program plays the bot itself: a player of the specification hears of
/// neither time limits nor whole salvos nor the end of a game, which is when the bot learns its
/// opponent.
struct BotPlayer {
    name: String,
    bot: Box<dyn Bot>,
}

impl Player for BotPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        self.bot.place_ships(board)
    }

    fn recommend_attack(&mut self) -> Point {
        self.bot.attack()
    }

    fn record_attack_result(&mut self, at: Point, result: AttackResult) {
        self.bot.attack_result(at, result);
    }

    fn record_attack_by_opponent(&mut self, at: Point) {
        self.bot.opponent_attacked(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_type_names_make_players() {
        let game = Game::standard();
        for kind in ["awful", "mediocre", "fair", "decent", "good", "human"] {
            let player = create_player(kind, "Popeye", &game, 1, &Terminal::nowhere()).unwrap();
            assert_eq!(player.name(), "Popeye");
            assert_eq!(player.is_human(), kind == "human");
        }
        for kind in ["", "Awful", "excellent", "good "] {
            assert!(create_player(kind, "Popeye", &game, 1, &Terminal::nowhere()).is_none());
        }
    }
}
