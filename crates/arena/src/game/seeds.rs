//! The seeds of games and of bots.

use bothost::BySide;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use bothost::Side;

/// Seeds on the wire are below 2^31, so that a bot in any language can read them into its plainest
/// integer.
const SEED_BITS: u32 = 31;

/// Returns a seed that follows from the seed `from`, for the purpose `domain` and the thing with
/// these numbers: the first 64 bits of the SHA-256 of all of them.
///
/// One-way, since bots read this source: from a derived seed neither `from` nor another derived
/// seed can be computed, other than by trying every value that `from` may have.
#[must_use]
pub fn derived_seed(from: u64, domain: &str, numbers: &[u64]) -> u64 {
    let mut hash = Sha256::new();
    // The domain ends with a zero, which no domain contains, so no two lists of values make the
    // same bytes.
    hash.update(domain.as_bytes());
    hash.update([0]);
    hash.update(from.to_le_bytes());
    for number in numbers {
        hash.update(number.to_le_bytes());
    }
    let digest = hash.finalize();
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// Returns the seeds that both bots receive in a game with this seed, if the player on `first`
/// moves first. Neither tells anything about the other or about the game's.
#[must_use]
pub fn seeds_of_game(seed: u64, first: Side) -> BySide<u32> {
    // By order of moving, not by side: the command that replays a game may name the players in
    // another order.
    BySide::from_fn(|side| {
        let seed = derived_seed(seed, "bot", &[u64::from(side != first)]);
        u32::try_from(seed >> (64 - SEED_BITS)).expect("31 bits")
    })
}

/// Draws a seed from the system. All its 64 bits are random: bots know seeds that follow from it,
/// and fewer bits could all be tried.
///
/// # Errors
/// If the operating system has no random numbers.
pub fn draw_seed() -> std::io::Result<u64> {
    SysRng.try_next_u64().map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_bots_stay_in_every_release() {
        let seeds = [1, 2].map(|seed| seeds_of_game(seed, Side::One));
        let expected = [[806_820_690, 1_611_092_691], [917_837_448, 1_532_550_341]];
        assert_eq!(seeds, expected.map(BySide::from));
        // A game is the same if its players are named the other way round.
        let BySide { one, two } = seeds_of_game(1, Side::Two);
        assert_eq!(BySide::new(two, one), seeds[0]);
    }

    #[test]
    fn drawn_seeds_use_all_their_bits() {
        // Each bit of 64 draws is 0 in all of them, or 1 in all of them, with probability 2^-63.
        let drawn: Vec<u64> = (0..64).map(|_| draw_seed().unwrap()).collect();
        assert_eq!(drawn.iter().fold(0, |bits, seed| bits | seed), u64::MAX);
        assert_eq!(drawn.iter().fold(u64::MAX, |bits, seed| bits & seed), 0);
    }
}
