//! The cells at which the attacker can tell that a ship has sunk.

use crate::{AttackResult, CellSet, Direction, Game, Point};

/// Returns the cells that ships which have sunk must have covered, by the attacks and their results
/// alone: those of a ship that can have been in one place only. Which hits belong to it may be open
/// when ships touch.
pub(super) fn cells_of_sunk(game: &Game, attacks: &[(Point, AttackResult)]) -> CellSet {
    let mut hits = CellSet::EMPTY;
    let mut known = CellSet::EMPTY;
    for (at, result) in attacks {
        if !game.is_valid(*at) || matches!(result, AttackResult::Miss | AttackResult::Wasted) {
            continue;
        }
        hits.insert(*at);
        if let AttackResult::Sunk(ship) = result
            && let Some(kind) = game.ship(*ship)
        {
            let mut hulls = lines_through(*at, kind.length);
            hulls.retain(|hull| (*hull - hits).is_empty() && (*hull & known).is_empty());
            hulls.dedup();
            if let [hull] = hulls[..] {
                known |= hull;
            }
        }
    }
    known
}

/// Returns the lines of that length through a cell; of length 1, the same one twice.
fn lines_through(at: Point, length: i32) -> Vec<CellSet> {
    let mut lines = Vec::new();
    for direction in Direction::BOTH {
        for back in 0..length {
            lines.extend(CellSet::line(at.step(direction, -back), direction, length));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let mut game = Game::new(5, 5).unwrap();
        game.add_ship(3, 'A', "a").unwrap();
        game.add_ship(2, 'B', "b").unwrap();
        game
    }

    fn known(attacks: &[(i32, i32, AttackResult)]) -> Vec<Point> {
        let attacks: Vec<_> = attacks
            .iter()
            .map(|(row, col, result)| (Point::new(*row, *col), *result))
            .collect();
        cells_of_sunk(&game(), &attacks).iter().collect()
    }

    #[test]
    fn a_ship_that_sank_alone_is_known_whole() {
        use AttackResult::{Hit, Sunk};
        assert_eq!(
            known(&[(1, 1, Hit), (1, 2, Sunk(1))]),
            [Point::new(1, 1), Point::new(1, 2)]
        );
    }

    #[test]
    fn ships_that_touch_may_both_have_sunk() {
        use AttackResult::{Hit, Sunk};
        assert_eq!(known(&[(1, 1, Hit), (2, 2, Hit), (1, 2, Sunk(1))]), []);
    }
}
