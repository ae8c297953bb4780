//! The advice of good in a person's place.

use battleship::{AttackResult, Board, Game, Placement, Point};

use super::cells::index;
use super::memory::Memory;
use super::shooter::{ChosenAttack, Shooter};
use super::thinking::Thinking;

/// Good as it is in its first game against an opponent. Of a fixed seed, so that the same is said
/// of a game each time.
fn stranger(game: &Game) -> Shooter {
    Shooter::at(game, &mut Memory::default(), Thinking::default(), 0)
}

/// Returns the cell that good would attack after these attacks, and how likely it is to hit, from 0
/// to 1; `None` if all cells were attacked. The results have to be those of a game by the rules.
#[must_use]
pub fn advise(game: &Game, attacks: &[(Point, AttackResult)]) -> Option<(Point, f64)> {
    let mut shooter = stranger(game);
    for (at, result) in attacks {
        shooter.record(*at, *result);
    }
    let ChosenAttack { cells, chances, .. } = shooter.choose(1)?;
    let point = cells.first()?;
    Some((point, chances.cells[index(point)]))
}

/// Returns how many attacks good needs to sink this fleet; `None` if it is none of the game.
#[must_use]
pub fn attacks_needed(game: &Game, fleet: &[Placement]) -> Option<usize> {
    let mut board = Board::new(game);
    for (
        ship,
        Placement {
            top_or_left,
            direction,
        },
    ) in fleet.iter().enumerate()
    {
        board.place_ship(*top_or_left, ship, *direction).ok()?;
    }
    let mut shooter = stranger(game);
    while !board.all_ships_destroyed() {
        let at = shooter.target()?;
        let result = board.attack(at);
        if result == AttackResult::Wasted {
            return None;
        }
        shooter.record(at, result);
    }
    Some(board.attacked().len())
}

#[cfg(test)]
mod tests {
    use battleship::Direction;

    use super::*;

    #[test]
    fn advice_names_the_attack_and_its_chance() {
        let mut game = Game::new(1, 4).unwrap();
        game.add_ship(2, 'R', "rowboat").unwrap();
        let at = |col| Point::new(0, col);
        let seen = [(at(0), AttackResult::Miss), (at(1), AttackResult::Miss)];
        let (_, chance) = advise(&game, &seen[..1]).unwrap();
        assert!(chance > 0.4, "{chance}");
        assert!(advise(&game, &seen).unwrap().1 > 0.99);
        let place = |col| Placement {
            top_or_left: at(col),
            direction: Direction::Horizontal,
        };
        assert!(attacks_needed(&game, &[place(1)]).is_some_and(|many| many <= 3));
        assert_eq!(attacks_needed(&game, &[place(3)]), None);
    }
}
