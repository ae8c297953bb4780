//! Many small random numbers from few draws.

use battleship::seeded::SeededRng;

use super::super::cells::real;

/// Small random numbers, several from each 64 bits of a stream.
#[derive(Debug)]
pub(crate) struct Dice<'a> {
    rng: &'a mut SeededRng,
    bits: u64,
    /// Number of bits that were used.
    used: u32,
}

/// The bits of a draw that are used; those that are left keep the numbers even to one part in a
/// million.
const USABLE: u32 = 44;

impl Dice<'_> {
    pub(crate) const fn new(rng: &mut SeededRng) -> Dice<'_> {
        Dice {
            rng,
            bits: 0,
            used: u32::MAX,
        }
    }

    /// A number below `bound`, which is at most 2^20.
    #[inline]
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let needed = usize::BITS - bound.leading_zeros();
        if self.used.saturating_add(needed) > USABLE {
            (self.bits, self.used) = (self.rng.next_u64(), 0);
        }
        self.used += needed;
        // The upper half of the product is the number, and the lower half is as random as the bits
        // were (N. Brackett-Rozinsky and D. Lemire 2024, "Batched ranged random integer
        // generation").
        let product = u128::from(self.bits) * bound as u128;
        #[allow(clippy::cast_possible_truncation, reason = "the two halves of it")]
        {
            self.bits = product as u64;
            (product >> 64) as usize
        }
    }

    /// A number from 0 to below 1.
    pub(crate) fn share(&mut self) -> f64 {
        const PARTS: usize = 1 << 20;
        real(self.below(PARTS)) / real(PARTS)
    }

    /// Whether an event of that chance happens.
    pub(crate) fn happens(&mut self, chance: f64) -> bool {
        chance >= 1.0 || self.share() < chance
    }
}
