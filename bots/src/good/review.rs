//! What the good player would have thought of the attacks of another one.

use battleship::{AttackResult, Game, Point};

use super::cells::index;
use super::exact::Greedy;
use super::shooter::Shooter;
use super::thinking::{Clock, Thinking};

/// The steps that a count may take, each some microseconds: a few tenths of a second for a game. Where all fleets are too many to
/// count in it, they are sampled, and the best cell looks a little better than it is.
const STEPS: f64 = 5_000.0;

/// An attack beside the best one, as likely as they were to hit by all that was known before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reviewed {
    /// How likely the attack was to hit, from 0 to 1; 0 outside of the board and on cells that had been attacked.
    pub chance: f64,
    /// The cell that was the most likely one to hit; `None` if all had been attacked.
    pub best: Option<Point>,
    /// How likely that was, from 0 to 1; 0 without such a cell.
    pub best_chance: f64,
}

/// Compares each of `attacks`, all of one player in order, with the best cell by what this player knew then: the results
/// of the attacks before it. All fleets are taken for equally likely, and no cells are tried out on them, so that it takes
/// a fraction of the time that a game of [`super::Good`] takes.
///
/// The results have to be those of a game by the rules.
#[must_use]
pub fn review(game: &Game, attacks: &[(Point, AttackResult)]) -> Vec<Reviewed> {
    let mut counter = Greedy::new(game, 0);
    let mut shooter = Shooter::at_random_fleets(game, Thinking::for_milliseconds(5.0), 0);
    let review = |(at, result): &(Point, AttackResult)| {
        let untried = shooter.sight.untried();
        let counted = counter.chances(STEPS);
        let cells = counted.unwrap_or_else(|| shooter.chances(&Clock::start(None)).cells);
        // The first of equally likely ones, from the top left.
        let best = untried.into_iter().fold(None, |best: Option<(Point, f64)>, point| {
            let chance = cells[index(point)];
            if best.is_none_or(|(_, most)| chance > most) { Some((point, chance)) } else { best }
        });
        let chance = if untried.contains(*at) { cells[index(*at)] } else { 0.0 };
        counter.record(*at, *result);
        shooter.record(*at, *result);
        let best_chance = best.map_or(0.0, |(_, chance)| chance);
        Reviewed { chance, best: best.map(|(point, _)| point), best_chance }
    };
    attacks.iter().map(review).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let close = |reviewed: &Reviewed, chance: f64, best: (Point, f64)| {
            assert!((reviewed.chance - chance).abs() < 1e-9, "{reviewed:?}");
            assert_eq!(reviewed.best, Some(best.0));
            assert!((reviewed.best_chance - best.1).abs() < 1e-9, "{reviewed:?}");
        };
        let found = review(&game, &attacks);
        close(&found[0], 1.0 / 3.0, (at(1), 2.0 / 3.0));
        close(&found[1], 0.0, (at(2), 1.0));
        close(&found[2], 0.0, (at(2), 1.0));
        close(&found[3], 0.5, (at(2), 1.0));
        close(&found[4], 1.0, (at(2), 1.0));
        close(&found[5], 1.0, (at(2), 1.0));
        assert_eq!(found.len(), 6);
    }
}
