//! The bots as players of the course's specification.

use battleship::{AttackResult, Board, Bot, Game, Player, Point};

use crate::{Shipped, Terminal, Thinking};

/// Makes a player of the kind with the type name `kind`, called `name`, for `game`: the specification's `createPlayer`.
/// Returns `None` unless the type name is one of [`SHIPPED`](crate::SHIPPED). The same seed gives the same play.
/// A human player asks on the terminal; without one it resigns as soon as it is asked.
#[must_use]
pub fn create_player(kind: &str, name: &str, game: &Game, seed: u64) -> Option<Box<dyn Player>> {
    let shipped = Shipped::named(kind)?;
    let mut terminal = Terminal::nowhere();
    if shipped.is_human() {
        terminal = Terminal::open().unwrap_or_default();
    }
    let mut bot = shipped.bot(name, Thinking::default(), &terminal.shared());
    bot.new_game(game, seed);
    Some(Box::new(BotPlayer {
        name: name.to_owned(),
        is_human: shipped.is_human(),
        bot,
    }))
}

/// A bot in one game.
struct BotPlayer {
    name: String,
    is_human: bool,
    bot: Box<dyn Bot>,
}

impl Player for BotPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_human(&self) -> bool {
        self.is_human
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

    fn has_resigned(&self) -> bool {
        self.bot.has_resigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_type_names_make_players() {
        let game = Game::standard();
        for kind in ["awful", "mediocre", "fair", "decent", "good", "human"] {
            let player = create_player(kind, "Popeye", &game, 1).unwrap();
            assert_eq!(player.name(), "Popeye");
            assert_eq!(player.is_human(), kind == "human");
        }
        for kind in ["", "Awful", "excellent", "good "] {
            assert!(create_player(kind, "Popeye", &game, 1).is_none());
        }
    }
}
