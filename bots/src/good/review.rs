//! The good player's view of the attacks of another one.

use battleship::{AttackResult, Game, Point};

use super::cells::index;
use super::shooter::Shooter;
use super::thinking::{Clock, Thinking};

/// The budget of its thinking, as [`Thinking::for_milliseconds`] takes it: with this one 99 in 100
/// chances are within one percentage point of the exact count, in 0.15 s a game.
const BUDGET: f64 = 10.0;

/// The number of fleets that say how far a player was from its end.
const FLEETS: usize = 200;

/// An attack beside the best one, as likely as they were to hit by all that was known before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitChance {
    /// The chance of the attack to hit, from 0 to 1; 0 outside of the board and on cells that had
    /// been attacked.
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
    /// Before each of them, and after the last: for some of the fleets that it had to reckon with,
    /// each as likely as the others, how many attacks it takes to sink it.
    pub left: Vec<Vec<u32>>,
}

/// Compares each of `attacks`, all of one player in order, with the best cell by what this player
/// knew then: the results of the attacks before it. All fleets are taken for equally likely, and no
/// cells are tried out on them. The chances are those of a sample of the fleets, with an error of
/// up to about one percentage point, and the same each time.
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
    use super::super::cells::real;
    use super::super::sample::tests::{Known, known};
    use super::*;
    use crate::fleet::game;

    #[test]
    fn attacks_are_compared_with_the_best_by_then() {
        let at = |col| Point::new(0, col);
        // Places: 0-1, 1-2, 2-3. In the middle two of three hit, at the edge one.
        let (attacks, expected): (Vec<_>, Vec<_>) = [
            ((at(0), AttackResult::Miss), (1.0 / 3.0, at(1), 2.0 / 3.0)),
            ((at(0), AttackResult::Wasted), (0.0, at(2), 1.0)),
            ((Point::new(7, -1), AttackResult::Wasted), (0.0, at(2), 1.0)),
            ((at(1), AttackResult::Miss), (0.5, at(2), 1.0)),
            ((at(3), AttackResult::Hit), (1.0, at(2), 1.0)),
            ((at(2), AttackResult::Sunk(0)), (1.0, at(2), 1.0)),
        ]
        .into_iter()
        .unzip();
        let reviewed = review(&game(1, 4, &[2]), &attacks);
        assert_eq!(reviewed.attacks.len(), 6);
        for (found, (chance, best, best_chance)) in reviewed.attacks.iter().zip(expected) {
            assert_eq!(found.best, Some(best));
            let off = (found.chance - chance).abs() + (found.best_chance - best_chance).abs();
            assert!(off < 0.02, "{found:?}");
        }
        let mean = |left: &Vec<u32>| f64::from(left.iter().sum::<u32>()) / real(left.len());
        let left: Vec<f64> = reviewed.left.iter().map(mean).collect();
        // In the middle first: of the fleets at the edges one is found with the third attack.
        assert!((left[0] - 8.0 / 3.0).abs() < 0.5, "{left:?}");
        assert_eq!(left[4..], [2.0, 1.0, 0.0]);
    }

    #[test]
    fn chances_are_near_the_exact_ones() {
        let mut off = Vec::new();
        for Known {
            game,
            attacks,
            chances,
        } in known(include_str!("../../tests/games.txt"))
        {
            let reviewed = review(&game, &attacks).attacks;
            for (reviewed, exact) in reviewed.iter().zip(chances.chunks(2)) {
                off.push((reviewed.chance - exact[0]).abs());
                off.push((reviewed.best_chance - exact[1]).abs());
            }
        }
        off.sort_by(f64::total_cmp);
        assert!(off[off.len() * 99 / 100] < 0.01, "{off:?}");
        let mean = off.iter().sum::<f64>() / real(off.len());
        assert!(mean < 0.002, "{mean}");
    }
}
