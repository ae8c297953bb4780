//! Random numbers that stay the same from release to release.
//!
//! Games are repeated from their seeds years later, so this module does not rely on a library's
//! choice of how to draw a number from a range: only the raw `ChaCha8` stream (D. J. Bernstein,
//! 2008) is taken from `rand`, and everything above it is fixed by the golden values in this
//! module's tests.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A seeded source of uniform choices.
#[derive(Debug)]
pub struct SeededRng {
    stream: ChaCha8Rng,
}

/// The stream that belongs to the seed 0.
impl Default for SeededRng {
    fn default() -> SeededRng {
        SeededRng::new(0)
    }
}

impl SeededRng {
    /// The stream that belongs to `seed`.
    #[must_use]
    pub fn new(seed: u64) -> SeededRng {
        SeededRng::in_domain(seed, 0)
    }

    /// The stream that belongs to `seed` in the given domain: streams of different domains are
    /// independent, so that one seed can serve several purposes.
    #[must_use]
    pub fn in_domain(seed: u64, domain: u64) -> SeededRng {
        SeededRng::keyed([seed, domain, 0, 0])
    }

    /// The stream that belongs to a whole key: a seed, a domain, and two numbers more, for seeds of
    /// which there is one for each of many things. Streams of different keys are independent.
    #[must_use]
    pub fn keyed(words: [u64; 4]) -> SeededRng {
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        SeededRng {
            stream: ChaCha8Rng::from_seed(key),
        }
    }

    /// The next 64 bits of the stream.
    pub fn next_u64(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// A uniform whole number in `0..bound`, exactly uniform: draws from the incomplete last
    /// stretch of the 64-bit range are thrown away. 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let Some(stretch) = (bound as u64)
            .checked_sub(1)
            .map(|_| u64::MAX / bound as u64)
        else {
            return 0;
        };
        // A quotient, not a remainder: the upper bits decide. The top of the range, where the last
        // stretch is incomplete, gives `bound` or more and is drawn again; it is so small that this
        // hardly ever happens.
        loop {
            let value = self.next_u64() / stretch;
            if value < bound as u64 {
                return usize::try_from(value).expect("below a bound that was a usize");
            }
        }
    }

    /// A uniform real number from 0 to below 1, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        let bits = self.next_u64();
        let [high, low] = [bits >> 32, bits >> 11 & 0x1f_ffff];
        let real = |bits: u64| f64::from(u32::try_from(bits).expect("at most 32 bits"));
        (real(high) * 2_097_152.0 + real(low)) / 9_007_199_254_740_992.0
    }

    /// True with probability 1/2.
    pub fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// Returns a uniformly chosen element, or `None` from an empty slice.
    pub fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }

    /// Takes a uniformly chosen element out of `from`, whose order changes. Returns `None` if it is
    /// empty.
    pub fn take<T>(&mut self, from: &mut Vec<T>) -> Option<T> {
        if from.is_empty() {
            return None;
        }
        let index = self.below(from.len());
        Some(from.swap_remove(index))
    }

    /// Puts `items` into a uniformly random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_in_every_release() {
        let mut rng = SeededRng::new(1);
        assert_eq!(
            [rng.next_u64(), rng.next_u64()],
            [7_037_237_572_835_827_407, 5_440_448_899_038_119_230]
        );
        let mut rng = SeededRng::in_domain(1, 2);
        assert_eq!(
            [rng.next_u64(), rng.next_u64()],
            [6_082_804_599_785_255_738, 5_100_844_500_663_306_037]
        );
        let mut rng = SeededRng::new(42);
        assert_eq!(
            [(); 12].map(|()| rng.below(100)),
            [34, 28, 49, 36, 82, 6, 48, 26, 46, 79, 59, 82]
        );
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut items);
        assert_eq!(items, [7, 6, 9, 5, 0, 2, 1, 8, 4, 3]);
        assert_eq!(
            [(); 8].map(|()| rng.coin()),
            [false, true, true, false, false, true, false, true]
        );
    }

    #[test]
    fn a_real_number_is_53_bits_long() {
        // The stream of the test above.
        let mut rng = SeededRng::new(1);
        for bits in [7_037_237_572_835_827_407_u64, 5_440_448_899_038_119_230] {
            let scaled = rng.unit() * 9_007_199_254_740_992.0;
            assert_eq!(format!("{scaled:.0}"), (bits >> 11).to_string());
        }
    }

    #[test]
    fn a_small_range_comes_out_evenly() {
        let mut rng = SeededRng::new(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6)] += 1;
        }
        // Six standard deviations of a binomial count (n = 60,000, p = 1/6) are 548.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 548),
            "{counts:?}"
        );
    }

    #[test]
    fn an_empty_range_gives_nothing() {
        let mut rng = SeededRng::new(7);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.choose::<u8>(&[]), None);
        assert_eq!(rng.take::<u8>(&mut Vec::new()), None);
    }
}
