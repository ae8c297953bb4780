//! A set of series, by their numbers.

use std::collections::BTreeMap;

/// Numbers of a page. Series mostly follow each other, so that few pages are sparse.
const PAGE: usize = 1024;

/// A set of series, by their numbers: a bit each, as far as they are near each other. A contest has millions.
#[derive(Clone, Debug, Default)]
pub(super) struct SeriesSet {
    pages: BTreeMap<usize, [u64; PAGE / 64]>,
}

impl SeriesSet {
    /// Adds a series; returns whether it is new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.pages.entry(number / PAGE).or_default()[number % PAGE / 64];
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a series out; returns whether it was there.
    pub(super) fn remove(&mut self, number: usize) -> bool {
        let Some(page) = self.pages.get_mut(&(number / PAGE)) else {
            return false;
        };
        let word = &mut page[number % PAGE / 64];
        let bit = 1 << (number % 64);
        let was_there = *word & bit != 0;
        *word &= !bit;
        if was_there && page.iter().all(|word| *word == 0) {
            self.pages.remove(&(number / PAGE));
        }
        was_there
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(numbers in prop::collection::vec((0..3_000_usize, any::<bool>()), 0..200)) {
            let (mut set, mut model) = (SeriesSet::default(), HashSet::new());
            for (number, adds) in numbers {
                // Some are far away.
                let number = if number % 7 == 0 { usize::MAX - number } else { number };
                if adds {
                    prop_assert_eq!(set.insert(number), model.insert(number));
                } else {
                    prop_assert_eq!(set.remove(number), model.remove(&number));
                }
            }
            let left: Vec<usize> = model.into_iter().collect();
            prop_assert!(left.into_iter().all(|number| set.remove(number)));
            prop_assert!(set.pages.is_empty());
        }
    }

    #[test]
    fn a_million_series_take_little_room() {
        let mut set = SeriesSet::default();
        assert!((0..1_000_000).all(|number| set.insert(number)));
        assert_eq!(set.pages.len(), 977);
    }
}
