//! The bots as players of the course's specification.

use battleship::{AttackResult, Board, Bot, Game, Player, Point};

use crate::{Kind, Seat};

/// Makes a player of the kind with the type name `kind`, called `name`, for `game`: the specification's `createPlayer`.
/// Returns `None` unless the type name is one of the four. The same seed gives the same play. A human player asks on the
/// terminal; without one it resigns as soon as it is asked.
#[must_use]
pub fn create_player(kind: &str, name: &str, game: &Game, seed: u64) -> Option<Box<dyn Player>> {
    let kind = Kind::from_name(kind)?;
    let seat = Seat::of(kind).unwrap_or_default();
    let mut bot = seat.bot(kind, name);
    bot.new_game(game, seed);
    Some(Box::new(BotPlayer {
        name: name.to_owned(),
        is_human: kind == Kind::Human,
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
