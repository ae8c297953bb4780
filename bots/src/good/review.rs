//! The good player's view of the attacks of another one.

use battleship::{AttackResult, Game, Point};

use super::cells::index;
use super::shooter::Shooter;
use super::thinking::{Clock, Thinking};

/// The budget of its thinking, as [`Thinking::for_milliseconds`] takes it: with this one 99 in 100 chances are within one
/// percentage point of the exact count, in 0.15 s a game.
const BUDGET: f64 = 10.0;

/// The number of fleets that say how far a player was from its end.
const FLEETS: usize = 200;

/// An attack beside the best one, as likely as they were to hit by all that was known before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitChance {
    /// The chance of the attack to hit, from 0 to 1; 0 outside of the board and on cells that had been attacked.
    pub chance: f64,
    /// The cell that was the most likely one to hit; `None` if all had been attacked.
    pub best: Option<Point>,
    /// The chance of that cell, from 0 to 1; 0 without such a cell.
    pub best_chance: f64,
}

/// The attacks of one player in a game.
#[derive(Clone, Debug, Default)]
pub struct AttackChances {
    /// Each of them, in order.
    pub attacks: Vec<HitChance>,
    /// Before each of them, and after the last: for some of the fleets that it had to reckon with, each as likely as the others,
    /// how many attacks it takes to sink it.
    pub left: Vec<Vec<u32>>,
}

/// Compares each of `attacks`, all of one player in order, with the best cell by what this player knew then: the results
/// of the attacks before it. All fleets are taken for equally likely, and no cells are tried out on them. The chances are those of a
/// sample of the fleets, with an error of up to about one percentage point, and the same each time.
///
/// The results have to be those of a game by the rules.
#[must_use]
pub fn review(game: &Game, attacks: &[(Point, AttackResult)]) -> AttackChances {
    let mut shooter = Shooter::at_random_fleets(game, Thinking::for_milliseconds(BUDGET), 0);
    let mut review = AttackChances::default();
    for (at, result) in attacks {
        let untried = shooter.sight.untried();
        let cells = shooter.chances(&Clock::start(None)).cells;
        review.left.push(shooter.left(FLEETS));
        // The first of equally likely ones, from the top left.
        let best = untried
            .into_iter()
            .fold(None, |best: Option<(Point, f64)>, point| {
                let chance = cells[index(point)];
                if best.is_none_or(|(_, most)| chance > most) {
                    Some((point, chance))
                } else {
                    best
                }
            });
        let chance = if untried.contains(*at) {
            cells[index(*at)]
        } else {
            0.0
        };
        // A wasted attack tells nothing, and may be outside of the board.
        if *result != AttackResult::Wasted {
            shooter.record(*at, *result);
        }
        let best_chance = best.map_or(0.0, |(_, chance)| chance);
        let best = best.map(|(point, _)| point);
        review.attacks.push(HitChance {
            chance,
            best,
            best_chance,
        });
    }
    shooter.refresh(&Clock::start(None));
    review.left.push(shooter.left(FLEETS));
    review
}

#[cfg(test)]
mod tests {
    use battleship::Board;
    use battleship::seeded::SeededRng;

    use super::super::cells::real;
    use super::super::exact::Greedy;
    use super::*;
    use crate::random_fleet;

    #[test]
    fn attacks_are_compared_with_the_best_by_what_was_known_before() {
        let mut game = Game::new(1, 4).unwrap();
        game.add_ship(2, 'R', "rowboat").unwrap();
        let at = |col| Point::new(0, col);
        // Places: 0-1, 1-2, 2-3. In the middle two of three hit, at the edge one.
        let attacks = [
            (at(0), AttackResult::Miss),
            (at(0), AttackResult::Wasted),
            (Point::new(7, -1), AttackResult::Wasted),
            (at(1), AttackResult::Miss),
            (at(3), AttackResult::Hit),
            (at(2), AttackResult::Sunk(0)),
        ];
        let close = |reviewed: &HitChance, chance: f64, best: (Point, f64)| {
            assert!((reviewed.chance - chance).abs() < 0.01, "{reviewed:?}");
            assert_eq!(reviewed.best, Some(best.0));
            assert!((reviewed.best_chance - best.1).abs() < 0.01, "{reviewed:?}");
        };
        let AttackChances {
            attacks: found,
            left,
        } = review(&game, &attacks);
        close(&found[0], 1.0 / 3.0, (at(1), 2.0 / 3.0));
        close(&found[1], 0.0, (at(2), 1.0));
        close(&found[2], 0.0, (at(2), 1.0));
        close(&found[3], 0.5, (at(2), 1.0));
        close(&found[4], 1.0, (at(2), 1.0));
        close(&found[5], 1.0, (at(2), 1.0));
        assert_eq!(found.len(), 6);
        // In the middle first: of the fleets at the edges one is found with the third attack.
        let mean = |left: &[u32]| f64::from(left.iter().sum::<u32>()) / real(left.len());
        assert!(
            (mean(&left[0]) - 8.0 / 3.0).abs() < 0.5,
            "{:?}",
            mean(&left[0])
        );
        assert_eq!(
            left[1..].iter().map(|left| mean(left)).collect::<Vec<_>>()[3..],
            [2.0, 1.0, 0.0]
        );
    }

    /// The attacks of a player who takes one of the likelier cells each time, on a random fleet.
    fn attacks(game: &Game, rng: &mut SeededRng) -> Vec<(Point, AttackResult)> {
        let mut board = Board::new(game);
        assert!(random_fleet(&mut board, rng));
        let mut shooter = Shooter::at_random_fleets(game, Thinking::for_milliseconds(0.1), 0);
        let mut attacks = Vec::new();
        while !board.all_ships_destroyed() {
            let cells = shooter.chances(&Clock::start(None)).cells;
            let mut points: Vec<Point> = shooter.sight.untried().into_iter().collect();
            points.sort_by(|one, other| cells[index(*other)].total_cmp(&cells[index(*one)]));
            let at = points[rng.below(4).min(points.len() - 1)];
            let result = board.attack(at).unwrap().into();
            shooter.record(at, result);
            attacks.push((at, result));
        }
        attacks
    }

    #[test]
    fn ninety_nine_in_a_hundred_chances_are_within_a_point_of_the_exact_count() {
        let game = Game::standard();
        let mut rng = SeededRng::new(1);
        let mut off = Vec::new();
        for _ in 0..5 {
            let attacks = attacks(&game, &mut rng);
            let mut greedy = Greedy::new(&game, 0);
            for ((at, result), reviewed) in attacks.iter().zip(review(&game, &attacks).attacks) {
                let cells = greedy.chances().unwrap();
                greedy.record(*at, *result);
                let best = cells.iter().copied().fold(0.0, f64::max);
                off.push((reviewed.chance - cells[index(*at)]).abs());
                off.push((reviewed.best_chance - best).abs());
            }
        }
        off.sort_by(f64::total_cmp);
        assert!(
            off[off.len() * 99 / 100] < 0.01,
            "{:?}",
            &off[off.len() * 95 / 100..]
        );
        let mean = off.iter().sum::<f64>() / real(off.len());
        assert!(mean < 0.002, "{mean}");
    }
}
