//! The seeds of the games of a contest.

use battleship::seeded::SeededRng;

/// The domain of [`SeededRng`] from which games get their seeds.
const DOMAIN: u64 = u64::from_be_bytes(*b"pairseed");

/// Short enough to be typed, and below 2^53, which every reader of JSON keeps exactly; long enough for equal seeds to
/// be rare in a contest.
const SEED_BITS: u32 = 40;

/// Returns the seed of the pair of games number `pair`, from 0, between two players of a contest, which are known by
/// their places in its list. It is the seed of both games, as `referee play --seed` takes it, and the first mover
/// gets the first of the two seeds that come from it: a player has in the second game what its opponent had in the
/// first.
pub(crate) fn pair_seed(contest: u64, players: [usize; 2], pair: u32) -> u64 {
    // Of the two players and the number of the pair alone, not of the round or series: so a schedule with
    // other series, or one more game, plays the same games, and a rematch in a Swiss tournament goes on where
    // the first one ended.
    let [low, high] = [players[0].min(players[1]), players[0].max(players[1])];
    let pairing = (low as u64) << 32 | high as u64;
    SeededRng::keyed([contest, DOMAIN, pairing, pair.into()]).next_u64() >> (64 - SEED_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_of_games_are_the_same_in_every_release() {
        assert_eq!(
            [0, 1].map(|pair| pair_seed(1, [0, 1], pair)),
            [103_008_504_988, 172_553_373_027]
        );
        assert_eq!(pair_seed(1, [1, 0], 0), pair_seed(1, [0, 1], 0));
        assert_ne!(pair_seed(1, [0, 2], 0), pair_seed(1, [0, 1], 0));
    }
}
