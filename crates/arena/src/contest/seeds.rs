//! The seeds of the games of a contest.

use bothost::BySide;
use bothost::Side;

use crate::game::{derived_seed, seeds_of_game};

/// Returns the seed of a game, which `referee play --seed` takes, and the seeds of both bots in it;
/// `contest` is the seed of the contest. The game is number `index`, from 0, between two players
/// that are known by their places in the list of players; the one on `first` moves first.
///
/// Every game has a seed of its own, and each player a seed of its own in it: no player can know
/// from the seeds that it has received what its opponent receives.
pub(super) fn seeds(
    contest: u64,
    players: [usize; 2],
    index: u32,
    first: Side,
) -> (u64, BySide<u32>) {
    // Of the two players and the number of the game alone, not of the round or series: so a
    // schedule with other series, or one more game, plays the same games, and a rematch in a Swiss
    // tournament continues where the first one ended.
    let [low, high] = [players[0].min(players[1]), players[0].max(players[1])].map(|n| n as u64);
    let seed = derived_seed(contest, "game", &[low, high, index.into()]);
    (seed, seeds_of_game(seed, first))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn seeds_of_games_stay_in_every_release() {
        let seed = |players, index| seeds(1, players, index, Side::One).0;
        assert_eq!(
            [0, 1].map(|index| seed([0, 1], index)),
            [9_078_684_011_852_827_748, 6_453_302_563_520_224_064]
        );
        assert_eq!(seed([1, 0], 0), seed([0, 1], 0));
        assert_ne!(seed([0, 2], 0), seed([0, 1], 0));
    }

    #[test]
    fn no_two_seeds_are_the_same() {
        let mut seen = HashSet::new();
        for (players, index) in [[0, 1], [0, 2], [1, 2]]
            .into_iter()
            .flat_map(|players| (0..1000).map(move |index| (players, index)))
        {
            let first = Side::BOTH[index as usize % 2];
            let (_, of_bots) = seeds(1, players, index, first);
            assert_ne!(of_bots.one, of_bots.two);
            seen.extend([of_bots.one, of_bots.two]);
        }
        // 6000 draws of 31 bits: by chance some 0.01 pairs of them are equal.
        assert_eq!(seen.len(), 6000);
    }
}
