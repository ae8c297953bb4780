use battleship::seeded::SeededRng;
use rand::TryRng;
use rand::rngs::SysRng;

/// Seeds on the wire are below 2^31, so that a bot in any language can read them into its plainest integer.
const SEED_BITS: u32 = 31;

/// The domain of [`SeededRng`] from which bots get their seeds.
const DOMAIN: u64 = u64::from_be_bytes(*b"botseeds");

/// The seeds of the two bots, in order, for one game after the other that is played with the seed `master`.
pub fn bot_seeds(master: u64) -> impl Iterator<Item = [u32; 2]> {
    let mut rng = SeededRng::in_domain(master, DOMAIN);
    let mut seed = move || u32::try_from(rng.below(1 << SEED_BITS)).expect("31 bits");
    std::iter::repeat_with(move || [seed(), seed()])
}

/// A seed that nobody chose, short enough to be typed again.
///
/// # Errors
/// If the operating system has no random numbers.
pub fn draw_seed() -> std::io::Result<u64> {
    let mut bytes = [0; 4];
    SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
    Ok(u64::from(u32::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_of_bots_are_the_same_in_every_release() {
        let seeds: Vec<_> = bot_seeds(1).take(2).collect();
        assert_eq!(seeds, [[102_134_269, 1_093_713_429], [710_687_280, 2_095_089_348]]);
    }
}
