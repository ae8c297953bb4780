//! The seeds of games and of bots.

use battleship::BySide;
use battleship::seeded::SeededRng;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::terms::Rules;
use bothost::Side;

/// Seeds on the wire are below 2^31, so that a bot in any language can read them into its plainest integer.
const SEED_BITS: u32 = 31;

/// The domain of [`SeededRng`] from which bots get their seeds.
const DOMAIN: u64 = u64::from_be_bytes(*b"botseeds");

/// The seeds of the two bots, in order, for one game after the other that is played with the seed `master`.
pub(crate) fn bot_seeds(master: u64) -> impl Iterator<Item = BySide<u32>> {
    let mut rng = SeededRng::in_domain(master, DOMAIN);
    let mut seed = move || u32::try_from(rng.below(1 << SEED_BITS)).expect("31 bits");
    std::iter::repeat_with(move || BySide::new(seed(), seed()))
}

/// The domain of [`SeededRng`] from which it comes who moves first.
const FIRST_DOMAIN: u64 = u64::from_be_bytes(*b"whofirst");

/// Returns the player that moves first in a game with this seed when no option says otherwise: the first player in the
/// classic game, as in the course's; one by chance in the twist game, as in its original.
pub(crate) fn usual_first(rules: &Rules, seed: u64) -> Side {
    let one_is_first =
        !rules.draws_first_mover() || SeededRng::in_domain(seed, FIRST_DOMAIN).coin();
    if one_is_first { Side::One } else { Side::Two }
}

/// Returns the seeds of both bots in a game that is played with this seed: the first mover gets the first of two.
pub(crate) fn seeds_of_game(seed: u64, first: Side) -> BySide<u32> {
    // By order of moving, not by side: a pair of games with swapped movers then has swapped seeds too.
    let BySide { one, two } = bot_seeds(seed).next().expect("seeds have no end");
    match first {
        Side::One => BySide::new(one, two),
        Side::Two => BySide::new(two, one),
    }
}

/// Draws a seed from the system, short enough to be typed again.
///
/// # Errors
/// If the operating system has no random numbers.
pub(crate) fn draw_seed() -> std::io::Result<u64> {
    let mut bytes = [0; 4];
    SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
    Ok(u64::from(u32::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mover_is_the_same_in_every_release() {
        let firsts = [1, 2, 3, 4, 5, 6].map(|seed| usual_first(&Rules::Twist, seed));
        let expected = [Side::Two, Side::Two, Side::Two, Side::Two, Side::Two, Side::One];
        assert_eq!(firsts, expected);
        let BySide { one, two } = BySide::from_fn(|first| seeds_of_game(1, first));
        assert_eq!(one, BySide::new(102_134_269, 1_093_713_429));
        assert_eq!(two, BySide::new(one.two, one.one));
    }

    #[test]
    fn the_seeds_of_bots_are_the_same_in_every_release() {
        let seeds: Vec<_> = bot_seeds(1).take(2).collect();
        let expected = [[102_134_269, 1_093_713_429], [710_687_280, 2_095_089_348]];
        assert_eq!(seeds, expected.map(BySide::from));
    }
}
